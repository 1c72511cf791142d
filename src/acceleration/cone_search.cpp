#include "picus/acceleration/cone_search.hpp"

#include <Eigen/Core>
#include <cmath>

#include "picus/math/dense.hpp"

namespace picus::acceleration {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using Friction = ContactMode::Friction;

namespace {

// Conditions on z: G z + g ≥ 0, and for each ball ‖H z + h‖ ≤ s·z + s_0.
struct Ball {
  MatrixXd H;
  VectorXd h, s;
  double s_0;
};

// Maximises t with G z + g ≥ t, s·z + s_0 − ‖H z + h‖ ≥ t, t ≤ 1, ‖z‖ ≤ R by Newton's method on the logarithmic
// barrier.
class Margin {
 public:
  Margin(MatrixXd G, VectorXd g, std::vector<Ball> balls)
      : G_(std::move(G)), g_(std::move(g)), balls_(std::move(balls)), n_(G_.cols()) {}

  double maximise(VectorXd& z) {
    VectorXd x = VectorXd::Zero(n_ + 1);
    double least = 1;
    for (Eigen::Index i = 0; i < g_.size(); ++i) least = std::min(least, g_[i]);
    for (const Ball& ball : balls_) least = std::min(least, ball.s_0 - ball.h.norm());
    x[n_] = least - 1;
    for (double weight = 1; weight < 1e14; weight *= 8) {
      for (int iteration = 0; iteration < 40; ++iteration) {
        VectorXd gradient;
        MatrixXd hessian;
        const double value = barrier(x, weight, &gradient, &hessian);
        const VectorXd step = math::solve_symmetric(hessian, VectorXd(-gradient));
        const double slope = gradient.dot(step);
        if (!(slope < -1e-9) || !step.allFinite()) break;
        double length = 1;
        while (length > 1e-12 && !(barrier(x + length * step, weight) <= value + 0.1 * length * slope)) length /= 2;
        if (length <= 1e-12) break;
        x += length * step;
      }
    }
    z = x.head(n_);
    return x[n_];
  }

 private:
  double barrier(const VectorXd& x, double weight, VectorXd* gradient = nullptr, MatrixXd* hessian = nullptr) const {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    const VectorXd z = x.head(n_);
    const double t = x[n_];
    double value = -weight * t;
    if (gradient) {
      *gradient = VectorXd::Zero(n_ + 1);
      (*gradient)[n_] = -weight;
      *hessian = MatrixXd::Zero(n_ + 1, n_ + 1);
    }
    // −ln q with the slope dq and the curvature ddq of q.
    const auto add = [&](double q, const VectorXd& dq, const MatrixXd* ddq) {
      if (!(q > 0)) {
        value = infinity;
        return;
      }
      value -= std::log(q);
      if (!gradient) return;
      *gradient -= dq / q;
      *hessian += dq * dq.transpose() / (q * q);
      if (ddq) *hessian -= *ddq / q;
    };
    for (Eigen::Index i = 0; i < g_.size(); ++i) {
      VectorXd dq(n_ + 1);
      dq << G_.row(i).transpose(), -1;
      add(G_.row(i).dot(z) + g_[i] - t, dq, nullptr);
    }
    for (const Ball& ball : balls_) {
      const VectorXd y = ball.H * z + ball.h;
      const double sigma = ball.s.dot(z) + ball.s_0 - t;
      if (!(sigma > 0)) return infinity;
      VectorXd ds(n_ + 1);
      ds << ball.s, -1;
      MatrixXd dy = MatrixXd::Zero(y.size(), n_ + 1);
      dy.leftCols(n_) = ball.H;
      const MatrixXd ddq = 2 * (ds * ds.transpose() - dy.transpose() * dy);
      add(sigma * sigma - y.squaredNorm(), 2 * (sigma * ds - dy.transpose() * y), &ddq);
    }
    add(1 - t, -VectorXd::Unit(n_ + 1, n_), nullptr);
    VectorXd dq = VectorXd::Zero(n_ + 1);
    dq.head(n_) = -2 * z / (radius * radius);
    MatrixXd ddq = MatrixXd::Zero(n_ + 1, n_ + 1);
    ddq.topLeftCorner(n_, n_) = -2 / (radius * radius) * MatrixXd::Identity(n_, n_);
    add(1 - z.squaredNorm() / (radius * radius), dq, &ddq);
    return value;
  }

