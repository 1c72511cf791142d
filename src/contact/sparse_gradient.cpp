#include "picus/contact/sparse_gradient.hpp"

#include <algorithm>
#include <cmath>

#include "picus/support/index.hpp"

namespace picus::contact {

namespace {

// A contact whose friction is bounded by its load alone.
bool has_cone(const BlockProblem& p, const Block& block) {
  if (block.rows != 2) return false;
  const RowLaw& law = p.law[at(block.row) + 1];
  return law.upper_mu > 0 && law.lower_mu == -law.upper_mu && law.lower == 0 && law.upper == 0;
}

void copy_rows(const Island& island, const std::vector<double>& from, std::vector<double>& to) {
  std::copy(from.begin() + island.row_begin, from.begin() + island.row_end, to.begin() + island.row_begin);
}

}  // namespace

void SparseGradient::resize(const BlockProblem& p) {
  for (auto* v : {&unit_, &now_, &xi_now_, &ahead_, &xi_ahead_, &slope_, &next_, &xi_next_, &best_}) {
    v->resize(p.b.size());
  }
  is_cone_.resize(p.blocks.size());
}

void SparseGradient::find_velocities(const BlockProblem& p, const Island& island, const std::vector<double>& impulses,
                                     std::vector<double>& xi, SparseIterate& x) const {
  for (std::size_t r = at(island.row_begin); r < at(island.row_end); ++r) x.Lambda[r] = impulses[r] * unit_[r];
  collect_delta(p, island, x);
  for (int i = island.block_begin; i < island.block_end; ++i) {
    const Block& block = p.blocks[at(i)];
    for (int j = 0; j < block.rows; ++j) {
      const std::size_t r = at(block.row + j);
      xi[r] = xi_of(p, block, j, x.delta.data()) * unit_[r];
    }
  }
}

void SparseGradient::begin(const BlockProblem& p, const Island& island, SparseIterate& x) {
  for (int i = island.block_begin; i < island.block_end; ++i) {
    const Block& block = p.blocks[at(i)];
    is_cone_[at(i)] = has_cone(p, block) ? 1 : 0;
    for (int j = 0; j < block.rows; ++j) unit_[at(block.row + j)] = 1 / std::sqrt(p.rho_inv[at(block.row + j)]);
    if (is_cone_[at(i)] != 0) unit_[at(block.row)] /= p.law[at(block.row) + 1].upper_mu;
  }
  for (std::size_t r = at(island.row_begin); r < at(island.row_end); ++r) now_[r] = x.Lambda[r] / unit_[r];
  find_velocities(p, island, now_, xi_now_, x);
  copy_rows(island, now_, ahead_);
  copy_rows(island, xi_now_, xi_ahead_);
  inverse_length_ = momentum_ = 1;
}

// next = P(ahead − slope / inverse_length).
void SparseGradient::project(const BlockProblem& p, const Island& island) {
  const double length = 1 / inverse_length_;
  for (int i = island.block_begin; i < island.block_end; ++i) {
    const Block& block = p.blocks[at(i)];
    const std::size_t r = at(block.row);
    if (is_cone_[at(i)] != 0) {
      slope_[r] = xi_ahead_[r] + std::abs(xi_ahead_[r + 1]);
      slope_[r + 1] = xi_ahead_[r + 1];
      const double n = ahead_[r] - length * slope_[r], t = ahead_[r + 1] - length * slope_[r + 1], size = std::abs(t);
      const double half = std::max(0.5 * (n + size), 0.0);
      next_[r] = size <= n ? n : half;
      next_[r + 1] = size <= n ? t : std::copysign(half, t);
      continue;
    }
    for (std::size_t k = r; k < r + at(block.rows); ++k) {
      const RowLaw& law = p.law[k];
      const double load = law.governor >= 0 ? next_[at(law.governor)] * unit_[at(law.governor)] : 0;
      slope_[k] = xi_ahead_[k];
      next_[k] = math::clamp(ahead_[k] - length * slope_[k], (law.lower + law.lower_mu * load) / unit_[k],
                             (law.upper + law.upper_mu * load) / unit_[k]);
    }
  }
}

// The step is as long as the curvature along it allows.
void SparseGradient::find_next(const BlockProblem& p, const Island& island, SparseIterate& x) {
  constexpr int most_lengths = 30;
  for (int k = 0; k < most_lengths; ++k) {
    project(p, island);
    find_velocities(p, island, next_, xi_next_, x);
    double square = 0, curvature = 0;
    for (std::size_t r = at(island.row_begin); r < at(island.row_end); ++r) {
      const double d = next_[r] - ahead_[r];
      square += d * d;
      curvature += d * (xi_next_[r] - xi_ahead_[r]);
    }
    if (curvature <= inverse_length_ * square * (1 + 1e-12) || !(square > 0)) return;
    inverse_length_ = std::max(2 * inverse_length_, curvature / square);
  }
}

void SparseGradient::go_ahead(const Island& island) {
  constexpr double longer = 0.97;  // a little with each step, until the curvature forbids it
  double uphill = 0;
  for (std::size_t r = at(island.row_begin); r < at(island.row_end); ++r) uphill += slope_[r] * (next_[r] - now_[r]);
  const double momentum = uphill > 0 ? 1 : 0.5 * (1 + std::sqrt(1 + 4 * momentum_ * momentum_));
  const double share = uphill > 0 ? 0 : (momentum_ - 1) / momentum;
  momentum_ = momentum;
  for (std::size_t r = at(island.row_begin); r < at(island.row_end); ++r) {
    ahead_[r] = next_[r] + share * (next_[r] - now_[r]);
    xi_ahead_[r] = xi_next_[r] + share * (xi_next_[r] - xi_now_[r]);
  }
  std::swap(now_, next_);
  std::swap(xi_now_, xi_next_);
  inverse_length_ *= longer;
}

int SparseGradient::solve(const BlockProblem& p, const Island& island, double tolerance, int limit, SparseIterate& x) {
  constexpr int judged_every = 20;
  copy_rows(island, x.Lambda, best_);
  double best = judge(p, island, x).largest;
  begin(p, island, x);
  int steps = 0;
  while (steps < limit && best > tolerance) {
    find_next(p, island, x);
    go_ahead(island);
    if (++steps % judged_every != 0 && steps != limit) continue;
    const double residual = judge(p, island, x).largest;  // x holds the impulses of this step
    if (!(residual < best)) continue;
    best = residual;
    copy_rows(island, x.Lambda, best_);
  }
  copy_rows(island, best_, x.Lambda);
  return steps;
}

}  // namespace picus::contact
