// The problems of what comes next at an instant, and what forces and impulses do to u.
#include "picus/eventdriven/instant.hpp"

namespace picus::eventdriven {

using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

// What round-off has left of A = Aᵀ.
void make_symmetric(MatrixXd& A) { A = 0.5 * (A + A.transpose()).eval(); }

}  // namespace

void Instant::eliminate_constraints(MatrixXd& A, VectorXd& b, const VectorXd& of_constraints) const {
  if (constraints_.W.rows() == 0) return;
  const MatrixXd C = constraints_.W * MinvWt_;
  A -= C.transpose() * B_inverse_ * C;
  b -= C.transpose() * (B_inverse_ * of_constraints);
}

acceleration::AccelerationProblem Instant::acceleration_problem() {
  acceleration::AccelerationProblem p;
  p.A = rows_.W * MinvWt_;
  p.b = rows_.W * free_ + rows_.zeta;
  eliminate_constraints(p.A, p.b, constraints_.W * free_ + constraints_.zeta);
  make_symmetric(p.A);
  for (std::size_t i = 0; i < acting_.size(); ++i) {
    acceleration::ForceContact c;
    c.tangential = tangential(i);
    c.has_normal = has_normal_[i];
    c.mu = mu_[i];
    c.constant = law_[i].law.friction_force;
    c.axes = law_[i].axes;
    c.rolling = acting_[i].mode == Mode::rolling;
    if (!c.rolling) c.sliding = sliding_way(i);
    p.contacts.push_back(c);
  }
  return p;
}

acceleration::AccelerationProblem Instant::impact_problem(bool with_restitution, const VectorXd& blow) {
  acceleration::AccelerationProblem p;
  p.A = rows_.W * MinvWt_;
  const VectorXd jump = blow.size() > 0 ? jump_by(blow) : VectorXd::Zero(M_.rows());
  p.b = rows_.gamma + rows_.W * jump;
  for (std::size_t i = 0; i < acting_.size(); ++i) {
    const contact::Law& law = law_[i].law;
    for (int r = first_[i]; r < first_[i + 1]; ++r) {
      const bool normal = r == first_[i] && has_normal_[i];
      if (with_restitution) p.b[r] += (normal ? (acting_[i].tired ? 0 : law.eN) : law.eT) * rows_.gamma[r];
    }
    acceleration::ForceContact c;
    c.tangential = tangential(i);
    c.has_normal = has_normal_[i];
    c.mu = mu_[i];
    c.axes = law_[i].axes;
    p.contacts.push_back(c);
  }
  eliminate_constraints(p.A, p.b, constraints_.gamma + constraints_.W * jump);
  make_symmetric(p.A);
  return p;
}

void Instant::take_forces(const VectorXd& forces) {
  u_dot_ = free_;
  if (constraints_.W.rows() > 0) {
    u_dot_ -= MinvBt_ * (B_inverse_ * (constraints_.W * free_ + constraints_.zeta));
  }
  u_dot_ += response(forces);
  if (constraints_.W.rows() > 0) {
    constraint_lambda_ -= B_inverse_ * (constraints_.W * free_ + constraints_.zeta);
  }
  lambda_ = forces;
  determined_ = true;
  has_margin_ = false;
}

// A change of u, with what constraints make of it.
VectorXd Instant::constrained(VectorXd change) {
  constraint_lambda_.setZero(constraints_.W.rows());
  if (constraints_.W.rows() > 0) {
    constraint_lambda_ = -B_inverse_ * (constraints_.W * change);
    change += MinvBt_ * constraint_lambda_;
  }
  return change;
}

VectorXd Instant::jump_by(const VectorXd& blow) { return constrained(factor_.solve(blow)); }
VectorXd Instant::response(const VectorXd& forces) { return constrained(MinvWt_ * forces); }

}  // namespace picus::eventdriven
