// Jumps of the velocities at an event: impacts, given blows, impulses without a collision, bounces that die out.
#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <optional>

#include "picus/acceleration/acceleration_solver.hpp"
#include "picus/contact/impact_law.hpp"
#include "picus/eventdriven/event_driven.hpp"
#include "picus/eventdriven/event_tolerances.hpp"
#include "picus/stepping/findings.hpp"
#include "picus/stepping/impact_rules.hpp"

namespace picus::eventdriven {

using acceleration::ForceState;
using Eigen::Index;
using Eigen::VectorXd;
using stepping::EventKind;
using stepping::StepStatus;

// A normal impulse at the i-th contact of probe_ changes its velocity by nothing: by what counts as zero there, or by
// what errors of a hundred steps near zero add up to.
bool EventDriven::is_round_off(std::size_t i, int contact, double Lambda_N) {
  const int N = probe_.first_row(i);
  const double errors = 100 * options_.tolerance * error_floor * probe_.rows().W.row(N).cwiseAbs().sum();
  return probe_.normal_compliance(i) * Lambda_N <=
         std::max({velocity_tolerance(contact, N), impact_share * v_run_, errors});
}

void EventDriven::apply_impulses(const std::vector<Acting>& contacts, const VectorXd& Lambda, const VectorXd& blow,
                                 EventKind kind) {
  const mechanics::InstantRows before = probe_.rows();
  struck_ = false;
  const auto add_reactions = [&] {
    const VectorXd& reactions = probe_.constraint_forces();
    books_.drive -= reactions.dot(probe_.constraints().w_hat);
    for (Index k = 0; k < reactions.size(); ++k)
      impulses_[at(row_.back()) + static_cast<std::size_t>(k)] += reactions[k];
  };
  VectorXd change = probe_.response(Lambda);
  add_reactions();
  if (blow.size() > 0) {
    change += probe_.jump_by(blow);
    add_reactions();
    for (std::size_t i = 0; i < u_.size(); ++i) {
      const auto k = static_cast<Index>(i);
      books_.work += blow[k] * (u_[i] + 0.5 * change[k]);
    }
  }
  for (std::size_t i = 0; i < u_.size(); ++i) u_[i] += change[static_cast<Index>(i)];
  double gained = 0, most = 0, size = 0;
  int most_contact = -1;
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const int contact = contacts[i].contact;
    double of_contact = 0;
    for (int r = probe_.first_row(i); r < probe_.first_row(i + 1); ++r) {
      const double after = before.gamma[r] + before.W.row(r).dot(change);
      const double work = 0.5 * Lambda[r] * (before.gamma[r] + after);
      (r == probe_.first_row(i) ? books_.impact : books_.friction) += work;
      books_.drive -= Lambda[r] * before.w_hat[r];
      of_contact += work;
      size += std::abs(Lambda[r]) * (std::abs(before.gamma[r]) + std::abs(after));
      impulses_[at(row_[at(contact)] + r - probe_.first_row(i))] += Lambda[r];
    }
    gained += of_contact;
    if (of_contact > most) {
      most = of_contact;
      most_contact = contact;
    }
  }
  if (blow.size() == 0 && gained > 1e-10 * size) note_gain(most_contact, gained);
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const int N = probe_.first_row(i);
    if (!(Lambda[N] > 0)) continue;
    struck_ = true;
    if (kind != EventKind::impact || !is_round_off(i, contacts[i].contact, Lambda[N])) {
      add_event(contacts[i].contact, kind, Lambda[N]);
    }
    if (kind == EventKind::impact && probe_.law(i).law.eN > 0 && before.gamma[N] < 0) {
      note_bounce(contacts[i].contact, before.gamma[N] + before.W.row(N).dot(change));
    }
  }
}

void EventDriven::note_gain(int contact, double energy) {
  const stepping::EnergyGain gain{t_, contact, energy, false, {}};
  if (counts_.energy_gains++ == 0) counts_.first_gain = gain;
  if (counts_.energy_gains == 1 || energy > counts_.largest_gain.energy) counts_.largest_gain = gain;
}

// A contact problem that was solved.
void EventDriven::certify_problem(double residual, bool is_examined) {
  ++counts_.problems;
  counts_.worst_residual = math::worse(counts_.worst_residual, residual);
  counts_.certified += residual <= options_.certificate ? 1 : 0;
  counts_.unexamined += is_examined ? 0 : 1;
}

