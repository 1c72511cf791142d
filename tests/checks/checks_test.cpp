// What the contact laws cannot tell: each check finds its fault, and is silent where there is none.
#include <algorithm>

#include "../modelfile/trial.hpp"
#include "picus/run/model_checks.hpp"

namespace picus::modelfile::tests {
namespace {

using options::Method;
using stepping::StepStatus;

// The code of the finding that ended the run before `end`; empty where nothing did.
std::string end_of(Trial& trial, double end) {
  if (trial.to(end)) return {};
  EXPECT_EQ(trial.simulation().failure().status, StepStatus::refuted);
  for (const checks::Diagnostic& d : trial.simulation().diagnostics()) {
    if (d.severity != checks::Severity::error) continue;
    EXPECT_TRUE(contains(run::describe(trial.simulation().failure(), mechanics::ModelDescription{}), d.text));
    return d.code;
  }
  return "no finding";
}

std::vector<std::string> warnings_of(Trial& trial, double end) {
  EXPECT_TRUE(trial.to(end));
  std::vector<std::string> codes;
  for (const checks::Diagnostic& d : trial.simulation().diagnostics()) codes.push_back(d.code);
  return codes;
}

using Codes = std::vector<std::string>;

constexpr const char* wall_and_disk = R"(
gravity: [0, 0]
bodies:
  wall: {fixed: true, shapes: [box: {width: 0.01, height: 1}]}
  disk: {mass: 1, shapes: [circle: {radius: 0.005}], start: {x: -0.2, y: 0.1, vx: 30}}
collisions:
  - {between: [wall, disk], mu: 0.3, eN: 0.5}
)";

TEST(Passing, AFastDiskAndAThinWall) {
  for (const double speed : {30.0, 47.0, 100.0, 3000.0}) {
    // Wherever in a step the wall is met.
    for (int phase = 0; phase < 10; ++phase) {
      Trial trial(wall_and_disk, 1e-3);
      trial.set("disk.vx", speed).set("disk.x", -0.2 - 1e-4 * speed * phase);
      const std::string code = end_of(trial, 0.03);
      // At 30 m/s it may be caught in the front half of the wall; then it bounces, and has not passed.
      if (code.empty()) {
        EXPECT_LT(trial[3], 0) << speed << ' ' << phase;
      } else {
        EXPECT_EQ(code, "passed-through");
      }
    }
  }
}

TEST(Passing, TheStepThatIsNamedIsEnough) {
  Trial trial(wall_and_disk, 1e-3);
  trial.set("disk.vx", 100);
  ASSERT_EQ(end_of(trial, 0.03), "passed-through");
  const std::string text = trial.simulation().failure().text;
  const double dt = std::stod(text.substr(text.find("--dt ") + 5));
  EXPECT_GT(dt, 1e-5);
  Trial again(wall_and_disk, dt);
  again.set("disk.vx", 100);
  EXPECT_EQ(end_of(again, 0.03), "");
  EXPECT_DOUBLE_EQ(again[3], -50);
}

TEST(Passing, WhoFliesPastHasNotPassed) {
  for (const double y : {0.5 + 0.0051, 0.6, 3.0}) {
    Trial trial(wall_and_disk, 1e-3);
    trial.set("disk.y", y).set("disk.vx", 100);
    EXPECT_EQ(end_of(trial, 0.03), "") << y;
  }
  Trial centre(wall_and_disk, 1e-3);
  centre.set("disk.y", 0.5).set("disk.vx", 100);
  EXPECT_EQ(end_of(centre, 0.03), "passed-through");
}

TEST(Passing, ThinCardsAndSegments) {
  const char* text = R"(
gravity: [0, -9.81]
bodies:
  floor: {fixed: true, shapes: [segment: [[-2, 0], [2, 0]]]}
  card: {mass: 1, shapes: [box: {width: 0.1, height: 0.0003}], start: {y: 0.5, omega: 3}}
collisions:
  - {between: [all, all], mu: 0.3, eN: 0}
)";
  Trial falls(text, 1e-3);
  EXPECT_EQ(end_of(falls, 1), "passed-through");
  Trial lies(text, 1e-3);
  lies.set("card.y", 0.00015).set("card.omega", 0);
  EXPECT_EQ(end_of(lies, 0.2), "");
}

