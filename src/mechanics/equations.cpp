#include "picus/mechanics/equations.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "picus/formula/derivative.hpp"
#include "picus/formula/polynomial.hpp"

namespace picus::mechanics {
namespace {

using formula::Derivative;
using Vector = std::vector<Node>;
using Matrix = std::vector<Vector>;

class Algebra {
 public:
  Algebra(Pool& nodes, const Symbols& symbols) : pool(nodes), s(symbols), by_t(nodes, symbols.t) {
    for (Node q : s.q) by_q.emplace_back(pool, q);
    for (Node u : s.u) by_u.emplace_back(pool, u);
    for (Node u : s.u) at_rest.emplace(u.index, pool.constant(0));
  }

  std::size_t size() const { return s.q.size(); }
  Node zero() { return pool.constant(0); }
  Node half(Node n) { return pool.multiply(pool.constant(0.5), n); }
  Node collected(Node n) {
    return formula::collect(pool, n, [this](Node symbol) { return s.is_parameter(symbol); });
  }
  bool has_velocity(Node n) const { return Symbols::depends_on_any(pool, n, s.u); }
  // Velocities that decide between branches (abs, sign, floor, min, max, if, comparisons): their derivatives do not
  // tell.
  bool has_jumps(Node n) const {
    using formula::Op;
    const std::vector<int> parts = pool.parts({n});
    std::vector<char> of_velocity(parts.size(), 0);
    for (std::size_t p = 0; p < parts.size(); ++p) {  // arguments stand before those who use them
      const Op op = pool.op({parts[p]});
      if (s.u.has({parts[p]})) of_velocity[p] = 1;
      const bool decides = op == Op::absolute || op == Op::sign || op == Op::round_down || op == Op::logical_not ||
                           op == Op::minimum || op == Op::maximum || (op >= Op::less && op <= Op::logical_or);
      for (int k = 0; k < formula::argument_count(op); ++k) {
        if (of_velocity[formula::place_in(parts, pool.argument({parts[p]}, k))] == 0) continue;
        if (decides || (op == Op::select && k == 0)) return true;
        of_velocity[p] = 1;
      }
    }
    return false;
  }
  // Numbers that are none, as 0/0 at rest.
  bool has_gaps(Node n) const {
    const std::vector<int> parts = pool.parts({n});
    return std::any_of(parts.begin(), parts.end(),
                       [&](int i) { return pool.is_constant({i}) && !std::isfinite(pool.value({i})); });
  }
  static Node entry(const Matrix& M, std::size_t i, std::size_t j) { return i >= j ? M[i][j] : M[j][i]; }

  // Σ_jk (½ ∂M_jk/∂q_i − ∂M_ij/∂q_k) u_j u_k
  Node gyroscopic(const Matrix& M, std::size_t i) {
    Node sum = zero();
    for (std::size_t j = 0; j < size(); ++j) {
      for (std::size_t k = 0; k < size(); ++k) {
        const Node a = half(by_q[i].of(entry(M, j, k))), b = by_q[k].of(entry(M, i, j));
        sum = pool.add(sum, pool.multiply(pool.subtract(a, b), pool.multiply(s.u[j], s.u[k])));
      }
    }
    return sum;
  }

  // Σ_j ∂M_ij/∂t u_j
  Node mass_rate(const Matrix& M, std::size_t i) {
    Node sum = zero();
    for (std::size_t j = 0; j < size(); ++j) sum = pool.add(sum, pool.multiply(by_t.of(entry(M, i, j)), s.u[j]));
    return sum;
  }

