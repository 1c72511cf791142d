// Force elements without a gap, and friction that does not depend on the load, against closed forms.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "picus/run/system_simulation.hpp"
#include "picus/support/error.hpp"
#include "systems.hpp"

namespace picus::stepping {
namespace {

using contact::ElementLaw;
using tests::with_dt;

// A mass on a spring with one element between it and a support that moves with `belt`.
struct Oscillator : mechanics::MinimalCoordinates<1, 0, 1> {
  double m = 2, k = 50, force_on_mass = 0, belt = 0;
  ElementLaw law_of_element = contact::dry_friction(1);

  void mass(const Position&, double, MassMatrix& M) const { M(0, 0) = m; }
  void force(const Position& q, const Velocity&, double, Velocity& h) const { h[0] = force_on_mass - k * q[0]; }
  double potential_energy(const Position& q, double) const { return 0.5 * k * q[0] * q[0] - force_on_mass * q[0]; }
  void gaps(const Position&, double, Gaps&) const {}
  void directions(int, const Position&, double, Directions&) const {}
  contact::Law law(int) const { return {}; }
  void element(int, const Position& q, double t, Element& e) const {
    e.w = {1};
    e.w_hat = -belt;
    e.displacement = q[0] - belt * t;
  }
  ElementLaw element_law(int) const { return law_of_element; }
};

double energy(const Integration<Oscillator>& run) { return run.kinetic_energy() + run.potential_energy(); }

// The books of a run close: what the energy changed is booked, but for the discretisation.
void expect_closed_books(const Integration<Oscillator>& run, double tolerance) {
  EXPECT_NEAR(run.ledger().booked(), energy(run) - run.start_energy(), tolerance);
  EXPECT_EQ(run.totals().certified_steps, run.totals().steps);
}

// Free vibration with dry friction: each half swing is shorter by 2a/k; it stops where |k x| ≤ a.
TEST(DryFriction, AmplitudeFallsByTheSameAmountEachHalfSwing) {
  for (options::Method method : {options::Method::moreau_midpoint, options::Method::moreau_jean}) {
    const Oscillator system;
    const double lost = 2 * 1 / system.k, half_swing = std::numbers::pi / std::sqrt(system.k / system.m);
    options::StepOptions o = with_dt(1e-5);
    o.method = method;
    Integration<Oscillator> run(system, {0.5}, {0}, o);
    for (int swing = 1; swing <= 12; ++swing) {
      while (run.time() < swing * half_swing) ASSERT_EQ(run.step(), StepStatus::done);
      const double amplitude = std::max(0.5 - swing * lost, 0.0);
      EXPECT_NEAR(run.state().q[0], swing % 2 == 0 ? amplitude : -amplitude, 1e-4) << swing;
    }
    // 0.5 − 12 · 0.04 = 0.02 = a/k: it rests there.
    while (run.time() < 20 * half_swing) ASSERT_EQ(run.step(), StepStatus::done);
    EXPECT_NEAR(run.state().u[0], 0, 1e-12);
    EXPECT_EQ(run.data().solution.state[0], contact::RowState::inner);
    EXPECT_NEAR(run.ledger().friction, energy(run) - run.start_energy(), 1e-4);
    expect_closed_books(run, 1e-4);
  }
}

// On a belt: carried along up to x = a/k, then x = a/k + v/ω sin ω(t − t₀) with velocities up to v, where it may stick.
TEST(DryFriction, MassOnABeltSticksAndSlips) {
  Oscillator system;
  system.belt = 0.3;
  Integration<Oscillator> run(system, {0}, {0.3}, with_dt(1e-5));
  const double omega = std::sqrt(system.k / system.m), x_slip = 1 / system.k, t_slip = x_slip / system.belt;
  int events = 0;
  EventKind last = EventKind::impact;
  while (run.time() < t_slip + 1.0) {
    ASSERT_EQ(run.step(), StepStatus::done);
    for (int e = 0; e < run.events().count; ++e, ++events) last = run.events().list[e].kind;
    const double t = run.time();
    const double x = t < t_slip ? 0.3 * t : x_slip + 0.3 / omega * std::sin(omega * (t - t_slip));
    ASSERT_NEAR(run.state().q[0], x, 1e-5);
  }
  EXPECT_EQ(events, 1);
  EXPECT_EQ(last, EventKind::slip);
  EXPECT_GT(run.ledger().drive, 0);  // the belt feeds it
  expect_closed_books(run, 1e-5);
}

// Up to its pre-stress the spring holds the mass at zero, exactly; beyond, the rest of the force accelerates it.
TEST(PrestressedSpring, HoldsUpToItsPrestress) {
  Oscillator system;
  system.k = 0;
  system.law_of_element = contact::prestressed_spring(3);
  for (options::Method method : {options::Method::moreau_midpoint, options::Method::moreau_jean}) {
    options::StepOptions o = with_dt(1e-3);
    o.method = method;
    system.force_on_mass = 2.9;
    Integration<Oscillator> held(system, {0}, {0}, o);
    for (int i = 0; i < 5000; ++i) ASSERT_EQ(held.step(), StepStatus::done);
    EXPECT_NEAR(held.state().q[0], 0, 1e-15);
    EXPECT_NEAR(held.data().solution.Lambda[0] / o.dt, -2.9, 1e-9);

    system.force_on_mass = 3.5;
    Integration<Oscillator> freed(system, {0}, {0}, o);
    for (int i = 0; i < 1000; ++i) ASSERT_EQ(freed.step(), StepStatus::done);
    EXPECT_NEAR(freed.state().u[0], 0.5 / system.m, 1e-9);
    EXPECT_NEAR(freed.state().q[0], 0.5 * 0.5 / system.m, 2e-3);
    expect_closed_books(freed, 1e-3);
  }
}

// Free oscillation under m ẍ = −a sgn x: parabolas, period 4 √(2 m x₀ / a); the energy a|x| + m v²/2 stays.
TEST(PrestressedSpring, OscillatesInParabolas) {
  Oscillator system;
  system.k = 0;
  system.law_of_element = contact::prestressed_spring(3);
  const double period = 4 * std::sqrt(2 * system.m * 0.1 / 3);
  double error[2], lost[2];
  for (int r = 0; r < 2; ++r) {
    const double dt = r == 0 ? 4e-5 : 2e-5;
    Integration<Oscillator> run(system, {0.1}, {0}, with_dt(dt));
    EXPECT_NEAR(energy(run), 0.3, 1e-15);
    while (run.time() < 2 * period) ASSERT_EQ(run.step(), StepStatus::done);
    error[r] = std::abs(run.state().q[0] - 0.1);
    lost[r] = std::abs(energy(run) - 0.3);
    EXPECT_EQ(run.totals().certified_steps, run.totals().steps);
    EXPECT_EQ(run.totals().energy_gain_steps, 0);
  }
  EXPECT_LT(error[0], 2e-3 * 0.1 + 1e-3);
  EXPECT_LT(lost[1], 2e-4);
  EXPECT_LT(lost[1], 0.75 * lost[0]);
}

// Two shafts and a one-way clutch that pushes the second: γ = ω_2 − ω_1 ≥ 0.
struct Shafts : mechanics::MinimalCoordinates<2, 0, 1> {
  static constexpr bool constant_mass = true;
  static constexpr bool constant_directions = true;
  double J1 = 2, J2 = 3, torque = 10, reversal = 1;
  ElementLaw clutch = contact::one_way_clutch();

