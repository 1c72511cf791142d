#pragma once

#include "picus/eventdriven/event_driven.hpp"
#include "picus/eventdriven/event_start.hpp"
#include "picus/options/step_options.hpp"
#include "picus/run/simulation.hpp"

namespace picus::run {

// An event-driven run behind the interface of the command. A step is an interval of the output: states are those at
// t_k = k dt, impulses those since t_{k-1}; events have their own times.
class EventDrivenSimulation final : public Simulation {
 public:
  // Throws InputError for options that do not go with the method, and for constraints that cannot be met.
  EventDrivenSimulation(std::unique_ptr<mechanics::InstantSystem> system, const eventdriven::GivenStart& given,
                        const mechanics::ModelDescription& model, const options::StepOptions& options,
                        const RecordingOptions& recording, bool names_contacts);

  bool advance(std::int64_t steps, Recording& recording) override;
  void stop_when(std::function<bool()> asked) override { run_.stop_when(std::move(asked)); }
  stepping::Snapshot snapshot() const override;
  void restore(const stepping::Snapshot& from) override;
  double time() const override;
  std::vector<double> state() const override;
  const stepping::Totals& totals() const override { return totals_; }
  EnergyRecord energy() const override;
  Failure failure() const override;
  std::string contact_name(int contact) const override;
  std::vector<std::string> notes() const override { return start_.notes; }
  std::vector<std::string> remarks() const override;

  const eventdriven::EventDriven& run() const { return run_; }

 private:
  template <class Self, class Archive>
  static void transfer_state(Self& self, Archive& archive);
  bool start(Recording& recording);
  bool run_to(double t, Recording& recording);
  void count_step();
  int closed_contacts() const;
  bool give_up();
  bool holds();
  bool record(Recording& recording);
  void record_contacts(Recording& recording);
  void record_reactions(Recording& recording);
  bool is_certified(double residual);
  void take_events(Recording& recording);
  void update_totals();

  eventdriven::ConsistentStart start_;
  mutable eventdriven::EventDriven run_;  // energies are found by evaluating it
  options::StepOptions options_;
  std::int64_t every_;
  bool names_contacts_, has_warned_ = false;
  long uncertified_before_ = 0, unexamined_before_ = 0;
  double start_overlap_ = 0, start_energy_ = 0, start_rest_ = 0;
  std::vector<std::string> constraint_names_;
  std::vector<double> impulses_before_, reactions_before_;
  stepping::Totals totals_;
};

}  // namespace picus::run
