#include "picus/contact/spatial_solver.hpp"

#include <algorithm>
#include <limits>

#include "picus/complementarity/cone_contact.hpp"
#include "picus/complementarity/cone_solver.hpp"
#include "picus/complementarity/lemke.hpp"
#include "picus/contact/spatial_lcp.hpp"
#include "picus/support/index.hpp"

namespace picus::contact {

using complementarity::ConeMatrix;
using complementarity::ConeVector;
using Kind = SpatialFriction::Kind;

namespace {

constexpr int lemke_size_limit = 1000;
constexpr int most_sweeps = 3000, judged_every = 5;

bool is_kind(const SpatialProblem& p, int i, Kind kind) { return p.rows(i) == 1 || p.friction[at(i)]->kind() == kind; }

bool all_of_kind(const SpatialProblem& p, Kind kind) {
  for (int i = 0; i < p.contacts(); ++i) {
    if (!is_kind(p, i, kind)) return false;
  }
  return true;
}

bool is_finite(const SpatialProblem& p) {
  for (const SpatialRows& b : p.b) {
    if (!b.allFinite()) return false;
  }
  for (const SpatialBlock& G : p.block) {
    if (!G.allFinite()) return false;
  }
  return true;
}

bool any_polytope(const SpatialProblem& p) {
  for (int i = 0; i < p.contacts(); ++i) {
    if (p.rows(i) > 1 && p.friction[at(i)]->kind() == Kind::polytope) return true;
  }
  return false;
}

// A contact by itself, as the solver of cones has it: normal row scaled by 1/μ, ones where there is no row.
bool solve_ball(const SpatialBlock& G, const SpatialRows& c, double mu, int rows, SpatialRows& Lambda) {
  if (rows == 1) {
    Lambda = SpatialRows::Zero();
    if (!(c[0] < 0)) return true;
    Lambda[0] = -c[0] / G(0, 0);
    return G(0, 0) > 0;
  }
  ConeMatrix A = ConeMatrix::Identity();
  A.topLeftCorner(rows, rows) = G.topLeftCorner(rows, rows);
  A.row(0) /= mu;
  A.col(0) /= mu;
  ConeVector scaled = c, x;
  scaled[0] /= mu;
  // In units of its own, for the tolerances inside.
  const double size = A.trace() / 4, length = scaled.norm();
  if (!(size > 0) || !(length > 0)) return length == 0 && (Lambda.setZero(), true);
  for (int r = rows; r < 4; ++r) A(r, r) = size;
  if (!complementarity::solve_contact(A / size, scaled / length, x)) return false;
  Lambda = (length / size) * x;
  Lambda[0] /= mu;
  return true;
}

// A contact with a ball that is known to be closed, from impulses nearby: with ξ_N = 0 it sticks, or slips with
// ξ_T = −κ Λ_T. Newton's method on 1/|Λ_T| − 1/(μ Λ_N) of κ, which is nearly straight. False where that does not lead
// to a solution quickly.
bool solve_closed_ball(const SpatialBlock& G, const SpatialRows& b, double mu, int rows, SpatialRows& Lambda) {
  constexpr int most = 12;
  if (!(G(0, 0) > 0) || !(b[0] < 0)) return false;
  const Eigen::Vector3d coupling = G.topRightCorner<1, 3>().transpose(), up = coupling / G(0, 0);
  Eigen::Matrix3d reduced = G.bottomRightCorner<3, 3>() - up * coupling.transpose();
  for (int r = rows - 1; r < 3; ++r) reduced(r, r) = 1;  // rows that are not there
  const Eigen::Vector3d rest = b.tail<3>() - b[0] * up;
  const Eigen::Vector3d near = reduced * Lambda.tail<3>() + rest;  // ξ_T there
  const double size = Lambda.tail<3>().norm();
  double kappa = size > 0 ? std::max(-near.dot(Lambda.tail<3>()) / (size * size), 0.0) : 0;
  for (int k = 0; k < most; ++k) {
    // (reduced + κ) x = −rest, (reduced + κ) dx/dκ = −x, by Cholesky's method.
    const double l00 = reduced(0, 0) + kappa, l10 = reduced(1, 0) / l00, l20 = reduced(2, 0) / l00;
    const double d1 = reduced(1, 1) + kappa - l10 * reduced(1, 0), m21 = reduced(2, 1) - l20 * reduced(1, 0);
    const double l21 = m21 / d1, d2 = reduced(2, 2) + kappa - l20 * reduced(2, 0) - l21 * m21;
    if (!(l00 > 0 && d1 > 0 && d2 > 0)) return false;
    const auto solve = [&](const Eigen::Vector3d& r) {
      const double y1 = r[1] - l10 * r[0], y2 = r[2] - l20 * r[0] - l21 * y1;
      const double x2 = y2 / d2, x1 = y1 / d1 - l21 * x2;
      return Eigen::Vector3d(r[0] / l00 - l10 * x1 - l20 * x2, x1, x2);
    };
    const Eigen::Vector3d x = solve(-rest);
    const double x_N = -(b[0] + coupling.dot(x)) / G(0, 0), norm = x.norm(), bound = mu * x_N;
    if (!(bound > 0)) return false;
    const double excess = norm - bound;
    if ((kappa == 0 && excess <= 0) || std::abs(excess) <= 1e-15 * bound) {
      Lambda << x_N, x;
      return true;
    }
    const Eigen::Vector3d dx = solve(-x);
    const double d_norm = x.dot(dx) / norm, d_bound = -mu * coupling.dot(dx) / G(0, 0);
    // f = 1/norm − 1/bound
    const double f = -excess / (norm * bound), slope = -d_norm / (norm * norm) + d_bound / (bound * bound);
    const double next = kappa - f / slope;
    if (!(next - next == 0)) return false;
    if (std::abs(next - kappa) <= 1e-16 * kappa) {
      Lambda << x_N, x;
      return true;
    }
    kappa = std::max(next, 0.0);
  }
  return false;
}

// The problem of contact i alone, with the others as they are.
void single_problem(const SpatialProblem& p, int i, const SpatialRows& c, SpatialProblem& one) {
  one.clear();
  one.friction.push_back(p.friction[at(i)]);
  one.mu.push_back(p.mu[at(i)]);
  one.b.push_back(c);
  one.rho_inv.push_back(p.rho_inv[at(i)]);
  one.column.push_back(0);
  one.block.push_back(p.own(i));
  one.start.push_back(1);
}

complementarity::ConeProblem cone_problem(const SpatialProblem& p) {
  complementarity::ConeProblem cones;
  cones.mu = p.mu;
  for (int i = 0; i < p.contacts(); ++i) cones.start.push_back(cones.start.back() + p.rows(i));
  const int rows = cones.rows();
  cones.q.resize(rows);
  std::vector<Eigen::Triplet<double>> entries;
  entries.reserve(p.block.size() * 16);
  for (int i = 0; i < p.contacts(); ++i) {
    const int from = cones.start[at(i)];
    for (int r = 0; r < p.rows(i); ++r) cones.q[from + r] = p.b[at(i)][r];
    for (int k = p.start[at(i)]; k < p.start[at(i) + 1]; ++k) {
      const int j = p.column[at(k)], to = cones.start[at(j)];
      for (int r = 0; r < p.rows(i); ++r) {
        for (int c = 0; c < p.rows(j); ++c) entries.emplace_back(from + r, to + c, p.block[at(k)](r, c));
      }
    }
  }
  cones.W.resize(rows, rows);
  cones.W.setFromTriplets(entries.begin(), entries.end());
  return cones;
}

}  // namespace

void SpatialSolver::offer(const SpatialProblem& p, const Impulses& candidate, SolvedBy by) {
  const double violation = largest_residual(p, candidate);
  if (!(violation < best_.violation)) return;
  best_ = {by, violation};
  best_impulses_ = candidate;
}

void SpatialSolver::try_newton(const SpatialProblem& p) {
  work_ = start_;
  newton_.solve(p, accept_, work_);
  if (newton_.violation() < best_.violation) {
    best_ = {SolvedBy::newton, newton_.violation()};
    std::swap(best_impulses_, work_);
  }
}

void SpatialSolver::try_path(const SpatialProblem& p) {
  work_ = start_;
  newton_.solve_rounded(p, accept_ / solver_round_off, close_, work_);
  if (newton_.violation() < best_.violation) {
    best_ = {SolvedBy::interior_point, newton_.violation()};
    std::swap(best_impulses_, work_);
  }
}

void SpatialSolver::try_proximal_newton(const SpatialProblem& p) {
  work_ = best_.by == SolvedBy::nothing ? start_ : best_impulses_;
  newton_.solve_proximal(p, close_, enough_, work_);
  if (newton_.violation() < best_.violation) {
    best_ = {SolvedBy::proximal, newton_.violation()};
    std::swap(best_impulses_, work_);
  }
}

void SpatialSolver::try_closed_form(const SpatialProblem& p) {
  work_.resize(1);
  if (solve_ball(p.own(0), p.b[0], p.mu[0], p.rows(0), work_[0])) offer(p, work_, SolvedBy::closed_form);
}

void SpatialSolver::try_cones(const SpatialProblem& p, SolverChoice choice) {
  const complementarity::ConeProblem cones = cone_problem(p);
  complementarity::ConeOptions options;
  options.method = choice == SolverChoice::gauss_seidel ? complementarity::ConeMethod::gauss_seidel
                   : choice == SolverChoice::proximal   ? complementarity::ConeMethod::gradient
                   : choice == SolverChoice::newton     ? complementarity::ConeMethod::newton
                                                        : complementarity::ConeMethod::automatic;
  options.tolerance = 1e-14;
  options.work_limit = choice == SolverChoice::automatic ? 1e9 : 1e10;  // about 1 s, 10 s
  options.velocity_tolerance = 0.3 * enough_;  // its map is another one: within a factor of the certificate's
  options.start.resize(cones.rows());
  const Impulses& from = best_.by == SolvedBy::nothing ? start_ : best_impulses_;
  for (int i = 0; i < p.contacts(); ++i) {
    for (int r = 0; r < p.rows(i); ++r) options.start[cones.start[at(i)] + r] = from[at(i)][r];
  }
  const complementarity::ConeAnswer answer = complementarity::solve(cones, options);
  work_.resize(at(p.contacts()));
  for (int i = 0; i < p.contacts(); ++i) {
    work_[at(i)].setZero();
    for (int r = 0; r < p.rows(i); ++r) work_[at(i)][r] = answer.r[cones.start[at(i)] + r];
  }
  offer(p, work_,
        answer.by == complementarity::ConeMethod::gradient ? SolvedBy::proximal
        : answer.by == complementarity::ConeMethod::newton ? SolvedBy::newton
                                                           : SolvedBy::gauss_seidel);
}

void SpatialSolver::try_lemke(const SpatialProblem& p) {
  if (polytope_lcp_size(p) > lemke_size_limit) return;
  const double rho_inv = *std::max_element(p.rho_inv.begin(), p.rho_inv.end()), v_ref = accept_ / solver_round_off;
  if (!(rho_inv > 0) || !(v_ref > 0)) return;
  const complementarity::LemkeResult found = complementarity::solve_lemke(polytope_lcp(p, rho_inv, v_ref));
  if (found.solution.x.size() == 0) return;
  work_.resize(at(p.contacts()));
  read_polytope_solution(p, found.solution.x, work_, v_ref / rho_inv);
  offer(p, work_, SolvedBy::lemke);
}

void SpatialSolver::try_sweeps(const SpatialProblem& p, int sweeps) {
  Impulses Lambda = best_.by == SolvedBy::nothing ? start_ : best_impulses_;
  SpatialProblem one;
  Impulses single(1);
  for (int sweep = 1; sweep <= sweeps && !settled(); ++sweep) {
    for (int k = 0; k < p.contacts(); ++k) {
      const int i = sweep % 2 == 0 ? p.contacts() - 1 - k : k;
      const SpatialRows c = p.xi(i, Lambda) - p.own(i) * Lambda[at(i)];
      if (is_kind(p, i, Kind::ball)) {
        SpatialRows next;
        if (solve_ball(p.own(i), c, p.mu[at(i)], p.rows(i), next)) Lambda[at(i)] = next;
        continue;
      }
      single_problem(p, i, c, one);
      single[0] = Lambda[at(i)];
      if (p.friction[at(i)]->kind() == Kind::polytope) {
        const complementarity::LemkeResult found = complementarity::solve_lemke(polytope_lcp(one));
        if (found.status != complementarity::LemkeResult::Status::solved) continue;
        read_polytope_solution(one, found.solution.x, single);
      } else {
        newton_of_one_.solve(one, accept_, single);
      }
      Lambda[at(i)] = single[0];
    }
    if (sweep % judged_every == 0 || p.contacts() == 1) offer(p, Lambda, SolvedBy::gauss_seidel);
    if (is_close() && sweep > most_sweeps / 10) break;
  }
}

SpatialOutcome SpatialSolver::solve(const SpatialProblem& p, SolverChoice choice, double v_ref, double enough,
                                    std::vector<SpatialRows>& Lambda) {
  accept_ = solver_round_off * v_ref;
  close_ = solver_good_enough * v_ref;
  enough_ = std::max(enough * v_ref, close_);
  best_ = {SolvedBy::nothing, std::numeric_limits<double>::infinity()};
  if (!is_finite(p)) return best_;
  std::swap(start_, Lambda);
  const bool automatic = choice == SolverChoice::automatic, polytopes = any_polytope(p);
  const bool balls = all_of_kind(p, Kind::ball);
  const bool newton = automatic || choice == SolverChoice::newton;
  if (automatic && balls && p.contacts() == 1 && p.rows(0) > 1) {
    work_ = start_;
    if (solve_closed_ball(p.block[0], p.b[0], p.mu[0], p.rows(0), work_[0])) offer(p, work_, SolvedBy::closed_form);
  }
  if (polytopes) {
    if (all_of_kind(p, Kind::polytope) && (automatic || choice == SolverChoice::lemke)) try_lemke(p);
    if (!is_close()) offer(p, start_, SolvedBy::kept_states);
  }
  if (newton && !settled()) try_newton(p);
  if (!is_close() && automatic && balls && p.contacts() == 1) try_closed_form(p);
  if (newton && !is_close() && p.contacts() > 1) try_path(p);
  // Sweeps lead to the neighbourhood in which Newton's method ends.
  for (int sweeps = 10; automatic && !is_close() && sweeps <= 40; sweeps *= 4) {
    try_sweeps(p, sweeps);
    if (best_.by != SolvedBy::nothing) start_ = best_impulses_;
    try_newton(p);
  }
  const bool proximal = newton || (choice == SolverChoice::proximal && !balls);
  if (proximal && !is_close()) try_proximal_newton(p);
  for (int round = 0; automatic && !will_do() && round < 3; ++round) {
    try_sweeps(p, 100);
    try_proximal_newton(p);
  }
  if (!will_do() && balls && choice != SolverChoice::lemke) try_cones(p, choice);
  if (!will_do() && !balls && (automatic || choice == SolverChoice::gauss_seidel)) try_sweeps(p, most_sweeps);
  std::swap(Lambda, best_.by == SolvedBy::nothing ? start_ : best_impulses_);
  return best_;
}

}  // namespace picus::contact
