#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "allocation_counter.hpp"
#include "picus/catalogue/woodpecker.hpp"
#include "picus/options/options.hpp"
#include "picus/run/system_simulation.hpp"
#include "picus/support/error.hpp"
#include "systems.hpp"

namespace picus::stepping {
namespace {

using catalogue::Woodpecker;
using tests::DoublePendulum;
using tests::with_dt;

Integration<Woodpecker> woodpecker(double dt, contact::SolverChoice solver = contact::SolverChoice::automatic) {
  options::StepOptions o = with_dt(dt);
  o.solver = solver;
  return {Woodpecker{}, Woodpecker::table_q0(), Woodpecker::table_u0(), o};
}

TEST(Kernel, StepsAllocateNothing) {
  for (auto solver : tests::all_solvers) {
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

// Over 1 s of the woodpecker: 13 impacts and some 7000 contact steps.
TEST(Kernel, SolversGiveTheSameMotion) {
  auto reference = woodpecker(1e-4);
  for (int k = 0; k < 10000; ++k) ASSERT_EQ(reference.step(), StepStatus::done);
  for (auto solver : tests::all_solvers) {
    auto run = woodpecker(1e-4, solver);
    for (int k = 0; k < 10000; ++k) ASSERT_EQ(run.step(), StepStatus::done);
    for (int i = 0; i < 3; ++i) {
      EXPECT_NEAR(run.state().q[i], reference.state().q[i], 1e-9);
      EXPECT_NEAR(run.state().u[i], reference.state().u[i], 1e-9);
    }
    EXPECT_EQ(run.totals().certified_steps, 10000);
    if (solver == contact::SolverChoice::automatic) continue;
    const auto by = contact::solver_detail::solver_of(solver);
    EXPECT_EQ(run.totals().solved_by[static_cast<int>(by)], run.totals().contact_steps);
  }
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

TEST(Kernel, ASystemWithoutContactsIsASystem) {
  struct Oscillator : mechanics::MinimalCoordinates<1, 0> {
    static void mass(const Position&, double, MassMatrix& M) { M(0, 0) = 1; }
    static void force(const Position& q, const Velocity&, double, Velocity& h) { h[0] = -q[0]; }
    static double potential_energy(const Position& q, double) { return 0.5 * q[0] * q[0]; }
    static void gaps(const Position&, double, Gaps&) {}
    static void directions(int, const Position&, double, Directions&) {}
    static contact::Law law(int) { return {}; }
  };
  Integration<Oscillator> run(Oscillator{}, {1}, {0}, with_dt(1e-3));
  for (int k = 0; k < 1000; ++k) ASSERT_EQ(run.step(), StepStatus::done);
  EXPECT_NEAR(run.state().q[0], std::cos(1.0), 1e-6);
  EXPECT_NEAR(run.state().u[0], -std::sin(1.0), 1e-6);
}

// M(q) and gyroscopic terms: without contact and damping the energy of a double pendulum stays. h is taken at u_A, so
// the rule is of first order where forces depend on velocities.
TEST(Kernel, EnergyOfADoublePendulumConvergesWithFirstOrder) {
  double error[2];
  for (int r = 0; r < 2; ++r) {
    const double dt = r == 0 ? 2e-4 : 1e-4;
    Integration<DoublePendulum> run(DoublePendulum{}, {1.2, -0.4}, {0, 1}, with_dt(dt));
    const double start = run.kinetic_energy() + run.potential_energy();
    while (run.time() < 1 - dt / 2) ASSERT_EQ(run.step(), StepStatus::done);
    error[r] = std::abs(run.kinetic_energy() + run.potential_energy() - start);
  }
  EXPECT_LT(error[1], 1e-2);
  EXPECT_NEAR(error[0] / error[1], 2, 0.2);
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

// certify() itself, with its bound: what the step found passes, impulses that are off by a millionth do not.
TEST(Kernel, CertificateOfAStepRefusesImpulsesOffByAMillionth) {
  tests::Block block;
  for (double slide : {0.0, 1.0, -1.0}) {  // stick, slip +, slip −
    for (int row : {0, 1}) {
      for (double off : {0.0, 1e-6, -1e-6}) {
        Integration<tests::Block> run(block, {0, 0}, {slide, -1}, with_dt(1e-3));
        const auto u_A = run.state().u;
        ASSERT_EQ(run.step(), StepStatus::done);
        StepData<tests::Block> d = run.data();
        auto u_E = run.state().u;
        const double change = off * d.solution.Lambda[0];
        d.solution.Lambda[row] += change;
        for (int j = 0; j < 2; ++j) u_E[j] += d.MinvW(row, j) * change;
        certify(block, u_A, u_E, contact::default_certificate_tolerance, d);
        EXPECT_EQ(d.certified, off == 0) << slide << " " << row << " " << off << " " << d.residual;
      }
    }
  }
}

// A free velocity that is round-off of what the body had before is no measure; a miss is one, whatever went before.
TEST(Kernel, ResidualsAreMeasuredByMoreThanRoundOff) {
  tests::Block block;
  block.g = 0;
  Integration<tests::Block> run(block, {0, 0}, {0, -1}, with_dt(1e-3));
  ASSERT_EQ(run.step(), StepStatus::done);
  StepData<tests::Block> d = run.data();
  const auto residual_of = [&](double v_ref, double missed) {
    d.v_ref = d.scale.reference(v_ref);
    d.shift[0] = d.shift[1] = 0;
    d.solution.Lambda[0] = d.solution.Lambda[1] = 0;
    certify(block, {0, -v_ref}, {0, -missed}, contact::default_certificate_tolerance, d);
    EXPECT_EQ(d.certified, d.residual <= contact::default_certificate_tolerance) << v_ref << ' ' << missed;
    return d.residual;
  };
  EXPECT_NEAR(residual_of(1e-3, 1e-4), 0.1, 1e-6);
  EXPECT_NEAR(residual_of(1e-10, 1e-14), 1e-4, 1e-6);
  EXPECT_NEAR(residual_of(1e-13, 1e-19), 1e-6, 1e-7);
  EXPECT_LE(residual_of(1e-30, 1e-31), 1e-8);
  EXPECT_LE(residual_of(5e-324, 5e-324), 1e-8);
}

// Round-off alone breaks a tolerance of 1e-30: such steps are made, but do not count as certified.
TEST(Kernel, StepsBeyondTheToleranceAreNotCalledCertified) {
  options::StepOptions o = with_dt(1e-4);
  o.tolerance = 1e-30;
  Integration<Woodpecker> run(Woodpecker{}, Woodpecker::table_q0(), Woodpecker::table_u0(), o);
  for (int k = 0; k < 2000; ++k) ASSERT_EQ(run.step(), StepStatus::done);
  EXPECT_LT(run.totals().certified_steps, run.totals().steps);
  EXPECT_LE(run.totals().worst_residual, 1e-12);
}

// A belt whose speed changes while the directions stay: ŵ must be looked at in every step.
struct Belt : tests::Block {
  static constexpr bool constant_mass = true;
  static constexpr bool constant_directions = true;
  void directions(int, const Position&, double t, Directions& d) const {
    d.w_N = {0, 1};
    d.w_T = {1, 0};
    d.w_hat_T = -std::sin(t);
  }
};

TEST(Kernel, ConstantDirectionsDoNotFreezeTheSupport) {
  Integration<Belt> run(Belt{}, {0, 0}, {0, 0}, with_dt(1e-4));
  for (int k = 0; k < 10000; ++k) ASSERT_EQ(run.step(), StepStatus::done);
  EXPECT_NEAR(run.state().u[0], std::sin(1.0), 1e-3);
}

// Numbers that are none end a run, whatever row they come from; none is certified.
TEST(Kernel, VelocitiesThatAreNoNumbersStopTheRun) {
  struct Broken : tests::Block {
    double in_N = 0, in_T = 0;
    void directions(int, const Position&, double t, Directions& d) const {
      d.w_N = {0, 1};
      d.w_T = {1, 0};
      d.w_hat_N = t > 0.01 ? in_N : 0;
      d.w_hat_T = t > 0.01 ? in_T : 0;
    }
  };
  for (double bad : {std::nan(""), math::infinity, -math::infinity}) {
    for (options::Method method : {options::Method::moreau_midpoint, options::Method::moreau_jean}) {
      for (bool normal : {false, true}) {
        Broken block;
        (normal ? block.in_N : block.in_T) = bad;
        options::StepOptions o = with_dt(1e-3);
        o.method = method;
        Integration<Broken> run(block, {0, 0}, {0, 0}, o);
        for (int k = 0; k < 100; ++k) run.step();
        EXPECT_EQ(run.status(), StepStatus::diverged) << bad << " " << normal;
      }
    }
  }
}

// v_ref is not below the round-off of the velocities of the run, also where the speeds of a contact are looked for.
TEST(Kernel, SpeedsAreLookedForInTheScaleOfTheRun) {
  struct Coupled : tests::Block {
    void mass(const Position&, double, MassMatrix& M) const {
      M(0, 0) = M(1, 1) = 1;
      M(1, 0) = M(0, 1) = 0.9;
    }
  };
  Coupled block;
  block.g = 0;
  block.contact_law = {.mu = 3, .mu_inf = 1, .v_s = 0.1};
  Integration<Coupled> run(block, {0, 0}, {0.3, -1}, with_dt(1e-3));
  int at_rest = 0;
  for (int k = 0; k < 100; ++k) {
    ASSERT_EQ(run.step(), StepStatus::done);
    EXPECT_TRUE(run.data().certified);
    EXPECT_GE(run.data().v_ref, run.data().scale.floor) << k;
    at_rest += run.data().rows > 0 && math::abs(run.state().u[0]) < 1e-12 ? 1 : 0;
  }
  EXPECT_GT(at_rest, 50);
}

// A support that moves up while ŵ_N says down would certify nonsense.
TEST(Kernel, WHatThatIsNotTheRateOfTheGapIsRefused) {
  struct Rising : tests::Block {
    double sign = 1;
    void gaps(const Position& q, double t, Gaps& gap) const { gap[0] = q[1] - 0.1 * t; }
    void directions(int, const Position&, double, Directions& d) const {
      d.w_N = {0, 1};
      d.w_T = {1, 0};
      d.w_hat_N = -0.1 * sign;
    }
  };
  Rising floor;
  EXPECT_NO_THROW(Integration<Rising>(floor, {0, 0}, {0, 0}, with_dt(1e-3)));
  floor.sign = -1;
  EXPECT_THROW(Integration<Rising>(floor, {0, 0}, {0, 0}, with_dt(1e-3)), InputError);
}

TEST(Kernel, AGapThatIsNoNumberStopsTheRun) {
  struct Root : tests::Block {
    void gaps(const Position& q, double, Gaps& gap) const { gap[0] = std::sqrt(q[1] + 1) - 1; }
    void directions(int, const Position& q, double, Directions& d) const {
      d.w_N = {0, 0.5 / std::sqrt(q[1] + 1)};
      d.w_T = {1, 0};
    }
  };
  Integration<Root> run(Root{}, {0, 5}, {0, -100}, with_dt(0.2));
  StepStatus status = StepStatus::done;
  for (int k = 0; k < 5 && status == StepStatus::done; ++k) status = run.step();
  EXPECT_EQ(status, StepStatus::diverged);
}

// Several feet at rest share their load and do not brace against each other.
TEST(Kernel, FeetAtRestStickWithoutBracing) {
  struct TwoFeet : mechanics::MinimalCoordinates<3, 2> {
    static void mass(const Position&, double, MassMatrix& M) {
      for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) M(i, j) = i == j ? 1 : 0;
      }
    }
    static void force(const Position&, const Velocity&, double, Velocity& h) { h = {0, -9.81, 0}; }
    static double potential_energy(const Position& q, double) { return 9.81 * q[1]; }
    static void gaps(const Position& q, double, Gaps& gap) { gap = {q[1] - q[2], q[1] + q[2]}; }
    static void directions(int i, const Position&, double, Directions& d) {
      d.w_N = {0, 1, i == 0 ? -1.0 : 1.0};
      d.w_T = {1, 0, 0.2};
    }
    static contact::Law law(int) { return {0.2, 0, 0}; }
  };
  Integration<TwoFeet> run(TwoFeet{}, {0, 0, 0}, {1, 0, 0}, with_dt(1e-3));
  for (int k = 0; k < 1000; ++k) ASSERT_EQ(run.step(), StepStatus::done);
  ASSERT_EQ(run.data().active_count, 2);
  for (int a = 0; a < 2; ++a) {
    EXPECT_EQ(run.data().contact_state(a), contact::ContactState::stick);
    EXPECT_NEAR(run.data().solution.Lambda[2 * a + 1], 0, 1e-12);
  }
  EXPECT_NEAR(run.state().u[0], 0, 1e-15);
  EXPECT_NEAR(run.state().q[0], 1 / (2 * 0.2 * 9.81), 1e-3);
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

}  // namespace
}  // namespace picus::stepping
