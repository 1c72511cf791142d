// What each contact may do, and the linear problem that such a choice leaves.
#pragma once

#include <optional>

#include "picus/acceleration/scaled_problem.hpp"
#include "picus/complementarity/solution_set.hpp"

namespace picus::acceleration {

struct ContactMode {
  enum class Friction : unsigned char {
    given,   // nothing to choose: no friction, none without load, or the contact slides already
    rest,    // a_T = 0
    slides,  // c_T = −σ u, and a_T in the direction u
  };
  bool closed = false;  // c_n ≥ 0 and a_n = 0; else c_n = 0
  Friction friction = Friction::given;
  Eigen::Vector3d u = {0, 0, 0};  // of a contact that begins to slide; open where it has several tangential rows
};

using Modes = std::vector<ContactMode>;

// The modes of one contact, open ones first.
std::vector<ContactMode> modes_of(const ScaledContact& contact);

// All choices of modes, one after the other.
class ModeCounter {
 public:
  explicit ModeCounter(const ScaledProblem& p);
  double count() const;
  const Modes& current() const { return current_; }
  bool next();

 private:
  std::vector<std::vector<ContactMode>> modes_;
  std::vector<std::size_t> index_;
  Modes current_;
};

// c = B x + c_0 for the unknown rows x of the modes, and their equations a_x = 0.
struct ModeSystem {
  std::vector<int> unknown;
  Eigen::MatrixXd B;
  Eigen::VectorXd c_0;
  Eigen::MatrixXd matrix;  // rows `unknown` of A B
  Eigen::VectorXd rhs;     // of matrix x = rhs

  ModeSystem(const ScaledProblem& p, const Modes& modes);
};

// By how much forces c and accelerations a break the inequalities of the modes, in units of a_ref.
double violation(const ScaledProblem& p, const Modes& modes, const Eigen::VectorXd& c, const Eigen::VectorXd& a);

// Forces of the modes where their matrix is regular (corrected once with a remainder in higher precision), whether the
// inequalities hold or not.
std::optional<Eigen::VectorXd> forces_of(const ScaledProblem& p, const Modes& modes);

// {c : E c + e = 0, C c + d ≥ 0} of modes without contacts in space at rest.
struct ModePolyhedron {
  Eigen::MatrixXd E, C;
  Eigen::VectorXd e, d;

  ModePolyhedron(const ScaledProblem& p, const Modes& modes);
};

// The modes that forces and accelerations show.
Modes modes_shown(const ScaledProblem& p, const Eigen::VectorXd& c, const Eigen::VectorXd& a, double tolerance);

}  // namespace picus::acceleration
