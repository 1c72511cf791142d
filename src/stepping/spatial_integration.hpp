#pragma once

#include <span>
#include <string>
#include <vector>

#include "picus/contact/spatial_solver.hpp"
#include "picus/mechanics/spatial_system.hpp"
#include "picus/options/step_options.hpp"
#include "picus/stepping/certificate_rules.hpp"
#include "picus/stepping/contact_memory.hpp"
#include "picus/stepping/motion_scale.hpp"
#include "picus/stepping/totals.hpp"

namespace picus::stepping {

struct CarriedState;
struct Snapshot;

// Bodies in space in motion. All methods are one scheme,
//   q_M = q_A moved with u_A for (1 − θ) Δt,   q_E = q_M moved with u_E for θ Δt,
//   m v_E = m v_A + Δt F + …,   J(q_E) ω_E = J(q_A) ω_A + Δt M + …   (… : impulses of contacts)
// so that angular momentum is kept to round-off, and the midpoint rule runs backwards in time as well as forwards.
//   moreau-midpoint   θ = ½; gaps and frames at q_M
//   moreau-jean       θ from ½ to 1; gaps and frames at q_M; forces (1 − θ) F(q_A, u_A) + θ F(q_E, u_E)
//   stewart-trinkle   θ = 1; gaps and frames at q_A; ξ_N = g(q_A)/Δt + γ_N; polytopes for the friction sets; every
//                     contact for which that would be negative acts
//   tzitzouris-pang   θ = 1; gaps, frames and forces at q_E; ξ_N = g(q_E)/Δt
// With the first two, contacts that stay closed follow their surfaces as in the plane (sparse_integration.hpp), and are
// not lost to a gap that is smaller than what the forces close within half a step.
// What depends on q_E is found by repeated contact problems, each from the impulses of the last. Where bodies turn so
// far in a step that this does not converge, J(q_E) ω_E = L is solved for ω_E by itself, with the impulses of the last
// problem (spatial_turning.hpp), and the problem gives their change.
class SpatialIntegration {
 public:
  using Placement = geometry::SpatialPlacement;
  using Vector = mechanics::SpatialVector;

  // Throws InputError for options out of range, and laws that a method does not know.
  SpatialIntegration(mechanics::SpatialSystem system, std::vector<Placement> q0, std::vector<Vector> u0,
                     const options::StepOptions& options);

  StepStatus step();
  // The impact laws alone (Δt = 0) at the time reached.
  StepStatus impact();

  // As of Integration.
  Snapshot snapshot() const;
  void restore(const Snapshot& from);
  void drop_caches();
  CarriedState carried() const;
  void carry_on(const CarriedState& from);

  double time() const { return static_cast<double>(totals_.steps) * options_.dt; }
  const std::vector<Placement>& q() const { return q_; }
  const std::vector<Vector>& u() const { return u_; }
  // As numbers: x, y, z, qw, qx, qy, qz of each moving body; vx, vy, vz, wx, wy, wz. Valid until they are asked for
  // again.
  std::span<const double> positions() const;
  std::span<const double> velocities() const;
  int output_count() const { return system_.output_count(); }
  void outputs(double* y) { system_.outputs(q_, u_, time(), y); }
  mechanics::SpatialSystem& system() { return system_; }
  const mechanics::SpatialSystem& system() const { return system_; }
  StepStatus status() const { return status_; }
  const Totals& totals() const { return totals_; }
  const Ledger& ledger() const { return ledger_; }
  double kinetic_energy() const;
  double potential_energy() const;
  double start_energy() const { return start_energy_; }
  Eigen::Vector3d angular_momentum(int body) const;  // about its centre of mass
  const std::vector<Event>& events() const { return events_; }
  const std::vector<std::string>& start_notes() const { return start_notes_; }

  // A contact in the last step: relative velocities at its end and impulses, rows N, t, o, r.
  struct Touch {
    double gap = 0;
    Eigen::Vector4d gamma = Eigen::Vector4d::Zero(), Lambda = Eigen::Vector4d::Zero();
    contact::ContactState state = contact::ContactState::open;
    int contact = 0;
  };
  const std::vector<Touch>& touches() const { return touches_; }
  const std::vector<mechanics::SpatialContact>& contacts() const { return contacts_; }
  double residual() const { return residual_; }
  // StepView, for books and records.
  class View;
  View last_step() const;
  int solves() const { return solves_; }  // contact problems in the last step
  // Why the implicit equations of the step that failed may have no solution nearby; empty where it is not known.
  std::string turning_too_far() const;

