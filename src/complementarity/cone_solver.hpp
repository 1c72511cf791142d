// The solver of cone problems.
#pragma once

#include <string>

#include "picus/complementarity/cone_problem.hpp"

namespace picus::complementarity {

enum class ConeMethod : unsigned char { automatic, gauss_seidel, gradient, newton };

struct ConeOptions {
  ConeMethod method = ConeMethod::automatic;
  double tolerance = 1e-8;        // of ConeResidual::measure()
  double work_limit = 1e10;       // in multiplications, by which all work is counted; and not above 1e6 products with W
  double velocity_tolerance = 0;  // of ConeResidual::largest: a problem that meets it counts as solved, too
  Eigen::VectorXd start;          // impulses to start from; empty: 0
};

struct ConeAnswer {
  bool solved = false;   // to the tolerance; if not, r is the best that was found
  Eigen::VectorXd r, u;  // u = W r + q
  ConeResidual residual;
  ConeMethod by = ConeMethod::automatic;  // that found it
  int sweeps = 0, gradient_steps = 0, factorizations = 0;
  double work = 0;  // in multiplications
};

// automatic: 20 sweeps of Gauss-Seidel, then the accelerated gradient and Newton's method in turn, each for
// as much work as the other, and at the end a few Newton steps towards round-off. The work is counted, not the time:
// equal calls give equal bits. Throws InputError for a problem with a fault.
ConeAnswer solve(const ConeProblem& p, const ConeOptions& options = {});

}  // namespace picus::complementarity