TEST(Passing, ASpinningBladeGoesThroughAPost) {
  const char* text = R"(
gravity: [0, 0]
bodies:
  post: {fixed: true, shapes: [circle: {radius: 0.01}], start: {x: 0.9}}
  blade: {mass: 1, shapes: [box: {width: 2, height: 0.01}], start: {phi: 0.3, omega: -300}}
joints:
  - {revolute: [ground, blade], at: [0, 0]}
collisions:
  - {between: [post, blade], mu: 0, eN: 0.5}
)";
  Trial trial(text, 1e-3);
  EXPECT_EQ(end_of(trial, 0.1), "passed-through");
}

constexpr const char* two_balls = R"(
dimension: 3
gravity: [0, 0, 0]
bodies:
  a: {mass: 1, shapes: [sphere: {radius: 0.01}], start: {x: -0.2, vx: 20}}
  b: {mass: 1, shapes: [sphere: {radius: 0.01}], start: {x: 0.2, vx: -20}}
collisions:
  - {between: [a, b], mu: 0, eN: 0}
)";

TEST(Passing, SpheresByEveryMethod) {
  for (const Method method :
       {Method::moreau_midpoint, Method::moreau_jean, Method::stewart_trinkle, Method::tzitzouris_pang}) {
    Trial fast(two_balls, 2e-3, method);
    const std::string code = end_of(fast, 0.04);
    // Caught before their centres met, or told.
    if (code.empty()) {
      EXPECT_LT(fast[0], fast[7]);
    } else {
      EXPECT_EQ(code, "passed-through");
    }
    Trial fine(two_balls, 1e-4, method);
    EXPECT_EQ(end_of(fine, 0.04), "");
    EXPECT_LT(fine[0], fine[7]);
    Trial beside(two_balls, 2e-3, method);
    beside.set("b.y", 0.0201);
    EXPECT_EQ(end_of(beside, 0.04), "");
  }
}

TEST(Untouchable, AreRefusedWithTheWayOut) {
  const auto model = [](const std::string& a, const std::string& b, const std::string& more = "") {
    return "gravity: [0, -9.81]\nbodies:\n  floor: {fixed: true, shapes: [" + a +
           "]}\n  bar: {mass: 1, inertia: 1, shapes: [" + b +
           "], start: {y: 1}}\ncollisions:\n  - {between: [all, all], mu: 0.3}\n" + more;
  };
  const std::string segment = "segment: [[-1, 0], [1, 0]]", half_plane = "half_plane: {point: [0, 0], normal: [0, 1]}",
                    box = "box: {width: 1, height: 1}";
  const std::string refused = refusal_of(model(segment, segment));
  EXPECT_TRUE(contains(refused, "segment of body 'bar'") && contains(refused, "half_plane") &&
              contains(refused, "never: true"))
      << refused;
  EXPECT_TRUE(contains(refusal_of(model(half_plane, half_plane)), "half_plane of body 'bar'"));
  for (const std::string& other : {half_plane, box}) EXPECT_EQ(refusal_of(model(other, segment)), "");
  EXPECT_EQ(refusal_of(model(segment, segment, "  - {between: [floor, bar], never: true}\n")), "");
  EXPECT_EQ(refusal_of(model(segment, segment, "joints:\n  - {revolute: [floor, bar], at: [0, 1]}\n")), "");
  // Named both, they may touch though they are joined.
  EXPECT_NE(
      refusal_of(model(segment, segment,
                       "  - {between: [floor, bar], mu: 0.1}\njoints:\n  - {revolute: [floor, bar], at: [0, 1]}\n")),
      "");
}

