// Rigid bodies in space.
#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "picus/contact/spatial_law.hpp"
#include "picus/formula/program.hpp"
#include "picus/geometry/spatial_pairs.hpp"
#include "picus/geometry/spatial_shape.hpp"
#include "picus/mechanics/system.hpp"

namespace picus::mechanics {

// The origin of a body's coordinates is its centre of mass, their axes are its principal ones. A fixed body has a place
// instead of a mass.
struct SpatialBody {
  std::string name;
  bool is_fixed = false;
  double mass = 1;                                    // kg
  Eigen::Vector3d inertia = Eigen::Vector3d::Ones();  // principal moments, kg m²
  geometry::SpatialPlacement place;                   // of a fixed body
  std::vector<geometry::SpatialShape> shapes;
  int group = 0;  // in the table of laws
};

struct SpatialParts {
  std::vector<SpatialBody> bodies;
  Eigen::Vector3d gravity = Eigen::Vector3d::Zero();
  std::vector<contact::SpatialLaw> laws;
  int groups = 1;
  std::vector<int> law_of_groups;  // groups × groups: a number in `laws`, or −1 where bodies pass through each other
  // Applied forces and moments (about the centre of mass, in the world's axes): inputs t, q…, u… (see SpatialSystem);
  // six results for each body of `forced`, force first. Numbers among moving bodies.
  std::vector<int> forced;
  formula::Program forces;
  formula::Program outputs;  // inputs likewise

  int law_between(int group_a, int group_b) const {
    return law_of_groups[static_cast<std::size_t>(group_a * groups + group_b)];
  }
  bool may_touch(int body_a, int body_b) const {
    const SpatialBody &a = bodies[static_cast<std::size_t>(body_a)], &b = bodies[static_cast<std::size_t>(body_b)];
    return body_a != body_b && !(a.is_fixed && b.is_fixed) && law_between(a.group, b.group) >= 0;
  }
};

// Velocity, momentum or force of a body: a linear part and an angular one, both in the world's axes.
struct SpatialVector {
  Eigen::Vector3d v = Eigen::Vector3d::Zero(), w = Eigen::Vector3d::Zero();
};

// How far a body may move, and turn, within a step: m, rad.
struct SpatialReach {
  double distance = 0, angle = 0;
};

// A contact that acts. Its frame is n from a to b, t the direction nearest to the law's `tangent` across n, o = n × t;
// relative velocities are those of b against a.
struct SpatialContact {
  int number = -1;     // of this pair of shapes, from 0, in the order in which pairs first touch; −1: not yet
  int a = -1, b = -1;  // moving bodies; a is −1 where the one body is fixed
  int shape_a = 0, shape_b = 0;
  int law = 0;
  double gap = 0;
  Eigen::Vector3d n, t, o;
  Eigen::Vector3d arm_a, arm_b;  // from the centres of mass to the point of contact
};

// Throws InputError for a principal moment of inertia that is larger than the sum of the other two.
void check_moment(const std::string& what, double moment, double others);

// t is what of this lies across n: the direction wished, or another axis of the world where that is (nearly) parallel
// to n.
Eigen::Vector3d tangent_for(const Eigen::Vector3d& wished, const Eigen::Vector3d& n);

// Moving bodies, their poses and what touches. States for files have x, y, z, qw, qx, qy, qz of each moving body, then
// vx, vy, vz, wx, wy, wz of each, all in the inertial frame.
class SpatialSystem {
 public:
  // Throws InputError for masses and moments that no body has.
  explicit SpatialSystem(SpatialParts parts);

  int moving() const { return static_cast<int>(moving_.size()); }
  const SpatialBody& body(int moving_body) const;
  const SpatialParts& parts() const { return parts_; }
  const contact::SpatialLaw& law(int i) const { return parts_.laws[static_cast<std::size_t>(i)]; }
  // All three moments are equal: the inertia does not turn.
  bool is_isotropic(int moving_body) const { return isotropic_[static_cast<std::size_t>(moving_body)] != 0; }
  bool has_forces() const { return !parts_.forced.empty(); }

  // Applied forces, without gravity.
  void applied(const std::vector<geometry::SpatialPlacement>& q, const std::vector<SpatialVector>& u, double t,
               std::vector<SpatialVector>& force);
  void outputs(const std::vector<geometry::SpatialPlacement>& q, const std::vector<SpatialVector>& u, double t,
               double* y);
  int output_count() const { return parts_.outputs.result_count(); }

  // Contacts with a gap up to `reach`, in the order of their bodies and shapes.
  void find_contacts(const std::vector<geometry::SpatialPlacement>& q, double reach,
                     std::vector<SpatialContact>& found);
  // Contacts with a gap that moving bodies can close by what they move, in the same order. Those that never touched
  // have no number.
  void find_within(const std::vector<geometry::SpatialPlacement>& q, const std::vector<SpatialReach>& moves,
                   std::vector<SpatialContact>& found);
  // Gives a contact its number.
  void number(SpatialContact& contact);
  // Whether the surfaces of a contact meet when its bodies move for a time dt with the velocities u. Along straight
  // paths of centres: the gap of two spheres is convex, and its tangent may close where they pass each other by.
  bool meets(const SpatialContact& contact, const std::vector<SpatialVector>& u, double dt) const;
  // The same contact elsewhere: its gap, frame and arms.
  void place_contact(const std::vector<geometry::SpatialPlacement>& q, SpatialContact& contact) const;
  int contact_count() const { return static_cast<int>(touches_.size()); }
  // As of SparseSystem.
  std::vector<int> contact_numbers() const;
  void set_contact_numbers(const std::vector<int>& numbers);
  void forget_pairs() { pairs_.forget(); }
  std::string contact_name(int number) const;
  // Its two shapes, numbered through all bodies in their order.
  TouchingShapes touching(int number) const {
    const Touch& touch = touches_[static_cast<std::size_t>(number)];
    return {touch.a, touch.b};
  }

 private:
  struct PlacedShape {
    int body, shape;
  };
  struct Touch {
    int a, b;  // placed shapes
  };

  const geometry::SpatialPlacement& placement(const std::vector<geometry::SpatialPlacement>& q, int body) const;
  void fill_registers(const std::vector<geometry::SpatialPlacement>& q, const std::vector<SpatialVector>& u, double t,
                      std::vector<double>& registers) const;
  void place_balls(const std::vector<geometry::SpatialPlacement>& q);
  // Of two placed shapes: everything but its number.
  SpatialContact contact_between(const std::vector<geometry::SpatialPlacement>& q, int i, int j) const;
  bool may_touch(int a, int b) const;
  std::string shape_name(int shape) const;

  SpatialParts parts_;
  std::vector<int> moving_;        // bodies
  std::vector<int> moving_index_;  // of each body; −1 of a fixed one
  std::vector<char> isotropic_;
  std::vector<PlacedShape> shapes_;
  std::vector<Touch> touches_;
  std::unordered_map<std::uint64_t, int> touch_number_;
  geometry::SpatialPairs pairs_;
  std::vector<geometry::SpatialBall> balls_;
  std::vector<double> force_registers_, output_registers_;
};

}  // namespace picus::mechanics
