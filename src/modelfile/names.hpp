#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "picus/formula/parse.hpp"
#include "picus/mechanics/equations.hpp"

namespace picus::modelfile {

// Names of a model: one namespace for parameters, coordinates, velocities and formulas named by 'let'. Formulas of
// 'let' are read when they are first used, so that their order does not matter.
class Names final : public formula::Scope {
 public:
  // One formula, or with is_list several.
  struct Named {
    std::vector<formula::Node> nodes;
    bool is_list = false;
  };
  using ReadLet = std::function<Named(std::size_t let)>;

  Names(formula::Pool& pool, ReadLet read_let);

  // Why a name cannot be used, or nothing.
  std::string objection(const std::string& name) const;
  formula::Node add_symbol(const std::string& name);
  // A name for a formula.
  void add_formula(const std::string& name, formula::Node formula) { symbols_.emplace(name, formula); }
  void add_let(const std::string& name, std::size_t let, bool is_list);
  bool is_let(const std::string& name) const { return lets_.contains(name); }
  const Named& let(const std::string& name) { return read(name, lets_.at(name)); }

  // 'for' gives a name to a number.
  void set_index(const std::string& name, int value);
  void clear_index() { index_.reset(); }
  bool has(std::string_view name) const;

  // The motion, for der().
  mechanics::Symbols symbols;
  bool velocities_are_rates = true;  // q̇ = u; not so in space

  formula::Node find(std::string_view name) override;
  formula::Node element(std::string_view name, double index) override;
  bool is_list(std::string_view name) const override;
  formula::Node call(std::string_view function, const std::vector<formula::Node>& arguments) override;
  std::vector<std::string> names() const override;
  std::vector<std::string> further_functions() const override { return {"der"}; }

 private:
  struct Let {
    std::size_t number = 0;
    bool is_list = false;
    bool is_read = false, is_being_read = false;
    Named value;
  };
  const Named& read(const std::string& name, Let& let);

  formula::Pool& pool_;
  ReadLet read_let_;
  std::map<std::string, formula::Node, std::less<>> symbols_;
  std::map<std::string, Let, std::less<>> lets_;
  std::optional<std::pair<std::string, int>> index_;
  std::vector<std::string> reading_;  // formulas in progress, each asked for by the one before
};

}  // namespace picus::modelfile
