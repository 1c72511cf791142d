// Bodies, shapes and laws of collisions with numbers for their formulas. Each throws InputError that names the body or
// the collision of which the numbers make none.
#pragma once

#include "picus/mechanics/assembly.hpp"
#include "picus/mechanics/spatial_system.hpp"
#include "picus/modelfile/definition.hpp"
#include "picus/modelfile/space_values.hpp"

namespace picus::model {

// In the plane: without formulas.
mechanics::AssemblyParts make_body_parts(const modelfile::Definition& definition,
                                         const mechanics::ParameterValues& values, const modelfile::ValueOf& value);

// In space. `numbers`: for the parameters; nodes are added to the pool.
mechanics::SpatialParts make_spatial_parts(const modelfile::Definition& definition,
                                           const mechanics::ParameterValues& values, formula::Pool& pool,
                                           const modelfile::FormulaNumbers& numbers);

// Seven numbers of each moving body, quaternions of any length.
std::vector<geometry::SpatialPlacement> poses_in_space(const std::vector<double>& q);

}  // namespace picus::model
