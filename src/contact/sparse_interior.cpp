#include "picus/contact/sparse_interior.hpp"

#include <algorithm>
#include <cmath>

namespace picus::contact {

namespace {

constexpr double proximal = 1e-10;  // of a row's own compliance: what redundant rows need to be regular
constexpr double short_step = 0.1;  // three such steps in a row: a turn is near

std::size_t at(int i) { return static_cast<std::size_t>(i); }

// λ with λ − τ/(λ − l) + τ/(u − λ) = aim, in (l, u), one of which may be infinite.
double rounded(double aim, double l, double u, double tau) {
  if (!(l > -math::infinity) || !(u < math::infinity)) {
    const double sign = l > -math::infinity ? 1 : -1;
    const double distance = sign * (aim - (sign > 0 ? l : u)), root = std::sqrt(distance * distance + 4 * tau);
    const double f = distance > 0 ? 0.5 * (distance + root) : 2 * tau / (root - distance);
    return sign > 0 ? l + f : u - f;
  }
  double low = l, high = u;
  for (int i = 0; i < 40; ++i) {
    const double middle = 0.5 * (low + high);
    (middle - tau / (middle - l) + tau / (u - middle) > aim ? high : low) = middle;
  }
  const double margin = 1e-9 * (u - l);
  return math::clamp(0.5 * (low + high), l + margin, u - margin);
}

// Neither side is a matter of choice: no y, no z.
bool is_free(const RowLaw& law) { return law.is_pinned() || law.is_bilateral(); }

struct Distances {
  double lower, upper;
};

// Of Λ from its bounds; where Λ is a change, that of the distances.
Distances distances(const RowLaw& law, std::size_t r, const std::vector<double>& Lambda, double constants) {
  const double load = law.governor >= 0 ? Lambda[at(law.governor)] : 0;
  const double lower = law.has_lower() ? constants * law.lower + law.lower_mu * load : 0;
  const double upper = law.has_upper() ? constants * law.upper + law.upper_mu * load : 0;
  return {Lambda[r] - lower, upper - Lambda[r]};
}

void copy_rows(const Island& island, const std::vector<double>& from, std::vector<double>& to) {
  std::copy(from.begin() + island.row_begin, from.begin() + island.row_end, to.begin() + island.row_begin);
}

}  // namespace

void SparseInterior::resize(const BlockProblem& p) {
  for (Point* point : {&at_, &d_, &back_}) {
    for (auto* v : {&point->Lambda, &point->y, &point->z}) v->assign(p.b.size(), 0);
  }
  for (auto* v : {&correct_y_, &correct_z_, &gain_, &follow_, &R_, &best_}) v->assign(p.b.size(), 0);
}

// On the path, as far as each contact alone is concerned, near Λ − ρ ξ.
void SparseInterior::begin(const BlockProblem& p, const Island& island, double start, const SparseIterate& x) {
  const double tau = start * start;
  for (std::size_t r = at(island.row_begin); r < at(island.row_end); ++r) {
    const RowLaw& law = p.law[r];
    const double rho_inv = p.rho_inv[r], load = law.governor >= 0 ? at_.Lambda[at(law.governor)] : 0;
    at_.y[r] = at_.z[r] = 0;
    at_.Lambda[r] = law.is_pinned() ? law.lower + law.lower_mu * load : x.Lambda[r];
    if (is_free(law)) continue;
    const double l = (law.lower + law.lower_mu * load) * rho_inv, u = (law.upper + law.upper_mu * load) * rho_inv;
    const double lambda = rounded(x.Lambda[r] * rho_inv - x.xi[r], l, u, tau);
    at_.Lambda[r] = lambda / rho_inv;
    if (law.has_lower()) at_.y[r] = tau / (lambda - l);
    if (law.has_upper()) at_.z[r] = tau / (u - lambda);
  }
}

// Where the direction runs into a bound at once.
void SparseInterior::begin_again(const BlockProblem& p, const Island& island, double tau, SparseIterate& x) {
  evaluate(p, island, x);
  begin(p, island, std::sqrt(tau), x);
}

double SparseInterior::evaluate(const BlockProblem& p, const Island& island, SparseIterate& x) {
  copy_rows(island, at_.Lambda, x.Lambda);
  collect_delta(p, island, x);
  return judge(p, island, x).largest;
}

// y f = z h = τ ρ for small changes: −dξ = (dΛ − follow dΛ_g) / gain.
void SparseInterior::linearise(const BlockProblem& p, const Island& island) {
  for (std::size_t r = at(island.row_begin); r < at(island.row_end); ++r) {
    const RowLaw& law = p.law[r];
    gain_[r] = 0;
    follow_[r] = law.lower_mu;
    if (law.is_pinned()) continue;
    const Distances f = distances(law, r, at_.Lambda, 1);
    const double a = law.has_lower() ? at_.y[r] / f.lower : 0, c = law.has_upper() ? at_.z[r] / f.upper : 0;
    gain_[r] = 1 / (a + c + proximal * p.rho_inv[r]);
    follow_[r] = (a * law.lower_mu + c * law.upper_mu) * gain_[r];
  }
}

// The direction to the point of the path that belongs to τ.
void SparseInterior::direct(const BlockProblem& p, const Island& island, double tau, const SparseIterate& x,
                            SparseResponse& response) {
  for (std::size_t r = at(island.row_begin); r < at(island.row_end); ++r) {
    const RowLaw& law = p.law[r];
    const Distances f = distances(law, r, at_.Lambda, 1);
    R_[r] = -x.xi[r];
    if (law.is_pinned()) continue;
    if (law.has_lower()) R_[r] += (tau / p.rho_inv[r] - correct_y_[r]) / f.lower;
    if (law.has_upper()) R_[r] -= (tau / p.rho_inv[r] - correct_z_[r]) / f.upper;
  }
  response.solve(p, island, R_, d_.Lambda);
  for (std::size_t r = at(island.row_begin); r < at(island.row_end); ++r) {
    const RowLaw& law = p.law[r];
    d_.y[r] = d_.z[r] = 0;
    if (is_free(law)) continue;
    const Distances f = distances(law, r, at_.Lambda, 1), df = distances(law, r, d_.Lambda, 0);
    const double y = at_.y[r], z = at_.z[r], product = tau / p.rho_inv[r];
    if (law.has_lower()) d_.y[r] = (product - correct_y_[r] - y * df.lower) / f.lower - y;
    if (law.has_upper()) d_.z[r] = (product - correct_z_[r] - z * df.upper) / f.upper - z;
  }
}

double SparseInterior::mean_product(const BlockProblem& p, const Island& island, double step) const {
  double sum = 0;
  int count = 0;
  for (std::size_t r = at(island.row_begin); r < at(island.row_end); ++r) {
    const RowLaw& law = p.law[r];
    if (is_free(law)) continue;
    const Distances f = distances(law, r, at_.Lambda, 1), df = distances(law, r, d_.Lambda, 0);
    if (law.has_lower()) sum += (f.lower + step * df.lower) * (at_.y[r] + step * d_.y[r]) * p.rho_inv[r];
    if (law.has_upper()) sum += (f.upper + step * df.upper) * (at_.z[r] + step * d_.z[r]) * p.rho_inv[r];
    count += (law.has_lower() ? 1 : 0) + (law.has_upper() ? 1 : 0);
  }
  return count > 0 ? sum / count : 0;
}

// That leaves all distances, y and z positive.
double SparseInterior::largest_step(const BlockProblem& p, const Island& island) const {
  double step = math::infinity;
  const auto limit = [&](double value, double change) {
    if (change < 0 && -value / change < step) step = -value / change;
  };
  for (std::size_t r = at(island.row_begin); r < at(island.row_end); ++r) {
    const RowLaw& law = p.law[r];
    if (is_free(law)) continue;
    const Distances f = distances(law, r, at_.Lambda, 1), df = distances(law, r, d_.Lambda, 0);
    if (law.has_lower()) {
      limit(f.lower, df.lower);
      limit(at_.y[r], d_.y[r]);
    }
    if (law.has_upper()) {
      limit(f.upper, df.upper);
      limit(at_.z[r], d_.z[r]);
    }
  }
  return step;
}

double SparseInterior::distance_from_path(const BlockProblem& p, const Island& island, const SparseIterate& x) const {
  double largest = 0;
  for (std::size_t r = at(island.row_begin); r < at(island.row_end); ++r) {
    if (p.law[r].is_pinned()) continue;
    largest = math::worse(largest, math::abs(at_.y[r] - at_.z[r] - x.xi[r]));
  }
  return largest;
}

void SparseInterior::second_order(const BlockProblem& p, const Island& island, double step) {
  for (std::size_t r = at(island.row_begin); r < at(island.row_end); ++r) {
    const Distances df = distances(p.law[r], r, d_.Lambda, 0);
    correct_y_[r] = step * step * df.lower * d_.y[r];
    correct_z_[r] = step * step * df.upper * d_.z[r];
  }
}

void SparseInterior::advance(const Island& island, double step) {
  for (std::size_t r = at(island.row_begin); r < at(island.row_end); ++r) {
    at_.Lambda[r] += step * d_.Lambda[r];
    at_.y[r] += step * d_.y[r];
    at_.z[r] += step * d_.z[r];
  }
}

// Predictor to τ = 0, then the step that it advises, with its second-order terms. Returns the length.
double SparseInterior::step_ahead(const BlockProblem& p, const Island& island, double tau, const SparseIterate& x,
                                  SparseResponse& response) {
  direct(p, island, 0, x, response);
  const double predicted = std::min(1.0, largest_step(p, island));
  const double share = tau > 0 ? std::max(mean_product(p, island, predicted), 0.0) / tau : 0;
  second_order(p, island, predicted);
  direct(p, island, math::clamp(share * share * share, 1e-3, 1) * tau, x, response);
  const double step = std::min(1.0, 0.99 * largest_step(p, island));
  advance(island, step);
  return step;
}

// Along the tangent, by a share of what the bounds leave, and back to the path at right angles to it. Returns the part
// of that which was possible.
double SparseInterior::step_around(const BlockProblem& p, const Island& island, double reach, const SparseIterate& x,
                                   SparseResponse& response) {
  const bool near = distance_from_path(p, island, x) < 0.3 * std::sqrt(turn_.tau);
  direct(p, island, turn_.tau, x, response);
  std::swap(back_, d_);
  direct(p, island, 2 * turn_.tau, x, response);
  double square = 0, along = 0;
  for (std::size_t r = at(island.row_begin); r < at(island.row_end); ++r) {
    d_.Lambda[r] -= back_.Lambda[r];  // now the tangent, for a change of τ by itself
    d_.y[r] -= back_.y[r];
    d_.z[r] -= back_.z[r];
    const double unit = p.rho_inv[r] * p.rho_inv[r];
    square += d_.Lambda[r] * d_.Lambda[r] * unit + d_.y[r] * d_.y[r] + d_.z[r] * d_.z[r];
    along += d_.Lambda[r] * back_.Lambda[r] * unit + d_.y[r] * back_.y[r] + d_.z[r] * back_.z[r];
  }
  const double ahead = response.negative() ? 1 : -1;
  for (std::size_t r = at(island.row_begin); r < at(island.row_end); ++r) {
    d_.Lambda[r] *= ahead;
    d_.y[r] *= ahead;
    d_.z[r] *= ahead;
  }
  const double length = near ? std::min(reach * largest_step(p, island), 0.5) : 0;
  const double total = length - ahead * along / square;
  for (std::size_t r = at(island.row_begin); r < at(island.row_end); ++r) {
    d_.Lambda[r] = back_.Lambda[r] + total * d_.Lambda[r];
    d_.y[r] = back_.y[r] + total * d_.y[r];
    d_.z[r] = back_.z[r] + total * d_.z[r];
  }
  const double step = std::min(1.0, 0.9 * largest_step(p, island));
  advance(island, step);
  turn_.tau *= 1 + std::max(-0.9, step * total * ahead);
  return step;
}

int SparseInterior::solve(const BlockProblem& p, const Island& island, double start, double tolerance,
                          int iteration_limit, SparseResponse& response, SparseIterate& x) {
  double best = math::infinity;
  int iteration = 0, short_steps = 0;
  turn_ = {};
  copy_rows(island, x.Lambda, best_);
  begin(p, island, start, x);
  for (; iteration < iteration_limit; ++iteration) {
    const double residual = evaluate(p, island, x);
    if (residual < best) copy_rows(island, at_.Lambda, best_);
    best = std::min(best, residual);
    if (residual <= tolerance || !(residual < math::infinity)) break;
    linearise(p, island);
    if (!response.factorise(p, island, gain_, follow_)) break;
    std::fill(correct_y_.begin() + island.row_begin, correct_y_.begin() + island.row_end, 0.0);
    std::fill(correct_z_.begin() + island.row_begin, correct_z_.begin() + island.row_end, 0.0);
    const double tau = mean_product(p, island, 0);
    if (!turn_.inside && response.negative()) turn_ = {true, tau, math::infinity};
    if (!turn_.inside) {
      const double step = step_ahead(p, island, tau, x, response);
      short_steps = step < short_step ? short_steps + 1 : 0;
      if (short_steps == 3) {
        turn_ = {true, tau, 0.8 * tau};
        begin_again(p, island, tau, x);
      }
    } else {
      // Steps of changing length: where long ones leap from one branch to another they do not do so in a circle.
      const double golden = iteration * 0.6180339887498949;
      const double step = step_around(p, island, 0.4 + 0.5 * (golden - std::floor(golden)), x, response);
      if (step < 0.7) begin_again(p, island, turn_.tau, x);
      short_steps = 0;
      turn_.inside = response.negative() || step <= 0.5 || turn_.tau >= turn_.tau_beyond;
    }
  }
  copy_rows(island, best_, x.Lambda);
  return iteration;
}

}  // namespace picus::contact
