#include "picus/contact/sparse_interior.hpp"

#include <algorithm>
#include <cmath>

#include "picus/support/index.hpp"

namespace picus::contact {

namespace {

constexpr double proximal = 1e-10;  // of a row's own compliance: what redundant rows need to be regular
constexpr double short_step = 0.1;  // three such steps in a row: a turn is near

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

void copy_rows(const Island& island, const std::vector<double>& from, std::vector<double>& to) {
  std::copy(from.begin() + island.row_begin, from.begin() + island.row_end, to.begin() + island.row_begin);
}

}  // namespace

void SparseInterior::resize(const BlockProblem& p) {
  for (Point* point : {&at_, &d_, &back_}) {
    for (auto* v : {&point->Lambda, &point->lower, &point->upper, &point->y, &point->z}) v->assign(p.b.size(), 0);
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
  measure_distances(p, island, 1, at_);
}

// Of Λ from its bounds; of a direction (constants = 0), their change.
void SparseInterior::measure_distances(const BlockProblem& p, const Island& island, double constants,
                                       Point& point) const {
  for (std::size_t r = at(island.row_begin); r < at(island.row_end); ++r) {
    const RowLaw& law = p.law[r];
    const double load = law.governor >= 0 ? point.Lambda[at(law.governor)] : 0;
    point.lower[r] = law.has_lower() ? point.Lambda[r] - constants * law.lower - law.lower_mu * load : 0;
    point.upper[r] = law.has_upper() ? constants * law.upper + law.upper_mu * load - point.Lambda[r] : 0;
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

// y f = z h = τ ρ for small changes: −dξ = (dΛ − follow dΛ_g) / gain. While crossing, the row that governs others has
// the gain of the symmetric answer.
void SparseInterior::linearise(const BlockProblem& p, const Island& island) {
  for (std::size_t r = at(island.row_begin); r < at(island.row_end); ++r) {
    const RowLaw& law = p.law[r];
    gain_[r] = 0;
    follow_[r] = law.lower_mu;
    if (law.is_pinned()) continue;
    const double a = law.has_lower() ? at_.y[r] / at_.lower[r] : 0, c = law.has_upper() ? at_.z[r] / at_.upper[r] : 0;
    gain_[r] = 1 / (a + c + proximal * p.rho_inv[r]);
    follow_[r] = (a * law.lower_mu + c * law.upper_mu) * gain_[r];
    if (crossing_ && law.governor >= 0) {
      const double width = law.upper_mu - law.lower_mu;
      double& load = gain_[at(law.governor)];
      if (load > 0) load = 1 / (1 / load + a * c * width * width * gain_[r]);
    }
  }
}

// The direction to the point of the path that belongs to τ.
void SparseInterior::direct(const BlockProblem& p, const Island& island, double tau, const SparseIterate& x,
                            SparseResponse& response) {
  for (std::size_t r = at(island.row_begin); r < at(island.row_end); ++r) {
    const RowLaw& law = p.law[r];
    R_[r] = -x.xi[r];
    if (law.is_pinned()) continue;
    const double y = law.has_lower() ? (tau / p.rho_inv[r] - correct_y_[r]) / at_.lower[r] : 0;
    const double z = law.has_upper() ? (tau / p.rho_inv[r] - correct_z_[r]) / at_.upper[r] : 0;
    R_[r] += y - z;
    if (crossing_ && law.governor >= 0) {
      R_[at(law.governor)] += -law.lower_mu * (y - at_.y[r]) + law.upper_mu * (z - at_.z[r]);
    }
  }
  response.solve(p, island, R_, d_.Lambda);
  measure_distances(p, island, 0, d_);
  for (std::size_t r = at(island.row_begin); r < at(island.row_end); ++r) {
    const RowLaw& law = p.law[r];
    d_.y[r] = d_.z[r] = 0;
    if (is_free(law)) continue;
    const double y = at_.y[r], z = at_.z[r], product = tau / p.rho_inv[r];
    if (law.has_lower()) d_.y[r] = (product - correct_y_[r] - y * d_.lower[r]) / at_.lower[r] - y;
    if (law.has_upper()) d_.z[r] = (product - correct_z_[r] - z * d_.upper[r]) / at_.upper[r] - z;
  }
}

double SparseInterior::mean_product(const BlockProblem& p, const Island& island, double step) const {
  double sum = 0;
  int count = 0;
  for (std::size_t r = at(island.row_begin); r < at(island.row_end); ++r) {
    const RowLaw& law = p.law[r];
    if (is_free(law)) continue;
    if (law.has_lower()) sum += (at_.lower[r] + step * d_.lower[r]) * (at_.y[r] + step * d_.y[r]) * p.rho_inv[r];
    if (law.has_upper()) sum += (at_.upper[r] + step * d_.upper[r]) * (at_.z[r] + step * d_.z[r]) * p.rho_inv[r];
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
    if (law.has_lower()) {
      limit(at_.lower[r], d_.lower[r]);
      limit(at_.y[r], d_.y[r]);
    }
    if (law.has_upper()) {
      limit(at_.upper[r], d_.upper[r]);
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

void SparseInterior::second_order(const Island& island, double step) {
  for (std::size_t r = at(island.row_begin); r < at(island.row_end); ++r) {
    correct_y_[r] = step * step * d_.lower[r] * d_.y[r];
    correct_z_[r] = step * step * d_.upper[r] * d_.z[r];
  }
}

// What would leave the neighbourhood of the path in a longer step is sent back to its edge (Gondzio 1996).
void SparseInterior::correct_products(const BlockProblem& p, const Island& island, double step, double aim) {
  const auto back = [&](double product, double unit) {
    const double target = aim / unit;
    return std::max(math::clamp(product, 0.1 * target, 10 * target) - product, -10 * target);
  };
  for (std::size_t r = at(island.row_begin); r < at(island.row_end); ++r) {
    const RowLaw& law = p.law[r];
    if (is_free(law)) continue;
    if (law.has_lower())
      correct_y_[r] -= back((at_.lower[r] + step * d_.lower[r]) * (at_.y[r] + step * d_.y[r]), p.rho_inv[r]);
    if (law.has_upper())
      correct_z_[r] -= back((at_.upper[r] + step * d_.upper[r]) * (at_.z[r] + step * d_.z[r]), p.rho_inv[r]);
  }
}

void SparseInterior::advance(const Island& island, double step) {
  for (std::size_t r = at(island.row_begin); r < at(island.row_end); ++r) {
    at_.Lambda[r] += step * d_.Lambda[r];
    at_.lower[r] += step * d_.lower[r];
    at_.upper[r] += step * d_.upper[r];
    at_.y[r] += step * d_.y[r];
    at_.z[r] += step * d_.z[r];
  }
}

// Predictor to τ = 0, then the step that it advises, with its second-order terms and, where it is short, corrections of
// the products that make it so. Returns the length.
double SparseInterior::step_ahead(const BlockProblem& p, const Island& island, double tau, const SparseIterate& x,
                                  SparseResponse& response) {
  constexpr int corrections = 2;
  const auto length = [&] { return std::min(1.0, 0.99 * largest_step(p, island)); };
  direct(p, island, 0, x, response);
  const double predicted = std::min(1.0, largest_step(p, island));
  const double share = tau > 0 ? std::max(mean_product(p, island, predicted), 0.0) / tau : 0;
  second_order(island, predicted);
  double aim = math::clamp(share * share * share, 1e-3, 1) * tau;
  if (crossing_) {  // no further ahead than the laws are obeyed
    const double off = distance_from_path(p, island, x);
    aim = std::max(aim, std::min(tau, off * off));
  }
  direct(p, island, aim, x, response);
  double step = length();
  for (int k = 0; k < corrections && step < 0.9; ++k) {
    correct_products(p, island, std::min(1.0, 1.5 * step + 0.3), aim);
    std::swap(back_, d_);
    direct(p, island, aim, x, response);
    const double next = length();
    const bool gain = next >= 1.05 * step;
    if (next < step) {
      std::swap(back_, d_);
    } else {
      step = next;
    }
    if (!gain) break;
  }
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
    d_.lower[r] -= back_.lower[r];
    d_.upper[r] -= back_.upper[r];
    d_.y[r] -= back_.y[r];
    d_.z[r] -= back_.z[r];
    const double unit = p.rho_inv[r] * p.rho_inv[r];
    square += d_.Lambda[r] * d_.Lambda[r] * unit + d_.y[r] * d_.y[r] + d_.z[r] * d_.z[r];
    along += d_.Lambda[r] * back_.Lambda[r] * unit + d_.y[r] * back_.y[r] + d_.z[r] * back_.z[r];
  }
  const double ahead = response.negative() ? 1 : -1;
  for (std::size_t r = at(island.row_begin); r < at(island.row_end); ++r) {
    d_.Lambda[r] *= ahead;
    d_.lower[r] *= ahead;
    d_.upper[r] *= ahead;
    d_.y[r] *= ahead;
    d_.z[r] *= ahead;
  }
  const double length = near ? std::min(reach * largest_step(p, island), 0.5) : 0;
  const double total = length - ahead * along / square;
  for (std::size_t r = at(island.row_begin); r < at(island.row_end); ++r) {
    d_.Lambda[r] = back_.Lambda[r] + total * d_.Lambda[r];
    d_.lower[r] = back_.lower[r] + total * d_.lower[r];
    d_.upper[r] = back_.upper[r] + total * d_.upper[r];
    d_.y[r] = back_.y[r] + total * d_.y[r];
    d_.z[r] = back_.z[r] + total * d_.z[r];
  }
  const double step = std::min(1.0, 0.9 * largest_step(p, island));
  advance(island, step);
  turn_.tau *= 1 + std::max(-0.9, step * total * ahead);
  return step;
}

// One step along the path, or around a turn of it.
void SparseInterior::follow(const BlockProblem& p, const Island& island, double tau, int iteration, SparseIterate& x,
                            SparseResponse& response) {
  if (!turn_.inside && response.negative()) turn_ = {true, tau, math::infinity};
  if (!turn_.inside) {
    const double step = step_ahead(p, island, tau, x, response);
    short_steps_ = step < short_step ? short_steps_ + 1 : 0;
    if (short_steps_ < 3) return;
    turn_ = {true, tau, 0.8 * tau};
    begin_again(p, island, tau, x);
    return;
  }
  // Steps of changing length: where long ones leap from one branch to another they do not do so in a circle.
  const double golden = iteration * 0.6180339887498949;
  const double step = step_around(p, island, 0.4 + 0.5 * (golden - std::floor(golden)), x, response);
  if (step < 0.7) begin_again(p, island, turn_.tau, x);
  short_steps_ = 0;
  turn_.inside = response.negative() || step <= 0.5 || turn_.tau >= turn_.tau_beyond;
}

// One step ahead; where the path turns, in the direction of a path that does not.
void SparseInterior::cross(const BlockProblem& p, const Island& island, double tau, SparseIterate& x,
                           SparseResponse& response) {
  constexpr double beyond = 0.3;  // of τ at the turn
  if (response.negative()) {
    crossing_ = true;
    crossed_at_ = beyond * tau;
    return;
  }
  short_steps_ = step_ahead(p, island, tau, x, response) < short_step ? short_steps_ + 1 : 0;
  if (short_steps_ < 3) return;
  if (crossing_) begin_again(p, island, tau, x);
  crossing_ = !crossing_;
  crossed_at_ = beyond * tau;
  short_steps_ = 0;
}

int SparseInterior::solve(const BlockProblem& p, const Island& island, const Attempt& attempt, SparseResponse& response,
                          SparseIterate& x) {
  short_steps_ = 0;
  turn_ = {};
  crossing_ = false;
  crossed_at_ = 0;
  begin(p, island, attempt.start, x);
  return go_on(p, island, attempt, response, x);
}

int SparseInterior::go_on(const BlockProblem& p, const Island& island, const Attempt& attempt, SparseResponse& response,
                          SparseIterate& x) {
  double best = math::infinity;
  int iteration = 0;
  copy_rows(island, x.Lambda, best_);
  for (; iteration < attempt.limit; ++iteration) {
    const double residual = evaluate(p, island, x);
    if (residual < best) copy_rows(island, at_.Lambda, best_);
    best = std::min(best, residual);
    if (residual <= attempt.tolerance || !(residual < math::infinity)) break;
    const double tau = mean_product(p, island, 0);
    if (tau < crossed_at_) crossing_ = false;
    linearise(p, island);
    if (!response.factorise(p, island, gain_, follow_, crossing_)) break;
    std::fill(correct_y_.begin() + island.row_begin, correct_y_.begin() + island.row_end, 0.0);
    std::fill(correct_z_.begin() + island.row_begin, correct_z_.begin() + island.row_end, 0.0);
    if (attempt.at_turns == AtTurns::around) {
      follow(p, island, tau, iteration, x, response);
    } else {
      cross(p, island, tau, x, response);
    }
  }
  copy_rows(island, best_, x.Lambda);
  return iteration;
}

}  // namespace picus::contact