TEST(Overlaps, AreMeasuredBySize) {
  const char* text = R"(
gravity: [0, -9.81]
bodies:
  floor: {fixed: true, shapes: [half_plane: {point: [0, 0], normal: [0, 1]}]}
  disk: {mass: 1, shapes: [circle: {radius: 0.025}], start: {y: 0.2315, vy: -2}}
collisions:
  - {between: [all, all], mu: 0.3, eN: 0}
)";
  Trial coarse(text, 1e-3);
  EXPECT_EQ(warnings_of(coarse, 0.3), Codes{"deep-overlap"});
  const checks::Diagnostics found = coarse.simulation().diagnostics();
  EXPECT_TRUE(contains(found[0].text, "(0.05 m)")) << found[0].text;
  Trial fine(text, 1e-6);
  EXPECT_EQ(warnings_of(fine, 0.1), Codes{});
}

TEST(Passing, SpheresThatAreTurnedAsideHavePassed) {
  // A method that looks at the end of the step pushes the ball out of the side of the post, with more energy than it
  // had.
  const char* text = R"(
dimension: 3
bodies:
  post: {fixed: true, shapes: [sphere: {radius: 0.1}]}
  ball: {mass: 1, shapes: [sphere: {radius: 0.1}], start: {x: -1, vx: 10, y: 0.02}}
collisions:
  - {between: [post, ball]}
)";
  for (const double dt : {0.02, 0.05, 0.1}) {
    for (const Method method : {Method::tzitzouris_pang, Method::stewart_trinkle, Method::moreau_midpoint}) {
      Trial trial(text, dt, method);
      if (end_of(trial, 0.3).empty()) {
        // sin of the angle at which it is met is 0.1.
        EXPECT_NEAR(trial[7], 0.1, 0.3) << dt << ' ' << static_cast<int>(method);
      }
    }
  }
  Trial fine(text, 1e-3, Method::tzitzouris_pang);
  EXPECT_EQ(end_of(fine, 0.3), "");
}

TEST(Passing, DisksThatClipEachOther) {
  // Met at 39 degrees to the normal, half way between two looks.
  Trial trial(R"(
gravity: [0, 0]
bodies:
  a: {mass: 1, shapes: [circle: {radius: 0.02}]}
  b: {mass: 1, shapes: [circle: {radius: 0.02}], start: {x: -0.88, y: 0.031, vx: 110}}
collisions: [{between: [all, all], eN: 1}]
)",
              1e-3);
  EXPECT_EQ(end_of(trial, 0.04), "passed-through");
}

TEST(Passing, WhoBouncesHasNotPassed) {
  // Some 4 mm in a step, more than half of its radius; it comes out of a segment as deep as that.
  for (int phase = 0; phase < 20; ++phase) {
    Trial trial(R"(
gravity: [0, -9.81]
bodies:
  wall: {fixed: true, shapes: [segment: [[-1, 0], [3, 0]]]}
  disk: {mass: 0.01, shapes: [circle: {radius: 0.005}], start: {x: 0, y: 0.5, vx: 2}}
collisions:
  - {between: [wall, disk], eN: 0.5}
)",
                1e-3);
    trial.set("disk.y", 0.5 + 2e-4 * phase);
    EXPECT_EQ(end_of(trial, 1), "") << phase;
    EXPECT_GT(trial[1], 0);
  }
}

TEST(Passing, ADiskThatFallsOnATopLeavesByNoSide) {
  // In the middle of the step the side is nearer than the top that it came through.
  for (const double below : {0.01, 0.03, 0.05}) {
    Trial trial(R"(
gravity: [0, 0]
bodies:
  block: {fixed: true, shapes: [box: {width: 1, height: 1}]}
  disk: {mass: 1, shapes: [circle: {radius: 0.1}], start: {x: 0.45, vy: -500}}
collisions:
  - {between: [block, disk]}
)",
                1e-3);
    trial.set("disk.y", 0.6 + below);
    EXPECT_EQ(end_of(trial, 0.01), "passed-through") << below;
  }
}