// Bounces at intervals that shrink like a geometric series end in finite time: Σ Δ rⁿ = Δ r / (1 − r).
void EventDriven::note_bounce(int contact, double speed) {
  Bounces& b = bounces_[at(contact)];
  const double interval = t_ - b.last;
  if (b.last >= 0 && b.interval > 0 && interval < 0.9999 * b.interval) {
    ++b.shrinking;
    const double ratio = interval / b.interval, left = interval * ratio / (1 - ratio);
    const double height = std::abs(speed) * interval;
    if (b.shrinking >= 3 && left < bridge_time && height < bridge_height && tired_[at(contact)] == 0) {
      tired_[at(contact)] = 1;
      if (counts_.accumulations++ == 0) {
        counts_.first_accumulation = t_ + left;
        counts_.first_accumulation_contact = contact;
      }
      counts_.bridged_time = std::max(counts_.bridged_time, left);
      counts_.bridged_height = std::max(counts_.bridged_height, height);
    }
  } else {
    b.shrinking = 0;
  }
  b.interval = b.last >= 0 ? interval : -1;
  b.last = t_;
}

// Coefficients that follow the speeds behind an impact, moved by a share of the way. Returns the largest difference;
// `missed`: what it does to a velocity.
double EventDriven::follow_sliding_mu(const acceleration::AccelerationSolution& found, double weight,
                                      acceleration::AccelerationProblem& problem, double& missed) const {
  double worst = 0;
  missed = 0;
  for (std::size_t i = 0; i < problem.contacts.size(); ++i) {
    const contact::Law& law = probe_.law(i).law;
    if (law.has_constant_mu()) continue;
    double square = 0;
    for (int r = probe_.first_row(i) + 1; r < probe_.first_row(i + 1); ++r) {
      const double v = found.a[r] - law.eT * probe_.rows().gamma[r];
      square += v * v;
    }
    double& mu = problem.contacts[i].mu;
    const bool slides = std::sqrt(square) > 1e-12 * problem.b.norm();
    const double change = (slides ? contact::sliding_mu(law, std::sqrt(square)) : mu) - mu;
    worst = std::max(worst, std::abs(change));
    missed = std::max(missed, std::abs(change) * found.c[probe_.first_row(i)] * probe_.normal_compliance(i));
    mu += weight * change;
  }
  return worst;
}

// Impact and blow in one problem. Contacts are those of probe_.
bool EventDriven::newton_impulses(const std::vector<Acting>& contacts, const VectorXd& blow, VectorXd& Lambda) {
  acceleration::AccelerationProblem problem = probe_.impact_problem(true, blow);
  bool several = false;
  std::optional<acceleration::AccelerationSolution> found = solve(problem, {}, several);
  // Friction that depends on how contacts slide behind the impact: a fixed point. What it misses is a residual.
  double missed = 0;
  for (int round = 0; found && round < 200; ++round) {
    if (!(follow_sliding_mu(*found, round > 21 ? 0.5 : 1, problem, missed) > 1e-15)) break;
    found = solve(problem, {}, several);
  }
  if (!found) return fail(StepStatus::no_solution, contacts);
  if (missed > options_.certificate * problem.b.norm()) certify_problem(missed / problem.b.norm(), true);
  Lambda = found->c;
  return true;
}

// By a law of its own, or contact after contact: for the plane.
bool EventDriven::impulses_by_law(const std::vector<Acting>& contacts, const VectorXd& blow, VectorXd& Lambda) {
  const acceleration::AccelerationProblem problem = probe_.impact_problem(false, blow);
  constexpr int K = stepping::impact_limit;
  if (contacts.size() > at(K)) return fail(StepStatus::large_impact, contacts);
  contact::ImpactContacts<K> c;
  c.count = static_cast<int>(contacts.size());
  for (int i = 0; i < c.count; ++i) {
    if (probe_.tangential(at(i)) != 1) return fail(StepStatus::invalid_law, contacts);
    const contact::Law& law = probe_.law(at(i)).law;
    c.mu[i] = problem.contacts[at(i)].mu;
    c.e[i] = tired_[at(contacts[at(i)].contact)] != 0 ? 0 : law.eN;
    c.stiffness[i] = law.stiffness;
  }
  for (int r = 0; r < 2 * c.count; ++r) {
    c.gamma[r] = problem.b[r];
    for (int s = 0; s < 2 * c.count; ++s) c.G(r, s) = problem.A(r, s);
  }
  const contact::ImpactImpulses<K> result =
      options_.chain_impacts ? contact::run_impact_chain(options_.impact, c) : contact::run_impact(options_.impact, c);
  if (!result.finished) return fail(StepStatus::no_solution, contacts);
  const double v_ref = problem.b.cwiseAbs().maxCoeff();
  certify_problem(v_ref > 0 ? result.residual / v_ref : 0, false);
  Lambda.resize(2 * c.count);
  for (int r = 0; r < 2 * c.count; ++r) Lambda[r] = result.Lambda[r];
  return true;
}

