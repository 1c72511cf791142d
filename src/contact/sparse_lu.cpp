#include "picus/contact/sparse_lu.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <utility>

namespace picus::contact {

namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

using Matrix = Eigen::Map<Eigen::MatrixXd, 0, Eigen::OuterStride<>>;

}  // namespace

void SparseLu::analyse(int n, const std::vector<int>& start, const std::vector<int>& index) {
  plan_ = plan_fronts(n, start, index);
  place_elements(start, index);
  matrix_.resize(plan_.numbers);
  exchange_.resize(at(n));
  x_.resize(at(n));
}

// Each element belongs to the front that eliminates the first of its unknowns.
void SparseLu::place_elements(const std::vector<int>& start, const std::vector<int>& index) {
  element_start_ = start;
  element_front_.assign(start.size() - 1, 0);
  element_place_.resize(index.size());
  for (std::size_t e = 0; e + 1 < start.size(); ++e) {
    int first = static_cast<int>(plan_.place.size());
    for (int k = start[e]; k < start[e + 1]; ++k) first = std::min(first, plan_.place[at(index[at(k)])]);
    if (start[e] == start[e + 1]) continue;
    element_front_[e] = plan_.front_of[at(first)];
    const Front& front = plan_.fronts[at(element_front_[e])];
    const auto rest = plan_.rest_index.begin() + front.index;
    for (int k = start[e]; k < start[e + 1]; ++k) {
      const int place = plan_.place[at(index[at(k)])], in_front = place - front.first;
      element_place_[at(k)] =
          in_front < front.pivots
              ? in_front
              : front.pivots + static_cast<int>(std::lower_bound(rest, rest + front.rest, place) - rest);
    }
  }
}

void SparseLu::clear() { std::fill(matrix_.begin(), matrix_.end(), 0.0); }

void SparseLu::add(int element, const double* A_e) {
  const Front& front = plan_.fronts[at(element_front_[at(element)])];
  const int* place = element_place_.data() + element_start_[at(element)];
  const int m = element_start_[at(element) + 1] - element_start_[at(element)];
  double* F = matrix_.data() + front.matrix;
  for (int i = 0; i < m; ++i) {
    for (int j = 0; j < m; ++j) F[place[i] + at(place[j]) * at(front.size())] += A_e[i * m + j];
  }
}

void SparseLu::add_diagonal(double x) {
  for (const Front& front : plan_.fronts) {
    double* F = matrix_.data() + front.matrix;
    for (int i = 0; i < front.pivots; ++i) F[at(i) * at(front.size() + 1)] += x;
  }
}

bool SparseLu::factorise() {
  negative_ = false;
  for (const Front& front : plan_.fronts) {
    if (!eliminate(front)) return false;
    pass_on(front);
  }
  return true;
}

// F = [F11 F12; F21 F22] → P F11 = L U, F12 ← L⁻¹ P F12, F21 ← F21 U⁻¹, F22 ← F22 − F21 F12.
bool SparseLu::eliminate(const Front& front) {
  const int p = front.pivots, q = front.rest;
  const std::size_t size = at(front.size());
  double* F = matrix_.data() + front.matrix;
  int* exchange = exchange_.data() + front.first;
  for (int k = 0; k < p; ++k) {
    double* column = F + at(k) * size;
    int best = k;
    for (int i = k + 1; i < p; ++i) {
      if (std::abs(column[i]) > std::abs(column[best])) best = i;
    }
    exchange[k] = best;
    if (best != k) {
      for (std::size_t j = 0; j < size; ++j) std::swap(F[at(k) + j * size], F[at(best) + j * size]);
    }
    const double pivot = column[k];
    if (!(std::abs(pivot) > 0) || !std::isfinite(pivot)) return false;
    if ((pivot < 0) != (best != k)) negative_ = !negative_;
    const double inverse = 1 / pivot;
    for (std::size_t i = at(k) + 1; i < size; ++i) column[i] *= inverse;
    for (int j = k + 1; j < p; ++j) {
      double* other = F + at(j) * size;
      const double factor = other[k];
      if (factor == 0) continue;
      for (std::size_t i = at(k) + 1; i < size; ++i) other[i] -= factor * column[i];
    }
  }
  if (q == 0) return true;
  const Eigen::OuterStride<> stride(front.size());
  const Matrix F11(F, p, p, stride), F21(F + p, q, p, stride);
  Matrix F12(F + at(p) * size, p, q, stride), F22(F + at(p) * size + at(p), q, q, stride);
  F11.triangularView<Eigen::UnitLower>().solveInPlace(F12);
  if (p <= 8) {
    F22.noalias() -= F21.lazyProduct(F12);
  } else {
    F22.noalias() -= F21 * F12;
  }
  return true;
}

void SparseLu::pass_on(const Front& front) {
  if (front.parent < 0) return;
  const Front& above = plan_.fronts[at(front.parent)];
  const std::size_t size = at(front.size()), above_size = at(above.size());
  const double* F22 = matrix_.data() + front.matrix + at(front.pivots) * (size + 1);
  double* to = matrix_.data() + above.matrix;
  const int* place = plan_.rest_local.data() + front.index;
  for (int j = 0; j < front.rest; ++j) {
    for (int i = 0; i < front.rest; ++i) to[at(place[i]) + at(place[j]) * above_size] += F22[at(i) + at(j) * size];
  }
}

void SparseLu::solve(double* x) {
  const int n = static_cast<int>(plan_.place.size());
  for (int v = 0; v < n; ++v) x_[at(plan_.place[at(v)])] = x[v];
  for (const Front& front : plan_.fronts) {
    const std::size_t size = at(front.size());
    const double* F = matrix_.data() + front.matrix;
    double* y = x_.data() + front.first;
    const int* rest = plan_.rest_index.data() + front.index;
    for (int k = 0; k < front.pivots; ++k) std::swap(y[k], y[exchange_[at(front.first + k)]]);
    for (int k = 0; k < front.pivots; ++k) {
      const double* column = F + at(k) * size;
      for (int i = k + 1; i < front.pivots; ++i) y[i] -= column[i] * y[k];
      for (int i = 0; i < front.rest; ++i) x_[at(rest[i])] -= column[front.pivots + i] * y[k];
    }
  }
  for (std::size_t f = plan_.fronts.size(); f-- > 0;) {
    const Front& front = plan_.fronts[f];
    const std::size_t size = at(front.size());
    const double* F = matrix_.data() + front.matrix;
    double* y = x_.data() + front.first;
    const int* rest = plan_.rest_index.data() + front.index;
    for (int j = 0; j < front.rest; ++j) {
      const double* column = F + at(front.pivots + j) * size;
      for (int i = 0; i < front.pivots; ++i) y[i] -= column[i] * x_[at(rest[j])];
    }
    for (int k = front.pivots - 1; k >= 0; --k) {
      const double* column = F + at(k) * size;
      y[k] /= column[k];
      for (int i = 0; i < k; ++i) y[i] -= column[i] * y[k];
    }
  }
  for (int v = 0; v < n; ++v) x[v] = x_[at(plan_.place[at(v)])];
}

}  // namespace picus::contact
