// Planar bodies with shapes, and formulas that join them: a system of any size.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "picus/geometry/contact_points.hpp"
#include "picus/geometry/pair_keeper.hpp"
#include "picus/mechanics/sparse_programs.hpp"
#include "picus/mechanics/sparse_system.hpp"

namespace picus::mechanics {

// The origin of a body's coordinates is its centre of mass. A fixed body has a place instead of a mass.
struct Body {
  std::string name;
  bool is_fixed = false;
  double mass = 1, inertia = 1;  // kg, kg m²
  geometry::Placement place;     // of a fixed body
  std::vector<geometry::Shape> shapes;
  int group = 0;  // in the table of laws
};

// Which groups of bodies touch each other, and by what law.
class CollisionTable {
 public:
  explicit CollisionTable(int groups = 1);
  // Throws InputError for a law that makes no sense.
  void set(int a, int b, const contact::Law& law);
  void forbid(int a, int b);
  // Null where they pass through each other.
  const contact::Law* law(int a, int b) const;

 private:
  std::size_t place(int a, int b) const { return static_cast<std::size_t>(a * groups_ + b); }
  int groups_;
  std::vector<char> allowed_;
  std::vector<contact::Law> laws_;
};

struct AssemblyParts {
  std::vector<Body> bodies;
  geometry::Point gravity;
  CollisionTable collisions;
  std::vector<std::pair<int, int>> never_touch;  // bodies that pass through each other whatever the table says
  SparsePrograms formulas;                       // its size is that of the moving bodies and further coordinates
  std::vector<std::string> coordinate_names, constraint_names, contact_names;  // those of the formulas
  std::vector<char> given_positions, given_velocities;                         // empty: all

  // Two bodies; `never_touch` is in order.
  bool may_touch(int body_a, int body_b) const;
};

// Coordinates: x, y, φ of each moving body, then those of the formulas alone. Contacts are numbered: those of formulas,
// then force elements, then those of shapes in the order in which they first touch.
class Assembly final : public SparseSystem {
 public:
  explicit Assembly(AssemblyParts parts);

  int size() const override { return size_; }
  bool has_constant_mass() const override { return parts_.formulas.constant_mass; }
  void mass(const double* q, double t, BlockMass& M) override;
  void force(const double* q, const double* u, double t, double* h) override;

  int constraint_count() const override { return parts_.formulas.constraints.rows(); }
  void constraints(const double* q, double t, double* g) override;
  void constraint_rows(const double* q, double t, RowDirections& rows) override;
  std::string constraint_name(int constraint) const override;

  void find_contacts(const double* q, double t, double reach, ActiveContacts& found) override;
  void find_places(const double* q, double reach, std::vector<ContactPlace>& places) override;
  int contact_count() const override { return first_shape_contact_ + static_cast<int>(touches_.size()); }
  std::string contact_name(int contact) const override;
  TouchingShapes touching(int contact) const override;
  std::vector<int> contact_numbers() const override;
  void set_contact_numbers(const std::vector<int>& numbers) override;
  void forget_pairs() override { pairs_.forget(); }
  // Formulas alone are stepped by the letter of Glocker & Studer (2005), whatever their number.
  bool contacts_follow() const override { return !parts_.bodies.empty() || constraint_count() > 0; }
  int described_contact_count() const override { return static_cast<int>(parts_.formulas.contacts.size()); }

  int element_count() const override { return static_cast<int>(parts_.formulas.element_laws.size()); }
  contact::ElementLaw element_law(int e) const override;
  int element_number(int e) const override { return static_cast<int>(parts_.formulas.contacts.size()) + e; }
  void element_rows(const double* q, double t, RowDirections& rows, double* displacement) override;

  double potential_energy(const double* q, double t) override;
  bool does_work() const override { return parts_.formulas.does_work; }
  void nonconservative_force(const double* q, const double* u, double t, double* f) override;
  double potential_rate(const double* q, double t) override;
  double kinetic_rest(const double* q, const double* u, double t) override;
  int blow_count() const override { return static_cast<int>(parts_.formulas.blow_times.size()); }
  double blow_time(int i) const override { return parts_.formulas.blow_times[static_cast<std::size_t>(i)]; }
  void blow(int i, const double* q, double t, double* J) override;
  int output_count() const override { return parts_.formulas.outputs.result_count(); }
  void outputs(const double* q, const double* u, double t, double* y) override;

  std::string coordinate_name(int i) const override;
  bool is_given_position(int i) const override;
  bool is_given_velocity(int i) const override;

 private:
  struct PlacedShape {
    int body, shape;
  };
  // Two shapes that touched, at one place of each.
  struct Touch {
    int a, b;  // placed shapes
    int feature;
    bool operator==(const Touch&) const = default;
  };
  struct TouchHash {
    std::size_t operator()(const Touch& t) const;
  };

  void find_formula_contacts(const double* q, double t, double reach, ActiveContacts& found);
  const contact::Law& law_between(const PlacedShape& a, const PlacedShape& b) const;
  // Calls use(point, a, b, number) for each.
  template <class Use>
  void for_each_touch(const double* q, double reach, const Use& use);
  void find_shape_contacts(const double* q, double reach, ActiveContacts& found);
  void add_point(const geometry::ContactPoint& point, const PlacedShape& a, const PlacedShape& b, RowDirections& rows);
  int number_of(const Touch& touch);
  const geometry::Shape& shape_of(const PlacedShape& p) const;

  AssemblyParts parts_;
  int size_ = 0, first_shape_contact_ = 0;
  std::vector<int> first_velocity_;  // of each body; −1 for a fixed one
  std::vector<geometry::Placement> placements_;
  std::vector<PlacedShape> shapes_;
  std::vector<geometry::Box> boxes_;
  double skin_ = 0;
  geometry::PairKeeper pairs_;
  std::vector<Touch> touches_;
  std::unordered_map<Touch, int, TouchHash> touch_number_;
};

}  // namespace picus::mechanics