bool EventDriven::impact(const std::vector<int>& numbers, const VectorXd& blow) {
  // Contacts whose bounces die out together do so at once.
  const bool any_tired = std::any_of(numbers.begin(), numbers.end(), [&](int i) { return tired_[at(i)] != 0; });
  for (int i : numbers) {
    if (any_tired && bounces_[at(i)].shrinking >= 3) tired_[at(i)] = 1;
  }
  std::vector<Acting> contacts;
  for (int i : numbers) {
    contacts.push_back({i, rested_[at(i)] != 0 ? Mode::rolling : Mode::sliding, direction_[at(i)], tired_[at(i)] != 0});
  }
  if (!probe_.evaluate(q_.data(), u_.data(), t_, contacts)) return fail(StepStatus::singular_mass, {});
  if (!probe_.laws_are_valid()) return fail(StepStatus::invalid_law, contacts);
  VectorXd Lambda;
  if (!contacts.empty()) {
    const bool simple = options_.impact == contact::ImpactLaw::newton && !options_.chain_impacts;
    if (!(simple ? newton_impulses(contacts, blow, Lambda) : impulses_by_law(contacts, blow, Lambda))) return false;
  }
  apply_impulses(contacts, Lambda, blow, EventKind::impact);
  return true;
}

namespace {

// What a normal force of 1 N at a contact, with its friction against the sliding velocity γ_T, does to its normal
// acceleration: G_NN − μ G_NT E² γ_T / |E γ_T|.
double jam_coefficient_in_space(const acceleration::AccelerationProblem& problem, std::size_t i, int row,
                                const VectorXd& gamma) {
  const acceleration::ForceContact& c = problem.contacts[i];
  double square = 0, along = 0;
  for (int k = 0; k < c.tangential; ++k) {
    const double v = c.axes[k] * gamma[row + 1 + k];
    square += v * v;
    along += problem.A(row, row + 1 + k) * c.axes[k] * v;
  }
  return problem.A(row, row) - (square > 0 ? c.mu * along / std::sqrt(square) : 0);
}

}  // namespace

void EventDriven::note_first_jam(const std::vector<Acting>& contacts, const acceleration::AccelerationProblem& problem,
                                 const VectorXd& Lambda) {
  counts_.first_jam = t_;
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const int N = probe_.first_row(i);
    if (!(Lambda[N] > counts_.first_jam_impulse)) continue;
    counts_.first_jam_impulse = Lambda[N];
    counts_.first_jam_contact = contacts[i].contact;
    counts_.first_jam_coefficient =
        probe_.tangential(i) == 1
            ? stepping::jam_coefficient(problem.A(N, N), problem.A(N, N + 1), problem.contacts[i].mu, problem.b[N + 1])
            : jam_coefficient_in_space(problem, i, N, problem.b);
  }
}

// No forces obey the laws, or they grow beyond all bounds: velocities jump though nothing collides. The problem on
// velocity level has the solution without impulses, which forces rule out; with a little of what they do (δ) the other
// is found, and then that without δ with the same states.
bool EventDriven::impulse_without_collision(const std::vector<Acting>& closed) {
  std::vector<Acting> contacts;
  for (const Acting& a : closed) {
    if (system_->has_gap(a.contact)) contacts.push_back(a);
  }
  if (contacts.empty() || !probe_.evaluate(q_.data(), u_.data(), t_, contacts)) return false;
  const acceleration::AccelerationProblem accelerations = probe_.acceleration_problem();
  acceleration::AccelerationProblem problem = probe_.impact_problem(false, {});
  const double v_ref = problem.b.cwiseAbs().maxCoeff(), a_ref = accelerations.b.cwiseAbs().maxCoeff();
  if (!(v_ref > 0) || !(a_ref > 0)) return false;
  const VectorXd exact = problem.b;
  problem.b += 1e-7 * v_ref / a_ref * accelerations.b;
  const acceleration::AccelerationSolutions all = acceleration::find_all_accelerations(problem);
  const acceleration::AccelerationSolution* largest = nullptr;
  double most = 0;
  for (const acceleration::AccelerationSolution& s : all.list) {
    double size = 0;
    for (Index r = 0; r < s.c.size(); ++r) size = std::max(size, std::abs(s.c[r]) * problem.A(r, r));
    if (size > most) {
      most = size;
      largest = &s;
    }
  }
  if (largest == nullptr || !(most > 1e-4 * v_ref)) return false;
  const std::vector<ForceState> states = largest->state;
  problem.b = exact;
  std::optional<acceleration::AccelerationSolution> found = acceleration::solve_accelerations(problem, states);
  if (!found || found->state != states) found = *largest;
  certify_problem(found->residual, all.complete);
  if (counts_.jams++ == 0) note_first_jam(contacts, problem, found->c);
  apply_impulses(contacts, found->c, {}, EventKind::jam);
  return true;
}

}  // namespace picus::eventdriven
