// Steps of a small system from a file do not touch the heap: programs and registers are made before.
#include <gtest/gtest.h>

#include <fstream>
#include <memory>
#include <string>

#include "allocation_counter.hpp"
#include "picus/catalogue/catalogue.hpp"
#include "picus/stepping/sparse_integration.hpp"

namespace picus::modelfile {
namespace {

class NoHeap : public testing::TestWithParam<const char*> {};

TEST_P(NoHeap, InSteps) {
  // Statistics of cycles keep a list that grows; they are not part of a step.
  std::ifstream file(catalogue::find_model_file(GetParam()));
  std::string text, line;
  while (std::getline(file, line)) text += line.starts_with("cycle:") ? "" : line + "\n";
  const auto model = std::make_unique<run::FormulaModel>(define(GetParam(), text));
  const mechanics::ParameterValues values(model->description());
  for (options::Method method : {options::Method::moreau_midpoint, options::Method::moreau_jean}) {
    options::StepOptions options;
    options.dt = model->description().defaults.step.dt;
    options.method = method;
    const auto run = model->simulate(values, options, {});
    constexpr int steps = 6000;
    run::Recording recording;
    recording.reserve(steps + 1, 2 * model->description().coordinates.size() + 1,
                      model->description().outputs.size() + 1);
    recording.contacts.reserve(10 * steps);
    recording.events.reserve(steps);
    const long before = picus::tests::allocations();
    ASSERT_TRUE(run->advance(steps, recording));
    EXPECT_EQ(picus::tests::allocations(), before);
    EXPECT_GE(recording.contacts.size(), 1U);
  }
}

TEST(NoHeapInImpacts, ByAnyLaw) {
  const auto model = catalogue::find_model("cradle");
  const mechanics::ParameterValues values(model->description());
  for (int law = 0; law < 4; ++law) {
    options::StepOptions options;
    options.dt = 1e-4;
    options.impact = static_cast<contact::ImpactLaw>(law);
    const auto run = model->simulate(values, options, {});
    run::Recording recording;
    recording.reserve(101, 11, 10);
    recording.contacts.reserve(1000);
    recording.events.reserve(100);
    const long before = picus::tests::allocations();
    ASSERT_TRUE(run->advance(100, recording));
    EXPECT_EQ(picus::tests::allocations(), before);
    EXPECT_GE(recording.events.size(), 1U);
  }
}

// The kernel for systems of any size has grown what it needs once its contacts have been seen.
class NoHeapOnceWarm : public testing::TestWithParam<const char*> {};

TEST_P(NoHeapOnceWarm, InSteps) {
  const auto model = catalogue::find_model(GetParam());
  const mechanics::ParameterValues values(model->description());
  stepping::SparseIntegration run(model->mechanism(values)->assembly(), model->mechanism(values)->start().q,
                                  model->mechanism(values)->start().u, {.dt = model->description().defaults.step.dt});
  for (int k = 0; k < 6000; ++k) ASSERT_EQ(run.step(), stepping::StepStatus::done);
  const long before = picus::tests::allocations();
  for (int k = 0; k < 2000; ++k) ASSERT_EQ(run.step(), stepping::StepStatus::done);
  EXPECT_EQ(picus::tests::allocations(), before);
}

INSTANTIATE_TEST_SUITE_P(Models, NoHeapOnceWarm, testing::Values("slider-crank-bodies", "four-bar", "box-stack"),
                         [](const auto& test) {
                           std::string name = test.param;
                           for (char& c : name) c = c == '-' ? '_' : c;
                           return name;
                         });

INSTANTIATE_TEST_SUITE_P(Models, NoHeap,
                         testing::Values("woodpecker", "slider-crank", "rocking-block", "bouncing-ball"),
                         [](const auto& test) {
                           std::string name = test.param;
                           for (char& c : name) c = c == '-' ? '_' : c;
                           return name;
                         });

}  // namespace
}  // namespace picus::modelfile
