#include "picus/contact/sparse_lu.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <utility>

#include "picus/support/index.hpp"

namespace picus::contact {

namespace {

constexpr int panel = 16;  // columns that are eliminated before the others hear of it

using Matrix = Eigen::Map<Eigen::MatrixXd, 0, Eigen::OuterStride<>>;
using Vector = Eigen::Map<Eigen::VectorXd>;
using Factors = Eigen::Map<const Eigen::MatrixXd>;

// C −= A B.
void subtract_product(const Matrix& A, const Matrix& B, Matrix& C) {
  constexpr int few = 8;  // packing costs more than it gains
  if (A.cols() <= few || A.rows() <= few) {
    C.noalias() -= A.lazyProduct(B);
  } else {
    C.noalias() -= A * B;
  }
}

}  // namespace

void SparseLu::analyse(int n, const std::vector<int>& start, const std::vector<int>& index) {
  plan_ = plan_fronts(n, start, index);
  place_elements(start, index);
  size_workspace();
  exchange_.resize(at(n));
  x_.resize(at(n));
}

// Each element enters with the front that eliminates the first of its unknowns.
void SparseLu::place_elements(const std::vector<int>& start, const std::vector<int>& index) {
  const std::size_t count = start.size() - 1;
  std::vector<int> front_of(count, 0);
  element_begin_.assign(plan_.fronts.size() + 1, 0);
  for (std::size_t e = 0; e < count; ++e) {
    int first = static_cast<int>(plan_.place.size());
    for (int k = start[e]; k < start[e + 1]; ++k) first = std::min(first, plan_.place[at(index[at(k)])]);
    if (start[e] < start[e + 1]) front_of[e] = plan_.front_of[at(first)];
    ++element_begin_[at(front_of[e]) + 1];
  }
  for (std::size_t f = 0; f < plan_.fronts.size(); ++f) element_begin_[f + 1] += element_begin_[f];
  std::vector<int> next(element_begin_.begin(), element_begin_.end() - 1);
  sorted_.resize(count);
  element_.resize(count);
  for (std::size_t e = 0; e < count; ++e) {
    sorted_[e] = next[at(front_of[e])]++;
    element_[at(sorted_[e])].unknowns = start[e + 1] - start[e];
  }
  std::size_t numbers = 0;
  int places = 0;
  for (Element& element : element_) {
    element.place = places;
    element.value = numbers;
    places += element.unknowns;
    numbers += at(element.unknowns) * at(element.unknowns);
  }
  element_value_.resize(numbers);
  element_place_.resize(index.size());
  for (std::size_t e = 0; e < count; ++e) {
    const Front& front = plan_.fronts[at(front_of[e])];
    const auto rest = plan_.rest_index.begin() + front.index;
    int* to = element_place_.data() + element_[at(sorted_[e])].place;
    for (int k = start[e]; k < start[e + 1]; ++k, ++to) {
      const int place = plan_.place[at(index[at(k)])], in_front = place - front.first;
      *to = in_front < front.pivots
                ? in_front
                : front.pivots + static_cast<int>(std::lower_bound(rest, rest + front.rest, place) - rest);
    }
  }
}

void SparseLu::size_workspace() {
  std::size_t largest = 0, most = 0, now = 0;
  int rest = 0;
  waiting_.clear();
  for (int f = 0; f < static_cast<int>(plan_.fronts.size()); ++f) {
    const Front& front = plan_.fronts[at(f)];
    for (; !waiting_.empty() && plan_.fronts[at(waiting_.back())].parent == f; waiting_.pop_back()) {
      const std::size_t size = at(plan_.fronts[at(waiting_.back())].rest);
      now -= size * size;
    }
    if (front.parent >= 0) waiting_.push_back(f);
    now += at(front.rest) * at(front.rest);
    most = std::max(most, now);
    largest = std::max(largest, at(front.size()) * at(front.size()));
    rest = std::max(rest, front.rest);
  }
  factors_.resize(plan_.numbers);
  front_.resize(largest);
  updates_.resize(most);
  rest_.resize(at(rest));
}

void SparseLu::clear() {
  diagonal_ = 0;
  std::fill(element_value_.begin(), element_value_.end(), 0.0);
}

void SparseLu::add(int element, const double* A_e) {
  const Element& to = element_[at(sorted_[at(element)])];
  double* value = element_value_.data() + to.value;
  for (int i = 0; i < to.unknowns * to.unknowns; ++i) value[i] += A_e[i];
}

bool SparseLu::factorise() {
  negative_ = false;
  waiting_.clear();
  top_ = 0;
  for (int f = 0; f < static_cast<int>(plan_.fronts.size()); ++f) {
    assemble(f);
    if (!eliminate(plan_.fronts[at(f)])) return false;
    store(plan_.fronts[at(f)]);
    if (plan_.fronts[at(f)].parent >= 0) waiting_.push_back(f);
  }
  return true;
}

// Elements and the updates of the children, which are on top of the others.
void SparseLu::assemble(int f) {
  const Front& front = plan_.fronts[at(f)];
  const std::size_t size = at(front.size());
  double* F = front_.data();
  std::fill(F, F + size * size, 0.0);
  for (int i = 0; i < front.pivots; ++i) F[at(i) * (size + 1)] = diagonal_;
  for (int e = element_begin_[at(f)]; e < element_begin_[at(f) + 1]; ++e) {
    const int m = element_[at(e)].unknowns;
    const int* place = element_place_.data() + element_[at(e)].place;
    const double* A = element_value_.data() + element_[at(e)].value;
    for (int i = 0; i < m; ++i) {
      for (int j = 0; j < m; ++j) F[at(place[i]) + at(place[j]) * size] += A[i * m + j];
    }
  }
  for (; !waiting_.empty() && plan_.fronts[at(waiting_.back())].parent == f; waiting_.pop_back()) {
    const Front& child = plan_.fronts[at(waiting_.back())];
    const int* place = plan_.rest_local.data() + child.index;
    const int n = child.rest;
    top_ -= at(n) * at(n);
    const double* update = updates_.data() + top_;
    for (int j = 0; j < n; ++j, update += n) {
      double* column = F + at(place[j]) * size;
      for (int i = 0; i < n; ++i) column[place[i]] += update[i];
    }
  }
}

// F = [F11 F12; F21 F22] → P F11 = L U, F12 ← L⁻¹ P F12, F21 ← F21 U⁻¹, F22 ← F22 − F21 F12, some columns at a time.
bool SparseLu::eliminate(const Front& front) {
  const int size = front.size();
  const Eigen::OuterStride<> stride(size);
  for (int from = 0; from < front.pivots; from += panel) {
    const int to = std::min(from + panel, front.pivots), width = to - from, behind = size - to;
    if (!eliminate_columns(front, from, to)) return false;
    if (behind == 0) return true;
    double* F = front_.data() + from + at(from) * at(size);
    const Matrix L(F, width, width, stride), below(F + width, behind, width, stride);
    Matrix right(F + at(width) * at(size), width, behind, stride);
    Matrix rest(F + width + at(width) * at(size), behind, behind, stride);
    L.triangularView<Eigen::UnitLower>().solveInPlace(right);
    subtract_product(below, right, rest);
  }
  return true;
}

bool SparseLu::eliminate_columns(const Front& front, int from, int to) {
  const std::size_t size = at(front.size());
  double* F = front_.data();
  for (int k = from; k < to; ++k) {
    double* column = F + at(k) * size;
    int best = k;
    for (int i = k + 1; i < front.pivots; ++i) {
      if (std::abs(column[i]) > std::abs(column[best])) best = i;
    }
    exchange_[at(front.first + k)] = best;
    if (best != k) {
      for (std::size_t j = 0; j < size; ++j) std::swap(F[at(k) + j * size], F[at(best) + j * size]);
    }
    const double pivot = column[k];
    if (!(std::abs(pivot) > 0) || !std::isfinite(pivot)) return false;
    if ((pivot < 0) != (best != k)) negative_ = !negative_;
    const double inverse = 1 / pivot;
    for (std::size_t i = at(k) + 1; i < size; ++i) column[i] *= inverse;
    for (int j = k + 1; j < to; ++j) {
      double* other = F + at(j) * size;
      const double factor = other[k];
      if (factor == 0) continue;
      for (std::size_t i = at(k) + 1; i < size; ++i) other[i] -= factor * column[i];
    }
  }
  return true;
}

void SparseLu::store(const Front& front) {
  const int p = front.pivots, q = front.rest, size = front.size();
  double* to = factors_.data() + front.factors;
  const double* F = front_.data();
  std::copy(F, F + at(p) * at(size), to);
  if (q == 0) return;
  const Eigen::OuterStride<> stride(size);
  const Eigen::Map<const Eigen::MatrixXd, 0, Eigen::OuterStride<>> F12(F + at(p) * at(size), p, q, stride);
  Eigen::Map<Eigen::MatrixXd>(to + at(p) * at(size), q, p) = F12.transpose();
  double* update = updates_.data() + top_;
  for (int j = 0; j < q; ++j) {
    const double* column = F + at(p + j) * at(size) + p;
    update = std::copy(column, column + q, update);
  }
  top_ += at(q) * at(q);
}

void SparseLu::solve(double* x) {
  const int n = static_cast<int>(plan_.place.size());
  for (int v = 0; v < n; ++v) x_[at(plan_.place[at(v)])] = x[v];
  for (const Front& front : plan_.fronts) {
    const int p = front.pivots, q = front.rest, size = front.size();
    const double* F = factors_.data() + front.factors;
    double *y = x_.data() + front.first, *w = rest_.data();
    const int* rest = plan_.rest_index.data() + front.index;
    const int* exchange = exchange_.data() + front.first;
    for (int k = 0; k < p; ++k) std::swap(y[k], y[exchange[k]]);
    std::fill(w, w + q, 0.0);
    for (int k = 0; k < p; ++k) {
      const double *column = F + at(k) * at(size), yk = y[k];
      for (int i = k + 1; i < p; ++i) y[i] -= column[i] * yk;
      for (int i = 0; i < q; ++i) w[i] += column[p + i] * yk;
    }
    for (int i = 0; i < q; ++i) x_[at(rest[i])] -= w[i];
  }
  for (std::size_t f = plan_.fronts.size(); f-- > 0;) {
    const Front& front = plan_.fronts[f];
    const int p = front.pivots, q = front.rest, size = front.size();
    const double* F = factors_.data() + front.factors;
    double *y = x_.data() + front.first, *w = rest_.data();
    const int* rest = plan_.rest_index.data() + front.index;
    for (int i = 0; i < q; ++i) w[i] = x_[at(rest[i])];
    if (q > 0) Vector(y, p).noalias() -= Factors(F + at(p) * at(size), q, p).transpose() * Vector(w, q);
    for (int k = p - 1; k >= 0; --k) {
      const double* column = F + at(k) * at(size);
      y[k] /= column[k];
      for (int i = 0; i < k; ++i) y[i] -= column[i] * y[k];
    }
  }
  for (int v = 0; v < n; ++v) x[v] = x_[at(plan_.place[at(v)])];
}

}  // namespace picus::contact
