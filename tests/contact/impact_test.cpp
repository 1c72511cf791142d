// Impacts by the laws of Newton, Poisson and Stronge and by compliant contacts, against an independent computation
// (tests/oracle/impact_reference.py: enumeration of states, and exact integration of the process over the impulse), and
// what each law does to the energy.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "picus/contact/impact_law.hpp"

namespace picus::contact {
namespace {

ImpactContacts<1> one_contact(double NN, double NT, double TT, double gamma_N, double gamma_T, double mu, double e) {
  ImpactContacts<1> c{};
  c.count = 1;
  c.G = {{{NN, NT}, {NT, TT}}};
  c.gamma = {{gamma_N, gamma_T}};
  c.mu[0] = mu;
  c.e[0] = e;
  c.stiffness[0] = 1;
  return c;
}

// Masses on a line, m = 1: contact i is between masses i and i + 1.
template <int K>
ImpactContacts<K> row_of_masses(double e) {
  ImpactContacts<K> c{};
  c.count = K;
  for (int i = 0; i < K; ++i) {
    for (int j = 0; j < K; ++j) c.G(2 * i, 2 * j) = i == j ? 2 : std::abs(i - j) == 1 ? -1 : 0;
    c.G(2 * i + 1, 2 * i + 1) = 1;
    c.e[i] = e;
    c.stiffness[i] = 1;
  }
  c.gamma[0] = -1;  // the first has the velocity 1
  return c;
}

template <int K>
math::Vector<K + 1> velocities(const ImpactImpulses<K>& r) {
  math::Vector<K + 1> v{};
  v[0] = 1;
  for (int i = 0; i < K; ++i) {
    v[i] -= r.Lambda[2 * i];
    v[i + 1] += r.Lambda[2 * i];
  }
  return v;
}

struct Case {
  const char* name;
  double data[7];                              // G_NN, G_NT, G_TT, γ_N⁻, γ_T⁻, μ, ε
  double newton[5], poisson[5], energetic[5];  // Λ_N, Λ_T, γ_N⁺, γ_T⁺, change of energy
};

constexpr Case cases[] = {
    {"slip",
     {1.6, -1.2, 3.4, -1, 4, 0.3, 0.5},
     {0.76530612244898, -0.229591836734694, 0.5, 2.30102040816327, -0.914657955018742},
     {0.76530612244898, -0.229591836734694, 0.5, 2.30102040816327, -0.914657955018742},
     {0.76530612244898, -0.229591836734694, 0.5, 2.30102040816327, -0.914657955018742}},
    {"slip-inelastic",
     {1.6, -1.2, 3.4, -1, 4, 0.3, 0},
     {0.510204081632653, -0.153061224489796, 0, 2.86734693877551, -0.780664306538942},
     {0.510204081632653, -0.153061224489796, 0, 2.86734693877551, -0.780664306538942},
     {0.510204081632653, -0.153061224489796, 0, 2.86734693877551, -0.780664306538942}},
    {"stick-in-compression",
     {1.6, -1.2, 3.4, -1, 0.5, 0.8, 0.5},
     {1.125, 0.25, 0.5, 0, -0.21875},
     {1.05, 0.223529411764706, 0.411764705882353, 0, -0.252941176470588},
     {1.05676766006087, 0.225917997668541, 0.419726658895137, 0, -0.250127551020408}},
    {"stick-in-expansion",
     {2, -0.5, 2, -1, 1, 0.5, 1},
     {0.933333333333333, -0.266666666666667, 1, 0, -0.133333333333333},
     {0.888888888888889, -0.277777777777778, 0.916666666666667, 0, -0.175925925925926},
     {0.898887651569859, -0.275278087107535, 0.935414346693485, 0, -0.166666666666667}},
    {"stick-at-start",
     {1.6, 1.2, 3.4, -1, 0, 0.5, 0.5},
     {1.275, -0.45, 0.5, 0, -0.31875},
     {1.275, -0.45, 0.5, 0, -0.31875},
     {1.275, -0.45, 0.5, 0, -0.31875}},
    {"reversal-in-compression",
     {1.6, -1.2, 3.4, -1, 0.2, 0.2, 0.5},
     {1.10294117647059, 0.220588235294118, 0.5, -0.373529411764706, -0.294874567474048},
     {1.10294117647059, 0.220588235294118, 0.5, -0.373529411764706, -0.294874567474048},
     {1.04804901362029, 0.167056611234697, 0.476410488310833, -0.489666338146382, -0.29856907405363}},
    {"reversal-in-expansion",
     {1.6, -1.2, 3.4, -1, 1.6, 0.2, 1},
     {1.22, -0.04, 1, 0, -0.032},
     {1.08695652173913, -0.0869565217391305, 0.843478260869565, 0, -0.154631379962193},
     {1.10184662639793, -0.120056206635307, 0.90702205019906, -0.130407054237563, -0.139440597341903}},
    {"reversal-inelastic",
     {1.6, -1.2, 3.4, -1, 0.2, 0.2, 0},
     {0.735294117647059, 0.147058823529412, 0, -0.18235294117647, -0.366349480968858},
     {0.735294117647059, 0.147058823529412, 0, -0.18235294117647, -0.366349480968858},
     {0.697747183979975, 0.0969962453066333, 0, -0.307509386733417, -0.354087595414168}},
    {"jam",
     {1.6, -1.2, 3.4, -0.5, -1, 2, 0.5},
     {0.9375, 0.625, 0.25, 0, -0.4296875},
     {1.0875, 0.677941176470588, 0.426470588235294, 0, -0.378952205882353},
     {1.06853077425049, 0.671246155617821, 0.404153852059403, 0, -0.386830357142857}},
    {"jam-elastic",
     {1.6, -1.2, 3.4, -0.5, -1, 2, 1},
     {1.15, 0.7, 0.5, 0, -0.35},
     {1.45, 0.805882352941176, 0.852941176470588, 0, -0.147058823529412},
     {1.41206154850099, 0.792492311235642, 0.808307704118806, 0, -0.178571428571429}},
    {"jam-inelastic",
     {1.6, 1.2, 3.4, -0.5, 1, 2, 0},
     {0.725, -0.55, 0, 0, -0.45625},
     {0.725, -0.55, 0, 0, -0.45625},
     {0.725, -0.55, 0, 0, -0.45625}},
    {"jam-close-to-singular",
     {2, 1.9, 2, -1, 0.5, 1.2, 0.5},
     {10.1282051282051, -9.87179487179487, 0.5, 0, -5},
     {11.3461538461538, -11.0288461538461, 0.737500000000001, 0, -4.24639423076921},
     {11.2647697392335, -10.9515312522718, 0.721630099150527, 0, -4.30576923076923}},
    {"sphere",
     {1, 0, 3.5, -1, -2, 0.2, 0.9},
     {1.9, 0.38, 0.9, -0.67, -0.6023},
     {1.9, 0.38, 0.9, -0.67, -0.6023},
     {1.9, 0.38, 0.9, -0.67, -0.6023}},
    {"newton-gains",
     {1.6, -1.2, 3.4, -1, 0.9, 0.2, 1},
     {1.43, 0.24, 1, 0, 0.108},
     {1.16, 0.056, 0.7888, -0.3016, -0.1057408},
     {1.20006681414935, 0.0485240011277415, 0.861878101285664, -0.375098573144894, -0.0701425947628508}},
};

TEST(Impact, OfOneContactByEachLaw) {
  for (const Case& c : cases) {
    const double* d = c.data;
    const ImpactContacts<1> p = one_contact(d[0], d[1], d[2], d[3], d[4], d[5], d[6]);
    const double* expected[] = {c.newton, c.poisson, c.energetic, c.energetic};
    for (int law = 0; law < 4; ++law) {
      SCOPED_TRACE(std::string(c.name) + ", law " + std::to_string(law));
      const ImpactImpulses<1> r = run_impact(static_cast<ImpactLaw>(law), p);
      const double* x = expected[law];
      const double scale = 1e-12 * (1 + std::abs(x[0]));
      EXPECT_TRUE(r.finished);
      EXPECT_LT(r.residual, 1e-13);
      EXPECT_NEAR(r.Lambda[0], x[0], scale);
      EXPECT_NEAR(r.Lambda[1], x[1], scale);
      EXPECT_NEAR(r.gamma[0], x[2], scale);
      EXPECT_NEAR(r.gamma[1], x[3], scale);
      EXPECT_NEAR(energy_of_impact(p, r), x[4], scale);
    }
  }
}

TEST(Impact, TheStiffnessOfOneContactDoesNotMatter) {
  ImpactContacts<1> p = one_contact(1.6, -1.2, 3.4, -1, 0.2, 0.2, 0.5);
  const ImpactImpulses<1> soft = run_impact(ImpactLaw::compliant, p);
  p.stiffness[0] = 1e9;
  const ImpactImpulses<1> stiff = run_impact(ImpactLaw::compliant, p);
  EXPECT_NEAR(soft.Lambda[0], stiff.Lambda[0], 1e-13);
  EXPECT_NEAR(soft.Lambda[1], stiff.Lambda[1], 1e-13);
}

// Painlevé's rod: an impulse that grows from as little approach as you like.
TEST(Impact, OfPainlevesRodFromNearlyNothing) {
  for (double seed : {1e-6, 1e-9, 1e-12}) {
    for (const auto& [e, gamma_N] : {std::pair(0.5, 0.112272178284768), std::pair(1.0, 0.224544356569536)}) {
      const ImpactImpulses<1> r = run_impact(ImpactLaw::energetic, one_contact(1.6, -1.2, 3.4, -seed, -1, 2, e));
      EXPECT_NEAR(r.gamma[0], gamma_N, 10 * seed + 1e-12);
      EXPECT_NEAR(r.gamma[1], 0, 1e-12);
    }
  }
}

TEST(Impact, ThreeMassesFollowTheirSprings) {
  struct Row {
    double e, ratio, v[3];
  };
  for (const Row& row : {Row{1, 0.0001, {-0.333333332189367, 0.666632843534152, 0.666700488655215}},
                         Row{1, 0.01, {-0.333317733897628, 0.662709277957821, 0.670608455939807}},
                         Row{1, 0.1, {-0.330993891727228, 0.617171622627931, 0.713822269099297}},
                         Row{1, 0.5, {-0.245401672482332, 0.336112842570849, 0.909288829911482}},
                         Row{1, 1, {-0.130261695064527, 0.150229569434777, 0.980032125629751}},
                         Row{1, 2, {-0.0622512845247587, 0.0664021320771432, 0.995849152447615}},
                         Row{1, 10, {-0.011840853740108, 0.0119827599858811, 0.999858093754227}},
                         Row{1, 100, {-0.00117005896963363, 0.00117142961324172, 0.999998629356392}},
                         Row{1, 10000, {-1.16851830921682e-05, 1.16853196392975e-05, 0.999999999863455}},
                         Row{0.5, 0.1, {0.00665681761855029, 0.466452005738683, 0.526891176642767}},
                         Row{0.5, 1, {0.182734856916529, 0.233984179646074, 0.583280963437397}},
                         Row{0.5, 10, {0.204654348960697, 0.230690192296718, 0.564655458742585}},
                         Row{0, 0.1, {0.333333333333334, 0.333333333333344, 0.333333333333322}},
                         Row{0, 1, {0.333333333333344, 0.333333333333322, 0.333333333333332}},
                         Row{0, 10, {0.333333333333324, 0.333333333333333, 0.333333333333343}}}) {
    SCOPED_TRACE("ratio " + std::to_string(row.ratio) + ", e " + std::to_string(row.e));
    ImpactContacts<2> p = row_of_masses<2>(row.e);
    p.stiffness[0] = row.ratio;
    const ImpactImpulses<2> r = run_impact(ImpactLaw::compliant, p);
    EXPECT_TRUE(r.finished);
    for (int i = 0; i < 3; ++i) EXPECT_NEAR(velocities(r)[i], row.v[i], 2e-12);
  }
}

TEST(Impact, FiveBallsFollowTheirSprings) {
  const double v[] = {-0.13227948470971, -0.075329169802572, -0.031010829014035, 0.296217750141454, 0.942401733384864};
  const ImpactImpulses<4> r = run_impact(ImpactLaw::energetic, row_of_masses<4>(1));
  for (int i = 0; i < 5; ++i) EXPECT_NEAR(velocities(r)[i], v[i], 1e-12);
}

// Energetic impacts of several contacts have one stiffness, whatever the model says.
TEST(Impact, EnergeticImpactsKnowNoStiffness) {
  ImpactContacts<2> p = row_of_masses<2>(1);
  p.stiffness[0] = 0.1;
  const auto v = velocities(run_impact(ImpactLaw::energetic, p));
  EXPECT_NEAR(v[2], 0.980032125629751, 1e-12);
}

// One after the other is the limit of a first contact that is far stiffer than the second.
TEST(Impact, AChainIsALimitOfCompliantContacts) {
  for (double e : {1.0, 0.5}) {
    ImpactContacts<2> p = row_of_masses<2>(e);
    p.stiffness[0] = 1e8;
    const auto compliant = velocities(run_impact(ImpactLaw::compliant, p));
    for (ImpactLaw law : {ImpactLaw::newton, ImpactLaw::poisson, ImpactLaw::energetic}) {
      const auto chain = velocities(run_impact_chain(law, p));
      for (int i = 0; i < 3; ++i) EXPECT_NEAR(chain[i], compliant[i], 1e-7);
    }
  }
}

TEST(Impact, NewtonsLawHoldsThreeMassesTogether) {
  const auto v = velocities(run_impact(ImpactLaw::newton, row_of_masses<2>(1)));
  EXPECT_NEAR(v[0], -1.0 / 3, 1e-14);  // γ_N⁺ = 0 in the second contact: its γ_N⁻ was 0
  EXPECT_NEAR(v[1], 2.0 / 3, 1e-14);
  EXPECT_NEAR(v[2], 2.0 / 3, 1e-14);
}

// Random impacts of K contacts of a system with 2K + 1 coordinates.
template <int K>
class RandomImpacts {
 public:
  explicit RandomImpacts(unsigned seed) : random_(seed) {}

