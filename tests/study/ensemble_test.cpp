#include "picus/study/ensemble.hpp"

#include <algorithm>
#include <cmath>

#include "picus/study/ensemble_files.hpp"
#include "picus/support/error.hpp"
#include "trials.hpp"

namespace picus::study::tests {
namespace {

std::string json_of(Study& study) {
  EnsembleSummary summary;
  summary.request.model = std::make_shared<const mechanics::ModelDescription>(study.model->description());
  summary.options = study.options;
  summary.motions = &study.motions;
  summary.futures = &study.futures;
  summary.judge();
  return to_json(summary);
}

TEST(Ensemble, ARegularMotionHasOneFuture) {
  Study study("woodpecker", 0.5);
  study.options.runs = 30;
  study.run();
  ASSERT_EQ(study.futures.list.size(), 1u);
  EXPECT_EQ(study.futures.list[0].runs.size(), 30u);
  EXPECT_EQ(study.futures.list[0].share, 1);
  EXPECT_EQ(study.futures.followers, 30u);
  EXPECT_EQ(study.futures.of_run[0], 1u);
  EXPECT_FALSE(study.futures.followed_until || study.futures.predictable_until);
  EXPECT_FALSE(study.futures.nearly_all_differ());
  EXPECT_LT(study.futures.spread.back().largest, 1e-5);
  EXPECT_GT(study.futures.spread.back().largest, 0);
  for (const Motion& m : study.motions.runs) EXPECT_EQ(m.status, Motion::Status::done);
}

// The slider never turns from the printed start; with a disturbance it does, sooner or later.
TEST(Ensemble, TheSliderCrankLeavesItsSymmetricMotion) {
  Study study("slider-crank", 0.16);
  study.options.runs = 40;
  study.options.perturb = 1e-6;
  study.run();
  const Motion& given = study.motions.runs[0];
  for (std::size_t i = 2; i < given.positions.size(); i += 3) EXPECT_NEAR(given.positions[i], 0, 1e-12);
  EXPECT_EQ(study.futures.followers, 0u);
  EXPECT_EQ(study.futures.of_run[0], 0u);
  ASSERT_TRUE(study.futures.followed_until);
  EXPECT_GT(*study.futures.followed_until, 0.005);  // not before the first impacts
  EXPECT_LT(*study.futures.followed_until, 0.1);
  EXPECT_GE(study.futures.list.size(), 3u);
  EXPECT_FALSE(study.futures.nearly_all_differ());
}

// x(t_i) = x_0 + vx_0 t_i decides on which side of the ridge the point touches, at t_i = sqrt(2 y_0/g).
TEST(Ensemble, APointOnARidgeFallsToEitherSide) {
  Study study(model_from(ridge), 1e-3, 0.9);
  study.options.runs = 200;
  study.options.seed = 11;
  study.run();
  ASSERT_EQ(study.futures.list.size(), 2u);
  const double t_i = std::sqrt(2 / 9.81), sample = study.motions.times[1];
  for (const Future& f : study.futures.list) {
    EXPECT_NEAR(f.share, 0.5, 0.11);  // three standard deviations
    const double side = study.motions.runs[f.representative].end_state[0];
    // Along w = (±1, 1): Lambda = (1 + eN) g t_i m/2, and vx = ±Lambda/m behind the impact.
    EXPECT_NEAR(std::abs(side), 0.75 * 9.81 * t_i * (0.9 - t_i), 0.02);
    for (std::size_t run : f.runs) {
      const double x = study.start(run, "x") + t_i * study.start(run, "vx");
      EXPECT_GT(x * side, 0) << run;
      EXPECT_NEAR(*study.futures.parts_at[run], t_i, 2 * sample);
    }
    EXPECT_NEAR(*f.parts_from_undisturbed, t_i, 2 * sample);
    EXPECT_EQ(f.representative, f.runs.front());
  }
  EXPECT_GE(study.futures.list[0].runs.size(), study.futures.list[1].runs.size());
  EXPECT_FALSE(study.futures.list[0].parts_from_first);
  EXPECT_NEAR(*study.futures.list[1].parts_from_first, t_i, 2 * sample);
  EXPECT_NEAR(*study.futures.predictable_until, t_i, 2 * sample);
  EXPECT_EQ(study.futures.spread.front().futures, 1u);
  EXPECT_EQ(study.futures.spread.back().futures, 2u);
  // The undisturbed point bounces on the ridge.
  EXPECT_EQ(study.futures.followers, 0u);
  EXPECT_NEAR(*study.futures.followed_until, t_i, 2 * sample);
  EXPECT_NEAR(study.motions.runs[0].end_state[0], 0, 1e-12);
}

TEST(Ensemble, TheNumberOfThreadsChangesNoBit) {
  std::string first;
  Motions reference;
  for (int threads : {1, 2, 5}) {
    Study study("slider-crank", 0.03);
    study.options.runs = 12;
    study.options.perturb = 1e-6;
    study.options.threads = threads;
    study.run();
    if (threads == 1) {
      first = json_of(study);
      reference = study.motions;
      continue;
    }
    EXPECT_EQ(json_of(study), first) << threads;
    for (std::size_t run = 0; run < reference.runs.size(); ++run) {
      EXPECT_EQ(study.motions.runs[run].positions, reference.runs[run].positions);
      EXPECT_EQ(study.motions.runs[run].end_state, reference.runs[run].end_state);
      EXPECT_EQ(study.motions.runs[run].start, reference.runs[run].start);
    }
  }
}

TEST(Ensemble, MoreRunsKeepTheEarlierOnes) {
  Study few(model_from(ridge), 1e-2, 0.6), many(model_from(ridge), 1e-2, 0.6);
  few.options.runs = 3;
  many.options.runs = 9;
  few.run(), many.run();
  for (std::size_t run = 0; run <= 3; ++run) {
    EXPECT_EQ(few.motions.runs[run].end_state, many.motions.runs[run].end_state);
  }
  EXPECT_NE(few.motions.runs[1].end_state, few.motions.runs[2].end_state);
}

TEST(Ensemble, ARepresentativeCanBeRunAgain) {
  Study study(model_from(ridge), 1e-3, 0.9);
  study.options.runs = 5;
  study.run();
  for (std::size_t run = 0; run <= 5; ++run) {
    const auto again =
        study.model->simulate(values_of(study.experiment(), study.motions, run), study.experiment().step, {1});
    run::Recording recording;
    again->advance(study.experiment().steps, recording);
    EXPECT_EQ(again->state(), study.motions.runs[run].end_state);
  }
}

TEST(Ensemble, WithoutDisturbanceAllRunsAreTheGivenOne) {
  Study study(model_from(ridge), 1e-3, 0.9);
  study.options.runs = 4;
  study.options.perturb = 0;
  study.run();
  for (const Motion& m : study.motions.runs) EXPECT_EQ(m.positions, study.motions.runs[0].positions);
  EXPECT_EQ(study.futures.followers, 4u);
}

TEST(Ensemble, TimesAreEquallySpacedUpToTheEnd) {
  for (const auto& [steps, rows] : {std::pair(7, 8u), {200, 201u}, {201, 102u}, {1000, 201u}, {1003, 169u}}) {
    Study study(model_from(hill), 1e-3, 1e-3 * steps + 1e-5);
    study.options.runs = 1;
    study.run();
    ASSERT_EQ(study.motions.times.size(), rows) << steps;
    EXPECT_EQ(study.motions.times.back(), steps * 1e-3);
    for (const Motion& m : study.motions.runs) {
      EXPECT_EQ(m.positions.size(), rows);
      EXPECT_EQ(m.positions.back(), m.end_state[0]);
      EXPECT_EQ(m.end_time, steps * 1e-3);
    }
  }
}

// To the left there is a valley, to the right x grows without end in finite time.
const std::string cliff = R"(
coordinates:
  x: {unit: m, velocity: v}
kinetic: v^2/2
potential: -25/2*x^2 - x^3/3
)";

TEST(Ensemble, RunsThatEndEarlyAreAFutureOfTheirOwn) {
  Study study(model_from(cliff), 1e-3, 6);
  study.options.runs = 30;
  study.options.apart = 0.4;  // they set off at different times
  study.run();
  std::size_t failed = 0;
  for (std::size_t run = 1; run <= 30; ++run) {
    const Motion& m = study.motions.runs[run];
    const bool to_the_right = study.start(run, "x") + study.start(run, "v") / 5 > 0;
    EXPECT_EQ(m.status, to_the_right ? Motion::Status::failed : Motion::Status::done) << run;
    if (!to_the_right) continue;
    ++failed;
    EXPECT_FALSE(m.message.empty());
    EXPECT_GT(m.end_time, 3);
    EXPECT_LT(m.end_time, 6);
  }
  EXPECT_GT(failed, 5u);
  EXPECT_LT(failed, 25u);
  for (const Future& f : study.futures.list) {
    for (std::size_t run : f.runs) {
      EXPECT_EQ(study.motions.runs[run].status, study.motions.runs[f.representative].status);
    }
  }
  EXPECT_EQ(study.futures.spread.back().running, 30 - failed);
  EXPECT_TRUE(std::isfinite(study.futures.scales[0]));
  EXPECT_LT(study.futures.scales[0], 100);  // the runs that grew without end do not set the scale
  const std::string json = json_of(study);
  EXPECT_NE(json.find("\"status\": \"failed\""), std::string::npos);
  EXPECT_NE(json.find("\"runs_ended_early\": " + std::to_string(failed)), std::string::npos);
}

TEST(Ensemble, ValuesThatTheModelRefusesAreDrawnAgain) {
  Study study(model_from(R"(
coordinates:
  x: {unit: m, velocity: {name: v, start: 1}}
  y: {unit: m, velocity: vy}
parameters:
  holding: {value: 0.3}
kinetic: (v^2 + vy^2)/2
potential: 9.81*y
contacts:
  - {gap: y, tangent: x, mu: 0.3, mu_static: holding}
)"),
              1e-3, 0.01);
  study.options.runs = 20;
  study.run();
  for (std::size_t run = 1; run <= 20; ++run) {
    EXPECT_EQ(study.motions.runs[run].status, Motion::Status::done) << study.motions.runs[run].message;
    EXPECT_GE(study.start(run, "holding"), study.start(run, "mu1"));
  }
}

TEST(Ensemble, StopsWhenItIsToldTo) {
  Study study("woodpecker", 2);
  study.options.runs = 2000;
  bool was_called = false;
  study.motions = run_ensemble(study.experiment(), study.options, [&](double share) {
    EXPECT_GE(share, 0);
    EXPECT_LE(share, 1);
    was_called = true;
    return false;
  });
  EXPECT_TRUE(was_called);
  const auto missing = std::count_if(study.motions.runs.begin(), study.motions.runs.end(),
                                     [](const Motion& m) { return m.status == Motion::Status::missing; });
  EXPECT_GT(missing, 1000);
  for (const Motion& m : study.motions.runs) {  // what was under way is not told as done
    if (m.is_complete()) {
      EXPECT_EQ(m.positions.size(), 3 * study.motions.times.size());
    }
  }
  study.futures = find_futures(study.experiment(), study.options, study.motions);
  EXPECT_LE(study.futures.made, 1000u);
}

TEST(Ensemble, RefusesOptionsByName) {
  const auto refusal = [](auto change) -> std::string {
    EnsembleOptions options;
    change(options);
    try {
      options.validate();
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(refusal([](EnsembleOptions&) {}), "");
  EXPECT_NE(refusal([](EnsembleOptions& o) { o.runs = 0; }).find("runs is 0; accepted"), std::string::npos);
  EXPECT_NE(refusal([](EnsembleOptions& o) { o.runs = 10001; }).find("10000"), std::string::npos);
  EXPECT_NE(refusal([](EnsembleOptions& o) { o.perturb = -1e-9; }).find("perturb is -1e-09"), std::string::npos);
  EXPECT_NE(refusal([](EnsembleOptions& o) { o.perturb = 1; }).find("perturb is 1"), std::string::npos);
  EXPECT_NE(refusal([](EnsembleOptions& o) { o.perturb = NAN; }).find("perturb is nan"), std::string::npos);
  EXPECT_NE(refusal([](EnsembleOptions& o) { o.threads = -1; }).find("threads is -1"), std::string::npos);
  EXPECT_NE(refusal([](EnsembleOptions& o) { o.apart = 0; }).find("apart is 0"), std::string::npos);
}

}  // namespace
}  // namespace picus::study::tests
