#include "picus/acceleration/contact_modes.hpp"

#include <Eigen/Core>

#include "picus/math/dense.hpp"

namespace picus::acceleration {
namespace {

using Friction = ContactMode::Friction;

// Friction of a contact that does not stay at rest: c_T = σ · this.
Eigen::Vector3d friction_direction(const ScaledContact& contact, const ContactMode& mode) {
  return mode.friction == Friction::slides ? Eigen::Vector3d(-mode.u) : contact.direction;
}

bool closed(const ScaledContact& contact, const ContactMode& mode) { return contact.normal >= 0 && mode.closed; }

}  // namespace

std::vector<ContactMode> modes_of(const ScaledContact& contact) {
  std::vector<ContactMode> list;
  for (const bool is_closed : {false, true}) {
    if (contact.normal < 0 && is_closed) continue;
    const bool loaded = contact.constant > 0 || (is_closed && contact.mu > 0);
    if (contact.given || contact.rows == 0 || !loaded) {
      list.push_back({is_closed, Friction::given, {0, 0, 0}});
      continue;
    }
    list.push_back({is_closed, Friction::rest, {0, 0, 0}});
    if (contact.rows == 1) {
      list.push_back({is_closed, Friction::slides, {1, 0, 0}});
      list.push_back({is_closed, Friction::slides, {-1, 0, 0}});
    } else {
      list.push_back({is_closed, Friction::slides, {0, 0, 0}});
    }
  }
  return list;
}

ModeCounter::ModeCounter(const ScaledProblem& p) {
  for (const ScaledContact& contact : p.contacts) {
    modes_.push_back(modes_of(contact));
    index_.push_back(0);
    current_.push_back(modes_.back()[0]);
  }
}

double ModeCounter::count() const {
  double product = 1;
  for (const auto& list : modes_) product *= static_cast<double>(list.size());
  return product;
}

bool ModeCounter::next() {
  for (std::size_t i = index_.size(); i-- > 0;) {
    const bool more = ++index_[i] < modes_[i].size();
    if (!more) index_[i] = 0;
    current_[i] = modes_[i][index_[i]];
    if (more) return true;
  }
  return false;
}

ModeSystem::ModeSystem(const ScaledProblem& p, const Modes& modes) {
  const int n = p.rows();
  for (std::size_t i = 0; i < modes.size(); ++i) {
    const ScaledContact& contact = p.contacts[i];
    if (closed(contact, modes[i])) unknown.push_back(contact.normal);
    if (modes[i].friction != Friction::rest) continue;
    for (int t = 0; t < contact.rows; ++t) unknown.push_back(contact.tangent + t);
  }
  const auto m = static_cast<Eigen::Index>(unknown.size());
  B = Eigen::MatrixXd::Zero(n, m);
  c_0 = Eigen::VectorXd::Zero(n);
  for (Eigen::Index x = 0; x < m; ++x) B(unknown[static_cast<std::size_t>(x)], x) = 1;
  Eigen::Index x = 0;
  for (std::size_t i = 0; i < modes.size(); ++i) {
    const ScaledContact& contact = p.contacts[i];
    const bool is_closed = closed(contact, modes[i]);
    if (modes[i].friction != Friction::rest && contact.rows > 0) {
      const Eigen::VectorXd direction = friction_direction(contact, modes[i]).head(contact.rows);
      c_0.segment(contact.tangent, contact.rows) = contact.constant * direction;
      if (is_closed) B.block(contact.tangent, x, contact.rows, 1) = contact.mu * direction;
    }
    x += (is_closed ? 1 : 0) + (modes[i].friction == Friction::rest ? contact.rows : 0);
  }
  matrix.resize(m, m);
  rhs.resize(m);
  for (Eigen::Index r = 0; r < m; ++r) {
    const int row = unknown[static_cast<std::size_t>(r)];
    matrix.row(r) = p.A.row(row) * B;
    rhs[r] = -p.b[row] - p.A.row(row).dot(c_0);
  }
}

double violation(const ScaledProblem& p, const Modes& modes, const Eigen::VectorXd& c, const Eigen::VectorXd& a) {
  double worst = 0;
  const auto worsen = [&](double amount) {
    if (!(amount <= worst)) worst = amount;  // also where it is no number
  };
  for (std::size_t i = 0; i < modes.size(); ++i) {
    const ScaledContact& contact = p.contacts[i];
    if (contact.normal >= 0) worsen(modes[i].closed ? -c[contact.normal] : -a[contact.normal]);
    if (contact.rows == 0 || modes[i].friction == Friction::given) continue;
    const auto c_T = c.segment(contact.tangent, contact.rows), a_T = a.segment(contact.tangent, contact.rows);
    if (modes[i].friction == Friction::rest) {
      worsen(c_T.norm() - contact.bound(c));
    } else {
      const auto u = modes[i].u.head(contact.rows);
      const double along = a_T.dot(u);
      worsen(-along);
      worsen((a_T - along * u).norm());
    }
  }
  return worst;
}

std::optional<Eigen::VectorXd> forces_of(const ScaledProblem& p, const Modes& modes) {
  const ModeSystem system(p, modes);
  if (system.unknown.empty()) return system.c_0;
  const math::CompleteLu lu(system.matrix, 1e-13);
  if (!lu.is_regular()) return std::nullopt;
  Eigen::VectorXd x = lu.solve(system.rhs);
  Eigen::VectorXd c = system.B * x + system.c_0;
  const Eigen::VectorXd a = p.exact_accelerations(c);
  Eigen::VectorXd left(x.size());
  for (Eigen::Index r = 0; r < x.size(); ++r) left[r] = a[system.unknown[static_cast<std::size_t>(r)]];
  x -= lu.solve(left);
  c = system.B * x + system.c_0;
  if (!c.allFinite()) return std::nullopt;
  return c;
}

ModePolyhedron::ModePolyhedron(const ScaledProblem& p, const Modes& modes) {
  const int n = p.rows();
  E = Eigen::MatrixXd::Zero(n, n);
  e = Eigen::VectorXd::Zero(n);
  C = Eigen::MatrixXd::Zero(2 * n, n);
  d = Eigen::VectorXd::Zero(2 * n);
  int inequalities = 0;
  for (std::size_t i = 0; i < modes.size(); ++i) {
    const ScaledContact& contact = p.contacts[i];
    if (contact.normal >= 0) {
      const int row = contact.normal;
      if (modes[i].closed) {
        E.row(row) = p.A.row(row);
        e[row] = p.b[row];
        C(inequalities++, row) = 1;
      } else {
        E(row, row) = 1;
        C.row(inequalities) = p.A.row(row);
        d[inequalities++] = p.b[row];
      }
    }
    const Eigen::Vector3d direction = friction_direction(contact, modes[i]);
    for (int t = 0; t < contact.rows; ++t) {
      const int row = contact.tangent + t;
      if (modes[i].friction == Friction::rest) {
        E.row(row) = p.A.row(row);
        e[row] = p.b[row];
        if (contact.rows > 1) continue;
        for (const double sign : {1.0, -1.0}) {
          C(inequalities, row) = sign;
          if (contact.normal >= 0) C(inequalities, contact.normal) = contact.mu;
          d[inequalities++] = contact.constant;
        }
        continue;
      }
      E(row, row) = 1;
      if (contact.normal >= 0) E(row, contact.normal) = -contact.mu * direction[t];
      e[row] = -contact.constant * direction[t];
      if (modes[i].friction == Friction::slides && contact.rows == 1) {
        C.row(inequalities) = modes[i].u[0] * p.A.row(row);
        d[inequalities++] = modes[i].u[0] * p.b[row];
      }
    }
  }
  C.conservativeResize(inequalities, n);
  d.conservativeResize(inequalities);
}

Modes modes_shown(const ScaledProblem& p, const Eigen::VectorXd& c, const Eigen::VectorXd& a, double tolerance) {
  Modes modes;
  for (const ScaledContact& contact : p.contacts) {
    ContactMode mode;
    mode.closed = contact.normal >= 0 && c[contact.normal] > std::max(0.0, a[contact.normal]);
    const bool loaded = contact.constant > 0 || (mode.closed && contact.mu > 0);
    if (!contact.given && contact.rows > 0 && loaded) {
      const Eigen::VectorXd a_T = a.segment(contact.tangent, contact.rows);
      const double size = a_T.norm();
      // The way of the residual: rest where c − a is inside the ball.
      const double outside = (c.segment(contact.tangent, contact.rows) - a_T).norm() - contact.bound(c);
      mode.friction = size > tolerance && outside > 0 ? Friction::slides : Friction::rest;
      if (mode.friction == Friction::slides) mode.u.head(contact.rows) = a_T / size;
    }
    modes.push_back(mode);
  }
  return modes;
}

}  // namespace picus::acceleration
