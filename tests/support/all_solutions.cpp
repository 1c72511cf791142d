#include "all_solutions.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "picus/complementarity/solution_set.hpp"
#include "picus/contact/certificate.hpp"
#include "picus/contact/contact_states.hpp"
#include "picus/support/error.hpp"

namespace picus::contact {
namespace {

constexpr int K = all_solutions_contact_limit, R = 2 * K;
constexpr std::size_t piece_limit = 20000;
constexpr double work_limit = 2e9;

void check(const Eigen::MatrixXd& G, const Eigen::VectorXd& b, const Eigen::VectorXd& mu) {
  const Eigen::Index rows = 2 * mu.size();
  if (G.rows() != rows || G.cols() != rows || b.size() != rows) {
    throw InputError(std::to_string(mu.size()) + " planar contacts need G of " + std::to_string(rows) +
                     " rows and columns and b of " + std::to_string(rows) + " entries; given: G " +
                     std::to_string(G.rows()) + " x " + std::to_string(G.cols()) + ", b " + std::to_string(b.size()));
  }
  if (!G.allFinite() || !b.allFinite()) throw InputError("G or b holds a number that is not finite");
  if (mu.size() > K) {
    throw InputError(std::to_string(mu.size()) + " contacts; all solutions are listed up to " + std::to_string(K));
  }
  for (Eigen::Index i = 0; i < mu.size(); ++i) {
    if (!(mu[i] >= 0) || !std::isfinite(mu[i])) {
      throw InputError("mu of contact " + std::to_string(i + 1) + " is " + std::to_string(mu[i]) +
                       "; accepted: a finite number that is not negative");
    }
  }
}

// Scaled problem: Λ = unit · Λ', with ξ' and Λ' of size one.
struct Scaled {
  PlanarProblem<R> problem;
  Eigen::VectorXd Lambda_unit;
  double v_ref = 1;
};

Scaled scale(const Eigen::MatrixXd& G, const Eigen::VectorXd& b, const Eigen::VectorXd& mu) {
  Scaled s;
  const int k = static_cast<int>(mu.size());
  s.problem.rows = 2 * k;
  double largest = 0;
  for (int i = 0; i < k; ++i) largest = std::max(largest, b.segment<2>(2 * i).norm());
  if (largest > 0) s.v_ref = largest;
  Eigen::VectorXd unit(2 * k);
  for (int i = 0; i < k; ++i) {
    const double weight = impulse_weight(G(2 * i, 2 * i), G(2 * i + 1, 2 * i + 1));
    unit[2 * i] = unit[2 * i + 1] = 1 / std::sqrt(weight);
  }
  for (int r = 0; r < 2 * k; ++r) {
    for (int c = 0; c < 2 * k; ++c) s.problem.G(r, c) = unit[r] * G(r, c) * unit[c];
    s.problem.b[r] = unit[r] * b[r] / s.v_ref;
  }
  // ξ' = unit ξ / v_ref and Λ' = Λ / (unit v_ref): one unit a contact, so the cone keeps its shape.
  double b_size = 0;
  for (int r = 0; r < 2 * k; ++r) b_size = std::max(b_size, std::abs(s.problem.b[r]));
  if (b_size > 0) {
    for (int r = 0; r < 2 * k; ++r) s.problem.b[r] /= b_size;
  } else {
    b_size = 1;
  }
  s.Lambda_unit = s.v_ref * b_size * unit;
  for (int i = 0; i < k; ++i) {
    s.problem.law[2 * i] = unilateral_row();
    s.problem.law[2 * i + 1] = friction_row(mu[i], 0, 2 * i);
    s.problem.rho_inv[2 * i] = s.problem.rho_inv[2 * i + 1] =
        impulse_weight(s.problem.G(2 * i, 2 * i), s.problem.G(2 * i + 1, 2 * i + 1));
  }
  return s;
}

// Equations and inequalities in Λ of one choice of states.
void add_states_as_polyhedron(const PlanarProblem<R>& p, const RowState* state, complementarity::SolutionSet& set) {
  const int n = p.rows;
  Eigen::MatrixXd E = Eigen::MatrixXd::Zero(n, n), C = Eigen::MatrixXd::Zero(2 * n, n);
  Eigen::VectorXd e = Eigen::VectorXd::Zero(n), d = Eigen::VectorXd::Zero(2 * n);
  int inequalities = 0;
  const auto xi = [&](Eigen::MatrixXd& A, Eigen::VectorXd& a, int to, int row, double sign) {
    for (int c = 0; c < n; ++c) A(to, c) = sign * p.G(row, c);
    a[to] = sign * p.b[row];
  };
  for (int r = 0; r < n; ++r) {
    const RowLaw& law = p.law[r];
    if (state[r] == RowState::inner) {  // ξ = 0, Λ between its bounds
      xi(E, e, r, r, 1);
      C(inequalities, r) = 1;
      if (law.governor >= 0) C(inequalities, law.governor) = -law.lower_mu;
      ++inequalities;
      if (law.upper == math::infinity) continue;
      C(inequalities, r) = -1;
      if (law.governor >= 0) C(inequalities, law.governor) = law.upper_mu;
      ++inequalities;
      continue;
    }
    const BoundImpulse bound = bound_impulse(law, state[r]);  // Λ at its bound, ξ on the side of it
    E(r, r) = 1;
    if (law.governor >= 0) E(r, law.governor) = -bound.factor;
    const bool unloaded = law.governor >= 0 && state[law.governor] == RowState::lower;
    if (!law.is_pinned() && !unloaded) {
      xi(C, d, inequalities++, r, state[r] == RowState::lower ? 1 : -1);
    }
  }
  set.add_polyhedron(E, e, C.topRows(inequalities), d.head(inequalities));
}

ContactSolution describe(const Eigen::VectorXd& Lambda, const Eigen::MatrixXd& G, const Eigen::VectorXd& b,
                         const Eigen::VectorXd& mu, double v_ref) {
  ContactSolution s;
  s.Lambda = Lambda;
  for (Eigen::Index i = 0; i < mu.size(); ++i) {
    s.Lambda[2 * i] = std::max(0.0, s.Lambda[2 * i]);
    const double bound = mu[i] * s.Lambda[2 * i];
    s.Lambda[2 * i + 1] = std::clamp(s.Lambda[2 * i + 1], -bound, bound);
  }
  s.xi = G * s.Lambda + b;
  for (Eigen::Index i = 0; i < mu.size(); ++i) {
    const Eigen::Index N = 2 * i, T = N + 1;
    const double r = law_residual(s.Lambda[N], s.Lambda[T], s.xi[N], s.xi[T], mu[i], impulse_weight(G(N, N), G(T, T)));
    s.residual = std::max(s.residual, r / v_ref);
  }
  return s;
}

}  // namespace

ContactSolutions enumerate_contact_solutions(const Eigen::MatrixXd& G, const Eigen::VectorXd& b,
                                             const Eigen::VectorXd& mu, double tolerance) {
  check(G, b, mu);
  const Scaled scaled = scale(G, b, mu);
  const PlanarProblem<R>& p = scaled.problem;
  const int n = p.rows;
  complementarity::SolutionSet set(n, tolerance, piece_limit, work_limit);

  PlanarSolution<R> s;
  first_states(p, s.state);
  do {
    int unknowns = 0;
    for (int r = 0; r < n; ++r) unknowns += s.state[r] == RowState::inner ? 1 : 0;
    clear_impulses(p, s);
    if (impulses_for_states(p, s).rank < unknowns) {
      add_states_as_polyhedron(p, s.state, set);
      continue;
    }
    double size = 1;
    for (int i = 0; i < n; ++i) size = std::max(size, std::abs(s.Lambda[i]));
    if (state_violation(p, s) <= tolerance * size) set.add_point(Eigen::Map<const Eigen::VectorXd>(s.Lambda.data, n));
  } while (set.complete() && next_states(p, s.state));

  ContactSolutions result;
  result.complete = set.complete();
  for (const complementarity::SolutionPiece& piece : set.maximal_pieces()) {
    ContactFace face;
    face.dimension = piece.dimension;
    bool certified = true;
    for (const auto& vertex : piece.vertices) {
      face.vertices.push_back(describe(scaled.Lambda_unit.cwiseProduct(vertex), G, b, mu, scaled.v_ref));
      certified = certified && face.vertices.back().residual <= default_certificate_tolerance;
    }
    if (!certified) {  // never reported; the list is then not called complete
      result.complete = false;
      continue;
    }
    if (piece.dimension == 0) {
      result.isolated.push_back(face.vertices.front());
      continue;
    }
    for (const auto& ray : piece.rays) {
      const Eigen::VectorXd direction = scaled.Lambda_unit.cwiseProduct(ray);
      face.rays.emplace_back(direction / direction.cwiseAbs().maxCoeff());
    }
    result.faces.push_back(std::move(face));
  }
  return result;
}

}  // namespace picus::contact
