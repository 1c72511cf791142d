// What holds for contact points of any two shapes, on random ones of sizes from 1e-6 to 1e3.
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "random_shapes.hpp"

namespace picus::geometry {
namespace {

using namespace picus::tests;

constexpr double scales[] = {1e-6, 1.0, 1e3};

struct Found {
  ContactPoint points[most_contact_points];
  int n;

  Found(const Shape& a, const Placement& pa, const Shape& b, const Placement& pb, double reach)
      : n(contact_points(a, pa, b, pb, reach, points)) {}
  const ContactPoint* with(int feature) const {
    for (int i = 0; i < n; ++i) {
      if (points[i].feature == feature) return &points[i];
    }
    return nullptr;
  }
  double least_gap() const {
    double least = HUGE_VAL;
    for (int i = 0; i < n; ++i) least = std::min(least, points[i].gap);
    return least;
  }
};

struct Scene {
  Shape a, b;
  Placement pa, pb;
};

// Near each other: b is drawn at random about a until there is a contact point.
Scene random_scene(Sort sort_a, Sort sort_b, std::mt19937& rng, double scale, double reach) {
  Scene s{random_shape(sort_a, rng, scale), random_shape(sort_b, rng, scale), random_placement(rng, 5 * scale), {}};
  for (int attempt = 0; attempt < 200; ++attempt) {
    s.pb = random_placement(rng, 2 * scale);
    s.pb.x += s.pa.x;
    s.pb.y += s.pa.y;
    if (Found(s.a, s.pa, s.b, s.pb, reach).n > 0) break;
  }
  return s;
}

template <class Check>
void for_all_pairs(int scenes, double reach, Check&& check) {
  std::mt19937 rng(7);
  for (const double scale : scales) {
    for (const Sort sort_a : all_sorts) {
      for (const Sort sort_b : all_sorts) {
        for (int k = 0; k < scenes; ++k) check(random_scene(sort_a, sort_b, rng, scale, reach * scale), scale);
      }
    }
  }
}

Placement moved(const Placement& p, int coordinate, double by) {
  return Placement(p.x + (coordinate == 0 ? by : 0), p.y + (coordinate == 1 ? by : 0),
                   p.phi + (coordinate == 2 ? by : 0));
}

// Of the material of a body at a point of the world, for a unit rate of one of its coordinates.
Point velocity_at(Point point, const Placement& p, int coordinate) {
  if (coordinate == 2) return perpendicular(point - Point{p.x, p.y});
  return coordinate == 0 ? Point{1, 0} : Point{0, 1};
}

TEST(ContactPoints, WitnessPointsFitGapAndNormal) {
  for_all_pairs(200, 0.05, [](const Scene& s, double scale) {
    const Found found(s.a, s.pa, s.b, s.pb, 0.05 * scale);
    std::set<int> features;
    for (int i = 0; i < found.n; ++i) {
      const ContactPoint& p = found.points[i];
      EXPECT_NEAR(length(p.normal), 1, 1e-14);
      EXPECT_NEAR(length(p.on_b - p.on_a - p.gap * p.normal), 0, 1e-14 * scale);
      EXPECT_LE(p.gap, 0.05 * scale);
      EXPECT_TRUE(features.insert(p.feature).second);
      for (int j = 0; j < i; ++j) EXPECT_GT(length(p.on_b - found.points[j].on_b), 1e-8 * scale);
    }
  });
}

// The foot of a corner lies on the edge; by `nearly_antiparallel` it may be off by a tenth of the gap.
TEST(ContactPoints, FeetAreOnTheirEdges) {
  for_all_pairs(400, 0.3, [](const Scene& s, double scale) {
    if (!s.a.has_corners() || s.b.kind() == Shape::Kind::half_plane) return;
    const Found found(s.a, s.pa, s.b, s.pb, 0.3 * scale);
    for (int i = 0; i < found.n; ++i) {
      const ContactPoint& p = found.points[i];
      if (meeting_of(p.feature) != Meeting::edge_corner) continue;
      const int edge = number_in_a(p.feature);
      const double off =
          distance_to_segment(p.on_a, s.pa.to_world(s.a.corner(edge)), s.pa.to_world(s.a.corner(s.a.next(edge))));
      EXPECT_LE(off, 0.11 * std::abs(p.gap) + 1e-8 * scale);
    }
  });
}

TEST(ContactPoints, GapMovesAsTheWitnessPointsSay) {
  std::map<std::pair<int, Meeting>, int> compared;
  for_all_pairs(200, 0.3, [&](const Scene& s, double scale) {
    const double reach = 0.3 * scale;
    const Found found(s.a, s.pa, s.b, s.pb, reach);
    for (int i = 0; i < found.n; ++i) {
      const ContactPoint& p = found.points[i];
      for (int coordinate = 0; coordinate < 6; ++coordinate) {
        const bool of_a = coordinate < 3;
        const int c = coordinate % 3;
        const double h = 1e-6 * (c == 2 ? 1 : scale);
        const auto gap_at = [&](double by) {
          const Found there(s.a, of_a ? moved(s.pa, c, by) : s.pa, s.b, of_a ? s.pb : moved(s.pb, c, by), 2 * reach);
          const ContactPoint* same = there.with(p.feature);
          return same ? same->gap : NAN;
        };
        const double rate = (gap_at(h) - gap_at(-h)) / (2 * h);
        if (std::isnan(rate)) continue;
        const double expected =
            of_a ? -dot(p.normal, velocity_at(p.on_a, s.pa, c)) : dot(p.normal, velocity_at(p.on_b, s.pb, c));
        // The normal of nearest points turns quickly where corners or centres all but meet.
        const bool curved = meeting_of(p.feature) == Meeting::corner_corner;
        const double distance = p.gap + s.a.radius() + s.b.radius();
        const double difference_error = 1e-8 + (curved ? std::pow(1e-6 * scale / distance, 2) : 0);
        EXPECT_NEAR(rate, expected, difference_error * (c == 2 ? scale : 1)) << "coordinate " << coordinate;
        ++compared[{static_cast<int>(s.a.kind()) * 4 + static_cast<int>(s.b.kind()), meeting_of(p.feature)}];
      }
    }
  });
  int corner_corner_pairs = 0;
  for (const auto& [what, count] : compared) {
    EXPECT_GT(count, 50) << what.first << " " << static_cast<int>(what.second);
    corner_corner_pairs += what.second == Meeting::corner_corner;
  }
  EXPECT_EQ(corner_corner_pairs, 9);  // of circle, polygon, segment
  EXPECT_EQ(compared.size(), 27u);
}

TEST(ContactPoints, LeastGapOfPolygonsIsTheirSignedDistance) {
  int apart = 0, overlapping = 0, corners = 0, to_the_line = 0;
  for_all_pairs(400, 0.3, [&](const Scene& s, double scale) {
    if (!s.a.has_corners() || !s.b.has_corners()) return;
    const double reach = 0.3 * scale;
    const double distance = signed_distance(s.a, s.pa, s.b, s.pb);
    const Found found(s.a, s.pa, s.b, s.pb, reach);
    EXPECT_EQ(found.n > 0, distance <= reach);
    if (found.n == 0) return;
    double nearest = HUGE_VAL;
    for (int i = 0; i < found.n; ++i) nearest = std::min(nearest, std::abs(found.points[i].gap - distance));
    // Corners just beyond the ends of nearly parallel edges are measured to the line.
    if (nearest > 1e-12 * scale) {
      EXPECT_LE(nearest, 0.006 * distance);
      ++to_the_line;
    }
    if (distance > 0) {
      EXPECT_GE(found.least_gap(), 0.994 * distance);
    }
    ++(distance > 0 ? apart : overlapping);
    corners += meeting_of(found.points[0].feature) == Meeting::corner_corner;
  });
  EXPECT_GT(apart, 500);
  EXPECT_GT(overlapping, 2000);
  EXPECT_GT(corners, 100);
  EXPECT_LT(to_the_line, apart / 200);
}

TEST(ContactPoints, GapOfACircleIsTheDistanceOfItsCentre) {
  for_all_pairs(200, 0.3, [&](const Scene& s, double scale) {
    if (s.b.kind() != Shape::Kind::circle || !s.a.has_corners()) return;
    const Point center = s.pb.to_world(s.b.center());
    std::vector<Point> about = corners_in_world(s.a, s.pa);
    for (Point& p : about) p = p - center;
    const Found found(s.a, s.pa, s.b, s.pb, 0.3 * scale);
    const double distance = distance_of_origin_from_hull(about);
    EXPECT_EQ(found.n, distance - s.b.radius() <= 0.3 * scale ? 1 : 0);
    if (found.n == 1) {
      EXPECT_NEAR(found.points[0].gap, distance - s.b.radius(), 1e-13 * scale);
    }
  });
}

TEST(ContactPoints, ExchangedShapesGiveTheMirroredPoints) {
  for_all_pairs(200, 0.05, [](const Scene& s, double scale) {
    const Found found(s.a, s.pa, s.b, s.pb, 0.05 * scale), other(s.b, s.pb, s.a, s.pa, 0.05 * scale);
    ASSERT_EQ(found.n, other.n);
    for (int i = 0; i < found.n; ++i) {
      const ContactPoint& p = found.points[i];
      const ContactPoint* q = other.with(exchanged(p.feature));
      ASSERT_NE(q, nullptr);
      EXPECT_NEAR(p.gap, q->gap, 1e-13 * scale);
      EXPECT_NEAR(length(p.normal + q->normal), 0, 1e-10);
      EXPECT_NEAR(length(p.on_a - q->on_b), 0, 1e-12 * scale);
      EXPECT_NEAR(length(p.on_b - q->on_a), 0, 1e-12 * scale);
    }
  });
}

TEST(ContactPoints, DoNotDependOnThePlaceOrTheSize) {
  std::mt19937 rng(3);
  for (int k = 0; k < 2000; ++k) {
    const Scene s = random_scene(all_sorts[rng() % 5], all_sorts[rng() % 5], rng, 1, 0.05);
    const Found here(s.a, s.pa, s.b, s.pb, 0.05);
    const double turn = uniform(rng, -3, 3);
    const Placement frame(30, -20, turn);
    const auto carried = [&](const Placement& p) {
      const Point origin = frame.to_world({p.x, p.y});
      return Placement(origin.x, origin.y, p.phi + turn);
    };
    const Found there(s.a, carried(s.pa), s.b, carried(s.pb), 0.05);
    ASSERT_EQ(here.n, there.n);
    for (int i = 0; i < here.n; ++i) {
      EXPECT_EQ(here.points[i].feature, there.points[i].feature);
      EXPECT_NEAR(here.points[i].gap, there.points[i].gap, 1e-13);
      EXPECT_NEAR(length(frame.to_world(here.points[i].on_a) - there.points[i].on_a), 0, 1e-12);
    }
  }
}

// Two bricks on each other, b shifted by a part of its width, carried to a far place and turned.
struct Stack {
  double scale, shift, turn, away;

