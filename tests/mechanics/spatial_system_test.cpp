// Bodies in space: contact frames, applied forces, and what an instant says of both, against closed forms.
#include "picus/mechanics/spatial_system.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "formulas.hpp"
#include "picus/mechanics/spatial_instant.hpp"
#include "picus/support/error.hpp"

namespace picus::mechanics::tests {
namespace {

using Eigen::Vector3d;
using geometry::SpatialPlacement;
using geometry::SpatialShape;

SpatialBody ball(const char* name, double radius, const Vector3d& inertia = Vector3d::Ones()) {
  SpatialBody b;
  b.name = name;
  b.mass = 2;
  b.inertia = inertia;
  b.shapes = {SpatialShape::sphere({0, 0, 0}, radius)};
  return b;
}

SpatialBody fixed(const char* name, const SpatialShape& shape) {
  SpatialBody b;
  b.name = name;
  b.is_fixed = true;
  b.shapes = {shape};
  return b;
}

// All groups touch by one law.
SpatialParts parts_of(std::vector<SpatialBody> bodies, const Vector3d& tangent = {1, 0, 0}) {
  SpatialParts parts;
  parts.bodies = std::move(bodies);
  contact::SpatialLaw law;
  law.mu = 0.3;
  law.tangent = tangent;
  parts.laws = {law};
  parts.law_of_groups = {0};
  return parts;
}

std::vector<SpatialPlacement> at(const std::vector<Vector3d>& places) {
  std::vector<SpatialPlacement> q;
  for (const Vector3d& x : places) q.push_back({x, Eigen::Quaterniond::Identity()});
  return q;
}

// The first contact within a reach.
SpatialContact contact_in(SpatialSystem& system, const std::vector<SpatialPlacement>& q, double reach = 1) {
  std::vector<SpatialContact> found;
  system.find_contacts(q, reach, found);
  EXPECT_EQ(found.size(), 1u);
  return found.empty() ? SpatialContact{} : found.front();
}

TEST(SpatialContacts, OfTwoBallsPointFromTheFirstToTheSecond) {
  SpatialSystem system(parts_of({ball("a", 0.5), ball("b", 0.25)}));
  const SpatialContact c = contact_in(system, at({{1, 2, 3}, {1, 2.6, 3.8}}));
  const Vector3d n(0, 0.6, 0.8);
  EXPECT_EQ(c.a, 0);
  EXPECT_EQ(c.b, 1);
  EXPECT_NEAR(c.gap, 0.25, 1e-15);
  EXPECT_LT((c.n - n).norm(), 1e-15);
  EXPECT_LT((c.arm_a - 0.5 * n).norm(), 1e-15);
  EXPECT_LT((c.arm_b + 0.25 * n).norm(), 1e-15);
  EXPECT_LT((c.t - Vector3d(1, 0, 0)).norm(), 1e-15);
  EXPECT_LT((c.o - n.cross(c.t)).norm(), 1e-15);
  EXPECT_EQ(system.contact_name(c.number), "a/b");
}

// A fixed body comes first, whichever is named first: the normal points to what moves.
TEST(SpatialContacts, WithAFixedBodyPointToWhatMoves) {
  const SpatialShape floor = SpatialShape::half_space({0, 0, 0}, {0, 0, 1});
  for (bool floor_first : {true, false}) {
    std::vector<SpatialBody> bodies = {ball("ball", 0.5), fixed("floor", floor)};
    if (floor_first) std::swap(bodies[0], bodies[1]);
    SpatialSystem system(parts_of(std::move(bodies), {0, 3, 4}));
    const SpatialContact c = contact_in(system, at({{1, 2, 0.6}}));
    EXPECT_EQ(c.a, -1);
    EXPECT_EQ(c.b, 0);
    EXPECT_NEAR(c.gap, 0.1, 1e-15);
    EXPECT_LT((c.n - Vector3d(0, 0, 1)).norm(), 1e-15);
    EXPECT_LT((c.t - Vector3d(0, 1, 0)).norm(), 1e-15);  // the share of the wish across n
    EXPECT_LT((c.o - Vector3d(-1, 0, 0)).norm(), 1e-15);
    EXPECT_LT((c.arm_b - Vector3d(0, 0, -0.5)).norm(), 1e-15);
    EXPECT_EQ(system.contact_name(c.number), "floor/ball");
  }
}

// A wish along the normal is none: the axis of the world that is farthest from n takes its place.
TEST(SpatialContacts, HaveATangentWhereTheWishIsAlongTheNormal) {
  SpatialSystem system(parts_of({ball("a", 0.5), ball("b", 0.5)}, {0.6, 0.64, 0.48}));
  const SpatialContact c = contact_in(system, at({{0, 0, 0}, {0.6, 0.64, 0.48}}));
  EXPECT_NEAR(c.t.dot(c.n), 0, 1e-15);
  EXPECT_NEAR(c.t.norm(), 1, 1e-15);
  const Vector3d z(0, 0, 1);  // |n_z| is the smallest
  EXPECT_LT((c.t - (z - z.dot(c.n) * c.n).normalized()).norm(), 1e-14);
}

TEST(SpatialContacts, AreFoundWithinReachAndKeepTheirNumbers) {
  SpatialSystem system(parts_of({ball("a", 0.5), ball("b", 0.5), ball("c", 0.5)}));
  std::vector<SpatialContact> found;
  const auto q = at({{0, 0, 0}, {1.5, 0, 0}, {2.55, 0, 0}});
  system.find_contacts(q, 0.1, found);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(system.contact_name(0), "b/c");
  system.find_contacts(q, 0.5 + 1e-12, found);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].number, 1);  // a/b stands first, and came second
  EXPECT_EQ(found[1].number, 0);
  // What bodies can reach in a step: distances of both, and turning of what is off their centres (nothing here).
  std::vector<SpatialReach> moves(3);
  moves[0].distance = 0.3;
  moves[1].distance = 0.19;
  system.find_within(q, moves, found);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].number, 0);
  moves[1].distance = 0.21;
  system.find_within(q, moves, found);
  EXPECT_EQ(found.size(), 2u);
  SpatialSystem other(parts_of({ball("a", 0.5), ball("b", 0.5), ball("c", 0.5)}));
  other.set_contact_numbers(system.contact_numbers());
  EXPECT_EQ(other.contact_name(0), "b/c");
  EXPECT_EQ(other.contact_name(1), "a/b");
}

