// moreau-jean and the projection of drift.
#include <gtest/gtest.h>

#include <cmath>

#include "picus/catalogue/slider_crank.hpp"
#include "picus/catalogue/woodpecker.hpp"
#include "picus/options/options.hpp"
#include "picus/run/system_simulation.hpp"
#include "picus/support/error.hpp"
#include "systems.hpp"

namespace picus::stepping {
namespace {

using catalogue::SliderCrank;
using catalogue::Woodpecker;
using tests::Block;
using tests::DoublePendulum;
using tests::with_dt;

options::StepOptions jean(double dt, double theta) {
  options::StepOptions o = with_dt(dt);
  o.method = options::Method::moreau_jean;
  o.theta = theta;
  return o;
}

struct Oscillator : mechanics::MinimalCoordinates<1, 0> {
  double omega = 3;
  static void mass(const Position&, double, MassMatrix& M) { M(0, 0) = 1; }
  void force(const Position& q, const Velocity&, double, Velocity& h) const { h[0] = -omega * omega * q[0]; }
  double potential_energy(const Position& q, double) const { return 0.5 * omega * omega * q[0] * q[0]; }
  static void gaps(const Position&, double, Gaps&) {}
  static void directions(int, const Position&, double, Directions&) {}
  static contact::Law law(int) { return {}; }
};

// The θ-method for a linear oscillator has the amplification ((1 − (1−θ) z) / (1 + θ z)) with z = iωΔt.
TEST(MoreauJean, LinearOscillatorHasTheAmplificationOfTheThetaMethod) {
  for (double theta : {0.5, 0.6, 0.8, 1.0}) {
    for (double dt : {0.01, 0.3, 30.0}) {  // far beyond the stability limit 2/ω of explicit rules
      Oscillator system;
      Integration<Oscillator> run(system, {1}, {0.5}, jean(dt, theta));
      const double start = run.start_energy(), z = system.omega * dt;
      const double factor = (1 + (1 - theta) * (1 - theta) * z * z) / (1 + theta * theta * z * z);
      double expected = start;
      for (int k = 0; k < 20; ++k) {
        ASSERT_EQ(run.step(), StepStatus::done);
        expected *= factor;
        ASSERT_NEAR(run.kinetic_energy() + run.potential_energy(), expected, 1e-9 * start);
      }
      if (theta == 0.5) {
        EXPECT_NEAR(expected, start, 1e-12);
      }
    }
  }
}

// Gyroscopic terms, M(q), gravity: order 2 for θ = 0.5, order 1 for θ = 1, against a run with tiny steps.
TEST(MoreauJean, OrderOfConvergenceInSmoothMotion) {
  const auto end_of = [](double dt, double theta) {
    Integration<DoublePendulum> run(DoublePendulum{}, {1.2, -0.4}, {0, 1}, jean(dt, theta));
    while (run.time() < 0.5 - dt / 2) EXPECT_EQ(run.step(), StepStatus::done);
    return run.state();
  };
  const auto reference = end_of(1e-5, 0.5);
  const auto error = [&](double dt, double theta) {
    const auto x = end_of(dt, theta);
    return std::abs(x.q[0] - reference.q[0]) + std::abs(x.q[1] - reference.q[1]);
  };
  EXPECT_NEAR(std::log2(error(2e-3, 0.5) / error(1e-3, 0.5)), 2, 0.1);
  EXPECT_NEAR(std::log2(error(2e-3, 1.0) / error(1e-3, 1.0)), 1, 0.1);
  // The explicit rule of first order lands at the same place.
  Integration<DoublePendulum> explicit_run(DoublePendulum{}, {1.2, -0.4}, {0, 1}, with_dt(1e-5));
  while (explicit_run.time() < 0.5 - 5e-6) explicit_run.step();
  for (int i = 0; i < 2; ++i) EXPECT_NEAR(explicit_run.state().q[i], reference.q[i], 1e-4);
}

TEST(MoreauJean, SlidingAndStickingBlock) {
  Block block;
  block.theta = 0.3;
  for (double theta : {0.5, 0.75, 1.0}) {
    for (double mu : {0.1, 0.5}) {
      block.contact_law.mu = mu;
      Integration<Block> run(block, {0, 0}, {0, 0}, jean(1e-3, theta));
      for (int k = 0; k < 1000; ++k) ASSERT_EQ(run.step(), StepStatus::done);
      const double a = mu < std::tan(0.3) ? block.g * (std::sin(0.3) - mu * std::cos(0.3)) : 0;
      EXPECT_NEAR(run.state().u[0], a, 1e-11);
      EXPECT_EQ(run.totals().certified_steps, 1000);
    }
  }
}

// The woodpecker's forces are linear: with θ = 0.5 nothing is left of the energy beside what contacts took.
TEST(MoreauJean, WoodpeckerKeepsItsBooksToRoundOff) {
  Integration<Woodpecker> run(Woodpecker{}, Woodpecker::table_q0(), Woodpecker::table_u0(), jean(1e-4, 0.5));
  for (int k = 0; k < 20000; ++k) ASSERT_EQ(run.step(), StepStatus::done);
  EXPECT_EQ(run.totals().certified_steps, 20000);
  const double change = run.kinetic_energy() + run.potential_energy() - run.start_energy();
  EXPECT_LT(run.ledger().friction, -5e-3);
  EXPECT_NEAR(run.ledger().booked(), change, 1e-14);
}

// Both methods converge to the same motion through impacts.
TEST(MoreauJean, AgreesWithTheMidpointRuleThroughImpacts) {
  DoublePendulum pendulum;
  pendulum.wall = 0.3;
  const auto end_of = [&](const options::StepOptions& o) {
    Integration<DoublePendulum> run(pendulum, {0.9, 0.9}, {0, 0}, o);
    while (run.time() < 0.7 - o.dt / 2) EXPECT_EQ(run.step(), StepStatus::done);
    EXPECT_GT(run.totals().contact_steps, 0);
    return run.state().q;
  };
  const auto midpoint = end_of(with_dt(1e-6)), theta = end_of(jean(1e-6, 0.5)), damped = end_of(jean(1e-6, 1));
  for (int i = 0; i < 2; ++i) {
    EXPECT_NEAR(theta[i], midpoint[i], 1e-4);
    EXPECT_NEAR(damped[i], midpoint[i], 1e-4);
  }
}

// At rest forces and impulses cancel to round-off, which is far more than what is left of the velocities.
TEST(MoreauJean, ComesToRest) {
  for (double theta : {0.5, 1.0}) {
    DoublePendulum pendulum;  // leans on a wall, damped
    pendulum.wall = 0.3;
    pendulum.damping = 2;
    Integration<DoublePendulum> run(pendulum, {0.9, 0.9}, {0, 0}, jean(2e-3, theta));
    for (int k = 0; k < 10000; ++k) ASSERT_EQ(run.step(), StepStatus::done) << run.time();
    EXPECT_NEAR(run.state().u[0], 0, 1e-9);
    EXPECT_EQ(run.totals().certified_steps, 10000);
    // The work of damping is booked as the method took it.
    const double change = run.kinetic_energy() + run.potential_energy() - run.start_energy();
    EXPECT_NEAR(run.ledger().booked(), change, (theta == 0.5 ? 0.01 : 0.05) * std::abs(change));
  }
}

TEST(MoreauJean, RefusesBadTheta) {
  for (double theta : {0.4, 1.1, std::nan("")}) {
    EXPECT_THROW(Integration<Oscillator>(Oscillator{}, {1}, {0}, jean(1e-3, theta)), InputError);
  }
}

// All solvers give the same slider-crank up to and through its first impacts.
TEST(Solvers, GiveTheSameSliderCrank) {
  const auto run_with = [](contact::SolverChoice solver) {
    options::StepOptions o = with_dt(1e-5);
    o.solver = solver;
    Integration<SliderCrank> run(SliderCrank{}, SliderCrank::table_q0(), SliderCrank::table_u0(), o);
    while (run.time() < 0.0028) EXPECT_EQ(run.step(), StepStatus::done);
    EXPECT_GT(run.totals().contact_steps, 0);
    EXPECT_EQ(run.totals().certified_steps, run.totals().steps);
    return run.state();
  };
  const auto reference = run_with(contact::SolverChoice::automatic);
  for (auto solver : tests::all_solvers) {
    const auto x = run_with(solver);
    for (int i = 0; i < 3; ++i) {
      EXPECT_NEAR(x.q[i], reference.q[i], 1e-9) << static_cast<int>(solver);
      EXPECT_NEAR(x.u[i], reference.u[i], 1e-9) << static_cast<int>(solver);
    }
  }
}

// A block that started inside the plane is moved out at once, and the energy that took is booked.
TEST(Projection, MovesAnOverlapOutAndBooksIt) {
  Block block;
  options::StepOptions o = with_dt(1e-3);
  o.project_drift = true;
  Integration<Block> run(block, {0, -0.01}, {0, 0}, o);
  ASSERT_EQ(run.step(), StepStatus::done);
  EXPECT_NEAR(run.state().q[1], 0, 1e-12);
  EXPECT_NEAR(run.state().u[1], 0, 1e-12);
  EXPECT_NEAR(run.ledger().projection, block.m * block.g * 0.01, 1e-12);
  EXPECT_EQ(run.totals().projected_steps, 1);
  for (int k = 0; k < 100; ++k) ASSERT_EQ(run.step(), StepStatus::done);
  EXPECT_NEAR(run.kinetic_energy() + run.potential_energy() - run.start_energy(), run.ledger().booked(), 1e-12);
  EXPECT_EQ(run.totals().projected_steps, 1);

  o.project_drift = false;  // the default: kept as given
  Integration<Block> kept(block, {0, -0.01}, {0, 0}, o);
  kept.step();
  EXPECT_NEAR(kept.state().q[1], -0.01, 1e-12);
  EXPECT_EQ(kept.ledger().projection, 0);
}

// The corners of the slider overlap by what they travel in half a step, and drift; with the projection those that rest
// on the guide do not (they keep what their restitution moves them in a step).
TEST(Projection, EndsTheDriftOfTheSliderCrank) {
  const auto worst_end_overlap = [](bool project) {
    options::StepOptions o = with_dt(1e-5);
    o.project_drift = project;
    Integration<SliderCrank> run(SliderCrank{}, SliderCrank::table_q0(), {150, -75, 1e-3}, o);
    double worst = 0;
    while (run.time() < 0.04) {
      EXPECT_EQ(run.step(), StepStatus::done);
      math::Vector<4> gap;
      run.system().gaps(run.state().q, run.time(), gap);
      for (int i = 0; i < 4; ++i) {
        if (run.data().kept[i] != contact::ContactState::open) worst = std::max(worst, -gap[i]);
      }
    }
    EXPECT_EQ(run.totals().certified_steps, run.totals().steps);
    EXPECT_EQ(run.totals().projected_steps > 10, project);
    return worst;
  };
  EXPECT_GT(worst_end_overlap(false), 1e-6);
  EXPECT_LE(worst_end_overlap(true), 1e-7);
}

// Resting with restitution: as without the projection. With much of it the body goes on hopping, by no more than
// gravity does in two steps.
TEST(Projection, LetsABodyComeToRest) {
  for (options::Method method : {options::Method::moreau_midpoint, options::Method::moreau_jean}) {
    for (double eN : {0.0, 0.3, 0.8}) {
      Block block;
      block.contact_law.eN = eN;
      options::StepOptions o = with_dt(1e-3);
      o.method = method;
      o.project_drift = true;
      Integration<Block> run(block, {0, 0.05}, {0, 0}, o);
      while (run.time() < 4) ASSERT_EQ(run.step(), StepStatus::done);
      EXPECT_NEAR(run.state().u[1], 0, eN < 0.5 ? 1e-12 : 2 * block.g * o.dt) << eN;
      if (eN < 0.5) {
        EXPECT_NEAR(run.data().solution.Lambda[0] / o.dt, block.m * block.g, 1e-9);
        EXPECT_LT(run.ledger().projection, 0.03 * run.start_energy()) << eN;
      }
    }
  }
}

// A body wedged between two walls that are too close: nothing frees it, and nothing breaks.
TEST(Projection, LeavesAWedgedBodyAlone) {
  struct Wedged : mechanics::MinimalCoordinates<1, 2> {
    static void mass(const Position&, double, MassMatrix& M) { M(0, 0) = 1; }
    static void force(const Position&, const Velocity&, double, Velocity& h) { h[0] = 0; }
    static double potential_energy(const Position&, double) { return 0; }
    static void gaps(const Position& q, double, Gaps& gap) { gap = {q[0] - 0.1, -0.1 - q[0]}; }
    static void directions(int i, const Position&, double, Directions& d) {
      d.w_N = {i == 0 ? 1.0 : -1.0};
      d.w_T = {0};
    }
    static contact::Law law(int) { return {}; }
  };
  options::StepOptions o = with_dt(1e-3);
  o.project_drift = true;
  Integration<Wedged> run(Wedged{}, {0}, {0}, o);
  for (int k = 0; k < 10; ++k) ASSERT_EQ(run.step(), StepStatus::done);
  EXPECT_EQ(run.state().q[0], 0);
}

}  // namespace
}  // namespace picus::stepping
