#pragma once

namespace picus::stepping {

// How a step ended.
enum class StepStatus : unsigned char {
  done,
  no_solution,        // no impulses satisfy the contact laws; the state is left as it was before the step
  lost_in_round_off,  // impulses exist, but round-off is larger than what they are to bring about; likewise
  solver_failed,      // the solver chosen found none, which proves nothing; the state is left as it was
  singular_mass,      // M is not positive definite; the state is left as it was
  diverged,           // velocities that are no numbers or beyond all measure; the state is left as it was
  invalid_law,        // a contact law that depends on the position has left its range; the state is left as it was
  contradiction,      // constraints that cannot hold together; the state is left as it was before the step
  large_impact,       // more contacts in one impact than its law is made for; the state is left as it was
  stuck,              // smooth motion could not be followed any further (event-driven)
  not_converged,      // the implicit equations of the step found no solution; the state is left as it was
  refuted,            // a check beside the laws found that the result is wrong; the state is that after the step
};

}  // namespace picus::stepping
