// Forces and accelerations of a system at one instant.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "picus/acceleration/acceleration_problem.hpp"
#include "picus/math/dense.hpp"
#include "picus/mechanics/instant_system.hpp"

namespace picus::eventdriven {

// What a contact does between events.
enum class Mode : unsigned char {
  rising,   // open, and its gap grows
  falling,  // open
  sliding,
  rolling  // closed and at rest in its tangential directions, too
};

constexpr bool is_closed(Mode mode) { return mode >= Mode::sliding; }

// A contact that acts, and how it slides. Where its velocity is too small to tell, `direction` does: that in which it
// begins to slide.
struct Acting {
  int contact = 0;
  Mode mode = Mode::rolling;
  Eigen::Vector3d direction = Eigen::Vector3d::Zero();  // of the sliding velocity
  bool tired = false;                                   // its bounces have died out: no restitution
  bool begins = false;                                  // to slide, from rest
};

// Everything at (q, u, t) for the contacts that act. Objects keep their memory from call to call.
class Instant {
 public:
  explicit Instant(mechanics::InstantSystem& system) : system_(system) {}

  // Mass, forces, and rows of constraints and of `acting`. False where M is not positive definite.
  bool evaluate(const double* q, const double* u, double t, const std::vector<Acting>& acting);

  // Forces for the modes as they are, whether or not they obey their inequalities: constraints and normal directions do
  // not accelerate, nor do those tangential ones that roll. Where redundant contacts share them in any way, they are
  // shared so that the laws hold best (in the plane, with up to two ways to share), or are those of least norm.
  void solve_modes();
  // Those of a solution of acceleration_problem() instead.
  void take_forces(const Eigen::VectorXd& forces);
  const Eigen::VectorXd& u_dot() const { return u_dot_; }
  const Eigen::VectorXd& forces() const { return lambda_; }  // of the rows of `acting`
  bool forces_are_determined() const { return determined_; }
  const Eigen::VectorXd& constraint_forces() const { return constraint_lambda_; }
  const mechanics::InstantRows& constraints() const { return constraints_; }

  // Of forces that are not determined: the least of all normal forces and of what is left of friction (N), at its best;
  // the laws can be obeyed in these modes while it is not negative. `limits`: what makes it so small.
  struct Limit {
    std::size_t contact;
    int kind;  // 0: its normal force; ±1: its friction, which acts that way
  };
  bool has_margin() const { return has_margin_; }
  double margin() const { return margin_; }
  const std::vector<Limit>& limits() const { return limits_; }

  // The problem of what happens next, (i)-(iv) of Trinkle, Tzitzouris & Pang (2001); constraints are eliminated.
  // Contacts of `acting` that roll are free to begin to slide.
  acceleration::AccelerationProblem acceleration_problem();
  // The same for impulses and velocities: ξ = G Λ + (1 + ε) γ + what `blow` does; without blow all ŵ count as given.
  acceleration::AccelerationProblem impact_problem(bool with_restitution, const Eigen::VectorXd& blow);
  // The change of u by forces (or impulses) of the rows, with those of the constraints that they call for, which
  // constraint_forces() tells then.
  Eigen::VectorXd response(const Eigen::VectorXd& forces);

  // u moved by as little as the mass allows, so that closed contacts do not separate or approach, those that roll do
  // not slide, and constraints hold.
  void make_consistent(std::vector<double>& u);

  const mechanics::InstantRows& rows() const { return rows_; }
  int first_row(std::size_t i) const { return first_[i]; }
  const mechanics::InstantLaw& law(std::size_t i) const { return law_[i]; }
  // Speed of sliding in units of the friction ellipsoid, |E γ_T|.
  double sliding_speed(std::size_t i) const;
  // What is left of friction before a contact that rolls begins to slide, in N.
  double slack(std::size_t i) const;
  // Sum of |W_j| |u_j|: round-off of γ is a share of it.
  double velocity_size(int row) const;
  // W_N M⁻¹ W_Nᵀ, without what constraints hold back.
  double normal_compliance(std::size_t i) const { return rows_.W.row(first_[i]).dot(MinvWt_.col(first_[i])); }
  double kinetic_energy() const { return 0.5 * u_.dot(M_ * u_); }
  int tangential(std::size_t i) const { return first_[i + 1] - first_[i] - (has_normal_[i] ? 1 : 0); }
  bool has_normal(std::size_t i) const { return has_normal_[i]; }
  bool laws_are_valid() const { return laws_are_valid_; }
  // The jump of u by a blow, with the impulses of constraints that it calls for.
  Eigen::VectorXd jump_by(const Eigen::VectorXd& blow);
  bool has_friction(std::size_t i) const {
    const contact::Law& law = law_[i].law;
    return tangential(i) > 0 && (law.mu > 0 || law.mu_static > 0 || law.friction_force > 0);
  }

 private:
  // Friction that sliding decides: force = normal force × first + second, for the tangential rows.
  struct Drag {
    Eigen::Vector3d per_normal, constant;
  };
  Eigen::Vector3d sliding_way(std::size_t i) const;
  Drag drag(std::size_t i) const;
  std::vector<int> rows_at_rest(bool with_beginnings) const;
  Eigen::MatrixXd directions_of(const std::vector<int>& rows) const;
  Eigen::MatrixXd effects_of(const std::vector<int>& unknown, const std::vector<Drag>& drags) const;
  void share_forces(const Eigen::MatrixXd& matrix, const Eigen::MatrixXd& columns, const Eigen::VectorXd& scale,
                    Eigen::VectorXd& x);
  void factor_constraints();
  Eigen::VectorXd constrained(Eigen::VectorXd change);
  void eliminate_constraints(Eigen::MatrixXd& A, Eigen::VectorXd& b, const Eigen::VectorXd& of_constraints) const;

  mechanics::InstantSystem& system_;
  std::vector<Acting> acting_;
  std::vector<int> first_;  // row of each, and their number
  std::vector<bool> has_normal_;
  std::vector<mechanics::InstantLaw> law_;
  std::vector<double> mu_;
  Eigen::MatrixXd M_, MinvWt_, MinvBt_, B_inverse_;  // pseudo-inverse of B M⁻¹ Bᵀ
  math::CholeskyFactor factor_;
  Eigen::VectorXd h_, u_, free_, u_dot_, lambda_, constraint_lambda_;
  mechanics::InstantRows rows_, constraints_;
  std::vector<int> contacts_;
  bool determined_ = true, has_margin_ = false, laws_are_valid_ = true;
  double margin_ = 0;
  std::vector<Limit> limits_;
};

}  // namespace picus::eventdriven
