#pragma once

#include <optional>

#include "picus/acceleration/acceleration_problem.hpp"

namespace picus::acceleration {

// More choices of contact states than this are not enumerated: six planar contacts with friction have as many.
inline constexpr double state_limit = 4096;

// All solutions. Every choice of contact states (open, rolls, slides either way) is a linear problem where a contact
// has up to one tangential row, or slides already; one contact with more rows that begins to slide leads to the
// eigenvalues of a matrix. So far the list is complete. Where two or more such contacts may begin to slide together,
// their directions are searched by Newton's method from many starts; and beyond state_limit only one solution is looked
// for. `complete` is false then, unless there is a proof that the one found is the only one. Throws InputError for what
// validate() refuses.
AccelerationSolutions find_all_accelerations(const AccelerationProblem& problem);

// One solution, or nothing where none was found. With the states of the last instant as `first_guess` (one a contact)
// and the same states now it is one linear solve, or two for each planar contact that begins to slide. Nothing means
// that there is none where find_all_accelerations says `complete`.
std::optional<AccelerationSolution> solve_accelerations(const AccelerationProblem& problem,
                                                        const std::vector<ForceState>& first_guess = {});

}  // namespace picus::acceleration
