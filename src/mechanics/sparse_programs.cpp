#include "picus/mechanics/sparse_programs.hpp"

#include "picus/formula/derivative.hpp"
#include "picus/mechanics/numeric_equations.hpp"

namespace picus::mechanics {
namespace {

class Compiler : public NumericEquations {
 public:
  using NumericEquations::NumericEquations;

  SparseVectorProgram sparse_vector(const std::vector<Node>& nodes) {
    SparseVectorProgram v;
    std::vector<Node> results;
    const std::vector<Node> all = with_numbers(nodes);
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (pool.is_constant(all[i], 0)) continue;
      v.index.push_back(static_cast<int>(i));
      results.push_back(all[i]);
    }
    v.program = program(results);
    return v;
  }

  // Rows from directions that are given entry by entry.
  struct Rows {
    std::vector<int> start = {0}, index;
    std::vector<Node> entries, w_hat;
  };
  void add_row(const Direction& d, Rows& rows) {
    std::vector<int> places;
    std::vector<Node> w;
    for (std::size_t i = 0; i < d.w.size(); ++i) {
      if (pool.is_constant(d.w[i], 0)) continue;
      places.push_back(static_cast<int>(i));
      w.push_back(d.w[i]);
    }
    w = with_numbers(w);
    for (std::size_t k = 0; k < w.size(); ++k) add_entry(places[k], w[k], rows);
    rows.w_hat.push_back(with_numbers(d.w_hat));
    rows.start.push_back(static_cast<int>(rows.index.size()));
  }
  // The row of a displacement: its derivatives by what it depends on.
  void add_gradient(Node displacement, Rows& rows) {
    const Node g = with_numbers(displacement);
    for (const int i : e.symbols.q.numbers_in(pool, g)) {
      add_entry(i, formula::Derivative(pool, e.symbols.q[static_cast<std::size_t>(i)]).of(g), rows);
    }
    rows.w_hat.push_back(formula::Derivative(pool, e.symbols.t).of(g));
    rows.start.push_back(static_cast<int>(rows.index.size()));
  }
  RowProgram row_program(const Rows& rows, const std::vector<Node>& further = {}) {
    RowProgram p;
    p.start = rows.start;
    p.index = rows.index;
    std::vector<Node> results = rows.entries;
    results.insert(results.end(), rows.w_hat.begin(), rows.w_hat.end());
    results.insert(results.end(), further.begin(), further.end());
    p.program = program(results);
    return p;
  }

 private:
  void add_entry(int i, Node n, Rows& rows) const {
    if (pool.is_constant(n, 0)) return;
    rows.index.push_back(i);
    rows.entries.push_back(n);
  }
};

void compile_dynamics(Compiler& c, SparsePrograms& p) {
  const Dynamics& d = c.e.dynamics;
  const std::vector<Node> M = c.with_numbers(flattened(d.M));
  p.dense_size = static_cast<int>(d.M.size());
  p.constant_mass = c.is_constant(M);
  if (p.constant_mass) {
    for (Node n : M) p.M.push_back(c.pool.value(n));
  } else {
    p.mass = c.program(M);
  }
  p.force = c.sparse_vector(d.h);
  p.working = c.sparse_vector(d.working);
  const Node rate = c.with_numbers(d.potential_rate), rest = c.with_numbers(d.kinetic_rest);
  p.does_work = !p.working.index.empty() || !c.pool.is_constant(rate, 0);
  p.has_kinetic_rest = !c.pool.is_constant(rest, 0);
  p.potential = c.program({c.with_numbers(d.potential)});
  p.potential_rate = c.program({rate});
  p.kinetic_rest = c.program({rest});
  p.outputs = c.program(c.with_numbers(c.e.outputs));
}

void compile_rows(Compiler& c, SparsePrograms& p) {
  Compiler::Rows constraints, elements;
  std::vector<Node> values, gaps, displacements;
  for (const ConstraintEquations& constraint : c.e.constraints) {
    values.push_back(constraint.g);
    c.add_gradient(constraint.g, constraints);
  }
  p.constraint_values = c.program(c.with_numbers(values));
  p.constraints = c.row_program(constraints);
  for (const ContactEquations& contact : c.e.contacts) {
    gaps.push_back(contact.gap);
    Compiler::Rows rows;
    c.add_row(contact.normal, rows);
    c.add_row(contact.tangential, rows);
    p.contacts.push_back(c.row_program(rows));
    p.laws.push_back(c.program(c.with_numbers(contact.law.all())));
  }
  p.gaps = c.program(c.with_numbers(gaps));
  for (const ElementEquations& element : c.e.elements) {
    c.add_row(element.direction, elements);
    displacements.push_back(element.displacement);
    p.element_laws.push_back(c.law_at_start(element));
  }
  p.elements = c.row_program(elements, c.with_numbers(displacements));
}

void compile_blows(Compiler& c, SparsePrograms& p) {
  for (const auto& [time, blow] : c.blows_in_order()) {
    p.blow_times.push_back(time);
    p.blows.push_back(c.sparse_vector(blow->J));
  }
}

}  // namespace

void RowProgram::append_to(const double* q, double t, RowDirections& to) {
  program.run(q, nullptr, t);
  const int entries = static_cast<int>(index.size());
  for (int r = 0; r < rows(); ++r) {
    for (int k = start[static_cast<std::size_t>(r)]; k < start[static_cast<std::size_t>(r) + 1]; ++k) {
      to.w.add(index[static_cast<std::size_t>(k)], program.result(k));
    }
    to.end_row(program.result(entries + r));
  }
}

SparsePrograms compile_sparse(Pool& pool, const SystemEquations& equations, const std::unordered_map<int, Node>& values,
                              const std::vector<double>& q0, const std::vector<double>& u0) {
  Compiler c(pool, equations, values, q0, u0);
  SparsePrograms p;
  p.size = static_cast<int>(equations.symbols.q.size());
  compile_dynamics(c, p);
  compile_rows(c, p);
  compile_blows(c, p);
  return p;
}

}  // namespace picus::mechanics
