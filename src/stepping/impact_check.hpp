#pragma once

#include <string>

#include "picus/options/options.hpp"
#include "picus/support/error.hpp"

namespace picus::stepping {

// Impact laws other than Newton's for all contacts in one problem know no tangential restitution, and no one-way
// clutches. Throw InputError with what is accepted; `contact` and `element` are names or numbers.
inline void check_impact_law(const StepOptions& options, const contact::Law& law, const std::string& contact) {
  if (options.has_simple_impacts() || law.eT == 0) return;
  throw InputError("eT of contact " + contact + " is " + shown(law.eT) + "; accepted with impacts by " +
                   describe_impacts(options) + ": 0");
}

inline void check_impact_law(const StepOptions& options, const contact::ElementLaw& law, const std::string& element) {
  if (options.has_simple_impacts() || !contact::is_one_sided(law)) return;
  throw InputError("element " + element +
                   " is a one-way clutch; accepted with it: impacts by newton, all in one problem");
}

}  // namespace picus::stepping
