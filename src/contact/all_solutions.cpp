#include "picus/contact/all_solutions.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "picus/complementarity/solution_set.hpp"
#include "picus/contact/certificate.hpp"
#include "picus/contact/contact_states.hpp"
#include "picus/support/error.hpp"

namespace picus::contact {
namespace {

constexpr int K = all_solutions_contact_limit;
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
  PlanarProblem<K> problem;
  Eigen::VectorXd Lambda_unit;
  double v_ref = 1;
};

Scaled scale(const Eigen::MatrixXd& G, const Eigen::VectorXd& b, const Eigen::VectorXd& mu) {
  Scaled s;
  const int k = static_cast<int>(mu.size());
  s.problem.count = k;
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
    s.problem.mu[i] = mu[i];
    s.problem.rho_inv[i] = impulse_weight(s.problem.G(2 * i, 2 * i), s.problem.G(2 * i + 1, 2 * i + 1));
  }
  return s;
}

// Equations and inequalities in Λ of one choice of states.
void add_states_as_polyhedron(const PlanarProblem<K>& p, const ContactState* state, complementarity::SolutionSet& set) {
  const int n = 2 * p.count;
  Eigen::MatrixXd E = Eigen::MatrixXd::Zero(n, n), C = Eigen::MatrixXd::Zero(n, n);
  Eigen::VectorXd e = Eigen::VectorXd::Zero(n), d = Eigen::VectorXd::Zero(n);
  const auto xi = [&](Eigen::MatrixXd& A, Eigen::VectorXd& a, int to, int row, double sign) {
    for (int c = 0; c < n; ++c) A(to, c) = sign * p.G(row, c);
    a[to] = sign * p.b[row];
  };
  for (int i = 0; i < p.count; ++i) {
    const int N = normal_row(i), T = tangential_row(i);
    switch (state[i]) {
      case ContactState::open:  // Λ = 0, ξ_N ≥ 0
        E(N, N) = E(T, T) = 1;
        xi(C, d, N, N, 1);
        break;
      case ContactState::stick:  // ξ = 0, μ Λ_N ± Λ_T ≥ 0
        xi(E, e, N, N, 1);
        xi(E, e, T, T, 1);
        C(N, N) = C(T, N) = p.mu[i];
        C(N, T) = 1;
        C(T, T) = -1;
        break;
      default: {  // ξ_N = 0, Λ_T = ∓μ Λ_N, Λ_N ≥ 0, ±ξ_T ≥ 0
        const double sign = state[i] == ContactState::slip_positive ? 1 : -1;
        xi(E, e, N, N, 1);
        E(T, T) = 1;
        E(T, N) = sign * p.mu[i];
        C(N, N) = 1;
        if (p.mu[i] > 0) xi(C, d, T, T, sign);
      }
    }
  }
  set.add_polyhedron(E, e, C, d);
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
  const PlanarProblem<K>& p = scaled.problem;
  const int n = 2 * p.count;
  complementarity::SolutionSet set(n, tolerance, piece_limit, work_limit);

  math::Matrix<2 * K, 2 * K> A;
  math::Vector<2 * K> r;
  PlanarSolution<K> s;
  for (long code = 0; code < state_count(p.count) && set.complete(); ++code) {
    decode_states(code, p.count, s.state);
    if (is_redundant(p, s.state)) continue;
    const int unknowns = assemble_state_system(p, s.state, A, r);
    if (math::eliminate(unknowns, A, r).rank < unknowns) {
      add_states_as_polyhedron(p, s.state, set);
      continue;
    }
    double size = 1;
    const double violation = solve_for_states(p, s);
    for (int i = 0; i < n; ++i) size = std::max(size, std::abs(s.Lambda[i]));
    if (violation <= tolerance * size) set.add_point(Eigen::Map<const Eigen::VectorXd>(s.Lambda.data, n));
  }

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
