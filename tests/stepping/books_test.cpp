// Events, energy ledger, recording, and what is refused at the start.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "picus/catalogue/woodpecker.hpp"
#include "picus/options/options.hpp"
#include "picus/run/system_simulation.hpp"
#include "picus/support/error.hpp"
#include "systems.hpp"

namespace picus::stepping {
namespace {

using catalogue::Woodpecker;
using tests::with_dt;

// A point that slides over a round hill never leaves it; its gap drifts over the tolerance by curvature.
TEST(Events, ALastingContactOnACurveHasNoImpacts) {
  struct Hill : mechanics::MinimalCoordinates<2, 1> {
    static void mass(const Position&, double, MassMatrix& M) { M(0, 0) = M(1, 1) = 1, M(0, 1) = M(1, 0) = 0; }
    static void force(const Position&, const Velocity&, double, Velocity& h) { h = {0, -9.81}; }
    static double potential_energy(const Position& q, double) { return 9.81 * q[1]; }
    static void gaps(const Position& q, double, Gaps& gap) { gap[0] = std::hypot(q[0], q[1]) - 1; }
    static void directions(int, const Position& q, double, Directions& d) {
      const double r = std::hypot(q[0], q[1]);
      d.w_N = {q[0] / r, q[1] / r};
      d.w_T = {q[1] / r, -q[0] / r};
    }
    static contact::Law law(int) { return {0.1, 0, 0}; }
  };
  for (double dt : {1e-3, 1e-4, 1e-5}) {
    Integration<Hill> run(Hill{}, {0, 1}, {1, 0}, with_dt(dt));
    int impacts = 0;
    for (int k = 0; k < static_cast<int>(0.2 / dt); ++k) {
      ASSERT_EQ(run.step(), StepStatus::done);
      for (int e = 0; e < run.events().count; ++e) impacts += run.events().list[e].kind == EventKind::impact ? 1 : 0;
    }
    EXPECT_EQ(impacts, 0) << dt;
  }
}

// A bead that slides in a ring without friction, by a formula for its gap: all that it loses is lost by a contact that
// stays closed. An impact is not.
TEST(Ledger, WorkOfLastingContactsIsTold) {
  struct Ring : mechanics::MinimalCoordinates<2, 1> {
    static void mass(const Position&, double, MassMatrix& M) { M(0, 0) = M(1, 1) = 1, M(0, 1) = M(1, 0) = 0; }
    static void force(const Position&, const Velocity&, double, Velocity& h) { h = {0, 0}; }
    static double potential_energy(const Position&, double) { return 0; }
    static void gaps(const Position& q, double, Gaps& gap) { gap[0] = 1 - std::hypot(q[0], q[1]); }
    static void directions(int, const Position& q, double, Directions& d) {
      const double r = std::hypot(q[0], q[1]);
      d.w_N = {-q[0] / r, -q[1] / r};
      d.w_T = {-q[1] / r, q[0] / r};
    }
    static contact::Law law(int) { return {0, 0, 0}; }
  };
  for (const double theta : {0.5, 1.0}) {
    options::StepOptions options = with_dt(1e-2);
    options.method = options::Method::moreau_jean;
    options.theta = theta;
    Integration<Ring> run(Ring{}, {1, 0}, {0, 1}, options);
    for (int k = 0; k < 1000; ++k) ASSERT_EQ(run.step(), StepStatus::done);
    EXPECT_LT(run.totals().lasting_work, -0.02) << theta;
    EXPECT_NEAR(run.totals().lasting_work, run.ledger().impact, 1e-4) << theta;
  }
  Integration<Ring> hits(Ring{}, {0.1, 0}, {1, 0}, with_dt(1e-2));
  for (int k = 0; k < 200; ++k) ASSERT_EQ(hits.step(), StepStatus::done);
  EXPECT_NEAR(hits.ledger().impact, -0.5, 1e-12);
  EXPECT_EQ(hits.totals().lasting_work, 0);
}

// What the acceleration of a support does within a step is the work of the support.
TEST(Ledger, SupportsAreNotTheWorkOfLastingContacts) {
  struct Lift : tests::Block {
    void gaps(const Position& q, double t, Gaps& gap) const { gap[0] = q[1] - 0.1 * (1 - std::cos(8 * t)); }
    void directions(int, const Position&, double t, Directions& d) const {
      d.w_N = {0, 1};
      d.w_T = {1, 0};
      d.w_hat_N = -0.8 * std::sin(8 * t);
    }
  };
  Integration<Lift> run(Lift{}, {0, 0}, {0, 0}, with_dt(1e-2));
  for (int k = 0; k < 1000; ++k) ASSERT_EQ(run.step(), StepStatus::done);
  EXPECT_LT(run.ledger().impact, -1);
  EXPECT_NEAR(run.totals().lasting_work, 0, 1e-12);
}

// A point that a spring presses on a support, which goes up and down and in between stops at once.
struct Follower : mechanics::MinimalCoordinates<1, 1> {
  double e = 5e-3, w = 80, k = 8000, stops = 1e9;
  static void mass(const Position&, double, MassMatrix& M) { M(0, 0) = 1; }
  void force(const Position& q, const Velocity&, double, Velocity& h) const { h[0] = -9.81 - k * q[0]; }
  double potential_energy(const Position& q, double) const { return 9.81 * q[0] + 0.5 * k * q[0] * q[0]; }
  double support(double t) const { return e * (1 - std::cos(w * (t < stops ? t : stops))); }
  void gaps(const Position& q, double t, Gaps& gap) const { gap[0] = q[0] - support(t); }
  void directions(int, const Position&, double t, Directions& d) const {
    d.w_N[0] = 1;
    d.w_T[0] = 0;
    d.w_hat_N = t < stops ? -e * w * std::sin(w * t) : 0;
  }
  static contact::Law law(int) { return {0, 0.3, 0}; }
};

TEST(Events, ASupportThatAcceleratesMakesNoImpacts) {
  // Its acceleration is up to 3.3 times what forces do at the bottom; at the top the spring holds the point down.
  for (double dt : {1e-3, 1e-4, 1e-5}) {
    Integration<Follower> run(Follower{}, {0}, {0}, with_dt(dt));
    int impacts = 0;
    for (int k = 0; k < static_cast<int>(0.3 / dt); ++k) {
      ASSERT_EQ(run.step(), StepStatus::done);
      for (int e = 0; e < run.events().count; ++e) impacts += run.events().list[e].kind == EventKind::impact ? 1 : 0;
    }
    EXPECT_EQ(impacts, 0) << dt;
    EXPECT_EQ(run.totals().energy_gain_steps, 0) << dt;
    EXPECT_EQ(run.totals().jam_steps, 0) << dt;
  }
}

TEST(Events, ASupportWhoseVelocityJumpsIsHit) {
  // It stops where it moves down with 0.4 m/s: the point, which has followed it, rebounds with 0.3 of that.
  Follower system;
  system.stops = 1.5 * M_PI / system.w;
  Integration<Follower> run(system, {0}, {0}, with_dt(1e-5));
  while (run.time() < system.stops - 1e-3) ASSERT_EQ(run.step(), StepStatus::done);
  while (run.state().u[0] < 0.1) {
    ASSERT_LT(run.time(), system.stops + 1e-3);
    ASSERT_EQ(run.step(), StepStatus::done);
  }
  EXPECT_NEAR(run.state().u[0], 0.3 * 0.4, 1e-3);
  ASSERT_EQ(run.events().count, 1);  // at once
  EXPECT_EQ(run.events().list[0].kind, EventKind::lift_off);
}

TEST(Start, ContradictionsAreRefused) {
  const auto start = [](const tests::Block& block, tests::Block::Position q) {
    Integration<tests::Block>(block, q, {0, 0}, with_dt(1e-3));
  };
  tests::Block block;
  EXPECT_NO_THROW(start(block, {0, 1}));
  EXPECT_THROW(start(block, {0, NAN}), InputError);
  EXPECT_THROW(start(block, {0, 1e200}), InputError);
  for (const contact::Law& law : {contact::Law{-1, 0, 0}, {NAN, 0, 0}, {0.1, 2, 0}, {0.1, -0.1, 0}, {0.1, 0, 1.5}}) {
    block.contact_law = law;
    EXPECT_THROW(start(block, {0, 1}), InputError);
  }
  struct Upside : tests::Block {
    void directions(int, const Position&, double, Directions& d) const {
      d.w_N = {0, -1};  // the gap grows with y
      d.w_T = {1, 0};
    }
  };
  EXPECT_THROW(Integration<Upside>(Upside{}, {0, 1}, {0, 0}, with_dt(1e-3)), InputError);
  EXPECT_THROW(run::SystemSimulation<tests::Block>(tests::Block{}, {0, 1}, {0, 0}, with_dt(1e-3), {0}), InputError);
}

TEST(Options, AreValidated) {
  for (double dt : {0.0, -1.0, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    EXPECT_THROW(Integration<Woodpecker>(Woodpecker{}, Woodpecker::table_q0(), Woodpecker::table_u0(), with_dt(dt)),
                 InputError);
  }
  options::StepOptions o;
  o.tolerance = 0;
  EXPECT_THROW(o.validate(), InputError);
  o = {};
  o.active_gap = -1;
  EXPECT_THROW(o.validate(), InputError);
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

// A step with one contact that has these velocities before and after, and this impulse.
struct StepOfOneContact {
  static constexpr int contact_rows = 2;
  MotionScale scale_;
  double velocity = 0, Lambda = 0, v_ref_ = 0;

  double time() const { return 0; }
  double dt() const { return 1e-3; }
  double v_ref() const { return v_ref_; }
  double residual() const { return 0; }
  const MotionScale& scale() const { return scale_; }
  int contacts() const { return 1; }
  int contact(int) const { return 0; }
  double gap(int) const { return 0; }
  double rho_inv(int) const { return 1; }
  StepRow row(int, int k) const { return k == 0 ? StepRow{Lambda, velocity, velocity, 0, 0, 0} : StepRow{}; }
  double within(int) const { return 0; }
  double work_of_support(int) const { return 0; }
  ContactSeen in_collision(int) const { return {}; }
  double pressing(int) const { return 0; }
  ContactChange change(int) const { return {}; }
  double lasting_work(int) const { return 0; }
  int elements() const { return 0; }
  int element_number(int) const { return 0; }
  contact::ElementLaw element_law(int) const { return {}; }
  StepRow element(int) const { return {}; }
  int constraints() const { return 0; }
  double reaction(int) const { return 0; }
  double drive_speed(int) const { return 0; }
  double kinetic_energy() const { return 0; }
  double potential_energy() const { return 0; }
  void judge_laws(EnergyGain&) const {}
  bool has_rows() const { return true; }
  mechanics::TouchingShapes touching(int) const { return {}; }
  ContactInStep recorded_contact(int) const { return {}; }
  ElementInStep recorded_element(int) const { return {}; }
  ReactionInStep recorded_reaction(int) const { return {}; }
};

// What impulses of round-off do is no gain of energy, however the velocities before and after look; a gain is one also
// where the run was fast before.
TEST(Ledger, RoundOffIsNoGain) {
  StepOfOneContact step;
  step.scale_.note(1);
  const auto gained = [&](double velocity, double Lambda) {
    Ledger ledger;
    step.v_ref_ = step.scale_.reference(velocity);
    step.velocity = velocity;
    step.Lambda = Lambda;
    return may_be_gain(step, book_contacts(step, true, ledger));
  };
  EXPECT_TRUE(gained(1e-3, 2e-3));
  EXPECT_TRUE(gained(1e-9, 2e-9));
  EXPECT_FALSE(gained(1e-15, 2e-15));
  EXPECT_FALSE(gained(1e-17, 3e-17));
}

TEST(Simulation, RecordsEveryNthStepAndAllEvents) {
  const auto run = [](std::int64_t every) {
    run::RecordingOptions options;
    options.every = every;
    run::SystemSimulation<Woodpecker> simulation(Woodpecker{}, Woodpecker::table_q0(), Woodpecker::table_u0(),
                                                 with_dt(1e-4), options);
    run::Recording recording;
    EXPECT_TRUE(simulation.advance(1000, recording));
    EXPECT_TRUE(simulation.advance(1000, recording));
    return recording;
  };
  const run::Recording all = run(1), thin = run(10);
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
