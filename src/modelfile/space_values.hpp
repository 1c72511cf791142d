// Values of formulas, and the shapes, moments and friction of a model in space that have them.
#pragma once

#include <functional>
#include <unordered_map>

#include "picus/contact/friction_set.hpp"
#include "picus/modelfile/definition.hpp"

namespace picus::modelfile {

using FormulaNumbers = std::unordered_map<int, formula::Node>;  // in the place of symbols
using ValueOf = std::function<double(formula::Node)>;
// The values of formulas; what many share is computed once.
ValueOf values_with(formula::Pool& pool, FormulaNumbers numbers);

Eigen::Vector3d make_vector(const formula::Node* three, const ValueOf& value);
// Each throws InputError where the numbers make no such thing.
geometry::SpatialShape make_shape(const SpatialShapeDefinition& shape, const ValueOf& value);
Eigen::Vector3d make_moments(const SpatialBodyDefinition& body, const ValueOf& value);
contact::FrictionSet make_friction_set(const FrictionDefinition& friction, const ValueOf& value);
// What stewart-trinkle takes instead of the set.
contact::FrictionSet make_polytope(const SpatialCollisionDefinition& collision, const ValueOf& value);
Eigen::Vector3d make_tangent(const SpatialCollisionDefinition& collision, const ValueOf& value);

}  // namespace picus::modelfile
