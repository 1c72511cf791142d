// Kernels in lockstep: what they make of the same state, step by step.
#include "lockstep.hpp"

#include <gtest/gtest.h>

#include "picus/catalogue/catalogue.hpp"
#include "picus/run/formula_model.hpp"
#include "picus/run/formula_simulation.hpp"
#include "picus/stepping/sparse_view.hpp"
#include "picus/stepping/spatial_view.hpp"

namespace picus::modelfile {
namespace {

using picus::tests::Lockstep;
using picus::tests::LockstepReport;

struct Case {
  const char* model;
  int steps;
  const char* also = nullptr;  // a law that is set, to 0.4
};

std::string name_of(const testing::TestParamInfo<Case>& info) {
  std::string name = info.param.model;
  if (info.param.also != nullptr) name += std::string("_") + info.param.also;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

class LockstepOf : public testing::TestWithParam<Case> {
 protected:
  LockstepOf() : model_(catalogue::find_model(GetParam().model)) {
    const auto& model = dynamic_cast<const run::FormulaModel&>(*model_);
    options_ = model.description().defaults.step;
    mechanics::ParameterValues values(model.description());
    if (GetParam().also != nullptr) values.set(GetParam().also, 0.4);
    mechanism_ = model.mechanism(values);
  }
  stepping::SparseIntegration of_any_size() const {
    return {mechanism_->assembly(), mechanism_->start().q, mechanism_->start().u, options_};
  }
  template <class A, class B>
  LockstepReport run(A& leader, B& follower) const {
    Lockstep<A, B> both(leader, follower);
    for (int k = 0; k < GetParam().steps && both.step(); ++k) {
    }
    return both.report();
  }

  std::unique_ptr<run::Model> model_;
  options::StepOptions options_;
  std::shared_ptr<const model::Mechanism> mechanism_;
};

// The kernel of fixed capacity leads, that of any size follows.
class FixedAndAnySize : public LockstepOf {
 protected:
  template <bool ConstantMass, bool ConstantDirections>
  LockstepReport run_as() const {
    using System = run::LargeFormulaSystem<ConstantMass, ConstantDirections>;
    math::Vector<System::max_q> q0 = {};
    math::Vector<System::max_u> u0 = {};
    const mechanics::AssembledStart& start = mechanism_->given_start();
    for (std::size_t i = 0; i < start.q.size(); ++i) {
      q0[static_cast<int>(i)] = start.q[i];
      u0[static_cast<int>(i)] = start.u[i];
    }
    const auto fixed =
        std::make_unique<stepping::Integration<System>>(System(mechanism_->programs()), q0, u0, options_);
    stepping::SparseIntegration other = of_any_size();
    return run(*fixed, other);
  }
};

TEST_P(FixedAndAnySize, DoTheSame) {
  const mechanics::FormulaPrograms& p = *mechanism_->programs();
  const LockstepReport report = !p.constant_mass        ? run_as<false, false>()
                                : p.constant_directions ? run_as<true, true>()
                                                        : run_as<true, false>();
  EXPECT_GE(report.steps, GetParam().steps);
  EXPECT_GT(report.contact_steps, 0);
  EXPECT_EQ(report.beyond(1e-9), "");
}

INSTANTIATE_TEST_SUITE_P(Models, FixedAndAnySize,
                         testing::Values(Case{"woodpecker", 20000}, Case{"slider-crank", 4000},
                                         Case{"rocking-block", 3000}, Case{"bouncing-ball", 20000},
                                         Case{"painleve-rod", 1000}, Case{"brick-stick-slip", 3000},
                                         Case{"brick-static-dynamic", 3000}, Case{"double-pendulum", 3000},
                                         Case{"three-masses", 2000}, Case{"chatterjee-rod", 2000}, Case{"cradle", 2000},
                                         Case{"rocking-block", 3000, "eT1"}, Case{"oblique-rod", 2000, "eT1"}),
                         name_of);

// One that has made all steps leads, one that only ever takes over follows: all that a step needs is carried.
class AnySizeAndItself : public LockstepOf {};

TEST_P(AnySizeAndItself, DoTheSame) {
  stepping::SparseIntegration leader = of_any_size(), follower = of_any_size();
  const LockstepReport report = run(leader, follower);
  EXPECT_GT(report.contact_steps, 0);
  EXPECT_EQ(report.beyond(1e-9), "");
}

INSTANTIATE_TEST_SUITE_P(Models, AnySizeAndItself,
                         testing::Values(Case{"woodpecker-bodies", 2000}, Case{"slider-crank-bodies", 1000},
                                         Case{"four-bar-clearance", 1000}, Case{"card-house", 300}, Case{"arch", 300}),
                         name_of);

}  // namespace
}  // namespace picus::modelfile