TEST(Passing, ABodyThatTurnsByMoreThanOnceInAStep) {
  const char* text = R"(
dimension: 3
bodies:
  arm:
    mass: 1
    inertia: [1, 1, 1]
    shapes: [sphere: {radius: 0.1, center: [1, 0, 0]}]
    start: {wz: 125.66370614359172}
  ball: {mass: 1, shapes: [sphere: {radius: 0.1}], start: {y: 1}}
collisions:
  - {between: [arm, ball]}
)";
  for (const Method method : {Method::tzitzouris_pang, Method::stewart_trinkle, Method::moreau_midpoint}) {
    Trial trial(text, 0.1, method);
    EXPECT_EQ(end_of(trial, 1), "passed-through") << static_cast<int>(method);
  }
}

TEST(Passing, WhatCannotBeFollowedIsNoPass) {
  Trial trial(R"(
gravity: [0, 0]
bodies:
  wall: {fixed: true, shapes: [segment: [[-1, 0], [3, 0]]]}
  dust: {mass: 1, shapes: [circle: {radius: 1e-6}], start: {x: 0, y: 2e-6, vx: 1000, vy: -4e-3}}
collisions:
  - {between: [wall, dust]}
)",
              1e-3);
  EXPECT_EQ(end_of(trial, 0.01), "passed-through");
  EXPECT_TRUE(contains(trial.simulation().failure().text, "cannot be told"));
}

TEST(Overlaps, OfFormulas) {
  const char* text = R"(
coordinates:
  y: {velocity: v, start: -5.3}
kinetic: v^2/2
potential: 9.81*y
contacts:
  - {gap: y, eN: 0}
)";
  Trial deep(text, 1e-3);
  EXPECT_EQ(warnings_of(deep, 0.3), Codes{"deep-overlap"});
  // What one step leaves is no matter; nor is a body that never leaves the floor.
  Trial falls(text, 1e-3);
  falls.set("y", 0.3);
  EXPECT_EQ(warnings_of(falls, 1), Codes{});
  Trial rests(text, 1e-3);
  rests.set("y", 0);
  EXPECT_EQ(warnings_of(rests, 1), Codes{});
}

TEST(Seams, AreToldWhereABodySlidesOverThem) {
  const auto codes = [](const std::string& floors, const std::string& ball, double end = 0.3,
                        const std::string& shape = "circle: {radius: 0.1}") {
    Trial trial("gravity: [0, -9.81]\nbodies:\n" + floors + "  ball: {mass: 1, shapes: [" + shape +
                    "], start: " + ball + "}\ncollisions:\n  - {between: [all, all], mu: 0.3}\n",
                1e-4);
    return warnings_of(trial, end);
  };
  const auto box = [](const char* name, const char* start) {
    return std::string("  ") + name + ": {fixed: true, shapes: [box: {width: 1, height: 0.2}], start: " + start + "}\n";
  };
  const Codes seam{"seam"};
  const std::string rolls = "{x: 0.3, y: 0.2, vx: 1, omega: -10}";
  EXPECT_EQ(codes(box("a", "{}") + box("b", "{x: 1}"), rolls), seam);
  EXPECT_EQ(codes(box("a", "{}") + box("b", "{x: 0.9}"), rolls), seam);  // they overlap
  EXPECT_EQ(
      codes("  a: {fixed: true, shapes: [segment: [[-1, 0.1], [0.5, 0.1]], segment: [[0.5, 0.1], [2, 0.1]]]}\n", rolls),
      seam);
  // Not where it does not get, nor where there is a step, a bend or a gap.
  EXPECT_EQ(codes(box("a", "{}") + box("b", "{x: 1}"), "{x: -0.3, y: 0.2}"), Codes{});
  EXPECT_EQ(codes(box("a", "{}") + box("b", "{x: 1, y: -0.01}"), rolls, 0.1), Codes{});
  EXPECT_EQ(codes("  a: {fixed: true, shapes: [segment: [[-1, 0.1], [0.5, 0.1]], segment: [[0.5, 0.1], [2, 0]]]}\n",
                  rolls, 0.1),
            Codes{});
  // A box with walls: its corners continue each other on the outside, where nothing is.
  EXPECT_EQ(
      codes(
          "  bin: {fixed: true, shapes: [box: {width: 1.2, height: 0.1, center: [0, -0.05]}, box: {width: 0.1, height: "
          "1, center: [-0.55, 0.5]}, box: {width: 0.1, height: 1, center: [0.55, 0.5]}]}\n",
          "{x: -0.35, y: 0.1, vx: -1, omega: 10}"),
      Codes{});
  // Behind a wall: flush on the far side, with a step on the near one.
  EXPECT_EQ(
      codes(
          "  wall: {fixed: true, shapes: [box: {width: 0.02, height: 0.45, center: [-0.51, 0.225]}, box: {width: 0.03, "
          "height: 0.45, center: [-0.505, 0.675]}, box: {width: 3, height: 0.1, center: [1, -0.05]}]}\n",
          "{x: -0.44, y: 0.45, vx: -0.1}", 0.3, "box: {width: 0.1, height: 0.9}"),
      Codes{});
  // Inside of a body made of wedges nothing slides.
  std::string wedges = "  a: {fixed: true, shapes: [";
  for (int i = 0; i < 12; ++i) {
    const auto corner = [](int k) {
      return "[cos(" + std::to_string(k) + "*pi/6), sin(" + std::to_string(k) + "*pi/6)]";
    };
    wedges += std::string(i > 0 ? ", " : "") + "polygon: [[0, 0], " + corner(i) + ", " + corner(i + 1) + "]";
  }
  EXPECT_EQ(codes(wedges + "]}\n", "{y: 1.0501}", 0.3, "box: {width: 4, height: 0.1}"), Codes{});
}

