#include "picus/acceleration/solution_collection.hpp"

#include <algorithm>
#include <cmath>

namespace picus::acceleration {

using Eigen::VectorXd;

namespace {

constexpr std::size_t piece_limit = 20000;
constexpr double work_limit = 2e9;

bool same(const VectorXd& a, const VectorXd& other, double size) {
  return (a - other).cwiseAbs().maxCoeff() <= same_acceleration * size;
}

// Forces put inside their bounds, where round-off has left them outside.
void clean(const ScaledProblem& p, VectorXd& c) {
  for (const ScaledContact& contact : p.contacts) {
    if (contact.normal >= 0) c[contact.normal] = std::max(0.0, c[contact.normal]);
    if (contact.rows == 0) continue;
    auto c_T = c.segment(contact.tangent, contact.rows);
    const double sigma = contact.bound(c), size = c_T.norm();
    if (contact.given) {
      c_T = sigma * contact.direction.head(contact.rows);
    } else if (size > sigma) {
      c_T *= sigma / size;
    }
  }
}

}  // namespace

double size_of_terms(const ScaledProblem& p, const VectorXd& c) {
  if (c.size() == 0) return 1;
  return std::max({1.0, (p.A.cwiseAbs() * c.cwiseAbs()).maxCoeff(), c.cwiseAbs().maxCoeff()});
}

AccelerationSolution describe(const AccelerationProblem& problem, const ScaledProblem& p, VectorXd c) {
  clean(p, c);
  AccelerationSolution s;
  s.residual = p.residual(c, p.exact_accelerations(c));
  s.c = p.unscaled_forces(c, problem.b.size());
  s.a = problem.A * s.c + problem.b;
  const double rest = 1e-9 * size_of_terms(p, c) * p.a_ref;
  int row = 0;
  for (std::size_t i = 0; i < problem.contacts.size(); ++i) {
    const ForceContact& contact = problem.contacts[i];
    ForceState state = contact.rolling ? ForceState::rolling : ForceState::sliding;
    const int tangent = row + (contact.has_normal ? 1 : 0);
    for (int t = 0; t < contact.tangential; ++t) {
      if (std::abs(contact.axes[t] * s.a[tangent + t]) > rest) state = ForceState::sliding;
    }
    if (contact.has_normal && !(c[p.contacts[i].normal] > tolerance * 1e-3)) state = ForceState::open;
    s.state.push_back(state);
    row += contact.rows();
  }
  return s;
}

SolutionCollection::SolutionCollection(const ScaledProblem& p)
    : p_(p), set_(p.rows(), tolerance, piece_limit, work_limit) {}

void SolutionCollection::take(const VectorXd& c, AccelerationSolutions& all) {
  const VectorXd a = p_.exact_accelerations(c);
  const double size = size_of_terms(p_, c);
  for (std::size_t i = 0; i < a_.size(); ++i) {
    if (!same(a, a_[i], size)) continue;
    if (!same(c, c_[i], size)) all.indeterminate_forces = true;
    return;
  }
  c_.push_back(c);
  a_.push_back(a);
}

AccelerationSolutions SolutionCollection::solutions(const AccelerationProblem& problem) {
  AccelerationSolutions all;
  all.complete = set_.complete();
  for (const complementarity::SolutionPiece& piece : set_.maximal_pieces()) {
    if (piece.dimension == 0) {
      take(piece.vertices[0], all);
      continue;
    }
    // Do accelerations differ within the face, and are there forces that change none?
    VectorXd middle = VectorXd::Zero(p_.rows());
    for (const VectorXd& vertex : piece.vertices) middle += vertex / static_cast<double>(piece.vertices.size());
    const VectorXd a = p_.accelerations(middle);
    bool moves = false;
    for (const VectorXd& vertex : piece.vertices) {
      moves = moves || !same(p_.accelerations(vertex), a, size_of_terms(p_, vertex));
    }
    for (const VectorXd& ray : piece.rays) {
      moves = moves || (p_.A * ray).cwiseAbs().maxCoeff() > same_acceleration * size_of_terms(p_, ray);
    }
    if (moves) {
      all.continuum = true;
      for (const VectorXd& vertex : piece.vertices) take(vertex, all);
    } else {
      all.indeterminate_forces = true;
      take(middle, all);
    }
  }
  for (const VectorXd& c : c_) all.list.push_back(describe(problem, p_, c));
  return all;
}

}  // namespace picus::acceleration
