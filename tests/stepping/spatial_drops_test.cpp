// Which contacts act in a step in space: bodies that fall, fly past each other, and rest.
#include <cmath>

#include "spatial_scene.hpp"

namespace picus::stepping {
namespace {

using namespace tests;

constexpr double r = 0.1;

SpatialLaw friction_of(double mu) {
  SpatialLaw law;
  law.mu = mu;
  return law;
}

// The floor z = 0.
Scene over_floor(double mu = 0.3) {
  Scene scene;
  scene.parts.gravity = {0, 0, -g};
  scene.parts.bodies.push_back(fixed_body("floor", SpatialShape::half_space(Vector3d::Zero(), {0, 0, 1})));
  scene.all_touch(friction_of(mu));
  return scene;
}

double fastest(const SpatialIntegration& run) {
  double most = 0;
  for (const SpatialVector& u : run.u()) most = std::max(most, u.v.norm());
  return most;
}

// The largest speed upwards from the first contact on.
double rebound(SpatialIntegration& run, double end) {
  double most = 0;
  while (run.time() < end) {
    EXPECT_EQ(run.step(), StepStatus::done);
    for (const SpatialVector& u : run.u()) most = std::max(most, u.v.z());
  }
  return most;
}

struct Variant {
  options::Method method;
  bool velocity_form;
};
constexpr Variant inelastic[] = {{options::Method::stewart_trinkle, false},
                                 {options::Method::stewart_trinkle, true},
                                 {options::Method::tzitzouris_pang, false}};

TEST(SpatialDrops, ABallStaysWhereItFallsAtAnyPhaseOfTheStep) {
  for (const Variant& v : inelastic) {
    for (double dt : {1e-2, 1e-3, 1e-4}) {
      for (int phase = 0; phase < 100; ++phase) {
        Scene scene = over_floor();
        scene.add(ball(1, r), {0, 0, r + 0.05 + 0.01 * phase * dt}, {{0.3, 0, 0}, {0, 0, 0}});
        SpatialIntegration run = scene.run({.dt = dt, .method = v.method, .velocity_form = v.velocity_form});
        ASSERT_LT(rebound(run, v.velocity_form ? 0.25 : 0.115 + 4 * dt), 1e-11) << "dt " << dt << ", phase " << phase;
        ASSERT_LT(std::abs(run.u()[0].v.z()), 1e-11);
        ASSERT_EQ(run.touches().size(), 1u);
        // The velocity form stops the ball above the floor, and lets it sink by what gravity does in a step.
        ASSERT_LT(run.totals().worst_penetration, v.velocity_form ? g * dt * dt : 1e-14);
        expect_certified(run);
      }
    }
  }
}

// One above the other, with gaps; and side by side, touching, the middle one larger.
TEST(SpatialDrops, SoDoGroupsOfBalls) {
  for (options::Method method : {options::Method::stewart_trinkle, options::Method::tzitzouris_pang}) {
    for (double dt : {1e-2, 1e-3, 1e-4}) {
      for (int phase = 0; phase<100; phase += dt> 1e-3 ? 1 : dt > 1e-4 ? 4 : 25) {
        const double h = 0.05 + 0.01 * phase * dt;
        Scene column = over_floor(), row = over_floor();
        for (int i = 0; i < 3; ++i) {
          SpatialBody b = ball(1 + i, r);
          b.name = "b" + std::to_string(i);
          column.add(b, {0, 0, h + r + i * (2 * r + (1 + i) * 0.003)});
          b = ball(1 + i, i == 1 ? 1.5 * r : r);
          b.name = "b" + std::to_string(i);
          row.add(b, {(i - 1) * std::sqrt(6.0) * r, 0, h + (i == 1 ? 1.5 * r : r)});
        }
        for (const Scene* scene : {&column, &row}) {
          SpatialIntegration run = scene->run({.dt = dt, .method = method});
          ASSERT_LT(rebound(run, 0.15 + 6 * dt), 1e-11) << "dt " << dt << ", phase " << phase;
          ASSERT_LT(fastest(run), 1e-9);
          ASSERT_LT(run.totals().worst_penetration, 1e-14);
          ASSERT_EQ(run.totals().certified_steps, run.totals().steps);
        }
      }
    }
  }
}

// Inelastic balls that fall on each other never gain energy.
TEST(SpatialDrops, AHeapLosesEnergyInEveryStep) {
  for (double dt : {1e-2, 2e-3}) {
    Scene scene = over_floor(0.4);
    for (int i = 0; i < 8; ++i) {
      SpatialBody b = ball(1, i % 2 == 0 ? r : 0.8 * r);
      b.name = "b" + std::to_string(i);
      scene.add(b, {0.15 * (i % 2) + 0.01 * std::sin(i), 0.15 * (i / 2 % 2) + 0.01 * std::cos(3 * i), 0.3 + 0.13 * i});
    }
    SpatialIntegration run = scene.run({.dt = dt, .method = options::Method::stewart_trinkle});
    double energy = run.kinetic_energy() + run.potential_energy();
    while (run.time() < 1) {
      ASSERT_EQ(run.step(), StepStatus::done);
      const double now = run.kinetic_energy() + run.potential_energy();
      ASSERT_LT(now, energy + 1e-10) << "t = " << run.time();
      energy = now;
    }
    expect_certified(run);
    EXPECT_LT(run.totals().worst_penetration, 1e-13);
  }
}

TEST(SpatialDrops, ABallAtRestStays) {
  for (const Variant& v : inelastic) {
    for (double dt : {1e-1, 1e-3}) {
      Scene scene = over_floor();
      scene.add(ball(1, r), {0.1, 0.2, r});
      SpatialIntegration run = scene.run({.dt = dt, .method = v.method, .velocity_form = v.velocity_form});
      for (int k = 0; k < 200; ++k) {
        ASSERT_EQ(run.step(), StepStatus::done);
        ASSERT_LT(fastest(run), 1e-15);
      }
      EXPECT_EQ(run.totals().contact_steps, 200);
    }
  }
}

// As the methods look at a gap when a step begins: the first contact is an overlap, and the next step takes it out of
// the positions (what `by_gap` keeps for those who ask for it).
TEST(SpatialDrops, ContactsByGapRebound) {
  Scene scene = over_floor();
  scene.add(ball(1, r), {0, 0, 1 + r});
  double least = 1, most = 0;
  for (double dt : {1e-2, 1e-3, 1e-4}) {
    SpatialIntegration run = scene.run({.dt = dt, .method = options::Method::stewart_trinkle, .by_gap = true});
    const double speed = rebound(run, 0.46) / std::sqrt(2 * g);
    least = std::min(least, speed);
    most = std::max(most, speed);
  }
  EXPECT_NEAR(least, 0.26, 0.01);
  EXPECT_NEAR(most, 0.976, 0.002);
}

TEST(SpatialDrops, AShotMeetsABallOnItsWayHoweverFast) {
  for (double speed : {10.0, 1e3, 1e6}) {
    Scene scene;
    SpatialBody shot = ball(1, 0.01);
    shot.name = "shot";
    scene.add(shot, {-0.5, 0, 0}, {{speed, 0, 0}, {0, 0, 0}});
    scene.add(ball(1, 0.1), {0, 0, 0});
    scene.all_touch(friction_of(0));
    SpatialIntegration run = scene.run({.dt = 0.1, .method = options::Method::stewart_trinkle});
    make_steps(run, 3);
    EXPECT_NEAR(run.u()[0].v.x() / speed, 0.5, 1e-12);
    EXPECT_NEAR(run.u()[1].v.x() / speed, 0.5, 1e-12);
  }
}

// A gap over its tangent: at the start it seems to close, but the shot passes at twice the distance that contact needs.
TEST(SpatialDrops, AShotThatPassesBySeesNothing) {
  Scene scene;
  SpatialBody shot = ball(1, 0.01);
  shot.name = "shot";
  scene.add(shot, {-0.5, 0.22, 0}, {{100, 0, 0}, {0, 0, 0}});
  scene.add(ball(1, 0.1), {0, 0, 0});
  scene.all_touch(friction_of(0.3));
  SpatialIntegration run = scene.run({.dt = 0.1, .method = options::Method::stewart_trinkle});
  make_steps(run, 3);
  EXPECT_EQ(run.u()[0].v, Vector3d(100, 0, 0));
  EXPECT_EQ(run.u()[1].v, Vector3d(0, 0, 0));
  EXPECT_EQ(run.totals().contact_steps, 0);
}

// Six balls that touch: the velocities of the first solution close one contact more at a time.
TEST(SpatialDrops, AnImpactGoesThroughARowInOneStep) {
  Scene scene;
  for (int i = 0; i < 7; ++i) {
    SpatialBody b = ball(1, r);
    b.name = "b" + std::to_string(i);
    const bool is_first = i == 0;
    scene.add(b, {0.2 * i + (is_first ? -0.05 : 1e-6 * i), 0, 0}, {{is_first ? 7.0 : 0.0, 0, 0}, {0, 0, 0}});
  }
  scene.all_touch(friction_of(0));
  SpatialIntegration run = scene.run({.dt = 0.02, .method = options::Method::stewart_trinkle});
  make_steps(run, 2);
  for (const SpatialVector& u : run.u()) EXPECT_NEAR(u.v.x(), 1, 1e-12);
}

// A rod of two balls rolls over its end and comes to rest on both. What a step misses of a gap is made good by the
// next.
TEST(SpatialDrops, ContactsThatStayClosedCloseTheirGap) {
  for (double mu : {0.5, 2.0}) {
    constexpr double end = 1e-3, angle = 1.1071487177940904;  // atan 2
    Scene scene = over_floor(mu);
    SpatialBody rod;
    rod.name = "rod";
    rod.inertia = {1e-3, 1.0 / 3, 1.0 / 3};
    for (double side : {-1.0, 1.0}) rod.shapes.push_back(SpatialShape::sphere({side, 0, 0}, end));
    scene.add(rod, {0, 0, end + std::sin(angle)}, {}, Quaterniond(Eigen::AngleAxisd(-angle, Vector3d::UnitY())));
    SpatialIntegration run = scene.run({.dt = 2e-3});
    for (int k = 0; k < 1000; ++k) {
      ASSERT_EQ(run.step(), StepStatus::done);
      for (const SpatialIntegration::Touch& touch : run.touches()) {
        if (touch.Lambda[0] > 0) {
          ASSERT_LT(touch.gap, 2e-7) << "t = " << run.time();
        }
      }
    }
    ASSERT_EQ(run.touches().size(), 2u);
    EXPECT_LT(fastest(run), 1e-9);
    EXPECT_LT(run.touches()[0].gap, 1e-12);
    expect_certified(run);
  }
}

// Painlevé's rod (models/painleve-rod.yaml) of two small balls: it slides, no force keeps it on the floor, and it jams.
TEST(SpatialFindings, AnImpulseWithoutACollisionIsTold) {
  constexpr double end = 1e-3, angle = 1.1071487177940904;
  for (double turn : {0.0, 0.7}) {  // about the normal
    Scene scene = over_floor(2);
    SpatialBody rod;
    rod.name = "rod";
    rod.inertia = {1e-3, 1.0 / 3, 1.0 / 3};
    for (double side : {-1.0, 1.0}) rod.shapes.push_back(SpatialShape::sphere({side, 0, 0}, end));
    const Quaterniond about(Eigen::AngleAxisd(turn, Vector3d::UnitZ()));
    scene.add(rod, {0, 0, end + std::sin(angle)}, {about * Vector3d(-1, 0, 0), {0, 0, 0}},
              about * Quaterniond(Eigen::AngleAxisd(-angle, Vector3d::UnitY())));
    SpatialIntegration run = scene.run({.dt = 1e-4});
    ASSERT_EQ(run.step(), StepStatus::done);
    ASSERT_EQ(run.events().size(), 2u);
    EXPECT_EQ(run.events()[0].kind, EventKind::jam);
    EXPECT_EQ(run.events()[1].kind, EventKind::stick);
    EXPECT_EQ(run.totals().jam_steps, 1);
    EXPECT_NEAR(run.totals().first_jam.Lambda_N, 0.3008, 1e-3);
    EXPECT_NEAR(run.totals().first_jam.coefficient, -0.8, 0.01);
    make_steps(run, 5000);
    EXPECT_EQ(run.totals().jam_steps, 1);
  }
}

// A ball that circles in a fixed hollow sphere: no force acts, and the contact that stays closed should do no work.
TEST(SpatialFindings, LastingContactsThatTakeEnergyAreTold) {
  const auto circling = [](options::Method method) {
    Scene scene;
    scene.parts.bodies.push_back(fixed_body("bowl", SpatialShape::hollow_sphere(Vector3d::Zero(), 1 + r)));
    scene.all_touch(friction_of(0));
    scene.add(ball(1, r), {1, 0, 0}, {{0, 1, 0}, {0, 0, 0}});
    SpatialIntegration run = scene.run({.dt = 1e-2, .method = method});
    make_steps(run, 10000);
    EXPECT_NEAR(run.totals().lasting_work, run.ledger().impact, 1e-3) << static_cast<int>(method);
    return run.totals().lasting_work;
  };
  EXPECT_NEAR(circling(options::Method::tzitzouris_pang), -1.0 / 3, 1e-3);
  for (options::Method method : {options::Method::moreau_midpoint, options::Method::stewart_trinkle})
    EXPECT_NEAR(circling(method), 0, 1e-4);
}

// Impacts are no work of lasting contacts, also where on position level they take two steps.
TEST(SpatialFindings, ImpactsAreNotTheWorkOfLastingContacts) {
  for (options::Method method :
       {options::Method::moreau_midpoint, options::Method::stewart_trinkle, options::Method::tzitzouris_pang}) {
    Scene scene = over_floor();
    for (double z : {r, 3 * r, 1.0, 2.0}) scene.add(ball(1, r), {0.01 * z, 0.005 * z, z});
    SpatialIntegration run = scene.run({.dt = 1e-3, .method = method});
    make_steps(run, 2000);
    EXPECT_LT(run.ledger().impact, -20) << static_cast<int>(method);
    EXPECT_NEAR(run.totals().lasting_work, 0, 1e-2) << static_cast<int>(method);
  }
}

// What is left of a fast motion is round-off: no gain of energy.
TEST(SpatialFindings, RoundOffOfAFastMotionIsNoGain) {
  Scene scene;
  scene.parts.bodies.push_back(fixed_body("wall", SpatialShape::half_space(Vector3d::Zero(), {0.3, 0.7, 0.4})));
  scene.all_touch(friction_of(5));
  scene.add(ball(1, r), {0.1, 0.23, 0.14}, {{-301, -702.7, -400.3}, {0, 0, 0}});
  SpatialIntegration run = scene.run({.dt = 1e-4, .method = options::Method::tzitzouris_pang});
  make_steps(run, 100);
  EXPECT_EQ(run.totals().energy_gain_steps, 0);
  EXPECT_GT(run.totals().largest_turnover, 1e5);
}

// A contact that is struck through another one has an impact, as in the plane.
TEST(SpatialFindings, AContactThatIsStruckHasAnImpact) {
  for (options::Method method :
       {options::Method::moreau_midpoint, options::Method::stewart_trinkle, options::Method::tzitzouris_pang}) {
    Scene scene;
    scene.all_touch(friction_of(0.3));
    scene.add(ball(1, r), {-0.25, 0, 0}, {{1, 0, 0}, {0, 0, 0}});
    for (double x : {0.0, 2 * r}) scene.add(ball(1, r), {x, 0, 0});
    SpatialIntegration run = scene.run({.dt = 1e-3, .method = method});
    int impacts = 0;
    for (int k = 0; k < 60; ++k) {
      ASSERT_EQ(run.step(), StepStatus::done);
      for (const Event& e : run.events()) impacts += e.kind == EventKind::impact ? 1 : 0;
    }
    EXPECT_EQ(impacts, 2) << static_cast<int>(method);
  }
}

TEST(SpatialFindings, CollisionsAndRestAreNoJams) {
  for (options::Method method :
       {options::Method::moreau_midpoint, options::Method::stewart_trinkle, options::Method::tzitzouris_pang}) {
    Scene scene = over_floor(2);
    scene.add(ball(1, r), {0, 0, r + 0.01}, {{3, 0, 0}, {0, 5, 9}});
    SpatialIntegration run = scene.run({.dt = 1e-3, .method = method});
    make_steps(run, 300);
    EXPECT_EQ(run.totals().jam_steps, 0);
  }
}

}  // namespace
}  // namespace picus::stepping
