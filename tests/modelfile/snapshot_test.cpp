// A run of any size goes on from a snapshot, and without its caches, with the same bits.
#include <gtest/gtest.h>

#include <algorithm>

#include "picus/catalogue/catalogue.hpp"
#include "picus/modelfile/formula_model.hpp"
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
    const auto& model = dynamic_cast<const FormulaModel&>(*model_);
    const mechanics::ParameterValues values(model.description());
    return SparseIntegration(model.mechanism(values)->assembly(), model.mechanism(values)->start().q,
                             model.mechanism(values)->start().u, options_);
  }
  static void step(SparseIntegration& run) {
    ASSERT_EQ(run.step(), StepStatus::done) << run.time();
    while (run.blow_is_due()) ASSERT_EQ(run.blow(), StepStatus::done);
  }

 private:
  std::unique_ptr<stepping::Model> model_;
  stepping::StepOptions options_;
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