TEST(StartOverlap, IsAShareOfTheSmallerBody) {
  const auto share = [](const std::string& y) {
    const auto model = model_from(R"(
gravity: [0, -9.81]
bodies:
  floor: {fixed: true, shapes: [box: {width: 4, height: 1}]}
  disk: {mass: 1, inertia: 0.1, shapes: [circle: {radius: 0.05}, segment: [[0, 0], [0, 0.02]]], start: {y: )" +
                                  y + R"(}}
collisions:
  - {between: [all, all], mu: 0.3}
)");
    return run::start_overlap(*model->mechanism(ParameterValues(model->description())));
  };
  EXPECT_EQ(share("0.56").share, 0);
  EXPECT_NEAR(share("0.549").share, 1e-3 / 0.02, 1e-12);
  EXPECT_NEAR(share("0.549").depth, 1e-3, 1e-15);
}

std::string block_on(const std::string& gap) {
  return R"(
coordinates:
  x: {velocity: vx, start: 0.5}
  y: {velocity: vy, start: 0}
kinetic: (vx^2 + vy^2)/2
potential: 9.81*y
contacts:
  - {gap: ")" +
         gap + R"(", eN: 0}
)";
}

TEST(Gaps, ThatJumpShutEndTheRun) {
  Trial stairs(block_on("y - floor(x)"), 1e-3);
  stairs.set("vx", 2);
  EXPECT_EQ(end_of(stairs, 1), "gap-jumps");
  Trial down(block_on("y + floor(x + 0.5)"), 1e-3);  // stairs that lead down
  down.set("vx", 2).set("y", -1);
  EXPECT_EQ(end_of(down, 0.8), "");
  Trial rising(block_on("y - floor(10*t)"), 1e-3);
  EXPECT_EQ(end_of(rising, 1), "gap-jumps");
  // A floor that moves as smoothly as its velocity says.
  Trial smooth(block_on("y - 0.01*sin(20*t)"), 1e-3);
  EXPECT_EQ(end_of(smooth, 1), "");
  Trial bent(block_on("y - 0.1*abs(x - 1) + 0.05"), 1e-3);
  bent.set("vx", 2);
  EXPECT_EQ(end_of(bent, 1), "");
}

