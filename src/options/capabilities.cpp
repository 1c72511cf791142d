#include "picus/options/capabilities.hpp"

#include <algorithm>
#include <iterator>

#include "picus/options/options.hpp"
#include "picus/support/error.hpp"

namespace picus::options {
namespace {

using contact::ImpactLaw;
using contact::SolverChoice;
using Options = const StepOptions&;
using Traits = const ModelTraits&;

constexpr bool is_event_driven(Options o) { return o.method == Method::event_driven; }
// Methods with gaps in their law.
constexpr bool is_on_positions(Options o) {
  return o.method == Method::tzitzouris_pang || (o.method == Method::stewart_trinkle && !o.velocity_form);
}

constexpr Capability list[] = {
    {"method-in-the-plane", "method", [](Options o, Traits m) { return !m.in_space && is_for_space(o.method); },
     [](Options o, Traits) {
       return std::string("the method is ") + name_of(o.method) +
              "; accepted in the plane: moreau-midpoint, moreau-jean, event-driven (the others are for dimension: 3)";
     }},
    {"method-of-any-size", "method", [](Options o, Traits m) { return m.any_size && o.method == Method::moreau_jean; },
     [](Options, Traits) {
       return std::string(
           "the method is moreau-jean; accepted for bodies, constraints and more than 8 contacts or "
           "elements: moreau-midpoint, event-driven");
     }},
    {"projection-in-space", "project_drift", [](Options o, Traits m) { return m.in_space && o.project_drift; },
     [](Options, Traits) { return std::string("project_drift is not available in space (dimension: 3)"); }},
    {"projection-of-any-size", "project_drift", [](Options o, Traits m) { return m.any_size && o.project_drift; },
     [](Options, Traits) {
       return std::string(
           "project_drift is not available for bodies, constraints and more than 8 contacts or elements");
     }},
    {"solutions-of-small-systems", "solutions",
     [](Options o, Traits m) { return o.list_solutions && (m.in_space || m.any_size); },
     [](Options, Traits) {
       return std::string(
           "the model has bodies, constraints, or more than 8 contacts; accepted by --solutions all: up to "
           "12 coordinates with formulas, and up to 8 contacts");
     }},
    {"solutions-by-newton", "solutions", [](Options o, Traits) { return o.list_solutions && !o.has_simple_impacts(); },
     [](Options o, Traits) {
       return "all solutions are to be listed and impacts are by " + describe_impacts(o) +
              "; accepted with it: newton, all contacts in one problem";
     }},
    {"impacts-in-space", "impact", [](Options o, Traits m) { return m.in_space && !o.has_simple_impacts(); },
     [](Options o, Traits) {
       return "impacts are by " + describe_impacts(o) + "; accepted in space: newton, all contacts in one problem";
     }},
    {"compliant-together", "impact",
     [](Options o, Traits) { return o.chain_impacts && o.impact == ImpactLaw::compliant; },
     [](Options, Traits) {
       return std::string(
           "impacts are compliant and of one contact after the other; accepted: one of both (stiffness "
           "ratios are between contacts that act together)");
     }},
    {"processes-without-forces", "impact",
     [](Options o, Traits) { return o.method == Method::moreau_jean && o.impact >= ImpactLaw::energetic; },
     [](Options o, Traits) {
       return std::string("impacts are ") + name_of(o.impact) +
              " and the method is moreau-jean, whose inertia contains forces; accepted with it: newton, poisson";
     }},
    {"shapes-by-events", "method", [](Options o, Traits m) { return is_event_driven(o) && m.colliding_shapes; },
     [](Options, Traits) {
       return std::string(
           "the model has shapes that collide; accepted by event-driven and --theory in the plane: contacts "
           "with formulas");
     }},
    {"elements-by-events", "method", [](Options o, Traits m) { return is_event_driven(o) && !m.other_element.empty(); },
     [](Options, Traits m) {
       return m.other_element + " is no dry friction; accepted by event-driven: elements with the law dry-friction";
     }},
    {"friction-sets-by-events", "method",
     [](Options o, Traits m) { return is_event_driven(o) && !m.other_set.empty(); },
     [](Options, Traits m) {
       return m.other_set + " is no ellipsoid; accepted by event-driven: disks, ellipses and ellipsoids";
     }},
    {"clutches-by-newton", "impact", [](Options o, Traits m) { return !o.has_simple_impacts() && !m.clutch.empty(); },
     [](Options, Traits m) {
       return m.clutch + " is a one-way clutch; accepted with it: impacts by newton, all in one problem";
     }},
    {"tangential-by-newton", "impact",
     [](Options o, Traits m) { return !o.has_simple_impacts() && !m.tangential.empty(); },
     [](Options o, Traits m) { return m.tangential + "; accepted with impacts by " + describe_impacts(o) + ": 0"; }},
    {"restitution-on-positions", "method",
     [](Options o, Traits m) { return is_on_positions(o) && !m.restitution.empty(); },
     [](Options, Traits m) {
       return m.restitution + "; accepted: 0 with methods on position level (others: moreau-midpoint, moreau-jean)";
     }},
    {"enumeration-in-space", "solver",
     [](Options o, Traits m) { return m.in_space && o.solver == SolverChoice::enumerate; },
     [](Options, Traits) {
       return std::string(
           "the solver is enumerate; accepted in space: auto, lemke (polytopes), gauss-seidel, newton, prox");
     }},
    {"lemke-for-polytopes", "solver",
     [](Options o, Traits m) {
       return m.in_space && o.solver == SolverChoice::lemke && m.round_friction && o.method != Method::stewart_trinkle;
     },
     [](Options, Traits) {
       return std::string(
           "the solver is lemke, but a friction set is round; accepted: auto, gauss-seidel, newton, prox");
     }},
};

}  // namespace

void note_traits(const contact::Law& law, const std::string& name, ModelTraits& model) {
  if (law.eT != 0 && model.tangential.empty()) model.tangential = "eT of contact " + name + " is " + shown(law.eT);
}

void note_traits(const contact::ElementLaw& law, const std::string& name, ModelTraits& model) {
  if (contact::is_one_sided(law) && model.clutch.empty()) model.clutch = "element " + name;
}

std::span<const Capability> capabilities() { return list; }

const Capability* why_not(const StepOptions& options, const ModelTraits& model) {
  const auto found =
      std::find_if(std::begin(list), std::end(list), [&](const Capability& c) { return c.applies(options, model); });
  return found == std::end(list) ? nullptr : found;
}

}  // namespace picus::options
