// What books, events and records see of the last step (or impact) of a kernel, whatever its size and dimension.
#pragma once

#include <concepts>

#include "picus/contact/law.hpp"
#include "picus/mechanics/system.hpp"
#include "picus/stepping/contact_rules.hpp"
#include "picus/stepping/findings.hpp"

namespace picus::stepping {

// A row of a contact or an element. force: what forces do to γ in the step, with what constraints make of them; turn:
// how γ changes by its directions in what is left of the step; w_hat: what a moving support adds to γ.
struct StepRow {
  double Lambda, gamma_A, gamma_E, force, turn, w_hat;
};

// What is recorded of a contact: γ after the step and impulses, along N, T in the plane; N, t, o and about N in space.
struct ContactInStep {
  int contact;
  double gap;  // where the method looks
  contact::ContactState state;
  double gamma[4], Lambda[4];
};

struct ElementInStep {
  int contact;  // elements are numbered behind the contacts
  bool is_one_sided, is_on_displacement;
  double displacement, gamma, Lambda;
  contact::RowState state;
};

struct ReactionInStep {
  double g, Lambda;  // what is left of the constraint after the step, its impulse
};

// Contacts that took part are a = 0, 1, …; row k = 0 of a contact is its normal one, the others are tangential.
template <class V>
concept StepView = requires(const V& v, int i, EnergyGain& gain) {
  { V::contact_rows } -> std::convertible_to<int>;
  { v.time() } -> std::same_as<double>;
  { v.dt() } -> std::same_as<double>;  // 0 of an impact
  { v.v_ref() } -> std::same_as<double>;
  { v.residual() } -> std::same_as<double>;
  { v.scale() } -> std::same_as<const MotionScale&>;

  { v.contacts() } -> std::same_as<int>;
  { v.contact(i) } -> std::same_as<int>;  // its number
  { v.gap(i) } -> std::same_as<double>;
  { v.rho_inv(i) } -> std::same_as<double>;
  { v.row(i, i) } -> std::same_as<StepRow>;
  { v.within(i) } -> std::same_as<double>;           // what happens to γ_N in the step: within_step()
  { v.work_of_support(i) } -> std::same_as<double>;  // Σ |Λ| times what a support that accelerates does to γ
  { v.in_collision(i) } -> std::same_as<ContactSeen>;
  { v.pressing(i) } -> std::same_as<double>;  // jam_coefficient()
  { v.change(i) } -> std::same_as<ContactChange>;
  { v.lasting_work(i) } -> std::same_as<double>;  // of a contact that was closed before the step, else 0

  { v.elements() } -> std::same_as<int>;
  { v.element_number(i) } -> std::same_as<int>;  // behind those of the contacts
  { v.element_law(i) } -> std::convertible_to<contact::ElementLaw>;
  { v.element(i) } -> std::same_as<StepRow>;
  { v.constraints() } -> std::same_as<int>;
  { v.reaction(i) } -> std::same_as<double>;     // Λ of a constraint
  { v.drive_speed(i) } -> std::same_as<double>;  // with which Λ does work: that of what drives it

  { v.kinetic_energy() } -> std::same_as<double>;
  { v.potential_energy() } -> std::same_as<double>;
  v.judge_laws(gain);  // the same impact by each law, where they know it

  { v.has_rows() } -> std::same_as<bool>;  // there was a contact problem
  { v.touching(i) } -> std::same_as<mechanics::TouchingShapes>;
  { v.recorded_contact(i) } -> std::same_as<ContactInStep>;
  { v.recorded_element(i) } -> std::same_as<ElementInStep>;
  { v.recorded_reaction(i) } -> std::same_as<ReactionInStep>;
};

}  // namespace picus::stepping
