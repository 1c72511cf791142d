#include "picus/contact/sparse_states.hpp"

#include "picus/contact/contact_states.hpp"
#include "picus/support/index.hpp"

namespace picus::contact {

void set_bound_impulses(const BlockProblem& p, const Island& island, SparseIterate& x) {
  for (std::size_t r = at(island.row_begin); r < at(island.row_end); ++r) {
    if (x.state[r] == RowState::inner) continue;
    const BoundImpulse bound = bound_impulse(p.law[r], x.state[r]);
    x.Lambda[r] = bound.constant;
    if (p.law[r].governor >= 0) x.Lambda[r] += bound.factor * x.Lambda[at(p.law[r].governor)];
  }
}

void clip_to_bounds(const BlockProblem& p, const Island& island, SparseIterate& x) {
  for (std::size_t r = at(island.row_begin); r < at(island.row_end); ++r) {
    const Bounds bounds = bounds_of(p.law[r], x.Lambda);
    x.Lambda[r] = math::clamp(x.Lambda[r], bounds.lower, bounds.upper);
  }
}

void StateSystem::resize(const BlockProblem& p) {
  for (auto* v : {&gain_, &follow_, &R_, &dLambda_}) v->assign(p.b.size(), 0);
}

bool StateSystem::factorise(const BlockProblem& p, const Island& island, const std::vector<RowState>& state,
                            double epsilon, SparseResponse& response) {
  for (std::size_t r = at(island.row_begin); r < at(island.row_end); ++r) {
    const bool inner = state[r] == RowState::inner;
    gain_[r] = inner ? 1 / (epsilon * p.rho_inv[r]) : 0;
    follow_[r] = inner ? 0 : bound_impulse(p.law[r], state[r]).factor;
  }
  return response.factorise(p, island, gain_, follow_);
}

void StateSystem::correct(const BlockProblem& p, const Island& island, SparseResponse& response, SparseIterate& x) {
  for (std::size_t r = at(island.row_begin); r < at(island.row_end); ++r) R_[r] = -x.xi[r];
  response.solve(p, island, R_, dLambda_);
  for (std::size_t r = at(island.row_begin); r < at(island.row_end); ++r) x.Lambda[r] += dLambda_[r];
  set_bound_impulses(p, island, x);
}

}  // namespace picus::contact
