#include "picus/mechanics/formula_system.hpp"

#include <algorithm>
#include <map>
#include <numeric>

namespace picus::mechanics {
namespace {

using formula::Program;

class Compiler {
 public:
  Compiler(Pool& pool, const SystemEquations& equations, const std::unordered_map<int, Node>& values)
      : pool_(pool), e_(equations), values_(values), inputs_(e_.symbols.q) {
    inputs_.insert(inputs_.end(), e_.symbols.u.begin(), e_.symbols.u.end());
    inputs_.push_back(e_.symbols.t);
  }

  std::vector<Node> with_numbers(const std::vector<Node>& nodes) { return pool_.substitute(nodes, values_); }
  Program program(const std::vector<Node>& with_numbers) const { return {pool_, inputs_, with_numbers}; }

  bool is_constant(const std::vector<Node>& nodes) const {
    return std::all_of(nodes.begin(), nodes.end(), [&](Node n) { return pool_.is_constant(n); });
  }

  // Value at the start.
  double at_start(Node n, const std::vector<double>& start) const {
    const Program p = program({n});
    std::vector<double> r(static_cast<std::size_t>(p.register_count()) + 1, 0.0);
    std::copy(start.begin(), start.end(), r.begin());
    p.load_constants(r.data());
    p.run(r.data());
    return r[static_cast<std::size_t>(p.result_register(0))];
  }

 private:
  Pool& pool_;
  const SystemEquations& e_;
  const std::unordered_map<int, Node>& values_;
  std::vector<Node> inputs_;
};

void append(std::vector<Node>& list, const std::vector<Node>& more) {
  list.insert(list.end(), more.begin(), more.end());
}

}  // namespace

FormulaPrograms compile(Pool& pool, const SystemEquations& e, const std::unordered_map<int, Node>& values,
                        const std::vector<double>& q0, const std::vector<double>& u0) {
  Compiler c(pool, e, values);
  FormulaPrograms p;
  p.size = static_cast<int>(e.symbols.q.size());
  std::vector<double> start = q0;
  start.insert(start.end(), u0.begin(), u0.end());
  start.push_back(0);

  const std::vector<Node> M = c.with_numbers(flattened(e.dynamics.M));
  std::vector<Node> gaps;
  for (const ContactEquations& contact : e.contacts) gaps.push_back(contact.gap);
  gaps = c.with_numbers(gaps);
  const std::vector<Node> h = c.with_numbers(e.dynamics.h);
  p.constant_mass = c.is_constant(M);
  if (p.constant_mass) {
    for (Node n : M) p.M.push_back(pool.value(n));
  }
  std::vector<Node> smooth = h;
  if (!p.constant_mass) append(smooth, M);
  append(smooth, gaps);
  p.smooth = c.program(smooth);
  p.force = c.program(h);
  p.mass = c.program(M);
  p.gaps = c.program(gaps);

  p.constant_directions = true;
  for (const ContactEquations& contact : e.contacts) {
    std::vector<Node> rows = contact.normal.w;
    append(rows, contact.tangential.w);
    rows = c.with_numbers(rows);
    p.constant_directions = p.constant_directions && c.is_constant(rows);
    append(rows, c.with_numbers({contact.normal.w_hat, contact.tangential.w_hat}));
    p.directions.push_back(c.program(rows));
    const std::vector<Node> law = c.with_numbers(contact.law.all());
    p.laws_vary = p.laws_vary || !c.is_constant(law);
    p.laws.push_back(c.program(law));
    p.start_laws.push_back(law_from([&](int k) { return c.at_start(law[static_cast<std::size_t>(k)], start); }));
  }
  for (const ElementEquations& element : e.elements) {
    std::vector<Node> row = c.with_numbers(element.direction.w);
    p.constant_directions = p.constant_directions && c.is_constant(row);
    append(row, c.with_numbers({element.direction.w_hat, element.displacement}));
    p.elements.push_back(c.program(row));
    const std::vector<Node> law = c.with_numbers({element.lower, element.upper, element.e});
    p.element_laws.push_back(
        {c.at_start(law[0], start), c.at_start(law[1], start), c.at_start(law[2], start), element.on_displacement});
  }

  const std::vector<Node> working = c.with_numbers(e.dynamics.working);
  const std::vector<Node> rates = c.with_numbers({e.dynamics.potential_rate});
  const std::vector<Node> rest = c.with_numbers({e.dynamics.kinetic_rest});
  p.does_work = !all_zero(pool, working) || !all_zero(pool, rates);
  p.has_kinetic_rest = !all_zero(pool, rest);
  p.working = c.program(working);
  p.potential_rate = c.program(rates);
  p.kinetic_rest = c.program(rest);
  p.potential = c.program(c.with_numbers({e.dynamics.potential}));
  p.outputs = c.program(c.with_numbers(e.outputs));

  // Blows in the order of their times.
  std::vector<double> times;
  std::vector<Node> time_nodes;
  for (const BlowEquations& blow : e.blows) time_nodes.push_back(blow.time);
  for (Node n : c.with_numbers(time_nodes)) times.push_back(c.at_start(n, start));
  std::vector<std::size_t> order(times.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return times[a] < times[b]; });
  std::vector<Node> all;
  for (const BlowEquations& blow : e.blows) append(all, blow.J);
  all = c.with_numbers(all);
  std::map<std::vector<int>, std::size_t> known;  // many blows of one kind share a program
  for (std::size_t i : order) {
    p.blow_times.push_back(times[i]);
    const auto first = all.begin() + static_cast<std::ptrdiff_t>(i * e.symbols.q.size());
    const std::vector<Node> J(first, first + static_cast<std::ptrdiff_t>(e.symbols.q.size()));
    std::vector<int> key;
    for (Node n : J) key.push_back(n.index);
    const auto [entry, is_new] = known.emplace(key, p.blows.size());
    p.blows.push_back(is_new ? c.program(J) : p.blows[entry->second]);
  }
  return p;
}

}  // namespace picus::mechanics
