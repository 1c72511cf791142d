// One set of equations with everything in it, as programs of fixed size, of any size, and at an instant: against the
// formulas written in C++, and exact derivatives against differences.
#include <gtest/gtest.h>

#include <cmath>

#include "picus/mechanics/formula_instant.hpp"
#include "picus/mechanics/formula_system.hpp"
#include "picus/support/error.hpp"
#include "point_masses.hpp"

namespace picus::mechanics::tests {
namespace {

using System2 = FormulaSystem<2, 2, 1, true, false, false>;

// The parameter k is 2. Contact 1 is a moving curve whose friction depends on the place, contact 2 a plane.
struct Scene {
  Scene() : e(resting(f, {1, 1})) {
    e.dynamics.M = {f.list({"2 + sin(q1)"}), f.list({"0.3*q2*t", "k"})};
    e.dynamics.h = f.list({"-k*q1 + u2", "t*u1"});
    e.dynamics.working = f.list({"u2", "0"});
    e.dynamics.potential = f("k*q1^2/2 + t*q2");
    e.dynamics.potential_rate = f("q2");
    e.dynamics.kinetic_rest = f("t*u1");
    add_contact("q2 - sin(q1*t)", "cos(q2)*u1 + q1*u2 - t^2", "0.3 + 0.1*q1^2 + t");
    add_contact("q1 + k", "u2", "0.5");
    e.elements.push_back(
        {direction_of_velocity(f.pool, f.symbols, f("q1*q2*u1 + t*u2 + t^3")), f("0"), f("-3*k"), f("3*k"), f("0.25")});
    e.constraints.push_back({f("q1^2*q2 - t*q1")});
    for (const auto& [time, J] : {std::pair("0.5*k", "q1"), {"0.25", "7"}, {"0.75", "q1"}}) {
      e.blows.push_back({f(time), f.list({J, "t"})});
    }
    e.outputs = f.list({"q1*u2 + t"});
    values = {{f("k").index, f.pool.constant(2)}};
  }
  void add_contact(const char* gap, const char* sliding, const char* mu) {
    const Node zero = f.pool.constant(0), one = f.pool.constant(1);
    e.contacts.push_back({f(gap),
                          direction_of_displacement(f.pool, f.symbols, f(gap)),
                          direction_of_velocity(f.pool, f.symbols, f(sliding)),
                          {f(mu), f("0.4"), zero, zero, zero, zero, zero, one}});
  }

  Formulas f{2};
  SystemEquations e;
  std::unordered_map<int, Node> values;
};

const Values q = {0.4, -0.7}, u = {1.3, 0.6};
constexpr double t = 0.8;

// γ of every row at a state: w and ŵ by hand.
double gamma_N1(const Values& x, const Values& v, double s) { return v[1] - std::cos(x[0] * s) * (s * v[0] + x[0]); }
double gamma_T1(const Values& x, const Values& v, double s) { return std::cos(x[1]) * v[0] + x[0] * v[1] - s * s; }
double gamma_element(const Values& x, const Values& v, double s) { return x[0] * x[1] * v[0] + s * v[1] + s * s * s; }
double gamma_constraint(const Values& x, const Values& v, double s) {
  return (2 * x[0] * x[1] - s) * v[0] + x[0] * x[0] * v[1] - x[0];
}

TEST(FormulaSystem, GivesTheNumbersOfItsFormulas) {
  Scene scene;
  const auto programs =
      std::make_shared<const FormulaPrograms>(compile(scene.f.pool, scene.e, scene.values, {0.1, 0}, {0, 0}));
  EXPECT_FALSE(programs->constant_mass);
  EXPECT_FALSE(programs->constant_directions);
  const System2 system(programs);
  const System2::Position x{q[0], q[1]};
  const System2::Velocity v{u[0], u[1]};
  math::Vector<2> h, gap, h_alone, gap_alone, work, J;
  math::Matrix<2, 2> M, M_alone;
  system.smooth_part(x, v, t, h, M, gap);
  EXPECT_NEAR(h[0], -2 * 0.4 + 0.6, 1e-15);
  EXPECT_NEAR(h[1], 0.8 * 1.3, 1e-15);
  EXPECT_NEAR(M(0, 0), 2 + std::sin(0.4), 1e-15);
  EXPECT_NEAR(M(1, 0), 0.3 * -0.7 * 0.8, 1e-15);
  EXPECT_EQ(M(1, 1), 2);
  EXPECT_NEAR(gap[0], -0.7 - std::sin(0.32), 1e-15);
  EXPECT_NEAR(gap[1], 2.4, 1e-15);
  system.force(x, v, t, h_alone);
  system.mass(x, t, M_alone);
  system.gaps(x, t, gap_alone);
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(h_alone[i], h[i]);
    EXPECT_EQ(gap_alone[i], gap[i]);
    for (int j = 0; j <= i; ++j) EXPECT_EQ(M_alone(i, j), M(i, j));
  }

