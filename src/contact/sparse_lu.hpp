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

  // Then for each factorisation: clear, add elements, factorise. A_e is in rows, of as many unknowns as it has.
  void clear();
  void add(int element, const double* A_e);
  void add_diagonal(double x) { diagonal_ += x; }
  bool factorise();  // false where a pivot is zero or no number

  void solve(double* x);                                // in place
  bool negative() const { return negative_; }           // the determinant
  std::size_t stored() const { return plan_.numbers; }  // of the factors, for information

 private:
  // Elements sorted by the front that they enter.
  struct Element {
    int unknowns = 0;
    int place = 0;          // of its first unknown, in element_place_
    std::size_t value = 0;  // of its numbers, in element_value_
  };

  void place_elements(const std::vector<int>& start, const std::vector<int>& index);
  void size_workspace();
  void assemble(int f);
  bool eliminate(const Front& front);
  bool eliminate_columns(const Front& front, int from, int to);
  void store(const Front& front);

  FrontPlan plan_;
  bool negative_ = false;
  double diagonal_ = 0;
  std::vector<Element> element_;
  std::vector<int> element_begin_;  // by front
  std::vector<int> element_place_;  // in its front
  std::vector<int> sorted_;         // of a given element
  std::vector<double> element_value_;
  std::vector<int> exchange_;    // by place: row taken as pivot
  std::vector<double> factors_;  // of each front: [L U; L21] in columns, then U12 in rows
  std::vector<double> front_;    // the one in hand, in columns
  std::vector<double> updates_;  // for parents to come, the last one on top
  std::vector<int> waiting_;     // the fronts that they are from
  std::size_t top_ = 0;
  std::vector<double> x_, rest_;
};

}  // namespace picus::contact
