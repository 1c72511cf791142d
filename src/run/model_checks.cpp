#include "picus/run/model_checks.hpp"

#include <algorithm>
#include <unordered_set>

#include "picus/checks/motion_check.hpp"
#include "picus/checks/overlap_check.hpp"
#include "picus/checks/passing_check.hpp"
#include "picus/checks/stiffness_check.hpp"
#include "picus/formula/derivative.hpp"
#include "picus/model/mechanism.hpp"
#include "picus/model/parts.hpp"
#include "picus/run/seams.hpp"
#include "picus/run/stiffness.hpp"

namespace picus::run {
namespace {

using formula::Node;
using formula::Op;
using formula::Pool;

constexpr double infinity = std::numeric_limits<double>::infinity();

// Operations whose value may jump where their arguments do not.
bool may_jump(Op op) {
  return op == Op::sign || op == Op::round_down || op == Op::tangent || op == Op::divide || op == Op::arc_tangent_2 ||
         op == Op::hyperbolic_tangent || op == Op::logical_not || (op >= Op::less && op <= Op::select);
}

// Where what it is applied to moves.
bool may_jump(const Pool& pool, const mechanics::Symbols& s, Node n, std::unordered_set<int>& seen) {
  if (!seen.insert(n.index).second) return false;
  if (may_jump(pool.op(n)) && s.is_variable(pool, pool.op(n) == Op::divide ? pool.argument(n, 1) : n)) return true;
  for (int i = 0; i < formula::argument_count(pool.op(n)); ++i) {
    if (may_jump(pool, s, pool.argument(n, i), seen)) return true;
  }
  return false;
}

checks::ContactName names_of(const model::Mechanism& mechanism, const Simulation& run) {
  return [&mechanism, &run](int contact) {
    const std::string own = run.contact_name(contact);
    return own.empty() ? mechanism.description().contact(contact).name : own;
  };
}

double smallest_extent(const geometry::Shape& s) {
  if (s.kind() != geometry::Shape::Kind::segment) return 2 * s.half_width();
  const geometry::Point along = s.corner(1) - s.corner(0);
  return std::hypot(along.x, along.y);
}
double smallest_extent(const geometry::SpatialShape& s) {
  return s.kind == geometry::SpatialShape::Kind::sphere ? 2 * s.radius : infinity;
}

// Of the body of each shape.
template <class Bodies>
std::vector<double> extents_of(const Bodies& bodies) {
  std::vector<double> extents;
  for (const auto& body : bodies) {
    double least = infinity;
    for (const auto& shape : body.shapes) least = std::min(least, smallest_extent(shape));
    extents.insert(extents.end(), body.shapes.size(), least);
  }
  return extents;
}

std::unique_ptr<checks::StepCheck> gap_check(const model::Mechanism& mechanism, const options::StepOptions& options,
                                             const Simulation& run) {
  const modelfile::Definition& d = mechanism.definition();
  if (d.equations.contacts.empty()) return nullptr;
  Pool pool = d.pool;
  std::vector<Node> nodes;
  std::unordered_set<int> seen;
  bool jumps = false;
  for (const mechanics::ContactEquations& c : d.equations.contacts) {
    nodes.push_back(c.gap);
    jumps = may_jump(pool, d.equations.symbols, c.gap, seen) || jumps;
  }
  const mechanics::Symbols& s = d.equations.symbols;
  for (const mechanics::ContactEquations& c : d.equations.contacts) {
    nodes.push_back(mechanics::time_derivative(pool, s, c.gap));
  }
  for (const mechanics::ContactEquations& c : d.equations.contacts) {
    Node size = pool.constant(0);
    for (const int i : s.q.numbers_in(pool, c.gap)) {
      const Node q = s.q[static_cast<std::size_t>(i)];
      const Node share = pool.multiply(formula::Derivative(pool, q).of(c.gap), q);
      size = pool.add(size, pool.unary(Op::absolute, share));
    }
    nodes.push_back(size);
  }
  const double theta = options.method == options::Method::moreau_jean ? options.theta : 0.5;
  return std::make_unique<checks::GapCheck>(mechanism.compile(pool, nodes), jumps, theta, names_of(mechanism, run));
}

void add_plane(const model::Mechanism& mechanism, const options::StepOptions& options, const Simulation& run,
               checks::StepChecks& list) {
  const modelfile::Definition& d = mechanism.definition();
  list.add(gap_check(mechanism, options, run));
  if (!d.equations.constraints.empty()) {
    list.add(std::make_unique<checks::DriveCheck>(d.description.coordinates));
  }
  if (d.collisions.empty()) return;
  mechanics::AssemblyParts parts = mechanism.body_parts();
  list.add(seam_check(parts));
  list.add(std::make_unique<checks::OverlapCheck>(extents_of(parts.bodies), names_of(mechanism, run)));
  constexpr double theta = 0.5;  // bodies are stepped by moreau-midpoint
  auto passing = std::make_unique<checks::PlanarPassingCheck>(std::move(parts), theta);
  if (passing->has_work()) list.add(std::move(passing));
}

void add_space(const model::Mechanism& mechanism, const options::StepOptions& options, const Simulation& run,
               checks::StepChecks& list) {
  if (mechanism.definition().collisions.empty()) return;
  mechanics::SpatialParts parts = mechanism.spatial_parts();
  list.add(std::make_unique<checks::OverlapCheck>(extents_of(parts.bodies), names_of(mechanism, run)));
  const double theta = options::is_for_space(options.method)                ? 1
                       : options.method == options::Method::moreau_midpoint ? 0.5
                                                                            : options.theta;
  auto passing = std::make_unique<checks::SpatialPassingCheck>(std::move(parts), theta);
  if (passing->has_work()) list.add(std::move(passing));
}

// Of contacts at the start, given by gap, shapes and number.
template <class Name>
void note_overlap(double gap, int shape_a, int shape_b, int contact, const std::vector<double>& extents,
                  const Name& name, StartOverlap& deepest) {
  if (shape_a < 0) return;
  const double extent =
      std::min(extents[static_cast<std::size_t>(shape_a)], extents[static_cast<std::size_t>(shape_b)]);
  if (-gap > deepest.share * extent) deepest = {-gap / extent, -gap, extent, name(contact)};
}

}  // namespace

StartOverlap start_overlap(const model::Mechanism& mechanism) {
  StartOverlap deepest;
  if (mechanism.definition().collisions.empty()) return deepest;
  const std::vector<double> q = mechanism.start().q;
  if (!mechanism.definition().space) {
    const std::vector<double> extents = extents_of(mechanism.body_parts().bodies);
    const auto system = mechanism.assembly();
    mechanics::ActiveContacts found;
    system->find_contacts(q.data(), 0, 0, found);
    for (const mechanics::ActiveContact& c : found.list) {
      const mechanics::TouchingShapes shapes = system->touching(c.contact);
      note_overlap(
          c.gap, shapes.a, shapes.b, c.contact, extents, [&](int i) { return system->contact_name(i); }, deepest);
    }
    return deepest;
  }
  mechanics::SpatialSystem system(mechanism.spatial_parts());
  const std::vector<double> extents = extents_of(system.parts().bodies);
  std::vector<mechanics::SpatialContact> found;
  system.find_contacts(model::poses_in_space(q), 0, found);
  for (const mechanics::SpatialContact& c : found) {
    const auto [a, b] = system.touching(c.number);
    note_overlap(
        c.gap, a, b, c.number, extents, [&](int i) { return system.contact_name(i); }, deepest);
  }
  return deepest;
}

checks::StepChecks make_checks(const model::Mechanism& mechanism, const options::StepOptions& options,
                               const Simulation& run) {
  checks::StepChecks list;
  if (options.method == options::Method::event_driven) return list;  // locates its events itself
  if (checks::is_explicit(options.method)) list.add(stiffness_check(mechanism, options));
  if (mechanism.definition().space) {
    add_space(mechanism, options, run, list);
  } else {
    add_plane(mechanism, options, run, list);
  }
  return list;
}

}  // namespace picus::run
