// The parts of a model file, one after the other. Used by define() only.
#pragma once

#include <array>
#include <map>
#include <optional>

#include "picus/modelfile/definition.hpp"
#include "picus/modelfile/reading.hpp"

namespace picus::options {
struct Option;
}

namespace picus::modelfile {

class Builder {
 public:
  Builder(Source& source, const Yaml& root, Definition& definition);

  // Everything; mistakes are noted in the source.
  void build();

 private:
  using Node = formula::Node;

  // What users may set: a parameter, an initial value, a number of a law; with the place of its formula.
  struct Value {
    Node formula;
    std::size_t offset = 0, length = 0;
  };
  struct Settable {
    mechanics::Parameter parameter;
    Value value;
  };

  // entries.cpp
  // A part of the file that is a list, or null; what is no list is noted.
  const Yaml* list_part(const char* key);
  // The same for what needs bodies: null where there are none, or mistakes so far.
  const Yaml* list_with_bodies(const char* key);
  // A part that is a map, or null; `needs` says what it has to hold.
  const Yaml* map_part(const char* key, const std::string& needs);
  // Reads each entry of such a list, as often as its 'for' says.
  void read_entries(const Yaml* list, const std::string& what, const std::vector<std::string>& keys,
                    const std::function<void(const Yaml& entry)>& read);
  // Notes a list of which more was made than the limit allows; true then.
  bool note_excess(const Yaml* list, std::size_t count, std::size_t limit, const std::string& what);
  // Notes each of the keys that is given; `why` comes before its name.
  void refuse_keys(const Yaml& entry, const std::vector<std::string>& keys, const std::string& why);
  // Letters, digits and some further characters.
  static bool is_plain(const std::string& text, std::string_view further, std::size_t longest);
  // Reads NAME: formula, or NAME: {formula, unit, meaning}.
  using NamedFormula =
      std::function<void(const Yaml::Key& key, const mechanics::Quantity& quantity, const Yaml& formula)>;
  void read_named_formulas(const Yaml& map, const std::string& what, const NamedFormula& read);
  // Keys of an entry that tells a law.
  static std::vector<std::string> keys_with_law(std::vector<std::string> before,
                                                const std::vector<std::string>& behind = {});

  // names_and_values.cpp
  void read_head();
  void declare_coordinates();
  void declare_parameters();
  void declare_lets();
  Names::Named read_let(std::size_t let);
  void read_parameters();
  void read_starts();
  void read_lets();
  bool declare(const Yaml::Key& key);

  // values.cpp
  // What an entry gives, or `otherwise` where it gives nothing.
  Value read_value(const Yaml* given, const Allowed& allowed, Node otherwise, const Yaml& entry);
  static Settable initial(const mechanics::Quantity& quantity, const Value& value);
  void add_value(mechanics::Parameter parameter, const Value& value);
  void finish_values();
  void add_law_values();
  void compute_values();
  void check_values();
  // Formulas of parameters and the start as numbers, with the values of the file.
  std::function<double(Node)> values_of_file();
  // The value of a formula at the start must lie in a range, for the values of the file and for those that users set.
  void check_later(Node formula, const Yaml& at, const std::string& what, mechanics::Range range);
  bool find_circle();

  // A body in formulas: its coordinates and velocities, or the place of a fixed one.
  struct BodyFormulas {
    std::string name, meaning;
    bool is_fixed = false;
    Node x, y, phi, vx, vy, omega;
    Node cosine, sine;
    Node start[3];                // x, y, φ at the start
    const Yaml* entry = nullptr;  // null for the ground that every model has
  };
  struct PointFormulas {
    Node x, y;
  };

