// What a model tells a person: its parameters, coordinates and contacts, with names, units and meanings.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "picus/contact/law.hpp"
#include "picus/options/run_options.hpp"

namespace picus::mechanics {

enum class Range { any, positive, nonnegative, unit_interval };

// "a number > 0" and so on, for messages and tables.
const char* describe(Range range);

class ParameterValues;

struct Parameter {
  std::string name;
  double value = 0;
  std::string unit;
  std::string meaning;
  Range range = Range::any;
  // Where present, the value follows others until it is set.
  std::function<double(const ParameterValues&)> follows;
};

// A generalised coordinate or velocity. Both lists may differ in length.
struct Quantity {
  std::string name;  // column in the output, and name of its initial value
  std::string unit;
  std::string meaning;
};

struct ContactDescription {
  std::string name;  // "1", "2", … in the output
  std::string meaning;
};

// A motion that repeats: what counts as one cycle, for statistics.
struct CycleDefinition {
  std::string name;           // "peck"
  std::string plural;         // "pecks"
  int contact = 0;            // an impact of this contact ends a cycle
  int travel_coordinate = 0;  // its change over a cycle is the travel …
  std::string travel_name;    // … called so: "descent", with `travel_sign` times the coordinate
  double travel_sign = 1;
};

struct ModelDescription {
  std::string name;
  std::string title;   // one line
  std::string source;  // where the model and its numbers come from
  std::string notes;
  std::string caution;                // one line for the summary of every run; mostly empty
  std::vector<Parameter> parameters;  // of the model, of the contacts (eN1, eT1, mu1, …), and the initial values
  std::vector<Quantity> coordinates;
  std::vector<Quantity> velocities;
  std::vector<Quantity> outputs;  // recorded beside the states
  std::vector<ContactDescription> contacts;
  std::vector<ContactDescription> elements;    // force elements without a gap; numbered behind the contacts
  std::vector<ContactDescription> collisions;  // laws of pairs of bodies; their numbers eN<i>, … follow the contacts'
  std::vector<Quantity> constraints;           // what must stay zero
  std::vector<CycleDefinition> cycles;         // none or one
  options::RunOptions defaults;
  std::vector<std::string> given_options;  // those of the defaults that the model file has under `run:`
  bool only_midpoint = false;              // runs with moreau-midpoint only, and without a projection of overlaps
  bool in_space = false;                   // contacts have rows t, o and r beside the normal one

  std::vector<std::string> parameter_names() const;
  std::size_t law_count() const { return contacts.size() + collisions.size(); }
  // A contact, or behind them an element, from 0.
  const ContactDescription& contact(int i) const;
  // Names that --set takes: parameters and the groups eN, eT, mu, which set all contacts (unless a parameter of the
  // model has that name).
  std::vector<std::string> settable_names() const;
};

// Adds eN<i>, eT<i>, mu<i> of one contact; call it in the order of the contacts.
void add_contact(ModelDescription& model, ContactDescription contact, const contact::Law& law);

// Values of all parameters of a model, changed by name.
class ParameterValues {
 public:
  explicit ParameterValues(const ModelDescription& model);

  // Sets a parameter, or with eN, eT, mu those of all contacts. Throws InputError that names the value and what is
  // accepted; nothing is changed then.
  void set(std::string_view name, double value);
  // "name=value", as given on a command line.
  void set(std::string_view assignment);
  // Many parameters at once, each by its own name; what follows others is computed once, behind them.
  void set_all(const std::vector<std::pair<std::string, double>>& values);

  // The value set, or that of the model; of a parameter that follows others, their result until it is set.
  double operator[](std::string_view name) const;
  bool is_set(std::string_view name) const { return set_.contains(name); }
  contact::Law law(int contact_number) const;  // 1, 2, …
  const ModelDescription& model() const { return *model_; }

 private:
  void follow();
  const Parameter* find(std::string_view name) const;  // or null

  const ModelDescription* model_;
  std::shared_ptr<const std::vector<std::size_t>> by_name_;  // numbers of the parameters in the order of their names
  std::map<std::string, double, std::less<>> set_;

  // Values that follow others, computed whenever one is set; reading them changes nothing, from any thread.
  mutable std::map<std::string, double, std::less<>> followed_;
  bool following_ = false;
};

// Throws InputError unless value lies in the range.
void check_range(std::string_view what, double value, Range range);
// Throws InputError unless all numbers of the law lie in their ranges, and mu_inf <= mu <= mu_static where these act.
void check_law(std::string_view what, const contact::Law& law);

}  // namespace picus::mechanics