  void mass(const Position&, double, MassMatrix& M) const {
    M(0, 0) = J1;
    M(1, 1) = J2;
    M(0, 1) = M(1, 0) = 0;
  }
  void force(const Position&, const Velocity&, double t, Velocity& h) const {
    h = {t < reversal ? torque : -torque, 0};
  }
  double potential_energy(const Position&, double) const { return 0; }
  void nonconservative_force(const Position& q, const Velocity& u, double t, Velocity& f) const { force(q, u, t, f); }
  void gaps(const Position&, double, Gaps&) const {}
  void directions(int, const Position&, double, Directions&) const {}
  contact::Law law(int) const { return {}; }
  void element(int, const Position&, double, Element& e) const { e.w = {-1, 1}; }
  ElementLaw element_law(int) const { return clutch; }
};

TEST(OneWayClutch, LocksInOneDirectionAndOverrunsInTheOther) {
  Integration<Shafts> run(Shafts{}, {0, 0}, {0, 0}, with_dt(1e-3));
  for (int i = 0; i < 1000; ++i) ASSERT_EQ(run.step(), StepStatus::done);
  EXPECT_NEAR(run.state().u[0], 10.0 / 5, 1e-12);  // both together
  EXPECT_NEAR(run.state().u[1], 10.0 / 5, 1e-12);
  EXPECT_NEAR(run.data().solution.Lambda[0] / 1e-3, 3 * 10.0 / 5, 1e-9);
  ASSERT_EQ(run.step(), StepStatus::done);
  ASSERT_EQ(run.events().count, 1);
  EXPECT_EQ(run.events().list[0].kind, EventKind::slip);
  for (int i = 0; i < 499; ++i) ASSERT_EQ(run.step(), StepStatus::done);
  EXPECT_NEAR(run.state().u[1], 2, 1e-12);  // runs on
  EXPECT_NEAR(run.state().u[0], 2 - 0.5 * 10 / 2, 1e-12);
  EXPECT_EQ(run.totals().certified_steps, run.totals().steps);
  EXPECT_NEAR(run.ledger().booked(), run.kinetic_energy(), 1e-9);
}

// Started against its direction the clutch engages with an impact: momentum stays, the difference of speed goes.
TEST(OneWayClutch, EngagesWithAnImpact) {
  Shafts shafts;
  shafts.torque = 0;
  for (double e : {0.0, 0.5}) {
    shafts.clutch.e = e;
    options::StepOptions o = with_dt(1e-3);
    o.impact_at_start = true;
    Integration<Shafts> run(shafts, {0, 0}, {5, 0}, o);
    EXPECT_NEAR(run.state().u[1] - run.state().u[0], e * 5, 1e-12);
    EXPECT_NEAR(2 * run.state().u[0] + 3 * run.state().u[1], 10, 1e-12);
    EXPECT_NEAR(run.ledger().impact, run.kinetic_energy() - run.start_energy(), 1e-12);
    EXPECT_EQ(run.totals().steps, 0);
  }
}

// A clutch that slips above 4 N m drags the second shaft with just that.
TEST(OneWayClutch, MayHaveATorqueLimit) {
  Shafts shafts;
  shafts.clutch = {0, 4, 0, false};
  Integration<Shafts> run(shafts, {0, 0}, {0, 0}, with_dt(1e-3));
  for (int i = 0; i < 1000; ++i) ASSERT_EQ(run.step(), StepStatus::done);
  EXPECT_NEAR(run.state().u[1], 4.0 / 3, 1e-12);
  EXPECT_NEAR(run.state().u[0], 6.0 / 2, 1e-12);
}

// A block on a slope whose friction does not depend on its weight.
TEST(LoadIndependentFriction, BlockOnASlope) {
  tests::Block block;  // m = 2
  block.theta = 0.3;
  const double pull = block.m * block.g * std::sin(block.theta);  // 5.8 N
  for (double a : {4.0, 7.0}) {
    block.contact_law = {.mu = 0, .eN = 0, .eT = 0, .friction_force = a};
    for (auto solver : tests::all_solvers) {
      options::StepOptions o = with_dt(1e-3);
      o.solver = solver;
      Integration<tests::Block> run(block, {0, 0}, {0, 0}, o);
      for (int i = 0; i < 1000; ++i) ASSERT_EQ(run.step(), StepStatus::done);
      EXPECT_NEAR(run.state().u[0], a < pull ? (pull - a) / block.m : 0, 1e-11);
      EXPECT_EQ(run.data().contact_state(0),
                a < pull ? contact::ContactState::slip_positive : contact::ContactState::stick);
      EXPECT_EQ(run.totals().certified_steps, 1000);
    }
  }
}

// A block on the floor and, not coupled, a mass on a displaced spring: the displacement over dt is no velocity, and
// must not loosen the certificate of the block.
struct BlockAndSpring : mechanics::MinimalCoordinates<2, 1, 1> {
  void mass(const Position&, double, MassMatrix& M) const {
    M(0, 0) = M(1, 1) = 1;
    M(0, 1) = M(1, 0) = 0;
  }
  void force(const Position&, const Velocity&, double, Velocity& h) const { h = {-9.81, 0}; }
  double potential_energy(const Position& q, double) const { return 9.81 * q[0]; }
  void gaps(const Position& q, double, Gaps& gap) const { gap[0] = q[0]; }
  void directions(int, const Position&, double, Directions& d) const {
    d.w_N = {1, 0};
    d.w_T = {0, 0};
  }
  contact::Law law(int) const { return {}; }
  void element(int, const Position& q, double, Element& e) const {
    e.w = {0, 1};
    e.displacement = q[1];
  }
  ElementLaw element_law(int) const { return contact::prestressed_spring(1); }
};

TEST(PrestressedSpring, DoesNotLoosenTheCertificateOfOthers) {
  for (auto solver : tests::all_solvers) {
    options::StepOptions o = with_dt(1e-5);
    o.solver = solver;
    Integration<BlockAndSpring> run(BlockAndSpring{}, {0, 1}, {0, 0}, o);
    ASSERT_EQ(run.step(), StepStatus::done);
    EXPECT_NEAR(run.state().u[0], 0, 1e-15);
    EXPECT_LT(run.data().v_ref, 1e-3);
    StepData<BlockAndSpring> d = run.data();
    d.solution.Lambda[0] = 0;  // falls through the floor
    certify(run.system(), {0, 0}, {-9.81e-5, run.state().u[1]}, contact::default_certificate_tolerance, d);
    EXPECT_FALSE(d.certified);
  }
}

// An element that always pushes (5 to 8 N) is a motor: its work is no friction, and no sign of a wrong law.
TEST(Elements, ThatDriveAreBookedAsWork) {
  Oscillator system;
  system.k = 0;
  system.law_of_element = {5, 8, 0, false};
  Integration<Oscillator> run(system, {0}, {1}, with_dt(1e-3));
  for (int k = 0; k < 1000; ++k) ASSERT_EQ(run.step(), StepStatus::done);
  EXPECT_NEAR(run.state().u[0], 1 + 5 / system.m, 1e-9);
  EXPECT_EQ(run.totals().energy_gain_steps, 0);
  EXPECT_EQ(run.ledger().friction, 0);
  EXPECT_NEAR(run.ledger().work, run.kinetic_energy() - run.start_energy(), 1e-9);
}

TEST(Elements, AreRecordedLikeContacts) {
  run::SystemSimulation<Shafts> run(Shafts{}, {0, 0}, {0, 0}, with_dt(0.1), {});
  run::Recording recording;
  ASSERT_TRUE(run.advance(15, recording));
  ASSERT_EQ(recording.contacts.size(), 15U);
  const run::ContactRecord& locked = recording.contacts[0];
  EXPECT_EQ(locked.contact, 0);
  EXPECT_EQ(locked.state, contact::ContactState::stick);
  EXPECT_NEAR(locked.Lambda_N, 0.6, 1e-12);
  EXPECT_TRUE(std::isnan(locked.Lambda_T) && std::isnan(locked.gap));
  EXPECT_EQ(recording.contacts[14].state, contact::ContactState::open);
  ASSERT_EQ(recording.events.size(), 1U);
  EXPECT_EQ(recording.events[0].event.kind, EventKind::slip);

  Oscillator spring;
  spring.law_of_element = contact::prestressed_spring(1);
  run::SystemSimulation<Oscillator> held(spring, {0.01}, {0}, with_dt(1e-3), {});
  recording.clear();
  ASSERT_TRUE(held.advance(1, recording));
  EXPECT_NEAR(recording.contacts[0].gap, 0.01, 1e-12);
  EXPECT_NEAR(recording.contacts[0].Lambda_T, -1e-3, 1e-15);
  EXPECT_TRUE(std::isnan(recording.contacts[0].gamma_N));
}

TEST(Elements, LawsThatMakeNoSenseAreRefused) {
  const auto refuses = [](ElementLaw law, const char* part) {
    Oscillator system;
    system.law_of_element = law;
    try {
      Integration<Oscillator>(system, {0}, {0}, with_dt(1e-3));
    } catch (const InputError& error) {
      return std::string(error.what()).find(part) != std::string::npos;
    }
    return false;
  };
  const double inf = math::infinity;
  EXPECT_TRUE(refuses({2, 1, 0, false}, "upper is 1"));
  EXPECT_TRUE(refuses({-inf, inf, 0, false}, "one finite bound"));
  EXPECT_TRUE(refuses({std::nan(""), 1, 0, false}, "lower is nan"));
  EXPECT_TRUE(refuses({-1, 1, 1.5, false}, "e is 1.5"));
  EXPECT_TRUE(refuses({-1, 1, 0.5, true}, "displacement level"));
  EXPECT_TRUE(refuses({0, inf, 0, true}, "finite bounds"));
  struct Wrong : Oscillator {
    void element(int, const Position& q, double, Element& e) const {
      e.w = {2};
      e.displacement = q[0];
    }
  };
  Wrong wrong;
  wrong.law_of_element = contact::prestressed_spring(1);
  EXPECT_THROW(Integration<Wrong>(wrong, {0}, {0}, with_dt(1e-3)), InputError);
  tests::Block block;
  block.contact_law.friction_force = -1;
  EXPECT_THROW(Integration<tests::Block>(block, {0, 0}, {0, 0}, with_dt(1e-3)), InputError);
}

}  // namespace
}  // namespace picus::stepping
