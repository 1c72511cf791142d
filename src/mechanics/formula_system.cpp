#include "picus/mechanics/formula_system.hpp"

#include <map>

#include "picus/mechanics/numeric_equations.hpp"

namespace picus::mechanics {
namespace {

class Compiler : public NumericEquations {
 public:
  Compiler(Pool& nodes, const SystemEquations& equations, const std::unordered_map<int, Node>& values,
           const std::vector<double>& q0, const std::vector<double>& u0)
      : NumericEquations(nodes, equations, values, q0, u0), inputs_(e.symbols.q) {
    inputs_.insert(inputs_.end(), e.symbols.u.begin(), e.symbols.u.end());
    inputs_.push_back(e.symbols.t);
  }

  // Takes all of (q, u, t).
  formula::Program program(const std::vector<Node>& with_numbers) const { return {pool, inputs_, with_numbers}; }

 private:
  std::vector<Node> inputs_;
};

void append(std::vector<Node>& list, const std::vector<Node>& more) {
  list.insert(list.end(), more.begin(), more.end());
}

void compile_smooth_part(Compiler& c, FormulaPrograms& p) {
  const std::vector<Node> M = c.with_numbers(flattened(c.e.dynamics.M));
  std::vector<Node> gaps;
  for (const ContactEquations& contact : c.e.contacts) gaps.push_back(contact.gap);
  gaps = c.with_numbers(gaps);
  const std::vector<Node> h = c.with_numbers(c.e.dynamics.h);
  p.constant_mass = c.is_constant(M);
  if (p.constant_mass) {
    for (Node n : M) p.M.push_back(c.pool.value(n));
  }
  std::vector<Node> smooth = h;
  if (!p.constant_mass) append(smooth, M);
  append(smooth, gaps);
  p.smooth = c.program(smooth);
  p.force = c.program(h);
  p.mass = c.program(M);
  p.gaps = c.program(gaps);
}

void compile_contacts(Compiler& c, FormulaPrograms& p) {
  for (const ContactEquations& contact : c.e.contacts) {
    std::vector<Node> rows = contact.normal.w;
    append(rows, contact.tangential.w);
    rows = c.with_numbers(rows);
    p.constant_directions = p.constant_directions && c.is_constant(rows);
    append(rows, c.with_numbers({contact.normal.w_hat, contact.tangential.w_hat}));
    p.directions.push_back(c.program(rows));
    const std::vector<Node> numbers = contact.law.all(), law = c.with_numbers(numbers);
    p.laws_vary = p.laws_vary || !c.is_constant(law);
    p.laws.push_back(c.program(law));
    p.start_laws.push_back(law_from([&](int k) { return c.at_start(numbers[static_cast<std::size_t>(k)]); }));
  }
}

void compile_elements(Compiler& c, FormulaPrograms& p) {
  for (const ElementEquations& element : c.e.elements) {
    std::vector<Node> row = c.with_numbers(element.direction.w);
    p.constant_directions = p.constant_directions && c.is_constant(row);
    append(row, c.with_numbers({element.direction.w_hat, element.displacement}));
    p.elements.push_back(c.program(row));
    p.element_laws.push_back(c.law_at_start(element));
  }
}

void compile_energies(Compiler& c, FormulaPrograms& p) {
  const Dynamics& d = c.e.dynamics;
  const std::vector<Node> working = c.with_numbers(d.working);
  const Node rate = c.with_numbers(d.potential_rate), rest = c.with_numbers(d.kinetic_rest);
  p.does_work = !all_zero(c.pool, working) || !c.pool.is_constant(rate, 0);
  p.has_kinetic_rest = !c.pool.is_constant(rest, 0);
  p.working = c.program(working);
  p.potential_rate = c.program({rate});
  p.kinetic_rest = c.program({rest});
  p.potential = c.program({c.with_numbers(d.potential)});
}

void compile_blows(Compiler& c, FormulaPrograms& p) {
  std::map<std::vector<int>, std::size_t> known;  // many blows of one kind share a program
  for (const auto& [time, blow] : c.blows_in_order()) {
    const std::vector<Node> J = c.with_numbers(blow->J);
    std::vector<int> key;
    for (Node n : J) key.push_back(n.index);
    const auto [entry, is_new] = known.emplace(key, p.blows.size());
    p.blow_times.push_back(time);
    p.blows.push_back(is_new ? c.program(J) : p.blows[entry->second]);
  }
}

}  // namespace

FormulaPrograms compile(Pool& pool, const SystemEquations& e, const std::unordered_map<int, Node>& values,
                        const std::vector<double>& q0, const std::vector<double>& u0) {
  Compiler c(pool, e, values, q0, u0);
  FormulaPrograms p;
  p.size = static_cast<int>(e.symbols.q.size());
  p.constant_directions = true;
  compile_smooth_part(c, p);
  compile_contacts(c, p);
  compile_elements(c, p);
  compile_energies(c, p);
  compile_blows(c, p);
  p.outputs = c.program(c.with_numbers(e.outputs));
  return p;
}

}  // namespace picus::mechanics
