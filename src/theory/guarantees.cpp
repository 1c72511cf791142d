#include "picus/theory/guarantees.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <random>

#include "picus/acceleration/acceleration_solver.hpp"
#include "picus/acceleration/uniqueness_bounds.hpp"
#include "picus/math/dense.hpp"
#include "picus/theory/existence_bounds.hpp"

namespace picus::theory {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

// The smallest eigenvalue of A with ones on its diagonal, in the rows that can carry a force.
double smallest_scaled_eigenvalue(const acceleration::AccelerationProblem& problem) {
  std::vector<Eigen::Index> rows;
  Eigen::Index row = 0;
  for (const acceleration::ForceContact& contact : problem.contacts) {
    if (contact.has_normal) rows.push_back(row++);
    for (int t = 0; t < contact.tangential; ++t, ++row) {
      if (contact.axes[t] > 0) rows.push_back(row);
    }
  }
  if (rows.empty()) return 1;
  MatrixXd A = problem.A(rows, rows);
  const VectorXd scale = A.diagonal().cwiseSqrt();
  if (!(scale.minCoeff() > 0)) return 0;
  A = scale.cwiseInverse().asDiagonal() * A * scale.cwiseInverse().asDiagonal();
  return math::symmetric_eigenvalues(0.5 * (A + A.transpose()))[0];
}

// n_iᵀ M⁻¹ z ≥ 0 for z = c_n n_j + c_T in the cone of contact j: A_in,jn ≥ μ_j ‖E A_in,jT‖.
void ask_erdmann(const acceleration::AccelerationProblem& problem, Guarantees& g) {
  g.erdmann_each = g.erdmann_all = acceleration::Answer::yes;
  g.mu_erdmann = acceleration::unbounded;
  int n = 0;
  for (std::size_t i = 0; i < problem.contacts.size(); n += problem.contacts[i++].rows()) {
    if (!problem.contacts[i].has_normal) continue;
    int m = 0;
    for (std::size_t j = 0; j < problem.contacts.size(); m += problem.contacts[j++].rows()) {
      const acceleration::ForceContact& contact = problem.contacts[j];
      if (!contact.has_normal) continue;
      const double normal = problem.A(n, m);
      const double tangential = problem.A.row(n)
                                    .segment(m + 1, contact.tangential)
                                    .transpose()
                                    .cwiseProduct(contact.axes.head(contact.tangential))
                                    .norm();
      const double size = std::sqrt(problem.A(n, n) * problem.A(m, m));
      const bool holds = normal - contact.mu * tangential >= -1e-12 * size;
      if (!holds) g.erdmann_all = acceleration::Answer::no;
      if (i != j) continue;
      if (!holds) g.erdmann_each = acceleration::Answer::no;
      if (tangential > 1e-14 * size) g.mu_erdmann = std::min(g.mu_erdmann, normal / tangential);
    }
  }
}

std::vector<double> coefficients(const acceleration::FrictionModel& model) {
  std::vector<double> mu;
  for (const acceleration::FrictionModel::Contact& contact : model.contacts) mu.push_back(contact.mu);
  return mu;
}

// Existence bound of the sliding contacts: linear programs, or cᵀ A c ≤ Σ μ_i c_in |(A c)_iT| over them.
double bound_of_existence(const acceleration::FrictionModel& model, bool positive_definite) {
  std::vector<double> sliding;
  bool only_sliding = true, some_sliding = false;
  for (const acceleration::FrictionModel::Contact& contact : model.contacts) {
    sliding.push_back(contact.slides ? 1 : 0);
    only_sliding = only_sliding && (contact.slides || contact.rows == 0);
    some_sliding = some_sliding || (contact.slides && contact.rows > 0);
  }
  if (!some_sliding && positive_definite) return acceleration::unbounded;
  double bound = existence_bound(model);
  if (positive_definite) bound = std::max(bound, bound_by_energy(model, sliding));
  if (only_sliding) bound = std::max(bound, bound_by_determinants(model));
  return bound;
}

// A b without a solution, or with several, shows that there is no guarantee.
class Trials {
 public:
  explicit Trials(const acceleration::AccelerationProblem& problem) : problem_(problem) {
    double count = 1;
    for (const acceleration::ForceContact& contact : problem.contacts) count *= contact.rolling ? 4 : 2;
    trials_ = count <= 256 ? 24 : count <= acceleration::state_limit ? 1 : 0;
  }

