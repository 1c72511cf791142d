// Kernels of fixed size, and in space, go on from a snapshot, and without their caches, with the same bits.
#include "picus/stepping/snapshot.hpp"

#include "lockstep.hpp"
#include "picus/catalogue/woodpecker.hpp"
#include "picus/stepping/integration.hpp"
#include "picus/stepping/spatial_view.hpp"
#include "spatial_scene.hpp"
#include "systems.hpp"

namespace picus::stepping {
namespace {

using catalogue::Woodpecker;
using picus::tests::with_dt;

// start() makes a new run; both halves have so many steps.
template <class Start>
void expect_same_bits(const Start& start, int steps) {
  auto run = start(), without_caches = start();
  for (int k = 0; k < steps; ++k) {
    ASSERT_EQ(run.step(), StepStatus::done) << run.time();
    without_caches.drop_caches();
    ASSERT_EQ(without_caches.step(), StepStatus::done);
    ASSERT_EQ(run.snapshot(), without_caches.snapshot()) << "at t = " << run.time();
  }
  const Snapshot middle = run.snapshot();
  auto other = start();
  other.restore(middle);
  EXPECT_EQ(other.snapshot(), middle);
  for (int k = 0; k < steps; ++k) {
    ASSERT_EQ(run.step(), StepStatus::done) << run.time();
    ASSERT_EQ(other.step(), StepStatus::done);
    ASSERT_EQ(run.snapshot(), other.snapshot()) << "at t = " << run.time();
  }
  EXPECT_GT(run.totals().contact_steps, steps / 10);
  Snapshot wrong = middle;
  wrong.bytes.push_back(0);
  EXPECT_THROW(other.restore(wrong), InputError);
}

TEST(Snapshot, OfTheWoodpecker) {
  expect_same_bits(
      [] { return Integration<Woodpecker>({}, Woodpecker::table_q0(), Woodpecker::table_u0(), with_dt(1e-4)); }, 3000);
}

TEST(Snapshot, OfAnImplicitMethodAndAnotherImpactLaw) {
  options::StepOptions options = with_dt(1e-4);
  options.method = options::Method::moreau_jean;
  options.impact = contact::ImpactLaw::poisson;
  expect_same_bits([&] { return Integration<Woodpecker>({}, Woodpecker::table_q0(), Woodpecker::table_u0(), options); },
                   1500);
}

// Pulled by a force that swings: it holds by mu_static, and slides with a friction that falls with the speed.
struct Swung : picus::tests::Block {
  void force(const Position&, const Velocity&, double t, Velocity& h) const { h = {15 * std::sin(20 * t), -m * g}; }
};

TEST(Snapshot, OfFrictionThatDependsOnSliding) {
  Swung block;
  block.contact_law.mu = 0.4;
  block.contact_law.mu_static = 0.6;
  block.contact_law.mu_inf = 0.2;
  block.contact_law.v_s = 0.1;
  expect_same_bits([&] { return Integration<Swung>(block, {0, 0}, {0, 0}, with_dt(1e-3)); }, 400);
}

// Balls that roll, collide and come to rest on the floor, and a body that tumbles among them.
tests::Scene crowd() {
  tests::Scene scene;
  tests::SpatialLaw law;
  law.mu = 0.3;
  const auto speed = [](double x, double y) { return tests::SpatialVector{{x, y, 0}, {0, 3 * x, y}}; };
  for (int i = 0; i < 5; ++i) {
    scene.add(tests::ball(1 + i, 0.1), {0.25 * i, 0.05 * (i % 2), 0.1 + 0.01 * i}, speed(1 - i, 0.3));
  }
  tests::SpatialBody brick = tests::ball(2, 0.1);
  brick.inertia = {0.004, 0.007, 0.01};
  scene.add(brick, {0.4, 0.3, 0.3}, {{0, -1, 0}, {1, 20, 3}});
  scene.parts.bodies.push_back(
      tests::fixed_body("floor", tests::SpatialShape::half_space(tests::Vector3d::Zero(), {0, 0, 1})));
  scene.parts.gravity = {0, 0, -tests::g};
  scene.all_touch(law);
  return scene;
}

TEST(Snapshot, InSpace) {
  for (const options::Method method : {options::Method::moreau_midpoint, options::Method::moreau_jean,
                                       options::Method::stewart_trinkle, options::Method::tzitzouris_pang}) {
    SCOPED_TRACE(static_cast<int>(method));
    expect_same_bits([&] { return crowd().run({.dt = 2e-3, .method = method}); }, 150);
  }
}

// A run that only ever takes over what another carries makes the same steps.
TEST(Lockstep, InSpace) {
  for (const options::Method method : {options::Method::moreau_midpoint, options::Method::moreau_jean,
                                       options::Method::stewart_trinkle, options::Method::tzitzouris_pang}) {
    SCOPED_TRACE(static_cast<int>(method));
    SpatialIntegration leader = crowd().run({.dt = 2e-3, .method = method}),
                       follower = crowd().run({.dt = 2e-3, .method = method});
    picus::tests::Lockstep both(leader, follower);
    for (int k = 0; k < 150; ++k) ASSERT_TRUE(both.step());
    EXPECT_GT(both.report().contact_steps, 50);
    EXPECT_EQ(both.report().beyond(1e-9), "");
  }
}

}  // namespace
}  // namespace picus::stepping
