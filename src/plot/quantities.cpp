#include "picus/plot/quantities.hpp"

#include <algorithm>

#include "picus/support/error.hpp"
#include "picus/support/suggest.hpp"

namespace picus::plot {
namespace {

using Source = Quantity::Source;
constexpr const char* energies = "energy";  // all of them

std::vector<Quantity> of_contacts(bool in_space) {
  using enum ContactColumn;
  struct Entry {
    ContactColumn column;
    const char *name, *unit;
  };
  const std::vector<Entry> plane = {{gap, "gap", "m"},
                                    {gamma_N, "gamma_N", "m/s"},
                                    {gamma_T, "gamma_T", "m/s"},
                                    {Lambda_N, "Lambda_N", "N s"},
                                    {Lambda_T, "Lambda_T", "N s"}};
  const std::vector<Entry> space = {{gap, "gap", "m"},
                                    {gamma_N, "gamma_N", "m/s"},
                                    {gamma_T, "gamma_Tt", "m/s"},
                                    {gamma_o, "gamma_To", "m/s"},
                                    {gamma_r, "gamma_Tr", "rad/s"},
                                    {Lambda_N, "Lambda_N", "N s"},
                                    {Lambda_T, "Lambda_Tt", "N s"},
                                    {Lambda_o, "Lambda_To", "N s"},
                                    {Lambda_r, "Lambda_Tr", "N m s"}};
  std::vector<Quantity> list;
  for (const Entry& e : in_space ? space : plane) {
    list.push_back({Source::contact, static_cast<std::size_t>(e.column), e.name, e.unit, "", false});
  }
  return list;
}

}  // namespace

Quantities::Quantities(const mechanics::ModelDescription& model)
    : model_(&model), contact_(of_contacts(model.in_space)), contacts_come_up_(!model.collisions.empty()) {
  for (const auto* list : {&model.coordinates, &model.velocities}) {
    for (const mechanics::Quantity& q : *list) {
      states_.push_back({Source::state, states_.size(), q.name, q.unit, "", false});
    }
  }
  single_ = states_;
  for (std::size_t i = 0; i < model.outputs.size(); ++i) {
    single_.push_back({Source::output, i, model.outputs[i].name, model.outputs[i].unit, "", false});
  }
  for (const char* name : {"kinetic", "potential", "work", "drive", "impact", "friction", "projection", "remainder"}) {
    energy_.push_back({Source::energy, energy_.size(), name, "J", "", false});
  }
  single_.insert(single_.end(), energy_.begin(), energy_.end());
  single_.push_back({Source::residual, 0, "residual", "", "", false});
  single_.push_back({Source::time, 0, "t", "s", "", false});
  for (const auto* list : {&model.contacts, &model.elements}) {
    for (const mechanics::ContactDescription& c : *list) contact_names_.push_back(c.name);
  }
}

const Quantity* Quantities::contact_quantity(std::string_view name) const {
  const auto found = std::find_if(contact_.begin(), contact_.end(), [&](const Quantity& q) { return q.name == name; });
  return found == contact_.end() ? nullptr : &*found;
}

// Contacts of bodies have names "a/b" that come up during the run.
bool Quantities::knows_contact(std::string_view name) const {
  if (std::find(contact_names_.begin(), contact_names_.end(), name) != contact_names_.end()) return true;
  const std::size_t slash = name.find('/');
  return contacts_come_up_ && slash != std::string_view::npos && slash > 0 && slash + 1 < name.size();
}

std::vector<Quantity> Quantities::find(const std::string& place, const std::string& name) const {
  // A model's own names come first.
  const auto own = std::find_if(single_.begin(), single_.end(), [&](const Quantity& q) { return q.name == name; });
  if (own != single_.end()) return {*own};
  const bool has_contacts = !contact_names_.empty() || contacts_come_up_;
  std::vector<Quantity> group;
  if (name == energies) group = energy_;
  if (const Quantity* all = has_contacts ? contact_quantity(name) : nullptr) group = {*all};
  for (Quantity& q : group) q.in_group = true;
  if (!group.empty()) return group;

  const std::size_t dot = name.find('.');
  const Quantity* of_contact = dot == std::string::npos ? nullptr : contact_quantity(name.substr(0, dot));
  if (of_contact != nullptr && has_contacts) {
    Quantity q = *of_contact;
    q.contact = name.substr(dot + 1);
    if (knows_contact(q.contact)) return {q};
    std::vector<std::string> known = contact_names_;
    if (contacts_come_up_) known.emplace_back("names of contacts between bodies, as in floor/ball");
    throw InputError(place + ": " + unknown_name("contact", q.contact, known));
  }
  throw InputError(place + ": " + unknown_name("quantity", name, names()));
}

std::vector<std::string> Quantities::names() const {
  std::vector<std::string> list;
  for (const Quantity& q : single_) list.push_back(q.name);
  list.emplace_back(energies);
  if (contact_names_.empty() && !contacts_come_up_) return list;
  for (const Quantity& q : contact_) list.push_back(q.name);
  for (const std::string& contact : contact_names_) {
    for (const Quantity& q : contact_) list.push_back(q.name + "." + contact);
  }
  return list;
}

}  // namespace picus::plot
