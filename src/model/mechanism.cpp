#include "picus/model/mechanism.hpp"

#include "picus/mechanics/formula_instant.hpp"
#include "picus/mechanics/spatial_instant.hpp"
#include "picus/model/parts.hpp"
#include "picus/model/space_drawing.hpp"
#include "picus/model/traits.hpp"

namespace picus::model {
namespace {

using formula::Node;
using mechanics::ParameterValues;
using modelfile::Definition;
using Numbers = modelfile::FormulaNumbers;

std::vector<double> values_of(const ParameterValues& values, const std::vector<mechanics::Quantity>& quantities) {
  std::vector<double> numbers;
  for (const mechanics::Quantity& q : quantities) numbers.push_back(values[q.name]);
  return numbers;
}

// Numbers for the parameters.
Numbers numbers_for(formula::Pool& pool, const Definition& definition, const ParameterValues& values) {
  Numbers numbers;
  for (const std::string& name : definition.parameter_names) {
    numbers.emplace(pool.symbol(name).index, pool.constant(values[name]));
  }
  const std::vector<mechanics::Quantity>& coordinates = definition.description.coordinates;
  const std::vector<double> start = values_of(values, coordinates);
  for (std::size_t i = 0; i < start.size(); ++i) {
    numbers.emplace(pool.symbol(modelfile::start_symbol(coordinates[i].name)).index, pool.constant(start[i]));
  }
  return numbers;
}

std::vector<double> evaluated(formula::Pool& pool, const std::vector<Node>& nodes, const Numbers& numbers) {
  std::vector<double> result;
  for (Node n : pool.substitute(nodes, numbers)) result.push_back(pool.value(n));
  return result;
}

std::vector<std::string> names_of_contacts_and_elements(const mechanics::ModelDescription& d) {
  std::vector<std::string> names;
  for (const auto* list : {&d.contacts, &d.elements}) {
    for (const mechanics::ContactDescription& c : *list) names.push_back(c.name);
  }
  return names;
}

void check_values(const ParameterValues& values) {
  for (const mechanics::Parameter& p : values.model().parameters) {
    mechanics::check_range("parameter " + p.name, values[p.name], p.range);
  }
}

}  // namespace

struct Mechanism::Formulas {
  formula::Pool pool;
  Numbers numbers;
};

Mechanism::Mechanism(std::shared_ptr<const Definition> definition, const ParameterValues& values)
    : definition_(std::move(definition)), values_(values), formulas_(new Formulas{definition_->pool, {}}) {
  formulas_->numbers = numbers_for(formulas_->pool, *definition_, values_);
  given_.q = values_of(values_, description().coordinates);
  given_.u = values_of(values_, description().velocities);
  check();
}

Mechanism::~Mechanism() = default;

void Mechanism::check() const {
  check_values(values_);
  std::vector<Node> checked;
  for (const modelfile::RangeCheck& check : definition_->range_checks) checked.push_back(check.formula);
  for (const modelfile::FrictionCheck& c : definition_->friction_checks) {
    checked.insert(checked.end(), {c.mu_static, c.mu_inf, c.v_s});
  }
  const std::vector<double> numbers = evaluate(given_, checked);
  std::size_t k = 0;
  for (const modelfile::RangeCheck& check : definition_->range_checks) {
    mechanics::check_range(check.what, numbers[k++], check.range);
  }
  for (const modelfile::FrictionCheck& c : definition_->friction_checks) {
    c(values_[c.mu], numbers[k], numbers[k + 1], numbers[k + 2]);
    k += 3;
  }
}

mechanics::SystemEquations Mechanism::equations(formula::Pool& pool) const {
  mechanics::SystemEquations equations = definition_->equations;
  // A number of a law that was set replaces its formula; one that does not vary is its value.
  for (std::size_t i = 0; i < equations.contacts.size(); ++i) {
    mechanics::ContactEquations& c = equations.contacts[i];
    const std::string number = std::to_string(i + 1);
    for (const auto& [node, name] :
         {std::pair(&c.law.mu, "mu" + number), {&c.law.eN, "eN" + number}, {&c.law.eT, "eT" + number}}) {
      if (values_.is_set(name) || !equations.symbols.is_variable(pool, *node)) *node = pool.constant(values_[name]);
    }
  }
  return equations;
}

Mechanism::Chosen Mechanism::chosen() const {
  Chosen chosen{definition_->given_positions, definition_->given_velocities};
  for (std::size_t i = 0; i < chosen.positions.size(); ++i) {
    if (values_.is_set(description().coordinates[i].name)) chosen.positions[i] = 1;
    if (values_.is_set(description().velocities[i].name)) chosen.velocities[i] = 1;
  }
  return chosen;
}

const mechanics::AssembledStart& Mechanism::start() const {
  if (definition_->equations.constraints.empty()) return given_;
  if (!start_) {
    const std::unique_ptr<mechanics::SparseSystem> system = assembly();
    start_ = mechanics::assemble_start(*system, given_.q, given_.u);
  }
  return *start_;
}

double Mechanism::number(Node n) const { return numbers({n}).front(); }

std::vector<double> Mechanism::numbers(const std::vector<Node>& nodes) const {
  return evaluated(formulas_->pool, nodes, formulas_->numbers);
}

std::vector<double> Mechanism::at_start(const std::vector<Node>& nodes) const { return evaluate(start(), nodes); }

std::vector<double> Mechanism::evaluate(const mechanics::AssembledStart& start, const std::vector<Node>& nodes) const {
  formula::Pool& pool = formulas_->pool;
  Numbers all = formulas_->numbers;
  const mechanics::Symbols& s = definition_->equations.symbols;
  for (std::size_t i = 0; i < start.q.size(); ++i) all.emplace(s.q[i].index, pool.constant(start.q[i]));
  for (std::size_t i = 0; i < start.u.size(); ++i) all.emplace(s.u[i].index, pool.constant(start.u[i]));
  all.emplace(s.t.index, pool.constant(0));
  return evaluated(pool, nodes, all);
}

mechanics::GatheredProgram Mechanism::compile(const std::vector<Node>& nodes) const {
  formula::Pool& pool = formulas_->pool;
  return {pool, definition_->equations.symbols, pool.substitute(nodes, formulas_->numbers)};
}

mechanics::GatheredProgram Mechanism::compile(formula::Pool pool, const std::vector<Node>& nodes) const {
  return std::move(compile(std::move(pool), std::vector<std::vector<Node>>{nodes}).front());
}

std::vector<mechanics::GatheredProgram> Mechanism::compile(formula::Pool pool,
                                                           const std::vector<std::vector<Node>>& lists) const {
  const Numbers numbers = numbers_for(pool, *definition_, values_);
  std::vector<mechanics::GatheredProgram> programs;
  for (const std::vector<Node>& nodes : lists) {
    const std::vector<Node> substituted = pool.substitute(nodes, numbers);
    programs.emplace_back(pool, definition_->equations.symbols, substituted);
  }
  return programs;
}

std::shared_ptr<const mechanics::FormulaPrograms> Mechanism::programs() const {
  if (!programs_) {
    formula::Pool pool = definition_->pool;
    programs_ = std::make_shared<const mechanics::FormulaPrograms>(
        mechanics::compile(pool, equations(pool), numbers_for(pool, *definition_, values_), start().q, start().u));
  }
  return programs_;
}

const mechanics::AssemblyParts& Mechanism::body_parts() const {
  if (!body_parts_) body_parts_ = make_body_parts(*definition_, values_, [this](Node n) { return number(n); });
  return *body_parts_;
}

const mechanics::AssemblyParts& Mechanism::assembly_parts() const {
  if (assembly_parts_) return *assembly_parts_;
  const Definition& d = *definition_;
  mechanics::AssemblyParts parts = body_parts();
  formula::Pool pool = d.pool;
  parts.formulas = mechanics::compile_sparse(pool, equations(pool), numbers_for(pool, d, values_), given_.q, given_.u);
  for (const mechanics::Quantity& q : d.description.coordinates) parts.coordinate_names.push_back(q.name);
  for (const mechanics::Quantity& c : d.description.constraints) parts.constraint_names.push_back(c.name);
  parts.contact_names = names_of_contacts_and_elements(d.description);
  Chosen chosen_values = chosen();
  parts.given_positions = std::move(chosen_values.positions);
  parts.given_velocities = std::move(chosen_values.velocities);
  assembly_parts_ = std::move(parts);
  return *assembly_parts_;
}

std::unique_ptr<mechanics::SparseSystem> Mechanism::assembly() const {
  return std::make_unique<mechanics::Assembly>(assembly_parts());
}

const mechanics::SpatialParts& Mechanism::spatial_parts() const {
  if (!spatial_parts_) {
    formula::Pool pool = definition_->pool;
    spatial_parts_ = make_spatial_parts(*definition_, values_, pool, numbers_for(pool, *definition_, values_));
  }
  return *spatial_parts_;
}

std::unique_ptr<mechanics::InstantSystem> Mechanism::instant_system() const {
  const Definition& d = *definition_;
  options::StepOptions by_events;
  by_events.method = options::Method::event_driven;
  refuse_unfit(*this, by_events);
  if (d.space) return mechanics::make_instant_system(spatial_parts());
  formula::Pool pool = d.pool;
  const Numbers numbers = numbers_for(pool, d, values_);
  const mechanics::AssemblyParts& parts = body_parts();
  mechanics::InstantBodies bodies{{}, parts.gravity.x, parts.gravity.y};
  for (const mechanics::Body& body : parts.bodies) {
    if (!body.is_fixed) bodies.mass.insert(bodies.mass.end(), {body.mass, body.mass, body.inertia});
  }
  return mechanics::make_instant_system(pool, equations(pool), numbers, bodies, given_.q, given_.u,
                                        names_of_contacts_and_elements(d.description));
}

std::vector<double> Mechanism::initial_gaps() const {
  if (definition_->space) return {};  // contacts of shapes come and go
  std::vector<Node> gaps;
  for (const mechanics::ContactEquations& c : definition_->equations.contacts) gaps.push_back(c.gap);
  return at_start(gaps);
}

PlacedDrawing Mechanism::place_drawing(const std::vector<double>& q, double t) const {
  if (definition_->space) return place_in_space(*definition_, spatial_parts(), given_.q, q);
  formula::Pool pool = definition_->pool;
  Numbers numbers = numbers_for(pool, *definition_, values_);
  const mechanics::Symbols& s = definition_->equations.symbols;
  for (std::size_t i = 0; i < q.size(); ++i) numbers.emplace(s.q[i].index, pool.constant(q[i]));
  numbers.emplace(s.t.index, pool.constant(t));
  return {{definition_, &definition_->drawing}, evaluated(pool, definition_->drawing.numbers, numbers)};
}

}  // namespace picus::model
