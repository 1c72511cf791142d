// Books of a step: energies that its impulses move, and what a user should be told of it.
#pragma once

#include "picus/stepping/ledger.hpp"
#include "picus/stepping/step_view.hpp"
#include "picus/stepping/totals.hpp"

namespace picus::stepping {

// What contacts did to the energy in one step, in J. `contact` did most.
struct ContactWork {
  int contact = -1;
  double energy = 0;
  double of_forces = 0;  // what forces do to the velocities of contacts, times |Λ|
  double impulses = 0;   // Σ |Λ| of contacts and of elements that are not springs
  double reactions = 0;  // Σ |Λ| of constraints
  double penetration = 0;
  bool may_jam = false;  // rarely; forces in the step explain nearly all impulses
};

// Books contacts, elements and constraints. An element on displacement level is a spring: its work is in the potential
// energy.
template <StepView V>
PICUS_HD PICUS_ALWAYS_INLINE ContactWork book_contacts(const V& v, bool has_simple_impacts, Ledger& ledger) {
  double normal = 0, tangential = 0, drive = 0, force = 0, most = 0;
  ContactWork sum;
  for (int r = 0; r < v.constraints(); ++r) {
    drive += v.reaction(r) * v.drive_speed(r);
    sum.reactions += math::abs(v.reaction(r));
  }
  for (int a = 0; a < v.contacts(); ++a) {
    double of_contact = 0;
    sum.penetration = math::max(sum.penetration, -v.gap(a));
    sum.may_jam |= v.row(a, 0).Lambda * v.rho_inv(a) > jam_impulse * math::abs(v.row(a, 0).force);
    for (int k = 0; k < V::contact_rows; ++k) {
      const StepRow row = v.row(a, k);
      const double work = 0.5 * row.Lambda * (row.gamma_A + row.gamma_E);
      (k == 0 ? normal : tangential) += work;
      of_contact += work;
      drive -= row.Lambda * row.w_hat;
      force += work_of_forces(row.Lambda, row.force, row.turn, has_simple_impacts);
      sum.impulses += math::abs(row.Lambda);
    }
    if (of_contact > most) {
      most = of_contact;
      sum.contact = v.contact(a);
    }
  }
  for (int e = 0; e < v.elements(); ++e) {
    const StepRow row = v.element(e);
    const contact::ElementLaw& law = v.element_law(e);
    drive -= row.Lambda * row.w_hat;
    if (law.on_displacement) continue;
    const double work = 0.5 * row.Lambda * (row.gamma_A + row.gamma_E);
    if (contact::is_driving(law)) {  // a motor: it may feed in energy
      ledger.work += work;
      continue;
    }
    (contact::is_one_sided(law) ? normal : tangential) += work;
    force += row.Lambda * row.force;
    sum.impulses += math::abs(row.Lambda);
    if (work > most) {
      most = work;
      sum.contact = v.element_number(e);
    }
  }
  ledger.impact += normal;
  ledger.friction += tangential;
  ledger.drive += drive;
  sum.energy = normal + tangential;
  sum.of_forces = math::abs(force);
  return sum;
}

// Contacts fed energy into the system where Σ Λ·(γ⁻ + γ⁺)/2 exceeds ½ |Λᵀ Wᵀ M⁻¹ h| Δt (and what supports that
// accelerate do, which counts as forces do) and round-off, which dissipative laws cannot do by themselves.
template <StepView V>
PICUS_HD PICUS_ALWAYS_INLINE bool may_be_gain(const V& v, const ContactWork& work) {
  return work.energy > allowed_work(work.of_forces, work.impulses, v.v_ref(), v.scale());
}

template <StepView V>
PICUS_RARELY void note_gain(const V& v, const ContactWork& work, const Ledger& ledger, Totals& totals) {
  double of_forces = work.of_forces;
  for (int a = 0; a < v.contacts(); ++a) of_forces += v.work_of_support(a);
  if (work.energy <= allowed_work(of_forces, work.impulses, v.v_ref(), v.scale())) return;
  if (work.energy <= energy_floor(ledger, v.kinetic_energy(), v.potential_energy())) return;
  EnergyGain gain{v.time(), work.contact, work.energy, false, {}};
  if (totals.is_first_or_largest(gain)) v.judge_laws(gain);
  totals.count(gain);
}

// The contact that took an impulse without a collision; −1: none.
template <StepView V>
PICUS_RARELY int note_jam(const V& v, Totals& totals) {
  const int a = find_jam(v.contacts(), v.scale().rest(v.v_ref()), [&](int c) { return v.in_collision(c); });
  if (a < 0) return -1;
  const double coefficient = v.pressing(a);
  // Where constraints hold the normal direction, it is round-off.
  if (!(coefficient < -round_off_share * v.rho_inv(a))) return -1;
  if (totals.jam_steps++ == 0) totals.first_jam = {v.time(), v.contact(a), v.row(a, 0).Lambda, coefficient};
  return v.contact(a);
}

// All of it for a step that had something to solve; the contact that jammed is returned, −1: none.
template <StepView V>
PICUS_ALWAYS_INLINE int book_step(const V& v, bool has_simple_impacts, Ledger& ledger, Totals& totals) {
  totals.worst_residual = math::max(totals.worst_residual, v.residual());
  const ContactWork work = book_contacts(v, has_simple_impacts, ledger);
  totals.worst_penetration = math::max(totals.worst_penetration, work.penetration);
  totals.largest_turnover = math::max(totals.largest_turnover, (work.impulses + work.reactions) * v.v_ref());
  if (may_be_gain(v, work)) note_gain(v, work, ledger, totals);
  return work.may_jam && v.dt() > 0 ? note_jam(v, totals) : -1;
}

// How each contact changed; `changes` has room for all.
template <StepView V>
PICUS_HD StepMeasure find_changes(const V& v, ContactChange* changes) {
  StepMeasure measure{0, 0, v.v_ref(), v.scale().floor, v.dt()};
  for (int a = 0; a < v.contacts(); ++a) {
    changes[a] = v.change(a);
    measure.forces = math::max(measure.forces, changes[a].closing.within);
    measure.note_collision(changes[a]);
  }
  return measure;
}

// What normal impulses did in one step at contacts that were closed before it, in J: Λ_N (γ_N⁻ + γ_N⁺)/2, less what the
// change of ŵ since the last step makes of it. Such contacts have γ_N = 0 on either side, and do no work; what they do
// is an error of the step, in which their directions turn.
template <StepView V>
PICUS_HD PICUS_ALWAYS_INLINE double lasting_work(const V& v) {
  double work = 0;
  for (int a = 0; a < v.contacts(); ++a) work += v.lasting_work(a);
  return work;
}
// Without those that an impact elsewhere struck: that is work.
template <StepView V>
PICUS_HD double lasting_work_beside_impact(const V& v, const ContactChange* changes, const StepMeasure& measure) {
  double work = 0;
  for (int a = 0; a < v.contacts(); ++a) {
    if (!is_struck(changes[a].closing.taken, measure)) work += v.lasting_work(a);
  }
  return work;
}

}  // namespace picus::stepping
