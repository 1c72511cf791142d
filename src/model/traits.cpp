#include "picus/model/traits.hpp"

#include "picus/contact/spatial_problem.hpp"
#include "picus/mechanics/spatial_instant.hpp"
#include "picus/options/capabilities.hpp"
#include "picus/options/options.hpp"
#include "picus/support/error.hpp"

namespace picus::model {

using options::ModelTraits;

ModelTraits traits_of(const Mechanism& mechanism) {
  const modelfile::Definition& d = mechanism.definition();
  ModelTraits traits;
  traits.in_space = d.space != nullptr;
  traits.any_size = !d.space && needs_sparse_kernel(d);
  traits.colliding_shapes = !d.space && !d.collisions.empty();
  for (std::size_t i = 0; i < d.description.law_count(); ++i) {
    const contact::Law law = mechanism.values().law(static_cast<int>(i + 1));
    const std::string number = std::to_string(i + 1);
    const std::size_t contacts = d.description.contacts.size();
    options::note_traits(law, i < contacts ? d.description.contacts[i].name : "law " + number, traits);
    if (traits.restitution.empty() && law.eN != 0) traits.restitution = "eN" + number + " is " + shown(law.eN);
    if (traits.restitution.empty() && law.eT != 0) traits.restitution = "eT" + number + " is " + shown(law.eT);
  }
  for (std::size_t e = 0; e < d.equations.elements.size(); ++e) {
    const mechanics::ElementEquations& element = d.equations.elements[e];
    const double bounds[] = {mechanism.number(element.lower), mechanism.number(element.upper)};
    const std::string name = d.description.elements[e].name;
    options::note_traits(contact::ElementLaw{bounds[0], bounds[1], 0, element.on_displacement}, name, traits);
    const bool is_dry = !element.on_displacement && bounds[0] == -bounds[1] && bounds[1] < math::infinity;
    if (!is_dry && traits.other_element.empty()) traits.other_element = "element " + name;
  }
  if (!d.space) return traits;
  traits.other_set = mechanics::other_friction(mechanism.spatial_parts());
  for (const contact::SpatialLaw& law : mechanism.spatial_parts().laws) {
    using Friction = contact::SpatialFriction;
    traits.round_friction = traits.round_friction || Friction(law.set).kind() != Friction::Kind::polytope;
  }
  return traits;
}

void refuse_unfit(const Mechanism& mechanism, const options::StepOptions& options) {
  const ModelTraits traits = traits_of(mechanism);
  if (const options::Capability* reason = why_not(options, traits)) {
    throw InputError("model " + mechanism.description().name + ": " + reason->text(options, traits));
  }
}

}  // namespace picus::model
