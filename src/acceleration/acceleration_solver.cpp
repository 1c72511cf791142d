#include "picus/acceleration/acceleration_solver.hpp"

#include <algorithm>
#include <random>
#include <utility>

#include "picus/acceleration/cone_search.hpp"
#include "picus/acceleration/solution_collection.hpp"
#include "picus/acceleration/uniqueness_bounds.hpp"
#include "picus/complementarity/lemke.hpp"

namespace picus::acceleration {
namespace {

using Eigen::VectorXd;
using Friction = ContactMode::Friction;

constexpr double newton_tolerance = 1e-12;

// Forces of modes that solve the problem, where the matrix of the modes is regular.
std::optional<VectorXd> try_modes(const ScaledProblem& p, const Modes& modes, bool& singular) {
  const auto c = forces_of(p, modes);
  singular = !c;
  if (!c) return std::nullopt;
  if (!(violation(p, modes, *c, p.exact_accelerations(*c)) <= tolerance * size_of_terms(p, *c))) return std::nullopt;
  return c;
}

// Forces to which Newton's method leads from given directions of sliding.
std::optional<VectorXd> try_newton(const ScaledProblem& p, const Modes& modes) {
  VectorXd c = forces_of(p, modes).value_or(VectorXd::Zero(p.rows()));
  if (!(newton(p, c) <= newton_tolerance * size_of_terms(p, c))) return std::nullopt;
  return c;
}

int begin_to_slide_in_space(const ScaledProblem& p, const Modes& modes) {
  int count = 0;
  for (std::size_t i = 0; i < modes.size(); ++i) {
    if (p.contacts[i].rows > 1 && modes[i].friction == Friction::slides) ++count;
  }
  return count;
}

bool some_rest_in_space(const ScaledProblem& p, const Modes& modes) {
  for (std::size_t i = 0; i < modes.size(); ++i) {
    if (p.contacts[i].rows > 1 && modes[i].friction == Friction::rest) return true;
  }
  return false;
}

// All solutions, choice by choice.
class Search {
 public:
  explicit Search(const ScaledProblem& p) : p_(p), found_(p) {}

  void examine(Modes modes) {
    const int sliding = begin_to_slide_in_space(p_, modes);
    if (sliding > 1) {
      examine_by_newton(modes);
    } else if (sliding == 1) {
      examine_directions(modes);
    } else {
      examine_linear(modes);
    }
  }
  bool goes_on() const { return found_.complete(); }
  AccelerationSolutions solutions(const AccelerationProblem& problem) {
    AccelerationSolutions all = found_.solutions(problem);
    all.complete = all.complete && complete_;
    all.continuum = all.continuum || continuum_;
    all.indeterminate_forces = all.indeterminate_forces || indeterminate_;
    return all;
  }

 private:
  void examine_linear(const Modes& modes) {
    bool singular = false;
    if (const auto c = try_modes(p_, modes, singular)) found_.add_point(*c);
    if (!singular) return;
    if (!some_rest_in_space(p_, modes)) {
      found_.add_face(modes);
    } else if (const auto point = point_in_cones(p_, modes, tolerance)) {
      found_.add_point(point->c);
      if (point->moves) {
        continuum_ = true;
      } else if (point->is_family) {
        indeterminate_ = true;
      }
    }
  }

  void examine_directions(Modes& modes) {
    std::size_t i = 0;
    while (!(p_.contacts[i].rows > 1 && modes[i].friction == Friction::slides)) ++i;
    const SlidingDirections directions = sliding_directions(p_, modes, i);
    if (!directions.decided) {
      examine_by_newton(modes);
      return;
    }
    for (const Eigen::Vector3d& u : directions.u) {
      modes[i].u = u;
      bool singular = false;
      auto c = try_modes(p_, modes, singular);
      if (!c) continue;
      newton(p_, *c, 3);  // the direction has the round-off of an eigenvalue
      found_.add_point(*c);
      // A circle of directions, unless the contact does not move at all.
      const VectorXd a = p_.accelerations(*c);
      const double speed = a.segment(p_.contacts[i].tangent, p_.contacts[i].rows).norm();
      if (directions.continuum && speed > same_acceleration * size_of_terms(p_, *c)) continuum_ = true;
    }
  }

