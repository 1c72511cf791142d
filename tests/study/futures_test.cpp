#include "picus/study/futures.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>

#include "trials.hpp"

namespace picus::study::tests {
namespace {

using Status = Motion::Status;

const std::string two_points = R"(
coordinates:
  x: {unit: m, start: 1, velocity: v}
  angle: {unit: rad, velocity: omega}
kinetic: (v^2 + omega^2)/2
)";

// Motions made by hand: x and an angle at times 0, 1, … . The first run covers x from 0 to 1, so that the scale of x
// is 1.
class Made {
 public:
  explicit Made(std::size_t times, double apart = 0.01) : study_(model_from(two_points), 1, 1) {
    study_.options.apart = apart;
    for (std::size_t k = 0; k < times; ++k) study_.motions.times.push_back(static_cast<double>(k));
    study_.motions.coordinates = 2;
    std::vector<double> x(times, 0.0);
    x.back() = 1;
    add(x);
  }
  Made& add(const std::vector<double>& x, Status status = Status::done) {
    Motion m;
    m.status = status;
    for (double value : x) m.positions.insert(m.positions.end(), {value, 0.0});
    m.end_time = x.empty() ? 0 : static_cast<double>(x.size() - 1);
    study_.motions.runs.push_back(m);
    return *this;
  }
  Motion& last() { return study_.motions.runs.back(); }
  Study& study() { return study_; }
  Futures find() { return find_futures(study_.experiment(), study_.options, study_.motions); }

 private:
  Study study_;
};

std::vector<std::vector<std::size_t>> runs_of(const Futures& futures) {
  std::vector<std::vector<std::size_t>> list;
  for (const Future& f : futures.list) list.push_back(f.runs);
  return list;
}
using Runs = std::vector<std::vector<std::size_t>>;

TEST(Futures, GapsTellThemApartNotTheirWidth) {
  const Futures one = Made(2).add({0, 0}).add({0, 0.016}).add({0, 0.008}).find();
  EXPECT_EQ(runs_of(one), (Runs{{1, 2, 3}}));
  EXPECT_EQ(one.predictable_until, 1);
  const Futures two = Made(2).add({0, 0}).add({0, 0.016}).find();
  EXPECT_EQ(runs_of(two), (Runs{{1}, {2}}));
  EXPECT_EQ(two.alone, 2u);
}

TEST(Futures, FormATreeInTime) {
  //                              t = 0  1    2    3
  const Futures f = Made(4)
                        .add({0, 0, 0, 0})
                        .add({0, 0.5, 0.5, 0.5})
                        .add({0, 0.5, 0.5, 0.7})
                        .add({0, 0.5, 0.5, 0.7})
                        .add({0, 0, 0.2, 0})  // comes back, and stays apart
                        .find();
  EXPECT_EQ(runs_of(f), (Runs{{3, 4}, {1}, {2}, {5}}));
  EXPECT_FALSE(f.list[0].parts_from_first);
  EXPECT_EQ(f.list[1].parts_from_first, 1);
  EXPECT_EQ(f.list[2].parts_from_first, 3);
  EXPECT_EQ(f.list[3].parts_from_first, 1);
  std::vector<std::size_t> counts;
  for (const SpreadRow& row : f.spread) counts.push_back(row.futures);
  EXPECT_EQ(counts, (std::vector<std::size_t>{1, 2, 3, 4}));
  EXPECT_EQ(f.of_run, (std::vector<std::size_t>{0, 2, 3, 1, 1, 4}));
  EXPECT_NEAR(f.spread[1].largest, 0.5, 1e-15);
  EXPECT_NEAR(f.spread[3].largest, 0.7, 1e-15);
  EXPECT_NEAR(f.spread[3].from_undisturbed, 1, 1e-15);
  EXPECT_EQ(f.list[0].share, 0.4);
}

TEST(Futures, ComparedWithTheUndisturbedRun) {
  const Futures f = Made(3).add({0, 0, 0}).add({0, 0, 1.005}).add({0, 0, 1}).add({0, 0.1, 1}).find();
  EXPECT_EQ(f.followers, 2u);
  EXPECT_FALSE(f.followed_until);
  EXPECT_EQ(runs_of(f), (Runs{{2, 3}, {1}, {4}}));
  EXPECT_EQ(f.of_run[0], 1u);
  EXPECT_FALSE(f.list[0].parts_from_undisturbed);
  EXPECT_EQ(f.list[1].parts_from_undisturbed, 2);
  EXPECT_EQ(f.parts_at[4], 1);
  EXPECT_FALSE(f.parts_at[0] || f.parts_at[2]);

  const Futures none = Made(3).add({0, 0, 0}).add({0, 0.1, 1}).find();
  EXPECT_EQ(none.followers, 0u);
  EXPECT_EQ(none.followed_until, 2);
  EXPECT_EQ(none.of_run[0], 0u);
}

TEST(Futures, CoarserBoundsSeeFewer) {
  const Futures f = Made(2).add({0, 0}).add({0, 0.015}).add({0, 0.1}).add({0, 0.6}).find();
  ASSERT_EQ(f.at_bounds.size(), 6u);
  const std::size_t expected[] = {4, 3, 3, 2, 2, 1};
  for (std::size_t i = 0; i < 6; ++i) EXPECT_EQ(f.at_bounds[i].futures, expected[i]) << f.at_bounds[i].apart;
  EXPECT_EQ(f.at_bounds[0].apart, 0.01);
  EXPECT_EQ(Made(2, 0.3).add({0, 0}).find().at_bounds.size(), 2u);
}

TEST(Futures, AnEarlyEndIsAFutureOfItsOwn) {
  std::vector<double> x(201, 0.0);
  const auto until = [&](std::size_t rows) { return std::vector<double>(x.begin(), x.begin() + rows); };
  const Futures f = Made(201)
                        .add(x)
                        .add(until(101), Status::no_solution)
                        .add(until(102), Status::no_solution)  // half a percent of the time later
                        .add(until(102), Status::failed)
                        .add(until(121), Status::no_solution)
                        .add({}, Status::refused)
                        .add(x, Status::uncertified)
                        .find();
  EXPECT_EQ(runs_of(f), (Runs{{1, 7}, {2, 3}, {4}, {5}, {6}}));
  EXPECT_EQ(f.list[1].parts_from_first, 102);  // when the later of both is not there any more
  EXPECT_EQ(f.list[3].parts_from_first, 121);
  EXPECT_EQ(f.list[4].parts_from_first, 0);
  EXPECT_EQ(f.spread[100].running, 6u);
  EXPECT_EQ(f.spread[110].running, 3u);
  EXPECT_EQ(f.spread[200].running, 2u);
}

TEST(Futures, WhatIsNoNumberIsApart) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const Futures f = Made(3).add({0, 0, 0}).add({0, nan, 0}).add({0, 0, 0}).find();
  EXPECT_EQ(runs_of(f), (Runs{{1, 3}, {2}}));
  EXPECT_EQ(f.list[1].parts_from_first, 1);
}

