#include "picus/modelfile/formula_model.hpp"

#include <unordered_map>

#include "picus/mechanics/assembly.hpp"
#include "picus/mechanics/formula_instant.hpp"
#include "picus/mechanics/spatial_instant.hpp"
#include "picus/modelfile/body_shapes.hpp"
#include "picus/modelfile/formula_simulation.hpp"
#include "picus/modelfile/model_checks.hpp"
#include "picus/modelfile/space_drawing.hpp"
#include "picus/modelfile/space_parts.hpp"
#include "picus/run/event_driven_simulation.hpp"
#include "picus/run/sparse_simulation.hpp"
#include "picus/run/spatial_simulation.hpp"
#include "picus/support/error.hpp"

namespace picus::modelfile {
namespace {

using formula::Node;
using mechanics::ParameterValues;
using Numbers = std::unordered_map<int, Node>;

// Without a search by name where that is not needed: there may be thousands.
double value_of(const ParameterValues& values, const mechanics::Parameter& p) {
  return p.follows || values.is_set(p.name) ? values[p.name] : p.value;
}

// Those of the names that `name` finds in each of a list.
template <class List, class Name>
std::vector<double> values_of(const ParameterValues& values, const List& list, const Name& name) {
  std::unordered_map<std::string_view, const mechanics::Parameter*> known;
  for (const mechanics::Parameter& p : values.model().parameters) known.emplace(p.name, &p);
  std::vector<double> numbers;
  for (const auto& entry : list) numbers.push_back(value_of(values, *known.at(name(entry))));
  return numbers;
}

std::vector<double> values_of(const ParameterValues& values, const std::vector<mechanics::Quantity>& quantities) {
  return values_of(values, quantities, [](const mechanics::Quantity& q) -> std::string_view { return q.name; });
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
    numbers.emplace(pool.symbol(start_symbol(coordinates[i].name)).index, pool.constant(start[i]));
  }
  return numbers;
}

void check_values(const ParameterValues& values) {
  for (const mechanics::Parameter& p : values.model().parameters) {
    mechanics::check_range("parameter " + p.name, value_of(values, p), p.range);
  }
}

}  // namespace

FormulaModel::Start FormulaModel::given_start(const ParameterValues& values) const {
  return {values_of(values, description().coordinates), values_of(values, description().velocities)};
}

FormulaModel::Start FormulaModel::start(const ParameterValues& values) const {
  Start given = given_start(values);
  if (definition_->equations.constraints.empty()) return given;
  const stepping::SparseIntegration assembled(assembly(values), given.q, given.u, {});
  return {assembled.q(), assembled.u()};
}

std::vector<double> FormulaModel::initial_position(const ParameterValues& values) const { return start(values).q; }
std::vector<double> FormulaModel::initial_velocity(const ParameterValues& values) const { return start(values).u; }

void FormulaModel::check(const ParameterValues& values) const {
  check_values(values);
  std::vector<Node> checked;
  for (const RangeCheck& check : definition_->range_checks) checked.push_back(check.formula);
  for (const FrictionCheck& c : definition_->friction_checks) {
    checked.insert(checked.end(), {c.mu_static, c.mu_inf, c.v_s});
  }
  const std::vector<double> numbers = evaluate(values, given_start(values), checked);
  std::size_t k = 0;
  for (const RangeCheck& check : definition_->range_checks) {
    mechanics::check_range(check.what, numbers[k++], check.range);
  }
  if (definition_->friction_checks.empty()) return;
  const std::vector<double> mu =
      values_of(values, definition_->friction_checks, [](const FrictionCheck& c) -> std::string_view { return c.mu; });
  for (std::size_t i = 0; i < mu.size(); ++i, k += 3) {
    definition_->friction_checks[i](mu[i], numbers[k], numbers[k + 1], numbers[k + 2]);
  }
}

