#include "picus/contact/sparse_solver.hpp"

#include <algorithm>
#include <cmath>

#include "picus/contact/certificate.hpp"
#include "picus/support/index.hpp"

namespace picus::contact {

namespace {

constexpr double smallest_epsilon = 1e-9;  // of a row's own compliance

int block_end(const SparseProblem& p, int first) {
  int end = first + 1;
  while (end < p.rows() && p.law[at(end)].governor == first) ++end;
  return end;
}

}  // namespace

double largest_residual(const SparseProblem& p, const std::vector<double>& Lambda) {
  std::vector<double> delta(at(p.velocities), 0);
  for (int r = 0; r < p.rows(); ++r) p.MinvW.add_to(r, Lambda[at(r)], delta.data());
  double worst = 0;
  for (int r = 0; r < p.rows();) {
    double square = 0;
    for (const int end = block_end(p, r); r < end; ++r) {
      const double xi = p.b[at(r)] + p.W.dot(r, delta.data());
      const double d = row_residual(Lambda[at(r)], xi, bounds_of(p.law[at(r)], Lambda), p.rho_inv[at(r)]);
      square += d * d;
    }
    worst = math::worse(worst, square);
  }
  return std::sqrt(worst);
}

double reference_velocity(const SparseProblem& p) {
  double largest = 0;
  for (int r = 0; r < p.rows();) {
    double square = 0;
    for (const int end = block_end(p, r); r < end; ++r) {
      const double part = math::abs(p.b[at(r)]) + p.law[at(r)].forced() * p.rho_inv[at(r)];
      square += part * part;
    }
    largest = math::worse(largest, square);
  }
  return std::sqrt(largest);
}

SparseOutcome SparseSolver::solve(const SparseProblem& p, double v_ref, SparseSolution& s) {
  const BlockReader::Change change = reader_.read(p);
  const BlockProblem& blocks = reader_.blocks();
  v_ref_ = v_ref;
  x_.resize(blocks);
  sweeps_.resize(blocks);
  states_.resize(blocks);
  gradient_.resize(blocks);
  interior_.resize(blocks);
  best_Lambda_.resize(blocks.b.size());
  best_state_.resize(blocks.b.size());
  before_.resize(blocks.b.size());
  other_.resize(blocks.b.size());
  if (kept_.size() < blocks.islands.size()) kept_.resize(blocks.islands.size());
  for (std::size_t r = 0; r < blocks.b.size(); ++r) {
    x_.Lambda[r] = v_ref == 0 ? 0 : s.Lambda[at(blocks.given_row[r])];  // nothing moves: no impulse is due
    x_.state[r] = s.state[at(blocks.given_row[r])];
  }

  SparseOutcome total;
  total.islands = static_cast<int>(blocks.islands.size());
  for (std::size_t k = 0; k < blocks.islands.size(); ++k) {
    if (change == BlockReader::Change::pattern) kept_[k].analysed = false;
    if (change != BlockReader::Change::nothing) kept_[k].factorised = false;
    SparseOutcome one;
    Task task{blocks, blocks.islands[k], kept_[k], options_.accept * v_ref, one};
    solve_island(task);
    total.violation = math::worse(total.violation, one.violation);
    total.sweeps = std::max(total.sweeps, one.sweeps);
    total.gradients = std::max(total.gradients, one.gradients);
    total.newton_steps = std::max(total.newton_steps, one.newton_steps);
    total.factorizations = std::max(total.factorizations, one.factorizations);
    total.by = std::max(total.by, one.by);
  }
  for (std::size_t r = 0; r < blocks.b.size(); ++r) {
    s.Lambda[at(blocks.given_row[r])] = best_Lambda_[r];
    s.state[at(blocks.given_row[r])] = best_state_[r];
  }
  total.found = total.violation <= options_.good_enough * v_ref;
  return total;
}

void SparseSolver::set_tolerance(double tolerance) {
  constexpr double strict = 1e-8, share = 0.9;
  const SparseSolverOptions usual;
  const bool is_loose = tolerance > strict;
  options_.accept = is_loose ? share * tolerance : usual.accept;
  options_.accept_at_most = is_loose ? options_.accept : usual.accept_at_most;
  options_.good_enough = is_loose ? options_.accept : usual.good_enough;
}

Residual SparseSolver::evaluate(Task& task) {
  collect_delta(task.p, task.island, x_);
  const Residual residual = judge(task.p, task.island, x_);
  // Under a heavy body ξ is a small difference of large numbers, and no impulses get closer than their round-off.
  const double round_off = 16 * math::epsilon * residual.scale;
  task.accept = std::max(options_.accept * v_ref_, std::min(round_off, options_.accept_at_most * v_ref_));
  return residual;
}

void SparseSolver::keep_best(Task& task, double residual) {
  if (!(residual < best_)) return;
  best_ = task.outcome.violation = residual;
  keep(task);
}

void SparseSolver::keep(const Task& task) {
  const Island& island = task.island;
  save(task, best_Lambda_);
  std::copy(x_.state.begin() + island.row_begin, x_.state.begin() + island.row_end,
            best_state_.begin() + island.row_begin);
}

void SparseSolver::solve_island(Task& task) {
  best_ = math::infinity;
  task.outcome.violation = math::infinity;
  task.outcome.by = SparseSolvedBy::kept_states;
  const bool one_block = task.island.block_end - task.island.block_begin == 1;
  keep(task);  // should nothing be a number
  save(task, before_);
  if (!one_block && options_.method != SparseMethod::all) return solve_by_choice(task);
  if (!one_block && options_.accept >= options_.coarse && solve_coarsely(task)) return;
  if (!one_block && try_states(task)) return;
  task.outcome.by = SparseSolvedBy::sweeps;
  sweeps_.prepare(task.p, task.island);
  choose_start(task);
  if (sweep(task, one_block ? 1 : options_.first_sweeps)) return;
  if (!(best_ < math::infinity) || task.island.velocity_begin == task.island.velocity_end) return;
  task.outcome.by = SparseSolvedBy::newton;
  if (newton(task, options_.newton_limit)) return;
  task.outcome.by = SparseSolvedBy::interior;
  if (interior(task)) return;
  take_best(task);
  if (newton(task, options_.newton_limit)) return;
  // Not found: what is left is to come as close as sweeps do.
  take_best(task);
  sweep(task, options_.last_sweeps);
}

// Without a factorisation, from the impulses given.
bool SparseSolver::solve_coarsely(Task& task) {
  sweeps_.prepare(task.p, task.island);
  clip_to_bounds(task.p, task.island, x_);
  task.outcome.by = SparseSolvedBy::sweeps;
  if (sweep(task, options_.first_sweeps)) return true;
  task.outcome.by = SparseSolvedBy::gradient;
  if (descend(task, options_.coarse_gradients)) return true;
  task.outcome.by = SparseSolvedBy::kept_states;
  return false;
}

// From the impulses given, each method as far as it gets.
void SparseSolver::solve_by_choice(Task& task) {
  sweeps_.prepare(task.p, task.island);
  clip_to_bounds(task.p, task.island, x_);
  keep_best(task, evaluate(task).largest);
  if (task.island.velocity_begin == task.island.velocity_end) return;
  switch (options_.method) {
    case SparseMethod::gradient:
      task.outcome.by = SparseSolvedBy::gradient;
      if (!descend(task, options_.most_gradients) && factorise(task, smallest_epsilon)) refine(task);
      break;
    case SparseMethod::newton:
      task.outcome.by = SparseSolvedBy::newton;
      newton(task, options_.most_direct_solves, options_.most_direct_solves);
      break;
    case SparseMethod::interior:
      task.outcome.by = SparseSolvedBy::interior;
      interior(task);
      break;
    default:
      task.outcome.by = SparseSolvedBy::sweeps;
      sweep_only(task);
  }
}

bool SparseSolver::descend(Task& task, int limit) {
  evaluate(task);
  task.outcome.gradients += gradient_.solve(task.p, task.island, task.accept, limit, x_);
  const double residual = evaluate(task).largest;
  read_states(task.p, task.island, x_);
  keep_best(task, residual);
  return residual <= task.accept;
}

// Now and then a direct solve for the states that the sweeps have come to, as at the end of all iterations.
bool SparseSolver::sweep_only(Task& task) {
  for (int count = 20; task.outcome.sweeps < options_.most_sweeps; count = std::min(2 * count, 500)) {
    if (sweep(task, count)) return true;
    save(task, before_);
    if (factorise(task, smallest_epsilon) && refine(task) <= task.accept) return true;
    restore(task, before_);
  }
  return false;
}

// The impulses of the direct solve that did not settle it, or those given where it went astray.
void SparseSolver::choose_start(Task& task) {
  constexpr double far_off = 1e4;  // of squares
  clip_to_bounds(task.p, task.island, x_);
  const double solved = evaluate(task).squares;
  save(task, other_);
  restore(task, before_);
  clip_to_bounds(task.p, task.island, x_);
  if (!(far_off * evaluate(task).squares <= solved)) restore(task, other_);
}

void SparseSolver::save(const Task& task, std::vector<double>& to) const {
  std::copy(x_.Lambda.begin() + task.island.row_begin, x_.Lambda.begin() + task.island.row_end,
            to.begin() + task.island.row_begin);
}

void SparseSolver::restore(const Task& task, const std::vector<double>& from) {
  std::copy(from.begin() + task.island.row_begin, from.begin() + task.island.row_end,
            x_.Lambda.begin() + task.island.row_begin);
}

// Corrections for the states in x until round-off. Returns the residual.
double SparseSolver::refine(Task& task) {
  constexpr int most = 12;
  set_bound_impulses(task.p, task.island, x_);
  double residual = evaluate(task).largest;
  keep_best(task, residual);
  for (int k = 0; k < most; ++k) {
    states_.correct(task.p, task.island, task.kept.response, x_);
    const double next = evaluate(task).largest;
    keep_best(task, next);
    const bool good = residual <= task.accept, better = next < 0.5 * residual;
    residual = next;
    if (!better || good) break;  // once more after the first good one: to round-off
  }
  return best_;
}

void SparseSolver::analyse(Task& task) {
  if (!task.kept.analysed) task.kept.response.analyse(task.p, task.island);
  task.kept.analysed = true;
}

// For the states in x.
bool SparseSolver::factorise(Task& task, double epsilon) {
  Kept& kept = task.kept;
  analyse(task);
  kept.state.assign(x_.state.begin() + task.island.row_begin, x_.state.begin() + task.island.row_end);
  kept.factorised = states_.factorise(task.p, task.island, x_.state, epsilon, kept.response);
  kept.epsilon = epsilon;
  ++task.outcome.factorizations;
  return kept.factorised;
}

// The states of the last step; the factors too, where they are still those of this W.
bool SparseSolver::try_states(Task& task) {
  const Kept& kept = task.kept;
  const bool same = kept.factorised && kept.epsilon == smallest_epsilon &&
                    std::equal(kept.state.begin(), kept.state.end(), x_.state.begin() + task.island.row_begin);
  if (!same && !factorise(task, smallest_epsilon)) return false;
  return refine(task) <= task.accept;
}

bool SparseSolver::sweep(Task& task, int count) {
  collect_delta(task.p, task.island, x_);
  for (int k = 0; k < count; ++k) sweeps_.sweep(task.p, task.island, k % 2 == 1, x_);
  task.outcome.sweeps += count;
  const double residual = evaluate(task).largest;
  read_states(task.p, task.island, x_);
  keep_best(task, residual);
  return residual <= task.accept;
}

// Direct solves for the states that the impulses stand for, each followed by sweeps. ε is small where that helps, and
// large, so that a step stays short, where it does not; a step after which the sweeps end higher is taken back, and
// after some such steps the method is not the right one.
bool SparseSolver::newton(Task& task, int limit, int most_taken_back) {
  double epsilon = 1e-4;
  int taken_back = 0;
  Residual now = evaluate(task);
  for (int k = 0; k < limit; ++k) {
    save(task, before_);
    read_states(task.p, task.island, x_);
    ++task.outcome.newton_steps;
    if (factorise(task, epsilon)) {
      set_bound_impulses(task.p, task.island, x_);
      evaluate(task);
      states_.correct(task.p, task.island, task.kept.response, x_);
      if (evaluate(task).largest < 1e-2 * now.largest && refine(task) <= task.accept) return true;
    }
    clip_to_bounds(task.p, task.island, x_);
    if (sweep(task, options_.sweeps_between)) return true;
    Residual after = judge(task.p, task.island, x_);
    if (after.squares < now.squares) {
      epsilon = std::max(0.1 * epsilon, smallest_epsilon);
    } else {
      restore(task, before_);
      if (sweep(task, options_.sweeps_between)) return true;
      if (++taken_back == most_taken_back) return false;
      after = judge(task.p, task.island, x_);
      epsilon = std::min(10 * epsilon, 1.0);
    }
    now = after;
  }
  return false;
}

// From the best impulses so far, rounded off more or less, until its states are plain, as a rule. Contacts without load
// that do not part either stay undecided on the way; direct solves settle them, at once or from further on.
bool SparseSolver::interior(Task& task) {
  struct Way {
    double rounding;
    int limit;
    SparseInterior::AtTurns at_turns;
  };
  constexpr Way ways[] = {{300, 60, SparseInterior::AtTurns::around},
                          {300, 100, SparseInterior::AtTurns::across},
                          {3000, 150, SparseInterior::AtTurns::around}};
  constexpr double plain = 1e-6, plainer = 1e-9;  // of v_ref
  constexpr int further = 15;                     // factorisations from one to the other
  analyse(task);
  const Island& island = task.island;
  const double velocities = island.velocity_end - island.velocity_begin;
  int left = static_cast<int>(math::clamp(options_.interior_work / velocities, 60, 450));
  for (const Way& way : ways) {
    take_best(task);
    const double start = math::clamp(way.rounding * best_, 1e-2 * v_ref_, 10 * v_ref_);
    SparseInterior::Attempt attempt{start, plain * v_ref_, std::min(left, way.limit), way.at_turns};
    task.kept.factorised = false;
    const int used = interior_.solve(task.p, island, attempt, task.kept.response, x_);
    task.outcome.factorizations += used;
    left -= used;
    if (settle_states(task, attempt.tolerance)) return true;
    if (used < attempt.limit) {
      attempt.tolerance = plainer * v_ref_;
      attempt.limit = further;
      const int more = interior_.go_on(task.p, island, attempt, task.kept.response, x_);
      task.outcome.factorizations += more;
      left -= more;
      if (settle_states(task, plain * v_ref_)) return true;
    }
    if (best_ <= options_.good_enough * v_ref_) return true;
    if (left < 20) break;
  }
  return false;
}

// By the states at the end of the interior-point method, or, where it came near enough, others close to them.
bool SparseSolver::settle_states(Task& task, double near) {
  constexpr int last_solves = 6;
  const double residual = evaluate(task).largest;
  read_states(task.p, task.island, x_);
  keep_best(task, residual);
  if (residual <= task.accept || (factorise(task, smallest_epsilon) && refine(task) <= task.accept)) return true;
  take_best(task);
  return residual <= near && newton(task, last_solves);
}

void SparseSolver::take_best(Task& task) {
  restore(task, best_Lambda_);
  evaluate(task);
}

}  // namespace picus::contact
