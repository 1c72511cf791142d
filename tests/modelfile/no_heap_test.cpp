// Steps of a small system from a file do not touch the heap: programs and registers are made before.
#include <gtest/gtest.h>

#include <fstream>
#include <memory>
#include <string>

#include "allocation_counter.hpp"
#include "picus/catalogue/catalogue.hpp"

namespace picus::modelfile {
namespace {

class NoHeap : public testing::TestWithParam<const char*> {};

TEST_P(NoHeap, InSteps) {
  // Statistics of cycles keep a list that grows; they are not part of a step.
  std::ifstream file(catalogue::find_model_file(GetParam()));
  std::string text, line;
  while (std::getline(file, line)) text += line.starts_with("cycle:") ? "" : line + "\n";
  const auto model = std::make_unique<FormulaModel>(define(GetParam(), text));
  const mechanics::ParameterValues values(model->description());
  for (stepping::Method method : {stepping::Method::moreau_midpoint, stepping::Method::moreau_jean}) {
    stepping::StepOptions options;
    options.dt = model->description().defaults.dt;
    options.method = method;
    const auto run = model->simulate(values, options, {});
    constexpr int steps = 6000;
    stepping::Recording recording;
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

INSTANTIATE_TEST_SUITE_P(Models, NoHeap,
                         testing::Values("woodpecker", "slider-crank", "rocking-block", "bouncing-ball"),
                         [](const auto& test) {
                           std::string name = test.param;
                           for (char& c : name) c = c == '-' ? '_' : c;
                           return name;
                         });

}  // namespace
}  // namespace picus::modelfile
