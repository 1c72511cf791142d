#include "picus/contact/spatial_newton.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>

#include "picus/math/small.hpp"
#include "picus/support/index.hpp"

namespace picus::contact {

namespace {

// Of 1/ρ, on the diagonal of G in the linear systems.
constexpr double ridge = 1e-9, sparse_ridge = 1e-8;
constexpr int most_iterations = 30, most_halvings = 12;

}  // namespace

// max(x, 0), rounded over a length τ, and its derivative (Chen & Mangasarian 1996).
double rounded(double x, double tau) {
  const double root = std::sqrt(x * x + tau * tau);
  return x > 0 ? 0.5 * (x + root) : 0.5 * tau * tau / (root - x);
}
double rounded_slope(double x, double tau) { return 0.5 * (1 + x / std::sqrt(x * x + tau * tau)); }

// ξ and F at Λ; returns |F|².
double SpatialNewton::evaluate(const SpatialProblem& p, const std::vector<SpatialRows>& Lambda) {
  double square = 0;
  for (int i = 0; i < p.contacts(); ++i) {
    const double rho_inv = p.rho_inv[at(i)];
    SpatialRows& xi = xi_[at(i)];
    xi = p.xi(i, Lambda);
    if (epsilon_ > 0) xi += epsilon_ * rho_inv * (Lambda[at(i)] - anchor_[at(i)]);
    const SpatialRows lambda = rho_inv * Lambda[at(i)];
    SpatialRows& F = F_[at(i)];
    if (tau_ > 0) {
      F = rounded_map(p, i, lambda, xi);
      square += F.squaredNorm();
      continue;
    }
    if (!(lambda[0] > xi[0])) {  // open
      F = lambda;
    } else {
      F[0] = xi[0];
      const Eigen::Vector3d z = lambda.tail<3>() - xi.tail<3>();
      const double sigma = p.mu[at(i)] * math::max(lambda[0], 0);
      F.tail<3>() = xi.tail<3>() + (z - p.friction[at(i)]->project(z, sigma));
      for (int r = p.rows(i); r < 4; ++r) F[r] = 0;
    }
    square += F.squaredNorm();
  }
  return square;
}

// The map with its kinks rounded over a length τ, for balls and intervals: max(x, 0) becomes φ(x), and the size of
// P(z) min(|z|, σ) = |z| − max(|z| − σ, 0) becomes |z| − φ(|z| − σ) + φ(−σ).
SpatialRows SpatialNewton::rounded_map(const SpatialProblem& p, int i, const SpatialRows& lambda,
                                       const SpatialRows& xi) const {
  SpatialRows F = SpatialRows::Zero();
  F[0] = lambda[0] - rounded(lambda[0] - xi[0], tau_);
  const int rows = p.rows(i);
  if (rows == 1) return F;
  const SpatialFriction& friction = *p.friction[at(i)];
  const double sigma = p.mu[at(i)] * math::max(lambda[0], 0);
  const SpatialRows z = lambda - xi;
  double square = 0;
  for (int k = 1; k <= friction.ball(); ++k) square += z[k] * z[k];
  const auto length = [&](double r) { return r - rounded(r - sigma, tau_) + rounded(-sigma, tau_); };
  const double r = std::sqrt(square), share = r > 0 ? length(r) / r : 0;
  for (int k = 1; k <= friction.ball(); ++k) F[k] = lambda[k] - share * z[k];
  for (int k = friction.ball() + 1; k < rows; ++k) {
    F[k] = lambda[k] - (z[k] > 0 ? length(z[k]) : -length(-z[k]));
  }
  return F;
}

SpatialNewton::Slope SpatialNewton::rounded_slope_of(const SpatialProblem& p, int i, const SpatialRows& lambda,
                                                     const SpatialRows& xi) const {
  Slope d{SpatialBlock::Zero(), SpatialBlock::Zero()};
  const double rho_inv = p.rho_inv[at(i)];
  const double closed = rounded_slope(lambda[0] - xi[0], tau_);
  d.S(0, 0) = closed;
  d.A(0, 0) = rho_inv * (1 - closed);
  const int rows = p.rows(i);
  if (rows == 1) return d;
  const SpatialFriction& friction = *p.friction[at(i)];
  const double mu = p.mu[at(i)], sigma = mu * math::max(lambda[0], 0), grows = lambda[0] > 0 ? mu : 0;
  const SpatialRows z = lambda - xi;
  // dP = p' e eᵀ dz + (p/r) (1 − e eᵀ) dz + e (∂p/∂σ) dσ
  const auto add = [&](int first, int last, double r) {
    const double slides = rounded_slope(r - sigma, tau_), p_r = 1 - slides,
                 p_sigma = slides - rounded_slope(-sigma, tau_);
    const double share = r > 0 ? (r - rounded(r - sigma, tau_) + rounded(-sigma, tau_)) / r : p_r;
    for (int k = first; k <= last; ++k) {
      const double e_k = r > 0 ? z[k] / r : 0;
      for (int l = first; l <= last; ++l) {
        const double e_l = r > 0 ? z[l] / r : 0, D = share * ((k == l ? 1 : 0) - e_k * e_l) + p_r * e_k * e_l;
        d.S(k, l) = D;
        d.A(k, l) = rho_inv * ((k == l ? 1 : 0) - D);
      }
      d.A(k, 0) = -rho_inv * grows * p_sigma * e_k;
    }
  };
  double square = 0;
  for (int k = 1; k <= friction.ball(); ++k) square += z[k] * z[k];
  if (friction.ball() > 0) add(1, friction.ball(), std::sqrt(square));
  for (int k = friction.ball() + 1; k < rows; ++k) add(k, k, std::abs(z[k]));
  return d;
}

SpatialNewton::Slope SpatialNewton::slope(const SpatialProblem& p, int i, const SpatialRows& Lambda) const {
  const int rows = p.rows(i);
  const double rho_inv = p.rho_inv[at(i)];
  const SpatialRows lambda = rho_inv * Lambda, &xi = xi_[at(i)];
  Slope d{SpatialBlock::Zero(), SpatialBlock::Zero()};
  if (tau_ > 0) return rounded_slope_of(p, i, lambda, xi);
  if (!(lambda[0] > xi[0])) {  // open
    for (int r = 0; r < rows; ++r) d.A(r, r) = rho_inv;
    return d;
  }
  for (int r = 0; r < rows; ++r) d.S(r, r) = 1;
  if (rows == 1) return d;
  const SpatialFriction& friction = *p.friction[at(i)];
  const Eigen::Vector3d z = lambda.tail<3>() - xi.tail<3>();
  const double mu = p.mu[at(i)], sigma = mu * math::max(lambda[0], 0), grows = lambda[0] > 0 ? mu : 0;
  // d(λ_T − P(z)) with P = σ e, e = z/|z|: λ_T − (σ/|z|) (1 − e eᵀ) (λ_T − ξ_T) − e μ λ_N
  const auto slides = [&](int k, int l, double e_k, double e_l, double share) {
    const double turning = share * ((k == l ? 1 : 0) - e_k * e_l);
    d.S(1 + k, 1 + l) = turning;
    d.A(1 + k, 1 + l) = rho_inv * ((k == l ? 1 : 0) - turning);
  };
  if (friction.kind() == SpatialFriction::Kind::polytope) {
    // P is linear between kinks: a difference is its derivative.
    const Eigen::Vector3d here = friction.project(z, sigma);
    const double h = 1e-6 * (z.norm() + sigma);
    if (!(h > 0)) return d;
    for (int l = 0; l < rows - 1; ++l) {
      Eigen::Vector3d moved = z;
      moved[l] += h;
      const Eigen::Vector3d turning = (friction.project(moved, sigma) - here) / h;
      for (int k = 0; k < rows - 1; ++k) {
        d.S(1 + k, 1 + l) = turning[k];
        d.A(1 + k, 1 + l) = rho_inv * ((k == l ? 1 : 0) - turning[k]);
      }
    }
    const Eigen::Vector3d widening = (friction.project(z, sigma + h) - here) / h;
    for (int k = 0; k < rows - 1; ++k) d.A(1 + k, 0) = -rho_inv * grows * widening[k];
    return d;
  }
  double square = 0;
  for (int k = 0; k < friction.ball(); ++k) square += z[k] * z[k];
  if (square > sigma * sigma) {
    const double norm = std::sqrt(square);
    for (int k = 0; k < friction.ball(); ++k) {
      for (int l = 0; l < friction.ball(); ++l) slides(k, l, z[k] / norm, z[l] / norm, sigma / norm);
      d.A(1 + k, 0) = -rho_inv * grows * z[k] / norm;
    }
  }
  for (int k = friction.ball(); k < rows - 1; ++k) {
    if (std::abs(z[k]) <= sigma) continue;
    slides(k, k, 1, 1, 0);
    d.A(1 + k, 0) = -rho_inv * grows * (z[k] > 0 ? 1 : -1);
  }
  return d;
}

// F'(Λ) dΛ = −F with F' = A + S G.
bool SpatialNewton::dense_direction(const SpatialProblem& p, const std::vector<SpatialRows>& Lambda) {
  for (int i = 0; i < p.contacts(); ++i) {
    const Slope d = slope(p, i, Lambda[at(i)]);
    const int first = first_[at(i)], rows = p.rows(i);
    for (int r = 0; r < rows; ++r) {
      std::fill_n(row(first + r), n_, 0.0);
      rhs_[at(first + r)] = -F_[at(i)][r];
      for (int c = 0; c < rows; ++c)
        row(first + r)[first + c] = d.A(r, c) + (ridge + epsilon_) * p.rho_inv[at(i)] * d.S(r, c);
    }
    if (d.S(0, 0) == 0) continue;
    for (int k = p.start[at(i)]; k < p.start[at(i) + 1]; ++k) {
      const int j = p.column[at(k)], columns = p.rows(j), to = first_[at(j)];
      const SpatialBlock product = d.S * p.block[at(k)];
      for (int r = 0; r < rows; ++r) {
        for (int c = 0; c < columns; ++c) row(first + r)[to + c] += product(r, c);
      }
    }
  }
  if (!solve_linear()) return false;
  for (int i = 0; i < p.contacts(); ++i) {
    step_[at(i)].setZero();
    for (int r = 0; r < p.rows(i); ++r) step_[at(i)][r] = rhs_[at(first_[at(i)] + r)];
  }
  return true;
}

void SpatialNewton::analyse(const SpatialProblem& p) {
  const auto is_known = [&] {
    if (pattern_.size() != p.on_bodies.size() || number_.size() != p.mass.size()) return false;
    for (std::size_t i = 0; i < pattern_.size(); ++i) {
      if (pattern_[i] != std::pair(p.on_bodies[i].a, p.on_bodies[i].b)) return false;
    }
    return true;
  };
  if (is_known()) return;
  pattern_.clear();
  number_.assign(p.mass.size(), -1);
  touched_ = 0;
  std::vector<int> start = {0}, index;
  const auto add = [&](int body) {
    if (body < 0) return;
    if (number_[at(body)] < 0) number_[at(body)] = touched_++;
    for (int k = 0; k < 6; ++k) index.push_back(6 * number_[at(body)] + k);
  };
  for (const SpatialProblem::OnBodies& c : p.on_bodies) {
    pattern_.emplace_back(c.a, c.b);
    add(c.b);
    add(c.a);
    start.push_back(static_cast<int>(index.size()));
  }
  for (std::size_t body = 0; body < number_.size(); ++body) {
    if (number_[body] < 0) continue;
    add(static_cast<int>(body));
    start.push_back(static_cast<int>(index.size()));
  }
  lu_.analyse(6 * touched_, start, index);
}

// The same for the velocities that the impulses make, dδ = M⁻¹ Wᵀ dΛ: with B = A + ε S each contact has
// dΛ = −B⁻¹ (F + S W dδ), and (M + Σ Wᵀ B⁻¹ S W) dδ = −Σ Wᵀ B⁻¹ F.
bool SpatialNewton::sparse_direction(const SpatialProblem& p, const std::vector<SpatialRows>& Lambda) {
  analyse(p);
  C_.resize(at(p.contacts()));
  h_.resize(at(p.contacts()));
  rhs_.assign(at(6 * touched_), 0.0);
  lu_.clear();
  for (int i = 0; i < p.contacts(); ++i) {
    const Slope d = slope(p, i, Lambda[at(i)]);
    SpatialBlock B = d.A + (sparse_ridge + epsilon_) * p.rho_inv[at(i)] * d.S;
    for (int r = p.rows(i); r < 4; ++r) B(r, r) = 1;
    const Eigen::PartialPivLU<SpatialBlock> lu(B);
    C_[at(i)] = lu.solve(d.S);
    h_[at(i)] = lu.solve(F_[at(i)]);
    const SpatialProblem::OnBodies& c = p.on_bodies[at(i)];
    const auto push = [&](int body, const Eigen::Matrix<double, 4, 6>& W) {
      if (body < 0) return;
      Eigen::Map<Eigen::Matrix<double, 6, 1>>(rhs_.data() + 6 * number_[at(body)]) -= W.transpose() * h_[at(i)];
    };
    push(c.b, c.W_b);
    push(c.a, c.W_a);
    if (d.S(0, 0) == 0) continue;
    if (c.a < 0) {
      const Eigen::Matrix<double, 6, 6, Eigen::RowMajor> K = c.W_b.transpose() * C_[at(i)] * c.W_b;
      lu_.add(i, K.data());
    } else {
      Eigen::Matrix<double, 4, 12> W;
      W << c.W_b, c.W_a;
      const Eigen::Matrix<double, 12, 12, Eigen::RowMajor> K = W.transpose() * (C_[at(i)] * W);
      lu_.add(i, K.data());
    }
  }
  int element = p.contacts();
  for (std::size_t body = 0; body < number_.size(); ++body) {
    if (number_[body] >= 0) lu_.add(element++, p.mass[body].data());
  }
  if (!lu_.factorise()) return false;
  lu_.solve(rhs_.data());
  for (int i = 0; i < p.contacts(); ++i) {
    const SpatialProblem::OnBodies& c = p.on_bodies[at(i)];
    const auto of = [&](int body) {
      return Eigen::Map<const Eigen::Matrix<double, 6, 1>>(rhs_.data() + 6 * number_[at(body)]);
    };
    SpatialRows along = c.W_b * of(c.b);
    if (c.a >= 0) along += c.W_a * of(c.a);
    step_[at(i)] = -h_[at(i)] - C_[at(i)] * along;
    for (int r = p.rows(i); r < 4; ++r) step_[at(i)][r] = 0;
    if (!step_[at(i)].allFinite()) return false;
  }
  return true;
}

// Elimination with row pivoting, in place.
bool SpatialNewton::solve_linear() {
  for (int k = 0; k < n_; ++k) {
    int pivot = k;
    for (int r = k + 1; r < n_; ++r) {
      if (std::abs(row(r)[k]) > std::abs(row(pivot)[k])) pivot = r;
    }
    if (!(std::abs(row(pivot)[k]) > 0)) return false;
    if (pivot != k) {
      std::swap_ranges(row(k) + k, row(k) + n_, row(pivot) + k);
      std::swap(rhs_[at(k)], rhs_[at(pivot)]);
    }
    const double* top = row(k);
    const double inverse = 1 / top[k];
    for (int r = k + 1; r < n_; ++r) {
      double* below = row(r);
      const double factor = below[k] * inverse;
      if (factor == 0) continue;
      for (int c = k + 1; c < n_; ++c) below[c] -= factor * top[c];
      rhs_[at(r)] -= factor * rhs_[at(k)];
    }
  }
  for (int r = n_ - 1; r >= 0; --r) {
    double sum = rhs_[at(r)];
    for (int c = r + 1; c < n_; ++c) sum -= row(r)[c] * rhs_[at(c)];
    rhs_[at(r)] = sum / row(r)[r];
    if (!std::isfinite(rhs_[at(r)])) return false;
  }
  return true;
}

// False for problems that have no place here.
bool SpatialNewton::prepare(const SpatialProblem& p, std::vector<SpatialRows>& Lambda) {
  const int count = p.contacts();
  n_ = 0;
  first_.clear();
  for (int i = 0; i < count; ++i) {
    first_.push_back(n_);
    n_ += p.rows(i);
    for (int r = p.rows(i); r < 4; ++r) Lambda[at(i)][r] = 0;
  }
  sparse_ = n_ > dense_limit && p.on_bodies.size() == at(count);
  if (!sparse_ && n_ > row_limit) return false;
  for (auto* list : {&xi_, &F_, &step_, &trial_}) list->resize(at(count));
  if (!sparse_) {
    matrix_.resize(at(n_) * at(n_));
    rhs_.resize(at(n_));
  }
  return true;
}

// One step from Λ, |F|² at it given; taken back to where |F|² is below `bound`, or not at all.
bool SpatialNewton::step(const SpatialProblem& p, double bound, std::vector<SpatialRows>& Lambda, double& square) {
  if (!(sparse_ ? sparse_direction(p, Lambda) : dense_direction(p, Lambda))) return false;
  double length = 1;
  for (int k = 0; k <= most_halvings; ++k, length *= 0.5) {
    for (std::size_t i = 0; i < Lambda.size(); ++i) trial_[i] = Lambda[i] + length * step_[i];
    square = evaluate(p, trial_);
    if (square < bound) {
      std::swap(Lambda, trial_);
      return true;
    }
  }
  return false;
}

bool SpatialNewton::solve(const SpatialProblem& p, double accept, std::vector<SpatialRows>& Lambda) {
  iterations_ = 0;
  violation_ = std::numeric_limits<double>::infinity();
  if (!prepare(p, Lambda)) return false;
  epsilon_ = 0;
  const auto judge = [&] {
    double worst = 0;
    for (int i = 0; i < p.contacts(); ++i) {
      worst = math::worse(worst,
                          law_residual(*p.friction[at(i)], p.mu[at(i)], Lambda[at(i)], xi_[at(i)], p.rho_inv[at(i)]));
    }
    return worst;
  };
  double square = evaluate(p, Lambda);
  violation_ = judge();
  while (iterations_ < most_iterations && !(violation_ <= accept)) {
    ++iterations_;
    if (!step(p, square, Lambda, square)) break;
    violation_ = judge();
  }
  return violation_ <= accept;
}

bool SpatialNewton::solve_rounded(const SpatialProblem& p, double v_ref, double accept,
                                  std::vector<SpatialRows>& Lambda) {
  constexpr int most = 60;
  constexpr double first = 1e-2, smallest = 1e-14;
  double shrinks = 0.2;
  iterations_ = 0;
  violation_ = std::numeric_limits<double>::infinity();
  for (int i = 0; i < p.contacts(); ++i) {
    if (p.rows(i) > 1 && p.friction[at(i)]->kind() == SpatialFriction::Kind::polytope) return false;
  }
  if (!prepare(p, Lambda)) return false;
  epsilon_ = 0;
  tau_ = first * v_ref;
  best_ = anchor_ = Lambda;
  violation_ = largest_residual(p, Lambda);
  double reached = tau_ / shrinks;  // the last τ that was reached
  while (iterations_ < most && tau_ >= smallest * v_ref && shrinks < 0.95) {
    double square = evaluate(p, Lambda);
    bool found = false;
    for (int inner = 0; inner < 12 && iterations_ < most; ++inner) {
      found = square <= tau_ * tau_;
      if (found) break;
      ++iterations_;
      if (!step(p, square, Lambda, square)) break;
    }
    if (!found) {
      // Back to the last point of the path, and on in shorter steps.
      shrinks = std::sqrt(shrinks);
      tau_ = shrinks * reached;
      Lambda = anchor_;
      continue;
    }
    anchor_ = Lambda;
    const double now = largest_residual(p, Lambda);
    if (now < violation_) {
      violation_ = now;
      best_ = Lambda;
    }
    if (now <= accept) break;
    reached = tau_;
    tau_ *= shrinks;
    shrinks = std::max(0.2, shrinks * shrinks);
  }
  tau_ = 0;
  Lambda = best_;
  return violation_ <= accept;
}

bool SpatialNewton::solve_proximal(const SpatialProblem& p, double accept, double enough,
                                   std::vector<SpatialRows>& Lambda) {
  constexpr int most_points = 100, points_for_more = 12, quick = 6, most_inner = 25, memory = 5;
  constexpr double first = 1e-2, smallest = 1e-9, largest = 1e2, accuracy = 0.1;
  iterations_ = 0;
  violation_ = std::numeric_limits<double>::infinity();
  if (!prepare(p, Lambda)) return false;
  epsilon_ = first;
  best_ = anchor_ = Lambda;
  moved_.assign(Lambda.size(), SpatialRows::Zero());
  int creeping = 0;
  for (int point = 0; point < most_points && epsilon_ <= largest; ++point) {
    Lambda = anchor_;
    double square = evaluate(p, Lambda);
    bool found = false;
    double recent[memory];  // a step may lead up a little: it is compared with the worst of these
    int inner = 0;
    for (; inner < most_inner; ++inner) {
      double moved = 0;
      for (int i = 0; i < p.contacts(); ++i) {
        moved += (p.rho_inv[at(i)] * (Lambda[at(i)] - anchor_[at(i)])).squaredNorm();
      }
      found = square <= accuracy * accuracy * epsilon_ * epsilon_ * moved || square <= accept * accept;
      if (found) break;
      ++iterations_;
      recent[inner % memory] = square;
      if (!step(p, *std::max_element(recent, recent + std::min(inner + 1, memory)), Lambda, square)) break;
    }
    if (!found) {
      epsilon_ *= 4;
      continue;
    }
    const double now = largest_residual(p, Lambda);
    if (now < violation_) {
      violation_ = now;
      best_ = Lambda;
    }
    if (now <= accept || (now <= enough && point >= points_for_more)) break;
    // Points that creep along one direction are followed to where they lead.
    double along = 0, before = 0;
    for (int i = 0; i < p.contacts(); ++i) {
      const SpatialRows d = p.rho_inv[at(i)] * (Lambda[at(i)] - anchor_[at(i)]);
      along += d.dot(moved_[at(i)]);
      before += moved_[at(i)].squaredNorm();
      moved_[at(i)] = d;
    }
    const double ratio = before > 0 ? along / before : 0;
    std::swap(anchor_, Lambda);
    if (ratio > 0.5 && ratio < 1.2 && ++creeping >= 2) {
      const double far = std::min(ratio < 1 ? ratio / (1 - ratio) : 1e3, 1e3);
      for (int i = 0; i < p.contacts(); ++i) anchor_[at(i)] += far / p.rho_inv[at(i)] * moved_[at(i)];
      creeping = 0;
      for (int i = 0; i < p.contacts(); ++i) moved_[at(i)].setZero();
    }
    if (inner <= quick) epsilon_ = std::max(0.1 * epsilon_, smallest);
  }
  epsilon_ = 0;
  Lambda = best_;
  return violation_ <= accept;
}

}  // namespace picus::contact