  Pool& pool;
  const Symbols& s;
  std::vector<Derivative> by_q, by_u;
  Derivative by_t;
  std::unordered_map<int, Node> at_rest;  // u = 0
};

// Derivatives of n by each symbol, in their order; most do not occur in it.
Vector gradient(Pool& pool, Node n, const SymbolList& symbols) {
  Vector result(symbols.size(), pool.constant(0));
  for (const int i : symbols.numbers_in(pool, n)) {
    const auto k = static_cast<std::size_t>(i);
    result[k] = Derivative(pool, symbols[k]).of(n);
  }
  return result;
}

}  // namespace

std::vector<int> SymbolList::numbers_in(const Pool& pool, Node n) const {
  std::vector<int> numbers;
  for (Node x : pool.symbols(n)) {
    if (const int i = number_of(x); i >= 0) numbers.push_back(i);
  }
  std::sort(numbers.begin(), numbers.end());
  return numbers;
}

bool Symbols::is_parameter(Node symbol) const { return symbol != t && !q.has(symbol) && !u.has(symbol); }

bool Symbols::depends_on_any(const Pool& pool, Node n, const SymbolList& symbols) {
  const std::vector<Node> found = pool.symbols(n);
  return std::any_of(found.begin(), found.end(), [&](Node x) { return symbols.has(x); });
}

bool Symbols::is_variable(const Pool& pool, Node n) const {
  const std::vector<Node> found = pool.symbols(n);
  return std::any_of(found.begin(), found.end(), [&](Node x) { return !is_parameter(x); });
}

bool all_zero(const Pool& pool, const std::vector<Node>& nodes) {
  return std::all_of(nodes.begin(), nodes.end(), [&](Node n) { return pool.is_constant(n, 0); });
}

std::vector<Node> flattened(const std::vector<std::vector<Node>>& rows) {
  std::vector<Node> list;
  for (const std::vector<Node>& row : rows) list.insert(list.end(), row.begin(), row.end());
  return list;
}

Dynamics lagrange(Pool& pool, const Symbols& s, const Energies& energies) {
  Algebra algebra(pool, s);
  const std::size_t n = algebra.size();
  Dynamics d;
  const auto refuse = [&](const char* what, std::size_t i) {
    throw NotPolynomial(std::string(what) + " is no polynomial of second order in the velocities (see " +
                        pool.name(s.u[i]) + ")");
  };
  if (algebra.has_jumps(energies.kinetic)) {
    throw NotPolynomial(
        "the kinetic energy is no polynomial of second order in the velocities: it has some in abs, sign, floor, min, "
        "max, if "
        "or "
        "a comparison");
  }
  // T = ½ uᵀ M u + aᵀ u + T₀
  Vector a;
  for (std::size_t i = 0; i < n; ++i) {
    const Node p = algebra.by_u[i].of(energies.kinetic);
    Vector row;
    for (std::size_t j = 0; j <= i; ++j) {
      row.push_back(algebra.collected(algebra.by_u[j].of(p)));
      if (algebra.has_velocity(row.back())) refuse("the kinetic energy", i);
    }
    d.M.push_back(std::move(row));
    a.push_back(algebra.collected(pool.substitute(p, algebra.at_rest)));
    if (algebra.has_gaps(a.back())) refuse("the kinetic energy", i);
  }
  const Node T_0 = pool.substitute(energies.kinetic, algebra.at_rest);
  if (algebra.has_gaps(T_0)) refuse("the kinetic energy", 0);

  d.kinetic_rest = T_0;
  for (std::size_t i = 0; i < n; ++i) d.kinetic_rest = pool.add(d.kinetic_rest, pool.multiply(a[i], s.u[i]));
  d.potential = energies.potential;
  d.potential_rate = algebra.by_t.of(d.potential);
  for (std::size_t i = 0; i < n; ++i) {
    Node apparent = pool.subtract(algebra.by_q[i].of(T_0), algebra.by_t.of(a[i]));
    for (std::size_t k = 0; k < n; ++k) {
      const Node turn = pool.subtract(algebra.by_q[i].of(a[k]), algebra.by_q[k].of(a[i]));
      apparent = pool.add(apparent, pool.multiply(turn, s.u[k]));
    }
    apparent = algebra.collected(apparent);
    const Node mass_rate = algebra.mass_rate(d.M, i);
    const Node inertial = algebra.collected(pool.subtract(algebra.gyroscopic(d.M, i), mass_rate));
    const Node applied = pool.subtract(energies.forces[i], algebra.by_u[i].of(energies.dissipation));
    Node h = pool.add(inertial, apparent);
    h = pool.subtract(h, algebra.by_q[i].of(energies.potential));
    d.h.push_back(pool.add(h, applied));
    // d/dt (½ uᵀMu + V) = uᵀ (applied + apparent) − ½ uᵀ ∂M/∂t u + ∂V/∂t
    d.working.push_back(pool.add(applied, pool.subtract(apparent, algebra.half(mass_rate))));
  }
  return d;
}

Dynamics lagrange_with_bodies(Pool& pool, const Symbols& s, std::size_t bodies, const Energies& energies) {
  const auto first = static_cast<std::ptrdiff_t>(bodies);
  const Symbols rest{Vector(s.q.begin() + first, s.q.end()), Vector(s.u.begin() + first, s.u.end()), s.t};
  Energies of_rest = energies;
  of_rest.forces.assign(energies.forces.begin() + first, energies.forces.end());
  Dynamics d = lagrange(pool, rest, of_rest);
  Vector h, working;
  const Vector potential = gradient(pool, energies.potential, s.q), damping = gradient(pool, energies.dissipation, s.u);
  for (std::size_t i = 0; i < bodies; ++i) {
    const Node applied = pool.subtract(energies.forces[i], damping[i]);
    h.push_back(pool.subtract(applied, potential[i]));
    working.push_back(applied);
  }
  d.h.insert(d.h.begin(), h.begin(), h.end());
  d.working.insert(d.working.begin(), working.begin(), working.end());
  return d;
}

Dynamics given_dynamics(Pool& pool, const Symbols& s, const Matrix& M, const Vector& h, Node potential) {
  Algebra algebra(pool, s);
  Dynamics d;
  d.M = M;
  d.h = h;
  d.potential = potential;
  d.potential_rate = algebra.by_t.of(potential);
  d.kinetic_rest = algebra.zero();
  for (std::size_t i = 0; i < algebra.size(); ++i) {
    const Node quiet = pool.subtract(algebra.gyroscopic(M, i), algebra.by_q[i].of(potential));
    const Node rest = pool.add(h[i], algebra.half(algebra.mass_rate(M, i)));
    d.working.push_back(algebra.collected(pool.subtract(rest, quiet)));
  }
  return d;
}

Direction direction_of_displacement(Pool& pool, const Symbols& s, Node displacement) {
  return {gradient(pool, displacement, s.q), Derivative(pool, s.t).of(displacement)};
}

Direction direction_of_velocity(Pool& pool, const Symbols& s, Node velocity) {
  Algebra algebra(pool, s);
  if (algebra.has_jumps(velocity))
    throw NotPolynomial("not linear in the velocities: it has some in abs, sign, floor, min, max, if or a comparison");
  Direction d;
  d.w = gradient(pool, velocity, s.u);
  for (std::size_t i = 0; i < algebra.size(); ++i) {
    if (!algebra.has_velocity(d.w[i])) continue;
    d.w[i] = algebra.collected(d.w[i]);
    if (algebra.has_velocity(d.w[i])) throw NotPolynomial("not linear in " + pool.name(s.u[i]));
  }
  d.w_hat = pool.substitute(velocity, algebra.at_rest);
  return d;
}

Node time_derivative(Pool& pool, const Symbols& s, Node x) {
  const Direction d = direction_of_displacement(pool, s, x);
  Node sum = d.w_hat;
  for (std::size_t i = 0; i < s.u.size(); ++i) sum = pool.add(sum, pool.multiply(d.w[i], s.u[i]));
  return sum;
}

}  // namespace picus::mechanics