  ContactDirections<2> d;
  system.directions(0, x, t, d);
  EXPECT_NEAR(math::dot(2, d.w_N, v) + d.w_hat_N, gamma_N1(q, u, t), 1e-15);
  EXPECT_NEAR(math::dot(2, d.w_T, v) + d.w_hat_T, gamma_T1(q, u, t), 1e-15);
  EXPECT_NEAR(d.w_hat_N, -std::cos(0.32) * 0.4, 1e-15);
  EXPECT_NEAR(d.w_hat_T, -0.64, 1e-15);
  ElementDirection<2> element;
  system.element(0, x, t, element);
  EXPECT_NEAR(math::dot(2, element.w, v) + element.w_hat, gamma_element(q, u, t), 1e-15);
  EXPECT_EQ(system.element_law(0).lower, -6);
  EXPECT_EQ(system.element_law(0).upper, 6);
  EXPECT_EQ(system.element_law(0).e, 0.25);

  EXPECT_TRUE(system.laws_vary());
  EXPECT_NEAR(system.law(0).mu, 0.3 + 0.1 * 0.01, 1e-15);  // at the start
  EXPECT_NEAR(system.law(0, x, t).mu, 0.3 + 0.1 * 0.16 + 0.8, 1e-15);
  EXPECT_EQ(system.law(1, x, t).eN, 0.4);

  EXPECT_TRUE(system.does_work());
  EXPECT_NEAR(system.potential_energy(x, t), 0.16 - 0.56, 1e-15);
  EXPECT_EQ(system.potential_rate(x, t), -0.7);
  system.nonconservative_force(x, v, t, work);
  EXPECT_EQ(work[0], 0.6);
  EXPECT_EQ(work[1], 0);
  EXPECT_NEAR(system.kinetic_rest(x, v, t), 0.8 * 1.3, 1e-15);
  double output = 0;
  system.outputs(x, v, t, &output);
  EXPECT_NEAR(output, 0.4 * 0.6 + 0.8, 1e-15);

  // Blows come in the order of their times; equal ones share a program.
  ASSERT_EQ(system.blow_count(), 3);
  const double times[] = {0.25, 0.75, 1}, impulse[] = {7, 0.4, 0.4};
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(system.blow_time(i), times[i]);
    system.blow(i, x, times[i], J);
    EXPECT_EQ(J[0], impulse[i]);
    EXPECT_EQ(J[1], times[i]);
  }
}

TEST(FormulaSystem, KnowsWhatHasBecomeConstant) {
  Scene scene;
  scene.e.dynamics.M = {scene.f.list({"k^2"}), scene.f.list({"1", "k"})};
  scene.e.contacts.erase(scene.e.contacts.begin());
  scene.e.elements.clear();
  const auto p = std::make_shared<const FormulaPrograms>(compile(scene.f.pool, scene.e, scene.values, q, u));
  EXPECT_TRUE(p->constant_mass);
  EXPECT_EQ(p->M, (std::vector<double>{4, 1, 2}));
  EXPECT_TRUE(p->constant_directions);
  EXPECT_FALSE(p->laws_vary);
  const FormulaSystem<2, 2, 1, true, true, true> system(p);
  math::Vector<2> h, gap;
  math::Matrix<2, 2> M, none;
  system.smooth_part({q[0], q[1]}, {u[0], u[1]}, t, h, none, gap);
  EXPECT_NEAR(h[0], -0.2, 1e-15);
  EXPECT_NEAR(gap[0], 2.4, 1e-15);
  system.mass({q[0], q[1]}, t, M);
  EXPECT_EQ(M(0, 0), 4);
  EXPECT_EQ(M(1, 0), 1);
  EXPECT_EQ(M(1, 1), 2);
}

