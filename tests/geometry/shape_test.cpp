#include "picus/geometry/shape.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "picus/support/error.hpp"
#include "random_shapes.hpp"

namespace picus::geometry {
namespace {

constexpr double inf = std::numeric_limits<double>::infinity();

std::string mistake_of(std::vector<Point> corners) {
  try {
    Shape::polygon(std::move(corners));
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

void expect_says(const std::string& message, const std::string& part) {
  EXPECT_NE(message.find(part), std::string::npos) << "'" << message << "' does not say '" << part << "'";
}

TEST(Polygon, IsKeptCounterClockwiseWithItsFirstCorner) {
  const Shape left = Shape::polygon({{0, 0}, {2, 0}, {0, 1}}), right = Shape::polygon({{0, 0}, {0, 1}, {2, 0}});
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(left.corner(i).x, right.corner(i).x);
    EXPECT_EQ(left.corner(i).y, right.corner(i).y);
  }
  EXPECT_EQ(left.edge(0).normal.x, 0);
  EXPECT_EQ(left.edge(0).normal.y, -1);
  EXPECT_NEAR(left.edge(1).normal.x, 1 / std::sqrt(5), 1e-15);
  EXPECT_NEAR(left.edge(1).normal.y, 2 / std::sqrt(5), 1e-15);
  EXPECT_NEAR(left.edge(1).offset, 2 / std::sqrt(5), 1e-15);
}

TEST(Polygon, NormalsPointOutwards) {
  std::mt19937 rng(1);
  for (int k = 0; k < 200; ++k) {
    const Shape shape = tests::random_polygon(rng, 1);
    for (int i = 0; i < shape.edge_count(); ++i) {
      EXPECT_NEAR(length(shape.edge(i).normal), 1, 1e-15);
      for (int j = 0; j < shape.edge_count(); ++j) {
        const double height = dot(shape.edge(i).normal, shape.corner(j) - shape.corner(i));
        if (j == i || j == shape.next(i)) {
          EXPECT_NEAR(height, 0, 1e-15);
        } else {
          EXPECT_LT(height, -1e-12);
        }
      }
    }
  }
}

TEST(Polygon, NamesTheCornerThatIsWrong) {
  expect_says(mistake_of({{0, 0}, {1, 0}}), "2 corners");
  expect_says(mistake_of({{0, 0}, {1, 0}, {1, 0}, {0, 1}}), "corner 3 (1, 0) repeats corner 2");
  expect_says(mistake_of({{0, 0}, {1, 0}, {0, 1}, {0, 0}}), "corner 1 (0, 0) repeats corner 4");
  expect_says(mistake_of({{0, 0}, {1, 0}, {NAN, 1}}), "corner 3");
  expect_says(mistake_of({{0, 0}, {2, 0}, {0.5, 0.5}, {0, 2}}), "corner 3 (0.5, 0.5) makes the polygon not convex");
  expect_says(mistake_of({{0, 0}, {2, 0}, {0.5, 0.5}, {0, 2}}), "split it: a body may have several shapes");
  expect_says(mistake_of({{0, 2}, {0.5, 0.5}, {2, 0}, {0, 0}}), "corner 2 (0.5, 0.5) makes the polygon not convex");
  expect_says(mistake_of({{0, 0}, {1, 0}, {2, 0}, {0, 1}}), "corner 2 (1, 0) is on a line with its neighbours");
  expect_says(mistake_of({{0, 0}, {1, 0}, {2, 0}}), "without area");
  expect_says(mistake_of({{0, 0}, {1, 0}, {0, 1}, {1, 1}}), "not convex");  // two edges cross
  std::vector<Point> star;
  for (int i = 0; i < 5; ++i)
    star.push_back({std::cos(0.8 * std::numbers::pi * i), std::sin(0.8 * std::numbers::pi * i)});
  expect_says(mistake_of(star), "more than once");
}

TEST(Polygon, MayBeOfAnySizeAndLongAndThin) {
  for (const double scale : {1e-6, 1.0, 1e3}) {
    EXPECT_NO_THROW(Shape::box({3 * scale, scale}, scale, 2 * scale, 0.3));
    EXPECT_NO_THROW(Shape::box({0, 0}, 1e3, 1e-3 * scale, 0.3));
  }
  std::vector<Point> round;
  for (int i = 0; i < 1000; ++i)
    round.push_back({std::cos(i * std::numbers::pi / 500), std::sin(i * std::numbers::pi / 500)});
  EXPECT_EQ(Shape::polygon(round).edge_count(), 1000);
}

TEST(Shape, RefusesWhatIsNone) {
  EXPECT_THROW(Shape::circle({0, 0}, 0), InputError);
  EXPECT_THROW(Shape::circle({0, 0}, -1), InputError);
  EXPECT_THROW(Shape::circle({0, NAN}, 1), InputError);
  EXPECT_THROW(Shape::box({0, 0}, 1, 0, 0), InputError);
  EXPECT_THROW(Shape::box({0, 0}, inf, 1, 0), InputError);
  EXPECT_THROW(Shape::box({0, 0}, 1, 1, NAN), InputError);
  EXPECT_THROW(Shape::segment({1, 2}, {1, 2}), InputError);
  EXPECT_THROW(Shape::half_plane({0, 0}, {0, 0}), InputError);
  EXPECT_THROW(Shape::half_plane({0, inf}, {0, 1}), InputError);
}

TEST(Bounds, HoldTheShape) {
  const Placement placement(3, 4, std::numbers::pi / 2);
  const Box circle = Shape::circle({1, 0}, 0.5).bounds(placement);
  EXPECT_NEAR(circle.x_min, 2.5, 1e-15);
  EXPECT_NEAR(circle.x_max, 3.5, 1e-15);
  EXPECT_NEAR(circle.y_min, 4.5, 1e-15);
  EXPECT_NEAR(circle.y_max, 5.5, 1e-15);
  const Box box = Shape::box({0, 0}, 4, 2, 0).bounds(placement);
  EXPECT_NEAR(box.x_min, 2, 1e-15);
  EXPECT_NEAR(box.x_max, 4, 1e-15);
  EXPECT_NEAR(box.y_min, 2, 1e-15);
  EXPECT_NEAR(box.y_max, 6, 1e-15);
  const Box wall = Shape::segment({-1, 0}, {1, 0}).bounds(Placement(0, 1, 0));
  EXPECT_EQ(wall.y_min, 1);
  EXPECT_EQ(wall.y_max, 1);
  EXPECT_EQ(wall.x_max, 1);
}

TEST(Bounds, OfAHalfPlaneAreInfiniteWhereItIs) {
  const Shape floor = Shape::half_plane({0, 2}, {0, 3});
  const Box straight = floor.bounds(Placement(0, 1, 0));
  EXPECT_EQ(straight.x_min, -inf);
  EXPECT_EQ(straight.x_max, inf);
  EXPECT_EQ(straight.y_min, -inf);
  EXPECT_EQ(straight.y_max, 3);
  EXPECT_EQ(floor.bounds(Placement(0, 1, 0.1)).y_max, inf);
  EXPECT_EQ(Shape::half_plane({5, 0}, {-1, 0}).bounds(Placement()).x_min, 5);
}

}  // namespace
}  // namespace picus::geometry
