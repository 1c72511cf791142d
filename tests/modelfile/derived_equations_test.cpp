// Equations derived from energies, gaps and velocities against closed forms coded by hand, at 1000 random states each.
// Measure: |difference| ≤ 1e-12 of the size of the terms (see Sum in probe.hpp).
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "picus/catalogue/slider_crank.hpp"
#include "picus/catalogue/woodpecker.hpp"
#include "probe.hpp"

namespace picus::modelfile {
namespace {

using tests::is_near;
using tests::model_from;
using tests::ParameterValues;
using tests::Point;
using tests::Probe;
using tests::Random;
using tests::Sum;

// A model of the catalogue, read from its file.
class Twin : public ::testing::Test {
 protected:
  void find(const std::string& name) {
    owner_ = catalogue::find_model(name);
    model_ = dynamic_cast<const run::FormulaModel*>(owner_.get());
    ASSERT_NE(model_, nullptr);
  }
  // Values within a factor of 3 of those of the file, for all parameters of bodies; laws anywhere in their range.
  ParameterValues random_values() {
    ParameterValues values(model_->description());
    for (const std::string& name : model_->definition().parameter_names) {
      values.set(name, values[name] * random_.in(1.0 / 3, 3));
    }
    for (std::size_t i = 1; i <= model_->description().contacts.size(); ++i) {
      for (const char* law : {"mu", "eN", "eT"}) values.set(law + std::to_string(i), random_.in(0, 1));
    }
    return values;
  }
  template <class S>
  static S with_laws(const S& system, const ParameterValues& values) {
    S s = system;
    for (int i = 0; i < S::max_contacts; ++i) s.laws[i] = values.law(i + 1);
    return s;
  }
  // Everything that needs no measure of its own: M, directions, laws; `length` is the size of the gaps' terms.
  template <class S>
  static void compare(const Probe& file, const S& paper, const Point& x, double length) {
    const typename S::Position q = {x.q[0], x.q[1], x.q[2]};
    typename S::MassMatrix M;
    paper.mass(q, x.t, M);
    const std::vector<double> mass = file.mass(x), gaps = file.gaps(x);
    for (int i = 0, k = 0; i < 3; ++i) {
      for (int j = 0; j <= i; ++j, ++k) {
        const Sum size{M(i, j), std::sqrt(M(i, i) * M(j, j))};
        EXPECT_TRUE(is_near(mass[static_cast<std::size_t>(k)], size)) << "M" << i << j;
      }
    }
    typename S::Gaps gap;
    paper.gaps(q, x.t, gap);
    for (int i = 0; i < S::max_contacts; ++i) {
      const auto at = static_cast<std::size_t>(i);
      EXPECT_TRUE(is_near(gaps[at], {gap[i], length})) << "gap " << i;
      typename S::Directions d;
      paper.directions(i, q, x.t, d);
      const std::vector<double> w = file.directions(at, x);
      for (int j = 0; j < 3; ++j) {
        const auto row = static_cast<std::size_t>(j);
        EXPECT_TRUE(is_near(w[row], {d.w_N[j], length})) << "w_N " << i << j;
        EXPECT_TRUE(is_near(w[3 + row], {d.w_T[j], 1 + length})) << "w_T " << i << j;
      }
      EXPECT_EQ(w[6], 0);
      EXPECT_EQ(w[7], 0);
      const contact::Law a = file.programs().start_laws[at], b = paper.law(i);
      EXPECT_TRUE(a.mu == b.mu && a.eN == b.eN && a.eT == b.eT && a.friction_force == 0);
    }
    EXPECT_FALSE(file.programs().does_work || file.programs().has_kinetic_rest || file.programs().laws_vary);
  }

