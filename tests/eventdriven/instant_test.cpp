// Systems at an instant: exact derivatives against differences, for every model that has one.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "judged.hpp"

namespace picus::eventdriven::tests {
namespace {

using mechanics::InstantRows;
using mechanics::InstantSystem;

std::unique_ptr<InstantSystem> instant_of(const std::string& name, std::vector<double>& q, std::vector<double>& u) {
  const auto model = catalogue::find_model(name);
  const mechanics::ParameterValues values(model->description());
  q = model->mechanism(values)->start().q;
  u = model->mechanism(values)->start().u;
  return model->mechanism(values)->instant_system();
}

// Moved along the motion by a time, velocities as they are.
std::vector<double> moved(const InstantSystem& system, std::vector<double> q, const std::vector<double>& u, double dt) {
  std::vector<double> k1(q.size()), k2(q.size()), half = q;
  system.rates(q.data(), u.data(), k1.data());
  for (std::size_t i = 0; i < q.size(); ++i) half[i] += 0.5 * dt * k1[i];
  system.rates(half.data(), u.data(), k2.data());
  for (std::size_t i = 0; i < q.size(); ++i) q[i] += dt * k2[i];
  return q;
}

void expect_exact_rows(const std::string& name) {
  SCOPED_TRACE(name);
  std::vector<double> q, u;
  const auto system = instant_of(name, q, u);
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> some(-1, 1);
  for (double& x : q) x += 0.05 * some(random);
  for (double& x : u) x += 0.7 * some(random);
  system->normalise(q.data());
  double fastest = 0;
  for (double x : u) fastest = std::max(fastest, std::abs(x));
  const double t = 0.3, h = 1e-4 / (1 + fastest);
  std::vector<int> contacts(static_cast<std::size_t>(system->contact_count()));
  for (std::size_t i = 0; i < contacts.size(); ++i) contacts[i] = static_cast<int>(i);

  InstantRows here, ahead, behind;
  const std::vector<double> q_ahead = moved(*system, q, u, h), q_behind = moved(*system, q, u, -h);
  const auto compare = [&](const char* what) {
    for (Eigen::Index r = 0; r < here.gamma.size(); ++r) {
      const double size = 1 + std::abs(here.zeta[r]) + here.W.row(r).cwiseAbs().sum();
      const Eigen::VectorXd velocity = Eigen::Map<const Eigen::VectorXd>(u.data(), system->u_size());
      EXPECT_NEAR(here.gamma[r], here.W.row(r).dot(velocity) + here.w_hat[r], 1e-12 * size) << what << " " << r;
      EXPECT_NEAR(here.zeta[r], (ahead.gamma[r] - behind.gamma[r]) / (2 * h), 1e-7 * size) << what << " " << r;
    }
  };
  system->contact_rows(contacts, q.data(), u.data(), t, here);
  system->contact_rows(contacts, q_ahead.data(), u.data(), t + h, ahead);
  system->contact_rows(contacts, q_behind.data(), u.data(), t - h, behind);
  compare("contacts");
  // The normal row is the rate of the gap.
  std::vector<double> gap_ahead(contacts.size()), gap_behind(contacts.size());
  system->gaps(q_ahead.data(), t + h, gap_ahead.data());
  system->gaps(q_behind.data(), t - h, gap_behind.data());
  Eigen::Index row = 0;
  for (int i : contacts) {
    const auto k = static_cast<std::size_t>(i);
    if (system->has_gap(i)) {
      EXPECT_NEAR(here.gamma[row], (gap_ahead[k] - gap_behind[k]) / (2 * h), 1e-7) << i;
    }
    row += (system->has_gap(i) ? 1 : 0) + system->tangential_rows(i);
  }
  if (system->constraint_count() == 0) return;
  const int n = system->constraint_count();
  for (InstantRows* rows : {&here, &ahead, &behind}) rows->resize(n, system->u_size());
  system->constraint_rows(q.data(), u.data(), t, here);
  system->constraint_rows(q_ahead.data(), u.data(), t + h, ahead);
  system->constraint_rows(q_behind.data(), u.data(), t - h, behind);
  compare("constraints");
  std::vector<double> g_ahead(static_cast<std::size_t>(n)), g_behind(static_cast<std::size_t>(n));
  system->constraints(q_ahead.data(), t + h, g_ahead.data());
  system->constraints(q_behind.data(), t - h, g_behind.data());
  for (int i = 0; i < n; ++i) {
    const auto k = static_cast<std::size_t>(i);
    EXPECT_NEAR(here.gamma[i], (g_ahead[k] - g_behind[k]) / (2 * h), 1e-6) << i;
  }
}

TEST(InstantSystems, DerivativesAreExact) {
  for (const char* name : {"woodpecker", "slider-crank", "painleve-rod", "bouncing-ball", "brick-on-ramp",
                           "double-pendulum", "four-bar", "four-bar-clearance", "woodpecker-bodies", "sphere-in-groove",
                           "sliding-sphere", "bowling-ball", "spinning-sphere"}) {
    expect_exact_rows(name);
  }
}

TEST(InstantSystems, ThoseWithCollidingShapesAreRefused) {
  std::vector<double> q, u;
  EXPECT_THROW(instant_of("box-stack", q, u), InputError);
}

// Where a box stands on two corners that stick, forces along the floor are shared; accelerations are not affected.
TEST(Instant, SharedForcesAreThoseOfLeastNorm) {
  std::vector<double> q, u;
  const auto system = instant_of("painleve-rod", q, u);
  // The rod flat on the table, at rest.
  q = {0, 0, 0};
  u = {0, 0, 0};
  Instant instant(*system);
  ASSERT_TRUE(instant.evaluate(q.data(), u.data(), 0, {{.contact = 0}, {.contact = 1}}));
  instant.solve_modes();
  EXPECT_FALSE(instant.forces_are_determined());
  EXPECT_NEAR(instant.u_dot().norm(), 0, 1e-14);
  for (int r : {0, 2}) EXPECT_NEAR(instant.forces()[r], 9.81 / 2, 1e-12);
  for (int r : {1, 3}) EXPECT_NEAR(instant.forces()[r], 0, 1e-12);
}

}  // namespace
}  // namespace picus::eventdriven::tests
