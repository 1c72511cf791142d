#include "picus/eventdriven/instant.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>

#include "picus/eventdriven/margin_program.hpp"

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

// In the plane its sign stays until the next event; nor has a velocity of the size of round-off a direction of its own.
Vector3d Instant::sliding_way(std::size_t i) const {
  const int T = first_[i] + (has_normal_[i] ? 1 : 0), d = tangential(i);
  Vector3d way = Vector3d::Zero();
  double size = 0;
  for (int k = 0; k < d; ++k) {
    way[k] = rows_.gamma[T + k];
    size += velocity_size(T + k);
  }
  return d > 1 && sliding_speed(i) > begin_share * size ? way : acting_[i].direction;
}

// Maximal dissipation: −(μ λ_N + a) E² γ_T / |E γ_T|.
Instant::Drag Instant::drag(std::size_t i) const {
  const int d = tangential(i);
  const Vector3d &e = law_[i].axes, v = sliding_way(i);
  double square = 0;
  for (int k = 0; k < d; ++k) square += e[k] * e[k] * v[k] * v[k];
  Vector3d unit = Vector3d::Zero();
  if (square > 0) {
    for (int k = 0; k < d; ++k) unit[k] = -e[k] * e[k] * v[k] / std::sqrt(square);
  }
  return {mu_[i] * unit, law_[i].law.friction_force * unit};
}

// Rows of `acting` in which nothing moves: normal ones, and tangential ones of contacts that roll (or begin to slide).
std::vector<int> Instant::rows_at_rest(bool with_beginnings) const {
  std::vector<int> list;
  for (std::size_t i = 0; i < acting_.size(); ++i) {
    const bool rests = acting_[i].mode == Mode::rolling || (with_beginnings && acting_[i].begins);
    int r = first_[i];
    if (has_normal_[i]) list.push_back(r++);
    for (; rests && r < first_[i + 1]; ++r) list.push_back(r);
  }
  return list;
}

// Directions of all constraints, then those of these rows.
MatrixXd Instant::directions_of(const std::vector<int>& rows) const {
  const Index b = constraints_.W.rows();
  MatrixXd R(b + static_cast<Index>(rows.size()), M_.rows());
  R.topRows(b) = constraints_.W;
  for (std::size_t k = 0; k < rows.size(); ++k) R.row(b + static_cast<Index>(k)) = rows_.W.row(rows[k]);
  return R;
}

// What the unknown forces do to u̇. Friction that follows a normal force is put into its column.
MatrixXd Instant::effects_of(const std::vector<int>& unknown, const std::vector<Drag>& drags) const {
  const Index b = constraints_.W.rows();
  MatrixXd columns(M_.rows(), b + static_cast<Index>(unknown.size()));
  columns.leftCols(b) = MinvBt_;
  for (std::size_t k = 0; k < unknown.size(); ++k) columns.col(b + static_cast<Index>(k)) = MinvWt_.col(unknown[k]);
  Index c = b;
  for (std::size_t i = 0; i < acting_.size(); ++i) {
    if (acting_[i].mode == Mode::sliding && has_normal_[i]) {
      for (int k = 0; k < tangential(i); ++k) columns.col(c) += MinvWt_.col(first_[i] + 1 + k) * drags[i].per_normal[k];
    }
    c += (has_normal_[i] ? 1 : 0) + (acting_[i].mode == Mode::rolling ? tangential(i) : 0);
  }
  return columns;
}

