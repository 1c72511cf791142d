// Scenes of rigid bodies in the plane, at one step of gravity: towers, arches, chains.
#pragma once

#include <cmath>
#include <random>
#include <vector>

#include "sparse_builder.hpp"

namespace picus::tests {

struct Scene {
  struct Body {
    double m, J, x, y;
  };
  std::vector<Body> bodies;
  std::vector<double> u;  // free velocities at the end of the step
  contact::SparseProblem problem;

  static constexpr int ground = -1;
  static constexpr double g_dt = 9.81e-3;

  int add_body(double m, double J, double x, double y) {
    bodies.push_back({m, J, x, y});
    u.insert(u.end(), {0, -g_dt, 0});
    return static_cast<int>(bodies.size()) - 1;
  }
  void begin_rows() { clear(problem, static_cast<int>(u.size())); }

  auto mass() const {
    return [this](int v) {
      const Body& body = bodies[static_cast<std::size_t>(v / 3)];
      return v % 3 == 2 ? body.J : body.m;
    };
  }
  auto free() const {
    return [this](int v) { return u[static_cast<std::size_t>(v)]; };
  }

  // Velocity of b's point at (x, y), less that of a's, along (n_x, n_y).
  Entries along(int a, int b, double x, double y, double n_x, double n_y) const {
    Entries w;
    for (int k : {a, b}) {
      if (k == ground) continue;
      const Body& body = bodies[static_cast<std::size_t>(k)];
      const double s = k == b ? 1 : -1;
      w.insert(w.end(), {{3 * k, s * n_x}, {3 * k + 1, s * n_y}});
      w.push_back({3 * k + 2, s * ((x - body.x) * n_y - (y - body.y) * n_x)});
    }
    return w;
  }
  // The normal points from a to b.
  void contact(int a, int b, double x, double y, double n_x, double n_y, double mu) {
    add_contact(problem, along(a, b, x, y, n_x, n_y), along(a, b, x, y, n_y, -n_x), mass(), free(), mu);
  }
  void joint(int a, int b, double x, double y) {
    add_row(problem, along(a, b, x, y, 1, 0), mass(), free(), contact::bilateral_row());
    add_row(problem, along(a, b, x, y, 0, 1), mass(), free(), contact::bilateral_row());
  }
  void element(int a, int b, double x, double y, double n_x, double n_y, double lower, double upper) {
    add_row(problem, along(a, b, x, y, n_x, n_y), mass(), free(), {lower, upper, 0, 0, -1});
  }

  contact::SparseSolution cold() const {
    return {std::vector<double>(problem.b.size(), 0),
            std::vector<contact::RowState>(problem.b.size(), contact::RowState::inner)};
  }
  // Velocities after the impulses.
  std::vector<double> after(const contact::SparseSolution& s) const {
    std::vector<double> v = u;
    for (int r = 0; r < problem.rows(); ++r) problem.MinvW.add_to(r, s.Lambda[static_cast<std::size_t>(r)], v.data());
    return v;
  }
};

// Boxes on each other, two contacts between neighbours; masses from `light` below to `heavy` on top.
inline Scene tower(int boxes, double mu, double light = 1, double heavy = 1) {
  Scene s;
  const double w = 1, h = 0.5;
  for (int i = 0; i < boxes; ++i) {
    const double m = boxes > 1 ? light * std::pow(heavy / light, static_cast<double>(i) / (boxes - 1)) : light;
    s.add_body(m, m * (w * w + h * h) / 12, 0, h * (i + 0.5));
  }
  s.begin_rows();
  for (int i = 0; i < boxes; ++i) {
    for (double x : {-w / 2, w / 2}) s.contact(i - 1, i, x, h * i, 0, 1, mu);  // below the first: the ground
  }
  return s;
}

// A semicircle of equal wedges, two contacts in each of the joints, the outer ones with the ground.
inline Scene arch(int stones, double mu) {
  Scene s;
  const double inner = 1, outer = 1.3, pi = 3.141592653589793, step = pi / stones;
  const double middle = (inner + outer) / 2, m = 2000 * 0.5 * (outer * outer - inner * inner) * step;
  for (int k = 0; k < stones; ++k) {
    const double angle = (k + 0.5) * step;
    s.add_body(m, m * 0.3 * 0.3 / 6, middle * std::cos(angle), middle * std::sin(angle));
  }
  s.begin_rows();
  for (int k = 0; k <= stones; ++k) {
    const double c = std::cos(k * step), sn = std::sin(k * step);
    const int before = k - 1, behind = k < stones ? k : Scene::ground;
    for (double r : {inner, outer}) s.contact(before, behind, r * c, r * sn, -sn, c, mu);
  }
  return s;
}

// Links in a row, hinged to each other and to the ground at the left; at the right too where `closed`, with the last
// hinge written twice: redundant rows. Every fifth link rests on the floor.
inline Scene chain(int links, bool closed, double mu, unsigned seed) {
  Scene s;
  std::mt19937 rng(seed);
  std::normal_distribution<double> normal;
  const double l = 0.1;
  for (int i = 0; i < links; ++i) s.add_body(1, l * l / 12, l * (i + 0.5), 0.02 * std::sin(0.7 * i));
  for (double& v : s.u) v += 0.05 * normal(rng);
  s.begin_rows();
  for (int i = 0; i < links; ++i) s.joint(i - 1, i, l * i, 0.02 * std::sin(0.7 * i - 0.35));
  if (closed) {
    for (int copy = 0; copy < 2; ++copy) s.joint(links - 1, Scene::ground, l * links, 0);
  }
  for (int i = 0; i < links; i += 5) {
    for (double side : {-0.4, 0.4}) s.contact(Scene::ground, i, l * (i + 0.5 + side), -0.05, 0, 1, mu);
  }
  return s;
}

}  // namespace picus::tests