  std::unique_ptr<run::Model> owner_;
  const run::FormulaModel* model_ = nullptr;
  Random random_;
};

TEST_F(Twin, WoodpeckerHasTheEquationsOfThePaper) {
  find("woodpecker");
  for (int set = 0; set < 100; ++set) {
    const ParameterValues v = random_values();
    catalogue::Woodpecker s = with_laws(catalogue::Woodpecker{}, v);
    s.r_O = v["r_O"], s.r_M = v["r_M"], s.h_M = v["h_M"], s.l_M = v["l_M"], s.l_G = v["l_G"];
    s.h_S = v["h_S"], s.l_S = v["l_S"], s.m_M = v["m_M"], s.m_S = v["m_S"], s.J_M = v["J_M"];
    s.J_S = v["J_S"], s.c_phi = v["c_phi"], s.g = v["g"];
    const Probe file(*model_, v);
    EXPECT_TRUE(file.programs().constant_mass);
    EXPECT_TRUE(file.programs().constant_directions);
    for (int state = 0; state < 10; ++state) {
      const Point x = random_.point(3);
      compare(file, s, x, s.l_M + s.l_G + s.l_S + s.r_O + s.r_M + 3 * (s.h_S + s.h_M));
      catalogue::Woodpecker::Velocity h;
      s.force({x.q[0], x.q[1], x.q[2]}, {x.u[0], x.u[1], x.u[2]}, x.t, h);
      const double spring = s.c_phi * (std::abs(x.q[1]) + std::abs(x.q[2]));
      const double size[] = {(s.m_S + s.m_M) * s.g, spring + s.m_S * s.l_M * s.g, spring + s.m_S * s.l_G * s.g};
      for (int i = 0; i < 3; ++i) EXPECT_TRUE(is_near(file.force(x)[static_cast<std::size_t>(i)], {h[i], size[i]}));
      const double V = s.potential_energy({x.q[0], x.q[1], x.q[2]}, x.t);
      EXPECT_TRUE(is_near(file.potential(x), {V, 3 * (size[0] + size[1] + size[2])}));
    }
  }
}

TEST_F(Twin, SliderCrankHasTheEquationsOfThePaper) {
  find("slider-crank");
  for (int set = 0; set < 100; ++set) {
    ParameterValues v = random_values();
    v.set("d", 2 * (v["b"] + v["c"]));
    catalogue::SliderCrank s = with_laws(catalogue::SliderCrank{}, v);
    s.l_1 = v["l_1"], s.l_2 = v["l_2"], s.a = v["a"], s.b = v["b"], s.c = v["c"], s.d = v["d"], s.g = v["g"];
    s.m_1 = v["m_1"], s.m_2 = v["m_2"], s.m_3 = v["m_3"], s.J_1 = v["J_1"], s.J_2 = v["J_2"], s.J_3 = v["J_3"];
    const Probe file(*model_, v);
    EXPECT_FALSE(file.programs().constant_mass);
    EXPECT_FALSE(file.programs().constant_directions);
    for (int state = 0; state < 10; ++state) {
      const Point x = random_.point(3);
      const catalogue::SliderCrank::Position q = {x.q[0], x.q[1], x.q[2]};
      const double length = s.l_1 + s.l_2 + s.a + s.b + s.d;
      compare(file, s, x, length);
      catalogue::SliderCrank::Velocity h;
      s.force(q, {x.u[0], x.u[1], x.u[2]}, x.t, h);
      const double m = s.m_1 + s.m_2 + s.m_3, whirl = m * s.l_1 * s.l_2;
      const double size[] = {whirl * x.u[1] * x.u[1] + m * s.g * s.l_1, whirl * x.u[0] * x.u[0] + m * s.g * s.l_2, 0};
      for (int i = 0; i < 3; ++i) EXPECT_TRUE(is_near(file.force(x)[static_cast<std::size_t>(i)], {h[i], size[i]}));
      EXPECT_TRUE(is_near(file.potential(x), {s.potential_energy(q, x.t), m * s.g * (s.l_1 + s.l_2)}));
      double y[4];
      s.outputs(q, {}, x.t, y);
      for (int i = 0; i < 4; ++i) {
        EXPECT_TRUE(is_near(file.outputs(x)[static_cast<std::size_t>(i)], {y[i], 1 + length / (0.5 * s.d - s.b)}));
      }
    }
  }
}

// The same motion, step by step, to round-off: over pecks with impacts, and over the flight before the first impact.
TEST_F(Twin, RunsLikeTheCompiledModel) {
  const auto compare_runs = [&](const run::Model& compiled, double dt, std::int64_t steps) {
    options::StepOptions options;
    options.dt = dt;
    const auto a = model_->simulate(ParameterValues(model_->description()), options, {1000});
    const auto b = compiled.simulate(ParameterValues(compiled.description()), options, {1000});
    run::Recording record_a, record_b;
    ASSERT_TRUE(a->advance(steps, record_a));
    ASSERT_TRUE(b->advance(steps, record_b));
    for (std::size_t i = 0; i < 6; ++i) EXPECT_NEAR(a->state()[i], b->state()[i], 1e-9 * (1 + std::abs(b->state()[i])));
    EXPECT_EQ(record_a.events.size(), record_b.events.size());
    EXPECT_NEAR(a->energy().impact, b->energy().impact, 1e-9);
    EXPECT_NEAR(a->energy().friction, b->energy().friction, 1e-9);
  };
  find("woodpecker");
  compare_runs(catalogue::woodpecker_model(), 1e-4, 5000);
  find("slider-crank");
  compare_runs(catalogue::slider_crank_model(), 1e-5, 300);
}

// A chain of n pendulums, with point masses at the ends or rods (centre at half length, J about it).
std::string chain_text(int n, bool rods) {
  std::string coordinates, lets, kinetic = "0", potential = "0", parameters = "parameters: {g: 9.81";
  for (int i = 1; i <= n; ++i) {
    const std::string k = std::to_string(i), before = std::to_string(i - 1);
    parameters += ", m_" + k + ": 1, l_" + k + ": 1, J_" + k + ": 1";
    coordinates += "  p_" + k + ": {velocity: w_" + k + "}\n";
    const std::string x = i == 1 ? "" : "x_" + before + " + ", y = i == 1 ? "0" : "y_" + before;
    lets += "  x_" + k + ": " + x + "l_" + k + "*sin(p_" + k + ")\n  y_" + k + ": " + y + " - l_" + k + "*cos(p_" + k +
            ")\n";
    const std::string half = rods ? "/2" : "";
    lets += "  xs_" + k + ": " + x + "l_" + k + half + "*sin(p_" + k + ")\n  ys_" + k + ": " + y + " - l_" + k + half +
            "*cos(p_" + k + ")\n";
    kinetic += " + m_" + k + "/2*(der(xs_" + k + ")^2 + der(ys_" + k + ")^2)";
    if (rods) kinetic += " + J_" + k + "/2*w_" + k + "^2";
    potential += " + m_" + k + "*g*ys_" + k;
  }
  return parameters + "}\ncoordinates:\n" + coordinates + "let:\n" + lets + "kinetic: " + kinetic +
         "\npotential: " + potential + "\n";
}

class Chains : public ::testing::TestWithParam<std::pair<int, bool>> {};

// M_ij = c_ij l_i l_j cos(θ_i − θ_j), h_i = −Σ_j c_ij l_i l_j sin(θ_i − θ_j) u_j² − s_i g l_i sin θ_i. For point masses
// c_ij and s_i are the sum of the masses from max(i, j) on; a rod counts half at its own joint (a quarter in c_ii).
TEST_P(Chains, HaveTheEquationsOfTextbooks) {
  const auto [count, rods] = GetParam();
  const auto n = static_cast<std::size_t>(count);
  const auto model = model_from(chain_text(count, rods));
  Random random;
  for (int set = 0; set < 20; ++set) {
    ParameterValues values(model->description());
    std::vector<double> m, l, J;
    for (std::size_t i = 0; i < n; ++i) {
      const std::string k = std::to_string(i + 1);
      m.push_back(random.in(0.2, 3)), l.push_back(random.in(0.2, 3)), J.push_back(random.in(0.2, 3));
      values.set("m_" + k, m[i]), values.set("l_" + k, l[i]), values.set("J_" + k, J[i]);
    }
    const double g = random.in(1, 20);
    values.set("g", g);
    const Probe probe(*model, values);
    EXPECT_EQ(probe.programs().constant_mass, n == 1);
    EXPECT_FALSE(probe.programs().does_work);
    for (int state = 0; state < 50; ++state) {
      const Point x = random.point(n);
      const std::vector<double> M = probe.mass(x), h = probe.force(x);
      for (std::size_t i = 0; i < n; ++i) {
        Sum force;
        for (std::size_t j = 0; j < n; ++j) {
          const std::size_t last = std::max(i, j);
          double c = m[last] * (!rods ? 1 : i == j ? 0.25 : 0.5);
          for (std::size_t k = last + 1; k < n; ++k) c += m[k];
          force.add(-c * l[i] * l[j] * x.u[j] * x.u[j], std::sin(x.q[i] - x.q[j]));
          if (j > i) continue;
          Sum entry = Sum{}.add(c * l[i] * l[j], std::cos(x.q[i] - x.q[j]));
          if (rods && i == j) entry.add(J[i]);
          EXPECT_TRUE(is_near(M[i * (i + 1) / 2 + j], entry)) << i << j;
        }
        double s = m[i] * (rods ? 0.5 : 1);
        for (std::size_t k = i + 1; k < n; ++k) s += m[k];
        EXPECT_TRUE(is_near(h[i], force.add(-s * g * l[i], std::sin(x.q[i])))) << i;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Pendulums, Chains,
                         ::testing::Values(std::pair(1, false), std::pair(2, false), std::pair(3, false),
                                           std::pair(1, true), std::pair(2, true), std::pair(3, true)));

// A cart with a pendulum; its mass grows with time. Both ways to write it have the same equations.
TEST(BothForms, HaveTheSameEquations) {
  const std::string head = R"(
parameters: {m: 0.8, l: 0.6, g: 9.81, k: 30, c: 0.7, d: 0.2, F: 4}
coordinates: {x: {velocity: v}, p: {velocity: w}}
let: {cart: 2 + 0.5*sin(t)}
potential: k/2*(x - 0.1*cos(t))^2 - m*g*l*cos(p)
)";
  const auto energies = model_from(head + R"(
kinetic: cart/2*v^2 + m/2*((v + l*w*cos(p))^2 + (l*w*sin(p))^2)
dissipation: c/2*v^2 + d/2*w^2 + 0.1*v*w
forces: {x: F*cos(2*t) - 0.3*v*abs(v), p: -0.05*sign(w)}
)");
  const auto matrices = model_from(head + R"(
mass: [[cart + m], [m*l*cos(p), m*l^2]]
force:
  - m*l*sin(p)*w^2 - 0.5*cos(t)*v - k*(x - 0.1*cos(t)) - c*v - 0.1*w + F*cos(2*t) - 0.3*v*abs(v)
  - -m*g*l*sin(p) - d*w - 0.1*v - 0.05*sign(w)
)");
  EXPECT_TRUE(energies->definition().from_energies);
  EXPECT_FALSE(matrices->definition().from_energies);
  const Probe a(*energies), b(*matrices);
  Random random;
  for (int state = 0; state < 1000; ++state) {
    const Point x = random.point(2);
    for (std::size_t i = 0; i < 3; ++i) ASSERT_TRUE(is_near(a.mass(x)[i], {b.mass(x)[i], 4}));
    const double size = 30 * 3 + 0.8 * 0.6 * (9 + 9.81) + 4 + 2.7 + 5;
    for (std::size_t i = 0; i < 2; ++i) {
      ASSERT_TRUE(is_near(a.force(x)[i], {b.force(x)[i], size})) << i;
      ASSERT_TRUE(is_near(a.working(x)[i], {b.working(x)[i], size})) << i;
    }
    const double v = x.u[0], w = x.u[1];  // and by hand: −∂D/∂u + Q − ½ ∂M/∂t u
    const double f_x = -0.7 * v - 0.1 * w + 4 * std::cos(2 * x.t) - 0.3 * v * std::abs(v) - 0.25 * std::cos(x.t) * v;
    const double f_p = -0.2 * w - 0.1 * v - (w > 0 ? 0.05 : -0.05);
    ASSERT_TRUE(is_near(a.working(x)[0], {f_x, size}));
    ASSERT_TRUE(is_near(a.working(x)[1], {f_p, size}));
    ASSERT_TRUE(is_near(a.potential_rate(x), {30 * (x.q[0] - 0.1 * std::cos(x.t)) * 0.1 * std::sin(x.t), 30}));
    ASSERT_EQ(a.potential_rate(x), b.potential_rate(x));
  }
  EXPECT_FALSE(a.programs().has_kinetic_rest || b.programs().has_kinetic_rest);
}

}  // namespace
}  // namespace picus::modelfile
