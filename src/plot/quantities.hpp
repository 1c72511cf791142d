// What can be an axis: the columns of a run, by name.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "picus/mechanics/description.hpp"

namespace picus::plot {

struct Quantity {
  enum class Source { time, state, output, energy, residual, contact };

  Source source = Source::time;
  std::size_t column = 0;  // in the table of the source
  std::string name;        // of the column; of a contact without the contact's name
  std::string unit;
  std::string contact;    // its name; empty: all contacts
  bool in_group = false;  // one of several that were asked for by one word: left out where it has nothing to show
};

class Quantities {
 public:
  explicit Quantities(const mechanics::ModelDescription& model);

  // What the name stands for: one quantity, or those of a word for several (energy). Throws InputError, which begins
  // with `place` and suggests a name.
  std::vector<Quantity> find(const std::string& place, const std::string& name) const;

  // Coordinates, then velocities.
  const std::vector<Quantity>& states() const { return states_; }

 private:
  const Quantity* contact_quantity(std::string_view name) const;
  bool knows_contact(std::string_view name) const;
  std::vector<std::string> names() const;

  std::vector<Quantity> states_, single_, energy_, contact_;
  std::vector<std::string> contact_names_;
  bool contacts_come_up_ = false;
};

}  // namespace picus::plot
