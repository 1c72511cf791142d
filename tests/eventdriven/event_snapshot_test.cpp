// An event-driven run goes on from a snapshot with the same bits.
#include <gtest/gtest.h>

#include "picus/catalogue/catalogue.hpp"
#include "picus/run/event_driven_simulation.hpp"
#include "picus/run/formula_model.hpp"
#include "picus/support/error.hpp"

namespace picus::eventdriven::tests {
namespace {

struct Case {
  const char* model;
  double dt;
  int steps;  // before the snapshot, and after it
};

class EventSnapshot : public testing::TestWithParam<Case> {
 protected:
  EventSnapshot() : model_(catalogue::find_model(GetParam().model)) {}
  std::unique_ptr<run::Simulation> start(double tolerance = 1e-12) const {
    options::StepOptions options;
    options.method = options::Method::event_driven;
    options.dt = GetParam().dt;
    options.smooth_tolerance = tolerance;
    return model_->simulate(mechanics::ParameterValues(model_->description()), options, {});
  }

 private:
  std::unique_ptr<run::FormulaModel> model_;
};

TEST_P(EventSnapshot, GoesOnWithTheSameBits) {
  const auto run = start(), other = start();
  run::Recording before;
  ASSERT_TRUE(run->advance(GetParam().steps, before));
  const stepping::Snapshot middle = run->snapshot();
  other->restore(middle);
  EXPECT_EQ(other->snapshot(), middle);
  for (int k = 0; k < GetParam().steps; ++k) {
    run::Recording of_run, of_other;
    ASSERT_TRUE(run->advance(1, of_run));
    ASSERT_TRUE(other->advance(1, of_other));
    ASSERT_EQ(run->snapshot(), other->snapshot()) << run->time();
    ASSERT_EQ(of_run.states, of_other.states);
    ASSERT_EQ(of_run.event_states, of_other.event_states);
    ASSERT_EQ(of_run.contacts.size(), of_other.contacts.size());
  }
  EXPECT_GT(run->totals().contact_steps, 0);
  run->restore(middle);  // back in the same object
  EXPECT_EQ(run->snapshot(), middle);
  run::Recording again;
  ASSERT_TRUE(run->advance(GetParam().steps, again));
  EXPECT_EQ(run->snapshot(), other->snapshot());
}

TEST_P(EventSnapshot, OfAnotherRunIsRefused) {
  const auto run = start();
  run::Recording before;
  ASSERT_TRUE(run->advance(GetParam().steps, before));
  stepping::Snapshot middle = run->snapshot();
  EXPECT_THROW(start(1e-8)->restore(middle), InputError);
  middle.bytes.pop_back();
  EXPECT_THROW(start()->restore(middle), InputError);
}

INSTANTIATE_TEST_SUITE_P(Models, EventSnapshot,
                         testing::Values(Case{"woodpecker", 1e-3, 300}, Case{"slider-crank-bodies", 1e-4, 300},
                                         Case{"brick-on-ramp", 1e-3, 150}, Case{"sliding-sphere", 1e-3, 100},
                                         Case{"woodpecker-bodies", 1e-3, 300}));

}  // namespace
}  // namespace picus::eventdriven::tests
