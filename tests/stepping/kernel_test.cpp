#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "allocation_counter.hpp"
#include "picus/catalogue/woodpecker.hpp"
#include "picus/stepping/options.hpp"
#include "picus/stepping/simulation.hpp"
#include "picus/support/error.hpp"
#include "systems.hpp"

namespace picus::stepping {
namespace {

using catalogue::Woodpecker;
using tests::DoublePendulum;

StepOptions with_dt(double dt) {
  StepOptions o;
  o.dt = dt;
  return o;
}

Integration<Woodpecker> woodpecker(double dt, contact::SolverChoice solver = contact::SolverChoice::automatic) {
  StepOptions o = with_dt(dt);
  o.solver = solver;
  return {Woodpecker{}, Woodpecker::table_q0(), Woodpecker::table_u0(), o};
}

TEST(Kernel, StepsAllocateNothing) {
  for (auto solver :
       {contact::SolverChoice::automatic, contact::SolverChoice::enumerate, contact::SolverChoice::lemke}) {
    auto run = woodpecker(1e-4, solver);
    const long before = tests::allocations();
    for (int k = 0; k < 5000; ++k) ASSERT_EQ(run.step(), StepStatus::done);
    EXPECT_EQ(tests::allocations(), before);
    EXPECT_GT(run.totals().contact_steps, 1000);
  }
}

TEST(Kernel, AllocationsAreCounted) {
  const long before = tests::allocations();
  ::operator delete(::operator new(100));
  EXPECT_EQ(tests::allocations(), before + 1);
}

TEST(Kernel, SameInputSameBits) {
  auto first = woodpecker(1e-4), second = woodpecker(1e-4);
  for (int k = 0; k < 20000; ++k) {
    first.step();
    second.step();
  }
  EXPECT_EQ(std::memcmp(&first.state(), &second.state(), sizeof first.state()), 0);
}

TEST(Kernel, SolversGiveTheSameMotion) {
  auto reference = woodpecker(1e-4), enumerate = woodpecker(1e-4, contact::SolverChoice::enumerate),
       lemke = woodpecker(1e-4, contact::SolverChoice::lemke);
  for (int k = 0; k < 10000; ++k) {
    ASSERT_EQ(reference.step(), StepStatus::done);
    ASSERT_EQ(enumerate.step(), StepStatus::done);
    ASSERT_EQ(lemke.step(), StepStatus::done);
  }
  for (int i = 0; i < 3; ++i) {
    EXPECT_NEAR(enumerate.state().q[i], reference.state().q[i], 1e-9);
    EXPECT_NEAR(lemke.state().q[i], reference.state().q[i], 1e-9);
  }
  EXPECT_EQ(lemke.totals().certified_steps, 10000);
  EXPECT_EQ(lemke.totals().solved_by[static_cast<int>(contact::SolvedBy::lemke)], lemke.totals().contact_steps);
}

// The same toy, but saying nothing about what is constant: M is factorised and W evaluated in every step.
struct PlainWoodpecker : Woodpecker {
  static constexpr bool constant_mass = false;
  static constexpr bool constant_directions = false;
};

TEST(Kernel, ConstantsComputedOnceChangeNothing) {
  auto reference = woodpecker(1e-4);
  Integration<PlainWoodpecker> plain(PlainWoodpecker{}, Woodpecker::table_q0(), Woodpecker::table_u0(), with_dt(1e-4));
  for (int k = 0; k < 10000; ++k) {
    ASSERT_EQ(reference.step(), StepStatus::done);
    ASSERT_EQ(plain.step(), StepStatus::done);
  }
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(plain.state().q[i], reference.state().q[i], 1e-9);
  EXPECT_EQ(plain.totals().uniqueness_examined_steps, plain.totals().contact_steps);
}

// M(q) and gyroscopic terms: without contact and damping the energy of a double pendulum stays, to second order in Δt.
TEST(Kernel, EnergyOfADoublePendulumConvergesWithSecondOrder) {
  double error[2];
  for (int r = 0; r < 2; ++r) {
    const double dt = r == 0 ? 2e-4 : 1e-4;
    Integration<DoublePendulum> run(DoublePendulum{}, {1.2, -0.4}, {0, 1}, with_dt(dt));
    const double start = run.kinetic_energy() + run.potential_energy();
    while (run.time() < 1 - dt / 2) ASSERT_EQ(run.step(), StepStatus::done);
    error[r] = std::abs(run.kinetic_energy() + run.potential_energy() - start);
  }
  EXPECT_LT(error[1], 1e-2);
  // h is taken at u_A, so the rule is of first order where forces depend on velocities.
  EXPECT_GT(error[0] / error[1], 1.7);
}

TEST(Kernel, WorkOfDampingIsBooked) {
  DoublePendulum pendulum;
  pendulum.damping = 0.3;
  Integration<DoublePendulum> run(pendulum, {1.2, -0.4}, {0, 1}, with_dt(1e-5));
  const double start = run.kinetic_energy() + run.potential_energy();
  while (run.time() < 2) ASSERT_EQ(run.step(), StepStatus::done);
  const double change = run.kinetic_energy() + run.potential_energy() - start;
  EXPECT_LT(change, -1);
  EXPECT_NEAR(run.ledger().work, change, 1e-3);
}

TEST(Kernel, PendulumAgainstAWallIsCertifiedAndBooked) {
  DoublePendulum pendulum;
  pendulum.wall = -0.2;
  Integration<DoublePendulum> run(pendulum, {0.9, 0.9}, {0, 0}, with_dt(1e-4));
  const double start = run.kinetic_energy() + run.potential_energy();
  for (int k = 0; k < 30000; ++k) ASSERT_EQ(run.step(), StepStatus::done);
  EXPECT_EQ(run.totals().certified_steps, 30000);
  EXPECT_GT(run.totals().contact_steps, 2);
  EXPECT_LT(run.ledger().impact, -0.1);
  const double change = run.kinetic_energy() + run.potential_energy() - start;
  EXPECT_NEAR(run.ledger().booked(), change, 0.01 * std::abs(change));
}

// A sleeve too narrow for the pole, and restitutions that contradict each other: φ_M would have to grow and must not.
TEST(Kernel, AStepWithoutSolutionStopsAndLeavesTheState) {
  Woodpecker toy;
  toy.r_M = 0.0024;
  toy.laws[1].eN = 1;
  Integration<Woodpecker> run(toy, {0, 0, 0}, {0, -1, 0}, with_dt(1e-4));
  const auto before = run.state();
  EXPECT_EQ(run.step(), StepStatus::no_solution);
  EXPECT_EQ(std::memcmp(&before, &run.state(), sizeof before), 0);
  EXPECT_EQ(run.data().active_count, 2);
  EXPECT_EQ(run.totals().steps, 0);
  EXPECT_EQ(run.step(), StepStatus::no_solution);
  EXPECT_FALSE(run.data().certified);
}

TEST(Kernel, ASingularMassIsReported) {
  Woodpecker toy;
  toy.m_M = toy.m_S = 0;
  Integration<Woodpecker> run(toy, Woodpecker::table_q0(), Woodpecker::table_u0(), with_dt(1e-4));
  EXPECT_EQ(run.step(), StepStatus::singular_mass);
}

TEST(Kernel, DivergenceIsReportedAndNotIntegrated) {
  Integration<Woodpecker> run(Woodpecker{}, Woodpecker::table_q0(), {9e99, 9e99, 9e99}, with_dt(10));
  StepStatus status = StepStatus::done;
  for (int k = 0; k < 10 && status == StepStatus::done; ++k) status = run.step();
  EXPECT_NE(status, StepStatus::done);
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(std::isfinite(run.state().u[i]));
}

TEST(Options, AreValidated) {
  for (double dt : {0.0, -1.0, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    EXPECT_THROW(woodpecker(dt), InputError);
  }
  StepOptions o;
  o.tolerance = 0;
  EXPECT_THROW(o.validate(), InputError);
  o = {};
  o.active_gap = -1;
  EXPECT_THROW(o.validate(), InputError);
  EXPECT_THROW(solver_from_name("lemkke"), InputError);
  EXPECT_THROW(check_method("moreau"), InputError);
  EXPECT_THROW(check_impact("poisson"), InputError);
}

TEST(Events, OfADropWithoutRebound) {
  tests::Block block;
  block.g = 10;
  Integration<tests::Block> run(block, {0, 0.05}, {0.3, 0}, with_dt(1e-3));
  std::vector<EventKind> kinds;
  std::vector<double> times;
  for (int k = 0; k < 500; ++k) {
    run.step();
    for (int e = 0; e < run.events().count; ++e) {
      kinds.push_back(run.events().list[e].kind);
      times.push_back(run.time());
    }
  }
  // It falls for 0.1 s, hits with 1 m/s; the impact stops the sliding at once (0.3 < μ·1).
  ASSERT_EQ(kinds.size(), 2U);
  EXPECT_EQ(kinds[0], EventKind::impact);
  EXPECT_EQ(kinds[1], EventKind::stick);
  EXPECT_NEAR(times[0], 0.1, 2e-3);
}

TEST(Events, SlipThenStickThenLiftOff) {
  tests::Block block;
  Integration<tests::Block> run(block, {0, 0}, {0.5, 0}, with_dt(1e-3));
  std::vector<EventKind> kinds;
  for (int k = 0; k < 300; ++k) {
    run.step();
    for (int e = 0; e < run.events().count; ++e) kinds.push_back(run.events().list[e].kind);
  }
  const std::vector<EventKind> expected = {EventKind::touch, EventKind::slip, EventKind::stick};
  EXPECT_EQ(kinds, expected);
}

// Newton's law with friction can feed energy into a body: the ledger must say so.
TEST(Ledger, FlagsAnImpactThatGainsEnergy) {
  // An oblique rod (as a point with coupled directions): γ_T and γ_N share inertia through W.
  struct Oblique : mechanics::MinimalCoordinates<3, 1> {
    static void mass(const Position&, double, MassMatrix& M) {
      for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) M(i, j) = i == j ? 1 : 0;
      }
      M(2, 2) = 1.0 / 3;
    }
    static void force(const Position&, const Velocity&, double, Velocity& h) { h = {0, 0, 0}; }
    static double potential_energy(const Position&, double) { return 0; }
    static void gaps(const Position& q, double, Gaps& gap) { gap[0] = q[1] - 0.6 * q[2]; }
    static void directions(int, const Position&, double, Directions& d) {
      d.w_N = {0, 1, -0.6};
      d.w_T = {1, 0, 0.8};
    }
    static contact::Law law(int) { return {0.8, 0.9, 0}; }
  };
  bool gained = false;
  for (double slide : {-3.0, -2.0, -1.0, 1.0, 2.0, 3.0}) {
    Integration<Oblique> run(Oblique{}, {0, 0, 0}, {slide, -1, 0}, with_dt(1e-6));
    const double before = run.kinetic_energy();
    ASSERT_EQ(run.step(), StepStatus::done);
    const bool rises = run.kinetic_energy() > before * (1 + 1e-9);
    EXPECT_EQ(run.totals().energy_gain_steps > 0, rises) << slide;
    gained |= rises;
  }
  EXPECT_TRUE(gained) << "no case with a gain: the test shows nothing";
}

TEST(Simulation, RecordsEveryNthStepAndAllEvents) {
  const auto run = [](std::int64_t every) {
    RecordingOptions options;
    options.every = every;
    SystemSimulation<Woodpecker> simulation(Woodpecker{}, Woodpecker::table_q0(), Woodpecker::table_u0(), with_dt(1e-4),
                                            options);
    Recording recording;
    EXPECT_TRUE(simulation.advance(1000, recording));
    EXPECT_TRUE(simulation.advance(1000, recording));
    return recording;
  };
  const Recording all = run(1), thin = run(10);
  EXPECT_EQ(all.states.size(), 2001U * 7);
  EXPECT_EQ(thin.states.size(), 201U * 7);
  EXPECT_EQ(all.events.size(), thin.events.size());
  for (std::size_t row = 0; row < 201; ++row) {
    for (std::size_t c = 0; c < 7; ++c) EXPECT_EQ(thin.states[7 * row + c], all.states[70 * row + c]);
  }
  EXPECT_EQ(thin.energy.back().friction, all.energy.back().friction);
}

}  // namespace
}  // namespace picus::stepping
