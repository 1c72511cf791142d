#include "picus/complementarity/cone_scaled.hpp"

#include <cmath>

#include "picus/support/index.hpp"

namespace picus::complementarity {

namespace {

constexpr double least_mu = 1e-100;  // its square is a number; smaller ones are no friction to any accuracy

}  // namespace

ScaledCones::ScaledCones(const ConeProblem& p) {
  const Eigen::VectorXd diagonal = p.W.diagonal();
  std::vector<int> new_row(at(p.rows()), -1);
  start = {0};
  for (int i = 0; i < p.contacts(); ++i) {
    const double mu = p.mu[at(i)] > least_mu ? p.mu[at(i)] : 0;
    const int begin = p.start[at(i)], n = mu > 0 ? p.size(i) : 1;
    double sum = 0;
    for (int k = 0; k < n; ++k) sum += diagonal[begin + k] / (k == 0 && mu > 0 ? mu * mu : 1);
    const double s = sum > 0 ? std::sqrt(n / sum) : 1;
    for (int k = 0; k < n; ++k) {
      new_row[at(begin + k)] = static_cast<int>(row.size());
      row.push_back(begin + k);
      scale.push_back(k == 0 && mu > 0 ? s / mu : s);
    }
    start.push_back(static_cast<int>(row.size()));
  }
  const int rows = static_cast<int>(row.size());
  b.resize(rows);
  std::vector<Eigen::Triplet<double>> entries;
  entries.reserve(static_cast<std::size_t>(p.W.nonZeros()));
  for (int r = 0; r < rows; ++r) {
    b[r] = scale[at(r)] * p.q[row[at(r)]];
    for (ConeProblem::Matrix::InnerIterator e(p.W, row[at(r)]); e; ++e) {
      const int c = new_row[at(static_cast<int>(e.col()))];
      if (c >= 0) entries.emplace_back(r, c, scale[at(r)] * e.value() * scale[at(c)]);
    }
  }
  if (b.norm() > 0) unit = b.norm();
  b /= unit;
  G.resize(rows, rows);
  G.setFromTriplets(entries.begin(), entries.end());
}

Eigen::VectorXd ScaledCones::impulses(const Eigen::VectorXd& x, int given_rows) const {
  Eigen::VectorXd r = Eigen::VectorXd::Zero(given_rows);
  for (int k = 0; k < rows(); ++k) r[row[at(k)]] = unit * scale[at(k)] * x[k];
  return r;
}

Eigen::VectorXd ScaledCones::from_impulses(const Eigen::VectorXd& r) const {
  Eigen::VectorXd x(rows());
  for (int k = 0; k < rows(); ++k) x[k] = r[row[at(k)]] / (unit * scale[at(k)]);
  return x;
}

}  // namespace picus::complementarity
