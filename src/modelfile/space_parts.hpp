// The parts of a model in space with numbers for their formulas.
#pragma once

#include <functional>
#include <unordered_map>

#include "picus/mechanics/spatial_system.hpp"
#include "picus/modelfile/definition.hpp"

namespace picus::modelfile {

using FormulaNumbers = std::unordered_map<int, formula::Node>;  // in the place of symbols
using ValueOf = std::function<double(formula::Node)>;
// The values of formulas; what many share is computed once.
ValueOf values_with(formula::Pool& pool, FormulaNumbers numbers);

// Each throws InputError where the numbers make no such thing.
geometry::SpatialShape make_shape(const SpatialShapeDefinition& shape, const ValueOf& value);
Eigen::Vector3d make_moments(const SpatialBodyDefinition& body, const ValueOf& value);
contact::FrictionSet make_friction_set(const FrictionDefinition& friction, const ValueOf& value);
// What stewart-trinkle takes instead of the set.
contact::FrictionSet make_polytope(const SpatialCollisionDefinition& collision, const ValueOf& value);
Eigen::Vector3d make_tangent(const SpatialCollisionDefinition& collision, const ValueOf& value);

// All of them; messages name the body or the collision. Nodes are added to the pool.
mechanics::SpatialParts make_spatial_parts(const Definition& definition, formula::Pool& pool,
                                           const mechanics::ParameterValues& values);

// Seven numbers of each moving body, quaternions of any length.
std::vector<geometry::SpatialPlacement> poses_in_space(const std::vector<double>& q);

}  // namespace picus::modelfile
