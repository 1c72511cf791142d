#pragma once

#include <vector>

#include "picus/geometry/shape.hpp"
#include "picus/modelfile/definition.hpp"

namespace picus::modelfile {

// The shape with numbers for its formulas. Throws InputError where that is no shape.
geometry::Shape make_shape(const BodyShape& shape, const std::vector<double>& numbers);

}  // namespace picus::modelfile
