#include "picus/mechanics/assembly.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "picus/mechanics/description.hpp"
#include "picus/support/index.hpp"

namespace picus::mechanics {

using geometry::Point;

CollisionTable::CollisionTable(int groups)
    : groups_(groups), allowed_(at(groups * groups), 0), laws_(at(groups * groups)) {}

void CollisionTable::set(int a, int b, const contact::Law& law) {
  check_law(fmt::format("law of groups {} and {}", a, b), law);
  allowed_[place(a, b)] = allowed_[place(b, a)] = 1;
  laws_[place(a, b)] = laws_[place(b, a)] = law;
}

void CollisionTable::forbid(int a, int b) { allowed_[place(a, b)] = allowed_[place(b, a)] = 0; }

const contact::Law* CollisionTable::law(int a, int b) const {
  return allowed_[place(a, b)] != 0 ? &laws_[place(a, b)] : nullptr;
}

std::size_t Assembly::TouchHash::operator()(const Touch& t) const {
  auto h = static_cast<std::size_t>(t.a) * 0x9E3779B97F4A7C15ull;
  h = (h ^ static_cast<std::size_t>(t.b)) * 0xC2B2AE3D27D4EB4Full;
  h = (h ^ static_cast<std::size_t>(t.feature)) * 0x165667B19E3779F9ull;
  return h ^ (h >> 29);
}

Assembly::Assembly(AssemblyParts parts) : parts_(std::move(parts)) {
  int velocities = 0;
  for (std::size_t b = 0; b < parts_.bodies.size(); ++b) {
    const Body& body = parts_.bodies[b];
    first_velocity_.push_back(body.is_fixed ? -1 : velocities);
    if (!body.is_fixed) velocities += 3;
    placements_.push_back(body.place);
    for (std::size_t s = 0; s < body.shapes.size(); ++s) {
      shapes_.push_back({static_cast<int>(b), static_cast<int>(s)});
      boxes_.push_back(body.shapes[s].bounds(body.place));
    }
  }
  // Pairs are kept while nothing has moved by more than a share of the size of what moves.
  double sum = 0;
  int moving = 0;
  for (const PlacedShape& placed : shapes_) {
    if (first_velocity_[at(placed.body)] < 0 || !(shape_of(placed).size() > 0)) continue;
    sum += shape_of(placed).size();
    ++moving;
  }
  if (moving > 0) skin_ = 0.05 * sum / moving;
  size_ = std::max(velocities + parts_.formulas.dense_size, parts_.formulas.size);
  first_shape_contact_ = static_cast<int>(parts_.formulas.contacts.size()) + element_count();
  std::sort(parts_.never_touch.begin(), parts_.never_touch.end());
}

void Assembly::mass(const double* q, double t, BlockMass& M) {
  M.diagonal.clear();
  for (const Body& body : parts_.bodies) {
    if (body.is_fixed) continue;
    M.diagonal.insert(M.diagonal.end(), {body.mass, body.mass, body.inertia});
  }
  SparsePrograms& f = parts_.formulas;
  if (f.constant_mass) {
    M.dense = f.M;
    return;
  }
  M.dense.resize(at(f.mass.result_count()));
  f.mass.run(q, nullptr, t, M.dense.data());
}

void Assembly::force(const double* q, const double* u, double t, double* h) {
  std::fill(h, h + size_, 0.0);
  for (std::size_t b = 0; b < parts_.bodies.size(); ++b) {
    const int i = first_velocity_[b];
    if (i < 0) continue;
    h[i] = parts_.bodies[b].mass * parts_.gravity.x;
    h[i + 1] = parts_.bodies[b].mass * parts_.gravity.y;
  }
  parts_.formulas.force.add_to(q, u, t, h);
}

void Assembly::constraints(const double* q, double t, double* g) {
  parts_.formulas.constraint_values.run(q, nullptr, t, g);
}

void Assembly::constraint_rows(const double* q, double t, RowDirections& rows) {
  rows.clear();
  parts_.formulas.constraints.append_to(q, t, rows);
}

std::string Assembly::constraint_name(int constraint) const {
  return at(constraint) < parts_.constraint_names.size() ? parts_.constraint_names[at(constraint)]
                                                         : SparseSystem::constraint_name(constraint);
}

std::vector<int> Assembly::contact_numbers() const {
  std::vector<int> numbers;
  for (const Touch& t : touches_) numbers.insert(numbers.end(), {t.a, t.b, t.feature});
  return numbers;
}

void Assembly::set_contact_numbers(const std::vector<int>& numbers) {
  touches_.clear();
  touch_number_.clear();
  for (std::size_t i = 0; i + 2 < numbers.size(); i += 3) number_of({numbers[i], numbers[i + 1], numbers[i + 2]});
}

void Assembly::find_contacts(const double* q, double t, double reach, ActiveContacts& found) {
  found.clear();
  if (!parts_.formulas.contacts.empty()) find_formula_contacts(q, t, reach, found);
  if (!shapes_.empty()) find_shape_contacts(q, reach, found);
}

void Assembly::find_formula_contacts(const double* q, double t, double reach, ActiveContacts& found) {
  SparsePrograms& f = parts_.formulas;
  f.gaps.run(q, nullptr, t);
  for (int i = 0; i < f.gaps.result_count(); ++i) {
    const double gap = f.gaps.result(i);
    if (gap > reach) continue;
    GatheredProgram& law = f.laws[at(i)];
    law.run(q, nullptr, t);
    found.list.push_back({i, gap, law_from([&](int k) { return law.result(k); })});
    f.contacts[at(i)].append_to(q, t, found.rows);
  }
}

const geometry::Shape& Assembly::shape_of(const PlacedShape& p) const {
  return parts_.bodies[at(p.body)].shapes[at(p.shape)];
}

bool AssemblyParts::may_touch(int body_a, int body_b) const {
  const Body &a = bodies[at(body_a)], &b = bodies[at(body_b)];
  if (body_a == body_b || (a.is_fixed && b.is_fixed)) return false;
  if (collisions.law(a.group, b.group) == nullptr) return false;
  const std::pair<int, int> in_order(std::min(body_a, body_b), std::max(body_a, body_b));
  return !std::binary_search(never_touch.begin(), never_touch.end(), in_order);
}

TouchingShapes Assembly::touching(int contact) const {
  if (contact < first_shape_contact_) return {};
  const Touch& touch = touches_[at(contact - first_shape_contact_)];
  return {touch.a, touch.b};
}

template <class Use>
void Assembly::for_each_touch(const double* q, double reach, const Use& use) {
  for (std::size_t b = 0; b < parts_.bodies.size(); ++b) {
    const int i = first_velocity_[b];
    if (i >= 0) placements_[b] = {q[i], q[i + 1], q[i + 2]};
  }
  for (std::size_t s = 0; s < shapes_.size(); ++s) {
    if (first_velocity_[at(shapes_[s].body)] < 0) continue;
    boxes_[s] = shape_of(shapes_[s]).bounds(placements_[at(shapes_[s].body)]);
  }
  const auto& pairs = pairs_.update(boxes_, reach, skin_, [this](int a, int b) {
    return parts_.may_touch(shapes_[at(a)].body, shapes_[at(b)].body);
  });
  geometry::ContactPoint points[geometry::most_contact_points];
  for (const auto& [i, j] : pairs) {
    const PlacedShape &a = shapes_[at(i)], &b = shapes_[at(j)];
    const int count = geometry::contact_points(shape_of(a), placements_[at(a.body)], shape_of(b),
                                               placements_[at(b.body)], reach, points);
    for (int k = 0; k < count; ++k) use(points[k], a, b, number_of({i, j, points[k].feature}));
  }
}

void Assembly::find_shape_contacts(const double* q, double reach, ActiveContacts& found) {
  for_each_touch(q, reach, [&](const geometry::ContactPoint& point, const PlacedShape& a, const PlacedShape& b, int i) {
    found.list.push_back({i, point.gap, law_between(a, b)});
    add_point(point, a, b, found.rows);
  });
}

void Assembly::find_places(const double* q, double reach, std::vector<ContactPlace>& places) {
  places.clear();
  for_each_touch(q, reach, [&](const geometry::ContactPoint& point, const PlacedShape& a, const PlacedShape& b, int i) {
    const Point middle = 0.5 * (point.on_a + point.on_b);
    // Towards a body that moves; seen from the other one friction counts along the same turned normal.
    const Point n = first_velocity_[at(b.body)] < 0 ? -point.normal : point.normal;
    places.push_back({i, middle.x, middle.y, n.x, n.y, law_between(a, b)});
  });
}

const contact::Law& Assembly::law_between(const PlacedShape& a, const PlacedShape& b) const {
  return *parts_.collisions.law(parts_.bodies[at(a.body)].group, parts_.bodies[at(b.body)].group);
}

// Rows of n·(v_b − v_a) at the witness points, and of t·(v_b − v_a) at the point between them: where bodies overlap,
// friction that acted at two points would be a couple, and change the angular momentum. t is n turned by a quarter.
void Assembly::add_point(const geometry::ContactPoint& point, const PlacedShape& a, const PlacedShape& b,
                         RowDirections& rows) {
  const auto add = [&](const PlacedShape& shape, Point direction, Point on) {
    const int i = first_velocity_[at(shape.body)];
    if (i < 0) return;
    rows.w.add(i, direction.x);
    rows.w.add(i + 1, direction.y);
    rows.w.add(i + 2, geometry::cross(on - placements_[at(shape.body)].origin(), direction));
  };
  const Point n = point.normal, t = geometry::perpendicular(n), middle = 0.5 * (point.on_a + point.on_b);
  add(a, -n, point.on_a);
  add(b, n, point.on_b);
  rows.end_row(0);
  add(a, -t, middle);
  add(b, t, middle);
  rows.end_row(0);
}

int Assembly::number_of(const Touch& touch) {
  const auto [entry, is_new] = touch_number_.try_emplace(touch, static_cast<int>(touches_.size()));  // no heap if known
  if (is_new) touches_.push_back(touch);
  return first_shape_contact_ + entry->second;
}

std::string Assembly::contact_name(int contact) const {
  const SparsePrograms& f = parts_.formulas;
  if (at(contact) < f.contacts.size() + f.element_laws.size()) {
    return at(contact) < parts_.contact_names.size() ? parts_.contact_names[at(contact)]
                                                     : SparseSystem::contact_name(contact);
  }
  // body/body, with what meets: c corner, e edge
  const Touch& touch = touches_[at(contact - first_shape_contact_)];
  const geometry::Meeting meeting = geometry::meeting_of(touch.feature);
  const auto part = [&](int shape, int number, bool corner) {
    const PlacedShape& placed = shapes_[at(shape)];
    const Body& body = parts_.bodies[at(placed.body)];
    std::string name = body.name;
    if (body.shapes.size() > 1) name += fmt::format(".{}", placed.shape + 1);
    if (shape_of(placed).has_corners()) name += fmt::format(":{}{}", corner ? "c" : "e", number + 1);
    return name;
  };
  return part(touch.a, geometry::number_in_a(touch.feature), meeting != geometry::Meeting::edge_corner) + "/" +
         part(touch.b, geometry::number_in_b(touch.feature), meeting != geometry::Meeting::corner_edge);
}

contact::ElementLaw Assembly::element_law(int e) const { return parts_.formulas.element_laws[at(e)]; }

void Assembly::element_rows(const double* q, double t, RowDirections& rows, double* displacement) {
  rows.clear();
  RowProgram& elements = parts_.formulas.elements;
  elements.append_to(q, t, rows);
  for (int e = 0; e < element_count(); ++e) displacement[e] = elements.further(e);
}

double Assembly::potential_energy(const double* q, double t) {
  double energy = parts_.formulas.potential.value(q, nullptr, t);
  for (std::size_t b = 0; b < parts_.bodies.size(); ++b) {
    const int i = first_velocity_[b];
    if (i >= 0) energy -= parts_.bodies[b].mass * (parts_.gravity.x * q[i] + parts_.gravity.y * q[i + 1]);
  }
  return energy;
}

void Assembly::nonconservative_force(const double* q, const double* u, double t, double* f) {
  std::fill(f, f + size_, 0.0);
  parts_.formulas.working.add_to(q, u, t, f);
}

double Assembly::potential_rate(const double* q, double t) {
  return parts_.formulas.potential_rate.value(q, nullptr, t);
}

double Assembly::kinetic_rest(const double* q, const double* u, double t) {
  return parts_.formulas.has_kinetic_rest ? parts_.formulas.kinetic_rest.value(q, u, t) : 0;
}

void Assembly::blow(int i, const double* q, double t, double* J) {
  parts_.formulas.blows[at(i)].add_to(q, nullptr, t, J);
}

void Assembly::outputs(const double* q, const double* u, double t, double* y) {
  parts_.formulas.outputs.run(q, u, t, y);
}

std::string Assembly::coordinate_name(int i) const {
  return at(i) < parts_.coordinate_names.size() ? parts_.coordinate_names[at(i)] : SparseSystem::coordinate_name(i);
}

bool Assembly::is_given_position(int i) const {
  return parts_.given_positions.empty() || parts_.given_positions[at(i)] != 0;
}
bool Assembly::is_given_velocity(int i) const {
  return parts_.given_velocities.empty() || parts_.given_velocities[at(i)] != 0;
}

}  // namespace picus::mechanics
