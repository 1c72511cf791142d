// The same run with half the step: what it tells of smooth motion, of impacts, of sensitivity.
#include "picus/study/half_step.hpp"

#include "../modelfile/probe.hpp"

namespace picus::study {
namespace {

struct Compared {
  HalfStep half;
  std::string text;
};

Compared compare(const std::string& model_text, double dt, double end, std::int64_t every = 1, bool must_end = true) {
  const auto model = modelfile::tests::model_from(model_text);
  const mechanics::ParameterValues values(model->description());
  options::StepOptions options;
  options.dt = dt;
  const auto steps = std::lround(end / dt);
  const auto run = model->simulate(values, options, {every});
  RunTrace trace = RunTrace::for_steps(steps);
  trace.sample(*run);
  run::Recording rows;
  bool ends = true;
  while (ends && run->totals().steps < steps) {
    ends = run->advance(std::min(trace.steps_to_sample(run->totals().steps), steps - run->totals().steps), rows);
    if (ends && run->totals().steps % trace.stride() == 0) trace.sample(*run);
  }
  EXPECT_TRUE(ends || !must_end);
  if (!ends) return {};
  trace.append(rows, *run, model->description());
  Compared c;
  c.half = compare_with_half_step(*model, *model->bind(values), values, options,
                                  {trace, steps, run->state(), run->totals().worst_penetration}, [] { return false; });
  c.text = describe(c.half, model->description());
  return c;
}

constexpr const char* oscillator = R"(
coordinates:
  x: {unit: m, velocity: v, start: 1}
kinetic: v^2/2
potential: 50*x^2
)";

TEST(HalfStep, FindsTheErrorOfASmoothMotion) {
  // ω = 10/s; the rule is of second order: the difference is 3/4 of the error of the run, (ω Δt)² ω t / 24.
  const double dt = 1e-3, t = 5, omega = 10;
  for (const std::int64_t every : {1, 10}) {
    const Compared c = compare(oscillator, dt, t, every);
    ASSERT_EQ(c.half.state, HalfStep::State::compared);
    const double expected = 0.75 * omega * dt * omega * dt * omega * t / 24;
    EXPECT_NEAR(c.half.largest[0] / expected, 1, 0.1);
    EXPECT_NEAR(c.half.range[0], 2, 1e-3);
    EXPECT_LT(c.half.parted, 0);
    EXPECT_FALSE(c.half.is_doubtful());
    EXPECT_EQ(c.half.at_end.size(), 2U);
  }
}

TEST(HalfStep, AStepThatIsTooLargeIsDoubtful) {
  const Compared c = compare(oscillator, 0.06, 40);
  EXPECT_GT(c.half.parted, 0);
  EXPECT_TRUE(c.half.is_doubtful());
  EXPECT_NE(c.text.find("dt is too large"), std::string::npos) << c.text;
}

TEST(HalfStep, CountsImpacts) {
  const char* ball = R"(
coordinates:
  y: {unit: m, velocity: v, start: 1}
kinetic: v^2/2
potential: 9.81*y
contacts:
  - {name: floor, gap: y, eN: 0.5}
)";
  const Compared first = compare(ball, 1e-3, 0.7);
  EXPECT_EQ(first.half.impacts, 1U);
  EXPECT_EQ(first.half.impacts_of_half, 1U);
  EXPECT_LT(first.half.first_difference, 0);
  EXPECT_NE(first.text.find("the same 1 impact"), std::string::npos) << first.text;
  // Bounces without end: how many there are depends on the step.
  const Compared all = compare(ball, 1e-3, 1.5);
  EXPECT_GT(all.half.first_difference, 1.2);
  EXPECT_FALSE(all.half.is_doubtful());
}

TEST(HalfStep, AMotionThatMultipliesWhatDiffersIsInformation) {
  // Between walls and round a post every impact multiplies what differs.
  const char* billiard = R"(
gravity: [0, 0]
bodies:
  table:
    fixed: true
    shapes:
      - half_plane: {point: [-1, 0], normal: [1, 0]}
      - half_plane: {point: [1, 0], normal: [-1, 0]}
      - half_plane: {point: [0, -1], normal: [0, 1]}
      - half_plane: {point: [0, 1], normal: [0, -1]}
      - circle: {radius: 0.4}
  ball: {mass: 1, shapes: [circle: {radius: 0.05}], start: {x: 0.7, y: 0.1, vx: -1.5, vy: 2}}
collisions:
  - {between: [all, all], eN: 1}
)";
  const Compared c = compare(billiard, 1e-4, 12);
  EXPECT_GT(c.half.parted, 0);
  EXPECT_GE(c.half.amplification, HalfStep::sensitive);
  EXPECT_FALSE(c.half.is_doubtful()) << c.text;
}