TEST(Futures, MissingRunsDoNotCount) {
  const Futures f = Made(2).add({0, 0}).add({0}, Status::missing).add({0, 0}).add({0, 1}).find();
  EXPECT_EQ(f.made, 3u);
  EXPECT_EQ(runs_of(f), (Runs{{1, 3}, {4}}));
  EXPECT_NEAR(f.list[0].share, 2.0 / 3, 1e-15);
}

TEST(Futures, SaysWhenNearlyAllDiffer) {
  Made made(2);
  for (int i = 0; i < 30; ++i) made.add({0, 0.03 * i});
  EXPECT_TRUE(made.find().nearly_all_differ());
  for (int i = 0; i < 30; ++i) made.add({0, 0.0});
  EXPECT_FALSE(made.find().nearly_all_differ());
  EXPECT_FALSE(Made(2).add({0, 0}).add({0, 1}).find().nearly_all_differ());
}

// x starts at 1 m: less than 1 % of that is hardly a motion, and so is an angle below 0.1 rad.
TEST(Futures, NoiseOfACoordinateThatHardlyMovesIsNone) {
  Made made(2);
  made.study().motions.runs.clear();
  made.add({0, 0}).add({0, 5e-5}).add({0, -4e-5});
  for (std::size_t i = 0; i < 3; ++i) made.study().motions.runs[i].positions[3] = 4e-4 * static_cast<double>(i);
  Futures f = made.find();
  EXPECT_EQ(f.scales, (std::vector<double>{0.01, 0.1}));
  EXPECT_EQ(f.list.size(), 1u);
  EXPECT_FALSE(f.predictable_until);
  made.study().options.apart = 1e-4;  // whoever wants to know
  EXPECT_EQ(made.find().list.size(), 2u);
}

TEST(Futures, AnImpactInTheNextStepIsNoOtherFuture) {
  Made made(2);
  made.add({0, 0}).add({0, 0.03});
  EXPECT_EQ(made.find().list.size(), 2u);
  made.last().step = {0.02, 0.0};
  const Futures f = made.find();
  EXPECT_NEAR(f.scales[0], 2 * 0.02 / 0.01, 1e-12);
  EXPECT_EQ(f.list.size(), 1u);
}

