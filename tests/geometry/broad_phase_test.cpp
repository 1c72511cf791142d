#include "picus/geometry/broad_phase.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <random>
#include <string>

#include "allocation_counter.hpp"
#include "picus/geometry/pair_keeper.hpp"

namespace picus::geometry {
namespace {

constexpr double inf = std::numeric_limits<double>::infinity();

Pairs all_pairs(const std::vector<Box>& boxes, double margin) {
  Pairs pairs;
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    for (std::size_t j = i + 1; j < boxes.size(); ++j) {
      if (overlap(grown(boxes[i], margin), grown(boxes[j], margin))) pairs.emplace_back(i, j);
    }
  }
  return pairs;
}

double uniform(std::mt19937& rng, double low, double high) {
  return std::uniform_real_distribution<double>(low, high)(rng);
}

Box box_at(double x, double y, double width, double height) { return {x, x + width, y, y + height}; }

struct Crowd {
  std::string name;
  std::function<Box(std::mt19937&)> draw;
};

const Crowd crowds[] = {
    {"alike", [](auto& r) { return box_at(uniform(r, -20, 20), uniform(r, -20, 20), 1, 1); }},
    {"on a lattice", [](auto& r) { return box_at(double(r() % 40) - 20, double(r() % 40) - 20, 1, 1); }},
    {"sizes over nine decades",
     [](auto& r) {
       const double size = std::pow(10, uniform(r, -6, 3));
       const double place = std::pow(10, uniform(r, -6, 3));
       return box_at(uniform(r, -place, place), uniform(r, -place, place), size * uniform(r, 0, 1), size);
     }},
    {"far apart", [](auto& r) { return box_at(uniform(r, -1e9, 1e9), uniform(r, -1e9, 1e9), 1, 2); }},
    {"beyond all cells", [](auto& r) { return box_at(1e15 + double(r() % 64), -1e15 + double(r() % 64), 1, 1); }},
    {"planks", [](auto& r) { return box_at(uniform(r, -3, 3), uniform(r, 0, 1), 1, 1e-3); }},
    {"planks that stand and lie",
     [](auto& r) {
       const bool lies = r() % 2 == 0;
       return box_at(uniform(r, -3, 3), uniform(r, -3, 3), lies ? 1 : 0.01, lies ? 0.01 : 1);
     }},
    {"planks and smaller squares",
     [](auto& r) {
       const bool plank = r() % 2 == 0;
       return box_at(uniform(r, -2, 2), uniform(r, -2, 2), plank ? 1 : 0.4, plank ? 0.01 : 0.4);
     }},
    {"points", [](auto& r) { return box_at(double(r() % 20), double(r() % 20), 0, 0); }},
    {"with walls and half-planes",
     [](auto& r) {
       if (r() % 100 == 0) return Box{-inf, inf, -inf, uniform(r, -20, 20)};
       if (r() % 100 == 0) return Box{-inf, uniform(r, -20, 20), -inf, inf};
       if (r() % 50 == 0) return box_at(-50, uniform(r, -20, 20), 100, 0);
       return box_at(uniform(r, -20, 20), uniform(r, -20, 20), uniform(r, 0.5, 1), uniform(r, 0.5, 1));
     }},
};

TEST(BroadPhase, FindsWhatAllPairsFind) {
  std::mt19937 rng(1);
  BroadPhase broad_phase;
  for (const Crowd& crowd : crowds) {
    std::size_t found = 0;
    for (int k = 0; k < 60; ++k) {
      std::vector<Box> boxes(k < 40 ? static_cast<std::size_t>(k) : 700);
      for (Box& box : boxes) box = crowd.draw(rng);
      const double margin = k % 2 == 0 ? 0 : 0.1;
      const Pairs& pairs = broad_phase.find_pairs(boxes, margin);
      ASSERT_EQ(pairs, all_pairs(boxes, margin)) << crowd.name << ", " << boxes.size() << " boxes";
      found += pairs.size();
    }
    if (crowd.name != "far apart") {
      EXPECT_GT(found, 1000u) << crowd.name;
    }
  }
}

TEST(BroadPhase, AsksTheFilterForOverlappingPairsOnly) {
  std::vector<Box> boxes = {box_at(0, 0, 1, 1), box_at(0.5, 0, 1, 1), box_at(0.7, 0, 1, 1), box_at(9, 0, 1, 1)};
  BroadPhase broad_phase;
  int asked = 0;
  const Pairs pairs = broad_phase.find_pairs(boxes, 0, [&](int i, int j) {
    ++asked;
    return i + j != 2;
  });
  EXPECT_EQ(asked, 3);
  EXPECT_EQ(pairs, (Pairs{{0, 1}, {1, 2}}));
}

TEST(BroadPhase, MarginGrowsEachBox) {
  const std::vector<Box> boxes = {box_at(0, 0, 1, 1), box_at(1.5, 0, 1, 1)};
  BroadPhase broad_phase;
  EXPECT_EQ(broad_phase.find_pairs(boxes, 0.24).size(), 0u);
  EXPECT_EQ(broad_phase.find_pairs(boxes, 0.25).size(), 1u);
}

TEST(BroadPhase, TakesNoHeapOnceWarm) {
  std::mt19937 rng(2);
  std::vector<Box> boxes(2000);
  for (Box& box : boxes) box = crowds[0].draw(rng);
  BroadPhase broad_phase;
  const auto all = [](int, int) { return true; };
  broad_phase.find_pairs(boxes, 0.1, all);
  const long before = tests::allocations();
  for (int k = 0; k < 10; ++k) broad_phase.find_pairs(boxes, 0.1, all);
  EXPECT_EQ(tests::allocations(), before);
}

TEST(PairKeeper, AlwaysHasThePairsOfAFreshSearch) {
  std::mt19937 rng(3);
  const double margin = 0.05, skin = 0.2;
  for (const Crowd& crowd : {crowds[0], crowds[9]}) {
    std::vector<Box> boxes(300);
    for (Box& box : boxes) box = crowd.draw(rng);
    PairKeeper keeper;
    const auto even = [](int i, int j) { return (i + j) % 2 == 0; };
    const int steps = 300;
    for (int k = 0; k < steps; ++k) {
      const double speed = k < 200 ? 0.02 : 0.3;
      for (Box& box : boxes) {
        const double dx = uniform(rng, -speed, speed), dy = uniform(rng, -speed, speed),
                     grows = uniform(rng, -0.01, 0.01);
        box = grown({box.x_min + dx, box.x_max + dx, box.y_min + dy, box.y_max + dy}, grows);
      }
      const Pairs& kept = keeper.update(boxes, margin, skin, even);
      ASSERT_TRUE(std::is_sorted(kept.begin(), kept.end()));
      for (const auto& pair : all_pairs(boxes, margin)) {
        ASSERT_EQ(std::binary_search(kept.begin(), kept.end(), pair), even(pair.first, pair.second));
      }
    }
    EXPECT_GT(keeper.searches(), 30);
    EXPECT_LT(keeper.searches(), 200);
  }
}

TEST(PairKeeper, SearchesOnlyWhenABoxLeftItsSkin) {
  std::vector<Box> boxes = {box_at(0, 0, 1, 1), box_at(1.1, 0, 1, 1), {-inf, inf, -inf, 0}};
  PairKeeper keeper;
  const auto all = [](int, int) { return true; };
  const auto searches_after = [&](double shift) {
    boxes[0] = box_at(shift, 0, 1, 1);
    keeper.update(boxes, 0.01, 0.1, all);
    return keeper.searches();
  };
  EXPECT_EQ(searches_after(0), 1);
  EXPECT_EQ(searches_after(0.09), 1);
  EXPECT_EQ(searches_after(-0.09), 1);
  EXPECT_EQ(searches_after(0.11), 2);
  EXPECT_EQ(searches_after(0.03), 2);
  keeper.forget();
  EXPECT_EQ(searches_after(0.03), 3);
  boxes.push_back(box_at(0, 0, 1, 1));
  EXPECT_EQ(searches_after(0.03), 4);
  boxes.pop_back();
  EXPECT_EQ(searches_after(0.03), 5);
  const long before = tests::allocations();
  for (int k = 0; k < 10; ++k) searches_after(0.04);
  EXPECT_EQ(tests::allocations(), before);
}

TEST(PairKeeper, MayBeCopied) {
  const std::vector<Box> boxes = {box_at(0, 0, 1, 1), box_at(0.5, 0, 1, 1)};
  const auto all = [](int, int) { return true; };
  PairKeeper copy;
  {
    PairKeeper keeper;
    keeper.update(boxes, 0, 0.1, all);
    copy = keeper;
  }
  EXPECT_EQ(copy.update(boxes, 0, 0.1, all), (Pairs{{0, 1}}));
  EXPECT_EQ(copy.searches(), 1);
}

}  // namespace
}  // namespace picus::geometry