  void examine_by_newton(Modes& modes) {
    complete_ = false;
    for (int start = 0; start < starts; ++start) {
      for (std::size_t i = 0; i < modes.size(); ++i) {
        const ScaledContact& contact = p_.contacts[i];
        if (contact.rows < 2 || modes[i].friction != Friction::slides) continue;
        Eigen::Vector3d u = Eigen::Vector3d::Zero();
        for (int t = 0; t < contact.rows; ++t) u[t] = start == 0 ? p_.b[contact.tangent + t] : normal_(random_);
        modes[i].u = u.norm() > 0 ? Eigen::Vector3d(u / u.norm()) : Eigen::Vector3d::UnitX();
      }
      if (const auto c = try_newton(p_, modes)) found_.add_point(*c);
    }
  }

  static constexpr int starts = 12;
  const ScaledProblem& p_;
  SolutionCollection found_;
  bool complete_ = true, continuum_ = false, indeterminate_ = false;
  std::minstd_rand random_{1};
  std::normal_distribution<double> normal_;
};

// Modes meant by states: each planar contact that begins to slide may do so either way, given by the bits of `signs`;
// contacts in space in the direction of their free acceleration.
Modes modes_for(const ScaledProblem& p, const std::vector<ForceState>& states, unsigned signs, int& planar_sliding) {
  Modes modes;
  planar_sliding = 0;
  for (std::size_t i = 0; i < states.size(); ++i) {
    const ScaledContact& contact = p.contacts[i];
    ContactMode mode;
    mode.closed = contact.normal >= 0 && states[i] != ForceState::open;
    const bool loaded = contact.constant > 0 || (mode.closed && contact.mu > 0);
    if (!contact.given && contact.rows > 0 && loaded) {
      mode.friction = states[i] == ForceState::rolling ? Friction::rest : Friction::slides;
      const VectorXd b_T = p.b.segment(contact.tangent, contact.rows);
      mode.u.head(contact.rows) = b_T.norm() > 0 ? VectorXd(b_T / b_T.norm()) : VectorXd::Unit(contact.rows, 0);
      if (contact.rows == 1 && mode.friction == Friction::slides && (signs >> planar_sliding++) % 2 == 1) mode.u *= -1;
    }
    modes.push_back(mode);
  }
  return modes;
}

// Forces for the states guessed: one linear solve, or two for each planar contact that begins to slide; a few steps of
// Newton's method where one in space does.
std::optional<VectorXd> try_guess(const ScaledProblem& p, const std::vector<ForceState>& guess) {
  if (guess.size() != p.contacts.size()) return std::nullopt;
  int planar_sliding = 0;
  for (unsigned signs = 0; signs < 1U << std::min(planar_sliding, 4); ++signs) {
    const Modes modes = modes_for(p, guess, signs, planar_sliding);
    const bool in_space = begin_to_slide_in_space(p, modes) > 0;
    bool singular = false;
    if (const auto c = in_space ? try_newton(p, modes) : try_modes(p, modes, singular)) return c;
  }
  return std::nullopt;
}

// Lemke's method on the LCP of Stewart & Trinkle (1996): c_T = β₁ − β₂, 0 ≤ λ ⟂ σ − β₁ − β₂ ≥ 0. Planar contacts only.
std::optional<VectorXd> try_lemke(const ScaledProblem& p) {
  const Eigen::Index rows = p.rows();
  Eigen::Index size = 0;
  for (const ScaledContact& contact : p.contacts) {
    if (contact.rows > 1 && !contact.given) return std::nullopt;
    size += (contact.normal >= 0 ? 1 : 0) + (contact.rows == 0 || contact.given ? 0 : 3);
  }
  Eigen::MatrixXd B = Eigen::MatrixXd::Zero(rows, size), left = B.transpose(), rest = Eigen::MatrixXd::Zero(size, size);
  VectorXd c_0 = VectorXd::Zero(rows), constant = VectorXd::Zero(size);
  Eigen::Index x = 0;
  for (const ScaledContact& contact : p.contacts) {
    const Eigen::Index n = contact.normal >= 0 ? x++ : -1;
    if (n >= 0) B(contact.normal, n) = left(n, contact.normal) = 1;
    if (contact.rows == 0) continue;
    if (contact.given) {
      const VectorXd direction = contact.direction.head(contact.rows);
      c_0.segment(contact.tangent, contact.rows) = contact.constant * direction;
      if (n >= 0) B.block(contact.tangent, n, contact.rows, 1) = contact.mu * direction;
      continue;
    }
    const Eigen::Index plus = x++, minus = x++, lambda = x++;
    B(contact.tangent, plus) = left(plus, contact.tangent) = 1;
    B(contact.tangent, minus) = left(minus, contact.tangent) = -1;
    rest(plus, lambda) = rest(minus, lambda) = 1;
    rest(lambda, plus) = rest(lambda, minus) = -1;
    if (n >= 0) rest(lambda, n) = contact.mu;
    constant[lambda] = contact.constant;
  }
  const complementarity::LemkeResult result =
      complementarity::solve_lemke({left * p.A * B + rest, left * (p.A * c_0 + p.b) + constant});
  if (result.status != complementarity::LemkeResult::Status::solved) return std::nullopt;
  VectorXd c = B * result.solution.x + c_0;
  // The states found are solved once more.
  if (const auto again = forces_of(p, modes_shown(p, c, p.accelerations(c), 1e-8))) {
    const double before = p.residual(c, p.exact_accelerations(c));
    if (p.residual(*again, p.exact_accelerations(*again)) < before) c = *again;
  }
  if (!(p.residual(c, p.exact_accelerations(c)) <= tolerance * size_of_terms(p, c))) return std::nullopt;
  return c;
}

// Newton's method from the free motion.
std::optional<VectorXd> try_newton_from_nothing(const ScaledProblem& p) {
  VectorXd c = VectorXd::Zero(p.rows());
  if (!(newton(p, c) <= newton_tolerance * size_of_terms(p, c))) return std::nullopt;
  return c;
}

AccelerationSolutions search_all(const AccelerationProblem& problem, const ScaledProblem& p) {
  ModeCounter counter(p);
  Search search(p);
  do search.examine(counter.current());
  while (search.goes_on() && counter.next());
  return search.solutions(problem);
}

std::optional<VectorXd> search_one(const ScaledProblem& p, const std::vector<ForceState>& guess) {
  if (auto c = try_guess(p, guess)) return c;
  if (auto c = try_newton_from_nothing(p)) return c;
  return try_lemke(p);
}

// One solution found, and proven to be the only one.
bool is_proven_unique(const AccelerationProblem& problem) {
  const FrictionModel model(problem, false);
  std::vector<double> mu;
  for (const FrictionModel::Contact& contact : model.contacts) mu.push_back(contact.mu);
  return bound_by_energy(model, mu) > 1 || bound_by_choices(model, mu) > 1;
}

bool is_small(const ScaledProblem& p) { return ModeCounter(p).count() <= state_limit; }

}  // namespace

AccelerationSolutions find_all_accelerations(const AccelerationProblem& problem) {
  problem.validate();
  const ScaledProblem p(problem);
  AccelerationSolutions all;
  if (is_small(p)) {
    all = search_all(problem, p);
  } else {
    all.complete = false;
    if (const auto c = search_one(p, {})) all.list.push_back(describe(problem, p, *c));
  }
  if (!all.complete && all.list.size() == 1 && !all.continuum) all.complete = is_proven_unique(problem);
  return all;
}

std::optional<AccelerationSolution> solve_accelerations(const AccelerationProblem& problem,
                                                        const std::vector<ForceState>& first_guess) {
  problem.validate();
  const ScaledProblem p(problem);
  if (const auto c = search_one(p, first_guess)) return describe(problem, p, *c);
  if (!is_small(p)) return std::nullopt;
  AccelerationSolutions all = search_all(problem, p);
  if (all.list.empty()) return std::nullopt;
  return std::move(all.list.front());
}

}  // namespace picus::acceleration
