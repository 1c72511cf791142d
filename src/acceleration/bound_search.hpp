// What bounds of uniqueness have in common. Private to uniqueness_*.cpp and to theory.
#pragma once

#include <Eigen/Core>
#include <functional>
#include <vector>

namespace picus::acceleration {

// The next choice of an element of each list, by their indices. False: that was the last.
template <class List>
bool next_choice(std::vector<std::size_t>& index, const std::vector<List>& lists) {
  std::size_t i = 0;
  while (i < index.size() && ++index[i] == lists[i].size()) index[i++] = 0;
  return i < index.size();
}

// The largest s with test(s), for a test that holds below and fails above.
double largest(const std::function<bool(double)>& test);

// The least of uᵀ S u − 2 bᵀu over |u| = 1.
double least_on_sphere(const Eigen::MatrixXd& S, const Eigen::VectorXd& b);

}  // namespace picus::acceleration
