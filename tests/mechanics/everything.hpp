// One set of equations with everything in it, and its rows written in C++.
#pragma once

#include <cmath>
#include <unordered_map>

#include "point_masses.hpp"

namespace picus::mechanics::tests {

// The parameter k is 2. Contact 1 is a moving curve whose friction depends on the place, contact 2 a plane.
struct Scene {
  Scene() : e(resting(f, {1, 1})) {
    e.dynamics.M = {f.list({"2 + sin(q1)"}), f.list({"0.3*q2*t", "k"})};
    e.dynamics.h = f.list({"-k*q1 + u2", "t*u1"});
    e.dynamics.working = f.list({"u2", "0"});
    e.dynamics.potential = f("k*q1^2/2 + t*q2");
    e.dynamics.potential_rate = f("q2");
    e.dynamics.kinetic_rest = f("t*u1");
    add_contact("q2 - sin(q1*t)", "cos(q2)*u1 + q1*u2 - t^2", "0.3 + 0.1*q1^2 + t");
    add_contact("q1 + k", "u2", "0.5");
    e.elements.push_back(
        {direction_of_velocity(f.pool, f.symbols, f("q1*q2*u1 + t*u2 + t^3")), f("0"), f("-3*k"), f("3*k"), f("0.25")});
    e.constraints.push_back({f("q1^2*q2 - t*q1")});
    for (const auto& [time, J] : {std::pair("0.5*k", "q1"), {"0.25", "7"}, {"0.75", "q1"}}) {
      e.blows.push_back({f(time), f.list({J, "t"})});
    }
    e.outputs = f.list({"q1*u2 + t"});
    values = {{f("k").index, f.pool.constant(2)}};
  }
  void add_contact(const char* gap, const char* sliding, const char* mu) {
    const Node zero = f.pool.constant(0), one = f.pool.constant(1);
    e.contacts.push_back({f(gap),
                          direction_of_displacement(f.pool, f.symbols, f(gap)),
                          direction_of_velocity(f.pool, f.symbols, f(sliding)),
                          {f(mu), f("0.4"), zero, zero, zero, zero, zero, one}});
  }

  Formulas f{2};
  SystemEquations e;
  std::unordered_map<int, Node> values;
};

inline const Values q = {0.4, -0.7}, u = {1.3, 0.6};
inline constexpr double t = 0.8;

// γ of every row at a state: w and ŵ by hand.
inline double gamma_N1(const Values& x, const Values& v, double s) {
  return v[1] - std::cos(x[0] * s) * (s * v[0] + x[0]);
}
inline double gamma_T1(const Values& x, const Values& v, double s) {
  return std::cos(x[1]) * v[0] + x[0] * v[1] - s * s;
}
inline double gamma_element(const Values& x, const Values& v, double s) {
  return x[0] * x[1] * v[0] + s * v[1] + s * s * s;
}
inline double gamma_constraint(const Values& x, const Values& v, double s) {
  return (2 * x[0] * x[1] - s) * v[0] + x[0] * x[0] * v[1] - x[0];
}

}  // namespace picus::mechanics::tests
