#include "picus/complementarity/cone_iterations.hpp"

#include <algorithm>
#include <cmath>

#include "picus/complementarity/cone_contact.hpp"
#include "picus/support/index.hpp"

namespace picus::complementarity {

namespace {

ConeMatrix own_block(const ScaledCones& p, int i) {
  const int begin = p.begin(i), n = p.size(i);
  ConeMatrix A = ConeMatrix::Identity();
  A.topLeftCorner(n, n).setZero();
  for (int k = 0; k < n; ++k) {
    for (ConeProblem::Matrix::InnerIterator e(p.G, begin + k); e; ++e) {
      const auto column = static_cast<int>(e.col()) - begin;
      if (column >= 0 && column < n) A(k, column) += e.value();
    }
  }
  return A;
}

}  // namespace

ConeSweeps::ConeSweeps(const ScaledCones& p) {
  for (int i = 0; i < p.contacts(); ++i) own_.push_back(own_block(p, i));
}

void ConeSweeps::sweep(const ScaledCones& p, bool backwards, Eigen::VectorXd& x) const {
  ConeVector c, next;
  for (int k = 0; k < p.contacts(); ++k) {
    const int i = backwards ? p.contacts() - 1 - k : k, begin = p.begin(i), n = p.size(i);
    c = p.part(p.b, i) - own_[at(i)] * p.part(x, i);
    for (int j = 0; j < n; ++j) {
      for (ConeProblem::Matrix::InnerIterator e(p.G, begin + j); e; ++e) c[j] += e.value() * x[e.col()];
    }
    if (solve_contact(own_[at(i)], c, next)) write_part(next, begin, n, x);
  }
}

ConeGradient::ConeGradient(const ScaledCones& p, Eigen::VectorXd x)
    : x_(std::move(x)), y_(p.G * x_ + p.b), ahead_(x_), y_ahead_(y_), next_(x_.size()), y_next_(x_.size()) {}

int ConeGradient::step(const ScaledCones& p) {
  constexpr int most_lengths = 30;
  int products = 0;
  double uphill = 0;
  for (int k = 0; k < most_lengths; ++k) {
    uphill = 0;
    for (int i = 0; i < p.contacts(); ++i) {
      const int begin = p.begin(i), n = p.size(i);
      const ConeVector w = with_slip(p.part(y_ahead_, i));
      const ConeVector next = project_on_cone(p.part(ahead_, i) - w / inverse_length_);
      write_part(next, begin, n, next_);
      uphill += w.dot(next - p.part(x_, i));
    }
    y_next_.noalias() = p.G * next_;
    y_next_ += p.b;
    ++products;
    const double square = (next_ - ahead_).squaredNorm(), curvature = (next_ - ahead_).dot(y_next_ - y_ahead_);
    if (curvature <= inverse_length_ * square * (1 + 1e-12) || square == 0) break;
    inverse_length_ = std::max(2 * inverse_length_, curvature / square);
  }
  if (uphill > 0) {
    momentum_ = 1;
    ahead_ = next_;
    y_ahead_ = y_next_;
  } else {
    const double next_momentum = 0.5 * (1 + std::sqrt(1 + 4 * momentum_ * momentum_));
    const double share = (momentum_ - 1) / next_momentum;
    ahead_ = next_ + share * (next_ - x_);
    y_ahead_ = y_next_ + share * (y_next_ - y_);
    momentum_ = next_momentum;
  }
  x_.swap(next_);
  y_.swap(y_next_);
  inverse_length_ *= 0.97;
  return products;
}

}  // namespace picus::complementarity
