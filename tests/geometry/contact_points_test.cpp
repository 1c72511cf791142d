// Each pair of shapes, one region at a time.
#include "picus/geometry/contact_points.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numbers>
#include <vector>

namespace picus::geometry {
namespace {

constexpr double pi = std::numbers::pi;

std::vector<ContactPoint> points_of(const Shape& a, const Placement& pa, const Shape& b, const Placement& pb,
                                    double reach = 0.01) {
  ContactPoint out[most_contact_points];
  const int n = contact_points(a, pa, b, pb, reach, out);
  std::vector<ContactPoint> points(out, out + n);
  std::sort(points.begin(), points.end(), [](const auto& p, const auto& q) { return p.on_b.x < q.on_b.x; });
  for (const ContactPoint& p : points) {
    EXPECT_NEAR(length(p.normal), 1, 1e-15);
    EXPECT_NEAR(p.on_b.x - p.on_a.x, p.gap * p.normal.x, 1e-14);
    EXPECT_NEAR(p.on_b.y - p.on_a.y, p.gap * p.normal.y, 1e-14);
  }
  return points;
}

void expect_point(const ContactPoint& p, double gap, Point normal, Point on_b, int feature) {
  EXPECT_NEAR(p.gap, gap, 1e-15);
  EXPECT_NEAR(p.normal.x, normal.x, 1e-15);
  EXPECT_NEAR(p.normal.y, normal.y, 1e-15);
  EXPECT_NEAR(p.on_b.x, on_b.x, 1e-14);
  EXPECT_NEAR(p.on_b.y, on_b.y, 1e-14);
  EXPECT_EQ(p.feature, feature);
}

constexpr int edge_corner(int i, int j) { return feature_of(Meeting::edge_corner, i, j); }
constexpr int corner_edge(int i, int j) { return feature_of(Meeting::corner_edge, i, j); }
constexpr int corner_corner(int i, int j) { return feature_of(Meeting::corner_corner, i, j); }

const Placement home;
// Corners from the lower left on; edge 0 is the lower one, 1 the right, 2 the upper, 3 the left one.
const Shape unit_box = Shape::box({0, 0}, 1, 1, 0);
const Shape brick = Shape::box({0, 0}, 2, 1, 0);
const Shape ball = Shape::circle({0, 0}, 0.5);
const Shape floor_plane = Shape::half_plane({0, 0}, {0, 1});
const Shape wall = Shape::segment({-1, 0}, {1, 0});

TEST(Feature, SaysWhatMeetsWhat) {
  constexpr int feature = feature_of(Meeting::corner_edge, 12345, 16383);
  EXPECT_EQ(meeting_of(feature), Meeting::corner_edge);
  EXPECT_EQ(number_in_a(feature), 12345);
  EXPECT_EQ(number_in_b(feature), 16383);
  EXPECT_EQ(exchanged(feature), feature_of(Meeting::edge_corner, 16383, 12345));
  EXPECT_EQ(exchanged(corner_corner(1, 2)), corner_corner(2, 1));
}

TEST(CircleCircle, IsTheDistanceOfCentresLessTheRadii) {
  const Shape small = Shape::circle({0, 0}, 0.25);
  auto points = points_of(ball, home, small, Placement(0.45, 0.6, 1));
  ASSERT_EQ(points.size(), 1u);
  expect_point(points[0], 0, {0.6, 0.8}, {0.3, 0.4}, corner_corner(0, 0));
  points = points_of(ball, home, small, Placement(0.3, 0.4, 1));
  ASSERT_EQ(points.size(), 1u);
  expect_point(points[0], -0.25, {0.6, 0.8}, {0.15, 0.2}, corner_corner(0, 0));
  EXPECT_EQ(points_of(ball, home, small, Placement(0.77, 0, 0)).size(), 0u);
  EXPECT_EQ(points_of(ball, home, small, home).size(), 1u);  // concentric: some normal, no NaN
}

TEST(CirclePolygon, Face) {
  const auto points = points_of(unit_box, home, ball, Placement(0.2, 0.9, 2));
  ASSERT_EQ(points.size(), 1u);
  expect_point(points[0], -0.1, {0, 1}, {0.2, 0.4}, edge_corner(2, 0));
}

TEST(CirclePolygon, Corner) {
  const auto points = points_of(unit_box, home, ball, Placement(0.8, 0.9, 2));
  ASSERT_EQ(points.size(), 1u);
  expect_point(points[0], 0, {0.6, 0.8}, {0.5, 0.5}, corner_corner(2, 0));
  // Its box overlaps, the circle does not.
  EXPECT_EQ(points_of(unit_box, home, ball, Placement(0.9, 0.9, 2)).size(), 0u);
}

TEST(CirclePolygon, CentreInside) {
  const auto points = points_of(unit_box, home, ball, Placement(0.4, 0.1, 2));
  ASSERT_EQ(points.size(), 1u);
  expect_point(points[0], -0.6, {1, 0}, {-0.1, 0.1}, edge_corner(1, 0));
}

TEST(CircleSegment, BothSidesAndEnds) {
  auto points = points_of(wall, home, ball, Placement(0.3, 0.5, 0));
  ASSERT_EQ(points.size(), 1u);
  expect_point(points[0], 0, {0, 1}, {0.3, 0}, edge_corner(1, 0));
  points = points_of(wall, home, ball, Placement(0.3, -0.2, 0));
  ASSERT_EQ(points.size(), 1u);
  expect_point(points[0], -0.3, {0, -1}, {0.3, 0.3}, edge_corner(0, 0));
  points = points_of(wall, home, ball, Placement(1.3, 0.4, 0));
  ASSERT_EQ(points.size(), 1u);
  expect_point(points[0], 0, {0.6, 0.8}, {1, 0}, corner_corner(1, 0));
  points = points_of(wall, home, ball, Placement(-1.4, 0, 0));
  ASSERT_EQ(points.size(), 1u);
  expect_point(points[0], -0.1, {-1, 0}, {-0.9, 0}, corner_corner(0, 0));
}

TEST(HalfPlane, Circle) {
  const auto points = points_of(floor_plane, Placement(0, 1, 0), ball, Placement(7, 1.4, 2));
  ASSERT_EQ(points.size(), 1u);
  expect_point(points[0], -0.1, {0, 1}, {7, 0.9}, edge_corner(0, 0));
  EXPECT_EQ(points_of(floor_plane, home, ball, Placement(0, 0.52, 0)).size(), 0u);
}

TEST(HalfPlane, EveryCornerWithinReach) {
  auto points = points_of(floor_plane, home, unit_box, Placement(7, 0.5, 0));
  ASSERT_EQ(points.size(), 2u);
  expect_point(points[0], 0, {0, 1}, {6.5, 0}, edge_corner(0, 0));
  expect_point(points[1], 0, {0, 1}, {7.5, 0}, edge_corner(0, 1));
  EXPECT_EQ(points_of(floor_plane, home, unit_box, Placement(7, 0.5, 0.1)).size(), 1u);
  EXPECT_EQ(points_of(floor_plane, home, unit_box, Placement(7, 0.5, 0), 2).size(), 4u);
  EXPECT_EQ(points_of(floor_plane, home, wall, Placement(0, 0, 0)).size(), 2u);
  EXPECT_EQ(points_of(floor_plane, home, floor_plane, Placement(0, 0, pi)).size(), 0u);
}

TEST(HalfPlane, KeepsTheFourDeepestOfManyCorners) {
  std::vector<Point> corners;
  for (int i = 0; i < 12; ++i) corners.push_back({std::cos(i * pi / 6 + 0.1), std::sin(i * pi / 6 + 0.1)});
  const Shape wheel = Shape::polygon(corners);
  for (int turn = 0; turn < 12; ++turn) {
    const Placement placement(0, 0.2, turn * pi / 6);
    std::vector<double> heights;
    for (const Point p : corners) heights.push_back(placement.to_world(p).y);
    std::sort(heights.begin(), heights.end());
    const auto points = points_of(floor_plane, home, wheel, placement, 0.1);
    ASSERT_EQ(points.size(), 4u);
    for (const ContactPoint& p : points) EXPECT_LE(p.gap, heights[3] + 1e-15);
  }
}

TEST(PolygonPolygon, BoxOnALargerBox) {
  const Shape ground = Shape::box({0, 0}, 10, 1, 0);
  auto points = points_of(ground, home, unit_box, Placement(2, 1, 0));
  ASSERT_EQ(points.size(), 2u);
  expect_point(points[0], 0, {0, 1}, {1.5, 0.5}, edge_corner(2, 0));
  expect_point(points[1], 0, {0, 1}, {2.5, 0.5}, edge_corner(2, 1));
  points = points_of(unit_box, Placement(2, 1, 0), ground, home);
  ASSERT_EQ(points.size(), 2u);
  expect_point(points[0], 0, {0, -1}, {1.5, 0.5}, corner_edge(0, 2));
  expect_point(points[1], 0, {0, -1}, {2.5, 0.5}, corner_edge(1, 2));
}

TEST(PolygonPolygon, CornerOnAFace) {
  const auto points = points_of(unit_box, home, unit_box, Placement(0.1, 0.5 + std::sqrt(0.5), pi / 4));
  ASSERT_EQ(points.size(), 1u);
  expect_point(points[0], 0, {0, 1}, {0.1, 0.5}, edge_corner(2, 0));
  EXPECT_EQ(points_of(unit_box, home, unit_box, Placement(0.1, 0.52 + std::sqrt(0.5), pi / 4)).size(), 0u);
}

TEST(PolygonPolygon, FaceOnACorner) {
  const auto points = points_of(unit_box, Placement(0.1, 0.5 - std::sqrt(0.5), pi / 4), unit_box, Placement(0, 1, 0));
  ASSERT_EQ(points.size(), 1u);
  expect_point(points[0], 0, {0, 1}, {0.1, 0.5}, corner_edge(2, 0));
}

TEST(PolygonPolygon, CornerNextToCorner) {
  auto points = points_of(unit_box, home, unit_box, Placement(1.003, 1.004, 0));
  ASSERT_EQ(points.size(), 1u);
  EXPECT_NEAR(points[0].gap, 0.005, 1e-15);
  EXPECT_NEAR(points[0].normal.x, 0.6, 1e-12);
  EXPECT_NEAR(points[0].normal.y, 0.8, 1e-12);
  EXPECT_EQ(points[0].feature, corner_corner(2, 0));
  EXPECT_EQ(points_of(unit_box, home, unit_box, Placement(1.008, 1.008, 0)).size(), 0u);
  // Two corners that exactly meet are one point.
  points = points_of(unit_box, home, unit_box, Placement(1, 1, 0));
  ASSERT_EQ(points.size(), 1u);
  EXPECT_EQ(points[0].gap, 0);
}

TEST(PolygonPolygon, ShiftedBricks) {
  auto points = points_of(brick, home, brick, Placement(1, 1, 0));
  ASSERT_EQ(points.size(), 2u);
  expect_point(points[0], 0, {0, 1}, {0, 0.5}, edge_corner(2, 0));
  expect_point(points[1], 0, {0, 1}, {1, 0.5}, corner_edge(2, 0));
  points = points_of(brick, home, brick, Placement(-1, 0.9, 0));
  ASSERT_EQ(points.size(), 2u);
  expect_point(points[0], -0.1, {0, 1}, {-1, 0.4}, corner_edge(3, 0));
  expect_point(points[1], -0.1, {0, 1}, {0, 0.4}, edge_corner(2, 1));
}

TEST(PolygonPolygon, FlushBricksHaveOnePointAtEachEnd) {
  for (const double shift : {0.0, 1e-13, -1e-13}) {
    const auto points = points_of(brick, home, brick, Placement(shift, 1, 0));
    ASSERT_EQ(points.size(), 2u);
    EXPECT_NEAR(points[0].on_b.x, -1, 1e-12);
    EXPECT_NEAR(points[1].on_b.x, 1, 1e-12);
    EXPECT_EQ(points[0].feature, edge_corner(2, 0));
    EXPECT_EQ(points[1].feature, edge_corner(2, 1));
    EXPECT_EQ(points[0].gap, 0);
    EXPECT_EQ(points[1].gap, 0);
  }
}

TEST(PolygonPolygon, TiltedShiftedBricksKeepTheirOwnNormals) {
  const auto points = points_of(brick, home, brick, Placement(1, 1 + std::sin(0.02) + 1e-3, 0.02), 0.1);
  ASSERT_EQ(points.size(), 2u);
  EXPECT_EQ(points[0].feature, edge_corner(2, 0));
  EXPECT_EQ(points[1].feature, corner_edge(2, 0));
  EXPECT_NEAR(points[0].normal.x, 0, 1e-15);
  EXPECT_NEAR(points[1].normal.x, -std::sin(0.02), 1e-15);
}

TEST(PolygonPolygon, BoxInACorner) {
  const Shape ground = Shape::box({0, -0.5}, 10, 1, 0), side = Shape::box({-0.5, 2}, 1, 4, 0);
  const Placement placement(0.5, 0.5, 0);
  const auto below = points_of(ground, home, unit_box, placement), beside = points_of(side, home, unit_box, placement);
  ASSERT_EQ(below.size(), 2u);
  ASSERT_EQ(beside.size(), 2u);
  for (const ContactPoint& p : below) {
    EXPECT_EQ(p.gap, 0);
    EXPECT_EQ(p.normal.y, 1);
  }
  for (const ContactPoint& p : beside) {
    EXPECT_EQ(p.gap, 0);
    EXPECT_EQ(p.normal.x, 1);
  }
}

TEST(PolygonPolygon, DeepOverlapIsLeftTheShortestWay) {
  auto points = points_of(unit_box, home, unit_box, Placement(0.1, 0.7, 0));
  ASSERT_EQ(points.size(), 2u);
  expect_point(points[0], -0.3, {0, 1}, {-0.4, 0.2}, edge_corner(2, 0));
  expect_point(points[1], -0.3, {0, 1}, {0.5, 0.2}, corner_edge(2, 0));
  points = points_of(unit_box, home, unit_box, Placement(0.7, 0.1, 0));
  ASSERT_EQ(points.size(), 2u);
  for (const ContactPoint& p : points) EXPECT_NEAR(p.gap, -0.3, 1e-15);
  for (const ContactPoint& p : points) EXPECT_NEAR(p.normal.x, 1, 1e-15);
}

TEST(SegmentPolygon, BoxOnAWallFromBothSides) {
  auto points = points_of(wall, home, unit_box, Placement(0, 0.5, 0));
  ASSERT_EQ(points.size(), 2u);
  expect_point(points[0], 0, {0, 1}, {-0.5, 0}, edge_corner(1, 0));
  expect_point(points[1], 0, {0, 1}, {0.5, 0}, edge_corner(1, 1));
  points = points_of(wall, home, unit_box, Placement(1, -0.4, 0));
  ASSERT_EQ(points.size(), 2u);
  expect_point(points[0], -0.1, {0, -1}, {0.5, 0.1}, edge_corner(0, 3));
  expect_point(points[1], -0.1, {0, -1}, {1, 0.1}, corner_edge(1, 2));
}

TEST(SegmentPolygon, RodStandsOnABox) {
  const auto points = points_of(unit_box, home, wall, Placement(0, 1.5 + std::cos(0.1) - 1, pi / 2 + 0.1));
  ASSERT_EQ(points.size(), 1u);
  EXPECT_NEAR(points[0].gap, 0, 1e-15);
  EXPECT_EQ(points[0].feature, edge_corner(2, 0));
}

TEST(SegmentPolygon, EndNextToACorner) {
  const auto points = points_of(wall, home, unit_box, Placement(1.503, 0.504, 0));
  ASSERT_EQ(points.size(), 1u);
  EXPECT_NEAR(points[0].gap, 0.005, 1e-15);
  EXPECT_EQ(points[0].feature, corner_corner(1, 0));
}

TEST(SegmentSegment, LyingOnAndEndToEnd) {
  auto points = points_of(wall, home, wall, Placement(1, 0.005, 0));
  ASSERT_EQ(points.size(), 2u);
  for (const ContactPoint& p : points) EXPECT_NEAR(p.gap, 0.005, 1e-15);
  points = points_of(wall, home, wall, Placement(2.005, 0, 0));
  ASSERT_EQ(points.size(), 1u);
  EXPECT_NEAR(points[0].gap, 0.005, 1e-15);
  EXPECT_NEAR(points[0].normal.x, 1, 1e-15);
  EXPECT_EQ(points_of(wall, home, wall, Placement(2.02, 0, 0)).size(), 0u);
}

}  // namespace
}  // namespace picus::geometry