  void run(Guarantees& g) {
    std::mt19937 random(1);
    std::normal_distribution<double> normal;
    for (int trial = 0; trial < trials_; ++trial) {
      if (g.existence != acceleration::Answer::unknown && g.uniqueness != acceleration::Answer::unknown) return;
      const acceleration::AccelerationSolutions all = find_all_accelerations(problem_);
      if (g.existence == acceleration::Answer::unknown && all.list.empty() && all.complete)
        g.existence = acceleration::Answer::no;
      if (g.uniqueness == acceleration::Answer::unknown && (all.list.size() > 1 || all.continuum))
        g.uniqueness = acceleration::Answer::no;
      // The next b is one that forces can cause, in the range of A.
      VectorXd force(problem_.b.size());
      for (Eigen::Index r = 0; r < force.size(); ++r) force[r] = normal(random) / std::sqrt(problem_.A(r, r) + 1e-300);
      problem_.b = problem_.A * force;
    }
  }

 private:
  acceleration::AccelerationProblem problem_;
  int trials_ = 0;
};

}  // namespace

Guarantees examine(const acceleration::AccelerationProblem& problem) {
  problem.validate();
  Guarantees g;
  g.smallest_eigenvalue = smallest_scaled_eigenvalue(problem);
  g.positive_definite = g.smallest_eigenvalue > acceleration::definite_threshold;
  ask_erdmann(problem, g);

  // Bounds for all coefficients, …
  const acceleration::FrictionModel all(problem, true);
  const std::vector<double> ones(all.contacts.size(), 1);
  g.mu_existence = bound_of_existence(all, g.positive_definite);
  g.mu_unique = bound_by_determinants(all);
  if (g.mu_unique == 0) g.mu_unique = std::max(bound_by_choices(all, ones), bound_by_energy(all, ones));
  g.mu_unique_simple = bound_by_norms(all);

  // … and answers for those given.
  const acceleration::FrictionModel model(problem, false);
  const std::vector<double> mu = coefficients(model);
  const bool has_load_friction = std::any_of(mu.begin(), mu.end(), [](double x) { return x > 0; });
  bool exactly_one = false;
  g.uniqueness = is_unique_by_determinants(model);
  exactly_one = g.uniqueness == acceleration::Answer::yes;
  if (g.uniqueness == acceleration::Answer::unknown) {
    exactly_one = bound_by_choices(model, mu) > 1;
    // Without friction that follows the load the laws are monotone: A δc = 0 for two solutions.
    if (exactly_one || !has_load_friction || bound_by_energy(model, mu) > 1) g.uniqueness = acceleration::Answer::yes;
  }
  double largest_sliding = 0;
  for (const acceleration::FrictionModel::Contact& contact : model.contacts) {
    if (contact.slides) largest_sliding = std::max(largest_sliding, contact.mu);
  }
  g.by_A = g.positive_definite && largest_sliding < g.mu_existence;
  g.condition_B = holds_condition_B(model, model.to_scaled * problem.b);
  g.by_B = g.condition_B == acceleration::Answer::yes;
  g.for_every_b = g.by_A || exactly_one || exists_for_every_b(model) == acceleration::Answer::yes;
  if (g.for_every_b || g.by_B) g.existence = acceleration::Answer::yes;
  Trials(problem).run(g);
  return g;
}

}  // namespace picus::theory