  static constexpr double radius = 1e4;
  MatrixXd G_;
  VectorXd g_;
  std::vector<Ball> balls_;
  Eigen::Index n_;
};

}  // namespace

std::optional<ConePoint> point_in_cones(const ScaledProblem& p, const Modes& modes, double tolerance) {
  const ModePolyhedron set(p, modes);
  const math::CompleteLu lu(set.E, 1e-12);
  VectorXd c_0 = lu.solve(VectorXd(-set.e));
  const double size = std::max(1.0, c_0.cwiseAbs().maxCoeff());
  if (!((set.E * c_0 + set.e).cwiseAbs().maxCoeff() <= tolerance * size)) return std::nullopt;
  const MatrixXd N = lu.kernel();
  // An orthonormal basis, and the least forces to start from.
  const MatrixXd Q = N.cols() > 0 ? math::orthonormal_basis(N) : N;
  c_0 -= Q * (Q.transpose() * c_0);
  std::vector<Ball> balls;
  for (std::size_t i = 0; i < modes.size(); ++i) {
    const ScaledContact& contact = p.contacts[i];
    if (contact.rows < 2 || modes[i].friction != Friction::rest) continue;
    Ball ball{Q.middleRows(contact.tangent, contact.rows), c_0.segment(contact.tangent, contact.rows),
              VectorXd::Zero(Q.cols()), contact.constant};
    if (contact.normal >= 0) {
      ball.s = contact.mu * Q.row(contact.normal).transpose();
      ball.s_0 += contact.mu * c_0[contact.normal];
    }
    balls.push_back(std::move(ball));
  }
  Margin margin(set.C * Q, set.C * c_0 + set.d, std::move(balls));
  VectorXd z;
  const double t = margin.maximise(z);
  if (!(t >= -tolerance * size)) return std::nullopt;
  ConePoint point{c_0 + Q * z, Q.cols() > 0 && t > 100 * tolerance * size, false};
  point.moves = point.is_family && (p.A * Q).cwiseAbs().maxCoeff() > 1e-9;
  return point;
}

namespace {

// F = c − P(c − a) and an element of its generalised Jacobian.
void natural_map(const ScaledProblem& p, const VectorXd& c, VectorXd& F, MatrixXd* slope) {
  const Eigen::Index n = c.size();
  const VectorXd a = p.exact_accelerations(c);
  F.resize(n);
  if (slope) slope->resize(n, n);
  for (const ScaledContact& contact : p.contacts) {
    const int N = contact.normal;
    if (N >= 0) {
      F[N] = std::min(c[N], a[N]);
      if (slope) slope->row(N) = c[N] < a[N] ? Eigen::RowVectorXd(Eigen::RowVectorXd::Unit(n, N)) : p.A.row(N);
    }
    const int d = contact.rows, T = contact.tangent;
    if (d == 0) continue;
    const double sigma = contact.bound(c);
    const bool loads = N >= 0 && c[N] > 0;
    if (contact.given) {
      const VectorXd direction = contact.direction.head(d);
      F.segment(T, d) = c.segment(T, d) - sigma * direction;
      if (slope) {
        slope->middleRows(T, d).setZero();
        slope->block(T, T, d, d).setIdentity();
        if (loads) slope->block(T, N, d, 1) -= contact.mu * direction;
      }
      continue;
    }
    const VectorXd z = c.segment(T, d) - a.segment(T, d);
    const double size = z.norm();
    if (size <= sigma) {
      F.segment(T, d) = a.segment(T, d);
      if (slope) slope->middleRows(T, d) = p.A.middleRows(T, d);
      continue;
    }
    const VectorXd w = z / size;
    F.segment(T, d) = c.segment(T, d) - sigma * w;
    if (slope) {
      const MatrixXd turn = sigma / size * (MatrixXd::Identity(d, d) - w * w.transpose());
      slope->middleRows(T, d) = turn * p.A.middleRows(T, d);
      slope->block(T, T, d, d) += MatrixXd::Identity(d, d) - turn;
      if (loads) slope->block(T, N, d, 1) -= contact.mu * w;
    }
  }
}

}  // namespace

double newton(const ScaledProblem& p, VectorXd& c, int iterations) {
  VectorXd F, trial_F;
  MatrixXd slope;
  natural_map(p, c, F, nullptr);
  VectorXd best = c;
  double least = F.norm();
  int last = 0;
  for (int iteration = 0; iteration < iterations && least > 0; ++iteration) {
    natural_map(p, c, F, &slope);
    const VectorXd step = math::OrthogonalFactors(slope).solve(-F);
    if (!step.allFinite()) break;
    const double square = F.squaredNorm();
    double length = 1;
    VectorXd trial;
    for (int halving = 0; halving < 8; ++halving, length /= 2) {
      trial = c + length * step;
      natural_map(p, trial, trial_F, nullptr);
      if (trial_F.squaredNorm() < (1 - 1e-4 * length) * square) break;
    }
    c = trial;
    const double size = trial_F.norm();
    if (size < least) {
      // At round-off steps gain nothing any more.
      if (size > 0.5 * least && size < 1e-13) last = iterations;
      least = size;
      best = c;
    } else if (size < 1e-12 && ++last > 2) {
      break;
    }
  }
  c = best;
  return p.residual(c, p.exact_accelerations(c));
}

}  // namespace picus::acceleration
