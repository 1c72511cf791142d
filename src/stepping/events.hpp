#pragma once

#include <cstdint>

#include "picus/stepping/event.hpp"
#include "picus/stepping/findings.hpp"
#include "picus/stepping/step_data.hpp"

namespace picus::stepping {

// Events of one step; a contact has two at most (it closes, and sticks or slips then), an element one.
template <class S>
struct StepEvents {
  int count = 0;
  Event list[math::at_least_one(StepData<S>::R)];

  PICUS_HD void add(int contact, EventKind kind, double Lambda_N) { list[count++] = {contact, kind, Lambda_N}; }
};

// An open contact that closes does so with an impact, unless it touches: its approach velocity is below `touch_share`
// of what forces and supports that accelerate do to it within one step, or it was open for `flutter_steps` at most and
// approaches no faster than they can have made it in that time, or by round-off. The second happens to a lasting
// contact on a curved path, whose gap drifts over the tolerance now and then.
inline constexpr double touch_share = 0.01;
inline constexpr int flutter_steps = 16;

// A contact that does not approach is struck through others, or by a blow (Δt = 0): it takes far more than forces in a
// step can give. `taken` is its impulse as a velocity, Λ_N / ρ; `forces` the most that they do to any active contact;
// `floor` the round-off of velocities.
PICUS_HD constexpr bool is_struck(double taken, double forces, double v_ref, double floor, double dt) {
  return taken > floor + (dt > 0 ? 100 * forces + 1e-6 * v_ref : 1e-9 * v_ref);
}

// An open contact that takes an impulse.
struct ClosingContact {
  double approach;          // −γ_N before the step
  double within;            // what forces, supports and turning do to γ_N in the step
  double taken;             // Λ_N / ρ
  std::int64_t open_steps;  // for how many it was open
};

// Whether it does so with an impact. `forces` and `floor` as for is_struck.
PICUS_HD constexpr bool is_impact(const ClosingContact& c, double forces, double v_ref, double floor, double dt) {
  const double share = c.open_steps <= flutter_steps ? 1.5 * static_cast<double>(c.open_steps) : touch_share;
  return c.approach > share * c.within + floor || is_struck(c.taken, forces, v_ref, floor, dt);
}

// What the states were before a step.
template <class S>
struct StatesBefore {
  contact::ContactState contact[StepData<S>::capacity];
  contact::RowState element[math::at_least_one(StepData<S>::E)];
};

template <class S>
PICUS_HD PICUS_ALWAYS_INLINE StatesBefore<S> remember_states(const S& system, const StepData<S>& d) {
  StatesBefore<S> before;
  for (int i = 0; i < system.contact_count(); ++i) before.contact[i] = d.kept[i];
  for (int e = 0; e < mechanics::element_count(system); ++e) before.element[e] = d.kept_element[e];
  return before;
}

// What the normal impulse of the a-th active contact did, if it was closed before the step (LastingWork).
template <class S>
PICUS_HD PICUS_ALWAYS_INLINE double lasting_work_of(const StatesBefore<S>& before, const StepData<S>& d, int a) {
  const int i = d.active[a];
  if (before.contact[i] == contact::ContactState::open) return 0;
  return 0.5 * d.solution.Lambda[2 * a] * (d.gamma_A[2 * a] + d.gamma_E[2 * a] - d.w_hat_change[i]);
}

// A quick look: a state changed, or an open contact took an impulse. Most steps pass without.
template <class S>
PICUS_HD PICUS_ALWAYS_INLINE bool may_have_events(const S& system, const StatesBefore<S>& before,
                                                  const StepData<S>& d) {
  bool may = d.jammed >= 0;
  for (int i = 0; i < system.contact_count(); ++i) may |= before.contact[i] != d.kept[i];
  for (int a = 0; a < d.active_contacts(); ++a) {
    may |= before.contact[d.active[a]] == contact::ContactState::open && d.solution.Lambda[2 * a] > 0;
  }
  for (int e = 0; e < mechanics::element_count(system); ++e) may |= before.element[e] != d.kept_element[e];
  return may;
}

// What forces and supports do to γ_N of each active contact in the step; the most is returned.
template <class S>
PICUS_HD double find_within(const S& system, const math::Vector<S::max_u>& u_E, const StepData<S>& d, double* within) {
  double forces = 0;
  for (int a = 0; a < d.active_contacts(); ++a) {
    within[a] = math::abs(d.force_part[2 * a]) + math::abs(support_part(system, d.active[a], u_E, d).N);
    forces = math::max(forces, within[a]);
  }
  return forces;
}

// Compares the states before the step with those after it (d.kept). `opened` holds the step at which each contact
// opened last. An element sticks while ξ = 0 (a clutch that is locked, a spring that is held), and slips otherwise.
template <class S>
PICUS_HD void detect_events(const S& system, const StatesBefore<S>& states, const long* opened, long step,
                            const math::Vector<S::max_u>& u_E, const StepData<S>& d, StepEvents<S>& events) {
  const contact::ContactState* before = states.contact;
  using contact::ContactState;
  events.count = 0;
  int place[StepData<S>::capacity];  // in the active set, −1 outside
  for (int i = 0; i < system.contact_count(); ++i) place[i] = -1;
  for (int a = 0; a < d.active_contacts(); ++a) place[d.active[a]] = a;
  double within[StepData<S>::capacity];
  const double forces = find_within(system, u_E, d, within);

  for (int i = 0; i < system.contact_count(); ++i) {
    const ContactState now = d.kept[i];
    const int a = place[i];
    const double Lambda_N = a >= 0 ? d.solution.Lambda[2 * a] : 0;
    if (i == d.jammed && a >= 0) {
      events.add(i, EventKind::jam, Lambda_N);
    } else if (before[i] == ContactState::open && Lambda_N > 0) {
      const ClosingContact closing{-d.gamma_A[2 * a], within[a], Lambda_N * d.rho_inv[2 * i], step - opened[i]};
      const bool impact = is_impact(closing, forces, d.v_ref, d.scale.floor, d.dt);
      if (impact || now != ContactState::open) {
        events.add(i, impact ? EventKind::impact : EventKind::touch, Lambda_N);
      }
    }
    if (before[i] != ContactState::open && now == ContactState::open) events.add(i, EventKind::lift_off, 0);
    if (now != ContactState::open) {
      const bool sticks = now == ContactState::stick;
      const bool changed = before[i] == ContactState::open || sticks != (before[i] == ContactState::stick);
      if (changed) events.add(i, sticks ? EventKind::stick : EventKind::slip, Lambda_N);
    }
  }
  for (int e = 0; e < mechanics::element_count(system); ++e) {
    const bool sticks = d.kept_element[e] == contact::RowState::inner;
    if (sticks == (states.element[e] == contact::RowState::inner)) continue;
    events.add(system.contact_count() + e, sticks ? EventKind::stick : EventKind::slip, 0);
  }
}

PICUS_HD constexpr bool is_strike(EventKind kind) { return kind == EventKind::impact || kind == EventKind::jam; }

// Of contacts that were closed before the step, without those that an impact in it struck.
template <class S>
PICUS_HD PICUS_RARELY double lasting_work_beside_impact(const S& system, const StatesBefore<S>& before,
                                                        const math::Vector<S::max_u>& u_E, const StepData<S>& d) {
  double within[StepData<S>::capacity], work = 0;
  const double forces = find_within(system, u_E, d, within);
  for (int a = 0; a < d.active_contacts(); ++a) {
    const double taken = d.solution.Lambda[2 * a] * d.rho_inv[2 * d.active[a]];
    if (!is_struck(taken, forces, d.v_ref, d.scale.floor, d.dt)) work += lasting_work_of(before, d, a);
  }
  return work;
}

// LastingWork of a step with these events.
template <class S>
PICUS_HD PICUS_ALWAYS_INLINE double lasting_work(const S& system, const StatesBefore<S>& before,
                                                 const StepEvents<S>& events, const math::Vector<S::max_u>& u_E,
                                                 const StepData<S>& d) {
  for (int e = 0; e < events.count; ++e) {
    if (is_strike(events.list[e].kind)) return lasting_work_beside_impact(system, before, u_E, d);
  }
  double work = 0;
  for (int a = 0; a < d.active_contacts(); ++a) work += lasting_work_of(before, d, a);
  return work;
}

}  // namespace picus::stepping