TEST(Gaps, OfAMethodThatMovesWithTheEndVelocity) {
  for (const double y : {0.1, 0.15, 0.17, 0.2}) {
    for (const double theta : {0.5, 0.75, 1.0}) {
      const auto model = model_from(R"(
parameters: {l: 1}
coordinates:
  y: {velocity: v, start: 1}
kinetic: v^2/2
potential: 9.81*y
contacts:
  - {gap: y*abs(l + y)/(l + y), eN: 0}
)");
      options::StepOptions options;
      options.dt = 1e-2;
      options.method = Method::moreau_jean;
      options.theta = theta;
      ParameterValues values(model->description());
      values.set("y", y);
      run::Recording rows;
      EXPECT_TRUE(model->simulate(values, options, {1})->advance(100, rows)) << y << ' ' << theta;
    }
  }
}

TEST(Gaps, SteepRidges) {
  Trial trial(block_on("y - 0.25*(tanh(1e6*(x - 1.0021)) - tanh(1e6*(x - 1.0239)))"), 1e-3);
  trial.set("vx", 1).set("x", 0);
  EXPECT_EQ(end_of(trial, 2), "gap-jumps");
}

TEST(Gaps, SmoothRampsAndKinksAreNoJumps) {
  // 1 + tanh of what is far away has round-off of its own.
  for (const double v : {2.0, 5.0}) {
    Trial ramp(R"(
coordinates:
  x: {velocity: v, start: 0}
  y: {velocity: w, start: "0.05*(1 + tanh(20*(x - 1)))/2"}
kinetic: (v^2 + w^2)/2
potential: 9.81*y
contacts:
  - {gap: "y - 0.05*(1 + tanh(20*(x - 1)))/2"}
)",
               1e-3);
    ramp.set("v", v);
    EXPECT_EQ(end_of(ramp, 1), "") << v;
  }
  // A slope that runs into a floor.
  Trial slope(R"yaml(
coordinates:
  x: {velocity: v, start: -1}
  y: {velocity: w, start: 0.5}
kinetic: (v^2 + w^2)/2
potential: 9.81*y
contacts:
  - {gap: "if(x < 0, (y + 0.5*x)/sqrt(1.25), y)", sliding: "if(x < 0, (v - 0.5*w)/sqrt(1.25), v)", mu: 0.1}
)yaml",
              1e-3);
  EXPECT_EQ(end_of(slope, 1), "");
}

TEST(Gaps, ThatAreRoundOffAreNoOverlaps) {
  for (const double y : {-1e-15, -1e-13, -1e-10}) {
    Trial trial(block_on("y"), 1e-3);
    trial.set("y", y);
    EXPECT_EQ(warnings_of(trial, 0.2), Codes{}) << y;
  }
}

TEST(Gaps, ThatAreNoNumbersEndTheRun) {
  for (const double dt : {1e-2, 1e-4}) {
    Trial trial(block_on("y + 0.5 + sqrt(1 - x)"), dt);
    trial.set("vx", 2);
    EXPECT_FALSE(trial.to(1));
    EXPECT_NEAR(trial.simulation().time(), 0.25, 65 * dt);
  }
}

std::string crank(const std::string& to) {
  return R"(
gravity: [0, -9.81]
bodies:
  crank: {mass: 1, inertia: 0.1}
joints:
  - {revolute: [ground, crank], at: [0, 0]}
  - {name: drive, driven: crank.phi, to: ")" +
         to + "\"}\n";
}

TEST(Drives, ThatJumpOrTurnRoundWithinAStepEndTheRun) {
  for (const char* to : {"floor(10*t)", "sin(4000*pi*t)", "t + 0.2*floor(5*t)", "5*t + 0.3*sin(4000*pi*t)"}) {
    Trial trial(crank(to), 1e-3);
    EXPECT_EQ(end_of(trial, 1), "unexplained-motion") << to;
  }
  for (const char* to : {"3*t", "sin(10*t)", "0", "0.5*t^2", "1e-3*cos(100*t) - 1e-3"}) {
    Trial trial(crank(to), 1e-3);
    EXPECT_EQ(end_of(trial, 1), "") << to;
  }
}

TEST(Drives, APendulumThatSwingsFastHasNone) {
  Trial trial(R"(
gravity: [0, -9.81]
bodies:
  bar: {mass: 1, inertia: 1e-9, start: {x: 1e-6, y: -1e-4, phi: 0.01}}
joints:
  - {revolute: [ground, bar], at: [[0, 0], [0, 1e-4]]}
)",
              5e-3);  // ω Δt = 1.5
  EXPECT_EQ(end_of(trial, 1), "");
}

