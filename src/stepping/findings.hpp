// What a user should be told about a step: energy that contacts fed in, and impulses without a collision.
#pragma once

#include "picus/contact/choices.hpp"
#include "picus/stepping/motion_scale.hpp"
#include "picus/support/portable.hpp"

namespace picus::stepping {

// What contacts may do to the energy in a step, in J, without feeding it in: half of what forces (and supports that
// accelerate) do to their velocities, and round-off, of what impulses do in the step and of the velocities of the run.
// of_forces: Σ |Λ| times these velocities; size: Σ |Λ|.
PICUS_HD constexpr double allowed_work(double of_forces, double size, double v_ref, const MotionScale& scale) {
  return 0.5 * of_forces + size * (1e-12 * v_ref + scale.floor);
}

// What forces do to the impulses of a row in the step, for allowed_work: of Newton's law in one problem the sum of all
// rows counts, in which much cancels; with a part of the step for impacts it does not, what forces and turning do to
// single contacts counts.
PICUS_HD constexpr double work_of_forces(double Lambda, double force_part, double turn, bool has_simple_impacts) {
  return has_simple_impacts ? Lambda * force_part : math::abs(Lambda) * (math::abs(force_part) + 2 * math::abs(turn));
}

// A step in which contacts fed in energy.
struct EnergyGain {
  double time = -1;   // s
  int contact = -1;   // which did most of it, from 0
  double energy = 0;  // J, of all contacts in the step
  bool by_law_known = false;
  double by_law[4] = {};  // what each impact law would have done to the kinetic energy there, in the order of ImpactLaw
};

// An impulse without a collision (Painlevé's problem; Stewart 2000, section 1.3): no closed contact approaches, no
// force could do it in a step, and yet the velocities jump, because sliding on would press the contact ever harder:
// what a normal force N with its friction does to the normal acceleration, (G_NN ∓ μ G_NT) N, is negative.
struct Jam {
  double time = -1;
  int contact = -1;
  double Lambda_N = 0;     // N s
  double coefficient = 0;  // G_NN ∓ μ G_NT, 1/kg
};

// A step (or an impact) whose impulses miss the laws by more than the tolerance.
struct Uncertified {
  double time = -1;     // s, at its end; −1: none
  int contact = -1;     // which misses its law most, from 0 (elements are numbered after the contacts); −1: none
  int constraint = -1;  // in place of a contact
  double residual = 0;  // of the step, in units of v_ref
};

// Limits of what counts as one: multiples of what forces do to relative velocities in the step.
inline constexpr double jam_impulse = 100, jam_jump = 30, jam_approach = 1.5;

// One contact in a step, for find_jam.
struct ContactSeen {
  double Lambda_N, rho_inv, gamma_NA, gamma_TA, gamma_TE, force_N, force_T;
};

// The contact that takes most, if the step has a jam; −1 otherwise. `contact(a)` tells of the a-th one, its forces with
// what supports that accelerate do; velocities up to `rest` are none.
template <class Contact>
PICUS_HD int find_jam(int contacts, double rest, Contact&& contact) {
  double forces = rest, largest = 0;
  int where = -1;
  for (int a = 0; a < contacts; ++a) {
    const ContactSeen c = contact(a);
    const double force = math::max(math::abs(c.force_N), math::abs(c.force_T));
    if (-c.gamma_NA > jam_approach * math::abs(c.force_N) + rest) return -1;  // a collision
    forces = math::max(forces, force);
    if (c.Lambda_N * c.rho_inv > largest) {
      largest = c.Lambda_N * c.rho_inv;
      where = a;
    }
  }
  if (where < 0 || !(largest > jam_impulse * forces)) return -1;
  const ContactSeen c = contact(where);
  return math::abs(c.gamma_TE - c.gamma_TA) > jam_jump * forces ? where : -1;
}

// G_NN ∓ μ G_NT for the way the contact slid before.
PICUS_HD inline double jam_coefficient(double G_NN, double G_NT, double mu, double gamma_TA) {
  return G_NN - (gamma_TA > 0 ? mu : -mu) * G_NT;
}

}  // namespace picus::stepping
