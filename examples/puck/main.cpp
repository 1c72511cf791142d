// A puck slides over a table into a wall, bounces back and comes to rest: a system of one's own in some forty lines.
#include <cstdio>
#include <picus/picus.hpp>

// Two coordinates (x along the table, y above it) and two contacts (0: table, 1: wall at x = 1 m).
struct Puck : picus::mechanics::MinimalCoordinates<2, 2> {
  double m = 0.16, g = 9.81;  // kg, m/s²

  void mass(const Position&, double /*t*/, MassMatrix& M) const {
    M(0, 0) = M(1, 1) = m;
    M(0, 1) = M(1, 0) = 0;
  }
  void force(const Position&, const Velocity&, double, Velocity& h) const { h = {0, -m * g}; }
  double potential_energy(const Position& q, double) const { return m * g * q[1]; }

  void gaps(const Position& q, double, Gaps& gap) const { gap = {q[1], 1 - q[0]}; }
  void directions(int contact, const Position&, double, Directions& d) const {
    d.w_N = contact == 0 ? Velocity{0, 1} : Velocity{-1, 0};  // gradients of the gaps
    d.w_T = contact == 0 ? Velocity{1, 0} : Velocity{0, 1};   // directions of sliding
  }
  picus::contact::Law law(int contact) const {
    if (contact == 0) return {.mu = 0.15, .eN = 0.0, .eT = 0.0};
    return {.mu = 0.0, .eN = 0.8, .eT = 0.0};
  }
};

int main() {
  using namespace picus::stepping;
  Integration<Puck> puck(Puck{}, /*q0*/ {0, 0}, /*u0*/ {3, 0}, {.dt = 1e-4});
  for (int k = 0; k < 20000 && puck.step() == StepStatus::done; ++k) {
    for (int i = 0; i < puck.events().count; ++i) {
      const Event& event = puck.events().list[i];
      std::printf("t = %.4f s: contact %d, %s\n", puck.time(), event.contact, name_of(event.kind));
    }
  }
  std::printf("at rest at x = %.6f m; %s; lost %.4f J by friction, %.4f J in the impact\n", puck.state().q[0],
              puck.totals().certified_steps == puck.totals().steps ? "every step certified" : "NOT certified",
              -puck.ledger().friction, -puck.ledger().impact);
  return puck.status() == StepStatus::done ? 0 : 1;
}