// An event of another body is no reason for a motion to part.
constexpr const char* fast_oscillator_and_a_mass_that_lies = R"(
coordinates:
  x: {unit: m, velocity: vx, start: 1}
  y: {unit: m, velocity: vy}
kinetic: (vx^2 + vy^2)/2
potential: 50^2*x^2/2 + 9.81*y
contacts:
  - {gap: y}
)";
TEST(HalfStep, EventsOfOthersExcuseNothing) {
  const Compared c = compare(fast_oscillator_and_a_mass_that_lies, 0.01, 10);
  EXPECT_TRUE(c.half.is_doubtful()) << c.text;
}

TEST(HalfStep, ErrorsOfImpactsThatDoNotMultiplyAreDoubtful) {
  const char* shaken = R"yaml(
coordinates:
  y: {unit: m, velocity: v}
kinetic: v^2/2
potential: 9.81*y
contacts:
  - {gap: "y - 0.05*sin(20*t)", eN: 0.7}
)yaml";
  for (const double dt : {0.01, 0.005}) {
    const Compared c = compare(shaken, dt, 3);
    EXPECT_TRUE(c.half.is_doubtful()) << c.text;
  }
  EXPECT_FALSE(compare(shaken, 1e-5, 1).half.is_doubtful());
}

TEST(HalfStep, AnImpactThatIsMissedIsDoubtful) {
  const char* wall = R"(
coordinates:
  x: {unit: m, velocity: u}
kinetic: u^2/2
contacts:
  - {gap: abs(x - 1) - 0.05}
impulses:
  - {at: 0, on: {x: 90}}
)";
  const Compared c = compare(wall, 1e-3, 2);
  EXPECT_TRUE(c.half.is_doubtful()) << c.text;
}

TEST(HalfStep, SmallMotionsBesideLargeOnesCount) {
  const char* wagon = R"(
coordinates:
  s: {unit: m, velocity: vs, start: 0}
  x: {unit: m, velocity: vx, start: 5e-4}
kinetic: (vx^2 + vs^2)/2
potential: 100^2*x^2/2
impulses:
  - {at: 0, on: {s: 50}}
)";
  const Compared c = compare(wagon, 0.01, 20);
  EXPECT_TRUE(c.half.is_doubtful()) << c.text;
}

TEST(HalfStep, DoesNotDependOnWhatIsRecorded) {
  EXPECT_EQ(compare(oscillator, 1e-3, 5, 1).text, compare(oscillator, 1e-3, 5, 5000).text);
  const Compared c = compare(oscillator, 0.06, 40, 1000);
  EXPECT_GT(c.half.largest[0], 0.1);
  EXPECT_TRUE(c.half.is_doubtful()) << c.text;
}

TEST(HalfStep, WithoutAnEndInCommonNoneIsCompared) {
  // A wall that the one run bounces off and the other goes through.
  int failed = 0;
  for (int phase = 0; phase < 20; ++phase) {
    const Compared c = compare(R"(
gravity: [0, 0]
bodies:
  wall: {fixed: true, shapes: [box: {width: 0.01, height: 1}]}
  disk: {mass: 1, shapes: [circle: {radius: 0.005}], start: {x: -0.2 - )" +
                                   std::to_string(2e-3 * phase) + R"(, y: 0.1, vx: 30}}
collisions:
  - {between: [wall, disk], eN: 0.5}
)",
                               1e-3, 0.03, 1, false);
    if (c.half.state != HalfStep::State::failed) continue;
    ++failed;
    EXPECT_TRUE(c.half.at_end.empty());
    EXPECT_TRUE(c.half.is_doubtful());
  }
  EXPECT_GT(failed, 0);
}

TEST(HalfStep, RoundOffIsNoChange) {
  const char* falls = R"(
coordinates:
  y: {unit: m, velocity: v, start: 1}
kinetic: v^2/2
potential: 9.81*y
)";
  const Compared c = compare(falls, 1e-3, 0.4);
  EXPECT_GT(c.half.largest[0], 0);
  EXPECT_EQ(c.text, "gives the same motion to round-off");
}

TEST(HalfStep, WhatRestsDoesNotMove) {
  const char* box = R"(
gravity: [0, -9.81]
bodies:
  floor: {fixed: true, shapes: [half_plane: {point: [0, 0], normal: [0, 1]}]}
  box: {mass: 1, shapes: [box: {width: 1, height: 1}], start: {y: 0.5}}
collisions:
  - {between: [all, all], mu: 0.3, eN: 0}
)";
  EXPECT_EQ(compare(box, 1e-3, 0.5).half.worst(), -1);
}

}  // namespace
}  // namespace picus::study
