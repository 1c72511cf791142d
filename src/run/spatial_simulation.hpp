#pragma once

#include "picus/run/simulation.hpp"
#include "picus/stepping/spatial_integration.hpp"

namespace picus::run {

// Bodies in space behind the interface of all runs.
class SpatialSimulation final : public Simulation {
 public:
  // q0: x, y, z, qw, qx, qy, qz of each moving body; u0: vx, vy, vz, wx, wy, wz. Quaternions are normalised. Throws
  // InputError for options out of range and for starts that are no poses.
  SpatialSimulation(mechanics::SpatialParts parts, const std::vector<double>& q0, const std::vector<double>& u0,
                    const options::StepOptions& options, const RecordingOptions& recording);

  bool advance(std::int64_t steps, Recording& recording) override;
  stepping::Snapshot snapshot() const override;
  void restore(const stepping::Snapshot& from) override;
  double time() const override { return run_.time(); }
  std::vector<double> state() const override;
  const stepping::Totals& totals() const override { return run_.totals(); }
  EnergyRecord energy() const override;
  Failure failure() const override;
  const CycleMonitor* cycles() const override { return nullptr; }
  std::vector<std::string> notes() const override { return run_.start_notes(); }
  std::string contact_name(int contact) const override { return run_.system().contact_name(contact); }

 private:
  template <class Self, class Archive>
  static void transfer_state(Self& self, Archive& archive);
  void gather_state();
  std::span<const double> positions() const;
  std::span<const double> speeds() const;
  void start_checks();
  void begin_check();
  bool check_step();
  bool record_row(Recording& recording);
  void record_contacts(Recording& recording);
  void record_events(Recording& recording);

  stepping::SpatialIntegration run_;
  std::int64_t every_;
  bool started_ = false;
  double residual_since_row_ = 0;
  int named_ = 0;
  std::vector<double> state_;  // of the last look by checks
  std::vector<checks::SeenContact> seen_;
};

}  // namespace picus::run