// Two balls of radius 0.5 pass each other at a distance of their centres of 0.9 (they meet) or 1.1.
TEST(SpatialContacts, MeetWhereTheirPathsComeCloseEnough) {
  SpatialSystem system(parts_of({ball("a", 0.5), ball("b", 0.5)}));
  for (double offset : {0.9, 1.1}) {
    const SpatialContact c = contact_in(system, at({{0, 0, 0}, {2, offset, 0}}), 3);
    const std::vector<SpatialVector> u = {{{1, 0, 0}, {0, 0, 0}}, {{-3, 0, 0}, {5, 6, 7}}};
    EXPECT_EQ(system.meets(c, u, 0.6), offset < 1) << offset;  // beside each other after 0.5 s
    EXPECT_FALSE(system.meets(c, u, 0.2)) << offset;
    EXPECT_FALSE(system.meets(c, {u[1], u[0]}, 0.6)) << offset;  // the other way
  }
}

TEST(SpatialBodies, ThatCannotBeAreRefusedByName) {
  const auto refusal = [](double mass, const Vector3d& inertia) -> std::string {
    SpatialBody b = ball("top", 1, inertia);
    b.mass = mass;
    try {
      const SpatialSystem system(parts_of({b}));
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(refusal(1, {1, 2, 3}), "");
  EXPECT_EQ(refusal(0, {1, 1, 1}), "the mass of body top is 0; accepted: a finite number > 0 (kg)");
  EXPECT_NE(refusal(std::nan(""), {1, 1, 1}).find("the mass of body top is nan"), std::string::npos);
  EXPECT_NE(refusal(1, {1, -1, 1}).find("a moment of inertia of body top is -1"), std::string::npos);
  EXPECT_NE(refusal(1, {1, 2, 3.1}).find("is 3.1; accepted: up to the sum of the other two, 3 kg m^2"),
            std::string::npos);
}

// A spring and a couple on the second of two bodies; inputs are t, then x, y, z, qw…qz of all, then v and w of all.
SpatialParts with_forces() {
  SpatialParts parts = parts_of({ball("a", 0.5), ball("b", 0.5, {1, 2, 2.5})});
  parts.gravity = {0, 1, -9.81};
  formula::Pool pool;
  std::vector<Node> inputs;
  for (int i = 0; i < 27; ++i) inputs.push_back(pool.symbol("i" + std::to_string(i)));
  Formulas reader(0);
  reader.pool = pool;
  parts.forces = formula::Program(reader.pool, inputs,
                                  reader.list({"-3*(i8 - i1)", "i0", "-0.5*i23", "i11 + i15", "2*i26", "i18 - i7"}));
  parts.outputs = formula::Program(reader.pool, inputs, reader.list({"i3*i21"}));
  parts.forced = {1};
  return parts;
}

const Eigen::Quaterniond turn_a(0.1, 0.7, 0.5, 0.5), turn_b(0.8, 0, 0.6, 0);
const std::vector<SpatialPlacement> q = {{{1, 2, 3}, turn_a}, {{2.5, 2.1, 3.2}, turn_b}};
const std::vector<SpatialVector> u = {{{1, 2, 3}, {4, 5, 6}}, {{-1, -2, -3}, {-4, -5, -6}}};

TEST(SpatialForces, TakeTheirInputsInOrder) {
  SpatialSystem system(with_forces());
  std::vector<SpatialVector> force;
  system.applied(q, u, 7, force);
  ASSERT_EQ(force.size(), 2u);
  EXPECT_EQ(force[0].v, Vector3d(0, 0, 0));
  EXPECT_EQ(force[0].w, Vector3d(0, 0, 0));
  // 15…20: v and w of a, 21…26: those of b.
  EXPECT_LT((force[1].v - Vector3d(-4.5, 7, 1.5)).norm(), 1e-14);
  EXPECT_LT((force[1].w - Vector3d(0.8 + 1, 2 * -6, 4 - 0.5)).norm(), 1e-14);
  double output = 0;
  system.outputs(q, u, 7, &output);
  EXPECT_EQ(output, 3 * -1);
}

Values flat(const std::vector<SpatialPlacement>& places) {
  Values list;
  for (const SpatialPlacement& p : places) {
    list.insert(list.end(), {p.x[0], p.x[1], p.x[2], p.turn.w(), p.turn.x(), p.turn.y(), p.turn.z()});
  }
  return list;
}
Values flat(const std::vector<SpatialVector>& velocities) {
  Values list;
  for (const SpatialVector& x : velocities) list.insert(list.end(), {x.v[0], x.v[1], x.v[2], x.w[0], x.w[1], x.w[2]});
  return list;
}

// h of the angular velocities is the applied moment less ω × Θω; their power is that of forces and moments.
TEST(SpatialInstant, ForcesAreThoseOfNewtonAndEuler) {
  const auto system = make_instant_system(with_forces());
  const Values x = flat(q), v = flat(u);
  Eigen::MatrixXd M;
  Eigen::VectorXd h;
  system->mass(x.data(), 7, M);
  system->force(x.data(), v.data(), 7, h);
  const Eigen::Matrix3d R = turn_b.toRotationMatrix(), inertia = R * Vector3d(1, 2, 2.5).asDiagonal() * R.transpose();
  EXPECT_LT((M.block<3, 3>(9, 9) - inertia).norm(), 1e-14);
  EXPECT_LT((M.block<3, 3>(3, 3) - Eigen::Matrix3d::Identity()).norm(), 1e-14);
  const Vector3d w = u[1].w, force(-4.5, 7, 1.5), moment(1.8, -12, 3.5);
  EXPECT_LT((h.segment<3>(6) - (force + Vector3d(0, 2, -2 * 9.81))).norm(), 1e-13);
  EXPECT_LT((h.segment<3>(9) - (moment - w.cross(inertia * w))).norm(), 1e-13);
  EXPECT_LT((h.segment<3>(0) - Vector3d(0, 2, -2 * 9.81)).norm(), 1e-13);
  EXPECT_EQ(h.segment<3>(3).norm(), 0);
  EXPECT_NEAR(system->power(x.data(), v.data(), 7), force.dot(u[1].v) + moment.dot(w), 1e-12);
  EXPECT_NEAR(system->potential_energy(x.data(), 7), -2 * (2 + 2.1) + 2 * 9.81 * (3 + 3.2), 1e-12);
}

// q̇: of the quaternion ½ ω q, so that a vector of the body turns with ω.
TEST(SpatialInstant, QuaternionsTurnWithTheBody) {
  const auto system = make_instant_system(with_forces());
  const Values x = flat(q), v = flat(u);
  Values rate(14);
  system->rates(x.data(), v.data(), rate.data());
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(rate[7 + i], v[6 + i]);
  const Vector3d body(0.3, -0.4, 0.9);
  const auto world = [&](double s) -> Vector3d {
    Values y = moved(x, rate, s);
    system->normalise(y.data());
    return Eigen::Quaterniond(y[10], y[11], y[12], y[13]) * body;
  };
  const Vector3d spin = u[1].w.cross(turn_b * body);
  EXPECT_LT(((world(1e-5) - world(-1e-5)) / 2e-5 - spin).norm(), 1e-7);
}

// Rows of a contact: velocities of b against a along n, t, o. They are the rows that frames and arms of SpatialSystem
// give.
TEST(SpatialInstant, RowsAreRelativeVelocitiesInTheFrame) {
  const auto instant = make_instant_system(with_forces());
  SpatialSystem system(with_forces());
  const SpatialContact c = contact_in(system, q);
  const Vector3d relative = u[1].v + u[1].w.cross(c.arm_b) - u[0].v - u[0].w.cross(c.arm_a);
  const Values x = flat(q), v = flat(u);
  InstantRows rows;
  ASSERT_EQ(instant->contact_count(), 1);
  instant->contact_rows({0}, x.data(), v.data(), 0, rows);
  ASSERT_EQ(rows.gamma.size(), 3);
  EXPECT_NEAR(rows.gamma[0], c.n.dot(relative), 1e-13);
  EXPECT_NEAR(rows.gamma[1], c.t.dot(relative), 1e-13);
  EXPECT_NEAR(rows.gamma[2], c.o.dot(relative), 1e-13);
  const Eigen::VectorXd velocity = Eigen::Map<const Eigen::VectorXd>(v.data(), 12);
  EXPECT_LT((rows.W * velocity - rows.gamma).norm(), 1e-13);
  // ζ: how they change along the motion while the velocities stay.
  Values rate(14);
  instant->rates(x.data(), v.data(), rate.data());
  for (Eigen::Index r = 0; r < 3; ++r) {
    const auto gamma = [&](double s) {
      InstantRows there;
      instant->contact_rows({0}, moved(x, rate, s).data(), v.data(), s, there);
      return there.gamma[r];
    };
    EXPECT_NEAR(rows.zeta[r], slope(gamma, 0, 1e-6), 1e-6) << r;
  }
}

}  // namespace
}  // namespace picus::mechanics::tests
