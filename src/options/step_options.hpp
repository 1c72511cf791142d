#pragma once

#include "picus/contact/accuracy.hpp"
#include "picus/contact/choices.hpp"

namespace picus::options {

enum class Method : unsigned char { moreau_midpoint, moreau_jean, stewart_trinkle, tzitzouris_pang, event_driven };
inline constexpr int method_count = 5;
inline constexpr const char* method_names[method_count] = {"moreau-midpoint", "moreau-jean", "stewart-trinkle",
                                                           "tzitzouris-pang", "event-driven"};
constexpr const char* name_of(Method method) { return method_names[static_cast<int>(method)]; }

constexpr bool is_for_space(Method method) {
  return method == Method::stewart_trinkle || method == Method::tzitzouris_pang;
}

struct ModelTraits;

// Options of the kernel: plain numbers.
struct StepOptions {
  double dt = 1e-4;  // s
  Method method = Method::moreau_midpoint;
  double theta = 0.5;                                         // of moreau-jean, 0.5 … 1
  double active_gap = 1e-12;                                  // m; a contact with gap ≤ this is active
  double tolerance = contact::default_certificate_tolerance;  // of the certificate, relative to v_ref
  contact::ImpactLaw impact = contact::ImpactLaw::newton;
  bool chain_impacts = false;  // one contact after the other, instead of all in one problem
  contact::SolverChoice solver = contact::SolverChoice::automatic;
  bool check_uniqueness = true;  // count steps with several solutions, where that is cheap (see docs/method.md)
  bool list_solutions = false;   // all of them, in every step; small systems in the plane
  contact::SolutionRule choose = contact::SolutionRule::solver;  // where a step has several and they are listed
  bool velocity_form = false;  // of stewart-trinkle: ξ_N = γ_N at contacts with a closed gap, instead of g/Δt + γ_N
  // Of stewart-trinkle: contacts act where their gap is at most active_gap, as with the other methods, and not where
  // its law asks for them. A contact that closes within a step then overlaps first, and is thrown out by the next one.
  bool by_gap = false;
  bool project_drift = false;       // move overlapping contacts back to zero gap after each step
  double smooth_tolerance = 1e-12;  // of event_driven: relative error of smooth motion
  bool impact_at_start = false;     // apply the impact laws (Δt = 0) before the first step, so that u0 obeys them

  // Newton's law for all contacts together is one problem with the step; all others come before its forces.
  constexpr bool has_simple_impacts() const { return impact == contact::ImpactLaw::newton && !chain_impacts; }

  // A process, and a chain, start from contacts that approach; where none does, forces have to give the first of it.
  constexpr bool impacts_need_approach() const { return impact >= contact::ImpactLaw::energetic || chain_impacts; }

  // Throws InputError that names the option, its value and what is accepted: in itself, and (capabilities.hpp) with the
  // other options and the model.
  void validate() const;
  void validate(const ModelTraits& model) const;
};

}  // namespace picus::options
