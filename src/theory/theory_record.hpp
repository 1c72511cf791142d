#pragma once

#include "picus/theory/guarantees.hpp"

namespace picus::theory {

// What can be said about the contact forces of one state of a run.
struct TheoryRecord {
  double t = 0;
  int contacts = 0, rolling = 0, sliding = 0;  // closed ones
  int solutions = 0;  // of the problem on acceleration level; −1: not all may have been found
  acceleration::Answer existence = acceleration::Answer::unknown, uniqueness = acceleration::Answer::unknown,
                       erdmann = acceleration::Answer::unknown;
  double mu = 0;  // the largest friction coefficient in use
  double mu_existence = 0, mu_unique = 0, mu_unique_simple = 0;
};

}  // namespace picus::theory