 private:
  // Which contacts act: those with a gap up to the active one where the method looks; those that would break
  // g(q_A)/Δt + γ_N ≥ 0 without; those with g(q_A moved with u_A for Δt) ≤ 0 (Stewart 2000, before (2.13)).
  enum class Active { by_gap, by_law, by_prediction };
  struct Scheme {
    double theta = 0.5;
    bool on_positions = false;  // ξ_N holds the gap
    bool at_end = false;        // gaps and frames where the step ends
    bool forces_at_end = false;
    bool follows = false;  // closed contacts follow their surfaces
    Active active = Active::by_gap;
  };
  // Rows of a contact in scaled coordinates, on body b; on body a with the opposite sign.
  struct Rows {
    Eigen::Vector3d linear[4], angular_a[4], angular_b[4];
    Eigen::Vector3d turned_a[4], turned_b[4];  // J⁻¹ angular
    int count = 0;
  };
  struct Kept : KeptContact {
    Eigen::Vector4d Lambda = Eigen::Vector4d::Zero();   // scaled rows
    Eigen::Vector3d sliding = Eigen::Vector3d::Zero();  // the relative velocity after the last step, in the world
    double gamma_N = 0, gamma_r = 0;
    double reach = 0;  // a gap that the discretisation may have opened under a contact that is pressed
    std::int64_t closed_step = -1000;
    std::int64_t listed = -1;  // in which search it came among the contacts of the step
  };

  const contact::SpatialFriction& friction(const mechanics::SpatialContact& c) const {
    return frictions_[static_cast<std::size_t>(c.law)];
  }
  template <class Self, class Archive>
  static void transfer_state(Self& self, Archive& archive);
  void check_laws() const;
  void note_overlaps();
  void note_uncertified();
  void book_work(double t_A);
  StepStatus iterate(double t_A, bool settles);
  void find_contacts(bool again);
  void find_by_law();
  bool add_by_law();
  bool look_as_far_as(const std::vector<Vector>& u);
  bool would_close(const mechanics::SpatialContact& c, const std::vector<Vector>& u) const;
  void list(mechanics::SpatialContact& c);
  void set_inertia(const std::vector<Placement>& q);
  void set_free_momentum(double t_A, bool first);
  void free_velocities();
  bool turn_as_far(bool first);
  void set_rows(const mechanics::SpatialContact& c, Rows& rows) const;
  Eigen::Vector4d velocity(const mechanics::SpatialContact& c, const Rows& rows, const std::vector<Vector>& u) const;
  // Of the two bodies at the contact: linear, and angular.
  Vector relative_velocity(const mechanics::SpatialContact& c, const std::vector<Vector>& u) const;
  Eigen::Vector4d turn_of(const mechanics::SpatialContact& c, const Eigen::Vector4d& gamma_A, const Kept& kept) const;
  contact::SpatialBlock block(int i, int j) const;
  void pose(double dt);
  StepStatus solve_contacts(double dt);
  void apply_impulses();
  StepStatus certify(double dt);
  void keep();

  mechanics::SpatialSystem system_;
  options::StepOptions options_;
  Scheme scheme_;
  std::vector<contact::SpatialFriction> frictions_;  // of the laws, as this method takes them
  bool any_turning_inertia_ = false;
  bool turns_far_ = false;  // too far for repeated contact problems alone

  std::vector<Placement> q_, q_M_, q_E_;
  std::vector<Vector> u_, u_A_, u_E_, u_free_, last_u_;
  std::vector<Vector> momentum_A_, free_momentum_, force_A_, force_, mean_;
  // Angular momentum is carried from step to step, not made of ω anew: so it does not gather round-off.
  std::vector<Eigen::Vector3d> L_, L_E_, of_contacts_;
  std::vector<Eigen::Matrix3d> J_inv_;
  std::vector<double> J_inv_scalar_;
  StepStatus status_ = StepStatus::done;

  std::vector<mechanics::SpatialContact> contacts_, candidates_;
  std::vector<mechanics::SpatialReach> looked_;  // by body: how far it may move for candidates_ to be complete
  std::vector<Rows> rows_;
  std::vector<Eigen::Vector4d> gamma_A_, gamma_E_, shift_, turn_, force_part_;
  std::vector<std::vector<int>> contacts_of_;  // by body
  contact::SpatialProblem problem_;
  std::vector<contact::SpatialRows> Lambda_;
  contact::SpatialSolver solver_;
  contact::SpatialOutcome outcome_;
  MotionScale scale_;
  double dt_ = 0, v_ref_ = 0, residual_ = 0;
  bool certified_ = true;
  int missed_ = -1;  // where it is not certified: the contact that misses its law most
  int solves_ = 0;

  ContactMemory<Kept> kept_;
  int jammed_ = -1;           // contact that took an impulse without a collision
  double lasting_reach_ = 0;  // the largest of closed contacts
  std::vector<Touch> touches_;
  std::vector<Event> events_;
  Totals totals_;
  Ledger ledger_;
  double start_energy_ = 0;
  std::vector<std::string> start_notes_;
  std::int64_t search_ = 0;
  mutable std::vector<double> position_numbers_, velocity_numbers_;
};

// Moved for a time with a velocity: the turn is exp(ω Δt), the product of a unit quaternion.
geometry::SpatialPlacement advance(const geometry::SpatialPlacement& q, const mechanics::SpatialVector& u, double dt);

}  // namespace picus::stepping