mechanics::SystemEquations FormulaModel::equations(const ParameterValues& values, formula::Pool& pool) const {
  mechanics::SystemEquations equations = definition_->equations;
  // A number of a law that was set replaces its formula; one that does not vary is its value.
  for (std::size_t i = 0; i < equations.contacts.size(); ++i) {
    mechanics::ContactEquations& c = equations.contacts[i];
    const std::string number = std::to_string(i + 1);
    for (const auto& [node, name] :
         {std::pair(&c.law.mu, "mu" + number), {&c.law.eN, "eN" + number}, {&c.law.eT, "eT" + number}}) {
      if (values.is_set(name) || !equations.symbols.is_variable(pool, *node)) *node = pool.constant(values[name]);
    }
  }
  return equations;
}

std::shared_ptr<const mechanics::FormulaPrograms> FormulaModel::programs(const ParameterValues& values) const {
  if (definition_->space) {
    spatial_parts(values);  // refuses what no body and no law has
    return std::make_shared<const mechanics::FormulaPrograms>();
  }
  check(values);
  formula::Pool pool = definition_->pool;  // a copy: models are shared between threads
  return std::make_shared<const mechanics::FormulaPrograms>(
      mechanics::compile(pool, equations(values, pool), numbers_for(pool, *definition_, values),
                         initial_position(values), initial_velocity(values)));
}

mechanics::AssemblyParts FormulaModel::body_parts(const ParameterValues& values) const {
  check(values);
  const Definition& d = *definition_;
  formula::Pool pool = d.pool;
  const Numbers numbers = numbers_for(pool, d, values);
  const auto value = [&](Node n) { return pool.value(pool.substitute(n, numbers)); };
  mechanics::AssemblyParts parts;
  for (const BodyDefinition& from : d.bodies) {
    mechanics::Body body;
    body.name = from.name;
    body.is_fixed = from.is_fixed;
    body.group = from.group;
    if (from.is_fixed) {
      body.place = {value(from.place[0]), value(from.place[1]), value(from.place[2])};
    } else {
      body.mass = value(from.mass);
      body.inertia = value(from.inertia);
    }
    for (const BodyShape& shape : from.shapes) {
      std::vector<double> sizes;
      for (Node n : shape.numbers) sizes.push_back(value(n));
      try {
        body.shapes.push_back(make_shape(shape, sizes));
      } catch (const InputError& error) {
        throw InputError("body " + body.name + ": " + error.what());
      }
    }
    parts.bodies.push_back(std::move(body));
  }
  parts.gravity = {value(d.gravity[0]), value(d.gravity[1])};
  parts.collisions = mechanics::CollisionTable(d.body_groups);
  for (std::size_t i = 0; i < d.collisions.size(); ++i) {
    const CollisionDefinition& c = d.collisions[i];
    contact::Law law =
        mechanics::law_from([&, all = c.law.all()](int k) { return value(all[static_cast<std::size_t>(k)]); });
    const contact::Law set = values.law(static_cast<int>(d.description.contacts.size() + i + 1));
    law.mu = set.mu;
    law.eN = set.eN;
    law.eT = set.eT;
    for (int a : c.a) {
      for (int b : c.b) {
        if (c.never) {
          parts.collisions.forbid(a, b);
        } else {
          parts.collisions.set(a, b, law);
        }
      }
    }
  }
  parts.never_touch = d.joined;
  return parts;
}

mechanics::AssemblyParts FormulaModel::assembly_parts(const ParameterValues& values) const {
  mechanics::AssemblyParts parts = body_parts(values);
  const Definition& d = *definition_;
  formula::Pool pool = d.pool;
  const Numbers numbers = numbers_for(pool, d, values);
  const Start given = given_start(values);
  parts.formulas = mechanics::compile_sparse(pool, equations(values, pool), numbers, given.q, given.u);
  for (const mechanics::Quantity& q : d.description.coordinates) parts.coordinate_names.push_back(q.name);
  for (const mechanics::Quantity& c : d.description.constraints) parts.constraint_names.push_back(c.name);
  for (const auto* list : {&d.description.contacts, &d.description.elements}) {
    for (const mechanics::ContactDescription& c : *list) parts.contact_names.push_back(c.name);
  }
  parts.given_positions = d.given_positions;
  parts.given_velocities = d.given_velocities;
  for (std::size_t i = 0; i < parts.given_positions.size(); ++i) {
    if (values.is_set(d.description.coordinates[i].name)) parts.given_positions[i] = 1;
    if (values.is_set(d.description.velocities[i].name)) parts.given_velocities[i] = 1;
  }
  return parts;
}