TEST(Drives, AnAngleOfRoundOffIsNoMotion) {
  for (const char* to : {"0.5*t", "0.02*sin(20*t)"}) {
    Trial trial(std::string(R"(
gravity: [0, -9.81]
bodies:
  belt: {mass: 1, inertia: 1, shapes: [box: {width: 20, height: 0.2}]}
  box: {mass: 1, shapes: [box: {width: 0.2, height: 0.1}], start: {y: 0.15}}
joints:
  - {prismatic: [ground, belt], at: [[0, 0], [0, 0]], axis: [1, 0]}
  - {driven: belt.x, to: )") +
                    to + R"(}
collisions:
  - {between: [belt, box], mu: 0.3}
)",
                1e-3);
    EXPECT_EQ(end_of(trial, 2), "") << to;
  }
}

TEST(Drives, WhatABlowLeavesInAPivotIsNoMotion) {
  Trial trial(R"(
bodies:
  crank: {mass: 0.0123, inertia: 0.0009}
joints:
  - {revolute: [ground, crank], at: [0, 0]}
  - {driven: crank.phi, to: 0.3*sin(2*t)}
impulses:
  - {at: 0.1, on: {crank.phi: 0.37, crank.x: 0.37}}
)",
              1e-3);
  EXPECT_EQ(end_of(trial, 1), "");
}

constexpr const char* drag = R"(
coordinates:
  x: {velocity: v}
parameters: {m: 1, c: 2005}
kinetic: m/2*v^2
dissipation: c*v^2/2
)";

TEST(Stiffness, OfDragIsFoundAtTheLimit) {
  Trial over(drag, 1e-3);
  over.set("v", 1);
  EXPECT_EQ(warnings_of(over, 0.5), Codes{"stiff-force"});
  const checks::Diagnostics found = over.simulation().diagnostics();
  EXPECT_TRUE(contains(found[0].text, "1.005")) << found[0].text;
  Trial below(drag, 1e-3);
  below.set("v", 1).set("c", 1990);
  EXPECT_EQ(warnings_of(below, 0.5), Codes{});
  Trial implicit(drag, 1e-3, Method::moreau_jean);
  implicit.set("v", 1);
  EXPECT_EQ(warnings_of(implicit, 0.5), Codes{});
}

TEST(Stiffness, OfASpringWithADamper) {
  // δ(u, x): stable while c Δt + ½ ω² Δt² < 2.
  const char* text = R"(
coordinates:
  x: {velocity: v, start: 1e-3}
parameters: {k: 1, c: 0}
kinetic: v^2/2
potential: k*x^2/2
dissipation: c*v^2/2
)";
  const auto codes = [&](double k, double c) {
    Trial trial(text, 1e-3);
    trial.set("k", k).set("c", c);
    return warnings_of(trial, 0.02);
  };
  EXPECT_EQ(codes(3.9e6, 0), Codes{});
  EXPECT_EQ(codes(4.1e6, 0), Codes{"stiff-force"});
  EXPECT_EQ(codes(1.4e6, 1250), Codes{});
  EXPECT_EQ(codes(1.4e6, 1350), Codes{"stiff-force"});
  // A body that falls over is none of it.
  EXPECT_EQ(codes(-1e5, 0), Codes{});
}

