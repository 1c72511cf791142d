#include "picus/eventdriven/instant.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>

namespace picus::eventdriven {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

namespace {

// Rows that depend on each other are told by this share of the largest, in units that make the diagonal one.
constexpr double rank_share = 1e-10;
// A sliding velocity below this share of what round-off could make of it has no direction of its own.
constexpr double begin_share = 1e-12;

// What round-off has left of A = Aᵀ.
void make_symmetric(MatrixXd& A) { A = 0.5 * (A + A.transpose()).eval(); }

// x with A x = b, of least norm in the units of the diagonal; `full`: A is regular.
VectorXd solve_scaled(const MatrixXd& A, const VectorXd& b, const VectorXd& scale, bool& full) {
  const MatrixXd scaled = scale.asDiagonal() * A * scale.asDiagonal();
  const math::OrthogonalFactors qr(scaled, rank_share);
  full = qr.rank() == A.rows();
  VectorXd x = qr.solve(VectorXd(scale.cwiseProduct(b)));
  // One step of refinement: orthogonal factors lose a digit or two.
  x += qr.solve(VectorXd(scale.cwiseProduct(b) - scaled * x));
  return scale.cwiseProduct(x);
}

}  // namespace

bool Instant::evaluate(const double* q, const double* u, double t, const std::vector<Acting>& acting) {
  const int n = system_.u_size();
  acting_ = acting;
  u_ = Eigen::Map<const VectorXd>(u, n);
  system_.mass(q, t, M_);
  system_.force(q, u, t, h_);
  if (!factor_.compute(M_)) return false;
  free_ = factor_.solve(h_);

  laws_are_valid_ = true;
  contacts_.clear();
  first_.assign(1, 0);
  has_normal_.clear();
  law_.clear();
  mu_.clear();
  for (const Acting& a : acting_) {
    contacts_.push_back(a.contact);
    has_normal_.push_back(system_.has_gap(a.contact));
    first_.push_back(first_.back() + (has_normal_.back() ? 1 : 0) + system_.tangential_rows(a.contact));
    law_.push_back(system_.law(a.contact, q, t));
    laws_are_valid_ = laws_are_valid_ && contact::is_valid(law_.back().law);
  }
  system_.contact_rows(contacts_, q, u, t, rows_);
  MinvWt_ = factor_.solve(MatrixXd(rows_.W.transpose()));
  for (std::size_t i = 0; i < acting_.size(); ++i) {
    const contact::Law& law = law_[i].law;
    mu_.push_back(acting_[i].mode == Mode::rolling ? std::max(law.mu, law.mu_static)
                                                   : contact::sliding_mu(law, sliding_speed(i)));
  }
  constraints_.resize(system_.constraint_count(), n);
  system_.constraint_rows(q, u, t, constraints_);
  factor_constraints();
  return true;
}

void Instant::factor_constraints() {
  const Index n = constraints_.W.rows();
  if (n == 0) {
    MinvBt_.resize(M_.rows(), 0);
    B_inverse_.resize(0, 0);
    return;
  }
  MinvBt_ = factor_.solve(MatrixXd(constraints_.W.transpose()));
  const MatrixXd B = constraints_.W * MinvBt_;
  const VectorXd scale = B.diagonal().cwiseMax(1e-300).cwiseSqrt().cwiseInverse();
  const math::OrthogonalFactors qr(scale.asDiagonal() * B * scale.asDiagonal(), rank_share);
  B_inverse_ = scale.asDiagonal() * qr.pseudo_inverse() * scale.asDiagonal();
}

double Instant::sliding_speed(std::size_t i) const {
  const int T = first_[i] + (has_normal_[i] ? 1 : 0);
  double square = 0;
  for (int k = 0; k < tangential(i); ++k) {
    const double v = law_[i].axes[k] * rows_.gamma[T + k];
    square += v * v;
  }
  return std::sqrt(square);
}

double Instant::velocity_size(int row) const {
  return rows_.W.row(row).cwiseAbs().dot(u_.cwiseAbs()) + std::abs(rows_.w_hat[row]);
}

// Maximal dissipation: −(μ λ_N + a) E² γ_T / |E γ_T|.
Instant::Drag Instant::drag(std::size_t i) const {
  const int T = first_[i] + (has_normal_[i] ? 1 : 0), d = tangential(i);
  const Vector3d& e = law_[i].axes;
  Vector3d v = Vector3d::Zero();
  if (d == 1) {
    v[0] = acting_[i].direction[0];  // its sign stays until the next event
  } else {
    for (int k = 0; k < d; ++k) v[k] = rows_.gamma[T + k];
    double size = 0;
    for (int k = 0; k < d; ++k) size += velocity_size(T + k);
    if (!(sliding_speed(i) > begin_share * size)) v = acting_[i].direction;
  }
  double square = 0;
  for (int k = 0; k < d; ++k) square += e[k] * e[k] * v[k] * v[k];
  Vector3d unit = Vector3d::Zero();
  if (square > 0) {
    for (int k = 0; k < d; ++k) unit[k] = -e[k] * e[k] * v[k] / std::sqrt(square);
  }
  return {mu_[i] * unit, law_[i].law.friction_force * unit};
}

void Instant::solve_modes() {
  const Index n = M_.rows(), b = constraints_.W.rows();
  // Unknown forces: of constraints, of normal directions, and of tangential ones that roll; each with its row.
  std::vector<int> unknown;
  for (std::size_t i = 0; i < acting_.size(); ++i) {
    int r = first_[i];
    if (has_normal_[i]) unknown.push_back(r++);
    for (; acting_[i].mode == Mode::rolling && r < first_[i + 1]; ++r) unknown.push_back(r);
  }
  const Index m = b + static_cast<Index>(unknown.size());
  MatrixXd columns(n, m), R(m, n);
  VectorXd known = free_, right(m);
  columns.leftCols(b) = MinvBt_;
  R.topRows(b) = constraints_.W;
  lambda_.setZero(rows_.W.rows());
  std::vector<Drag> drags(acting_.size());
  for (std::size_t i = 0; i < acting_.size(); ++i) {
    if (acting_[i].mode != Mode::sliding) continue;
    drags[i] = drag(i);
    const int T = first_[i] + (has_normal_[i] ? 1 : 0);
    for (int k = 0; k < tangential(i); ++k) known += MinvWt_.col(T + k) * drags[i].constant[k];
  }
  for (std::size_t k = 0; k < unknown.size(); ++k) {
    const Index c = b + static_cast<Index>(k);
    columns.col(c) = MinvWt_.col(unknown[k]);
    R.row(c) = rows_.W.row(unknown[k]);
  }
  Index c = b;
  for (std::size_t i = 0; i < acting_.size(); ++i) {
    if (acting_[i].mode == Mode::sliding && has_normal_[i]) {
      for (int k = 0; k < tangential(i); ++k) columns.col(c) += MinvWt_.col(first_[i] + 1 + k) * drags[i].per_normal[k];
    }
    c += (has_normal_[i] ? 1 : 0) + (acting_[i].mode == Mode::rolling ? tangential(i) : 0);
  }
  u_dot_ = known;
  determined_ = true;
  has_margin_ = false;
  constraint_lambda_.setZero(b);
  if (m == 0) {
    for (std::size_t i = 0; i < acting_.size(); ++i) {
      for (int k = 0; k < tangential(i); ++k) lambda_[first_[i] + k] = drags[i].constant[k];
    }
    return;
  }
  right.head(b) = -(constraints_.W * known + constraints_.zeta);
  VectorXd diagonal(m);
  for (Index k = 0; k < b; ++k) diagonal[k] = constraints_.W.row(k) * MinvBt_.col(k);
  for (std::size_t k = 0; k < unknown.size(); ++k) {
    const Index row = b + static_cast<Index>(k);
    right[row] = -(rows_.W.row(unknown[k]).dot(known) + rows_.zeta[unknown[k]]);
    diagonal[row] = rows_.W.row(unknown[k]) * MinvWt_.col(unknown[k]);
  }
  const VectorXd scale = diagonal.cwiseMax(1e-300).cwiseSqrt().cwiseInverse();
  const MatrixXd matrix = R * columns;
  VectorXd x = solve_scaled(matrix, right, scale, determined_);
  u_dot_ += columns * x;
  if (!determined_) share_forces(matrix, columns, scale, x);
  constraint_lambda_ = x.head(b);
  for (std::size_t k = 0; k < unknown.size(); ++k) lambda_[unknown[k]] = x[b + static_cast<Index>(k)];
  for (std::size_t i = 0; i < acting_.size(); ++i) {
    if (acting_[i].mode != Mode::sliding) continue;
    const int T = first_[i] + (has_normal_[i] ? 1 : 0);
    const double N = has_normal_[i] ? lambda_[first_[i]] : 0;
    for (int k = 0; k < tangential(i); ++k) lambda_[T + k] = N * drags[i].per_normal[k] + drags[i].constant[k];
  }
}

// Unknown forces x + Z z have the same effect for every z. With z the margin m is to be as large as possible, where
// each normal force N ≥ m, and μ N + a ∓ T ≥ m at contacts that roll: a linear program in (z, m), small enough to look
// at all of its corners.
void Instant::share_forces(const MatrixXd& matrix, const MatrixXd& columns, const VectorXd& scale, VectorXd& x) {
  const math::CompleteLu lu(scale.asDiagonal() * matrix * scale.asDiagonal(), rank_share);
  const MatrixXd Z = scale.asDiagonal() * lu.kernel();
  constexpr Index most = 2;
  if (Z.cols() == 0 || Z.cols() > most) return;
  const double effect = (columns * Z).cwiseAbs().maxCoeff();
  if (!(effect <= 1e-8 * (columns.cwiseAbs() * Z.cwiseAbs()).maxCoeff())) return;  // no mere sharing
  const Index b = constraints_.W.rows(), k = Z.cols();
  std::vector<Eigen::RowVectorXd> rows;  // of (z, m): row · (z, m) + constant ≥ 0
  std::vector<double> constants;
  std::vector<Limit> of;
  Index at = b;
  for (std::size_t i = 0; i < acting_.size(); ++i) {
    const bool rolls = acting_[i].mode == Mode::rolling;
    const Index N = at, T = at + (has_normal_[i] ? 1 : 0);
    at = T + (rolls ? tangential(i) : 0);
    if (rolls && tangential(i) > 1) return;
    const auto add = [&](int kind, double of_normal, double of_friction, double constant) {
      Eigen::RowVectorXd row(k + 1);
      row.setZero();
      if (has_normal_[i]) row.head(k) += of_normal * Z.row(N);
      if (of_friction != 0) row.head(k) += of_friction * Z.row(T);
      row[k] = -1;
      rows.push_back(row);
      constants.push_back(constant + (has_normal_[i] ? of_normal * x[N] : 0) +
                          (of_friction != 0 ? of_friction * x[T] : 0));
      of.push_back({i, kind});
    };
    if (has_normal_[i]) add(0, 1, 0, 0);
    if (rolls && tangential(i) == 1) {
      add(1, mu_[i], -1, law_[i].law.friction_force);
      add(-1, mu_[i], 1, law_[i].law.friction_force);
    }
  }
  has_margin_ = true;
  margin_ = math::infinity;
  limits_.clear();
  const std::size_t n = rows.size(), corner = static_cast<std::size_t>(k) + 1;
  if (n < corner) return;
  double size = 0;
  for (double c : constants) size = std::max(size, std::abs(c));
  std::vector<std::size_t> pick(corner);
  for (std::size_t j = 0; j < corner; ++j) pick[j] = j;
  VectorXd best;
  for (;;) {
    MatrixXd A(k + 1, k + 1);
    VectorXd right(k + 1);
    for (std::size_t j = 0; j < corner; ++j) {
      A.row(static_cast<Index>(j)) = rows[pick[j]];
      right[static_cast<Index>(j)] = -constants[pick[j]];
    }
    const math::CompleteLu solver(A);
    if (solver.is_regular()) {
      const VectorXd y = solver.solve(right);
      bool feasible = true;
      for (std::size_t j = 0; j < n && feasible; ++j) feasible = rows[j].dot(y) + constants[j] >= -1e-12 * size;
      if (feasible && (best.size() == 0 || y[k] > best[k])) {
        best = y;
        limits_.clear();
        for (std::size_t j : pick) limits_.push_back(of[j]);
      }
    }
    std::size_t j = corner;
    while (j > 0 && pick[j - 1] == n - corner + j - 1) --j;
    if (j == 0) break;
    ++pick[j - 1];
    for (; j < corner; ++j) pick[j] = pick[j - 1] + 1;
  }
  if (best.size() == 0) return;  // forces may brace against each other without bounds
  margin_ = best[k];
  // From least norm as far towards the best as the laws ask for.
  double share = 0;
  for (std::size_t j = 0; j < n; ++j) {
    const double before = constants[j], after = constants[j] + rows[j].head(k).dot(best.head(k));
    if (before < 0) share = std::max(share, after > before ? std::min(1.0, -before / (after - before)) : 1.0);
  }
  x += share * (Z * best.head(k));
}

double Instant::slack(std::size_t i) const {
  const int T = first_[i] + (has_normal_[i] ? 1 : 0);
  double square = 0;
  for (int k = 0; k < tangential(i); ++k) {
    const double force = lambda_[T + k] / law_[i].axes[k];
    square += force * force;
  }
  const double N = has_normal_[i] ? lambda_[first_[i]] : 0;
  return mu_[i] * N + law_[i].law.friction_force - std::sqrt(square);
}

void Instant::eliminate_constraints(MatrixXd& A, VectorXd& b, const VectorXd& of_constraints) const {
  if (constraints_.W.rows() == 0) return;
  const MatrixXd C = constraints_.W * MinvWt_;
  A -= C.transpose() * B_inverse_ * C;
  b -= C.transpose() * (B_inverse_ * of_constraints);
}

acceleration::AccelerationProblem Instant::acceleration_problem() {
  acceleration::AccelerationProblem p;
  p.A = rows_.W * MinvWt_;
  p.b = rows_.W * free_ + rows_.zeta;
  eliminate_constraints(p.A, p.b, constraints_.W * free_ + constraints_.zeta);
  make_symmetric(p.A);
  for (std::size_t i = 0; i < acting_.size(); ++i) {
    acceleration::ForceContact c;
    c.tangential = tangential(i);
    c.has_normal = has_normal_[i];
    c.mu = mu_[i];
    c.constant = law_[i].law.friction_force;
    c.axes = law_[i].axes;
    c.rolling = acting_[i].mode == Mode::rolling;
    if (!c.rolling) {
      const int T = first_[i] + (has_normal_[i] ? 1 : 0);
      double size = 0;
      for (int k = 0; k < c.tangential; ++k) {
        c.sliding[k] = rows_.gamma[T + k];
        size += velocity_size(T + k);
      }
      if (c.tangential == 1 || !(sliding_speed(i) > begin_share * size)) c.sliding = acting_[i].direction;
    }
    p.contacts.push_back(c);
  }
  return p;
}

acceleration::AccelerationProblem Instant::impact_problem(bool with_restitution, const VectorXd& blow) {
  acceleration::AccelerationProblem p;
  p.A = rows_.W * MinvWt_;
  const VectorXd jump = blow.size() > 0 ? jump_by(blow) : VectorXd::Zero(M_.rows());
  p.b = rows_.gamma + rows_.W * jump;
  for (std::size_t i = 0; i < acting_.size(); ++i) {
    const contact::Law& law = law_[i].law;
    for (int r = first_[i]; r < first_[i + 1]; ++r) {
      const bool normal = r == first_[i] && has_normal_[i];
      if (with_restitution) p.b[r] += (normal ? (acting_[i].tired ? 0 : law.eN) : law.eT) * rows_.gamma[r];
    }
    acceleration::ForceContact c;
    c.tangential = tangential(i);
    c.has_normal = has_normal_[i];
    c.mu = mu_[i];
    c.axes = law_[i].axes;
    p.contacts.push_back(c);
  }
  eliminate_constraints(p.A, p.b, constraints_.gamma + constraints_.W * jump);
  make_symmetric(p.A);
  return p;
}

void Instant::take_forces(const VectorXd& forces) {
  u_dot_ = free_;
  if (constraints_.W.rows() > 0) {
    u_dot_ -= MinvBt_ * (B_inverse_ * (constraints_.W * free_ + constraints_.zeta));
  }
  u_dot_ += response(forces);
  if (constraints_.W.rows() > 0) {
    constraint_lambda_ -= B_inverse_ * (constraints_.W * free_ + constraints_.zeta);
  }
  lambda_ = forces;
  determined_ = true;
  has_margin_ = false;
}

VectorXd Instant::jump_by(const VectorXd& blow) {
  VectorXd jump = factor_.solve(blow);
  constraint_lambda_.setZero(constraints_.W.rows());
  if (constraints_.W.rows() > 0) {
    constraint_lambda_ = -B_inverse_ * (constraints_.W * jump);
    jump += MinvBt_ * constraint_lambda_;
  }
  return jump;
}

VectorXd Instant::response(const VectorXd& forces) {
  VectorXd change = MinvWt_ * forces;
  constraint_lambda_.setZero(constraints_.W.rows());
  if (constraints_.W.rows() > 0) {
    constraint_lambda_ = -B_inverse_ * (constraints_.W * change);
    change += MinvBt_ * constraint_lambda_;
  }
  return change;
}

void Instant::make_consistent(std::vector<double>& u) {
  std::vector<int> at_rest;
  for (std::size_t i = 0; i < acting_.size(); ++i) {
    int r = first_[i];
    if (has_normal_[i]) at_rest.push_back(r++);
    for (; (acting_[i].mode == Mode::rolling || acting_[i].begins) && r < first_[i + 1]; ++r) at_rest.push_back(r);
  }
  const Index b = constraints_.W.rows(), m = b + static_cast<Index>(at_rest.size());
  if (m == 0) return;
  MatrixXd R(m, M_.rows());
  VectorXd wrong(m);
  R.topRows(b) = constraints_.W;
  wrong.head(b) = constraints_.gamma;
  for (std::size_t k = 0; k < at_rest.size(); ++k) {
    R.row(b + static_cast<Index>(k)) = rows_.W.row(at_rest[k]);
    wrong[b + static_cast<Index>(k)] = rows_.gamma[at_rest[k]];
  }
  const MatrixXd MinvRt = factor_.solve(MatrixXd(R.transpose())), G = R * MinvRt;
  bool full = false;
  const VectorXd change =
      MinvRt * solve_scaled(G, -wrong, G.diagonal().cwiseMax(1e-300).cwiseSqrt().cwiseInverse(), full);
  for (std::size_t i = 0; i < u.size(); ++i) u[i] += change[static_cast<Index>(i)];
}

}  // namespace picus::eventdriven
