// Distances of shapes in space against their definition, and the search for pairs against all pairs.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "allocation_counter.hpp"
#include "picus/geometry/spatial_pairs.hpp"
#include "picus/geometry/spatial_shape.hpp"
#include "picus/support/error.hpp"

namespace picus::geometry {
namespace {

using Eigen::Quaterniond;
using Eigen::Vector3d;
using Kind = SpatialShape::Kind;

constexpr double inf = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

double uniform(std::mt19937& rng, double low, double high) {
  return std::uniform_real_distribution<double>(low, high)(rng);
}

double normal(std::mt19937& rng) { return std::normal_distribution<double>()(rng); }

Vector3d random_vector(std::mt19937& rng, double size) {
  return size * Vector3d(normal(rng), normal(rng), normal(rng));
}

Vector3d random_direction(std::mt19937& rng) { return random_vector(rng, 1).normalized(); }

SpatialPlacement random_placement(std::mt19937& rng) {
  SpatialPlacement place;
  place.x = random_vector(rng, 1);
  place.turn = Quaterniond(normal(rng), normal(rng), normal(rng), normal(rng)).normalized();
  return place;
}

SpatialShape random_shape(Kind kind, std::mt19937& rng) {
  const Vector3d center = random_vector(rng, 1);
  const double radius = std::pow(10, uniform(rng, -1, 0.5));
  if (kind == Kind::sphere) return SpatialShape::sphere(center, radius);
  if (kind == Kind::hollow) return SpatialShape::hollow_sphere(center, 5 * radius);
  return SpatialShape::half_space(center, random_vector(rng, 1));
}

// How far a point of the world is from what is solid, < 0 inside; seen from the frame of the body.
double height_over(const SpatialShape& shape, const SpatialPlacement& at, const Vector3d& point) {
  const Vector3d seen = at.turn.conjugate() * (point - at.x) - shape.center;
  if (shape.kind == Kind::half_space) return shape.normal.dot(seen);
  return shape.kind == Kind::sphere ? seen.norm() - shape.radius : shape.radius - seen.norm();
}

struct Case {
  SpatialShape a, b;
  SpatialPlacement at_a, at_b;
};

SpatialGap gap_of(const Case& c) { return gap_between(c.a, c.at_a, c.b, c.at_b); }

constexpr std::pair<Kind, Kind> touching_kinds[] = {{Kind::sphere, Kind::sphere},
                                                    {Kind::hollow, Kind::sphere},
                                                    {Kind::sphere, Kind::hollow},
                                                    {Kind::half_space, Kind::sphere},
                                                    {Kind::sphere, Kind::half_space}};

template <class Check>
void for_random_cases(int trials, Check check) {
  std::mt19937 rng(1);
  for (const auto& [kind_a, kind_b] : touching_kinds) {
    int apart = 0;
    for (int trial = 0; trial < trials; ++trial) {
      SCOPED_TRACE(std::to_string(static_cast<int>(kind_a)) + " and " + std::to_string(static_cast<int>(kind_b)) +
                   ", trial " + std::to_string(trial));
      const Case c{random_shape(kind_a, rng), random_shape(kind_b, rng), random_placement(rng), random_placement(rng)};
      apart += gap_of(c).gap > 0 ? 1 : 0;
      check(c, rng);
    }
    EXPECT_GT(apart, trials / 10);  // and as many that overlap
    EXPECT_LT(apart, trials - trials / 10);
  }
}

TEST(SpatialGap, HasClosedFormsForShapesAlongAnAxis) {
  const SpatialPlacement here;
  SpatialPlacement there;
  there.x = {0, 3, 0};
  const auto ball = SpatialShape::sphere(Vector3d::Zero(), 1), small = SpatialShape::sphere(Vector3d::Zero(), 0.5);

  const SpatialGap spheres = gap_between(ball, here, small, there);
  EXPECT_EQ(spheres.gap, 1.5);
  EXPECT_EQ(spheres.normal, Vector3d(0, 1, 0));
  EXPECT_EQ(spheres.on_a, Vector3d(0, 1, 0));
  EXPECT_EQ(spheres.on_b, Vector3d(0, 2.5, 0));

  const SpatialGap inside = gap_between(SpatialShape::hollow_sphere(Vector3d::Zero(), 4), here, small, there);
  EXPECT_EQ(inside.gap, 0.5);
  EXPECT_EQ(inside.normal, Vector3d(0, -1, 0));
  EXPECT_EQ(inside.on_a, Vector3d(0, 4, 0));
  EXPECT_EQ(inside.on_b, Vector3d(0, 3.5, 0));

  // Through the wall of the hollow one.
  const SpatialGap through = gap_between(SpatialShape::hollow_sphere(Vector3d::Zero(), 2), here, ball, there);
  EXPECT_EQ(through.gap, -2);
  EXPECT_EQ(through.normal, Vector3d(0, -1, 0));

  const SpatialGap floor =
      gap_between(SpatialShape::half_space({7, 1, 8}, {0, 5, 0}), here, SpatialShape::sphere({1, 0, 2}, 1), there);
  EXPECT_EQ(floor.gap, 1);
  EXPECT_EQ(floor.normal, Vector3d(0, 1, 0));
  EXPECT_EQ(floor.on_a, Vector3d(1, 1, 2));
  EXPECT_EQ(floor.on_b, Vector3d(1, 2, 2));
}

TEST(SpatialGap, ATurnedBodyTakesItsShapesAlong) {
  SpatialPlacement place;  // x to y, about z
  place.x = {10, 0, 0};
  place.turn = Quaterniond(std::sqrt(0.5), 0, 0, std::sqrt(0.5));
  EXPECT_LT((place.to_world({1, 0, 2}) - Vector3d(10, 1, 2)).norm(), 1e-14);

  SpatialPlacement origin;
  const auto ball = SpatialShape::sphere(Vector3d::Zero(), 1);
  EXPECT_NEAR(gap_between(SpatialShape::sphere({2, 0, 0}, 1), place, ball, origin).gap, std::sqrt(104.0) - 2, 1e-14);
  const SpatialGap wall = gap_between(SpatialShape::half_space({2, 0, 0}, {-1, 0, 0}), place, ball, origin);
  EXPECT_NEAR(wall.gap, 1, 1e-14);
  EXPECT_LT((wall.normal - Vector3d(0, -1, 0)).norm(), 1e-15);
}

// The gap is the least height of b over a: no point of its surface comes nearer, and those named are where it is.
TEST(SpatialGap, IsTheShortestWayBetweenTheSurfaces) {
  for_random_cases(300, [](const Case& c, std::mt19937& rng) {
    const SpatialGap g = gap_of(c);
    EXPECT_NEAR(g.normal.norm(), 1, 1e-14);
    EXPECT_LT((g.on_b - g.on_a - g.gap * g.normal).norm(), 1e-13);
    EXPECT_NEAR(height_over(c.a, c.at_a, g.on_a), 0, 1e-13);
    EXPECT_NEAR(height_over(c.b, c.at_b, g.on_b), 0, 1e-13);
    const bool b_is_ball = c.b.kind == Kind::sphere;
    const SpatialShape &ball = b_is_ball ? c.b : c.a, &other = b_is_ball ? c.a : c.b;
    const SpatialPlacement &at_ball = b_is_ball ? c.at_b : c.at_a, &at_other = b_is_ball ? c.at_a : c.at_b;
    if (other.kind != Kind::sphere || g.gap > -other.radius) {  // its centre is not inside of the ball
      EXPECT_NEAR(height_over(other, at_other, b_is_ball ? g.on_b : g.on_a), g.gap, 1e-13);
    }
    for (int k = 0; k < 20; ++k) {
      const Vector3d point = at_ball.to_world(ball.center + ball.radius * random_direction(rng));
      EXPECT_GE(height_over(other, at_other, point), g.gap - 1e-13);
    }
  });
}

TEST(SpatialGap, IsTheSameFromTheOtherSide) {
  for_random_cases(100, [](const Case& c, std::mt19937&) {
    const SpatialGap there = gap_of(c), back = gap_between(c.b, c.at_b, c.a, c.at_a);
    EXPECT_NEAR(back.gap, there.gap, 1e-14);
    EXPECT_LT((back.normal + there.normal).norm(), 1e-15);
    EXPECT_LT((back.on_a - there.on_b).norm(), 1e-14);
    EXPECT_LT((back.on_b - there.on_a).norm(), 1e-14);
  });
}

TEST(SpatialGap, ChangesByTheMotionAlongTheNormal) {
  for_random_cases(200, [](const Case& c, std::mt19937& rng) {
    constexpr double h = 1e-5;
    const SpatialGap g = gap_of(c);
    const Vector3d d = random_direction(rng);
    const auto change = [&](bool of_b) {
      Case ahead = c, behind = c;
      (of_b ? ahead.at_b : ahead.at_a).x += h * d;
      (of_b ? behind.at_b : behind.at_a).x -= h * d;
      return (gap_of(ahead).gap - gap_of(behind).gap) / (2 * h);
    };
    EXPECT_NEAR(change(true), g.normal.dot(d), 1e-7);
    EXPECT_NEAR(change(false), -g.normal.dot(d), 1e-7);
  });
}

// Turning b moves its point by ω × arm.
TEST(SpatialGap, ChangesByTheTurningOfThePointsOnTheSurfaces) {
  for_random_cases(100, [](const Case& c, std::mt19937& rng) {
    constexpr double h = 1e-5;
    const SpatialGap g = gap_of(c);
    const Vector3d axis = random_direction(rng);
    const auto turned = [&](double angle) {
      Case moved = c;
      moved.at_b.turn = Quaterniond(Eigen::AngleAxisd(angle, axis)) * c.at_b.turn;
      return gap_of(moved).gap;
    };
    EXPECT_NEAR((turned(h) - turned(-h)) / (2 * h), g.normal.dot(axis.cross(g.on_b - c.at_b.x)), 1e-6);
  });
}

TEST(SpatialGap, CoincidentSpheresTakeTheNormalGiven) {
  SpatialPlacement place;
  place.x = {1, 2, 3};
  const Vector3d given = Vector3d(1, -2, 2) / 3;
  const auto ball = SpatialShape::sphere(Vector3d::Zero(), 0.5), large = SpatialShape::sphere(Vector3d::Zero(), 2);
  const SpatialGap g = gap_between(ball, place, large, place, given);
  EXPECT_EQ(g.gap, -2.5);
  EXPECT_EQ(g.normal, given);
  EXPECT_LT((g.on_b - g.on_a - g.gap * g.normal).norm(), 1e-15);
  EXPECT_EQ(gap_between(ball, place, large, place).normal, Vector3d(0, 0, 1));
}

TEST(SpatialGap, ASphereAtTheCentreOfAHollowOneTakesTheNormalGiven) {
  SpatialPlacement place;
  place.x = {1, 2, 3};
  const Vector3d given = Vector3d(1, -2, 2) / 3;
  const auto ball = SpatialShape::sphere(Vector3d::Zero(), 0.5);
  const auto hollow = SpatialShape::hollow_sphere(Vector3d::Zero(), 2);
  const SpatialGap g = gap_between(hollow, place, ball, place, given);
  EXPECT_EQ(g.gap, 1.5);
  EXPECT_EQ(g.normal, given);
  EXPECT_LT((g.on_b - g.on_a - g.gap * g.normal).norm(), 1e-15);
  const SpatialGap back = gap_between(ball, place, hollow, place, given);
  EXPECT_EQ(back.gap, 1.5);
  EXPECT_EQ(back.normal, given);
  EXPECT_LT((back.on_b - back.on_a - back.gap * back.normal).norm(), 1e-15);
}

TEST(SpatialShapes, OnlyPairsWithASphereTouch) {
  const SpatialShape shapes[] = {SpatialShape::sphere(Vector3d::Zero(), 1),
                                 SpatialShape::hollow_sphere(Vector3d::Zero(), 1),
                                 SpatialShape::half_space(Vector3d::Zero(), Vector3d::UnitX())};
  constexpr bool expected[3][3] = {{true, true, true}, {true, false, false}, {true, false, false}};
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) EXPECT_EQ(can_touch(shapes[i], shapes[j]), expected[i][j]) << i << ' ' << j;
  }
}

