#pragma once

#include <memory>
#include <string>

#include "picus/mechanics/instant_system.hpp"
#include "picus/mechanics/spatial_system.hpp"

namespace picus::mechanics {

// "the friction set between bodies a and b": of the first that touch with friction from a set that is no ellipsoid;
// empty where there are none.
std::string other_friction(const SpatialParts& parts);

// Bodies in space at an instant. Friction sets are ellipsoids; throws InputError that names the bodies for others.
// Every pair of shapes that may touch is a contact.
std::unique_ptr<InstantSystem> make_instant_system(SpatialParts parts);

}  // namespace picus::mechanics