void Instant::solve_modes() {
  const std::vector<int> unknown = rows_at_rest(false);
  const Index b = constraints_.W.rows(), m = b + static_cast<Index>(unknown.size());
  VectorXd known = free_;
  std::vector<Drag> drags(acting_.size());
  for (std::size_t i = 0; i < acting_.size(); ++i) {
    if (acting_[i].mode != Mode::sliding) continue;
    drags[i] = drag(i);
    const int T = first_[i] + (has_normal_[i] ? 1 : 0);
    for (int k = 0; k < tangential(i); ++k) known += MinvWt_.col(T + k) * drags[i].constant[k];
  }
  u_dot_ = known;
  determined_ = true;
  has_margin_ = false;
  constraint_lambda_.setZero(b);
  lambda_.setZero(rows_.W.rows());
  if (m > 0) {
    const MatrixXd R = directions_of(unknown), columns = effects_of(unknown, drags);
    VectorXd right(m), diagonal(m);
    right.head(b) = -(constraints_.W * known + constraints_.zeta);
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
  }
  for (std::size_t i = 0; i < acting_.size(); ++i) {
    if (acting_[i].mode != Mode::sliding) continue;
    const int T = first_[i] + (has_normal_[i] ? 1 : 0);
    const double N = has_normal_[i] ? lambda_[first_[i]] : 0;
    for (int k = 0; k < tangential(i); ++k) lambda_[T + k] = N * drags[i].per_normal[k] + drags[i].constant[k];
  }
}

// Unknown forces x + Z z have the same effect for every z. With z the margin m is to be as large as possible, where
// each normal force N ≥ m, and μ N + a ∓ T ≥ m at contacts that roll.
void Instant::share_forces(const MatrixXd& matrix, const MatrixXd& columns, const VectorXd& scale, VectorXd& x) {
  const math::CompleteLu lu(scale.asDiagonal() * matrix * scale.asDiagonal(), rank_share);
  const MatrixXd Z = scale.asDiagonal() * lu.kernel();
  constexpr Index most = 2;
  if (Z.cols() == 0 || Z.cols() > most) return;
  const double effect = (columns * Z).cwiseAbs().maxCoeff();
  if (!(effect <= 1e-8 * (columns.cwiseAbs() * Z.cwiseAbs()).maxCoeff())) return;  // no mere sharing
  MarginProgram program(Z.cols());
  std::vector<Limit> of;
  Index next = constraints_.W.rows();
  for (std::size_t i = 0; i < acting_.size(); ++i) {
    const bool rolls = acting_[i].mode == Mode::rolling;
    const Index N = next, T = next + (has_normal_[i] ? 1 : 0);
    next = T + (rolls ? tangential(i) : 0);
    if (rolls && tangential(i) > 1) return;
    const auto add = [&](int kind, double of_normal, double of_friction, double constant) {
      Eigen::RowVectorXd row = Eigen::RowVectorXd::Zero(Z.cols());
      if (has_normal_[i]) row += of_normal * Z.row(N);
      if (of_friction != 0) row += of_friction * Z.row(T);
      program.add(row,
                  constant + (has_normal_[i] ? of_normal * x[N] : 0) + (of_friction != 0 ? of_friction * x[T] : 0));
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
  if (!program.solve()) return;  // forces may brace against each other without bounds
  margin_ = program.margin();
  for (std::size_t j : program.binding()) limits_.push_back(of[j]);
  // From least norm as far towards the best as the laws ask for.
  x += program.share_needed() * (Z * program.best());
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

void Instant::make_consistent(std::vector<double>& u) {
  const std::vector<int> at_rest = rows_at_rest(true);
  const Index b = constraints_.W.rows(), m = b + static_cast<Index>(at_rest.size());
  if (m == 0) return;
  const MatrixXd R = directions_of(at_rest);
  VectorXd wrong(m);
  wrong.head(b) = constraints_.gamma;
  for (std::size_t k = 0; k < at_rest.size(); ++k) wrong[b + static_cast<Index>(k)] = rows_.gamma[at_rest[k]];
  const MatrixXd MinvRt = factor_.solve(MatrixXd(R.transpose())), G = R * MinvRt;
  bool full = false;
  const VectorXd change =
      MinvRt * solve_scaled(G, -wrong, G.diagonal().cwiseMax(1e-300).cwiseSqrt().cwiseInverse(), full);
  for (std::size_t i = 0; i < u.size(); ++i) u[i] += change[static_cast<Index>(i)];
}

}  // namespace picus::eventdriven
