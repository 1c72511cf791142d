#include "picus/contact/convex_hull.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "picus/math/small.hpp"
#include "picus/support/index.hpp"

namespace picus::contact {

using Eigen::Vector3d;

Vector3d unit_normal(const Vector3d& p, const Vector3d& q, const Vector3d& r) {
  const Vector3d pq = q - p, qr = r - q, rp = p - r;
  const double a = pq.squaredNorm(), b = qr.squaredNorm(), c = rp.squaredNorm();
  if (a >= b && a >= c) return qr.cross(rp).normalized();
  return (b >= c ? rp.cross(pq) : pq.cross(qr)).normalized();
}

namespace {

struct Triangle {
  Corners corners;
  Vector3d normal;
  double offset;
};

Triangle oriented(const std::vector<Vector3d>& p, int i, int j, int k) {
  const Vector3d n = unit_normal(p[at(i)], p[at(j)], p[at(k)]);
  return {{i, j, k}, n, n.dot(p[at(i)])};
}

template <class Measure>
int largest(const std::vector<Vector3d>& points, Measure measure) {
  int best = 0;
  double most = measure(points[0]);
  for (int i = 1; i < static_cast<int>(points.size()); ++i) {
    const double value = measure(points[at(i)]);
    if (!(value > most)) continue;
    most = value;
    best = i;
  }
  return best;
}

// The hull of points that span space, in triangles seen counter-clockwise from outside: from a large tetrahedron on,
// the point farthest outside is joined to the rim of what it sees (Barber, Dobkin & Huhdanpaa 1996). False where
// round-off made the surface fold; a larger tolerance helps then.
bool hull_in_space(const std::vector<Vector3d>& p, double tolerance, std::vector<Triangle>& hull) {
  const int i = largest(p, [](const Vector3d& x) { return x.norm(); });
  int j = largest(p, [&](const Vector3d& x) { return (x - p[at(i)]).norm(); });
  int k = largest(p, [&](const Vector3d& x) { return (x - p[at(i)]).cross(p[at(j)] - p[at(i)]).norm(); });
  const Vector3d n = oriented(p, i, j, k).normal;
  const int l = largest(p, [&](const Vector3d& x) { return std::abs(n.dot(x - p[at(i)])); });
  if (n.dot(p[at(l)] - p[at(i)]) > 0) std::swap(j, k);
  hull = {oriented(p, i, j, k), oriented(p, i, l, j), oriented(p, j, l, k), oriented(p, k, l, i)};
  const Vector3d inside = (p[at(i)] + p[at(j)] + p[at(k)] + p[at(l)]) / 4;

  const auto height = [&](const Vector3d& x) {
    double highest = -math::infinity;
    for (const Triangle& f : hull) highest = std::max(highest, f.normal.dot(x) - f.offset);
    return highest;
  };
  for (std::size_t added = 0; added <= p.size(); ++added) {
    const int far = largest(p, height);
    if (height(p[at(far)]) <= tolerance) break;
    const auto hidden_end = std::partition(
        hull.begin(), hull.end(), [&](const Triangle& f) { return f.normal.dot(p[at(far)]) - f.offset <= tolerance; });
    std::vector<std::array<int, 2>> edges;
    for (auto f = hidden_end; f != hull.end(); ++f) {
      for (std::size_t e = 0; e < 3; ++e) edges.push_back({f->corners[e], f->corners[(e + 1) % 3]});
    }
    hull.erase(hidden_end, hull.end());
    for (const auto& [from, to] : edges) {
      if (std::find(edges.begin(), edges.end(), std::array{to, from}) == edges.end()) {
        hull.push_back(oriented(p, from, to, far));
      }
    }
  }
  return std::all_of(hull.begin(), hull.end(), [&](const Triangle& f) { return f.normal.dot(inside) < f.offset; }) &&
         height(p[at(largest(p, height))]) <= tolerance;
}

// The hull of points that span the plane of their first two entries: its edges, counter-clockwise (Andrew 1979).
std::vector<Corners> hull_in_the_plane(const std::vector<Vector3d>& p, double tolerance) {
  std::vector<int> order(p.size()), ring;
  for (int i = 0; i < static_cast<int>(p.size()); ++i) order[at(i)] = i;
  std::sort(order.begin(), order.end(), [&](int i, int j) {
    return p[at(i)][0] != p[at(j)][0] ? p[at(i)][0] < p[at(j)][0] : p[at(i)][1] < p[at(j)][1];
  });
  for (int side = 0; side < 2; ++side) {
    const std::size_t start = ring.size();
    for (int i : order) {
      while (ring.size() >= start + 2) {
        const Vector3d &a = p[at(ring[ring.size() - 2])], &b = p[at(ring.back())];
        const Vector3d ab = b - a, ac = p[at(i)] - a;
        if (ab[0] * ac[1] - ab[1] * ac[0] > tolerance * ac.norm()) break;
        ring.pop_back();
      }
      ring.push_back(i);
    }
    ring.pop_back();  // it begins the other side
    std::reverse(order.begin(), order.end());
  }
  std::vector<Corners> edges;
  for (std::size_t e = 0; e < ring.size(); ++e) edges.push_back({ring[e], ring[(e + 1) % ring.size()], 0});
  return edges;
}

}  // namespace

bool hull_facets(int rank, std::vector<Vector3d> p, std::vector<Corners>& facets) {
  constexpr double tolerance = 1e-13;
  // Every coordinate to about unit size: the hull stays the same, and what is flat for a thin set is told from what is
  // not. Powers of 2, so that neighbouring points stay where they are to the last digit.
  for (int i = 0; i < rank; ++i) {
    double size = 0;
    for (const Vector3d& x : p) size = std::max(size, std::abs(x[i]));
    for (Vector3d& x : p) x[i] = std::ldexp(x[i], -std::ilogb(size));
  }
  facets.clear();
  if (rank == 0) return true;
  if (rank == 1) {
    facets = {{largest(p, [](const Vector3d& x) { return -x[0]; }), 0, 0},
              {largest(p, [](const Vector3d& x) { return x[0]; }), 0, 0}};
    return true;
  }
  if (rank == 2) {
    facets = hull_in_the_plane(p, tolerance);
    return true;
  }
  std::vector<Triangle> hull;
  for (double wider = tolerance; !hull_in_space(p, wider, hull); wider *= 10) {
    if (wider > 1e-6) return false;
  }
  for (const Triangle& f : hull) facets.push_back(f.corners);
  return true;
}

Eigen::Matrix3d basis_of(const std::vector<Vector3d>& points, int& rank) {
  Vector3d size = Vector3d::Zero();
  for (const Vector3d& p : points) size = size.cwiseMax(p.cwiseAbs());
  std::vector<Vector3d> rest = points;
  for (Vector3d& p : rest) p = (size.array() > 0).select(p.array() / size.array(), 0.0);
  Eigen::Matrix3d spanned = Eigen::Matrix3d::Zero();
  for (rank = 0; rank < 3; ++rank) {
    const int pivot = largest(rest, [](const Vector3d& x) { return x.norm(); });
    const Vector3d q = rest[at(pivot)].normalized();
    if (rest[at(pivot)].norm() <= 1e-13) break;
    spanned.col(rank) = points[at(pivot)];
    for (Vector3d& x : rest) x -= q.dot(x) * q;
  }
  Eigen::Matrix3d basis = Eigen::Matrix3d::Zero();
  if (rank == (size.array() > 0).count()) {
    for (int i = 0, column = 0; i < 3; ++i) {
      if (size[i] > 0) basis(i, column++) = 1;
    }
    return basis;
  }
  for (int column = 0; column < rank; ++column) {
    Vector3d q = spanned.col(column).normalized();
    for (int twice = 0; twice < 2; ++twice) q = (q - basis * (basis.transpose() * q)).normalized();
    basis.col(column) = q;
  }
  return basis;
}

}  // namespace picus::contact
