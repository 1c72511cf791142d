// A run of any size goes on from a snapshot, and without its caches, with the same bits.
#include <gtest/gtest.h>

#include <algorithm>

#include "picus/catalogue/catalogue.hpp"
#include "picus/run/formula_model.hpp"
#include "picus/run/simulation.hpp"
#include "picus/stepping/snapshot.hpp"
#include "picus/stepping/sparse_integration.hpp"

namespace picus::modelfile {
namespace {

using stepping::Snapshot;
using stepping::SparseIntegration;
using stepping::StepStatus;

struct Case {
  const char* model;
  int steps;  // before the snapshot, and behind it
  contact::ImpactLaw impact = contact::ImpactLaw::newton;
};

class SparseSnapshot : public testing::TestWithParam<Case> {
 protected:
  SparseSnapshot() : model_(catalogue::find_model(GetParam().model)) {
    options_.dt = model_->description().defaults.step.dt;
    options_.impact = GetParam().impact;
  }
  SparseIntegration start() const {
    const auto& model = dynamic_cast<const run::FormulaModel&>(*model_);
    const mechanics::ParameterValues values(model.description());
    return SparseIntegration(model.mechanism(values)->assembly(), model.mechanism(values)->start().q,
                             model.mechanism(values)->start().u, options_);
  }
  static void step(SparseIntegration& run) {
    ASSERT_EQ(run.step(), StepStatus::done) << run.time();
    while (run.blow_is_due()) ASSERT_EQ(run.blow(), StepStatus::done);
  }

 private:
  std::unique_ptr<run::Model> model_;
  options::StepOptions options_;
};

TEST_P(SparseSnapshot, GoesOnWithTheSameBits) {
  SparseIntegration run = start();
  for (int k = 0; k < GetParam().steps; ++k) step(run);
  const Snapshot middle = run.snapshot();
  SparseIntegration other = start();
  other.restore(middle);
  EXPECT_EQ(other.snapshot(), middle);
  for (int k = 0; k < GetParam().steps; ++k) {
    step(run);
    step(other);
    ASSERT_EQ(run.snapshot(), other.snapshot()) << "at t = " << run.time();
    ASSERT_EQ(run.events().size(), other.events().size());
  }
  EXPECT_GT(run.totals().contact_steps, GetParam().steps / 10);
  run.restore(middle);  // back in the same object
  EXPECT_EQ(run.snapshot(), middle);
  for (int k = 0; k < GetParam().steps; ++k) step(run);
  EXPECT_EQ(run.snapshot(), other.snapshot());
}

TEST_P(SparseSnapshot, HoldsAllThatIsNoCache) {
  SparseIntegration run = start(), without = start();
  for (int k = 0; k < GetParam().steps; ++k) {
    step(run);
    without.drop_caches();
    step(without);
    ASSERT_EQ(run.snapshot(), without.snapshot()) << "at t = " << run.time();
  }
}

TEST_P(SparseSnapshot, OfAnotherModelIsRefused) {
  SparseIntegration run = start();
  Snapshot wrong = run.snapshot();
  wrong.bytes.pop_back();
  EXPECT_THROW(run.restore(wrong), InputError);
  wrong.bytes[8] = static_cast<unsigned char>(wrong.bytes[8] + 1);
  EXPECT_THROW(run.restore(wrong), InputError);
}

// A run behind the interface of all, by whatever kernel the model has: what it records after the middle is the same.
void expect_same_recording(const std::string& name, const options::StepOptions& options, std::int64_t steps) {
  SCOPED_TRACE(name);
  const auto model = catalogue::find_model(name);
  const mechanics::ParameterValues values(model->description());
  const auto run = model->simulate(values, options, {7}), other = model->simulate(values, options, {7});
  run::Recording before, a, b;
  ASSERT_TRUE(run->advance(steps, before));
  other->restore(run->snapshot());
  EXPECT_EQ(other->snapshot(), run->snapshot());
  ASSERT_TRUE(run->advance(steps, a));
  ASSERT_TRUE(other->advance(steps, b));
  EXPECT_EQ(other->snapshot(), run->snapshot());
  EXPECT_EQ(a.states, b.states);
  EXPECT_EQ(a.contact_names, b.contact_names);
  ASSERT_EQ(a.events.size(), b.events.size());
  ASSERT_EQ(a.certificates.size(), b.certificates.size());
  for (std::size_t i = 0; i < a.certificates.size(); ++i) {
    EXPECT_EQ(a.certificates[i].residual, b.certificates[i].residual);
  }
  if (run->cycles() != nullptr) {
    EXPECT_EQ(run->cycles()->impacts(), other->cycles()->impacts());
    EXPECT_EQ(run->cycles()->statistics().period.mean, other->cycles()->statistics().period.mean);
  }
}

TEST(SimulationSnapshot, GoesOnAndRecordsTheSame) {
  expect_same_recording("woodpecker", {.dt = 1e-4}, 5003);
  expect_same_recording("woodpecker-bodies", {.dt = 1e-4}, 5003);
  expect_same_recording("hopper", {.dt = 1e-3}, 151);
  expect_same_recording("marbles", {.dt = 1e-3}, 110);
  options::StepOptions nearest{.dt = 1e-4, .list_solutions = true, .choose = contact::SolutionRule::nearest};
  expect_same_recording("painleve-rod", nearest, 2000);
  expect_same_recording("brick-falling-friction", {.dt = 1e-4, .method = options::Method::moreau_jean}, 5000);
  expect_same_recording("bouncing-ball", {.dt = 1e-2, .method = options::Method::event_driven}, 100);
}

// Contacts that stay closed and come and go, towers whose factors are kept, joints with clearance, friction that falls
// with the speed, static friction, moving supports, given blows, other impact laws.
INSTANTIATE_TEST_SUITE_P(Models, SparseSnapshot,
                         testing::Values(Case{"woodpecker-bodies", 3000}, Case{"slider-crank-bodies", 2000},
                                         Case{"four-bar-clearance", 6000}, Case{"box-stack", 150}, Case{"arch", 100},
                                         Case{"brick-falling-friction", 8000}, Case{"brick-stick-slip", 8000},
                                         Case{"rocking-block", 4000}, Case{"chatterjee-rod-hinged", 1000},
                                         Case{"hopper", 200}, Case{"two-balls", 2000, contact::ImpactLaw::poisson}),
                         [](const auto& tested) {
                           std::string name = tested.param.model;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace picus::modelfile
