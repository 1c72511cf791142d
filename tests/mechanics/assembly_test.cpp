// Planar bodies: mass, weight and rows of contacts against closed forms and differences of gaps and constraints.
#include "picus/mechanics/assembly.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "picus/support/error.hpp"
#include "point_masses.hpp"

namespace picus::mechanics::tests {
namespace {

using geometry::Shape;

Body body(const char* name, double mass, double inertia, std::vector<Shape> shapes) {
  Body b;
  b.name = name;
  b.mass = mass;
  b.inertia = inertia;
  b.shapes = std::move(shapes);
  return b;
}

Body fixed(const char* name, const geometry::Placement& place, std::vector<Shape> shapes) {
  Body b = body(name, 1, 1, std::move(shapes));
  b.is_fixed = true;
  b.place = place;
  return b;
}

CollisionTable everything_touches() {
  CollisionTable table;
  table.set(0, 0, {.mu = 0.3, .eN = 0.5});
  return table;
}

// A ramp at 0.2 rad, a brick with two shapes and a disk, in this order.
Assembly scene() {
  AssemblyParts parts;
  parts.bodies = {fixed("ramp", {0, 0, 0.2}, {Shape::half_plane({0, 0}, {0, 1})}),
                  body("brick", 2, 0.5, {Shape::box({0, 0}, 1, 0.4), Shape::circle({2, 0}, 0.1)}),
                  body("disk", 3, 0.7, {Shape::circle({0.05, 0}, 0.25)})};
  parts.gravity = {0.5, -9.81};
  parts.collisions = everything_touches();
  return Assembly(std::move(parts));
}

// x, y, φ of the brick, above the ramp, and of the disk, above the brick.
const Values q = {0.1, 0.28, 0.25, 0.2, 0.8, 0.6}, u = {0.3, -0.4, 0.9, -0.2, 0.1, 1.7};

TEST(Assembly, MassAndWeightOfBodies) {
  Assembly system = scene();
  ASSERT_EQ(system.size(), 6);
  BlockMass M;
  system.mass(q.data(), 0, M);
  EXPECT_EQ(M.diagonal, (std::vector<double>{2, 2, 0.5, 3, 3, 0.7}));
  EXPECT_TRUE(M.dense.empty());
  Values h(6);
  system.force(q.data(), u.data(), 0, h.data());
  for (std::size_t i = 0; i < 6; ++i) {  // h = −∂V/∂q: there are no other forces
    Values along(6, 0.0);
    along[i] = 1;
    EXPECT_NEAR(h[i], -slope([&](double s) { return system.potential_energy(moved(q, along, s).data(), 0); }, 0), 1e-8)
        << i;
  }
  EXPECT_NEAR(h[0], 2 * 0.5, 1e-15);
  EXPECT_NEAR(h[4], -3 * 9.81, 1e-13);
}

// w_N u is the rate of the gap. Sliding is t · (v_b − v_a) of the material between the surfaces, t = n turned by a
// quarter: both bodies moved as one have none.
TEST(Assembly, RowsOfContactsAreRatesOfGaps) {
  Assembly system = scene();
  ActiveContacts here, ahead, behind;
  const double step = 1e-5;
  system.find_contacts(q.data(), 0, 1, here);
  system.find_contacts(moved(q, u, step).data(), 0, 1, ahead);
  system.find_contacts(moved(q, u, -step).data(), 0, 1, behind);
  ASSERT_EQ(here.list.size(), ahead.list.size());
  ASSERT_GE(here.list.size(), 4u);
  for (std::size_t i = 0; i < here.list.size(); ++i) {
    const int r = 2 * static_cast<int>(i);
    ASSERT_EQ(here.list[i].contact, ahead.list[i].contact);
    EXPECT_NEAR(here.rows.velocity(r, u.data()), (ahead.list[i].gap - behind.list[i].gap) / (2 * step), 1e-8) << i;
    EXPECT_EQ(here.list[i].law.mu, 0.3);
    EXPECT_EQ(here.list[i].law.eN, 0.5);
    // Both bodies turn about the same point of the world: only contacts with the ramp, which rests, move.
    const Values as_one = {-q[1], q[0], 1, -q[4], q[3], 1};
    const bool with_ramp = system.touching(here.list[i].contact).a == 0;
    if (!with_ramp) {
      EXPECT_NEAR(here.rows.velocity(r, as_one.data()), 0, 1e-15);
      EXPECT_NEAR(here.rows.velocity(r + 1, as_one.data()), 0, 1e-15);
    }
  }
}

TEST(Assembly, ADiskOnTheFloorRolls) {
  AssemblyParts parts;
  parts.bodies = {body("disk", 1, 1, {Shape::circle({0, 0}, 0.5)}),
                  fixed("floor", {}, {Shape::half_plane({0, 0}, {0, 1})})};
  parts.collisions = everything_touches();
  Assembly system(std::move(parts));
  ActiveContacts found;
  const Values place = {3, 0.5, 0.4};
  system.find_contacts(place.data(), 0, 0.01, found);
  ASSERT_EQ(found.list.size(), 1u);
  // The normal goes from the disk to the floor, (0, −1), so t = (1, 0); rows are those of the floor against the disk.
  const Values rising = {0, 1, 0}, sliding = {1, 0, 0}, spinning = {0, 0, 1};
  EXPECT_EQ(found.rows.velocity(0, rising.data()), 1);
  EXPECT_EQ(found.rows.velocity(1, rising.data()), 0);
  EXPECT_EQ(found.rows.velocity(1, sliding.data()), -1);
  EXPECT_EQ(found.rows.velocity(1, spinning.data()), -0.5);  // its lowest point moves to the right
  EXPECT_EQ(found.rows.velocity(0, spinning.data()), 0);
  EXPECT_EQ(system.contact_name(0), "disk/floor");
  // For pictures the normal points to what moves.
  std::vector<ContactPlace> places;
  system.find_places(place.data(), 0.01, places);
  ASSERT_EQ(places.size(), 1u);
  EXPECT_EQ(places[0].normal_y, 1);
  EXPECT_NEAR(places[0].x, 3, 1e-15);
  EXPECT_NEAR(places[0].y, 0, 1e-15);
}

// Numbers are given in the order of first touch, stay, and can be handed to another system of the kind.
TEST(Assembly, ContactsKeepTheirNumbers) {
  Assembly system = scene(), other = scene();
  ActiveContacts found;
  system.find_contacts(q.data(), 0, 0.4, found);
  std::vector<std::string> names;
  for (int i = 0; i < system.contact_count(); ++i) names.push_back(system.contact_name(i));
  ASSERT_FALSE(names.empty());
  const Values away = {0, 50, 0, 9, 70, 0};
  system.find_contacts(away.data(), 0, 0.4, found);
  EXPECT_TRUE(found.list.empty());
  EXPECT_EQ(system.contact_count(), static_cast<int>(names.size()));
  other.set_contact_numbers(system.contact_numbers());
  ASSERT_EQ(other.contact_count(), static_cast<int>(names.size()));
  for (int i = 0; i < other.contact_count(); ++i) EXPECT_EQ(other.contact_name(i), names[static_cast<std::size_t>(i)]);
  other.find_contacts(q.data(), 0, 0.4, found);
  EXPECT_EQ(other.contact_count(), static_cast<int>(names.size()));
}

// Rows of a joint that time drives: derivatives of what has to be zero.
TEST(Assembly, RowsOfConstraintsAreDerivatives) {
  Assembly system = point_masses({"q1 + cos(q3) - q2*sin(2*t)", "q2 - t^2"}, {1, 1, 1});
  const Values x = {0.1, 0.7, -0.4}, v = {1, -2, 3};
  const double t = 0.6;
  RowDirections rows;
  system.constraint_rows(x.data(), t, rows);
  ASSERT_EQ(rows.w.count(), 2);
  EXPECT_EQ(rows.w.start[2] - rows.w.start[1], 1);  // few entries: only what occurs
  for (int r = 0; r < 2; ++r) {
    const auto g = [&](double s) {
      double values[2];
      system.constraints(moved(x, v, s).data(), t + s, values);
      return values[r];
    };
    EXPECT_NEAR(rows.velocity(r, v.data()), slope(g, 0), 1e-8) << r;
  }
}

TEST(Assembly, WhatTouchesIsSaidByTheTableAndTheList) {
  CollisionTable table(2);
  EXPECT_EQ(table.law(0, 1), nullptr);
  table.set(0, 1, {.mu = 0.4});
  ASSERT_NE(table.law(1, 0), nullptr);
  EXPECT_EQ(table.law(1, 0)->mu, 0.4);
  EXPECT_EQ(table.law(1, 1), nullptr);
  EXPECT_THROW(table.set(0, 0, {.eN = 2}), InputError);
  EXPECT_EQ(table.law(0, 0), nullptr);
  AssemblyParts parts;
  parts.bodies = {body("a", 1, 1, {}), body("b", 1, 1, {}), fixed("c", {}, {}), fixed("d", {}, {})};
  for (int i : {1, 3}) parts.bodies[static_cast<std::size_t>(i)].group = 1;
  parts.collisions = table;
  parts.never_touch = {{0, 3}};
  EXPECT_TRUE(parts.may_touch(0, 1));
  EXPECT_TRUE(parts.may_touch(2, 1));
  EXPECT_FALSE(parts.may_touch(0, 0));  // itself
  EXPECT_FALSE(parts.may_touch(1, 3));  // a group without a law
  EXPECT_FALSE(parts.may_touch(3, 0));  // in the list, in either order
  EXPECT_FALSE(parts.may_touch(2, 3));  // two that are fixed
  table.forbid(1, 0);
  EXPECT_EQ(table.law(0, 1), nullptr);
}

}  // namespace
}  // namespace picus::mechanics::tests
