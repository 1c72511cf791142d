#pragma once

#include <vector>

#include "picus/complementarity/lcp.hpp"

namespace picus::complementarity {

// A bounded or unbounded piece of the solution set, of dimension one or more: all of conv(vertices) + cone(rays)
// solves the problem.
struct LcpFace {
  int dimension = 0;
  std::vector<LcpSolution> vertices;
  std::vector<Eigen::VectorXd> rays;  // directions of x, largest entry one
};

struct EnumerationOptions {
  double tolerance = 1e-10;
  // Beyond these limits `complete` is false: solution pieces and generators a piece; operations on singular index sets,
  // roughly (some seconds).
  std::size_t piece_limit = 20000;
  double work_limit = 2e9;
};

struct LcpEnumeration {
  std::vector<LcpSolution> isolated;  // sorted by nine digits of x, lexicographically
  std::vector<LcpFace> faces;         // maximal ones
  bool complete = true;               // every complementary index set was examined

  bool empty() const { return isolated.empty() && faces.empty(); }
};

// 2ⁿ index sets are examined: 20 takes a second or two.
inline constexpr int enumeration_size_limit = 20;

// All solutions of the LCP. For every index set α it takes the polyhedron
//   x_α ≥ 0, x_β = 0, A_αα x_α + b_α = 0, A_βα x_α + b_β ≥ 0   (β the complement of α):
// one point at most where A_αα is regular, otherwise described by its vertices and rays. The union of these polyhedra
// is the solution set; pieces inside others are dropped. Throws InputError beyond enumeration_size_limit.
LcpEnumeration enumerate_solutions(const Lcp& problem, const EnumerationOptions& options = {});

}  // namespace picus::complementarity
