// In which directions a contact in space can begin to slide: an eigenvalue problem.
#include <Eigen/Core>
#include <cmath>

#include "picus/acceleration/cone_search.hpp"
#include "picus/math/dense.hpp"

namespace picus::acceleration {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

// a_i = free + response c_i of one contact where the others do as their modes say.
struct OneContact {
  VectorXd free;  // rows n (where it has one), T
  MatrixXd response;
};

std::optional<OneContact> eliminate_others(const ScaledProblem& p, const Modes& modes, std::size_t i) {
  const ScaledContact& contact = p.contacts[i];
  Modes others = modes;
  others[i] = ContactMode{};
  const ModeSystem system(p, others);  // with c_i = 0: an open contact without friction
  const int first = contact.normal >= 0 ? contact.normal : contact.tangent;
  const int rows = contact.tangent + contact.rows - first;
  const auto m = static_cast<Eigen::Index>(system.unknown.size());
  VectorXd c_0 = system.c_0;
  c_0.segment(first, rows).setZero();
  MatrixXd B = system.B;
  B.middleRows(first, rows).setZero();
  OneContact one;
  one.free = p.b.segment(first, rows) + p.A.middleRows(first, rows) * c_0;
  one.response = p.A.block(first, first, rows, rows);
  if (m == 0) return one;
  MatrixXd matrix(m, m), effect(m, rows);
  VectorXd rhs(m);
  for (Eigen::Index r = 0; r < m; ++r) {
    const int row = system.unknown[static_cast<std::size_t>(r)];
    matrix.row(r) = p.A.row(row) * B;
    effect.row(r) = p.A.row(row).segment(first, rows);
    rhs[r] = -p.b[row] - p.A.row(row).dot(c_0);
  }
  const math::CompleteLu lu(matrix, 1e-13);
  if (!lu.is_regular()) return std::nullopt;
  const MatrixXd to_others = p.A.middleRows(first, rows) * B;
  one.free += to_others * lu.solve(rhs);
  one.response -= to_others * lu.solve(effect);
  return one;
}

// Newton's method on K w + w_0 = λ w, |w|² = 1.
bool polish(const MatrixXd& K, const VectorXd& w_0, VectorXd& w, double& lambda) {
  const Eigen::Index d = w.size();
  const double size = K.norm() + w_0.norm();
  double left = 0;
  for (int iteration = 0; iteration < 30; ++iteration) {
    VectorXd F(d + 1);
    F << K * w + w_0 - lambda * w, 0.5 * size * (w.squaredNorm() - 1);
    left = F.norm();
    if (!(left > 1e-15 * size)) break;
    MatrixXd slope(d + 1, d + 1);
    slope << K - lambda * MatrixXd::Identity(d, d), -w, size * w.transpose(), 0;
    const VectorXd step = math::OrthogonalFactors(slope).solve(-F);
    if (!step.allFinite()) return false;
    w += step.head(d);
    lambda += step[d];
  }
  return left <= 1e-9 * size;
}

// All u = −w with K w + w_0 = λ w, |w| = 1, for any λ.
void find_directions(const MatrixXd& K, const VectorXd& w_0, SlidingDirections& result) {
  const Eigen::Index d = w_0.size();
  const double size = K.norm() + w_0.norm();
  if (!(size > 0)) return;
  const auto offer = [&](VectorXd w, double lambda) {
    if (!polish(K, w_0, w, lambda)) return;
    Eigen::Vector3d u = Eigen::Vector3d::Zero();
    u.head(d) = -w / w.norm();
    for (const auto& known : result.u) {
      if ((known - u).norm() <= 1e-12) return;
    }
    result.u.push_back(u);
  };
  const auto solve_shifted = [&](double lambda) {
    const math::SingularValues svd = math::singular_values(lambda * MatrixXd::Identity(d, d) - K);
    VectorXd w = VectorXd::Zero(d);
    MatrixXd kernel(d, 0);
    for (int j = 0; j < d; ++j) {
      if (svd.values[j] > 1e-9 * size) {
        w += svd.V.col(j) * (svd.U.col(j).dot(w_0) / svd.values[j]);
        continue;
      }
      kernel.conservativeResize(d, kernel.cols() + 1);
      kernel.rightCols(1) = svd.V.col(j);
    }
    const double left = 1 - w.squaredNorm();
    if (kernel.cols() == 0 || left < -1e-9) {
      offer(w, lambda);
      return;
    }
    const bool consistent = ((lambda * w - K * w) - w_0).norm() <= 1e-8 * size;
    if (kernel.cols() > 1 && consistent && left > 1e-9) result.continuum = true;
    for (Eigen::Index j = 0; j < kernel.cols(); ++j) {
      for (const double sign : {1.0, -1.0}) offer(w + sign * std::sqrt(std::max(0.0, left)) * kernel.col(j), lambda);
    }
  };
  MatrixXd companion(2 * d, 2 * d);
  companion << K, w_0 * w_0.transpose() / size, size * MatrixXd::Identity(d, d), K.transpose();
  for (const auto& eigenvalues : {math::eigenvalues(companion), math::eigenvalues(K)}) {
    for (const auto& lambda : eigenvalues) {
      if (std::abs(lambda.imag()) <= 1e-5 * size) solve_shifted(lambda.real());
    }
  }
}

}  // namespace

SlidingDirections sliding_directions(const ScaledProblem& p, const Modes& modes, std::size_t i) {
  SlidingDirections result;
  const auto one = eliminate_others(p, modes, i);
  if (!one) {
    result.decided = false;
    return result;
  }
  const ScaledContact& contact = p.contacts[i];
  const int d = contact.rows;
  const double mu = contact.mu, kappa = contact.constant;
  const VectorXd k = one->free.tail(d);
  const MatrixXd S = one->response.bottomRightCorner(d, d);
  MatrixXd K = kappa * S;
  VectorXd w_0 = k;
  if (contact.normal >= 0 && modes[i].closed) {
    // c_n = −(h + κ q·w) / (p + μ q·w), and all multiplied by p + μ q·w.
    const double h = one->free[0], P = one->response(0, 0);
    const Eigen::RowVectorXd q = one->response.topRightCorner(1, d);
    const VectorXd r = one->response.bottomLeftCorner(d, 1);
    K = mu * k * q - kappa * r * q + (kappa * P - mu * h) * S;
    w_0 = P * k - h * r;
  }
  find_directions(K, w_0, result);
  return result;
}

}  // namespace picus::acceleration
