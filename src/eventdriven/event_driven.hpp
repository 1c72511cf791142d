// Motion from event to event: smooth pieces by an integrator of high order, impacts, lift-off, slip and stick located
// as roots, and the laws on acceleration level for what happens next. Slower than time stepping, and independent of it:
// both share laws, and no code that steps.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "picus/contact/choices.hpp"
#include "picus/eventdriven/formula_watch.hpp"
#include "picus/eventdriven/instant.hpp"
#include "picus/eventdriven/smooth_integrator.hpp"
#include "picus/mechanics/instant_system.hpp"
#include "picus/stepping/event.hpp"
#include "picus/stepping/findings.hpp"
#include "picus/stepping/snapshot.hpp"
#include "picus/stepping/step_status.hpp"

namespace picus::eventdriven {

struct Options {
  double tolerance = 1e-12;   // relative error of smooth motion; a step of the integrator has a tenth of it
  double closed_gap = 1e-12;  // m; contacts that are as close at an event take part in it
  double certificate = 1e-8;  // as in options::StepOptions::tolerance
  contact::ImpactLaw impact = contact::ImpactLaw::newton;
  bool chain_impacts = false;
};

struct TimedEvent {
  double t;
  stepping::Event event;
  std::vector<double> state;  // q…, u… behind it
  double contact_work;        // J, of all contacts since the start
};

// Sums from the start, in J, as in stepping::Ledger.
struct Books {
  double work = 0, drive = 0, impact = 0, friction = 0;
};

// What was seen. A piece is the motion between two events.
struct Counts {
  long pieces = 0, evaluations = 0;
  long problems = 0, certified = 0;  // acceleration-level and impact problems that were solved
  double worst_residual = 0;
  long unexamined = 0;         // problems of which it is not known whether they have other solutions
  long several_solutions = 0;  // problems
  double first_several = -1;   // s
  long jams = 0;               // impulses without a collision
  double first_jam = -1, first_jam_impulse = 0, first_jam_coefficient = 0;
  int first_jam_contact = -1;
  long indeterminate = 0;          // pieces in which forces were not determined
  double first_accumulation = -1;  // s, where the bounces of the first one end
  int first_accumulation_contact = -1;
  long accumulations = 0;                       // of bounces, bridged
  double bridged_time = 0, bridged_height = 0;  // the largest: s that bounces would have lasted, m of their height
  double turnover = 0;                          // J, the largest work, work of drives, or of friction so far
  long energy_gains = 0;
  stepping::EnergyGain first_gain, largest_gain;
};

// A closed contact or a constraint that does not hold.
struct Unheld {
  enum class What { gap, opens, slides };
  int contact = -1, constraint = -1;  // one of them
  What what = What::gap;
  double size = 0;  // m, or m/s
};

class EventDriven {
 public:
  // The system starts at t = 0. Throws InputError for a start that is not finite.
  EventDriven(std::unique_ptr<mechanics::InstantSystem> system, std::vector<double> q0, std::vector<double> u0,
              const Options& options);

  // All events up to t, and the state there. False: it cannot go on (status()), or was stopped; the state is that of
  // the last event or of the last t.
  bool advance_to(double t);

  // Between two calls of advance_to(), when events() were taken away. restore() goes on with the same bits, in an
  // object of the same system with the same options. Throws InputError for a snapshot of another.
  stepping::Snapshot snapshot() const;
  void restore(const stepping::Snapshot& from);

