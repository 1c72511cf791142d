// All solutions of a planar contact problem by enumeration: the independent method that solvers are tested against.
#pragma once

#include <Eigen/Core>
#include <vector>

namespace picus::contact {

// Impulses and velocities of one solution; rows 2i (normal) and 2i + 1 (tangential) belong to contact i.
struct ContactSolution {
  Eigen::VectorXd Lambda;
  Eigen::VectorXd xi;
  double residual = 0;  // largest law_residual over the reference velocity
};

// A whole piece of solutions: conv(vertices) + cone(rays), of dimension one or more.
struct ContactFace {
  int dimension = 0;
  std::vector<ContactSolution> vertices;
  std::vector<Eigen::VectorXd> rays;  // directions of Λ
};

struct ContactSolutions {
  std::vector<ContactSolution> isolated;
  std::vector<ContactFace> faces;
  bool complete = true;
};

inline constexpr int all_solutions_contact_limit = 8;

// All solutions of ξ = G Λ + b under the planar laws with friction coefficients mu, by contact states (4ᵏ of them):
// isolated ones, and faces where the matrix of a state is singular. Throws InputError when the sizes do not fit, a
// friction coefficient is negative, or there are more contacts than all_solutions_contact_limit.
ContactSolutions enumerate_contact_solutions(const Eigen::MatrixXd& G, const Eigen::VectorXd& b,
                                             const Eigen::VectorXd& mu, double tolerance = 1e-10);

}  // namespace picus::contact
