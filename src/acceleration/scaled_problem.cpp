#include "picus/acceleration/scaled_problem.hpp"

#include <algorithm>
#include <cmath>

#include "picus/support/index.hpp"

namespace picus::acceleration {

ScaledProblem::ScaledProblem(const AccelerationProblem& problem, bool frictionless_rows) {
  std::vector<double> axes, rho;
  a_ref = 0;
  int given_row = 0;
  for (const ForceContact& contact : problem.contacts) {
    add_contact(problem, contact, frictionless_rows, given_row, axes, rho);
    given_row += contact.rows();
  }
  const auto n = static_cast<Eigen::Index>(row_of.size());
  axis = Eigen::Map<Eigen::VectorXd>(axes.data(), n);
  if (!(a_ref > 0)) {
    // Nothing accelerates by itself; friction that does not depend on the load may still act.
    for (const ScaledContact& s : contacts) {
      if (s.constant > 0) a_ref = std::max(a_ref, s.constant / rho[at(s.tangent)]);
    }
    if (!(a_ref > 0)) a_ref = 1;
  }
  force_unit = a_ref * Eigen::Map<Eigen::VectorXd>(rho.data(), n);
  A.resize(n, n);
  b.resize(n);
  for (Eigen::Index i = 0; i < n; ++i) {
    const int row = row_of[static_cast<std::size_t>(i)];
    b[i] = axis[i] * problem.b[row] / a_ref;
    for (Eigen::Index j = 0; j < n; ++j) {
      const auto column = static_cast<std::size_t>(j);
      A(i, j) = axis[i] * problem.A(row, row_of[column]) * axis[j] * rho[column];
    }
  }
  for (ScaledContact& s : contacts) {
    if (s.constant > 0) s.constant /= force_unit[s.tangent];
  }
}

// Its rows that count, from `row` of the problem on, and what scales them.
void ScaledProblem::add_contact(const AccelerationProblem& problem, const ForceContact& contact, bool frictionless_rows,
                                int row, std::vector<double>& axes, std::vector<double>& rho) {
  ScaledContact s;
  s.mu = contact.has_normal ? contact.mu : 0;
  s.constant = contact.constant;
  double square = 0, diagonal = 0;
  const auto take = [&](double e, bool keep) {
    square += e * e * problem.b[row] * problem.b[row];
    diagonal = std::max(diagonal, e * e * problem.A(row, row));
    if (!keep) return;
    row_of.push_back(row);
    axes.push_back(e);
  };
  if (contact.has_normal) {
    s.normal = static_cast<int>(row_of.size());
    take(1, true);
    ++row;
  }
  s.tangent = static_cast<int>(row_of.size());
  const bool has_friction = frictionless_rows || s.mu > 0 || s.constant > 0;
  for (int t = 0; t < contact.tangential; ++t, ++row) {
    const double e = contact.axes[t];
    if (e == 0) continue;
    take(e, has_friction);
    if (has_friction) s.direction[s.rows++] = contact.rolling ? 0 : -e * contact.sliding[t];
  }
  const double speed = s.direction.norm();
  // A contact that slides only in rows without friction is at rest in the others.
  s.given = !contact.rolling && speed > 0;
  if (s.given) s.direction /= speed;
  if (s.rows == 0) s.mu = s.constant = 0;
  a_ref = std::max(a_ref, std::sqrt(square));
  if (!(diagonal > 0)) diagonal = 1;
  rho.resize(row_of.size(), 1 / diagonal);
  contacts.push_back(s);
}

Eigen::VectorXd ScaledProblem::exact_accelerations(const Eigen::VectorXd& c) const {
  Eigen::VectorXd a(rows());
  for (Eigen::Index i = 0; i < a.size(); ++i) {
    long double sum = b[i];
    for (Eigen::Index j = 0; j < a.size(); ++j) sum += static_cast<long double>(A(i, j)) * c[j];
    a[i] = static_cast<double>(sum);
  }
  return a;
}

double ScaledProblem::residual(const Eigen::VectorXd& c, const Eigen::VectorXd& a) const {
  double worst = 0;
  for (const ScaledContact& s : contacts) {
    double square = 0;
    if (s.normal >= 0) {
      const double d = std::min(c[s.normal], a[s.normal]);
      square += d * d;
    }
    if (s.rows > 0) {
      const double sigma = s.bound(c);
      const auto c_T = c.segment(s.tangent, s.rows), a_T = a.segment(s.tangent, s.rows);
      if (s.given) {
        square += (c_T - sigma * s.direction.head(s.rows)).squaredNorm();
      } else {
        // c − P(c − a), written so that nothing cancels where the contact stays at rest.
        const Eigen::VectorXd z = c_T - a_T;
        const double size = z.norm();
        square += size <= sigma ? a_T.squaredNorm() : (a_T + (1 - sigma / size) * z).squaredNorm();
      }
    }
    if (!(square <= worst)) worst = square;  // also where it is no number
  }
  return std::sqrt(worst);
}

Eigen::VectorXd ScaledProblem::unscaled_forces(const Eigen::VectorXd& c, Eigen::Index all_rows) const {
  Eigen::VectorXd given = Eigen::VectorXd::Zero(all_rows);
  for (Eigen::Index i = 0; i < c.size(); ++i)
    given[row_of[static_cast<std::size_t>(i)]] = c[i] * axis[i] * force_unit[i];
  return given;
}

}  // namespace picus::acceleration
