#include "picus/run/stiffness.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "picus/checks/stiffness_check.hpp"
#include "picus/formula/derivative.hpp"
#include "picus/model/mechanism.hpp"

namespace picus::run {
namespace {

using checks::Linearisation;
using Eigen::Index;
using formula::Node;
using formula::Pool;

// Dense matrices of this size are looked at within the time of some steps.
constexpr std::size_t most_coordinates = 300;

// Entries of a matrix by formulas; the others are zero.
struct Entries {
  std::vector<std::pair<Index, Index>> places;
  std::vector<Node> nodes;

  void add_derivatives(Pool& pool, Node of, Index row, const mechanics::SymbolList& symbols) {
    for (const int j : symbols.numbers_in(pool, of)) {
      const Node n = formula::Derivative(pool, symbols[static_cast<std::size_t>(j)]).of(of);
      if (pool.is_constant(n, 0)) continue;
      places.emplace_back(row, static_cast<Index>(j));
      nodes.push_back(n);
    }
  }
  // From results of a program, the first of which is that behind `first`.
  void fill(const mechanics::GatheredProgram& program, std::size_t first, Eigen::MatrixXd& A) const {
    A.setZero();
    for (std::size_t k = 0; k < places.size(); ++k) {
      A(places[k].first, places[k].second) = program.result(static_cast<int>(first + k));
    }
  }
};

// Matrices of forces by q and u, of constraints by q, and the mass, in one program.
struct Formulas {
  Entries K, C, W, bending;  // bending: by q of the entries of W, in their order
  std::vector<Node> M, h;    // M: lower triangle; h where there are constraints
  mechanics::GatheredProgram program;

