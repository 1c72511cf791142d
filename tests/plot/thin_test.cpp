// Thinned curves against brute force: no extreme of a column is lost, nothing that could be seen is left out.
#include "picus/plot/thin.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>

namespace {

using namespace picus::plot;

struct Column {
  Point first, lowest, highest, last;
};

std::map<double, Column> columns_of(const Line& line, double width) {
  std::map<double, Column> columns;
  for (const Point& p : line) {
    auto [at, is_new] = columns.try_emplace(std::floor(p.x / width), Column{p, p, p, p});
    Column& c = at->second;
    if (p.y < c.lowest.y) c.lowest = p;
    if (p.y > c.highest.y) c.highest = p;
    c.last = p;
  }
  return columns;
}

double distance(const Point& p, const Point& a, const Point& b) {
  const double dx = b.x - a.x, dy = b.y - a.y, length = dx * dx + dy * dy;
  const double s = length > 0 ? std::clamp(((p.x - a.x) * dx + (p.y - a.y) * dy) / length, 0.0, 1.0) : 0;
  return std::hypot(p.x - a.x - s * dx, p.y - a.y - s * dy);
}

// The largest distance of a point from the piece that replaced it; kept points must come in their order.
double largest_distance(const Line& all, const Line& kept) {
  double largest = 0;
  std::size_t next = 1;
  for (const Point& p : all) {
    if (next < kept.size() && p == kept[next]) ++next;
    const std::size_t end = std::min(next, kept.size() - 1);
    largest = std::max(largest, distance(p, kept[end - (end > 0 ? 1 : 0)], kept[end]));
  }
  EXPECT_GE(next, kept.size());
  return largest;
}

Line noise(int count, double width, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> value(0, 30);
  Line line;
  for (int i = 0; i < count; ++i) line.push_back({width * i / count, value(random) + (i % 977 == 0 ? 400.0 : 0.0)});
  return line;
}

TEST(ThinOverTime, KeepsFirstLowestHighestAndLastOfEachColumn) {
  for (unsigned seed = 1; seed <= 5; ++seed) {
    const Line all = noise(50000, 400, seed), kept = thin_over_time(all, 0.25);
    const auto before = columns_of(all, 0.25), after = columns_of(kept, 0.25);
    ASSERT_EQ(before.size(), after.size());
    for (const auto& [number, c] : before) {
      const Column& k = after.at(number);
      ASSERT_TRUE(k.first == c.first && k.lowest == c.lowest && k.highest == c.highest && k.last == c.last);
    }
  }
}

TEST(ThinOverTime, HasFourPointsAColumnAtMostInTheirOrder) {
  const Line all = noise(1000000, 400, 3), kept = thin_over_time(all, 0.25);
  EXPECT_LE(kept.size(), 4u * 1601);
  EXPECT_TRUE(std::is_sorted(kept.begin(), kept.end(), [](const Point& a, const Point& b) { return a.x < b.x; }));
}

TEST(ThinOverTime, ASinglePeakOfAMillionPointsStays) {
  for (std::size_t where : {std::size_t{0}, std::size_t{1}, std::size_t{123457}, std::size_t{999999}}) {
    Line all;
    for (std::size_t i = 0; i < 1000000; ++i) all.push_back({4e-4 * static_cast<double>(i), 0});
    all[where].y = 1;
    const Line kept = thin_over_time(all, 0.25);
    EXPECT_TRUE(std::find(kept.begin(), kept.end(), all[where]) != kept.end());
    EXPECT_LE(kept.size(), 4u * 1601);
  }
}

TEST(ThinOverTime, FewPointsStayAsTheyAre) {
  const Line all = {{0, 1}, {3, 2}, {3.01, 5}, {3.02, 1}, {9, 9}};
  EXPECT_EQ(thin_over_time(all, 0.25), all);
  EXPECT_TRUE(thin_over_time({}, 0.25).empty());
}

TEST(ThinInPlane, WhatIsLeftOutLiesWithinTheToleranceOfWhatIsDrawn) {
  std::mt19937 random(11);
  std::normal_distribution<double> step(0, 1);
  for (int trial = 0; trial < 300; ++trial) {
    // Walks from straight to wild, with stops, and with turns on the spot.
    const double wildness = std::pow(10, -3 + 0.02 * trial), tolerance = 0.06;
    Line all = {{0, 0}};
    double direction = 0;
    for (int i = 0; i < 2000; ++i) {
      direction += wildness * step(random) + (i % 400 == 0 ? 3.1 : 0);
      const double length = i % 7 == 0 ? 0 : 0.03 * std::abs(step(random));
      all.push_back({all.back().x + length * std::cos(direction), all.back().y + length * std::sin(direction)});
    }
    const Line kept = thin_in_plane(all, tolerance);
    ASSERT_LE(largest_distance(all, kept), tolerance * (1 + 1e-9)) << trial;
    ASSERT_EQ(kept.front(), all.front());
    ASSERT_EQ(kept.back(), all.back());
  }
}

TEST(ThinInPlane, AStraightLineIsTwoPointsAndACuspStays) {
  Line straight, cusp;
  for (int i = 0; i <= 1000; ++i) straight.push_back({0.1 * i, 0.2 * i});
  EXPECT_EQ(thin_in_plane(straight, 0.06).size(), 2u);
  for (int i = 0; i <= 1000; ++i) cusp.push_back({50 - std::abs(0.1 * i - 50), 0});
  const Line kept = thin_in_plane(cusp, 0.06);
  EXPECT_TRUE(std::any_of(kept.begin(), kept.end(), [](const Point& p) { return std::abs(p.x - 50) <= 0.1; }));
  EXPECT_LE(kept.size(), 5u);
}

TEST(ThinInPlane, ACircleGetsFewPoints) {
  Line circle;
  for (int i = 0; i <= 100000; ++i) circle.push_back({100 * std::cos(6.2832e-5 * i), 100 * std::sin(6.2832e-5 * i)});
  const Line kept = thin_in_plane(circle, 0.06);
  EXPECT_LE(largest_distance(circle, kept), 0.06 * (1 + 1e-9));
  EXPECT_LT(kept.size(), 200u);
}

TEST(ThinInPlane, ShortPathsStay) {
  EXPECT_TRUE(thin_in_plane({}, 0.1).empty());
  EXPECT_EQ(thin_in_plane(Line{{1, 2}}, 0.1).size(), 1u);
  EXPECT_EQ(thin_in_plane(Line{{1, 2}, {1, 2}}, 0.1).size(), 2u);
}

TEST(ThinDots, EachCellKeepsOne) {
  const Line dots = {{0.1, 0.1}, {0.2, 0.2}, {0.3, 0.1}, {-0.1, 0.1}, {0.1, -0.1}, {0.11, 0.12}};
  EXPECT_EQ(thin_dots(dots, 0.25), (Line{{0.1, 0.1}, {0.3, 0.1}, {-0.1, 0.1}, {0.1, -0.1}}));
}

}  // namespace
