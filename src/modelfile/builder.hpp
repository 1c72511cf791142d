// The parts of a model file, one after the other. Used by define() only.
#pragma once

#include "picus/modelfile/definition.hpp"
#include "picus/modelfile/reading.hpp"

namespace picus::modelfile {

class Builder {
 public:
  Builder(Source& source, const Yaml& root, Definition& definition);

  // Everything; mistakes are noted in the source.
  void build();

 private:
  using Node = formula::Node;

  // A value that users may set: a parameter, an initial value, a number of a law.
  struct Value {
    Node formula;
    std::size_t offset = 0, length = 0;
  };

  // names_and_values.cpp
  void read_head();
  void declare_coordinates();
  void declare_parameters();
  void declare_lets();
  Names::Named read_let(std::size_t let);
  void read_parameters();
  void read_starts();
  void read_lets();
  bool declare(const Yaml::Key& key);
  void add_value(mechanics::Parameter parameter, const Value& value);
  void finish_values();
  // The value of a formula at the start must lie in a range, for the values of the file and for those that users set.
  void check_later(Node formula, const Yaml& at, const std::string& what, mechanics::Range range);
  bool find_circle();

  // dynamics.cpp
  void read_dynamics();
  void read_energies();
  void read_matrices();

  // contacts.cpp
  void read_contacts();
  void read_contact(const Yaml& entry);
  mechanics::Direction tangential_direction(const Yaml& entry);
  void read_elements();
  void read_element(const Yaml& entry);
  void read_blows();
  void read_blow(const Yaml& entry);
  std::string contact_name(const Yaml& entry);

  // picture_and_run.cpp
  void read_outputs();
  void read_drawing();
  void read_shape(const Yaml& entry);
  void read_point(const Yaml& value);
  void read_cycle();
  void read_run();

  const Yaml* part(const char* key) const { return root_.find(key); }
  mechanics::Symbols& symbols() { return definition_.equations.symbols; }

  const Yaml& root_;
  Definition& definition_;
  formula::Pool& pool_;
  Names names_;
  Reading reading_;
  std::vector<Value> values_;      // one a parameter of the description
  std::vector<Value> law_values_;  // eN, eT, mu of each contact
  std::vector<mechanics::Parameter> law_parameters_, start_parameters_;
  std::vector<Value> start_values_;
  std::vector<std::string> contact_names_;
};

}  // namespace picus::modelfile
