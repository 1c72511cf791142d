// One set of equations with everything in it, as programs of fixed size and of any size: against the formulas written
// in C++.
#include <gtest/gtest.h>

#include <cmath>

#include "everything.hpp"
#include "picus/mechanics/formula_system.hpp"

namespace picus::mechanics::tests {
namespace {

using System2 = FormulaSystem<2, 2, 1, true, false, false>;

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

}  // namespace
}  // namespace picus::mechanics::tests
