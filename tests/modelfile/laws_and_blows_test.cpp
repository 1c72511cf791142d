// Contact laws given as formulas, and blows, against closed forms.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "trial.hpp"

namespace picus::modelfile {
namespace {

using stepping::EventKind;
using stepping::StepStatus;
using tests::model_from;
using tests::ParameterValues;
using tests::Probe;
using tests::Trial;

// A point that flies to the right and bounces on the floor.
std::string ball_text(const std::string& eN) {
  return R"(
parameters: {m: 0.5, g: 9.81}
coordinates: {x: {velocity: v_x}, y: {velocity: v_y, start: 1}}
kinetic: m/2*(v_x^2 + v_y^2)
potential: m*g*y
contacts: [{gap: y, eN: ")" +
         eN + "\"}]\n";
}

// Tops between the first bounces, in closed form from x = 0, y = 1 with the horizontal speed v.
template <class Restitution>
std::vector<double> tops(const Restitution& e, double v, int count) {
  std::vector<double> y;
  double t = std::sqrt(2 / 9.81), speed = 9.81 * t;
  for (int i = 0; i < count; ++i) {
    speed *= e(v * t, t);
    y.push_back(speed * speed / (2 * 9.81));
    t += 2 * speed / 9.81;
  }
  return y;
}

// The highest point of each flight after a bounce.
std::vector<double> recorded_tops(const Trial& run) {
  std::vector<double> y;
  std::size_t row = 0;
  const auto highest_until = [&](double t) {
    double top = 0;
    for (; row < run.rows() && run.recorded(row, 0) < t; ++row) top = std::max(top, run.recorded(row, 2));
    return top;
  };
  for (const run::EventRecord& event : run.recording.events) {
    if (event.event.kind == EventKind::impact) y.push_back(highest_until(event.t));
  }
  if (!y.empty()) y.erase(y.begin());  // the fall before the first
  return y;
}

template <class Restitution>
void expect_tops(const Trial& run, const Restitution& e, double v, int count) {
  const std::vector<double> expected = tops(e, v, count), found = recorded_tops(run);
  ASSERT_GE(found.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(found[i], expected[i], 5e-4) << i;
}

TEST(Laws, RestitutionIsTakenWhereTheBallHits) {
  Trial run(ball_text("0.7 + 0.25*sin(x)"), 2e-5);
  ASSERT_TRUE(run.set("v_x", 3).to(2.2));
  expect_tops(
      run, [](double x, double) { return 0.7 + 0.25 * std::sin(x); }, 3, 4);
  run.expect_closed_books(1e-9);
}

TEST(Laws, RestitutionIsTakenWhenTheBallHits) {
  Trial run(ball_text("0.9 - 0.4*t"), 2e-5);
  ASSERT_TRUE(run.set("v_x", 3).to(1.9));
  expect_tops(
      run, [](double, double t) { return 0.9 - 0.4 * t; }, 3, 2);
}

TEST(Laws, ANumberThatIsSetReplacesTheFormula) {
  const auto model = model_from(ball_text("0.5 + 0.3*sin(x)"));
  ParameterValues values(model->description());
  EXPECT_TRUE(Probe(*model, values).programs().laws_vary);
  EXPECT_DOUBLE_EQ(values["eN1"], 0.5);  // at the start
  values.set("x", 1);
  EXPECT_DOUBLE_EQ(values["eN1"], 0.5 + 0.3 * std::sin(1));
  for (const char* name : {"eN1", "eN"}) {
    values.set(name, 0.7);
    EXPECT_FALSE(Probe(*model, values).programs().laws_vary);
    EXPECT_EQ(Probe(*model, values).programs().start_laws[0].eN, 0.7);
    Trial run(ball_text("0.5 + 0.3*sin(x)"), 2e-5);
    ASSERT_TRUE(run.set("v_x", 3).set(name, 0.7).to(2));
    expect_tops(
        run, [](double, double) { return 0.7; }, 3, 2);
  }
}

// eN = 0.5 + 0.4 x passes 1 at x = 1.25; with v_x = 1 the third impact is the first beyond.
TEST(Laws, AFormulaThatLeavesItsRangeEndsTheRun) {
  for (auto method : {options::Method::moreau_midpoint, options::Method::moreau_jean}) {
    for (const char* eN : {"0.5 + 0.4*x", "0.5 - 0.4*x", "sqrt(1 - x/1.2)"}) {
      Trial run(ball_text(eN), 1e-4, method);
      EXPECT_FALSE(run.set("v_x", 1).to(5)) << eN;
      const run::Failure failure = run.simulation().failure();
      EXPECT_EQ(failure.status, StepStatus::invalid_law);
      EXPECT_EQ(failure.contacts, std::vector<int>{0});
      EXPECT_GT(run[0], 1.2);
      EXPECT_NEAR(run[0], failure.time, 1e-9);  // x = v t: the law is refused where it is not valid, not before
      for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(run[i], run.recorded(run.rows() - 1, 1 + i));
      const std::vector<double> kept = run.simulation().state();
      EXPECT_FALSE(run.to(6));
      EXPECT_EQ(run.simulation().state(), kept);
      EXPECT_GT(kept[1], -1e-2);
    }
  }
}

TEST(Laws, FrictionThatDependsOnThePlace) {
  // ẍ = −c x g while it slides to the right: x = √(...) in closed form by energy, ½ v² = ½ c g (x_end²).
  Trial run(R"(
parameters: {m: 0.5, g: 10}
coordinates: {x: {velocity: v_x, start: 0}, y: {velocity: v_y}}
kinetic: m/2*(v_x^2 + v_y^2)
potential: m*g*y
contacts: [{gap: y, tangent: x, mu: '0.2*max(x, 0)'}]
)",
            1e-4);
  ASSERT_TRUE(run.set("v_x", 1).to(2));
  EXPECT_NEAR(run[0], std::sqrt(1 / (0.2 * 10)), 1e-3);
  EXPECT_NEAR(run[2], 0, 1e-12);
  EXPECT_NEAR(run.simulation().energy().friction, -0.25, 1e-6);
  run.expect_closed_books(1e-9);
}

// A free mass under gravity: v = −g t + Σ J/m over the blows so far; a blow between grid points comes at the next.
TEST(Blows, ChangeTheVelocityOfAFreeMass) {
  const std::string text = R"(
parameters: {m: 2, g: 10, t_late: 0.333}
coordinates: {x: {velocity: v}, y: {velocity: w}}
kinetic: m/2*(v^2 + w^2)
potential: m*g*y
impulses:
  - {at: 0, on: {x: 1}}
  - {at: [0.105, 0.2], on: {x: 0.5, y: 3}}
  - {at: 0.2, along: 3*x - y, size: 0.25}
  - {at: t_late, on: {y: 4*cos(t)}}
  - {at: 0.07, on: {x: -2}}
)";
  for (auto method : {options::Method::moreau_midpoint, options::Method::moreau_jean}) {
    Trial run(text, 0.01, method);
    ASSERT_TRUE(run.to(0.5));
    double x = 0, y = 0, v_before = 0, w_before = 0;
    for (std::size_t k = 0; k < run.rows(); ++k) {
      const double t = 0.01 * static_cast<double>(k);
      // Free flight from the last row, then the blows at t.
      x += k > 0 ? 0.01 * v_before : 0;
      y += k > 0 ? 0.01 * w_before - 5 * 1e-4 : 0;
      double v = 0.5, w = -10 * t;
      if (k >= 7) v -= 1;
      if (k >= 11) v += 0.25, w += 1.5;
      if (k >= 20) v += 0.25 + 0.375, w += 1.5 - 0.125;
      if (k >= 34) w += 2 * std::cos(0.34);
      ASSERT_NEAR(run.recorded(k, 0), t, 1e-15);
      ASSERT_NEAR(run.recorded(k, 3), v, 1e-13) << k;
      ASSERT_NEAR(run.recorded(k, 4), w, 1e-13) << k;
      ASSERT_NEAR(run.recorded(k, 1), x, 1e-13) << k;
      ASSERT_NEAR(run.recorded(k, 2), y, 1e-13) << k;
      v_before = v, w_before = w;
    }
    run.expect_closed_books();
    const double T = 1.0 * (run[2] * run[2] + run[3] * run[3]);
    EXPECT_NEAR(run.simulation().energy().work, T + 20 * run[1], 1e-11);
  }
}

TEST(Blows, AlongADisplacementOfAPendulum) {
  Trial run(R"(
parameters: {m: 2, l: 0.5}
coordinates: {p: {velocity: w, start: 0.3}}
kinetic: m*l^2/2*w^2
impulses: [{at: [0, 0.5], along: l*sin(p), size: 1.5}]
)");
  ASSERT_TRUE(run.to(0.5));
  const double first = 1.5 * std::cos(0.3) / (2 * 0.5), p = 0.3 + 0.5 * first;
  EXPECT_NEAR(run[0], p, 1e-13);
  EXPECT_NEAR(run[1], first + 1.5 * std::cos(p) / (2 * 0.5), 1e-13);
  run.expect_closed_books();
}

std::string block_text(const std::string& blow) {
  return R"(
parameters: {m: 2, g: 10}
coordinates: {x: {velocity: v}, y: {velocity: w}}
kinetic: m/2*(v^2 + w^2)
potential: m*g*y
contacts: [{gap: y, tangent: x, mu: 0.5}]
impulses: [{at: 0.1, on: )" +
         blow + "}]\n";
}

// The contact takes what the law allows: all of a blow downwards, and a blow sideways up to μ times that.
TEST(Blows, OnABlockThatRestsOnTheFloor) {
  struct Given {
    const char* blow;
    double v, Lambda_N, Lambda_T;
  };
  for (const Given& given : {Given{"{y: -3}", 0, 3, 0},
                             {"{x: 1, y: -3}", 0, 3, -1},
                             {"{x: 2, y: -3}", 0.25, 3, -1.5},
                             {"{x: -2.5, y: -3}", -0.5, 3, 1.5},
                             {"{x: 1}", 0.5, 0, 0}}) {
    SCOPED_TRACE(given.blow);
    Trial run(block_text(given.blow));
    ASSERT_TRUE(run.to(0.1));
    EXPECT_NEAR(run[2], given.v, 1e-13);
    EXPECT_NEAR(run[3], 0, 1e-13);
    ASSERT_FALSE(run.recording.contacts.empty());
    const run::ContactRecord& contact = run.recording.contacts.back();
    EXPECT_NEAR(contact.t, 0.1, 1e-15);
    EXPECT_NEAR(contact.Lambda_N, given.Lambda_N, 1e-13);
    EXPECT_NEAR(contact.Lambda_T, given.Lambda_T, 1e-13);
    run.expect_closed_books();
    EXPECT_NEAR(run.simulation().energy().work + run.simulation().energy().friction, given.v * given.v, 1e-13);
    // It slides v²/(2 μ g) and rests.
    ASSERT_TRUE(run.to(0.5));
    EXPECT_NEAR(run[0], given.v * std::abs(given.v) / 10, 1e-12);
    EXPECT_NEAR(run[2], 0, 1e-13);
    EXPECT_NEAR(run[1], 0, 1e-12);
    run.expect_closed_books();
  }
}

TEST(Blows, ABlockThrownUpLeavesTheFloor) {
  Trial run(block_text("{y: 6}"));
  ASSERT_TRUE(run.to(0.4));
  EXPECT_NEAR(run[3], 3 - 10 * 0.3, 1e-12);
  EXPECT_NEAR(run[1], 0.45, 1e-12);
  EXPECT_NEAR(run.simulation().energy().work, 9, 1e-12);
}

// Times are numbers >= 0, also where a parameter gives them.
TEST(Blows, TimesBeforeTheStartAreRefused) {
  const std::string text = "parameters: {t_b: 1}\ncoordinates: {x: {velocity: v}}\nkinetic: v^2\nimpulses: [{at: ";
  EXPECT_THROW(model_from(text + "-1, on: {x: 1}}]\n"), InputError);
  for (const char* at : {"t_b - 2", "sqrt(t_b - 2)"}) {
    EXPECT_THROW(Trial(text + at + ", on: {x: 1}}]\n").to(0.1), InputError) << at;
  }
  Trial late(text + "t_b, on: {x: 1}}]\n");
  EXPECT_THROW(late.set("t_b", -1).to(0.1), InputError);
}

// A ball that hits the floor in the instant of a blow rebounds from it: it is not closed afterwards.
TEST(Blows, AContactThatReboundsIsOpen) {
  const auto model = model_from(
      "coordinates: {y: {velocity: {name: v, start: -0.5}}}\nkinetic: v^2/2\n"
      "contacts: [{gap: y, eN: 0.5}]\nimpulses: [{at: 0, on: {y: -10}}]\n");
  const ParameterValues values(model->description());
  options::StepOptions options;
  options.dt = 1e-3;
  const auto run = model->simulate(values, options, {});
  run::Recording recording;
  ASSERT_TRUE(run->advance(5, recording));
  EXPECT_NEAR(run->state()[1], 0.25, 1e-12);
  for (const run::EventRecord& record : recording.events) {
    EXPECT_EQ(record.event.kind, EventKind::impact) << record.t;
  }
}

// Blows that agree in one coordinate are not the same.
TEST(Blows, DifferInAnyCoordinate) {
  const auto model = model_from(
      "coordinates: {x: {velocity: v}, y: {velocity: w}}\nkinetic: v^2/2 + w^2/2\n"
      "impulses: [{at: 0, on: {x: 1, y: 2}}, {at: 0.001, on: {x: 1, y: 5}}, {at: 0.002, on: {x: 1, y: 2}}]\n");
  options::StepOptions options;
  options.dt = 1e-3;
  const auto run = model->simulate(ParameterValues(model->description()), options, {});
  run::Recording recording;
  ASSERT_TRUE(run->advance(3, recording));
  EXPECT_NEAR(run->state()[2], 3, 1e-14);
  EXPECT_NEAR(run->state()[3], 9, 1e-14);
}

}  // namespace
}  // namespace picus::modelfile