  Found found(double gap, std::mt19937* noise) const {
    const Shape brick = Shape::box({0, 0}, 2 * scale, scale, 0);
    const Placement frame(away, away, turn);
    const Point origin = frame.turned({shift * scale, scale + gap});
    const auto jitter = [&] { return noise ? 1e-13 * uniform(*noise, -1, 1) : 0.0; };
    const Placement pa(away + scale * jitter(), away + scale * jitter(), turn + jitter());
    const Placement pb(away + origin.x + scale * jitter(), away + origin.y + scale * jitter(), turn + jitter());
    return Found(brick, pa, brick, pb, 0.01 * scale);
  }
};

TEST(Resting, ExactStacksHaveExactGaps) {
  for (const double scale : scales) {
    for (const double shift : {0.0, 0.5, 1.0, -1.7}) {
      for (const double turn : {0.0, 0.3, 2.0}) {
        const Found found = Stack{scale, shift, turn, 0}.found(0, nullptr);
        ASSERT_EQ(found.n, 2);
        for (int i = 0; i < 2; ++i) EXPECT_LE(std::abs(found.points[i].gap), (turn == 0 ? 0 : 4e-16) * scale);
      }
    }
  }
}

TEST(Resting, FeaturesStayUnderRoundOff) {
  std::mt19937 noise(5);
  for (const double scale : scales) {
    for (const double shift : {0.0, 0.5, 1.0, -1.7, 2.0}) {
      for (const double turn : {0.0, 0.3, 2.0, -0.7}) {
        for (const double away : {0.0, 7 * scale}) {
          const Stack stack{scale, shift, turn, away};
          const Found still = stack.found(0, nullptr);
          ASSERT_EQ(still.n, shift == 2 ? 1 : 2);
          for (int k = 0; k < 200; ++k) {
            const Found found = stack.found(0, &noise);
            ASSERT_EQ(found.n, still.n);
            for (int i = 0; i < still.n; ++i) ASSERT_EQ(found.points[i].feature, still.points[i].feature);
          }
        }
      }
    }
  }
}

// About the one and the other end, with all that is within reach.
TEST(Resting, FeaturesStayWhileABrickRocksOnAFlushOne) {
  const Shape brick = Shape::box({0, 0}, 2, 1, 0);
  for (int k = -400; k <= 400; ++k) {
    const double tilt = k * 1e-5;
    const double end = tilt > 0 ? -1 : 1;
    const Point center = Point{end, 0.5} + Placement(0, 0, tilt).turned({-end, 0.5});
    const Found found(brick, Placement(), brick, Placement(center.x, center.y, tilt), 0.01);
    ASSERT_EQ(found.n, 2);
    EXPECT_TRUE(found.with(feature_of(Meeting::edge_corner, 2, 0))) << tilt;
    EXPECT_TRUE(found.with(feature_of(Meeting::edge_corner, 2, 1))) << tilt;
  }
}

TEST(ContactPoints, OfAnUnknownPlaceAreNone) {
  std::mt19937 rng(4);
  for (const Sort sort_a : all_sorts) {
    for (const Sort sort_b : all_sorts) {
      const Shape a = random_shape(sort_a, rng, 1), b = random_shape(sort_b, rng, 1);
      EXPECT_EQ(Found(a, Placement(), b, Placement(0, NAN, 0), 0.1).n, 0);
      EXPECT_EQ(Found(a, Placement(0, 0, NAN), b, Placement(), 0.1).n, 0);
    }
  }
}

TEST(ContactPoints, SmallShapesOnLargeOnes) {
  const Shape ground = Shape::box({0, -500}, 1000, 1000, 0), grain = Shape::box({0, 0}, 1e-6, 1e-6, 0);
  const Found found(ground, Placement(), grain, Placement(3e-6, 0.5e-6, 0), 1e-9);
  ASSERT_EQ(found.n, 2);
  for (int i = 0; i < 2; ++i) EXPECT_NEAR(found.points[i].gap, 0, 1e-21);
}

TEST(ContactPoints, PolygonsOfManyCorners) {
  std::vector<Point> round;
  for (int i = 0; i < 720; ++i)
    round.push_back({std::cos(i * std::numbers::pi / 360), std::sin(i * std::numbers::pi / 360)});
  const Shape wheel = Shape::polygon(round);
  std::mt19937 rng(9);
  for (int k = 0; k < 30; ++k) {
    const double angle = uniform(rng, -3, 3), distance = uniform(rng, 1.7, 2.02);
    const Placement pa(1, 2, uniform(rng, -3, 3));
    const Placement pb(1 + distance * std::cos(angle), 2 + distance * std::sin(angle), uniform(rng, -3, 3));
    const Found found(wheel, pa, wheel, pb, 0.05);
    ASSERT_GE(found.n, 1);
    EXPECT_NEAR(found.least_gap(), distance - 2, 5e-5);
  }
}

}  // namespace
}  // namespace picus::geometry
