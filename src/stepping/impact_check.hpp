// What laws of contacts and elements have that impact laws do not know (options/capabilities.hpp).
#pragma once

#include <string>

#include "picus/contact/law.hpp"
#include "picus/options/capabilities.hpp"
#include "picus/options/options.hpp"
#include "picus/support/error.hpp"

namespace picus::stepping {

// `name` of the contact or element, in words or as a number.
inline void note_traits(const contact::Law& law, const std::string& name, ModelTraits& model) {
  if (law.eT != 0 && model.tangential.empty()) model.tangential = "eT of contact " + name + " is " + shown(law.eT);
}

inline void note_traits(const contact::ElementLaw& law, const std::string& name, ModelTraits& model) {
  if (contact::is_one_sided(law) && model.clutch.empty()) model.clutch = "element " + name;
}

}  // namespace picus::stepping