TEST(Stiffness, OfWhatJointsHoldDoesNotCount) {
  const std::string bodies = R"(
gravity: [0, -9.81]
bodies:
  bar: {mass: 1, inertia: 0.1, start: {x: 0.5}}
springs:
  - {between: [ground, bar], at: [[0, -1], [-0.5, 0]], length: 0.9, stiffness: 1e8, damping: 1e5}
)";
  Trial free(bodies, 1e-3);
  free.set("bar.vx", 1e-9);
  free.to(1e-3);
  const checks::Diagnostics found = free.simulation().diagnostics();
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(found[0].code, "stiff-force");
  EXPECT_FALSE(contains(found[0].text, "moreau-jean")) << found[0].text;  // bodies do not know it
  // At the pivot the same spring moves nothing.
  Trial held(bodies + "joints:\n  - {revolute: [ground, bar], at: [0, 0]}\n", 1e-3);
  EXPECT_EQ(warnings_of(held, 0.3), Codes{});
}

TEST(Stiffness, OfForcesAcrossTheVelocity) {
  // Each explicit step multiplies the velocity by √(1 + (ω Δt)²).
  const char* text = R"(
coordinates:
  x: {velocity: v}
  y: {velocity: w}
parameters: {k: 300}
kinetic: (v^2 + w^2)/2
forces: {x: k*w, y: -k*v}
)";
  const auto codes = [&](double k) {
    Trial trial(text, 1e-3);
    trial.set("k", k).set("v", 1);
    return warnings_of(trial, 0.1);
  };
  EXPECT_EQ(codes(300), Codes{"stiff-force"});
  EXPECT_EQ(codes(160), Codes{"stiff-force"});
  EXPECT_EQ(codes(100), Codes{});  // half a percent in each step: an error, as others are
}

TEST(Stiffness, OfReactionsThatTurn) {
  // A pendulum by a joint is as stiff as one by its angle: ω² = m g l / (J + m l²) = 89,189 /s²; the limit is ω Δt = 2.
  const char* text = R"(
gravity: [0, -9.81]
bodies:
  bar: {mass: 1, inertia: 1e-9, start: {x: 1e-8, y: -1e-4, phi: 1e-4}}
joints:
  - {revolute: [ground, bar], at: [[0, 0], [0, 1e-4]]}
)";
  Trial over(text, 7e-3);
  over.to(0.02);
  ASSERT_FALSE(over.simulation().diagnostics().empty());
  EXPECT_EQ(over.simulation().diagnostics()[0].code, "stiff-force");
  Trial below(text, 6e-3);
  EXPECT_EQ(warnings_of(below, 0.1), Codes{});
}

TEST(Stiffness, InSpace) {
  const char* text = R"(
dimension: 3
gravity: [0, 0, -9.81]
parameters: {c: 2005, d: 0}
bodies:
  ball:
    mass: 1
    shapes: [sphere: {radius: 0.1}]
    force: ["-c*vx", 0, 0]
    moment: [0, 0, "-d*wz"]
    start: {z: 1, vx: 1, wz: 1}
)";
  Trial explicit_step(text, 1e-3);
  EXPECT_EQ(warnings_of(explicit_step, 0.1), Codes{"stiff-force"});
  EXPECT_FALSE(contains(explicit_step.simulation().diagnostics()[0].text, "moreau-jean"));  // solved by iteration
  Trial implicit(text, 1e-3, Method::moreau_jean);
  implicit.set("c", 1500);
  EXPECT_EQ(warnings_of(implicit, 0.1), Codes{});
  Trial slow(text, 1e-3);
  slow.set("c", 100);
  EXPECT_EQ(warnings_of(slow, 0.1), Codes{});
  Trial turning(text, 1e-3);  // 2/5 m r² = 0.004 kg m²
  turning.set("c", 0).set("d", 0.004 * 2100);
  EXPECT_EQ(warnings_of(turning, 0.01), Codes{"stiff-force"});
}

TEST(Energies, ThatAreNoNumbersEndTheRun) {
  // The force is a number behind the pole of its potential; the energy is none.
  const char* text = R"(
coordinates:
  x: {velocity: v, start: 0.01}
kinetic: v^2/2
potential: 1e-6*log(x)
)";
  for (const Method method : {Method::moreau_midpoint, Method::moreau_jean}) {
    Trial trial(text, 3e-3, method);
    trial.set("v", -1);
    EXPECT_EQ(end_of(trial, 1), "not-a-number");
  }
}

}  // namespace
}  // namespace picus::modelfile::tests