std::unique_ptr<mechanics::SparseSystem> FormulaModel::assembly(const ParameterValues& values) const {
  return std::make_unique<mechanics::Assembly>(assembly_parts(values));
}

std::unique_ptr<mechanics::InstantSystem> FormulaModel::instant_system(const ParameterValues& values) const {
  const Definition& d = *definition_;
  if (d.space) return mechanics::make_instant_system(spatial_parts(values));
  check(values);
  if (!d.collisions.empty()) {
    throw InputError(
        "model " + description().name +
        " has shapes that collide; accepted by event-driven and --theory in the plane: contacts with formulas");
  }
  formula::Pool pool = d.pool;
  const Numbers numbers = numbers_for(pool, d, values);
  const auto value = [&](Node n) { return pool.value(pool.substitute(n, numbers)); };
  mechanics::InstantBodies bodies;
  for (const BodyDefinition& body : d.bodies) {
    if (body.is_fixed) continue;
    const double mass = value(body.mass);
    bodies.mass.insert(bodies.mass.end(), {mass, mass, value(body.inertia)});
  }
  if (!bodies.mass.empty()) {
    bodies.gravity_x = value(d.gravity[0]);
    bodies.gravity_y = value(d.gravity[1]);
  }
  std::vector<std::string> names;
  for (const auto* list : {&d.description.contacts, &d.description.elements}) {
    for (const mechanics::ContactDescription& c : *list) names.push_back(c.name);
  }
  const Start from = start(values);
  return mechanics::make_instant_system(pool, equations(values, pool), numbers, bodies, from.q, from.u,
                                        std::move(names));
}

mechanics::SpatialParts FormulaModel::spatial_parts(const ParameterValues& values) const {
  check(values);
  formula::Pool pool = definition_->pool;
  return make_spatial_parts(*definition_, pool, values);
}

std::vector<double> FormulaModel::at_start(const ParameterValues& values, const std::vector<Node>& nodes) const {
  return evaluate(values, start(values), nodes);
}

std::vector<double> FormulaModel::evaluate(const ParameterValues& values, const Start& start,
                                           const std::vector<Node>& nodes) const {
  formula::Pool pool = definition_->pool;
  Numbers numbers = numbers_for(pool, *definition_, values);
  const mechanics::Symbols& s = definition_->equations.symbols;
  for (std::size_t i = 0; i < start.q.size(); ++i) numbers.emplace(s.q[i].index, pool.constant(start.q[i]));
  for (std::size_t i = 0; i < start.u.size(); ++i) numbers.emplace(s.u[i].index, pool.constant(start.u[i]));
  numbers.emplace(s.t.index, pool.constant(0));
  std::vector<double> result;
  for (Node n : pool.substitute(nodes, numbers)) result.push_back(pool.value(n));
  return result;
}

std::vector<double> FormulaModel::initial_gaps(const ParameterValues& values) const {
  if (definition_->space) return {};  // contacts of shapes come and go
  std::vector<Node> gaps;
  for (const mechanics::ContactEquations& c : definition_->equations.contacts) gaps.push_back(c.gap);
  return at_start(values, gaps);
}

std::vector<std::string> FormulaModel::implicit_parameters() const {
  const Definition& d = *definition_;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < d.equations.contacts.size(); ++i) {
    const mechanics::LawEquations& law = d.equations.contacts[i].law;
    const std::string number = std::to_string(i + 1);
    for (const auto& [node, name] : {std::pair(law.eN, "eN"), {law.eT, "eT"}, {law.mu, "mu"}}) {
      if (d.equations.symbols.is_variable(d.pool, node)) names.push_back(name + number);
    }
  }
  if (d.equations.constraints.empty()) return names;
  for (std::size_t i = 0; i < d.given_positions.size(); ++i) {
    if (d.given_positions[i] == 0) names.push_back(d.description.coordinates[i].name);
    if (d.given_velocities[i] == 0) names.push_back(d.description.velocities[i].name);
  }
  return names;
}