  // bodies.cpp
  void declare_bodies();
  void declare_body(const std::string& name, const Yaml& entry);
  void add_body(const BodyFormulas& body);
  void for_each_body(const std::function<void(const Yaml& entry, std::size_t body)>& use);
  void read_body_starts();
  void read_bodies();
  void read_body(const Yaml& entry, std::size_t body);
  void read_group_and_fill(const Yaml& entry, std::size_t body);
  struct PolygonFormulas {
    Node area;
    PointFormulas center;
    Node radius_2;  // J / m about the centre
  };
  PolygonFormulas polygon_of(const std::vector<PointFormulas>& corners);
  bool read_outline(const Yaml& entry, BodyDefinition& body);
  void read_body_shape(const Yaml& entry, BodyDefinition& body);
  std::vector<PointFormulas> points(const Yaml& value, const Allowed& allowed);
  PointFormulas point(const Yaml& value, const Allowed& allowed);
  Node inertia_of(const BodyDefinition& body, const Yaml& entry);
  void read_collisions();
  void read_collision(const Yaml& entry);
  std::vector<int> groups_named(const Yaml& value);
  void check_shapes();

  // untouchable_pairs.cpp
  void refuse_untouchable_pairs();

  // space_bodies.cpp
  using Triple = std::array<Node, 3>;
  bool in_space() const { return definition_.space != nullptr; }
  bool read_dimension(const std::vector<std::string>& known_keys);
  void build_in_space();
  bool expect_body_in_space(const Yaml& entry, const std::string& name);
  void declare_motion_in_space();
  void read_body_starts_in_space();
  void read_bodies_in_space();
  void read_body_in_space(const Yaml& entry, std::size_t body);
  void read_inertia_in_space(const Yaml& entry, std::size_t body);
  void read_shape_in_space(const Yaml& entry, std::size_t body);
  Triple triple(const Yaml& value, const Allowed& allowed);
  Triple triple(const Yaml& map, const char* key, const Allowed& allowed, const std::array<double, 3>& otherwise);
  void check_turn(const std::array<Node, 7>& pose, const Yaml& at, const std::string& body);
  void check_parts_in_space();

  // space_collisions.cpp
  bool expect_collision_in_space(const Yaml& entry);
  void read_friction(const Yaml& entry, const std::string& name, bool never);
  void read_friction_set(const Yaml& value, FrictionDefinition& set);
  void read_directions(const Yaml& value, const FrictionDefinition& set, DirectionsDefinition& directions);
  const Yaml* chosen_directions(const Yaml& value, DirectionsDefinition& directions);
  void read_circles(const Yaml& value, DirectionsDefinition& directions);
  std::vector<Node> columns(const Yaml& value, int& rows);
  int count(const Yaml& value);
  std::vector<int> counts(const Yaml& value);

  // body_drawing.cpp
  void draw_bodies();
  void draw_body(std::size_t body, const std::string& fill, std::optional<double>& extent, Drawing& drawing);
  void draw_joints(Drawing& drawing);
  static Shape& draw(Shape::Kind kind, const std::vector<PointFormulas>& points, const std::vector<Node>& further,
                     Drawing& drawing);
  std::vector<PointFormulas> corners_of(const BodyShape& shape, std::optional<double>& extent);
  double extent_at_start();

  // points_on_bodies.cpp
  PointFormulas place(const BodyFormulas& body, PointFormulas local);
  PointFormulas velocity(const BodyFormulas& body, PointFormulas local);
  // The velocity of the body's material where a point of the world is.
  PointFormulas velocity_at(const BodyFormulas& body, PointFormulas world);
  PointFormulas turned(const BodyFormulas& body, PointFormulas local);
  PointFormulas local_at_start(const BodyFormulas& body, PointFormulas world);
  Node length(Node x, Node y);
  Node at_start(Node n) { return pool_.substitute(n, body_starts_); }
  Node start_angle(const int (&pair)[2]);
  const BodyFormulas& body(int number) const { return bodies_[static_cast<std::size_t>(number)]; }
  bool read_pair(const Yaml& value, int (&pair)[2]);
  bool read_places(const Yaml& entry, const int (&pair)[2], PointFormulas (&local)[2]);

