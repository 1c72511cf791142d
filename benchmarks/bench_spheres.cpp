// Bodies in space. One ball that slides and spins on a floor, beside a loop written for it alone; and heaps of 8 to 512
// balls that fall into a box: time of a step against the number of contacts.
//
// Usage: picus_bench_spheres [FILE.csv [LARGEST_N]]
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>
#include <vector>

#include "picus/stepping/spatial_integration.hpp"

namespace {

using namespace picus;
using Eigen::Vector3d;
using geometry::SpatialShape;
using stepping::SpatialIntegration;

double seconds_used() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

mechanics::SpatialBody fixed_plane(const Vector3d& point, const Vector3d& normal) {
  mechanics::SpatialBody body;
  body.name = "wall";
  body.is_fixed = true;
  body.shapes.push_back(SpatialShape::half_space(point, normal));
  return body;
}

mechanics::SpatialBody ball(double mass, double radius) {
  mechanics::SpatialBody body;
  body.name = "ball";
  body.mass = mass;
  body.inertia = Vector3d::Constant(0.4 * mass * radius * radius);
  body.shapes.push_back(SpatialShape::sphere(Vector3d::Zero(), radius));
  return body;
}

// The bowling ball of Trinkle, Tzitzouris & Pang (2001), section 4.1.5, while it slides.
constexpr double mu = 0.01, e_r = 0.2, g = 9.81, end = 7.4;

SpatialIntegration bowling_ball(double dt, options::Method method) {
  mechanics::SpatialParts parts;
  parts.gravity = {0, 0, -g};
  parts.bodies = {fixed_plane(Vector3d::Zero(), {0, 0, 1}), ball(1, 1)};
  contact::SpatialLaw law;
  law.mu = mu;
  law.set = contact::FrictionSet::ellipsoid(1, 1, e_r);
  law.polytope =
      contact::FrictionSet::hull(contact::ellipsoid_directions({1, 1, e_r}, std::vector<int>{1, 6, 8, 10, 8, 6, 1}));
  parts.laws = {law};
  parts.law_of_groups = {0};
  geometry::SpatialPlacement q;
  q.x = {0, 0.5, 1};
  return SpatialIntegration(mechanics::SpatialSystem(parts), {q}, {{{1, 0.2, 0}, {1, 0.5, 0.2}}},
                            {.dt = dt, .method = method});
}

// The same steps of the midpoint rule for this ball alone: no geometry, G diagonal, slip taken for granted, no
// certificate, no books.
struct Straight {
  double x = 0, y = 0.5, vx = 1, vy = 0.2, wx = 1, wy = 0.5, wz = 0.2;
  double qw = 1, qx = 0, qy = 0, qz = 0;

  void turn(double h) {
    const double rate = std::sqrt(wx * wx + wy * wy + wz * wz), c = std::cos(0.5 * h * rate),
                 s = std::sin(0.5 * h * rate) / rate;
    const double a = s * wx, b = s * wy, d = s * wz;
    const double w = c * qw - a * qx - b * qy - d * qz, i = c * qx + a * qw + b * qz - d * qy,
                 j = c * qy + b * qw + d * qx - a * qz, k = c * qz + d * qw + a * qy - b * qx;
    qw = w, qx = i, qy = j, qz = k;
  }

  void step(double dt) {
    const double h = 0.5 * dt;
    x += h * vx, y += h * vy;
    turn(h);
    const double G_T = 3.5, G_r = 2.5 * e_r * e_r, sx = vx - wy, sy = vy + wx, sr = e_r * wz, S = mu * g * dt;
    double px = 0, py = 0, pr = 0, kappa = std::max(std::sqrt(sx * sx + sy * sy + sr * sr) / S - G_T, 0.0);
    for (int k = 0; k < 20; ++k) {
      const double ux = 1 / (G_T + kappa), ur = 1 / (G_r + kappa);
      px = -sx * ux, py = -sy * ux, pr = -sr * ur;
      const double square = px * px + py * py + pr * pr, off = square - S * S;
      if (std::abs(off) < 1e-14 * S * S) break;
      const double slope = -2 * ((px * px + py * py) * ux + pr * pr * ur);
      kappa -= off / slope * 0.5 * (1 + std::sqrt(square) / S);
    }
    vx += px, vy += py, wy -= 2.5 * px, wx += 2.5 * py, wz += 2.5 * e_r * pr;
    x += h * vx, y += h * vy;
    turn(h);
  }
};

void one_ball() {
  constexpr long steps = 100000;
  constexpr int rounds = 21;
  constexpr double dt = end / static_cast<double>(steps);
  struct Row {
    const char* name;
    std::vector<double> ns;
  };
  std::vector<Row> rows = {
      {"straight line", {}}, {"moreau-midpoint", {}}, {"moreau-jean", {}}, {"tzitzouris-pang", {}}};
  double x[4] = {};
  long certified = 0;
  for (int round = 0; round < rounds; ++round) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const double begin = seconds_used();
      if (i == 0) {
        Straight straight;
        for (long k = 0; k < steps; ++k) straight.step(dt);
        x[i] = straight.x;
      } else {
        constexpr options::Method methods[] = {options::Method::moreau_midpoint, options::Method::moreau_jean,
                                               options::Method::tzitzouris_pang};
        SpatialIntegration run = bowling_ball(dt, methods[i - 1]);
        for (long k = 0; k < steps; ++k) run.step();
        x[i] = run.q()[0].x.x();
        certified += run.totals().certified_steps;
      }
      rows[i].ns.push_back(1e9 * (seconds_used() - begin) / static_cast<double>(steps));
    }
  }
  fmt::print("one ball that slides and spins, {} steps, {} rounds turn about; {} of {} steps certified\n", steps,
             rounds, certified, 3 * rounds * steps);
  fmt::print("{:<18}{:>10}{:>12}{:>14}{:>24}\n", "", "least ns", "median ns", "ratio, least", "x at the end, m");
  double floor = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    std::sort(rows[i].ns.begin(), rows[i].ns.end());
    if (i == 0) floor = rows[i].ns.front();
    fmt::print("{:<18}{:>10.0f}{:>12.0f}{:>14.2f}{:>24.15f}\n", rows[i].name, rows[i].ns.front(),
               rows[i].ns[rows[i].ns.size() / 2], rows[i].ns.front() / floor, x[i]);
  }
}

