#include "picus/eventdriven/accelerations.hpp"

#include <cmath>

#include "picus/acceleration/acceleration_solver.hpp"
#include "picus/support/index.hpp"

namespace picus::eventdriven {
namespace {

double velocity_size(const Instant& instant, std::size_t k) {
  double size = 0;
  for (int r = instant.first_row(k); r < instant.first_row(k + 1); ++r) size += instant.velocity_size(r);
  return size;
}

}  // namespace

std::vector<Acting> closed_contacts(mechanics::InstantSystem& system, Instant& instant, const double* q,
                                    const double* u, double t, const RestTolerances& tolerances, bool& approaches) {
  approaches = false;
  std::vector<double> gaps(at(system.contact_count()));
  system.gaps(q, t, gaps.data());
  std::vector<Acting> near, closed;
  for (int i = 0; i < system.contact_count(); ++i) {
    if (!system.has_gap(i) || gaps[at(i)] <= tolerances.gap) near.push_back({.contact = i, .mode = Mode::sliding});
  }
  if (!instant.evaluate(q, u, t, near)) return closed;
  for (std::size_t k = 0; k < near.size(); ++k) {
    const int N = instant.first_row(k), T = N + (instant.has_normal(k) ? 1 : 0);
    const double rest = tolerances.velocity * velocity_size(instant, k);
    if (instant.has_normal(k) && std::abs(instant.rows().gamma[N]) > rest) {
      approaches = approaches || instant.rows().gamma[N] < 0;
      continue;
    }
    Acting a = near[k];
    if (instant.sliding_speed(k) > rest) {
      for (int j = 0; j < instant.tangential(k); ++j) a.direction[j] = instant.rows().gamma[T + j];
    } else {
      a.mode = Mode::rolling;
    }
    closed.push_back(a);
  }
  return closed;
}

Accelerations find_accelerations(mechanics::InstantSystem& system, const std::vector<double>& q,
                                 const std::vector<double>& u, double t, const RestTolerances& tolerances) {
  Accelerations result;
  Instant instant(system);
  std::vector<double> gaps(at(system.contact_count()));
  system.gaps(q.data(), t, gaps.data());
  for (int i = 0; i < system.contact_count(); ++i) {
    if (system.has_gap(i) && !std::isfinite(gaps[at(i)])) result.status = AccelerationStatus::not_finite;
  }
  if (result.status != AccelerationStatus::done) return result;

  bool approaches = false;
  result.closed = closed_contacts(system, instant, q.data(), u.data(), t, tolerances, approaches);
  if (!instant.evaluate(q.data(), u.data(), t, result.closed)) {
    result.status = AccelerationStatus::singular_mass;
    return result;
  }
  if (approaches) {
    result.status = AccelerationStatus::impact;
    return result;
  }
  for (std::size_t k = 0; k <= result.closed.size(); ++k) result.first.push_back(instant.first_row(k));
  const acceleration::AccelerationProblem problem = instant.acceleration_problem();
  if (!problem.A.allFinite() || !problem.b.allFinite()) {
    result.status = AccelerationStatus::not_finite;
    return result;
  }
  const acceleration::AccelerationSolutions all = acceleration::find_all_accelerations(problem);
  result.solutions = static_cast<int>(all.list.size());
  result.complete = all.complete && !all.continuum;
  if (all.list.empty()) {
    result.status = AccelerationStatus::no_solution;
    return result;
  }
  const acceleration::AccelerationSolution& taken = all.list.front();
  instant.take_forces(taken.c);
  result.u_dot = instant.u_dot();
  result.force = taken.c;
  result.gamma_dot = taken.a;
  result.residual = taken.residual;
  return result;
}

}  // namespace picus::eventdriven
