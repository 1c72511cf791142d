// The hopper of bench_hopper.cpp in plain numbers, and the same hopper in Box2D.
#pragma once

#include <ctime>
#include <memory>
#include <vector>

namespace hopper {

// Of the processor, so that others on the machine count less; all here is one thread.
inline double seconds_used() {
  timespec t{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

struct Disk {
  double radius, mass, inertia;  // m, kg, kg m²
};

struct Wall {
  double x_from, y_from, x_to, y_to;
};

struct Scene {
  std::vector<Disk> disks;
  std::vector<Wall> walls;
  double density = 1000, mu = 0.4, g = 9.81;
};

// x, y, φ of each disk and their velocities.
struct State {
  std::vector<double> q, u;
};

// What one step came to. Residuals are shares of v_ref, the largest |b| of a contact.
struct StepFigures {
  double ms = 0;
  int contacts = 0;
  double residual = 0;
  bool certified = false;
  double overlap = 0;     // m, where contacts are evaluated
  double read_error = 0;  // largest |u_E − u_A − g Δt − M⁻¹ W Λ|, a share of v_ref; Box2D only
  double v_ref = 0;
};

struct Box2DOptions {
  double dt = 1e-3;
  int velocity_iterations = 8, position_iterations = 3;
  bool continuous = false;  // sub-steps up to the time of impact, for disks that meet walls
};

class Box2DHopper {
 public:
  Box2DHopper(const Scene& scene, const State& start, const Box2DOptions& options);
  ~Box2DHopper();
  // The residual is worked out after the clock has stopped.
  StepFigures step(double tolerance);
  State state() const;

 private:
  struct World;
  std::unique_ptr<World> world_;
};

}  // namespace hopper