  ImpactContacts<K> draw(double largest_mu, bool equal_e) {
    ImpactContacts<K> c{};
    c.count = K;
    double W[2 * K][2 * K + 1], u[2 * K + 1], e = uniform_(random_);
    for (auto& row : W) {
      for (double& x : row) x = normal_(random_);
    }
    energy = 0;
    for (double& x : u) {
      x = normal_(random_);
      energy += 0.5 * x * x;
    }
    for (int r = 0; r < 2 * K; ++r) {
      for (int s = 0; s < 2 * K; ++s) {
        for (int j = 0; j < 2 * K + 1; ++j) c.G(r, s) += W[r][j] * W[s][j];
      }
      for (int j = 0; j < 2 * K + 1; ++j) c.gamma[r] += W[r][j] * u[j];
    }
    for (int i = 0; i < K; ++i) {
      c.mu[i] = largest_mu * uniform_(random_);
      c.e[i] = equal_e ? e : uniform_(random_);
      c.stiffness[i] = std::exp(2 * normal_(random_));
    }
    return c;
  }

  double energy = 0;  // before the impact drawn last

 private:
  std::mt19937_64 random_;
  std::normal_distribution<double> normal_;
  std::uniform_real_distribution<double> uniform_{0, 1};
};

struct Tally {
  int gains = 0, unfinished = 0;
  double largest_gain = 0, worst_residual = 0;
};

template <int K>
void impacts(ImpactLaw law, int count, double largest_mu, bool equal_e, bool chain, Tally& tally) {
  RandomImpacts<K> random(7);
  for (int n = 0; n < count; ++n) {
    const ImpactContacts<K> c = random.draw(largest_mu, equal_e);
    const ImpactImpulses<K> r = chain ? run_impact_chain(law, c) : run_impact(law, c);
    const double gain = energy_of_impact(c, r) / random.energy;
    tally.gains += gain > 1e-9 ? 1 : 0;
    double v_ref = 0;
    for (int row = 0; row < 2 * K; ++row) v_ref = std::max(v_ref, std::abs(c.gamma[row]));
    tally.unfinished += r.finished && r.residual < 1e-8 * v_ref ? 0 : 1;
    tally.largest_gain = std::max(tally.largest_gain, gain);
    tally.worst_residual = std::max(tally.worst_residual, r.residual);
  }
}

#ifdef __SANITIZE_ADDRESS__
constexpr int share = 10;  // sanitizers look for other faults than these, and take their time
#else
constexpr int share = 1;
#endif

// 100,000 impacts: 60,000 of one contact, 30,000 of two, 10,000 of three.
Tally hundred_thousand(ImpactLaw law, double largest_mu, bool equal_e, bool chain = false) {
  Tally tally;
  impacts<1>(law, 60000 / share, largest_mu, equal_e, chain, tally);
  impacts<2>(law, 30000 / share, largest_mu, equal_e, chain, tally);
  impacts<3>(law, 10000 / share, largest_mu, equal_e, chain, tally);
  // Wedged contacts may swing for so long that the process is given up; the residual tells of what is left then.
  EXPECT_LE(tally.unfinished, law >= ImpactLaw::energetic ? 5 : 0);
  EXPECT_LT(tally.worst_residual, 1e-2);
  return tally;
}

TEST(EnergyOfImpacts, NewtonWithoutFrictionAndWithOneRestitutionNeverRises) {
  EXPECT_EQ(hundred_thousand(ImpactLaw::newton, 0, true).gains, 0);
}

TEST(EnergyOfImpacts, NewtonRisesWithFrictionEvenAtOneContact) {
  EXPECT_GT(hundred_thousand(ImpactLaw::newton, 1, true).gains, 1000 / share);
  Tally one;
  impacts<1>(ImpactLaw::newton, 20000, 1, true, false, one);
  EXPECT_GT(one.gains, 200);
}

TEST(EnergyOfImpacts, NewtonRisesWithoutFrictionWhereRestitutionsDiffer) {
  EXPECT_GT(hundred_thousand(ImpactLaw::newton, 0, false).gains, 50 / share);
}

TEST(EnergyOfImpacts, PoissonWithOneRestitutionNeverRises) {
  EXPECT_EQ(hundred_thousand(ImpactLaw::poisson, 3, true).gains, 0);
}

TEST(EnergyOfImpacts, PoissonMayRiseWhereRestitutionsDifferAndFrictionIsLarge) {
  Tally several;
  impacts<2>(ImpactLaw::poisson, 30000, 3, false, false, several);
  EXPECT_GT(several.gains, 0);
  Tally one;  // at one contact never
  impacts<1>(ImpactLaw::poisson, 100000, 3, false, false, one);
  EXPECT_EQ(one.gains, 0);
}

TEST(EnergyOfImpacts, EnergeticNeverRises) { EXPECT_EQ(hundred_thousand(ImpactLaw::energetic, 3, false).gains, 0); }

TEST(EnergyOfImpacts, CompliantNeverRises) { EXPECT_EQ(hundred_thousand(ImpactLaw::compliant, 3, false).gains, 0); }

TEST(EnergyOfImpacts, InelasticNeverRises) {
  for (ImpactLaw law : {ImpactLaw::newton, ImpactLaw::poisson, ImpactLaw::compliant}) {
    RandomImpacts<2> random(11);
    for (int n = 0; n < 10000 / share; ++n) {
      ImpactContacts<2> c = random.draw(3, true);
      c.e[0] = c.e[1] = 0;
      EXPECT_LE(energy_of_impact(c, run_impact(law, c)), 1e-9 * random.energy);
    }
  }
}

TEST(EnergyOfImpacts, ChainsByLawsThatDissipateAtOneContactNeverRise) {
  EXPECT_EQ(hundred_thousand(ImpactLaw::poisson, 3, false, true).gains, 0);
  EXPECT_GT(hundred_thousand(ImpactLaw::newton, 1, false, true).gains, 1000 / share);
}

// Coulomb's law holds at every instant of a process: for its whole impulse it bounds, but the direction may turn.
TEST(EnergyOfImpacts, ProcessesKeepTheirConesAndSeparate) {
  RandomImpacts<3> random(3);
  for (int n = 0; n < 5000 / share; ++n) {
    const ImpactContacts<3> c = random.draw(2, false);
    const ImpactImpulses<3> r = run_impact(ImpactLaw::compliant, c);
    for (int i = 0; i < 3; ++i) {
      EXPECT_GE(r.Lambda[2 * i], 0);
      EXPECT_LE(std::abs(r.Lambda[2 * i + 1]), c.mu[i] * r.Lambda[2 * i] * (1 + 1e-9) + 1e-8);
      EXPECT_GE(r.gamma[2 * i], -1e-8);
    }
  }
}

}  // namespace
}  // namespace picus::contact
