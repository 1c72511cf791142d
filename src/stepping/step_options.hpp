#pragma once

#include "picus/contact/certificate.hpp"
#include "picus/contact/planar_solver.hpp"

namespace picus::stepping {

// Options of the kernel: plain numbers.
struct StepOptions {
  double dt = 1e-4;                                           // s
  double active_gap = 1e-12;                                  // m; a contact with gap ≤ this is active
  double tolerance = contact::default_certificate_tolerance;  // of the certificate, relative to v_ref
  contact::SolverChoice solver = contact::SolverChoice::automatic;
  bool check_uniqueness = true;  // count steps with several solutions, where that is cheap (see docs/method.md)

  // Throws InputError that names the field, its value and the bound.
  void validate() const;
};

// Where a candidate misses the law by more than this share of v_ref, the step has no solution and the run stops; below,
// a candidate that the certificate refuses is used, and the step counts as not certified.
inline constexpr double hopeless_residual = 1e-4;

}  // namespace picus::stepping
