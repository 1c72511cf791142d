#pragma once

#include <memory>
#include <unordered_map>
#include <vector>

#include "picus/formula/program.hpp"
#include "picus/mechanics/equations.hpp"
#include "picus/mechanics/instant_system.hpp"

namespace picus::mechanics {

// Planar bodies in front of the coordinates of formulas: three velocities each.
struct InstantBodies {
  std::vector<double> mass;  // of the velocities of bodies: m, m, J of each
  double gravity_x = 0, gravity_y = 0;
};

// The system of a model file at an instant. `values` replaces every parameter by a number; the elements are dry
// friction with equal bounds. Throws InputError that names an element of another kind.
std::unique_ptr<InstantSystem> make_instant_system(Pool& pool, const SystemEquations& equations,
                                                   const std::unordered_map<int, Node>& values,
                                                   const InstantBodies& bodies, const std::vector<double>& q0,
                                                   const std::vector<double>& u0,
                                                   std::vector<std::string> contact_names);

}  // namespace picus::mechanics