mechanics::GatheredProgram FormulaModel::compile(const ParameterValues& values, const std::vector<Node>& nodes) const {
  return compile(values, definition_->pool, nodes);
}

mechanics::GatheredProgram FormulaModel::compile(const ParameterValues& values, formula::Pool pool,
                                                 const std::vector<Node>& nodes) const {
  const Numbers numbers = numbers_for(pool, *definition_, values);
  const std::vector<Node> substituted = pool.substitute(nodes, numbers);
  return {pool, definition_->equations.symbols, substituted};
}

PlacedDrawing FormulaModel::place_drawing(const ParameterValues& values, const std::vector<double>& q, double t) const {
  if (definition_->space) return place_in_space(*definition_, spatial_parts(values), given_start(values).q, q);
  formula::Pool pool = definition_->pool;
  Numbers numbers = numbers_for(pool, *definition_, values);
  const mechanics::Symbols& s = definition_->equations.symbols;
  for (std::size_t i = 0; i < q.size(); ++i) numbers.emplace(s.q[i].index, pool.constant(q[i]));
  numbers.emplace(s.t.index, pool.constant(t));
  PlacedDrawing placed{{std::shared_ptr<void>(), &definition_->drawing}, {}};  // the definition lives longer
  for (Node n : pool.substitute(definition_->drawing.numbers, numbers)) placed.numbers.push_back(pool.value(n));
  return placed;
}

std::unique_ptr<stepping::Simulation> FormulaModel::simulate(const ParameterValues& values,
                                                             const stepping::StepOptions& options,
                                                             const stepping::RecordingOptions& recording) const {
  std::unique_ptr<stepping::Simulation> run = simulation(values, options, recording);
  run->watch(make_checks(*this, values, options, *run));
  return run;
}

std::unique_ptr<stepping::Simulation> FormulaModel::simulation(const ParameterValues& values,
                                                               const stepping::StepOptions& options,
                                                               const stepping::RecordingOptions& recording) const {
  if (options.list_solutions && (definition_->space || needs_sparse_kernel(*definition_))) {
    throw InputError(
        "model " + description().name +
        " has bodies, constraints, or more than 8 contacts; accepted by --solutions all: up to 12 coordinates "
        "with formulas, and up to 8 contacts");
  }
  if (options.method == stepping::Method::event_driven) {
    Start from = start(values);
    return std::make_unique<eventdriven::EventDrivenSimulation>(instant_system(values), std::move(from.q),
                                                                std::move(from.u), options, recording,
                                                                description().cycles, definition_->space != nullptr);
  }
  if (definition_->space) {
    const Start given = given_start(values);
    return std::make_unique<stepping::SpatialSimulation>(spatial_parts(values), given.q, given.u, options, recording);
  }
  if (needs_sparse_kernel(*definition_)) {
    Start given = given_start(values);
    return std::make_unique<stepping::SparseSimulation>(assembly(values), std::move(given.q), std::move(given.u),
                                                        options, recording, description().cycles);
  }
  const FormulaRun run{programs(values), initial_position(values), initial_velocity(values), options,
                       recording,        description().cycles};
  const mechanics::FormulaPrograms& p = *run.programs;
  const bool small = p.size <= small_coordinates && p.start_laws.size() <= static_cast<std::size_t>(small_contacts) &&
                     p.element_laws.empty();
  if (p.constant_mass && p.constant_directions)
    return small ? simulate_small_constant(run) : simulate_large_constant(run);
  if (p.constant_mass) return small ? simulate_small_constant_mass(run) : simulate_large_constant_mass(run);
  return small ? simulate_small(run) : simulate_large(run);
}

std::unique_ptr<FormulaModel> read_model(const std::string& path) {
  return std::make_unique<FormulaModel>(define_from_file(path));
}

}  // namespace picus::modelfile
