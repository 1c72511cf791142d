// What may be chosen of laws and solvers, with the names by which people choose: each name stands here and nowhere
// else.
#pragma once

#include "picus/support/portable.hpp"

namespace picus::contact {

// What restitution means (impact_law.hpp).
// newton      γ_N⁺ = −ε γ_N⁻ where a contact takes an impulse: ξ_N = γ_N⁺ + ε γ_N⁻ in one problem
// poisson     compression: the problem with ε = 0; expansion: Λ_N ≥ ε times that of the compression
// energetic   the normal force gives back ε² of the work it took (Stronge); a process (impact_process.hpp)
// compliant   the same with the stiffness ratios of the contacts
enum class ImpactLaw : unsigned char { newton, poisson, energetic, compliant };
inline constexpr const char* impact_law_names[] = {"newton", "poisson", "energetic", "compliant"};
PICUS_HD constexpr const char* name_of(ImpactLaw law) { return impact_law_names[static_cast<int>(law)]; }

enum class SolverChoice : unsigned char { automatic, enumerate, lemke, gauss_seidel, newton, proximal };
inline constexpr const char* solver_choice_names[] = {"auto", "enumerate", "lemke", "gauss-seidel", "newton", "prox"};

// What found the answer: the states of the last step again, or one of the solvers.
enum class SolvedBy : unsigned char {
  nothing,
  kept_states,
  enumeration,
  lemke,
  gauss_seidel,
  newton,
  proximal,
  interior_point,
  closed_form  // one contact by itself
};
inline constexpr int solved_by_count = 9;
inline constexpr const char* solved_by_names[] = {
    "none", "kept_states", "enumeration", "lemke", "gauss_seidel", "newton", "prox", "interior_point", "closed_form"};

// Which of several solutions of a step to take.
// solver         the one that the solver finds (it tries the states of the last step first)
// least_energy   least kinetic energy behind the step
// nearest        impulses nearest to those of the last step
enum class SolutionRule : unsigned char { solver, least_energy, nearest };
inline constexpr const char* solution_rule_names[] = {"solver", "least-energy", "nearest"};

}  // namespace picus::contact
