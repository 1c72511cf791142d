#pragma once

#include <optional>

#include "picus/run/simulation.hpp"
#include "picus/stepping/sparse_integration.hpp"

namespace picus::run {

// A run of a system of any size.
class SparseSimulation final : public Simulation {
 public:
  SparseSimulation(std::unique_ptr<mechanics::SparseSystem> system, std::vector<double> q0, std::vector<double> u0,
                   const options::StepOptions& options, const RecordingOptions& recording,
                   const std::vector<mechanics::CycleDefinition>& cycles = {});

  bool advance(std::int64_t steps, Recording& recording) override;
  stepping::Snapshot snapshot() const override;
  void restore(const stepping::Snapshot& from) override;
  double time() const override { return run_.time(); }
  std::vector<double> state() const override;
  const stepping::Totals& totals() const override { return run_.totals(); }
  EnergyRecord energy() const override;
  Failure failure() const override;
  const CycleMonitor* cycles() const override { return cycles_ ? &*cycles_ : nullptr; }
  std::vector<std::string> notes() const override;
  std::string contact_name(int contact) const override { return run_.system().contact_name(contact); }

 private:
  template <class Self, class Archive>
  static void transfer_state(Self& self, Archive& archive);
  bool give_blows(bool is_recorded, Recording& recording);
  void note_residual();
  bool check_step();
  bool record_row(Recording& recording);
  void record_contacts(Recording& recording);
  void record_elements(Recording& recording);
  void record_events(Recording& recording);
  void record_names(Recording& recording);

  mutable stepping::SparseIntegration run_;  // energies are evaluated with its registers
  std::int64_t every_;
  bool started_ = false;
  int named_ = 0;  // contacts whose names were recorded
  double residual_since_row_ = 0;
  std::optional<CycleMonitor> cycles_;
  std::vector<checks::SeenContact> seen_;
};

}  // namespace picus::run