// Initial values of 1 m and 1 m/s disturbed by 1e-3 differ by up to 2e-3 (1 + t) in free flight.
TEST(Futures, LargeDisturbancesThemselvesAreNoOtherFuture) {
  Made made(5);
  made.add({0, 0, 0, 0, 0}).add({0, 0, 0, 0, 0.012});
  EXPECT_EQ(made.find().list.size(), 2u);
  made.study().options.perturb = 1e-3;
  const Futures f = made.find();
  EXPECT_NEAR(f.scales[0], 3 * 1e-3 * (1 + 4) / 0.01, 1e-12);
  EXPECT_EQ(f.list.size(), 1u);
}

TEST(Futures, RunsThatGrewWithoutEndDoNotSetTheScale) {
  Made made(3);
  made.add({0, 0, 0}).add({0, 1e30}, Status::failed);
  EXPECT_EQ(made.find().scales[0], 1);
}

// Against the definition: at each time the groups that chains of runs form which were never apart up to then.
TEST(Futures, AgreeWithTheirDefinition) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (int trial = 0; trial < 40; ++trial) {
    const std::size_t times = 8, runs = 25;
    Made made(times, 0.05);
    for (std::size_t run = 0; run < runs; ++run) {
      std::vector<double> x = {0};
      while (x.size() < times) x.push_back(x.back() + 0.05 * uniform(random));
      made.add(x);
    }
    const Futures f = made.find();
    const auto& all = made.study().motions.runs;
    std::vector<double> parted(runs + 1, -1);  // from the first run of the largest future
    for (std::size_t k = 0; k < times; ++k) {
      std::vector<std::size_t> label(runs + 1);
      std::iota(label.begin(), label.end(), 0);
      for (std::size_t pass = 0; pass < runs; ++pass) {
        for (std::size_t a = 1; a <= runs; ++a) {
          for (std::size_t b = 1; b <= runs; ++b) {
            double most = 0;
            for (std::size_t i = 0; i <= k; ++i) {
              most = std::max(most, std::abs(all[a].positions[2 * i] - all[b].positions[2 * i]));
            }
            if (most <= 0.05 * f.scales[0]) label[b] = std::min(label[a], label[b]);
          }
        }
      }
      std::size_t count = 0;
      for (std::size_t a = 1; a <= runs; ++a) count += label[a] == a ? 1 : 0;
      EXPECT_EQ(f.spread[k].futures, count) << trial << ", " << k;
      for (std::size_t a = 1; a <= runs; ++a) {
        if (label[a] != label[f.list[0].representative] && parted[a] < 0) parted[a] = static_cast<double>(k);
        if (k + 1 < times) continue;
        EXPECT_EQ(f.of_run[a], f.of_run[label[a]]);
      }
    }
    for (std::size_t i = 1; i < f.list.size(); ++i) {
      EXPECT_EQ(f.list[i].parts_from_first.value_or(-1), parted[f.list[i].representative]);
    }
    EXPECT_EQ(f.at_bounds[0].futures, f.list.size());
  }
}

// x'' = k² x: all differences grow by cosh(k t), and pass 10 % of the largest when cosh(k t) = 0.1 cosh(k T).
TEST(Futures, AnUnstableEquilibriumSpreadsWithoutAGap) {
  Study study(model_from(hill), 1e-3, 3);
  study.options.runs = 200;
  study.options.apart = 0.1;
  study.options.perturb = 1e-12;
  study.run();
  EXPECT_EQ(study.futures.list.size(), 1u);
  EXPECT_NEAR(*study.futures.predictable_until, std::acosh(0.1 * std::cosh(15)) / 5, 0.05);
}

// An elastic ball on a wavy floor forgets where it came from.
TEST(Futures, AChaoticMotionHasOneForEachRun) {
  Study study(model_from(R"(
coordinates:
  x: {unit: m, velocity: {name: vx, start: 0.3}}
  y: {unit: m, start: 1, velocity: vy}
kinetic: (vx^2 + vy^2)/2
potential: 9.81*y
contacts:
  - {gap: y - 0.1*cos(9*x), tangent: x, mu: 0, eN: 1}
)"),
              1e-3, 12);
  study.options.runs = 60;
  study.run();
  EXPECT_TRUE(study.futures.nearly_all_differ());
  EXPECT_GT(study.futures.list.size(), 30u);
  EXPECT_EQ(study.futures.followers, 0u);
  ASSERT_TRUE(study.futures.predictable_until);
  EXPECT_GT(*study.futures.predictable_until, 1);
}

}  // namespace
}  // namespace picus::study::tests