  // joints.cpp
  void read_joints();
  void read_joint(const Yaml& entry);
  std::string joint_kind(const Yaml& entry);
  std::string joint_name(const Yaml& entry);
  void read_forces_between_bodies();
  void read_spring(const Yaml& entry);
  void read_motor(const Yaml& entry);
  void read_constraints();
  void draw_joint(const int (&pair)[2], const PointFormulas (&local)[2]);
  void add_constraint(const std::string& name, Node g, const std::string& unit, const std::string& meaning);
  void driven(const Yaml& entry, const std::string& name);
  void revolute(const Yaml& entry, const std::string& name, const int (&pair)[2]);
  void prismatic(const Yaml& entry, const std::string& name, const int (&pair)[2]);
  void fixed(const Yaml& entry, const std::string& name, const int (&pair)[2]);
  void gear(const Yaml& entry, const std::string& name, const int (&pair)[2]);
  void distance(const Yaml& entry, const std::string& name, const int (&pair)[2]);
  void revolute_with_clearance(const Yaml& entry, const std::string& name, const int (&pair)[2],
                               const PointFormulas (&local)[2]);
  void prismatic_with_clearance(const Yaml& entry, const std::string& name, const int (&pair)[2],
                                const PointFormulas (&local)[2], PointFormulas axis, Node angle);
  mechanics::Direction sliding_direction(Node sliding, const Yaml& entry);

  // dynamics.cpp
  void read_dynamics();
  void read_energies();
  void read_matrices();

  // contacts.cpp
  void read_contacts();
  void read_contact(const Yaml& entry);
  ContactPlaceDefinition read_place(const Yaml& entry);
  mechanics::Direction tangential_direction(const Yaml& entry);
  void add_contact(const std::string& name, const std::string& meaning, Node gap, mechanics::Direction tangential,
                   const Yaml& entry, ContactPlaceDefinition place);
  // The law that an entry tells, of the contact or collision that was described last: `name` is "contact 1", `of` is
  // " of contact 1".
  mechanics::LawEquations read_law(const Yaml& entry, const Allowed& allowed, const std::string& of,
                                   const std::string& name);
  // mu_inf <= mu <= mu_static must hold at the start, for the values of the file and for those that users set.
  void check_order_later(const Yaml& entry, const mechanics::LawEquations& law, const std::string& what);
  void read_elements();
  void read_element(const Yaml& entry);
  void read_blows();
  void read_blow(const Yaml& entry);
  std::string contact_name(const Yaml& entry);

  // figures.cpp
  void read_figures();
  void read_figure(const Yaml& entry);
  FigureDefinition::Axis read_axis(const Yaml& entry, const char* label, const char* range);
  std::vector<std::string> column_names() const;  // t, the motion, outputs
  bool is_column(const std::string& name) const;

  // picture_and_run.cpp
  void read_outputs();
  void read_drawing();
  void read_shape(const Yaml& entry);
  bool read_circle(const Yaml& value);
  bool read_drawn_spring(const Yaml& value, Shape& shape);
  std::string colour(const Yaml& entry, const char* key);
  void read_point(const Yaml& value);
  void read_cycle();
  void read_run();
  void read_option(const options::Option& option, const Yaml& run);
  void check_run();

  const Yaml* part(const char* key) const { return root_.find(key); }
  mechanics::Symbols& symbols() { return definition_.equations.symbols; }

  const Yaml& root_;
  Definition& definition_;
  formula::Pool& pool_;
  Names names_;
  Reading reading_;
  std::vector<Value> values_;         // one a parameter of the description
  std::vector<Settable> law_values_;  // eN, eT, mu of each contact
  std::vector<Settable> start_positions_, start_velocities_;
  std::vector<std::string> contact_names_;
  std::vector<BodyFormulas> bodies_;
  std::map<std::string, int> body_number_;
  std::unordered_map<int, Node> body_starts_;  // of coordinates of bodies: their values at the start
  std::vector<std::string> body_groups_;       // names, as given
  PointFormulas outline_center_;               // of the outline read last
  std::vector<std::string> joint_names_;
  std::vector<PointFormulas> drawn_points_;                           // of joints
  std::vector<std::pair<PointFormulas, PointFormulas>> drawn_links_;  // of distances
  std::vector<std::pair<int, PointFormulas>> drawn_joints_;           // a body, and the place of a joint on it
  Node spring_energy_, spring_dissipation_;
  std::map<int, Node> motor_forces_;  // by coordinate
};

}  // namespace picus::modelfile
