// Formulas at an instant: exact derivatives against differences, ranges against the values in them.
#include "picus/mechanics/formula_instant.hpp"

#include <gtest/gtest.h>

#include "everything.hpp"
#include "picus/support/error.hpp"

namespace picus::mechanics::tests {
namespace {

std::unique_ptr<InstantSystem> instant_of(Scene& scene) {
  return make_instant_system(scene.f.pool, scene.e, scene.values, {}, {0.1, 0}, {0, 0}, {"curve", "plane", "brake"});
}

// ζ = Ẇu + dŵ/dt is how γ changes along the motion while u stays.
TEST(FormulaInstant, TurningOfRowsIsExact) {
  Scene scene;
  const auto system = instant_of(scene);
  InstantRows rows;
  system->contact_rows({2, 0}, q.data(), u.data(), t, rows);  // the order that is asked for
  ASSERT_EQ(rows.gamma.size(), 3);
  const auto expect = [&](Eigen::Index r, double (*gamma)(const Values&, const Values&, double)) {
    EXPECT_NEAR(rows.gamma[r], gamma(q, u, t), 1e-15) << r;
    EXPECT_NEAR(rows.w_hat[r], gamma(q, {0, 0}, t), 1e-15) << r;
    EXPECT_NEAR(rows.W(r, 0), gamma(q, {1, 0}, t) - gamma(q, {0, 0}, t), 1e-15) << r;
    EXPECT_NEAR(rows.W(r, 1), gamma(q, {0, 1}, t) - gamma(q, {0, 0}, t), 1e-15) << r;
    EXPECT_NEAR(rows.zeta[r], slope([&](double s) { return gamma(moved(q, u, s), u, t + s); }, 0), 1e-9) << r;
  };
  expect(0, gamma_element);
  expect(1, gamma_N1);
  expect(2, gamma_T1);
  system->constraint_rows(q.data(), u.data(), t, rows);
  expect(0, gamma_constraint);
}

TEST(FormulaInstant, GivesForcesLawsAndPower) {
  Scene scene;
  const auto system = instant_of(scene);
  Eigen::MatrixXd M;
  Eigen::VectorXd h, J;
  system->mass(q.data(), t, M);
  EXPECT_NEAR(M(1, 0), 0.3 * -0.7 * 0.8, 1e-15);
  EXPECT_EQ(M(0, 1), M(1, 0));
  system->force(q.data(), u.data(), t, h);
  EXPECT_NEAR(h[0], -0.2, 1e-15);
  EXPECT_TRUE(system->has_gap(1));
  EXPECT_FALSE(system->has_gap(2));
  EXPECT_EQ(system->contact_name(2), "brake");
  EXPECT_EQ(system->velocity_name(1), "u2");
  EXPECT_NEAR(system->law(0, q.data(), t).law.mu, 0.3 + 0.1 * 0.16 + 0.8, 1e-15);
  EXPECT_EQ(system->law(2, q.data(), t).law.friction_force, 6);
  EXPECT_EQ(system->law(2, q.data(), t).law.eT, 0.25);
  EXPECT_NEAR(system->power(q.data(), u.data(), t), 0.6 * 1.3 - 0.7, 1e-15);
  ASSERT_EQ(system->blow_count(), 3);
  system->blow(0, q.data(), system->blow_time(0), J);
  EXPECT_EQ(system->blow_time(0), 0.25);
  EXPECT_EQ(J[0], 7);
}

// Bodies in front of the formulas: their masses, and gravity, come from numbers.
TEST(FormulaInstant, BodiesHaveWeight) {
  Formulas f(4);
  SystemEquations e = resting(f, {1, 1, 1, 1});
  e.dynamics.M = {f.list({"5 + q1^2"})};
  e.dynamics.h = f.list({"1", "0", "0", "u4"});
  const auto system = make_instant_system(f.pool, e, {}, {{2, 2, 0.3}, 0.5, -9.81}, Values(4), Values(4), {});
  const Values x = {3, 4, 0.1, 0.2}, v = {0, 0, 0, 6};
  Eigen::MatrixXd M;
  Eigen::VectorXd h;
  system->mass(x.data(), 0, M);
  EXPECT_EQ(M.diagonal(), Eigen::Vector4d(2, 2, 0.3, 14));
  EXPECT_EQ(M.sum(), 18.3);
  system->force(x.data(), v.data(), 0, h);
  EXPECT_LT((h - Eigen::Vector4d(1 + 2 * 0.5, -2 * 9.81, 0, 6)).norm(), 1e-14);
  EXPECT_NEAR(system->potential_energy(x.data(), 0), 2 * 9.81 * 4 - 2 * 0.5 * 3, 1e-13);
}

TEST(FormulaInstant, ElementsOtherThanDryFrictionAreRefusedByName) {
  for (const auto& [lower, on_displacement] : {std::pair("0", false), {"-6", true}}) {
    Scene scene;
    scene.e.elements[0].lower = scene.f(lower);
    scene.e.elements[0].on_displacement = on_displacement;
    try {
      instant_of(scene);
      FAIL();
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find("element brake is no dry friction"), std::string::npos) << error.what();
    }
  }
}

// Ranges over a box hold what is found at its points; a gap that stays open needs no rate.
TEST(FormulaInstant, RangesHoldAllValuesInABox) {
  Scene scene;
  const auto system = instant_of(scene);
  const Box box{{{0.3, 0.5}, {-0.8, 0.1}}, {{1, 1.5}, {-1, 1}}, {0.7, 0.9}};
  std::vector<GapRange> gaps;
  system->gap_ranges({0, 1}, box, gaps);
  const formula::Range sliding = system->sliding_range(0, box), brake = system->sliding_range(2, box);
  std::vector<formula::Range> forces;
  system->force_ranges(box, forces);
  ASSERT_EQ(forces.size(), 3u);  // h, and ζ of the constraint
  EXPECT_GT(gaps[1].gap.low, 0);
  InstantRows rows;
  Eigen::VectorXd h;
  const auto inside = [](const formula::Range& r, double x) {  // but for round-off, and no wider than it has to be
    return r.low - 1e-14 <= x && x <= r.high + 1e-14 && r.width() < 30;
  };
  for (int i = 0; i < 32; ++i) {
    const auto pick = [&](const formula::Range& r, int bit) { return (i >> bit & 1) != 0 ? r.low : r.high; };
    const Values x = {pick(box.q[0], 0), pick(box.q[1], 1)}, v = {pick(box.u[0], 2), pick(box.u[1], 3)};
    const double time = pick(box.t, 4);
    double gap[2];
    system->gaps(x.data(), time, gap);
    system->force(x.data(), v.data(), time, h);
    EXPECT_TRUE(inside(gaps[0].gap, gap[0]) && inside(gaps[1].gap, gap[1])) << i;
    EXPECT_TRUE(inside(gaps[0].rate, gamma_N1(x, v, time))) << i;
    EXPECT_TRUE(inside(sliding, gamma_T1(x, v, time))) << i;
    EXPECT_TRUE(inside(brake, gamma_element(x, v, time))) << i;
    EXPECT_TRUE(inside(forces[0], h[0]) && inside(forces[1], h[1])) << i;
    system->constraint_rows(x.data(), v.data(), time, rows);
    EXPECT_TRUE(inside(forces[2], rows.zeta[0])) << i;
  }
}

}  // namespace
}  // namespace picus::mechanics::tests
