#pragma once

#include <limits>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "picus/contact/row_solver.hpp"
#include "picus/mechanics/sparse_mass.hpp"
#include "picus/mechanics/sparse_system.hpp"
#include "picus/mechanics/start.hpp"
#include "picus/options/step_options.hpp"
#include "picus/stepping/contact_memory.hpp"
#include "picus/stepping/impact_rules.hpp"
#include "picus/stepping/totals.hpp"

namespace picus::contact {
struct FallingSolutions;
}

namespace picus::stepping {

struct CarriedState;
struct FrictionSearch;
struct Snapshot;

// A system of any size in motion, with constraints and contacts that come and go: Moreau's midpoint rule (Glocker &
// Studer 2005, steps 1 to 5), with its books. Constraints have impulses of their own in the contact problem: with
// γ = wᵀu + ŵ at the evaluation point,
//   γ_E + (γ_A − γ_A at the start of the step) = 0,
// where the bracket is how the row turns in half a step. So the constraint holds for the velocities at the end of the
// step, not in its middle, up to second order. What is left on position level is taken away after each step by the
// least displacement in the norm of M. Contacts that stay closed follow in the same way, with the bracket taken as half
// of what the row has turned since the last step; their restitution acts on what they have at the start of the step,
// not on what the turning adds. Rows: constraints first, then two a contact, then elements.
class SparseIntegration {
 public:
  // Throws InputError for options out of range, and for a start whose constraints cannot be met.
  SparseIntegration(std::unique_ptr<mechanics::SparseSystem> system, std::vector<double> q0, std::vector<double> u0,
                    const options::StepOptions& options);
  ~SparseIntegration();
  SparseIntegration(SparseIntegration&&) noexcept;

  // Impacts by laws other than Newton's in one problem: contacts that may take part in one together.
  static constexpr int impact_limit = stepping::impact_limit;

  StepStatus step();
  // The impact laws alone at the time reached, with a blow J (N s; empty: none).
  StepStatus impact(const std::vector<double>& J = {});
  bool blow_is_due() const;
  StepStatus blow();

  // As of Integration.
  Snapshot snapshot() const;
  void restore(const Snapshot& from);
  void drop_caches();
  CarriedState carried() const;
  void carry_on(const CarriedState& from);

  double time() const { return static_cast<double>(totals_.steps) * options_.dt; }
  const std::vector<double>& q() const { return q_; }
  const std::vector<double>& u() const { return u_; }
  const mechanics::SparseSystem& system() const { return *system_; }
  StepStatus status() const { return status_; }
  const Totals& totals() const { return totals_; }
  Ledger ledger();
  double kinetic_energy();
  double potential_energy();
  double start_energy() const { return start_energy_; }
  std::span<const double> positions() const { return q_; }
  std::span<const double> velocities() const { return u_; }
  int output_count() const { return system_->output_count(); }
  void outputs(double* y) { system_->outputs(q_.data(), u_.data(), time(), y); }
  const std::vector<Event>& events() const { return events_; }

  // Of the last step.
  const mechanics::ActiveContacts& contacts() const { return contacts_; }
  int rows() const { return problem_.rows(); }
  int contact_row(int a) const { return constraints_ + 2 * a; }
  int element_number(int e) const { return system_->element_number(e); }
  int element_row(int e) const { return constraints_ + 2 * static_cast<int>(contacts_.list.size()) + e; }
  double Lambda(int row) const { return solution_.Lambda[static_cast<std::size_t>(row)]; }
  double gamma_E(int row) const { return gamma_E_[static_cast<std::size_t>(row)]; }
  contact::ContactState contact_state(int a) const;
  contact::RowState row_state(int row) const { return solution_.state[static_cast<std::size_t>(row)]; }
  double residual() const { return residual_; }
  // StepView, for books and records.
  class View;
  View last_step();

  // What was done to the start so that constraints hold, and which of them depend on others, in words.
  std::vector<std::string> start_notes() const;
  // With StepStatus::contradiction: names of constraints that cannot hold together.
  std::vector<std::string> contradicting() const;

