// Rules on plain numbers that all kernels ask, and where kernels in space had others.
#include "picus/stepping/certificate_rules.hpp"
#include "picus/stepping/contact_rules.hpp"
#include "picus/stepping/event_order.hpp"
#include "picus/stepping/friction_rules.hpp"
#include "picus/stepping/impact_rules.hpp"
#include "spatial_scene.hpp"

namespace picus::stepping::tests {
namespace {

using contact::ContactState;

TEST(CertificateRules, DisplacementsAreNoVelocities) {
  EXPECT_EQ(free_velocity(1, -0.25, 1e6, true), 0.75);
  EXPECT_EQ(free_velocity(1, -0.25, 0.5, false), 1.25);
}

TEST(CertificateRules, NumbersThatAreNoneAreNoReference) {
  MotionScale scale;
  double v_ref = 0;
  EXPECT_TRUE(take_reference(2, scale, v_ref));
  EXPECT_EQ(v_ref, 2);
  EXPECT_TRUE(take_reference(0, scale, v_ref));
  EXPECT_EQ(v_ref, round_off_share * 2);
  EXPECT_FALSE(take_reference(std::nan(""), scale, v_ref));
  EXPECT_FALSE(take_reference(1e200, scale, v_ref));
}

TEST(CertificateRules, ABlockIsJudgedByVrefAndByItsRoundOff) {
  MotionScale scale;
  Judgement all;
  EXPECT_TRUE(all.passes(1e-9, 1e-8));
  EXPECT_FALSE(all.passes(1e-7, 1e-8));
  EXPECT_FALSE(all.passes(std::nan(""), 1e-8));
  all.judge(1e-7, 1e8, 0, 3, 1e-8, 1, scale);  // round-off of 1e8 m/s
  EXPECT_TRUE(all.certified());
  EXPECT_LE(all.residual(1), 1e-8);
  all.judge(1e-6, 1, 0, 4, 1e-8, 1, scale);
  all.judge(1e-7, 1, 0, 5, 1e-8, 1, scale);
  EXPECT_FALSE(all.certified());
  EXPECT_EQ(all.missed, 4);
  EXPECT_NEAR(all.residual(1), 1e-6, 1e-11);
  Judgement none;
  none.judge(std::nan(""), 1, 0, 2, 1e-8, 1, scale);
  EXPECT_FALSE(none.certified());
  EXPECT_NE(none.residual(1), none.residual(1));
}

TEST(CertificateRules, PoorAnswersOnlyWhereNoSolverProvesThatThereIsNone) {
  EXPECT_TRUE(is_tolerable(false, 1e-5, true));
  EXPECT_FALSE(is_tolerable(false, 1e-3, true));
  EXPECT_TRUE(is_tolerable(false, 1e-3, false));
  EXPECT_FALSE(is_tolerable(false, 0.6, false));
  EXPECT_FALSE(is_tolerable(false, std::nan(""), false));
  EXPECT_TRUE(is_tolerable(true, std::nan(""), true));
}

TEST(ContactRules, RestitutionOfWhatForcesDoIsNoRebound) {
  EXPECT_EQ(closed_up_to(0.5, 0.01, 1e-9, 1e-3), 0.5 * 0.01 + 1e-9);
  EXPECT_EQ(closed_up_to(0.5, 0.01, 1e-9, 0), 1e-9);  // a blow comes back at once
  EXPECT_EQ(closed_state(ContactState::slip_negative, 0.3, 1e-12, 1e-9), ContactState::stick);
  EXPECT_EQ(closed_state(ContactState::slip_negative, 0, 1e-12, 1e-9), ContactState::slip_negative);
  EXPECT_EQ(closed_state(ContactState::open, 0.3, 0, 1e-9), ContactState::open);
}

TEST(ContactRules, StruckThroughOthers) {
  StepMeasure step{0.01, 0, 1, 0, 1e-3};
  const auto struck = [&](double taken, std::int64_t open_steps = 100) {
    return is_struck(ClosingContact{0, 0.01, taken, open_steps}, step);
  };
  EXPECT_FALSE(struck(0.6));  // a tower that comes to rest
  EXPECT_TRUE(struck(1.1));
  step.collision = 1;
  EXPECT_TRUE(struck(0.6));
  EXPECT_FALSE(struck(0.6, 4));
  EXPECT_FALSE(struck(0.05));
  step.collision = 0.02;  // within what forces do: tells nothing
  EXPECT_FALSE(struck(0.6));
  step.dt = 0;
  EXPECT_TRUE(struck(1e-6));
}

std::vector<EventKind> events_of(const ContactChange& change, const StepMeasure& step) {
  std::vector<EventKind> list;
  report_change(change, step, [&](EventKind kind, double) { list.push_back(kind); });
  return list;
}

TEST(ContactRules, EventsOfAContact) {
  using Kinds = std::vector<EventKind>;
  const StepMeasure step{0.01, 0, 1, 0, 1e-3};
  const ClosingContact hits{1, 0.01, 1, 100}, lies{0, 0.01, 0.01, 100}, flutters{0.05, 0.01, 0.1, 4};
  constexpr auto open = ContactState::open, stick = ContactState::stick, slip = ContactState::slip_positive;
  EXPECT_EQ(events_of({open, slip, false, 1, hits}, step), (Kinds{EventKind::impact, EventKind::slip}));
  EXPECT_EQ(events_of({open, open, false, 1, hits}, step), (Kinds{EventKind::impact}));
  EXPECT_EQ(events_of({open, stick, false, 1, lies}, step), (Kinds{EventKind::touch, EventKind::stick}));
  EXPECT_EQ(events_of({open, stick, false, 1, flutters}, step), (Kinds{EventKind::touch, EventKind::stick}));
  EXPECT_EQ(events_of({open, open, false, 1, lies}, step), (Kinds{}));
  EXPECT_EQ(events_of({slip, slip, true, 1, lies}, step), (Kinds{EventKind::jam}));
  EXPECT_EQ(events_of({slip, open, false, 0, {}}, step), (Kinds{EventKind::lift_off}));
  EXPECT_EQ(events_of({slip, stick, false, 1, lies}, step), (Kinds{EventKind::stick}));
  EXPECT_EQ(events_of({slip, ContactState::slip_negative, false, 1, lies}, step), (Kinds{}));
}

// Solve and read off, with a solution whose speed is 2 − 3 μ: the fixed point of μ(v).
TEST(FrictionRules, TheSearchEndsAtTheFixedPoint) {
  contact::Law law;
  law.mu = 0.5;
  law.mu_inf = 0.2;
  law.v_s = 0.4;
  FrictionSearch search;
  double mu = 0.5;
  char holds = 1;
  bool settled = false;
  for (int round = 0; round < FrictionSearch::rounds && !settled; ++round) {
    search.begin();
    const double next = search.ask(7, law, mu, holds, 1, 1, 2 - 3 * mu, 1);
    settled = search.end(1);
    if (!settled) mu = search.moved(mu, next);
  }
  EXPECT_TRUE(settled);
  EXPECT_TRUE(search.released);
  EXPECT_EQ(search.worst, 7);
  EXPECT_NEAR(mu, contact::sliding_mu(law, 2 - 3 * mu), 1e-12);
}

TEST(ImpactRules, WhoIsInAnImpact) {
  EXPECT_TRUE(is_in_impact(changes(1e-3, 1, 1), 1e-3, 1));
  EXPECT_FALSE(is_in_impact(changes(1e-3, 1, 1), 0, 1));
  EXPECT_FALSE(changes(1e-10, 1, 1));
  EXPECT_FALSE(changes(1e-8, 1e5, 1));  // round-off of large velocities
  EXPECT_EQ(share_before(ForcesBefore::half, true, 1e-3), 0.5);
  EXPECT_EQ(share_before(ForcesBefore::half, false, 1e-3), 0);
  EXPECT_EQ(share_before(ForcesBefore::none, false, 0), 1);  // a blow is a part of it
}

// Three balls in a row on the floor: the first hits, and the blow goes on to the contact of the others.
TEST(SpatialEvents, ABlowThatGoesThroughABallIsAnImpact) {
  for (const double dt : {1e-3, 1e-2}) {
    for (const options::Method method :
         {options::Method::moreau_midpoint, options::Method::moreau_jean, options::Method::stewart_trinkle}) {
      SCOPED_TRACE(dt);
      Scene scene;
      scene.add(ball(1, 0.1), {-0.45, 0, 0.1}, {{1, 0, 0}, {0, 0, 0}});
      scene.add(ball(1, 0.1), {0, 0, 0.1});
      scene.add(ball(1, 0.1), {0.2, 0, 0.1});
      scene.parts.bodies.push_back(fixed_body("floor", SpatialShape::half_space(Vector3d::Zero(), {0, 0, 1})));
      scene.parts.gravity = {0, 0, -g};
      scene.all_touch({});
      SpatialIntegration run = scene.run({.dt = dt, .method = method});
      int impacts = 0;
      for (int k = 0; k * dt < 0.275; ++k) {
        ASSERT_EQ(run.step(), StepStatus::done);
        int last = -1;
        for (const Event& event : run.events()) {
          EXPECT_GE(event.contact, last);  // by contact
          last = event.contact;
          EXPECT_FALSE(run.time() > 0.2 && event.kind == EventKind::touch) << "at t = " << run.time();
          impacts += event.kind == EventKind::impact ? 1 : 0;
        }
      }
      EXPECT_EQ(impacts, 2);
    }
  }
}

TEST(SpatialEvents, ComeByContact) {
  for (const int count : {5, 200}) {  // few are sorted in place
    std::vector<Event> list;
    for (int i = 0; i < count; ++i) {
      list.push_back({(i * 7) % count, EventKind::impact, 0});
      list.push_back({(i * 7) % count, EventKind::slip, 0});
    }
    sort_by_contact(list);
    for (std::size_t i = 0; i < list.size(); ++i) {
      EXPECT_EQ(list[i].contact, static_cast<int>(i / 2));
      EXPECT_EQ(list[i].kind, i % 2 == 0 ? EventKind::impact : EventKind::slip);
    }
  }
}

// One ball on the floor is solved by itself: by a formula, and by no states or enumeration.
TEST(SpatialSolvedBy, OneContactIsAClosedForm) {
  Scene scene;
  SpatialLaw law;
  law.mu = 0.3;
  scene.add(ball(), {0, 0, 1}, {{1, 0, 0}, {0, 0, 0}});
  scene.parts.bodies.push_back(fixed_body("floor", SpatialShape::half_space(Vector3d::Zero(), {0, 0, 1})));
  scene.parts.gravity = {0, 0, -g};
  scene.all_touch(law);
  SpatialIntegration run = scene.run({.dt = 1e-3});
  make_steps(run, 20);
  EXPECT_EQ(run.totals().solved_by[static_cast<int>(contact::SolvedBy::closed_form)], run.totals().contact_steps);
  EXPECT_GE(run.totals().contact_steps, 19);
}

// A start impact that nobody solved ends the run, like a step.
TEST(SpatialStart, AnImpactThatIsNotSolvedEndsTheRun) {
  Scene scene;
  SpatialLaw law;
  law.mu = 0.3;
  for (int i = 0; i < 120; ++i) scene.add(ball(1, 0.1), {0.3 * i, 0, 0.1}, {{1, 0, -1}, {0, 0, 0}});
  scene.parts.bodies.push_back(fixed_body("floor", SpatialShape::half_space(Vector3d::Zero(), {0, 0, 1})));
  scene.all_touch(law);
  options::StepOptions options{.dt = 1e-3, .method = options::Method::stewart_trinkle};
  options.solver = contact::SolverChoice::lemke;  // whose tableau has no place for so many
  options.velocity_form = true;
  options.impact_at_start = true;
  SpatialIntegration run = scene.run(options);
  EXPECT_EQ(run.status(), StepStatus::solver_failed);
  EXPECT_EQ(run.u()[0].v.z(), -1);
  EXPECT_EQ(run.totals().uncertified_impacts, 0);
}

}  // namespace
}  // namespace picus::stepping::tests
