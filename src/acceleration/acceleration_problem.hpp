// Contact forces and accelerations at an instant (Trinkle, Tzitzouris & Pang 2001, section 2). For contacts that are
// closed and do not move in their normal direction find forces c and relative accelerations a with
//   (i)    a = A c + b,                     A = Jᵀ M⁻¹ J,   b = J̇ᵀ ν + Jᵀ M⁻¹ g
//   (ii)   0 ≤ a_n ⟂ c_n ≥ 0
//   (iii)  ‖E⁻¹ c_T‖ ≤ σ,                   E = diag(e_t, e_o, e_r),   σ = μ c_n + constant
//   (iv)   c_T maximises −v_T · c_T over (iii) where the contact slides (set N), −a_T · c_T where it is at rest (set
//   R).
#pragma once

#include <Eigen/Core>
#include <vector>

namespace picus::acceleration {

// One closed contact: rows n, then its tangential ones (t, o, r as far as it has them).
struct ForceContact {
  int tangential = 1;                   // number of tangential rows, 0 … 3
  double mu = 0;                        // friction coefficient
  double constant = 0;                  // N; friction that does not depend on the load: σ = μ c_n + constant
  Eigen::Vector3d axes = {1, 1, 1};     // e of the friction ellipsoid, of the tangential rows; where 0, c is 0
  bool rolling = true;                  // relative velocity zero: set R of the paper; else N
  Eigen::Vector3d sliding = {0, 0, 0};  // relative velocity of a contact that slides
  bool has_normal = true;               // false: friction without a normal row (a brake), tangential rows only

  int rows() const { return tangential + (has_normal ? 1 : 0); }
};

// a = A c + b, rows contact by contact; bilateral rows are eliminated by the caller.
struct AccelerationProblem {
  std::vector<ForceContact> contacts;
  Eigen::MatrixXd A;
  Eigen::VectorXd b;

  // Throws InputError that names the first fault: sizes that do not fit, numbers that are not finite, an A that is not
  // symmetric or has a negative diagonal entry, negative coefficients or axes.
  void validate() const;
};

// What a contact does in a solution: opens or carries nothing (c_n = 0), stays at rest, slides or begins to slide.
enum class ForceState : unsigned char { open, rolling, sliding };

struct AccelerationSolution {
  Eigen::VectorXd c, a;
  std::vector<ForceState> state;
  // Distance from (ii)–(iv) over the largest free acceleration: with rows scaled by E and 1/ρ_i the largest diagonal
  // entry of the contact's own block, r_i = ‖c_i − P(c_i − ρ_i a_i)‖ / ρ_i, where P projects on [0, ∞) and the ball of
  // radius σ, or gives the friction of a sliding contact. (i) holds, for a is computed from c.
  double residual = 0;
};

struct AccelerationSolutions {
  std::vector<AccelerationSolution> list;  // different in a; forces with equal accelerations are one solution
  bool complete = true;                    // false: the search may have missed some
  bool indeterminate_forces = false;       // some solution has a family of forces with the same accelerations
  bool continuum = false;                  // a family of solutions with different accelerations; some of it is listed
};

}  // namespace picus::acceleration
