// A system of any size from formulas: a number for the mass of each coordinate, constraints as text.
#pragma once

#include "formulas.hpp"
#include "picus/mechanics/assembly.hpp"

namespace picus::mechanics::tests {

// Equations without forces, to be completed; of as many coordinates as there are masses.
inline SystemEquations resting(Formulas& f, const Values& masses) {
  SystemEquations e;
  e.symbols = f.symbols;
  const Node zero = f.pool.constant(0);
  for (std::size_t i = 0; i < masses.size(); ++i) {
    e.dynamics.M.emplace_back(i + 1, zero);
    e.dynamics.M.back().back() = f.pool.constant(masses[i]);
  }
  e.dynamics.h.assign(masses.size(), zero);
  e.dynamics.working = e.dynamics.h;
  e.dynamics.potential = e.dynamics.potential_rate = e.dynamics.kinetic_rest = zero;
  return e;
}

// Coordinates q1, …, constraints g1, …; `given`: which initial values were chosen (none: all).
inline Assembly point_masses(const std::vector<std::string>& constraints, const Values& masses,
                             std::vector<char> given = {}) {
  Formulas f(static_cast<int>(masses.size()));
  SystemEquations e = resting(f, masses);
  AssemblyParts parts;
  for (const std::string& g : constraints) {
    e.constraints.push_back({f(g)});
    parts.constraint_names.push_back("g" + std::to_string(e.constraints.size()));
  }
  for (std::size_t i = 1; i <= masses.size(); ++i) parts.coordinate_names.push_back("coordinate " + std::to_string(i));
  parts.given_positions = parts.given_velocities = std::move(given);
  const Values start(masses.size(), 0.0);
  parts.formulas = compile_sparse(f.pool, e, {}, start, start);
  return Assembly(std::move(parts));
}

}  // namespace picus::mechanics::tests
