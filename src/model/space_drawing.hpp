#pragma once

#include <vector>

#include "picus/mechanics/spatial_system.hpp"
#include "picus/model/mechanism.hpp"

namespace picus::model {

// Half the sides of the uniform box with the mass and the moments of a body: how one without shapes is seen.
Eigen::Vector3d equal_box(const mechanics::SpatialBody& body);

// A model in space as it is seen from (2, −3, 1.5), from far away, with z up. q: x, y, z, qw, qx, qy, qz of each moving
// body; floors and walls reach around these and those of `start`.
PlacedDrawing place_in_space(const modelfile::Definition& definition, const mechanics::SpatialParts& parts,
                             const std::vector<double>& start, const std::vector<double>& q);

}  // namespace picus::model
