// LU factors of a large matrix that is a sum of small ones, A = Σ_e A_e, with A_e on a few unknowns: the multifrontal
// method (Duff & Reid 1983). The pattern is symmetric, the numbers need not be. Rows are exchanged within a front only,
// which suffices for matrices near positive definite ones; the caller's refinement shows where it does not.
#pragma once

#include <cstddef>
#include <vector>

#include "picus/contact/sparse_fronts.hpp"

namespace picus::contact {

class SparseLu {
 public:
  // Unknowns 0 … n − 1; element e has the unknowns index[start[e]] … index[start[e + 1] − 1], each once.
  void analyse(int n, const std::vector<int>& start, const std::vector<int>& index);

  // Then for each factorisation: clear, add all elements, factorise. A_e is in rows, of as many unknowns as it has.
  void clear();
  void add(int element, const double* A_e);
  void add_diagonal(double x);
  bool factorise();  // false where a pivot is zero or no number

  void solve(double* x);                                // in place
  bool negative() const { return negative_; }           // the determinant
  std::size_t stored() const { return plan_.numbers; }  // of the factors, for information

 private:
  void place_elements(const std::vector<int>& start, const std::vector<int>& index);
  bool eliminate(const Front& front);
  void pass_on(const Front& front);

  FrontPlan plan_;
  bool negative_ = false;
  std::vector<int> element_front_, element_start_, element_place_;
  std::vector<int> exchange_;  // by place: row taken as pivot
  std::vector<double> matrix_, x_;
};

}  // namespace picus::contact