// n balls of two sizes over the floor of a box, in a lattice that is a little disturbed.
SpatialIntegration heap(int n) {
  constexpr double r = 0.05, density = 1000;
  const int side = static_cast<int>(std::ceil(std::cbrt(n)));
  const double half = 1.1 * r * side + 0.6 * r;
  mechanics::SpatialParts parts;
  parts.gravity = {0, 0, -g};
  parts.bodies = {fixed_plane(Vector3d::Zero(), {0, 0, 1}), fixed_plane({-half, 0, 0}, {1, 0, 0}),
                  fixed_plane({half, 0, 0}, {-1, 0, 0}), fixed_plane({0, -half, 0}, {0, 1, 0}),
                  fixed_plane({0, half, 0}, {0, -1, 0})};
  std::vector<geometry::SpatialPlacement> q;
  for (int i = 0; i < n; ++i) {
    const double radius = i % 3 == 0 ? 0.85 * r : r;
    parts.bodies.push_back(ball(density * 4.18879 * radius * radius * radius, radius));
    geometry::SpatialPlacement place;
    place.x = {2.2 * r * (i % side - 0.5 * (side - 1)) + 0.3 * r * std::sin(12.9898 * i),
               2.2 * r * (i / side % side - 0.5 * (side - 1)) + 0.3 * r * std::sin(78.233 * i),
               1.2 * r + 2.4 * r * (i / side / side)};
    q.push_back(place);
  }
  contact::SpatialLaw law;
  law.mu = 0.4;
  parts.laws = {law};
  parts.law_of_groups = {0};
  return SpatialIntegration(mechanics::SpatialSystem(parts), q, std::vector<mechanics::SpatialVector>(q.size()),
                            {.dt = 2e-3});
}

void heaps(std::FILE* csv, int largest) {
  constexpr int steps = 250, last = 50;
  fmt::print("\nballs in a box, {} steps of 2 ms from the first fall on; the last {}: processor time in ms\n", steps,
             last);
  fmt::print("{:>6}{:>10}{:>12}{:>12}{:>12}{:>16}{:>12}\n", "balls", "contacts", "median", "mean", "worst", "certified",
             "residual");
  if (csv != nullptr) fmt::print(csv, "balls,contacts,median_ms,mean_ms,worst_ms,steps,certified,residual\n");
  for (int n = 8; n <= largest; n *= 2) {
    SpatialIntegration run = heap(n);
    std::vector<double> ms;
    double contacts = 0;
    for (int k = 0; k < steps && run.status() == stepping::StepStatus::done; ++k) {
      const double begin = seconds_used();
      run.step();
      if (k < steps - last) continue;
      ms.push_back(1e3 * (seconds_used() - begin));
      contacts += static_cast<double>(run.touches().size()) / last;
    }
    double sum = 0;
    for (double x : ms) sum += x / static_cast<double>(ms.size());
    std::sort(ms.begin(), ms.end());
    const stepping::Totals& t = run.totals();
    fmt::print("{:>6}{:>10.0f}{:>12.3f}{:>12.3f}{:>12.2f}{:>16}{:>12.1e}\n", n, contacts, ms[ms.size() / 2], sum,
               ms.back(), fmt::format("{} of {}", t.certified_steps, t.steps), t.worst_residual);
    std::fflush(stdout);
    if (csv != nullptr) {
      fmt::print(csv, "{},{},{},{},{},{},{},{}\n", n, contacts, ms[ms.size() / 2], sum, ms.back(), t.steps,
                 t.certified_steps, t.worst_residual);
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  one_ball();
  std::FILE* csv = argc > 1 ? std::fopen(argv[1], "w") : nullptr;
  heaps(csv, argc > 2 ? std::atoi(argv[2]) : 512);
  if (csv != nullptr) std::fclose(csv);
}
