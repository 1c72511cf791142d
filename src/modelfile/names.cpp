#include "picus/modelfile/names.hpp"

#include <algorithm>
#include <cmath>

#include "picus/support/error.hpp"

namespace picus::modelfile {

using formula::Node;
using formula::Refusal;

Names::Names(formula::Pool& pool, ReadLet read_let) : pool_(pool), read_let_(std::move(read_let)) {}

std::string Names::objection(const std::string& name) const {
  if (!formula::is_name(name)) return "'" + name + "' is no name; accepted: a letter, then letters, digits and _";
  const std::vector<std::string> functions = formula::function_names();
  const bool is_function = std::find(functions.begin(), functions.end(), name) != functions.end();
  if (is_function || name == "der") return "'" + name + "' is the name of a function";
  if (name == "t") return "'t' is time";
  if (name == "pi") return "'pi' is a number";
  if (name == "and" || name == "or" || name == "not") return "'" + name + "' is an operator";
  if (has(name)) {
    return "'" + name + "' has a meaning already; parameters, coordinates, velocities and let share one namespace";
  }
  return {};
}

bool Names::has(std::string_view name) const { return symbols_.contains(name) || lets_.contains(name); }

Node Names::add_symbol(const std::string& name) { return symbols_.emplace(name, pool_.symbol(name)).first->second; }

void Names::add_let(const std::string& name, std::size_t let, bool is_list) {
  Let entry;
  entry.is_list = is_list;
  entry.number = let;
  lets_.emplace(name, std::move(entry));
}

void Names::set_index(const std::string& name, int value) { index_.emplace(name, value); }

const Names::Named& Names::read(const std::string& name, Let& let) {
  if (let.is_read) return let.value;
  if (let.is_being_read) {
    std::string way;
    for (auto it = std::find(reading_.begin(), reading_.end(), name); it != reading_.end(); ++it) way += *it + " -> ";
    throw Refusal("'" + name + "' is defined by itself: " + way + name);
  }
  constexpr std::size_t longest_way = 100;
  if (reading_.size() >= longest_way) {
    throw Refusal("formulas wait for each other over more than " + std::to_string(longest_way) +
                  " steps; define what others use before them");
  }
  let.is_being_read = true;
  reading_.push_back(name);
  const auto index = index_;  // of the formula that asked
  index_.reset();
  let.value = read_let_(let.number);
  index_ = index;
  reading_.pop_back();
  let.is_being_read = false;
  let.is_read = true;
  return let.value;
}

Node Names::find(std::string_view name) {
  if (index_ && index_->first == name) return pool_.constant(index_->second);
  if (const auto it = symbols_.find(name); it != symbols_.end()) return it->second;
  if (const auto it = lets_.find(name); it != lets_.end()) {
    const Named& named = read(it->first, it->second);
    if (named.is_list) {
      throw Refusal("'" + it->first + "' is a list; write " + it->first + "(1) to " + it->first + "(" +
                    std::to_string(named.nodes.size()) + ")");
    }
    return named.nodes.front();
  }
  return {};
}

Node Names::element(std::string_view name, double index) {
  const auto it = lets_.find(name);
  if (it == lets_.end()) return {};
  const Named& named = read(it->first, it->second);
  if (!named.is_list) return {};
  const auto size = static_cast<double>(named.nodes.size());
  if (!(index >= 1 && index <= size) || index != std::floor(index)) {
    throw Refusal("index " + shown(index) + " of '" + it->first + "'; accepted: a whole number from 1 to " +
                  shown(size));
  }
  return named.nodes[static_cast<std::size_t>(index) - 1];
}

bool Names::is_list(std::string_view name) const {
  const auto it = lets_.find(name);
  return it != lets_.end() && it->second.is_list;
}

Node Names::call(std::string_view, const std::vector<Node>& arguments) {
  if (!velocities_are_rates) {
    throw Refusal("der() is not available in space (dimension: 3), where velocities are no rates of coordinates");
  }
  if (arguments.size() != 1) {
    throw Refusal("der() takes 1 argument, given: " + std::to_string(arguments.size()));
  }
  if (mechanics::Symbols::depends_on_any(pool_, arguments[0], symbols.u)) {
    throw Refusal("der() of a formula with velocities; accepted: coordinates, parameters and t");
  }
  return mechanics::time_derivative(pool_, symbols, arguments[0]);
}

std::vector<std::string> Names::names() const {
  std::vector<std::string> all;
  if (index_) all.push_back(index_->first);
  for (const auto& [name, node] : symbols_) {
    if (formula::is_name(name)) all.push_back(name);
  }
  for (const auto& [name, let] : lets_) all.push_back(name);
  return all;
}

}  // namespace picus::modelfile
