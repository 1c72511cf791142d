// The equations of a system as formulas, and how they follow from energies, gaps and sliding velocities.
#pragma once

#include <stdexcept>
#include <unordered_map>
#include <vector>

#include "picus/contact/law.hpp"
#include "picus/formula/expression.hpp"

namespace picus::mechanics {

using formula::Node;
using formula::Pool;

// Symbols in order, each found without a search.
class SymbolList {
 public:
  SymbolList() = default;
  SymbolList(const std::vector<Node>& list) {
    for (Node n : list) push_back(n);
  }
  void push_back(Node symbol) {
    number_.emplace(symbol.index, static_cast<int>(list_.size()));
    list_.push_back(symbol);
  }

  operator const std::vector<Node>&() const { return list_; }
  std::size_t size() const { return list_.size(); }
  Node operator[](std::size_t i) const { return list_[i]; }
  auto begin() const { return list_.begin(); }
  auto end() const { return list_.end(); }
  // The number of a symbol, or -1.
  int number_of(Node symbol) const {
    const auto found = number_.find(symbol.index);
    return found == number_.end() ? -1 : found->second;
  }
  bool has(Node symbol) const { return number_of(symbol) >= 0; }
  // The numbers of those that occur in n, ascending.
  std::vector<int> numbers_in(const Pool& pool, Node n) const;

 private:
  std::vector<Node> list_;
  std::unordered_map<int, int> number_;
};

struct Symbols {
  SymbolList q, u;  // q̇ = u
  Node t;

  // Neither a coordinate, nor a velocity, nor time.
  bool is_parameter(Node symbol) const;
  // n depends on one of `symbols`.
  static bool depends_on_any(const Pool& pool, Node n, const SymbolList& symbols);
  // n depends on the motion or on time.
  bool is_variable(const Pool& pool, Node n) const;
};

bool all_zero(const Pool& pool, const std::vector<Node>& nodes);
// Rows of a matrix, one behind the other.
std::vector<Node> flattened(const std::vector<std::vector<Node>>& rows);

// Energies that are no polynomial of second order in the velocities, a sliding velocity that is not linear in them.
class NotPolynomial : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// M u̇ = h, and what the energy books need.
struct Dynamics {
  std::vector<std::vector<Node>> M;  // lower triangle: M[i][j], j ≤ i
  std::vector<Node> h;
  Node potential;
  Node potential_rate;        // ∂V/∂t
  std::vector<Node> working;  // generalised forces whose work changes ½ uᵀMu + V
  Node kinetic_rest;          // T − ½ uᵀMu: what prescribed motion adds
};

struct Energies {
  Node kinetic, potential, dissipation;
  std::vector<Node> forces;  // generalised forces Q, one a coordinate
};

// Lagrange's equations of the second kind, with T = ½ uᵀ M u + aᵀu + T₀, all of q and t:
//   h_i = Σ_jk (½ ∂M_jk/∂q_i − ∂M_ij/∂q_k) u_j u_k − Σ_j ∂M_ij/∂t u_j
//         + Σ_k (∂a_k/∂q_i − ∂a_i/∂q_k) u_k − ∂a_i/∂t + ∂T₀/∂q_i − ∂V/∂q_i − ∂D/∂u_i + Q_i
Dynamics lagrange(Pool& pool, const Symbols& s, const Energies& energies);

// The same for a system that begins with `bodies` coordinates of bodies, whose masses are no formulas: M is that of the
// other coordinates (the kinetic energy is theirs alone), h and the working forces have an entry for each coordinate.
Dynamics lagrange_with_bodies(Pool& pool, const Symbols& s, std::size_t bodies, const Energies& energies);

// M (lower triangle) and h as given; V of the conservative part of h.
Dynamics given_dynamics(Pool& pool, const Symbols& s, const std::vector<std::vector<Node>>& M,
                        const std::vector<Node>& h, Node potential);

// Row of a contact or an element: γ = wᵀu + ŵ.
struct Direction {
  std::vector<Node> w;
  Node w_hat;
};

// Of a displacement g(q,t): w = ∂g/∂q, ŵ = ∂g/∂t.
Direction direction_of_displacement(Pool& pool, const Symbols& s, Node displacement);
// Of a velocity that is linear in u.
Direction direction_of_velocity(Pool& pool, const Symbols& s, Node velocity);
// dx/dt = Σ ∂x/∂q_i u_i + ∂x/∂t of x(q,t).
Node time_derivative(Pool& pool, const Symbols& s, Node x);

// The numbers of a contact's law. all() and law_from() are the one place that knows their order.
struct LawEquations {
  Node mu, eN, eT, friction_force, mu_static, mu_inf, v_s, stiffness;

  std::vector<Node> all() const { return {mu, eN, eT, friction_force, mu_static, mu_inf, v_s, stiffness}; }
};

// The law whose k-th number, in the order of LawEquations::all(), is value(k).
template <class Value>
contact::Law law_from(const Value& value) {
  return {.mu = value(0),
          .eN = value(1),
          .eT = value(2),
          .friction_force = value(3),
          .mu_static = value(4),
          .mu_inf = value(5),
          .v_s = value(6),
          .stiffness = value(7)};
}

struct ContactEquations {
  Node gap;
  Direction normal, tangential;
  LawEquations law;
};

struct ElementEquations {
  Direction direction;
  Node displacement;
  Node lower, upper, e;
  bool on_displacement = false;
};

// g(q,t) = 0.
struct ConstraintEquations {
  Node g;
};

// A given blow: the velocities jump by M⁻¹ J at a time.
struct BlowEquations {
  Node time;
  std::vector<Node> J;
};

struct SystemEquations {
  Symbols symbols;
  Dynamics dynamics;
  std::vector<ContactEquations> contacts;
  std::vector<ElementEquations> elements;
  std::vector<ConstraintEquations> constraints;
  std::vector<BlowEquations> blows;
  std::vector<Node> outputs;
};

}  // namespace picus::mechanics
