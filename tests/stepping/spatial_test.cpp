// Bodies in space against closed forms, an event-driven computation (tests/oracle/spheres_reference.py) and themselves.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "allocation_counter.hpp"
#include "picus/support/error.hpp"
#include "spatial_scene.hpp"

namespace picus::stepping {
namespace {

using contact::FrictionSet;
using namespace tests;

constexpr options::Method all_methods[] = {options::Method::moreau_midpoint, options::Method::moreau_jean,
                                           options::Method::stewart_trinkle, options::Method::tzitzouris_pang};

FrictionSet directions_of_the_report(double e_r) {
  const double latitude = std::atan(std::tan(0.5) / e_r), pole = std::numbers::pi / 2;
  const contact::LatitudeCircle circles[] = {{pole, 1}, {latitude, 5}, {0, 8}, {-latitude, 5}, {-pole, 1}};
  return FrictionSet::hull(
      contact::ellipsoid_directions({1, 1, e_r}, std::span<const contact::LatitudeCircle>(circles)));
}

SpatialLaw law_of(double mu, double e_r) {
  SpatialLaw law;
  law.mu = mu;
  law.set = FrictionSet::ellipsoid(1, 1, e_r);
  law.polytope = directions_of_the_report(e_r);
  return law;
}

// A ball on the plane z = 0 (section 4.1 of the report).
Scene on_floor(const SpatialLaw& law, const SpatialVector& velocity) {
  Scene scene;
  scene.parts.gravity = {0, 0, -g};
  scene.parts.bodies.push_back(fixed_body("floor", SpatialShape::half_space(Vector3d::Zero(), {0, 0, 1})));
  scene.add(ball(), {0, 0, 1}, velocity);
  scene.all_touch(law);
  scene.parts.laws[0].tangent = {1, 1, 0};
  return scene;
}

// A ball between two fixed ones (section 4.2), everything turned by `turn`.
Scene in_groove(const Quaterniond& turn = Quaterniond(1, 0, 0, 0)) {
  constexpr double d = 11.4, y = (121 - 100 + d * d) / (2 * d);
  Scene scene;
  scene.parts.gravity = turn * Vector3d(1, 2.6, -g);
  SpatialPlacement second;
  second.x = turn * Vector3d(0, d, 0);
  scene.parts.bodies.push_back(fixed_body("ten", SpatialShape::sphere(Vector3d::Zero(), 10)));
  scene.parts.bodies.push_back(fixed_body("nine", SpatialShape::sphere(Vector3d::Zero(), 9), second));
  scene.add(ball(), turn * Vector3d(0, y, std::sqrt(121 - y * y)));
  scene.all_touch(law_of(0.2, 0.3));
  return scene;
}

TEST(SpatialSpheres, SpinDecaysLinearlyAndEnds) {
  for (options::Method method : all_methods) {
    SpatialIntegration run = on_floor(law_of(0.2, 0.4), {{0, 0, 0}, {0, 0, 1.962}}).run({.dt = 0.07, .method = method});
    for (int k = 1; k <= 17; ++k) {
      ASSERT_EQ(run.step(), StepStatus::done);
      const double exact = std::max(0.0, 1.962 * (1 - 0.07 * k));
      EXPECT_NEAR(run.u()[0].w.z(), exact, 1e-13) << "step " << k;
      EXPECT_NEAR(run.u()[0].v.norm() + run.u()[0].w.head<2>().norm(), 0, 1e-13);
      ASSERT_EQ(run.touches().size(), 1u);
      EXPECT_NEAR(run.touches()[0].Lambda[0], g * 0.07, 1e-13);
      if (k <= 14) {
        EXPECT_NEAR(run.touches()[0].Lambda[3], -0.2 * 0.4 * g * 0.07, 1e-13);
      }
      EXPECT_EQ(run.touches()[0].state, k <= 14 ? contact::ContactState::slip_positive : contact::ContactState::stick);
    }
    expect_certified(run);
  }
}

TEST(SpatialSpheres, SlidingTurnsIntoRolling) {
  for (options::Method method : all_methods) {
    SpatialIntegration run = on_floor(law_of(0.2, 0.4), {{2, 0, 0}, {0, 0, 0}}).run({.dt = 0.12, .method = method});
    make_steps(run, 2);
    EXPECT_NEAR(run.u()[0].v.x(), 2 - 0.2 * g * 0.24, 1e-13);
    EXPECT_NEAR(run.u()[0].w.y(), 2.5 * 0.2 * g * 0.24, 1e-13);
    // The report's frame lies at 45°: friction along −x has equal parts along −t and o.
    EXPECT_NEAR(run.touches()[0].Lambda[1], -0.2 * g * 0.12 / std::sqrt(2), 1e-13);
    EXPECT_NEAR(run.touches()[0].Lambda[2], 0.2 * g * 0.12 / std::sqrt(2), 1e-13);
    make_steps(run, 3);
    EXPECT_NEAR(run.u()[0].v.x(), 10.0 / 7, 1e-13);
    EXPECT_NEAR(run.u()[0].w.y(), 10.0 / 7, 1e-13);
    EXPECT_NEAR(run.u()[0].v.y() + run.u()[0].w.x() + run.u()[0].w.z(), 0, 1e-13);
    expect_certified(run);
  }
}

// Directions at 45°, 165° and 285°: none is −x, and friction is a mixture of two, with a part of the full force.
TEST(SpatialSpheres, ThreeDirectionsGiveLessFriction) {
  SpatialLaw law = law_of(0.2, 0.4);
  law.set = FrictionSet::disk();
  law.polytope = FrictionSet::hull(contact::ellipse_directions(1, 1, 3));
  SpatialIntegration run =
      on_floor(law, {{2, 0, 0}, {0, 0, 0}}).run({.dt = 0.01, .method = options::Method::stewart_trinkle});
  ASSERT_EQ(run.step(), StepStatus::done);
  // −x lies between 165° and 285°; the vertex nearest to it, at 165°, wins: it dissipates most.
  const double angle = 165 * std::numbers::pi / 180;
  EXPECT_NEAR(run.u()[0].v.x(), 2 + 0.2 * g * 0.01 * std::cos(angle), 1e-13);
  EXPECT_NEAR(run.u()[0].v.y(), 0.2 * g * 0.01 * std::sin(angle), 1e-13);
  make_steps(run, 99);
  expect_certified(run);
  EXPECT_NEAR(run.u()[0].v.x(), 10.0 / 7, 1e-12);
  EXPECT_NEAR(run.u()[0].v.y(), 0, 1e-12);
  EXPECT_EQ(run.touches()[0].state, contact::ContactState::stick);
}

TEST(SpatialSpheres, BowlingBallHooksAsComputedByEvents) {
  const SpatialVector start{{1, 0.2, 0}, {1, 0.5, 0.2}};
  Scene scene = on_floor(law_of(0.01, 0.2), start);
  scene.q[0].x.y() = 0.5;
  double last = 0;
  for (double dt : {4e-3, 2e-3}) {
    SpatialIntegration run = scene.run({.dt = dt});
    make_steps(run, std::lround(2 / dt));
    const Vector3d x = run.q()[0].x, v = run.u()[0].v, w = run.u()[0].w;
    const double error = (v - Vector3d(0.9246121873, 0.0190692495, 0)).norm() +
                         (w - Vector3d(0.5476731238, 0.6884695317, 0.1957589158)).norm();
    EXPECT_LT((x - Vector3d(1.9245946158, 0.7190270780, 1)).norm(), 1e-3 * dt);
    EXPECT_LT(error, 2e-3 * dt);
    if (last > 0) {
      EXPECT_NEAR(last / error, 2, 0.2);
    }
    last = error;
    double end = 0;
    while (run.time() < 8) {
      ASSERT_EQ(run.step(), StepStatus::done);
      for (const Event& e : run.events()) {
        if (e.kind == EventKind::stick) end = run.time();
      }
    }
    EXPECT_NEAR(end, 7.4360722323, 1.5 * dt);
    EXPECT_LT((run.u()[0].v - Vector3d(6.0 / 7, -1.0 / 7, 0)).norm(), 1e-12);
    expect_certified(run);
  }
}

struct Transitions {
  double slip = 0, first_opens = 0, second_opens = 0;
};

Transitions follow_groove(SpatialIntegration& run, double end) {
  Transitions found;
  while (run.time() < end - 1e-9) {
    EXPECT_EQ(run.step(), StepStatus::done);
    for (const Event& e : run.events()) {
      const bool first = run.system().contact_name(e.contact) == "ten/ball";
      if (run.time() < 1) continue;
      if (e.kind == EventKind::slip && !first) found.slip = run.time();
      if (e.kind == EventKind::lift_off) (first ? found.first_opens : found.second_opens) = run.time();
    }
  }
  return found;
}

TEST(SpatialGroove, TransitionsAndStatesAreThoseOfEvents) {
  for (options::Method method : {options::Method::moreau_midpoint, options::Method::tzitzouris_pang}) {
    constexpr double dt = 1e-3;
    SpatialIntegration run = in_groove().run({.dt = dt, .method = method});
    make_steps(run, 2000);
    const double order = method == options::Method::moreau_midpoint ? 5e-6 : 5e-3;
    EXPECT_LT((run.q()[0].x - Vector3d(1.2204796765, 6.6210526316, 8.6989707098)).norm(), 3 * order);
    EXPECT_LT((run.u()[0].v - Vector3d(1.5247725954, 0, -0.2139280641)).norm(), order);
    EXPECT_LT((run.u()[0].w - Vector3d(0.1022350959, 1.3525047001, 0.7286807982)).norm(), order);
    ASSERT_EQ(run.touches().size(), 2u);
    const Eigen::Vector4d first(2.3197715827, -0.4190578251, -0.0353892202, -0.0587814385),
        second(8.4571352874, -0.4616368081, 0.0826585362, 0.4071760558);
    EXPECT_LT((run.touches()[0].Lambda / dt - first).norm(), 1e-3);
    EXPECT_LT((run.touches()[1].Lambda / dt - second).norm(), 1e-3);
    const Transitions found = follow_groove(run, 4);
    EXPECT_NEAR(found.slip, 2.94480675774, 2 * dt);
    EXPECT_NEAR(found.first_opens, 3.2132058171, 2 * dt);
    EXPECT_NEAR(found.second_opens, 3.7016004172, 2 * dt);
    EXPECT_LT((run.q()[0].x - Vector3d(8.3661230648, 6.9675631129, 3.5003791251)).norm(), 5 * order);
    expect_certified(run);
    EXPECT_LT(run.totals().worst_penetration, 2e-5);
  }
}

TEST(SpatialGroove, BackwardEulerKeepsTheGapsClosedExactly) {
  SpatialIntegration run = in_groove().run({.dt = 0.1, .method = options::Method::tzitzouris_pang});
  make_steps(run, 28);
  ASSERT_EQ(run.touches().size(), 2u);
  for (const SpatialIntegration::Touch& touch : run.touches()) EXPECT_NEAR(touch.gap, 0, 1e-13);
  EXPECT_GT(run.solves(), 2);  // it is nonlinear
  expect_certified(run);
}

// With exact friction nothing depends on where the tangents point.
TEST(SpatialGroove, MotionTurnsWithTheWorld) {
  const Quaterniond turn = Quaterniond(0.3, -0.5, 0.7, 0.2).normalized();
  for (options::Method method :
       {options::Method::moreau_midpoint, options::Method::moreau_jean, options::Method::tzitzouris_pang}) {
    SpatialIntegration plain = in_groove().run({.dt = 0.02, .method = method}),
                       turned = in_groove(turn).run({.dt = 0.02, .method = method});
    for (int k = 0; k < 180; ++k) {
      ASSERT_EQ(plain.step(), StepStatus::done);
      ASSERT_EQ(turned.step(), StepStatus::done);
      ASSERT_LT((turn * plain.q()[0].x - turned.q()[0].x).norm(), 1e-9) << "step " << k;
    }
    EXPECT_LT((turn * plain.u()[0].v - turned.u()[0].v).norm(), 1e-9);
    EXPECT_LT((turn * plain.u()[0].w - turned.u()[0].w).norm(), 1e-9);
  }
}

// A ball rolls to and fro at the bottom of a bowl: ω² = 5/7 g / (R − r).
TEST(SpatialSpheres, MarbleInABowlSwingsAsItRolls) {
  constexpr double R = 1, r = 0.1, angle = 0.01, period = 2 * std::numbers::pi / 0.8451542547285166;  // √(5/7)
  Scene scene;
  scene.parts.gravity = {0, 0, -g};
  scene.parts.bodies.push_back(fixed_body("bowl", SpatialShape::hollow_sphere(Vector3d::Zero(), R)));
  scene.add(ball(1, r), {(R - r) * std::sin(angle), 0, -(R - r) * std::cos(angle)});
  SpatialLaw law;
  law.mu = 0.5;
  scene.all_touch(law);
  const double T = period * std::sqrt((R - r) / g), dt = T / 1000;
  for (options::Method method : {options::Method::moreau_midpoint, options::Method::tzitzouris_pang}) {
    SpatialIntegration run = scene.run({.dt = dt, .method = method});
    make_steps(run, 250);
    EXPECT_NEAR(run.q()[0].x.x(), 0, 0.01 * (R - r) * angle);
    make_steps(run, 250);
    EXPECT_NEAR(run.q()[0].x.x(), -(R - r) * std::sin(angle), 0.01 * (R - r) * angle);
    expect_certified(run);
  }
}

TEST(SpatialImpact, TwoBallsExchangeMomentumByNewtonsLaw) {
  for (double eN : {0.0, 0.4, 1.0}) {
    Scene scene;
    SpatialBody heavy = ball(3, 1);
    heavy.name = "heavy";
    scene.add(ball(1, 0.5), {-2, 0, 0}, {{2, 0, 0}, {0, 0, 0}});
    scene.add(heavy, {0, 0, 0}, {{-1, 0, 0}, {0, 0, 0}});
    SpatialLaw law;
    law.eN = eN;
    scene.all_touch(law);
    SpatialIntegration run = scene.run({.dt = 1e-3});
    make_steps(run, 400);
    const double common = (2.0 - 3.0) / 4, closing = 3;
    EXPECT_NEAR(run.u()[0].v.x(), common - eN * closing * 3 / 4, 1e-12);
    EXPECT_NEAR(run.u()[1].v.x(), common + eN * closing / 4, 1e-12);
    EXPECT_NEAR(run.ledger().impact, -0.5 * 0.75 * closing * closing * (1 - eN * eN), 1e-11);
  }
}

// Two equal balls touch off centre: the tangential impulse is that of sticking, m v_t / 7, or μ times the normal one.
TEST(SpatialImpact, ObliqueFrictionSticksOrSlips) {
  for (double mu : {0.05, 0.5}) {
    Scene scene;
    SpatialBody other = ball();
    other.name = "other";
    scene.add(ball(), {-2, 0, 0}, {{1, 0.6, 0.8}, {0, 0, 0}});
    scene.add(other, {0, 0, 0});
    SpatialLaw law;
    law.mu = mu;
    scene.all_touch(law);
    SpatialIntegration run = scene.run({.dt = 1e-6, .active_gap = 1e-5});
    ASSERT_EQ(run.step(), StepStatus::done);
    const double normal = 0.5, tangential = std::min(mu * normal, 1.0 / 7);  // |v_t| = 1, 2/m + 2 r²/J = 7/m
    EXPECT_NEAR(run.u()[1].v.x(), normal, 1e-5);
    EXPECT_NEAR(run.u()[1].v.y(), 0.6 * tangential, 1e-5);
    EXPECT_NEAR(run.u()[1].v.z(), 0.8 * tangential, 1e-5);
    const Vector3d momentum = run.u()[0].v + run.u()[1].v;
    EXPECT_LT((momentum - Vector3d(1, 0.6, 0.8)).norm(), 1e-14);
    const Vector3d L = run.angular_momentum(0) + run.angular_momentum(1) + run.q()[0].x.cross(run.u()[0].v) +
                       run.q()[1].x.cross(run.u()[1].v);
    EXPECT_LT((L - Vector3d(-2, 0, 0).cross(Vector3d(1, 0.6, 0.8))).norm(), 1e-5);
    expect_certified(run);
  }
}

Scene free_body(const Vector3d& inertia, const Vector3d& w) {
  SpatialBody body;
  body.name = "body";
  body.mass = 2;
  body.inertia = inertia;
  Scene scene;
  scene.add(body, Vector3d::Zero(), {{0.1, -0.2, 0.3}, w}, Quaterniond(0.9, 0.1, -0.3, 0.2).normalized());
  return scene;
}

TEST(SpatialTumbling, KeepsMomentumToRoundOffAndEnergyWithoutDrift) {
  const Scene scene = free_body({1, 2, 2.5}, {0.01, 1, 0.02});
  double bound[2] = {0, 0};
  for (int half = 0; half < 2; ++half) {
    SpatialIntegration run = scene.run({.dt = 0.02 / (half + 1)});
    const Vector3d L = run.angular_momentum(0);
    const double E = run.kinetic_energy();
    double late = 0;
    const long steps = 60000L * (half + 1);
    for (long k = 0; k < steps; ++k) {
      ASSERT_EQ(run.step(), StepStatus::done);
      const double off = std::abs(run.kinetic_energy() - E) / E;
      (2 * k < steps ? bound[half] : late) = std::max(2 * k < steps ? bound[half] : late, off);
    }
    EXPECT_LT((run.angular_momentum(0) - L).norm(), 1e-13 * L.norm());
    EXPECT_LT(late, 1.001 * bound[half]);
    EXPECT_NEAR(run.q()[0].turn.norm(), 1, 1e-15);
  }
  EXPECT_LT(bound[0], 1e-5);
  EXPECT_NEAR(bound[0] / bound[1], 4, 0.05);
}

// ω in body axes by Runge and Kutta's method in small steps, and the attitude with it.
TEST(SpatialTumbling, FollowsEulersEquations) {
  const Vector3d inertia(1, 2, 2.5), w0(0.3, 1, 0.2);
  const Scene scene = free_body(inertia, w0);
  Eigen::Matrix<double, 7, 1> x;
  const Quaterniond q0 = scene.q[0].turn;
  const Vector3d body_w0 = q0.conjugate() * w0;
  x << q0.coeffs(), body_w0;
  const auto rate = [&](const Eigen::Matrix<double, 7, 1>& y) {
    const Quaterniond q(Eigen::Vector4d(y.head<4>()));
    const Vector3d w = y.tail<3>();
    Eigen::Matrix<double, 7, 1> d;
    const Quaterniond dq = q * Quaterniond(0, w.x(), w.y(), w.z());
    d.head<4>() = 0.5 * dq.coeffs();
    const Vector3d L = inertia.cwiseProduct(w);
    d.tail<3>() = L.cross(w).cwiseQuotient(inertia);
    return d;
  };
  constexpr double h = 1e-3;
  for (int k = 0; k < 5000; ++k) {
    const Eigen::Matrix<double, 7, 1> a = rate(x), b = rate(x + 0.5 * h * a), c = rate(x + 0.5 * h * b),
                                      d = rate(x + h * c);
    x += h / 6 * (a + 2 * b + 2 * c + d);
  }
  const Quaterniond exact = Quaterniond(Eigen::Vector4d(x.head<4>())).normalized();
  double last = 0;
  for (double dt : {0.02, 0.01, 0.005}) {
    SpatialIntegration run = scene.run({.dt = dt});
    make_steps(run, std::lround(5 / dt));
    const double error = exact.angularDistance(run.q()[0].turn);
    EXPECT_LT(error, 3 * dt * dt);
    if (last > 0) {
      EXPECT_NEAR(last / error, 4, 0.2);
    }
    last = error;
  }
}

TEST(SpatialTumbling, ABallTurnsByItsAngleWhateverTheStep) {
  Scene scene;
  const Vector3d w(1, 2, 3);
  scene.add(ball(), Vector3d::Zero(), {{0, 0, 0}, w});
  for (double dt : {1e-5, 0.02, 0.7}) {
    SpatialIntegration run = scene.run({.dt = dt});
    make_steps(run, 40);
    const Quaterniond exact(Eigen::AngleAxisd(40 * dt * w.norm(), w.normalized()));
    EXPECT_LT(exact.angularDistance(run.q()[0].turn), 1e-13);
    EXPECT_NEAR(run.q()[0].turn.norm(), 1, 1e-15);
  }
}

TEST(SpatialTumbling, MidpointRunsBackwards) {
  const Scene scene = free_body({1, 2, 2.5}, {0.3, 1, 0.2});
  SpatialIntegration forth = scene.run({.dt = 0.05});
  make_steps(forth, 1000);
  Scene back = scene;
  back.q = forth.q();
  back.u = forth.u();
  back.u[0].v *= -1;
  back.u[0].w *= -1;
  SpatialIntegration run = back.run({.dt = 0.05});
  make_steps(run, 1000);
  EXPECT_LT(run.q()[0].x.norm(), 1e-12);
  EXPECT_LT(run.q()[0].turn.angularDistance(scene.q[0].turn), 1e-10);
}

// A ball with its centre of mass below the middle, spun (a tippe top): whatever friction does at its contact, Jellett's
// product of angular momentum and the vector from the centre of mass to the contact stays (Jellett 1872).
TEST(SpatialTumbling, JellettsIntegralOfATippeTop) {
  SpatialBody top;
  top.name = "top";
  top.mass = 0.02;
  top.inertia = {6.6e-6, 6.6e-6, 7e-6};
  constexpr double r = 0.02, below = 0.003;
  top.shapes.push_back(SpatialShape::sphere({0, 0, below}, r));
  double last = 0;
  for (double dt : {2e-4, 1e-4}) {
    Scene scene;
    scene.parts.gravity = {0, 0, -g};
    scene.parts.bodies.push_back(fixed_body("floor", SpatialShape::half_space(Vector3d::Zero(), {0, 0, 1})));
    const Quaterniond tilt(Eigen::AngleAxisd(0.3, Vector3d::UnitX()));
    const Vector3d height(0, 0, r - below * std::cos(0.3));
    scene.add(top, height, {{0, 0, 0}, {0, 0, 200}}, tilt);
    SpatialLaw law;
    law.mu = 0.3;
    scene.all_touch(law);
    SpatialIntegration run = scene.run({.dt = dt});
    const auto jellett = [&] {
      const Vector3d center = run.q()[0].to_world({0, 0, below}),
                     to_contact = center - r * Vector3d::UnitZ() - run.q()[0].x;
      return run.angular_momentum(0).dot(to_contact);
    };
    const double before = jellett();
    double off = 0, highest = 0;
    for (int k = 0; k < std::lround(0.5 / dt); ++k) {
      ASSERT_EQ(run.step(), StepStatus::done);
      off = std::max(off, std::abs(jellett() - before) / std::abs(before));
      highest = std::max(highest, run.q()[0].x.z());
    }
    expect_certified(run);
    EXPECT_LT(off, 200 * dt * dt * 200 * 200);
    EXPECT_GT(highest, height.z() + 1e-4);  // it rises
    EXPECT_EQ(run.totals().energy_gain_steps, 0);
    if (last > 0) {
      EXPECT_LT(off, 0.6 * last);
    }
    last = off;
  }
}

TEST(SpatialBooks, EnergyIsAccountedFor) {
  SpatialIntegration run = in_groove().run({.dt = 1e-3});
  make_steps(run, 4000);
  const double change = run.kinetic_energy() + run.potential_energy() - run.start_energy();
  EXPECT_NEAR(change, run.ledger().booked(), 1e-5);
  EXPECT_NEAR(run.ledger().friction, -1.2472, 1e-3);
  EXPECT_EQ(run.totals().energy_gain_steps, 0);
}

TEST(SpatialSteps, AllocateNothingOnceWarm) {
  for (options::Method method :
       {options::Method::moreau_midpoint, options::Method::moreau_jean, options::Method::tzitzouris_pang}) {
    SpatialIntegration run = in_groove().run({.dt = 1e-3, .method = method});
    make_steps(run, 50);
    const long before = picus::tests::allocations();
    for (int k = 0; k < 100; ++k) run.step();
    EXPECT_EQ(picus::tests::allocations(), before);
    EXPECT_EQ(run.status(), StepStatus::done);
  }
}

TEST(SpatialSteps, HeapsAreCertifiedAndComeOutAlike) {
  Scene scene;
  scene.parts.gravity = {0, 0, -g};
  scene.parts.bodies.push_back(fixed_body("bowl", SpatialShape::hollow_sphere({0, 0, 1}, 1)));
  for (int i = 0; i < 12; ++i) {
    SpatialBody b = ball(1, i % 2 == 0 ? 0.12 : 0.1);
    b.name = "b" + std::to_string(i);
    scene.add(b, {0.26 * (i % 3 - 1) + 0.01 * std::sin(i), 0.26 * (i / 3 % 2) - 0.13 + 0.01 * std::cos(3 * i),
                  0.4 + 0.26 * (i / 6)});
  }
  SpatialLaw law;
  law.mu = 0.4;
  law.eN = 0.1;
  scene.all_touch(law);
  SpatialIntegration first = scene.run({.dt = 2e-3}), second = scene.run({.dt = 2e-3});
  make_steps(first, 150);
  make_steps(second, 150);
  expect_certified(first);
  EXPECT_GT(first.touches().size(), 12u);
  EXPECT_EQ(first.totals().energy_gain_steps, 0);
  for (std::size_t i = 0; i < first.q().size(); ++i) {
    EXPECT_EQ(first.q()[i].x, second.q()[i].x);
    EXPECT_EQ(first.u()[i].w, second.u()[i].w);
  }
}

std::string refusal(const std::function<void()>& work) {
  try {
    work();
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(SpatialSteps, RefuseWhatTheyDoNotKnow) {
  SpatialLaw bouncing = law_of(0.2, 0.4);
  bouncing.eN = 0.5;
  for (options::Method method : {options::Method::stewart_trinkle, options::Method::tzitzouris_pang}) {
    EXPECT_NE(refusal([&] { on_floor(bouncing, {}).run({.method = method}); }).find("eN1 is 0.5; accepted: 0 with"),
              std::string::npos);
  }
  EXPECT_NO_THROW(on_floor(bouncing, {}).run({.method = options::Method::stewart_trinkle, .velocity_form = true}));
  EXPECT_NE(
      refusal([&] { on_floor(bouncing, {}).run({.solver = contact::SolverChoice::enumerate}); }).find("enumerate"),
      std::string::npos);
  EXPECT_NE(refusal([&] { on_floor(bouncing, {}).run({.project_drift = true}); }).find("project_drift"),
            std::string::npos);
  EXPECT_NE(refusal([&] {
              free_body({1, 1, 3}, {0, 0, 1}).run({});
            }).find("up to the sum of the other two"),
            std::string::npos);
}

}  // namespace
}  // namespace picus::stepping