  double time() const { return t_; }
  const std::vector<double>& q() const { return q_; }
  const std::vector<double>& u() const { return u_; }
  std::span<const double> positions() const { return q_; }
  std::span<const double> velocities() const { return u_; }
  int output_count() const { return system_->output_count(); }
  void outputs(double* y) { system_->outputs(q_.data(), u_.data(), t_, y); }
  stepping::StepStatus status() const { return status_; }
  // Asked at each step of the integrator.
  void stop_when(std::function<bool()> asked);
  bool was_stopped() const { return was_stopped_; }
  const std::vector<int>& failed_contacts() const { return failed_contacts_; }
  // Of the status `refuted`: what is not a number.
  const std::string& lost_number() const { return lost_number_; }
  const std::string& trouble() const { return trouble_; }  // where that is not known: what a part of the program said
  // Of the status `stuck`: it went on, but without getting anywhere.
  bool was_too_slow() const { return too_slow_; }
  const FormulaWatch& watch() const { return *watch_; }
  mechanics::InstantSystem& system() const { return *system_; }
  Mode mode(int contact) const { return modes_[static_cast<std::size_t>(contact)]; }
  std::vector<TimedEvent>& events() { return events_; }  // to be taken away
  const Books& books() const { return books_; }
  const Counts& counts() const { return counts_; }
  // Impulses of the rows of a contact since the start: of forces and impacts.
  const double* impulses(int contact) const {
    return &impulses_[static_cast<std::size_t>(row_[static_cast<std::size_t>(contact)])];
  }
  // The same of a constraint, and the force that it needs now.
  double constraint_impulse(int constraint) const {
    return impulses_[static_cast<std::size_t>(row_.back() + constraint)];
  }
  Eigen::VectorXd constraint_forces();
  // Whether the modes of now were found by problems of which all solutions are known.
  bool modes_are_examined() const { return unexamined_before_settling_ == counts_.unexamined; }
  double kinetic_energy();
  double potential_energy() { return system_->potential_energy(q_.data(), t_); }
  // Gap and relative velocities of a contact, normal first.
  double gap(int contact);
  std::vector<double> relative_velocity(int contact);
  // The first that does not hold at the state; `drift`: the largest |g| of a constraint.
  std::optional<Unheld> unheld(double& drift);
  // How far the forces of now are from the laws of closed contacts, over the largest free acceleration.
  double residual_now();

 private:
  struct Root {
    enum class Kind : unsigned char { gap, nearest, apex, normal_force, stop, slack, margin } kind;
    int contact;        // −1: all that roll
    bool late = false;  // it was zero, and fell
  };
  // What the roots of an event say of contacts, up to the first impulse.
  struct Announced {
    std::vector<int> lifting, slipping, stopped, pressed;
  };
  struct Bounces {
    double last = -1, interval = -1;
    int shrinking = 0;
  };

  template <class Self, class Archive>
  static void transfer_state(Self& self, Archive& archive);
  stepping::Snapshot state_now() const;
  void take_state(const stepping::Snapshot& from);
  std::vector<Acting> acting() const;
  bool follow_to(double t_end);
  bool follow_piece(double target, double until);
  bool get_on(bool crawls);
  bool pass_roots(bool late);
  bool solve_forces(const double* q, const double* u, double t, const std::vector<Acting>& contacts);
  bool is_too_slow(double t);
  void note_turnover(const std::vector<double>& y);
  void pack();
  void unpack();
  void begin_piece();
  void add_roots(bool shared);
  double zero_of(const Root& root, double force) const;
  void set_floors();
  void rates(double t, const double* y, double* result);
  void root_values(double t, const double* y, double* result);
  double stop_value(std::size_t i, int contact);
  // A closed contact has a root below zero.
  bool breaks_limits(double t, const double* y);
  // At an event: impacts, then modes for the next piece. `fired` are the roots that made it.
  bool settle(const std::vector<Root>& fired, const Eigen::VectorXd& blow = {});
  bool read_roots(const std::vector<Root>& fired, Announced& next);
  Eigen::Vector3d against_friction(std::size_t i) const;
  bool hold_velocities(const std::vector<int>& lifting);
  bool find_near(const std::vector<Root>& fired, std::vector<Acting>& near);
  bool approaches(std::size_t i, int contact, bool after_impact);
  Acting closed_contact(std::size_t i, Acting near, const Announced& next, bool after_impact);
  double residual_at(const std::vector<double>& q, double t);
  void add_common_stops(std::vector<int>& stopped);
  double stop_speed(int contact, std::size_t i) const;
  bool impact(const std::vector<int>& contacts, const Eigen::VectorXd& blow);
  bool impulse_without_collision(const std::vector<Acting>& closed);
  std::optional<acceleration::AccelerationSolution> solve(const acceleration::AccelerationProblem& problem,
                                                          const std::vector<acceleration::ForceState>& guess,
                                                          bool& several);
  bool decide_modes(std::vector<Acting> closed, const std::vector<int>& lifting, const std::vector<int>& pressed,
                    bool& impulse_needed);
  std::vector<Acting> kept_by(const acceleration::AccelerationSolution& solution, const std::vector<Acting>& closed,
                              const std::vector<int>& pressed);
  int pressed_in(const std::vector<int>& lifting) const;
  void take_modes(const std::vector<Acting>& closed, const std::vector<Acting>& kept);
  bool newton_impulses(const std::vector<Acting>& contacts, const Eigen::VectorXd& blow, Eigen::VectorXd& Lambda);
  double follow_sliding_mu(const acceleration::AccelerationSolution& found, double weight,
                           acceleration::AccelerationProblem& problem, double& missed) const;
  bool impulses_by_law(const std::vector<Acting>& contacts, const Eigen::VectorXd& blow, Eigen::VectorXd& Lambda);
  void apply_impulses(const std::vector<Acting>& contacts, const Eigen::VectorXd& Lambda, const Eigen::VectorXd& blow,
                      stepping::EventKind kind);
  void note_first_jam(const std::vector<Acting>& contacts, const acceleration::AccelerationProblem& problem,
                      const Eigen::VectorXd& Lambda);
  void certify_problem(double residual, bool is_examined);
  void note_gain(int contact, double energy);
  bool is_round_off(std::size_t i, int contact, double Lambda_N);
  void note_bounce(int contact, double speed);
  void end_beginnings();
  void project_positions(const std::vector<Acting>& closed);
  void change_mode(int contact, Mode to);
  void add_event(int contact, stepping::EventKind kind, double Lambda_N);
  double velocity_tolerance(int contact, int row);
  bool fail(stepping::StepStatus status, const std::vector<Acting>& contacts);
  // What has no value at the state: a gap, a force, the mass. Empty: nothing.
  std::string what_is_lost(double t, const double* y);
  std::string lost_ahead();
  // Over a jump of the forces that lies just ahead of the state. False: there is none.
  bool cross_jump();
  bool fail_without(const std::string& lost);
  bool fail_by(const std::exception& trouble);

