#include "picus/run/simulation.hpp"

#include <cmath>

#include "picus/run/model.hpp"
#include "picus/stepping/impact_rules.hpp"
#include "picus/support/error.hpp"

namespace picus::run {
namespace {

std::string joined(const std::vector<std::string>& names) {
  constexpr std::size_t enough = 12;
  std::string text;
  for (std::size_t i = 0; i < names.size() && i < enough; ++i) text += (i > 0 ? ", " : "") + names[i];
  if (names.size() > enough) text += " and " + std::to_string(names.size() - enough) + " more";
  return text;
}

std::string in_step(const Failure& failure, const mechanics::ModelDescription& model) {
  std::string text = "; contacts in the step: ";
  if (!failure.contact_names.empty()) return text + joined(failure.contact_names);
  for (std::size_t i = 0; i < failure.contacts.size(); ++i) {
    const mechanics::ContactDescription& contact = model.contact(failure.contacts[i]);
    text += (i > 0 ? ", " : "") + contact.name + (contact.meaning.empty() ? "" : " (" + contact.meaning + ")");
  }
  return text;
}

}  // namespace

std::unique_ptr<Simulation> BoundModel::simulate(const options::StepOptions& options,
                                                 const RecordingOptions& recording) const {
  std::unique_ptr<Simulation> run = make_simulation(options, recording);
  run->keep(shared_from_this());
  return run;
}

void RecordingOptions::validate() const {
  if (every < 1) throw InputError("every is " + std::to_string(every) + "; accepted: a whole number >= 1");
}

void Recording::reserve(std::size_t rows, std::size_t state_columns, std::size_t output_columns) {
  states.reserve(rows * state_columns);
  outputs.reserve(rows * output_columns);
  contacts.reserve(2 * rows);
  energy.reserve(rows);
  certificates.reserve(rows);
}

void Recording::clear() {
  states.clear();
  outputs.clear();
  contacts.clear();
  events.clear();
  event_states.clear();
  energy.clear();
  certificates.clear();
  reactions.clear();
  solutions.clear();
  contact_names.clear();
}

bool Simulation::has_energy(const EnergyRecord& energy) {
  if (std::isfinite(energy.remainder)) return true;
  const char* of = !std::isfinite(energy.kinetic)     ? "kinetic energy"
                   : !std::isfinite(energy.potential) ? "potential energy"
                                                      : "work of the forces";
  checks_.report({checks::Severity::error, "not-a-number",
                  std::string("the ") + of +
                      " is not a number: a formula has no value there (sqrt, log, ... outside their domain)",
                  energy.t, ""});
  return false;
}

bool Simulation::is_of_contacts(stepping::StepStatus status) {
  using stepping::StepStatus;
  return status == StepStatus::no_solution || status == StepStatus::lost_in_round_off ||
         status == StepStatus::solver_failed || status == StepStatus::invalid_law;
}

std::vector<std::string> Simulation::remarks_on(const stepping::Totals& totals) {
  const std::int64_t open = totals.incomplete_list_steps;
  if (open == 0) return {};
  return {"the list of solutions may be incomplete in " + std::to_string(open) + (open == 1 ? " step" : " steps") +
          ": a family of solutions, more than are listed, or friction that depends on the speed of several contacts"};
}

Failure Simulation::with_refutation(Failure failure) const {
  if (const checks::Diagnostic* error = checks_.error();
      error != nullptr && failure.status == stepping::StepStatus::done) {
    failure.status = stepping::StepStatus::refuted;
    failure.time = error->t;
    failure.text = error->text;
  }
  return failure;
}

std::string describe(const Failure& failure, const mechanics::ModelDescription& model) {
  const std::string when = "at t = " + shown(failure.time, 9) + " s ";
  switch (failure.status) {
    case stepping::StepStatus::done:
      return {};
    case stepping::StepStatus::singular_mass:
      return when + "the mass matrix is not positive definite";
    case stepping::StepStatus::diverged:
      return when +
             "the motion diverges: velocities beyond all measure, or a formula without a value there (sqrt, log, ... "
             "outside "
             "their domain); try a smaller time step";
    case stepping::StepStatus::invalid_law:
      return when +
             "a contact law has left its range (mu >= 0, eN and eT from 0 to 1, eT = 0 with impact laws other than "
             "newton, "
             "friction_force, v_s >= 0, mu_static >= mu >= mu_inf >= 0, stiffness > 0)" +
             in_step(failure, model);
    case stepping::StepStatus::contradiction:
      return when + "constraints contradict each other: " + joined(failure.constraint_names);
    case stepping::StepStatus::large_impact:
      return when + "more contacts take part in one impact than its law is made for; accepted: up to " +
             std::to_string(stepping::impact_limit) + ", or any number with --impact newton";
    case stepping::StepStatus::stuck:
      return when + "smooth motion between events could not be followed any further" +
             (failure.contacts.empty() ? "" : in_step(failure, model)) +
             (failure.text.empty() ? "" : ": " + failure.text);
    case stepping::StepStatus::not_converged:
      return when + (failure.text.empty() ? "the iteration that solves the implicit equations of the step does not "
                                            "converge; try a smaller time step"
                                          : failure.text);
    case stepping::StepStatus::refuted:
      return when + failure.text;
    case stepping::StepStatus::lost_in_round_off:
      return when +
             "the impulses of contacts are lost in round-off: masses that touch, or friction coefficients, differ by "
             "too many orders of magnitude" +
             in_step(failure, model);
    case stepping::StepStatus::no_solution:
    case stepping::StepStatus::solver_failed:
      break;
  }
  const std::string text = when + (failure.status == stepping::StepStatus::no_solution
                                       ? "no impulses satisfy the contact laws"
                                       : "the solver found no impulses that satisfy the contact laws (another may: "
                                         "--solver auto; enumerate and lemke take up to 64 contacts)");
  return text + in_step(failure, model);
}

}  // namespace picus::run