// The same equations for the kernel of systems of any size: rows with few entries.
TEST(SparsePrograms, GiveTheSameNumbers) {
  Scene scene;
  AssemblyParts parts;
  parts.formulas = compile_sparse(scene.f.pool, scene.e, scene.values, {0.1, 0}, {0, 0});
  Assembly system(std::move(parts));
  BlockMass M;
  system.mass(q.data(), t, M);
  EXPECT_FALSE(system.has_constant_mass());
  ASSERT_EQ(M.dense.size(), 3u);
  EXPECT_NEAR(M.dense[0], 2 + std::sin(0.4), 1e-15);
  EXPECT_NEAR(M.dense[1], 0.3 * -0.7 * 0.8, 1e-15);
  EXPECT_EQ(M.dense[2], 2);
  double h[2], work[2], g = 0, displacement = 1, output = 0;
  system.force(q.data(), u.data(), t, h);
  EXPECT_NEAR(h[0], -2 * 0.4 + 0.6, 1e-15);
  EXPECT_NEAR(h[1], 0.8 * 1.3, 1e-15);
  ActiveContacts found;
  system.find_contacts(q.data(), t, 1, found);
  ASSERT_EQ(found.list.size(), 1u);  // the other gap is 2.4 m
  EXPECT_EQ(found.list[0].contact, 0);
  EXPECT_NEAR(found.list[0].gap, -0.7 - std::sin(0.32), 1e-15);
  EXPECT_NEAR(found.list[0].law.mu, 0.3 + 0.1 * 0.16 + 0.8, 1e-15);
  EXPECT_NEAR(found.rows.velocity(0, u.data()), gamma_N1(q, u, t), 1e-15);
  EXPECT_NEAR(found.rows.velocity(1, u.data()), gamma_T1(q, u, t), 1e-15);
  RowDirections rows;
  system.element_rows(q.data(), t, rows, &displacement);
  EXPECT_NEAR(rows.velocity(0, u.data()), gamma_element(q, u, t), 1e-15);
  EXPECT_EQ(displacement, 0);
  EXPECT_EQ(system.element_law(0).upper, 6);
  system.constraints(q.data(), t, &g);
  EXPECT_NEAR(g, 0.16 * -0.7 - 0.32, 1e-15);
  system.constraint_rows(q.data(), t, rows);
  EXPECT_NEAR(rows.velocity(0, u.data()), gamma_constraint(q, u, t), 1e-15);
  EXPECT_NEAR(system.potential_energy(q.data(), t), 0.16 - 0.56, 1e-15);
  EXPECT_EQ(system.potential_rate(q.data(), t), -0.7);
  system.nonconservative_force(q.data(), u.data(), t, work);
  EXPECT_EQ(work[0], 0.6);
  EXPECT_NEAR(system.kinetic_rest(q.data(), u.data(), t), 0.8 * 1.3, 1e-15);
  system.outputs(q.data(), u.data(), t, &output);
  EXPECT_NEAR(output, 0.4 * 0.6 + 0.8, 1e-15);
  ASSERT_EQ(system.blow_count(), 3);
  const double times[] = {0.25, 0.75, 1}, impulse[] = {7, 0.4, 0.4};
  for (int i = 0; i < 3; ++i) {
    double J[2] = {0, 0};
    system.blow(i, q.data(), times[i], J);
    EXPECT_EQ(system.blow_time(i), times[i]);
    EXPECT_EQ(J[0], impulse[i]);
    EXPECT_EQ(J[1], times[i]);
  }
}

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
