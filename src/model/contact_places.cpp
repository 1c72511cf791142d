#include "picus/model/contact_places.hpp"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <iterator>

#include "picus/formula/derivative.hpp"

namespace picus::model {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::Vector2d;
using Eigen::VectorXd;
using formula::Node;
using modelfile::ContactPlaceDefinition;

// The columns below, one behind the other, of those coordinates that occur in one of them. Returns their number.
std::size_t add_columns(formula::Pool& pool, const mechanics::SymbolList& q, const ContactPlaceDefinition& from,
                        const mechanics::ContactEquations& c, std::vector<Node>& nodes) {
  std::vector<int> x = q.numbers_in(pool, from.x), y = q.numbers_in(pool, from.y), used;
  std::set_union(x.begin(), x.end(), y.begin(), y.end(), std::back_inserter(used));
  for (std::size_t i = 0; i < q.size(); ++i) {
    if (!pool.is_constant(c.normal.w[i], 0) || !pool.is_constant(c.tangential.w[i], 0))
      used.push_back(static_cast<int>(i));
  }
  std::sort(used.begin(), used.end());
  used.erase(std::unique(used.begin(), used.end()), used.end());
  for (Node point : {from.x, from.y}) {
    for (int i : used) nodes.push_back(formula::Derivative(pool, q[static_cast<std::size_t>(i)]).of(point));
  }
  for (const std::vector<Node>* w : {&c.normal.w, &c.tangential.w}) {
    for (int i : used) nodes.push_back((*w)[static_cast<std::size_t>(i)]);
  }
  return used.size();
}

// Columns 0, 1: how a point (x, y) moves with q; 2, 3: w_N, w_T.
MatrixXd columns(const mechanics::GatheredProgram& program, std::size_t n, int first) {
  MatrixXd J(static_cast<Index>(n), 4);
  for (Index c = 0; c < 4; ++c) {
    for (Index i = 0; i < J.rows(); ++i) J(i, c) = program.result(first++);
  }
  return J;
}

// A force f at the point acts on the coordinates by Jᵀf: that of the contact, w_N, says which way f points. A point
// that moves along one line only, or not at all, does not tell: zero.
Vector2d normal_from_motion(const MatrixXd& J) {
  const auto factors = J.leftCols(2).completeOrthogonalDecomposition();
  return factors.rank() < 2 ? Vector2d(0, 0) : Vector2d(factors.solve(VectorXd(J.col(2))));
}

// Whether w_T acts along the normal turned clockwise.
int turn_from_motion(const MatrixXd& J, const ContactPlaces::Place& place) {
  const VectorXd clockwise = J.leftCols(2) * Vector2d(place.normal_y, -place.normal_x);
  const double along = clockwise.dot(J.col(3)), size = clockwise.norm() * J.col(3).norm();
  return std::abs(along) > 1e-6 * size ? (along < 0 ? -1 : 1) : 0;
}

}  // namespace

ContactPlaces::ContactPlaces(const Mechanism& mechanism) {
  const modelfile::Definition& d = mechanism.definition();
  if (d.contact_places.empty()) return;
  formula::Pool pool = d.pool;
  std::vector<std::vector<Node>> formulas;
  for (std::size_t k = 0; k < d.contact_places.size(); ++k) {
    const ContactPlaceDefinition& from = d.contact_places[k];
    contacts_.push_back({from.is_known, from.has_normal, {}, from.turn, 0});
    std::vector<Node>& nodes = formulas.emplace_back();
    if (!from.is_known) continue;
    nodes = {from.x, from.y};
    if (from.has_normal) nodes.insert(nodes.end(), {from.normal_x, from.normal_y});
    contacts_[k].coordinates = add_columns(pool, d.equations.symbols.q, from, d.equations.contacts[k], nodes);
  }
  std::vector<mechanics::GatheredProgram> programs = mechanism.compile(std::move(pool), formulas);
  const std::vector<double>& q = mechanism.start().q;
  for (std::size_t k = 0; k < contacts_.size(); ++k) {
    Contact& c = contacts_[k];
    c.program = std::move(programs[k]);
    Place place;
    if (c.turn != 0 || !find(static_cast<int>(k), q.data(), 0, place)) continue;
    c.turn = turn_from_motion(columns(c.program, c.coordinates, c.has_normal ? 4 : 2), place);
  }
}

bool ContactPlaces::find(int contact, const double* q, double t, Place& place) {
  if (contact < 0 || static_cast<std::size_t>(contact) >= contacts_.size()) return false;
  Contact& c = contacts_[static_cast<std::size_t>(contact)];
  if (!c.is_known) return false;
  c.program.run(q, nullptr, t);
  const Vector2d n = c.has_normal ? Vector2d(c.program.result(2), c.program.result(3))
                                  : normal_from_motion(columns(c.program, c.coordinates, 2));
  place = {c.program.result(0), c.program.result(1), n[0] / n.norm(), n[1] / n.norm()};
  return std::isfinite(place.x) && std::isfinite(place.y) && n.norm() > 0 && n.allFinite();
}

int ContactPlaces::turn(int contact) const {
  const auto i = static_cast<std::size_t>(contact);
  return contact >= 0 && i < contacts_.size() ? contacts_[i].turn : 0;
}

}  // namespace picus::model
