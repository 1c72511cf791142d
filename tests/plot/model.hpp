// A small model, and recordings as a run of it would make them.
#pragma once

#include "picus/mechanics/description.hpp"
#include "picus/run/simulation.hpp"

namespace picus::plot::test {

inline mechanics::ModelDescription model() {
  mechanics::ModelDescription m;
  m.name = "small";
  m.coordinates = {{"y", "m", ""}, {"phi_S", "rad", ""}};
  m.velocities = {{"v", "m/s", ""}, {"omega_S", "rad/s", ""}};
  m.outputs = {{"corner_1", "", ""}};
  m.contacts = {{"1", ""}, {"2", ""}};
  m.elements = {{"brake", ""}};
  return m;
}

inline mechanics::ModelDescription model_with_collisions() {
  mechanics::ModelDescription m = model();
  m.collisions = {{"all", ""}};
  return m;
}

inline run::ContactRecord contact(double t, int number, double value) {
  run::ContactRecord c{};
  c.t = t;
  c.contact = number;
  c.gap = value;
  c.gamma_N = value + 0.1;
  c.gamma_T = value + 0.2;
  c.Lambda_N = value + 0.3;
  c.Lambda_T = value + 0.4;
  return c;
}

// Rows k = first … last of time k/10: y = k, phi_S = 10 k, v = 20 k, omega_S = -k, corner_1 = k², energies 1 … 8 times
// k.
inline run::Recording rows(int first, int last) {
  run::Recording r;
  for (int k = first; k <= last; ++k) {
    const double t = k / 10.0, x = k;
    r.states.insert(r.states.end(), {t, x, 10 * x, 20 * x, -x});
    r.outputs.insert(r.outputs.end(), {t, x * x});
    r.energy.push_back({t, x, 2 * x, 3 * x, 4 * x, 5 * x, 6 * x, 7 * x, 0});
    r.certificates.push_back({t, k % 2 == 0 ? 0 : 1e-16 * x, 0});
  }
  return r;
}

}  // namespace picus::plot::test
