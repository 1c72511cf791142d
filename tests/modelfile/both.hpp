// One model in the kernel of fixed size and in that of any size.
#pragma once

#include <memory>

#include "picus/options/options.hpp"
#include "picus/run/large_runs.hpp"
#include "trial.hpp"

namespace picus::modelfile::tests {

struct Both {
  std::unique_ptr<run::Simulation> fixed, sparse;
  run::Recording of_fixed, of_sparse;

  Both(const run::FormulaModel& model, const ParameterValues& values, const options::StepOptions& options) {
    fixed = model.simulate(values, options, {1});
    sparse = run::run_in_the_plane(model.mechanism(values)->assembly(), model.mechanism(values)->start().q,
                                   model.mechanism(values)->start().u, options, run::RecordingOptions{1},
                                   model.description().cycles);
  }
  void advance(std::int64_t steps) {
    ASSERT_TRUE(fixed->advance(steps, of_fixed));
    ASSERT_TRUE(sparse->advance(steps, of_sparse));
  }
  void expect_equal_motion(double tolerance) const {
    const std::vector<double> a = fixed->state(), b = sparse->state();
    for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], tolerance) << i;
  }
  void expect_equal_books(double tolerance) const {
    const run::EnergyRecord a = fixed->energy(), b = sparse->energy();
    EXPECT_NEAR(a.kinetic, b.kinetic, tolerance);
    EXPECT_NEAR(a.potential, b.potential, tolerance);
    EXPECT_NEAR(a.work, b.work, tolerance);
    EXPECT_NEAR(a.drive, b.drive, tolerance);
    EXPECT_NEAR(a.impact, b.impact, tolerance);
    EXPECT_NEAR(a.friction, b.friction, tolerance);
    EXPECT_NEAR(fixed->totals().lasting_work, sparse->totals().lasting_work, tolerance);
    EXPECT_EQ(fixed->totals().certified_steps, sparse->totals().certified_steps);
    EXPECT_EQ(fixed->totals().energy_gain_steps, sparse->totals().energy_gain_steps);
  }
  void expect_equal_events() const {
    ASSERT_EQ(of_fixed.events.size(), of_sparse.events.size());
    for (std::size_t i = 0; i < of_fixed.events.size(); ++i) {
      EXPECT_EQ(of_fixed.events[i].t, of_sparse.events[i].t);
      EXPECT_EQ(of_fixed.events[i].event.contact, of_sparse.events[i].event.contact);
      EXPECT_EQ(of_fixed.events[i].event.kind, of_sparse.events[i].event.kind);
    }
    ASSERT_EQ(of_fixed.contacts.size(), of_sparse.contacts.size());
    for (std::size_t i = 0; i < of_fixed.contacts.size(); ++i) {
      EXPECT_EQ(of_fixed.contacts[i].contact, of_sparse.contacts[i].contact);
      EXPECT_EQ(of_fixed.contacts[i].state, of_sparse.contacts[i].state);
    }
  }
};

}  // namespace picus::modelfile::tests