  void compile(const model::Mechanism& mechanism, const Pool& pool) {
    std::vector<Node> all;
    for (const std::vector<Node>* nodes : {&K.nodes, &C.nodes, &W.nodes, &M, &h, &bending.nodes}) {
      all.insert(all.end(), nodes->begin(), nodes->end());
    }
    program = mechanism.compile(pool, all);
  }
};

std::vector<std::string> names_of(const std::vector<mechanics::Quantity>& quantities) {
  std::vector<std::string> names;
  for (const mechanics::Quantity& q : quantities) names.push_back(q.name);
  return names;
}

checks::StiffnessCheck::Linearise planar_matrices(const model::Mechanism& mechanism, Pool& pool) {
  const mechanics::SystemEquations& e = mechanism.definition().equations;
  Formulas f;
  for (std::size_t i = 0; i < e.dynamics.h.size(); ++i) {
    f.K.add_derivatives(pool, e.dynamics.h[i], static_cast<Index>(i), e.symbols.q);
    f.C.add_derivatives(pool, e.dynamics.h[i], static_cast<Index>(i), e.symbols.u);
  }
  const mechanics::AssemblyParts& parts = mechanism.body_parts();
  const bool is_pulled = parts.gravity.x != 0 || parts.gravity.y != 0;
  if (f.K.nodes.empty() && f.C.nodes.empty() && (e.constraints.empty() || !is_pulled)) return {};
  for (std::size_t r = 0; r < e.constraints.size(); ++r) {
    f.W.add_derivatives(pool, e.constraints[r].g, static_cast<Index>(r), e.symbols.q);
  }
  for (std::size_t k = 0; k < f.W.nodes.size(); ++k) {
    f.bending.add_derivatives(pool, f.W.nodes[k], static_cast<Index>(k), e.symbols.q);
  }
  if (!e.constraints.empty()) f.h = e.dynamics.h;
  f.M = mechanics::flattened(e.dynamics.M);
  f.compile(mechanism, pool);
  std::vector<double> masses, weights;  // of bodies, whose coordinates come first
  for (const mechanics::Body& body : parts.bodies) {
    if (body.is_fixed) continue;
    masses.insert(masses.end(), {body.mass, body.mass, body.inertia});
    weights.insert(weights.end(), {body.mass * parts.gravity.x, body.mass * parts.gravity.y, 0});
  }
  const auto n = static_cast<Index>(e.symbols.q.size()), constraints = static_cast<Index>(e.constraints.size());
  const auto dense = static_cast<Index>(e.dynamics.M.size());
  return [f, masses, weights, n, constraints, dense](std::span<const double> q, std::span<const double> u, double t,
                                                     Linearisation& l) mutable {
    f.program.run(q.data(), u.data(), t);
    for (Eigen::MatrixXd* A : {&l.M, &l.K, &l.C}) A->setZero(n, n);
    l.W.resize(constraints, n);
    f.K.fill(f.program, 0, l.K);
    f.C.fill(f.program, f.K.nodes.size(), l.C);
    f.W.fill(f.program, f.K.nodes.size() + f.C.nodes.size(), l.W);
    for (std::size_t i = 0; i < masses.size(); ++i) {
      l.M(static_cast<Index>(i), static_cast<Index>(i)) = masses[i];
    }
    int k = static_cast<int>(f.K.nodes.size() + f.C.nodes.size() + f.W.nodes.size());
    for (Index i = n - dense; i < n; ++i) {
      for (Index j = n - dense; j <= i; ++j) l.M(i, j) = l.M(j, i) = f.program.result(k++);
    }
    for (std::size_t i = 0; i < f.h.size(); ++i) l.h(static_cast<Index>(i)) = f.program.result(k++);
    for (std::size_t i = 0; i < weights.size(); ++i) l.h(static_cast<Index>(i)) += weights[i];
    l.bending.clear();
    for (const auto& [of_W, j] : f.bending.places) {
      const auto [r, i] = f.W.places[static_cast<std::size_t>(of_W)];
      l.bending.push_back({r, i, j, f.program.result(k++)});
    }
    const auto is_finite = [](const Linearisation::Bending& b) { return std::isfinite(b.value); };
    return l.K.allFinite() && l.C.allFinite() && l.M.allFinite() && l.W.allFinite() && l.h.allFinite() &&
           std::all_of(l.bending.begin(), l.bending.end(), is_finite);
  };
}

// Six rows a body that moves: three of the force, three of the moment. A turn δθ about the world's axes changes the
// quaternion by ½ (0, δθ) ⊗ Q.
checks::StiffnessCheck::Linearise spatial_matrices(const model::Mechanism& mechanism, Pool& pool) {
  const modelfile::Definition& d = mechanism.definition();
  const mechanics::Symbols& s = d.equations.symbols;
  Formulas f;
  std::vector<double> masses;  // and three moments, of each
  Index row = 0;
  const mechanics::SpatialParts& parts = mechanism.spatial_parts();
  for (std::size_t b = 0; b < d.space->bodies.size(); ++b) {
    if (d.bodies[b].is_fixed) continue;
    const modelfile::SpatialBodyDefinition& body = d.space->bodies[b];
    const mechanics::SpatialBody& numbers = parts.bodies[b];
    masses.insert(masses.end(), {numbers.mass, numbers.inertia[0], numbers.inertia[1], numbers.inertia[2]});
    for (const auto* three : {&body.force, &body.moment}) {
      for (const Node n : *three) {
        if (body.is_forced) {
          f.K.add_derivatives(pool, n, row, s.q);
          f.C.add_derivatives(pool, n, row, s.u);
        }
        ++row;
      }
    }
  }
  if (f.K.nodes.empty() && f.C.nodes.empty()) return {};
  f.compile(mechanism, pool);
  const auto bodies = static_cast<Index>(masses.size() / 4);
  const Eigen::MatrixXd zero = Eigen::MatrixXd::Zero(6 * bodies, 7 * bodies);
  return [f, masses, bodies, by_pose = zero](std::span<const double> q, std::span<const double> u, double t,
                                             Linearisation& l) mutable {
    f.program.run(q.data(), u.data(), t);
    const Index n = 6 * bodies;
    f.K.fill(f.program, 0, by_pose);
    for (Eigen::MatrixXd* A : {&l.M, &l.K, &l.C}) A->setZero(n, n);
    l.W.resize(0, n);
    f.C.fill(f.program, f.K.nodes.size(), l.C);
    for (Index b = 0; b < bodies; ++b) {
      const double* turn = q.data() + 7 * b + 3;
      const double w = turn[0], x = turn[1], y = turn[2], z = turn[3];
      Eigen::Matrix<double, 4, 3> by_turn;
      by_turn << -x, -y, -z, w, z, -y, -z, w, x, y, -x, w;
      l.K.middleCols(6 * b, 3) = by_pose.middleCols(7 * b, 3);
      l.K.middleCols(6 * b + 3, 3) = 0.5 * by_pose.middleCols(7 * b + 3, 4) * by_turn;
      const double* m = masses.data() + 4 * b;
      const Eigen::Matrix3d R = Eigen::Quaterniond(w, x, y, z).toRotationMatrix();
      l.M.block<3, 3>(6 * b, 6 * b) = m[0] * Eigen::Matrix3d::Identity();
      l.M.block<3, 3>(6 * b + 3, 6 * b + 3) = R * Eigen::Vector3d(m[1], m[2], m[3]).asDiagonal() * R.transpose();
    }
    return l.K.allFinite() && l.C.allFinite() && l.M.allFinite();
  };
}

// x, y, z and turns of each body.
std::vector<std::string> pose_names(const modelfile::Definition& d) {
  const std::vector<std::string> all = names_of(d.description.coordinates),
                                 velocities = names_of(d.description.velocities);
  std::vector<std::string> names;
  for (std::size_t i = 0; i < velocities.size(); ++i) {
    const std::size_t body = i / 6, k = i % 6;
    names.push_back(k < 3 ? all[7 * body + k] : "the attitude of " + velocities[i]);
  }
  return names;
}

}  // namespace

std::unique_ptr<checks::StepCheck> stiffness_check(const model::Mechanism& mechanism,
                                                   const options::StepOptions& options) {
  const modelfile::Definition& d = mechanism.definition();
  if (d.equations.symbols.u.size() > most_coordinates) return nullptr;
  Pool pool = d.pool;
  auto matrices = d.space ? spatial_matrices(mechanism, pool) : planar_matrices(mechanism, pool);
  if (!matrices) return nullptr;
  // In space its equations are solved by an iteration that such forces take apart.
  const bool has_implicit_method = !d.space && !needs_sparse_kernel(d);
  return std::make_unique<checks::StiffnessCheck>(
      std::move(matrices),
      checks::StiffnessCheck::Names{d.space ? pose_names(d) : names_of(d.description.coordinates),
                                    names_of(d.description.velocities)},
      static_cast<Index>(d.space ? 0 : d.equations.constraints.size()), options.method, options.dt,
      has_implicit_method ? ", or --method moreau-jean, which takes forces where the step ends, too" : "");
}

}  // namespace picus::run