 private:
  struct Kept : KeptContact {
    double Lambda_N = 0, Lambda_T = 0;
    double gamma_N = 0, gamma_T = 0;  // after the last step
    // Of a moving support, by rows: ŵ when the contact was active last, and how much it changed in a step.
    double w_hat[2] = {}, w_hat_change[2] = {no_change, no_change};
    std::int64_t w_hat_phase = -1000;
  };
  static constexpr double no_change = std::numeric_limits<double>::quiet_NaN();  // not known yet

  template <class Self, class Archive>
  static void transfer_state(Self& self, Archive& archive);

  // start
  void note_overlaps();
  void note_uncertified();

  // impacts and friction by other laws
  struct ImpactWorkspace;
  StepStatus solve_by_impact_law();
  void respond(int r, std::vector<double>& v, std::vector<double>& y);
  void couple_contacts(ImpactWorkspace& w);
  void gather_impact(ImpactWorkspace& w, const std::vector<double>& b);
  bool choose_friction();
  void set_friction(int a);
  StepStatus settle_friction();
  double sliding_speed(int a) const;
  bool has_known_speeds() const;
  StepStatus search_friction(FrictionSearch& search);
  StepStatus examine_speeds(bool holds, StepStatus status, FrictionSearch& search);
  StepStatus take_speed(const contact::FallingSolutions& found, FrictionSearch& search);
  void judge_laws(EnergyGain& gain);

  // a step
  bool evaluate_mass(const std::vector<double>& q, double t);
  StepStatus solve_contact_phase(double t, double dt, double lead, bool turning);
  void pose_problem(double t, double dt, double lead, bool turning);
  void guess_states();
  void set_free_part();
  void apply_impulses();
  StepStatus solve_rows();
  double shift_of(int row, double turn) const;
  template <class Turn>
  bool take_turns(Turn turn);
  StepStatus solve_with_forces();
  StepStatus why_unsolved();
  void set_supports();
  void keep_supports();
  void set_forces();
  void certify();
  bool constraints_hold();
  void name_contradiction(const std::vector<double>& missed);
  bool project_constraints(double t);
  void remember_constraint_velocities(double t);
  void keep_contacts();
  void book_rows();
  void book_work(double t_M);
  double reference_velocity() const;

  std::unique_ptr<mechanics::SparseSystem> system_;
  options::StepOptions options_;
  int n_ = 0, constraints_ = 0;
  std::vector<double> q_, u_;
  StepStatus status_ = StepStatus::done;

  std::vector<double> q_M_, u_A_, du_free_, u_E_;
  mechanics::SparseMass mass_;
  mechanics::RowDirections constraint_rows_, element_rows_;
  mechanics::ActiveContacts contacts_;
  std::vector<contact::ElementLaw> element_laws_;
  std::vector<contact::RowState> kept_elements_;
  std::vector<double> displacement_, g_, gamma_start_, missed_;
  contact::SparseProblem problem_;
  contact::SparseSolution solution_;
  contact::RowSolver solver_;
  std::vector<double> w_hat_, gamma_A_, gamma_E_, shift_;
  std::vector<double> force_part_;  // Wᵀ M⁻¹ h Δt, of all rows
  std::vector<double> forces_;      // the same with what constraints make of it, once they are solved
  std::vector<char> is_driven_;     // of each constraint: it has moved by itself
  std::vector<double> turn_;        // of γ in half a step, by rows; 0 of contacts that are new
  std::vector<double> support_;  // what supports that accelerate do to γ in the step, by rows; 0 where turn_ holds it
  MotionScale scale_;
  double dt_ = 0, v_ref_ = 0, residual_ = 0;
  double missed_share_ = 0;  // of constraints: the largest residual
  bool certified_ = true;
  int missed_row_ = -1;  // where it is not certified: the row (of a contact, its first) that misses its law most
  contact::RowOutcome outcome_;
  std::vector<double> mu_;   // friction coefficients in use, by active contacts
  std::vector<char> holds_;  // by mu_static
  int jammed_ = -1;          // contact that took an impulse without a collision
  std::unique_ptr<ImpactWorkspace> impact_;

  ContactMemory<Kept> kept_;
  std::vector<Event> events_;
  Totals totals_;
  Ledger ledger_;
  double start_energy_ = 0, start_rest_ = 0;
  int blows_given_ = 0;
  std::vector<std::string> start_notes_;
  std::vector<int> redundant_, contradicting_;
  std::vector<double> work_, mean_, y_, delta_;
};

}  // namespace picus::stepping
