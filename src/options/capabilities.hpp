// Which options go together, and with which models: one list, in order; the first entry that applies says why not.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "picus/contact/law.hpp"
#include "picus/options/step_options.hpp"

namespace picus::options {

// What a model has that decides how it can be run. Texts name the first thing of that kind and are empty where there is
// none.
struct ModelTraits {
  bool in_space = false;
  bool any_size = false;           // in the plane: bodies, constraints, or more than 8 contacts or elements
  bool colliding_shapes = false;   // in the plane
  bool round_friction = false;     // in space: a friction set that is no polytope
  std::string restitution = "";    // "eN2 is 0.5"
  std::string tangential = "";     // a contact with tangential restitution: "eT of contact 1 is 0.5"
  std::string clutch = "";         // a one-way clutch: "element 3"
  std::string other_element = "";  // no dry friction: "element 3"
  std::string other_set = "";      // in space, no ellipsoid: "the friction set between bodies ball and floor"

  bool operator==(const ModelTraits&) const = default;
};

// Adds what the law of a contact or an element has; `name` in words or as a number.
void note_traits(const contact::Law& law, const std::string& name, ModelTraits& model);
void note_traits(const contact::ElementLaw& law, const std::string& name, ModelTraits& model);

struct Capability {
  std::string_view name;
  std::string_view option;  // that is to be chosen otherwise
  bool (*applies)(const StepOptions&, const ModelTraits&);
  std::string (*text)(const StepOptions&, const ModelTraits&);
};

std::span<const Capability> capabilities();
// The first that applies; null where these options can be run.
const Capability* why_not(const StepOptions& options, const ModelTraits& model);

}  // namespace picus::options
