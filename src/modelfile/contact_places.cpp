#include "picus/modelfile/contact_places.hpp"

#include <Eigen/QR>
#include <cmath>

namespace picus::modelfile {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::Vector2d;
using Eigen::VectorXd;
using formula::Node;

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
  const Definition& d = mechanism.definition();
  size_ = d.equations.symbols.q.size();
  const std::vector<double>& q = mechanism.start().q;
  for (std::size_t k = 0; k < d.contact_places.size(); ++k) {
    const ContactPlaceDefinition& from = d.contact_places[k];
    Contact contact{from.is_known, from.has_normal, {}, from.turn};
    if (contact.is_known) {
      formula::Pool pool = d.pool;
      std::vector<Node> nodes = {from.x, from.y};
      if (from.has_normal) nodes.insert(nodes.end(), {from.normal_x, from.normal_y});
      for (Node point : {from.x, from.y}) {
        const std::vector<Node> w = mechanics::direction_of_displacement(pool, d.equations.symbols, point).w;
        nodes.insert(nodes.end(), w.begin(), w.end());
      }
      const mechanics::ContactEquations& c = d.equations.contacts[k];
      nodes.insert(nodes.end(), c.normal.w.begin(), c.normal.w.end());
      nodes.insert(nodes.end(), c.tangential.w.begin(), c.tangential.w.end());
      contact.program = mechanism.compile(pool, nodes);
    }
    contacts_.push_back(std::move(contact));
    Place place;
    if (from.turn != 0 || !find(static_cast<int>(k), q.data(), 0, place)) continue;
    contacts_[k].turn = turn_from_motion(columns(contacts_[k].program, size_, from.has_normal ? 4 : 2), place);
  }
}

bool ContactPlaces::find(int contact, const double* q, double t, Place& place) {
  if (contact < 0 || static_cast<std::size_t>(contact) >= contacts_.size()) return false;
  Contact& c = contacts_[static_cast<std::size_t>(contact)];
  if (!c.is_known) return false;
  c.program.run(q, nullptr, t);
  const Vector2d n = c.has_normal ? Vector2d(c.program.result(2), c.program.result(3))
                                  : normal_from_motion(columns(c.program, size_, 2));
  place = {c.program.result(0), c.program.result(1), n[0] / n.norm(), n[1] / n.norm()};
  return std::isfinite(place.x) && std::isfinite(place.y) && n.norm() > 0 && n.allFinite();
}

int ContactPlaces::turn(int contact) const {
  const auto i = static_cast<std::size_t>(contact);
  return contact >= 0 && i < contacts_.size() ? contacts_[i].turn : 0;
}

}  // namespace picus::modelfile