  std::unique_ptr<mechanics::InstantSystem> system_;
  Options options_;
  std::vector<double> q_, u_, y_;
  double t_ = 0;
  std::vector<int> row_;  // of each contact in impulses_; their number, behind which those of constraints stand
  std::vector<double> impulses_;
  std::vector<Mode> modes_;
  std::vector<Eigen::Vector3d> direction_;
  std::vector<double> offset_;  // gap that a contact closed with
  std::vector<char> tired_, beginning_;
  std::vector<char> rested_;  // of contacts at an event: at rest before it, so that friction holds by mu_static
  long unexamined_before_settling_ = 0;
  std::vector<Bounces> bounces_;
  bool struck_ = false;         // the last impulses pressed a contact
  std::vector<double> v_seen_;  // largest sum of |W| |u|, by contact
  double v_run_ = 0;            // of all
  std::vector<double> gaps_;
  Instant instant_, probe_;
  std::unique_ptr<SmoothIntegrator> integrator_;
  std::unique_ptr<FormulaWatch> watch_;
  double begin_until_ = -1;  // s; contacts in space that begin to slide do so by their accelerations up to then
  std::vector<Root> roots_;
  std::vector<double> small_;  // what counts as zero for each
  std::vector<int> open_;      // that have roots of their velocities
  bool started_ = false, was_stopped_ = false;
  int crawls_ = 0;                                                        // in this piece
  double q_seen_ = 0, u_seen_ = 0, energy_seen_ = 0, momentum_seen_ = 0;  // largest so far, at the start of a piece
  struct Stretch {
    double begin = 0;
    long evaluations = 0;  // up to there
  };
  std::array<Stretch, 2> stretches_;  // for each of the slowest paces
  bool too_slow_ = false;
  double last_jump_ = -math::infinity;
  int jumps_here_ = 0;
  std::vector<Root> jumped_;  // roots that a jump of the forces has passed
  int next_blow_ = 0;
  std::vector<TimedEvent> events_;
  Books books_;
  Counts counts_;
  stepping::StepStatus status_ = stepping::StepStatus::done;
  std::vector<int> failed_contacts_;
  std::string lost_number_, trouble_;
  stepping::Snapshot piece_begin_;  // state before begin_piece()
  std::vector<double> asked_;       // ends of follow_to() since, with that in which it began
  std::string lost_in_step_;        // what the last evaluation of rates found no value for
};

}  // namespace picus::eventdriven
