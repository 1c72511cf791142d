#include "picus/report/contact_sights.hpp"

#include <algorithm>
#include <cmath>

namespace picus::report {
namespace {

using Eigen::Vector3d;

// A contact acts by its gap where the method looked; at the recorded state it may be a little off.
constexpr double share_of_size = 0.05;

double size_of(const geometry::SpatialShape& shape) { return shape.radius; }
double size_of(const geometry::Shape& shape) { return shape.size(); }

// Of the largest moving body.
template <class Parts>
double largest_size(const Parts& parts) {
  double size = 0;
  for (const auto& body : parts.bodies) {
    if (body.is_fixed) continue;
    for (const auto& shape : body.shapes) size = std::max(size, size_of(shape));
  }
  return size;
}

}  // namespace

ContactSights::ContactSights(const RecordedRun& run)
    : formula_contacts_(run.model().definition().equations.contacts.size()), places_(run.mechanism()) {
  const modelfile::Definition& d = run.model().definition();
  for (std::size_t i = 0; i < run.contact_names().size(); ++i) {
    number_.emplace(run.contact_names()[i], static_cast<int>(i));
  }
  if (d.space) {
    const mechanics::SpatialParts& parts = run.mechanism().spatial_parts();
    reach_ = share_of_size * largest_size(parts);
    space_ = std::make_unique<mechanics::SpatialSystem>(parts);
    takes_polytopes_ = run.summary().value("method", "") == "stewart-trinkle";
  } else if (!d.collisions.empty()) {
    shapes_ = run.mechanism().assembly();
    reach_ = share_of_size * largest_size(run.mechanism().body_parts());
  }
  last_q_.assign(run.description().coordinates.size(), std::nan(""));
}

void ContactSights::look(const double* q, double t) {
  if (t == last_t_ && std::equal(last_q_.begin(), last_q_.end(), q)) return;
  std::copy_n(q, last_q_.size(), last_q_.begin());
  last_t_ = t;
  seen_.clear();
  if (space_) return look_in_space(q);
  look_at_formulas(q, t);
  if (shapes_) look_at_shapes(q);
}

void ContactSights::look_at_formulas(const double* q, double t) {
  model::ContactPlaces::Place place;
  for (std::size_t i = 0; i < formula_contacts_; ++i) {
    if (!places_.find(static_cast<int>(i), q, t, place)) continue;
    Sight sight;
    sight.point = {place.x, place.y, 0};
    sight.normal = {place.normal_x, place.normal_y, 0};
    seen_[static_cast<int>(i)] = sight;
  }
}

int ContactSights::number_of(const std::string& name) const {
  const auto found = number_.find(name);
  return found == number_.end() ? -1 : found->second;
}

void ContactSights::put(int contact, const Sight& sight, double mu) {
  if (contact < 0) return;
  seen_[contact] = sight;
  mu_.emplace(contact, mu);
}

void ContactSights::look_at_shapes(const double* q) {
  std::vector<mechanics::ContactPlace> places;
  shapes_->find_places(q, reach_, places);
  for (int i = static_cast<int>(run_number_.size()); i < shapes_->contact_count(); ++i) {
    run_number_.push_back(number_of(shapes_->contact_name(i)));
  }
  for (const mechanics::ContactPlace& place : places) {
    Sight sight;
    sight.point = {place.x, place.y, 0};
    sight.normal = {place.normal_x, place.normal_y, 0};
    const contact::Law& law = place.law;
    const bool one_number = law.v_s == 0 && law.mu_static == 0 && law.friction_force == 0;
    put(run_number_[static_cast<std::size_t>(place.contact)], sight, one_number ? law.mu : -1);
  }
}

void ContactSights::look_in_space(const double* q) {
  std::vector<geometry::SpatialPlacement> poses(static_cast<std::size_t>(space_->moving()));
  for (geometry::SpatialPlacement& p : poses) {
    p.x = {q[0], q[1], q[2]};
    p.turn = Eigen::Quaterniond(q[3], q[4], q[5], q[6]).normalized();
    q += 7;
  }
  std::vector<mechanics::SpatialContact> contacts;
  space_->find_contacts(poses, reach_, contacts);
  for (int i = static_cast<int>(run_number_.size()); i < space_->contact_count(); ++i) {
    run_number_.push_back(number_of(space_->contact_name(i)));
  }
  for (const mechanics::SpatialContact& c : contacts) {
    Sight sight;
    sight.point = poses[static_cast<std::size_t>(c.b)].x + c.arm_b;
    sight.normal = c.n;
    sight.tangent = c.t;
    const int contact = run_number_[static_cast<std::size_t>(c.number)];
    put(contact, sight, space_->law(c.law).mu);
    law_.emplace(contact, c.law);
  }
}

const Sight* ContactSights::find(int contact) const {
  const auto found = seen_.find(contact);
  return found == seen_.end() ? nullptr : &found->second;
}

int ContactSights::turn(int contact) const {
  if (static_cast<std::size_t>(contact) < formula_contacts_) return places_.turn(contact);
  return mu_.contains(contact) ? -1 : 0;  // of shapes; elements have no direction in the plane
}

double ContactSights::mu(int contact) const {
  const auto found = mu_.find(contact);
  return found == mu_.end() ? -1 : found->second;
}

int ContactSights::friction_set(int contact) const {
  const auto found = law_.find(contact);
  return found == law_.end() ? -1 : found->second;
}

int ContactSights::friction_sets() const {
  int count = 0;
  for (const auto& [contact, law] : law_) count = std::max(count, law + 1);
  return count;
}

const contact::FrictionSet& ContactSights::set(int number) const {
  const contact::SpatialLaw& law = space_->law(number);
  return takes_polytopes_ ? law.polytope : law.set;
}

}  // namespace picus::report
