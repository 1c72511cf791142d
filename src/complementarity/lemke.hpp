#pragma once

#include "picus/complementarity/lcp.hpp"
#include "picus/complementarity/lemke_pivoting.hpp"

namespace picus::complementarity {

struct LemkeOptions {
  int pivot_limit = 0;       // 0: 100 n + 1000
  double tolerance = 1e-10;  // of the certificate
};

struct LemkeResult {
  enum class Status {
    solved,      // `solution` is certified
    infeasible,  // proven: no x ≥ 0 has A x + b ≥ 0 (`proof` shows it)
    ray,         // ended on a ray; a solution may or may not exist
    unknown,     // pivot limit, or the basis found was not confirmed by the certificate
  };
  Status status = Status::unknown;
  LcpSolution solution;
  // v ≥ 0 with Aᵀ v ≤ 0 and bᵀ v < 0: then vᵀ(A x + b) < 0 for every x ≥ 0, so no feasible x exists.
  Eigen::VectorXd proof;
  int pivots = 0;
};

// Lemke's method with the lexicographic rule. The basis that it ends with is solved again from A and b, and the answer
// counts as solved only with a certificate.
LemkeResult solve_lemke(const Lcp& problem, const LemkeOptions& options = {});

}  // namespace picus::complementarity
