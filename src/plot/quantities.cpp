#include "picus/plot/quantities.hpp"

#include <algorithm>

#include "picus/results/schema.hpp"
#include "picus/support/error.hpp"
#include "picus/support/suggest.hpp"

namespace picus::plot {
namespace {

using Source = Quantity::Source;
constexpr const char* energies = "energy";  // all of them

// The numbers of a table, without t.
std::vector<Quantity> quantities_of(const mechanics::ModelDescription& model, const char* table, Source source) {
  std::vector<Quantity> list;
  const std::vector<results::Column> columns = results::table_of(model, table).columns;
  for (std::size_t i = 1; i < columns.size(); ++i) {
    if (columns[i].kind == results::Kind::real)
      list.push_back({source, i, columns[i].name, columns[i].unit, "", false});
  }
  return list;
}

}  // namespace

Quantities::Quantities(const mechanics::ModelDescription& model)
    : states_(quantities_of(model, "states", Source::state)),
      energy_(quantities_of(model, "energy", Source::energy)),
      contact_(quantities_of(model, "contacts", Source::contact)),
      contact_names_(results::contact_names_of(model)),
      contacts_come_up_(!model.collisions.empty()) {
  single_ = states_;
  for (const auto& list : {quantities_of(model, "outputs", Source::output), energy_,
                           quantities_of(model, "certificate", Source::residual)}) {
    single_.insert(single_.end(), list.begin(), list.end());
  }
  single_.push_back({Source::time, 0, "t", "s", "", false});
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
