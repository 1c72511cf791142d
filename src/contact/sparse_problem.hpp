// The contact problem of a system of any size. G is never formed: each row touches a few velocities only.
#pragma once

#include <cstddef>
#include <vector>

#include "picus/contact/planar_problem.hpp"

namespace picus::contact {

// Rows of a matrix, entry by entry; row r has the entries from start[r] up to start[r + 1].
struct SparseRows {
  std::vector<int> start = {0};
  std::vector<int> index;  // of a velocity
  std::vector<double> value;

  int count() const { return static_cast<int>(start.size()) - 1; }
  void clear() {
    start.resize(1);
    index.clear();
    value.clear();
  }
  void add(int velocity, double x) {
    index.push_back(velocity);
    value.push_back(x);
  }
  void end_row() { start.push_back(static_cast<int>(index.size())); }

  // Row r times a vector of velocities.
  double dot(int r, const double* u) const {
    double sum = 0;
    for (int k = start[static_cast<std::size_t>(r)]; k < start[static_cast<std::size_t>(r) + 1]; ++k) {
      sum += value[static_cast<std::size_t>(k)] * u[index[static_cast<std::size_t>(k)]];
    }
    return sum;
  }
  // u += row r times a factor.
  void add_to(int r, double factor, double* u) const {
    for (int k = start[static_cast<std::size_t>(r)]; k < start[static_cast<std::size_t>(r) + 1]; ++k) {
      u[index[static_cast<std::size_t>(k)]] += factor * value[static_cast<std::size_t>(k)];
    }
  }
};

// Find Λ, ξ with
//   ξ = b + W δ,   δ = Σ_r (M⁻¹ w_r) Λ_r,
// such that every row obeys its law (planar_problem.hpp). A bilateral row has no finite bound: ξ = 0. Rows of a contact
// stand behind each other, the normal one first.
struct SparseProblem {
  int velocities = 0;
  SparseRows W;      // row r: w_r
  SparseRows MinvW;  // row r: M⁻¹ w_r
  std::vector<double> b;
  std::vector<RowLaw> law;
  std::vector<double> rho_inv;  // as in PlanarProblem; the same for both rows of a contact

  int rows() const { return static_cast<int>(b.size()); }
};

// Λ and the branch of its law that each row is on.
struct SparseSolution {
  std::vector<double> Lambda;
  std::vector<RowState> state;
};

}  // namespace picus::contact
