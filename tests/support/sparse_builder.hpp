// Sparse problems written row by row.
#pragma once

#include <utility>
#include <vector>

#include "picus/contact/sparse_problem.hpp"

namespace picus::tests {

using Entries = std::vector<std::pair<int, double>>;  // velocity, value

inline void clear(contact::SparseProblem& p, int velocities) {
  p.velocities = velocities;
  p.W.clear();
  p.MinvW.clear();
  p.b.clear();
  p.law.clear();
  p.rho_inv.clear();
}

// A row with a diagonal mass matrix: mass(v), and b = wᵀ u for the free velocities u = free(v).
template <class Mass, class Free>
void add_row(contact::SparseProblem& p, const Entries& w, const Mass& mass, const Free& free,
             const contact::RowLaw& law) {
  double G = 0, b = 0;
  for (const auto& [v, x] : w) {
    if (x == 0) continue;
    p.W.add(v, x);
    p.MinvW.add(v, x / mass(v));
    G += x * x / mass(v);
    b += x * free(v);
  }
  p.W.end_row();
  p.MinvW.end_row();
  p.b.push_back(b);
  p.law.push_back(law);
  p.rho_inv.push_back(contact::impulse_weight(G, 0));
}

template <class Mass, class Free>
void add_contact(contact::SparseProblem& p, const Entries& w_N, const Entries& w_T, const Mass& mass, const Free& free,
                 double mu) {
  const int N = p.rows();
  add_row(p, w_N, mass, free, contact::unilateral_row());
  add_row(p, w_T, mass, free, contact::friction_row(mu, 0, N));
  const std::size_t n = static_cast<std::size_t>(N);
  p.rho_inv[n] = p.rho_inv[n + 1] = contact::impulse_weight(p.rho_inv[n], p.rho_inv[n + 1]);
}

}  // namespace picus::tests
