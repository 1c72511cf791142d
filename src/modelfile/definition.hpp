// What a model file says, checked and derived.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "picus/mechanics/description.hpp"
#include "picus/mechanics/equations.hpp"
#include "picus/modelfile/space_definition.hpp"

namespace picus::modelfile {

// A shape of the drawing, placed by formulas of q, t and parameters: `count` numbers from `first` on.
struct Shape {
  enum class Kind { point, segment, circle, polygon, spring } kind = Kind::point;
  std::size_t first = 0, count = 0;  // x, y of each point; a circle ends with its radius, a spring with its width
  int coils = 0;                     // of a spring
  double depth = 0;                  // in space, towards the viewer: what is far is drawn first
  bool is_fixed = false;             // drawn once for all instants
  bool is_of_body = false;           // follows from the shapes of a body, which moves it
  std::string color, fill, label;
};

struct Drawing {
  std::vector<Shape> shapes;
  std::vector<formula::Node> numbers;
};

// Where a contact of formulas is seen. Without a normal that follows from how its point moves and its gap changes.
struct ContactPlaceDefinition {
  bool is_known = false, has_normal = false;
  int turn = 0;        // 1: Lambda_T counts along the normal turned clockwise; -1: the other way; 0: as the point moves
  formula::Node x, y;  // m, in the world
  formula::Node normal_x, normal_y;  // towards the body that the contact force pushes; of any length
};

// A figure of the report: columns over a column.
struct FigureDefinition {
  struct Axis {
    std::string label;  // empty: from the names of the columns
    bool has_range = false;
    double from = 0, to = 0;
  };
  std::string title, note;
  std::string x = "t";
  std::vector<std::string> y;
  Axis x_axis, y_axis;
};

// A number that must lie in a range once all values are known: what it is, for messages.
struct RangeCheck {
  formula::Node formula;
  std::string what;
  mechanics::Range range;
  std::size_t offset = 0, length = 0;
};

// Friction coefficients of a law that must be in order once all values are known: mu_inf <= mu <= mu_static where these
// act. Those that the check is not about are zero.
struct FrictionCheck {
  std::string mu;  // name of its parameter
  formula::Node mu_static, mu_inf, v_s;
  std::string what;
  std::size_t offset = 0, length = 0;

  // Throws InputError; the formulas by their values.
  void operator()(double mu_value, double mu_static_value, double mu_inf_value, double v_s_value) const {
    mechanics::check_law(what,
                         {.mu = mu_value, .mu_static = mu_static_value, .mu_inf = mu_inf_value, .v_s = v_s_value});
  }
};

// A shape of a body, in the body's coordinates, by formulas of parameters.
struct BodyShape {
  enum class Kind { circle, box, polygon, segment, half_plane } kind = Kind::circle;
  // circle: x, y, radius; box: x, y, width, height, angle; polygon, segment: x, y of each corner; half-plane: point,
  // outward normal
  std::vector<formula::Node> numbers;
  std::size_t offset = 0;  // in the file
};

struct BodyDefinition {
  std::string name;
  bool is_fixed = false;
  formula::Node mass, inertia;  // of a moving body
  formula::Node place[3];       // x, y, φ of a fixed one
  std::vector<BodyShape> shapes;
  std::string fill;  // a colour, or nothing
  int group = 0;
};

// Bodies of two groups touch by a law, or pass through each other. Later entries hold before earlier ones.
struct CollisionDefinition {
  std::vector<int> a, b;  // groups
  bool never = false;
  mechanics::LawEquations law;
};

// The symbol for the initial value of a coordinate in formulas of the motion; no name of a file reads so.
inline std::string start_symbol(const std::string& coordinate) { return coordinate + "(0)"; }

struct Definition {
  formula::Pool pool;
  mechanics::SystemEquations equations;  // laws of contacts may be formulas of q and t
  mechanics::ModelDescription description;
  Drawing drawing;  // in the plane; in space it follows from bodies and values
  // Moving ones have the first coordinates, in this order: three each, or seven in space.
  std::vector<BodyDefinition> bodies;
  int body_groups = 1;
  std::vector<CollisionDefinition> collisions;
  std::vector<ContactPlaceDefinition> contact_places;  // one a contact of formulas
  std::vector<FigureDefinition> figures;
  std::string text;                         // of the file
  std::vector<std::pair<int, int>> joined;  // bodies that a joint connects; they do not touch
  formula::Node gravity[2];
  std::unique_ptr<SpatialDefinition> space;             // null for a model in the plane
  std::vector<char> given_positions, given_velocities;  // initial values that stand in the file
  bool from_energies = true;
  std::vector<RangeCheck> range_checks;
  std::vector<FrictionCheck> friction_checks;
  std::vector<formula::Node> value_formulas;  // of parameters, laws and initial values
  std::vector<std::string> parameter_names;   // those declared, without laws and initial values
};

// Sizes that the kernel of fixed capacity has room for. Beyond, and with bodies or constraints, that for systems of any
// size is taken.
inline constexpr int coordinate_limit = 12, contact_limit = 8, element_limit = 8;
bool needs_sparse_kernel(const Definition& definition);
// More than anybody needs.
inline constexpr std::size_t blow_limit = 1000, output_limit = 1000, shape_limit = 10000, body_limit = 20000,
                             figure_limit = 100, row_limit = 10000;

// Throws InputError with all mistakes and their places. `file` names the text in messages.
std::unique_ptr<Definition> define(const std::string& file, std::string text);
// Reads the file; throws InputError where it cannot be read.
std::unique_ptr<Definition> define_from_file(const std::string& path);

}  // namespace picus::modelfile
