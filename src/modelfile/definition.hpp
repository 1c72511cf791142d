// What a model file says, checked and derived.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "picus/mechanics/description.hpp"
#include "picus/mechanics/equations.hpp"

namespace picus::modelfile {

// A shape of the drawing, placed by formulas of q, t and parameters: `count` numbers from `first` on.
struct Shape {
  enum class Kind { point, segment, circle, polygon, spring } kind = Kind::point;
  std::size_t first = 0, count = 0;  // x, y of each point; a circle ends with its radius, a spring with its width
  int coils = 0;                     // of a spring
  std::string color, fill, label;
};

struct Drawing {
  std::vector<Shape> shapes;
  std::vector<formula::Node> numbers;
};

// A number that must lie in a range once all values are known: what it is, for messages.
struct RangeCheck {
  formula::Node formula;
  std::string what;
  mechanics::Range range;
  std::size_t offset = 0, length = 0;
};

struct Definition {
  formula::Pool pool;
  mechanics::SystemEquations equations;  // laws of contacts may be formulas of q and t
  mechanics::ModelDescription description;
  Drawing drawing;
  bool from_energies = true;
  std::vector<RangeCheck> range_checks;
  std::vector<formula::Node> value_formulas;  // of parameters, laws and initial values
  std::vector<std::string> parameter_names;   // those declared, without laws and initial values
};

// Sizes that the step kernel has room for.
inline constexpr int coordinate_limit = 12, contact_limit = 8, element_limit = 8;
// More than anybody needs.
inline constexpr std::size_t blow_limit = 1000, output_limit = 200, shape_limit = 1000;

// Throws InputError with all mistakes and their places. `file` names the text in messages.
std::unique_ptr<Definition> define(const std::string& file, std::string text);
// Reads the file; throws InputError where it cannot be read.
std::unique_ptr<Definition> define_from_file(const std::string& path);

}  // namespace picus::modelfile
