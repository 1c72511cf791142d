// What has been found of a problem's solutions: points and faces of forces, and what they are in accelerations.
#pragma once

#include <vector>

#include "picus/acceleration/acceleration_problem.hpp"
#include "picus/acceleration/contact_modes.hpp"

namespace picus::acceleration {

// Of inequalities, and of accelerations that count as the same, over the terms that they are made of.
inline constexpr double tolerance = 1e-10, same_acceleration = 1e-8;

// The size of the terms that accelerations and forces are made of, at least one.
double size_of_terms(const ScaledProblem& p, const Eigen::VectorXd& c);

// The solution with these scaled forces, put inside their bounds where round-off has left them outside.
AccelerationSolution describe(const AccelerationProblem& problem, const ScaledProblem& p, Eigen::VectorXd c);

class SolutionCollection {
 public:
  explicit SolutionCollection(const ScaledProblem& p);

  void add_point(const Eigen::VectorXd& c) { set_.add_point(c); }
  void add_face(const Modes& modes) {
    const ModePolyhedron face(p_, modes);
    set_.add_polyhedron(face.E, face.e, face.C, face.d);
  }
  bool complete() const { return set_.complete(); }
  AccelerationSolutions solutions(const AccelerationProblem& problem);

 private:
  void take(const Eigen::VectorXd& c, AccelerationSolutions& all);

  const ScaledProblem& p_;
  complementarity::SolutionSet set_;
  std::vector<Eigen::VectorXd> c_, a_;
};

}  // namespace picus::acceleration