TEST(SpatialShapes, KeepWhatTheyWereMadeOf) {
  const auto ball = SpatialShape::sphere({1, 2, 3}, 4);
  EXPECT_EQ(ball.kind, Kind::sphere);
  EXPECT_EQ(ball.center, Vector3d(1, 2, 3));
  EXPECT_EQ(ball.radius, 4);
  EXPECT_EQ(SpatialShape::hollow_sphere({1, 2, 3}, 4).kind, Kind::hollow);
  const auto plane = SpatialShape::half_space({1, 2, 3}, {0, -3, 4});
  EXPECT_EQ(plane.kind, Kind::half_space);
  EXPECT_EQ(plane.center, Vector3d(1, 2, 3));
  EXPECT_LT((plane.normal - Vector3d(0, -0.6, 0.8)).norm(), 1e-16);
}

template <class Make>
std::string message(Make make) {
  try {
    make();
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(SpatialShapes, BadInputIsNamed) {
  const Vector3d zero = Vector3d::Zero();
  EXPECT_EQ(message([&] { SpatialShape::sphere(zero, -2); }),
            "the radius of a sphere is -2; accepted: a finite number > 0 (metres)");
  EXPECT_EQ(message([&] { SpatialShape::sphere(zero, 0); }),
            "the radius of a sphere is 0; accepted: a finite number > 0 (metres)");
  EXPECT_EQ(message([&] { SpatialShape::sphere(zero, nan); }),
            "the radius of a sphere is nan; accepted: a finite number > 0 (metres)");
  EXPECT_EQ(message([&] { SpatialShape::hollow_sphere(zero, inf); }),
            "the radius of a sphere is inf; accepted: a finite number > 0 (metres)");
  EXPECT_EQ(message([&] {
              SpatialShape::hollow_sphere({0, nan, 0}, 1);
            }),
            "the center of a sphere is not finite; accepted: three finite numbers");
  EXPECT_EQ(message([&] { SpatialShape::half_space(zero, zero); }),
            "the normal of a half-space has the length 0; accepted: a direction, not 0");
  EXPECT_EQ(message([&] {
              SpatialShape::half_space(zero, {1, nan, 0});
            }),
            "the normal of a half-space has the length nan; accepted: a direction, not 0");
  EXPECT_EQ(message([&] {
              SpatialShape::half_space(zero, {1, inf, 0});
            }),
            "the normal of a half-space has the length inf; accepted: a direction, not 0");
  EXPECT_EQ(message([&] {
              SpatialShape::half_space({-inf, 0, 0}, {1, 0, 0});
            }),
            "the point of a half-space is not finite; accepted: three finite numbers");
  EXPECT_EQ(message([&] { SpatialShape::sphere({1, 2, 3}, 1e-9); }), "accepted");
}

using Pairs = std::vector<std::pair<int, int>>;

bool any_pair(int, int) { return true; }

double apart(const SpatialBall& a, const SpatialBall& b) { return (a.center - b.center).norm() - a.radius - b.radius; }

Pairs all_pairs(const std::vector<SpatialBall>& balls, double reach) {
  Pairs pairs;
  for (std::size_t i = 0; i < balls.size(); ++i) {
    for (std::size_t j = i + 1; j < balls.size(); ++j) {
      if (apart(balls[i], balls[j]) <= reach) pairs.emplace_back(i, j);
    }
  }
  return pairs;
}

void expect_in_order(const Pairs& pairs, std::size_t count) {
  for (const auto& [i, j] : pairs) {
    ASSERT_LE(0, i);
    ASSERT_LT(i, j);
    ASSERT_LT(j, static_cast<int>(count));
  }
  for (std::size_t k = 1; k < pairs.size(); ++k) ASSERT_LT(pairs[k - 1], pairs[k]);  // and none twice
}

struct Crowd {
  std::string name;
  std::function<SpatialBall(std::mt19937&)> draw;
};

const Crowd crowds[] = {
    {"alike",
     [](auto& r) {
       return SpatialBall{random_vector(r, 3), 0.5};
     }},
    {"sizes over four decades",
     [](auto& r) {
       return SpatialBall{random_vector(r, 3), std::pow(10, uniform(r, -3, 1))};
     }},
    {"on a lattice",
     [](auto& r) {
       return SpatialBall{Vector3d(double(r() % 8), double(r() % 8), double(r() % 8)), 0.5};
     }},
    {"a column along y",
     [](auto& r) {
       return SpatialBall{random_vector(r, 1).cwiseProduct(Vector3d(1, 30, 1)), 1};
     }},
    {"a layer",
     [](auto& r) {
       return SpatialBall{random_vector(r, 5).cwiseProduct(Vector3d(0, 1, 1)), 0.3};
     }},
    {"far away",
     [](auto& r) {
       return SpatialBall{Vector3d(1e9, -1e9, 1e9) + random_vector(r, 3), 0.5};
     }},
    {"with half-spaces",
     [](auto& r) {
       return SpatialBall{random_vector(r, 3), r() % 20 == 0 ? inf : uniform(r, 0.1, 0.6)};
     }},
};

TEST(SpatialPairs, FindWhatAllPairsFindWhileTheBallsMove) {
  std::mt19937 rng(2);
  for (const Crowd& crowd : crowds) {
    SCOPED_TRACE(crowd.name);
    std::vector<SpatialBall> balls(120);
    for (SpatialBall& ball : balls) ball = crowd.draw(rng);
    SpatialPairs pairs;
    constexpr int frames = 300;
    int searches = 0;
    std::size_t needed = 0, given = 0;
    for (int frame = 0; frame < frames; ++frame) {
      // Slow, then faster than the margin, and now and then a leap of one alone.
      const double speed = frame < 200 ? 3e-3 : 0.1;
      for (SpatialBall& ball : balls) ball.center += random_vector(rng, speed);
      if (frame % 50 == 49) balls[rng() % balls.size()].center = Vector3d::Zero();
      const double reach = frame < 100 ? 0.05 : uniform(rng, 0, 0.1);
      bool asked = false;
      const Pairs& kept = pairs.update(balls, reach, [&](int, int) { return asked = true; });
      searches += asked ? 1 : 0;
      expect_in_order(kept, balls.size());
      for (const auto& pair : all_pairs(balls, reach)) {
        ASSERT_TRUE(std::binary_search(kept.begin(), kept.end(), pair))
            << frame << ": " << pair.first << ' ' << pair.second;
        ++needed;
      }
      given += kept.size();
      if (HasFatalFailure()) return;
    }
    EXPECT_GT(needed, 1000u);
    EXPECT_LT(given, 4 * needed);  // few that are not
    EXPECT_GT(searches, 30);
    EXPECT_LT(searches, 290);
  }
}

// Two balls that approach each other from both sides, each by just less than what is allowed.
TEST(SpatialPairs, AreSearchedBeforeMovedBallsCanMeetUnseen) {
  constexpr double radius = 0.5, reach = 0.01;
  for (double speed : {0.0999, 0.0501, 0.0101, 0.00099}) {
    std::vector<SpatialBall> balls = {{{-1, 0, 0}, radius}, {{1, 0, 0}, radius}};
    SpatialPairs pairs;
    while (balls[0].center[0] < 0) {
      const Pairs& kept = pairs.update(balls, reach, any_pair);
      if (apart(balls[0], balls[1]) <= reach) {
        ASSERT_EQ(kept.size(), 1u) << speed;
      }
      balls[0].center[0] += speed;
      balls[1].center[0] -= speed;
    }
  }
}

TEST(SpatialPairs, AreKeptWhileNoBallMovedFar) {
  std::vector<SpatialBall> balls = {{{0, 0, 0}, 0.5}, {{1, 0, 0}, 0.5}, {{0, 0, 0}, inf}};
  SpatialPairs pairs;
  int asked = 0;
  const auto asked_after = [&](double shift, double reach) {
    balls[0].center[1] = shift;
    asked = 0;
    pairs.update(balls, reach, [&](int, int) { return ++asked > 0; });
    return asked;
  };
  EXPECT_EQ(asked_after(0, 0.01), 3);
  EXPECT_EQ(asked_after(0.04, 0.01), 0);
  EXPECT_EQ(asked_after(-0.04, 0.005), 0);
  EXPECT_EQ(asked_after(0, 0.02), 3);  // more than was searched for
  EXPECT_EQ(asked_after(0.11, 0.02), 3);
  EXPECT_EQ(asked_after(0.11, 0.02), 0);
  balls.pop_back();
  EXPECT_EQ(asked_after(0.11, 0.02), 1);
}

TEST(SpatialPairs, WhatFillsAllOfSpaceMeetsEveryOther) {
  std::vector<SpatialBall> balls = {{{0, 0, 0}, 1}, {{0, 0, 0}, inf}, {{1e6, 0, 0}, 1}, {{0, 5, 0}, inf}};
  SpatialPairs pairs;
  EXPECT_EQ(pairs.update(balls, 0, any_pair), (Pairs{{0, 1}, {0, 3}, {1, 2}, {1, 3}, {2, 3}}));
  balls = {{{0, 0, 0}, inf}, {{0, 0, 0}, inf}};
  EXPECT_EQ(pairs.update(balls, 0, any_pair), (Pairs{{0, 1}}));
}

TEST(SpatialPairs, OfFewBalls) {
  SpatialPairs pairs;
  EXPECT_TRUE(pairs.update({}, 0.1, any_pair).empty());
  EXPECT_TRUE(pairs.update({{{0, 0, 0}, 1}}, 0.1, any_pair).empty());
  EXPECT_TRUE(pairs.update({{{0, 0, 0}, inf}}, 0.1, any_pair).empty());
  // Points have no margin of their own, and still are found.
  EXPECT_EQ(pairs.update({{{0, 0, 0}, 0}, {{0.1, 0, 0}, 0}, {{0.5, 0, 0}, 0}}, 0.1, any_pair), (Pairs{{0, 1}}));
  EXPECT_EQ(pairs.update({{{0, 0, 0}, 0}, {{0.2, 0, 0}, 0}, {{0.3, 0, 0}, 0}}, 0.1, any_pair), (Pairs{{1, 2}}));
}

TEST(SpatialPairs, LeaveOutWhatMayNotTouch) {
  std::mt19937 rng(3);
  std::vector<SpatialBall> balls(60);
  for (SpatialBall& ball : balls) ball = crowds[6].draw(rng);
  const auto even = [](int i, int j) { return (i + j) % 2 == 0; };
  SpatialPairs some, all;
  for (int frame = 0; frame < 100; ++frame) {
    for (SpatialBall& ball : balls) ball.center += random_vector(rng, 0.01);
    Pairs expected = all.update(balls, 0.1, any_pair);
    std::erase_if(expected, [&](const auto& pair) { return !even(pair.first, pair.second); });
    ASSERT_EQ(some.update(balls, 0.1, even), expected);
    ASSERT_FALSE(expected.empty());
  }
}

TEST(SpatialPairs, TakeNoHeapOnceWarm) {
  std::mt19937 rng(4);
  std::vector<SpatialBall> balls(200);
  for (SpatialBall& ball : balls) ball = crowds[6].draw(rng);
  const std::vector<SpatialBall> start = balls;
  SpatialPairs pairs;
  int searches = 0;
  const auto run = [&] {
    std::mt19937 again(5);
    balls = start;
    for (int frame = 0; frame < 50; ++frame) {
      for (SpatialBall& ball : balls) ball.center += random_vector(again, 0.01);
      bool asked = false;
      pairs.update(balls, 0.05, [&](int, int) { return asked = true; });
      searches += asked ? 1 : 0;
    }
  };
  run();
  searches = 0;
  const long before = tests::allocations();
  run();
  EXPECT_EQ(tests::allocations(), before);
  EXPECT_GT(searches, 5);
}

}  // namespace
}  // namespace picus::geometry
