#pragma once

#include <Eigen/Core>
#include <vector>

namespace picus::complementarity {

// P = conv(vertices) + cone(rays).
struct Generators {
  std::vector<Eigen::VectorXd> vertices;
  std::vector<Eigen::VectorXd> rays;
  bool complete = true;  // false: a limit was met, enumeration given up
  double work = 0;       // operations done, roughly
};

// Vertices and extreme rays of the pointed polyhedron {z : C z + d ≥ 0} by the double description method (Motzkin et
// al. 1953) on its homogenisation. Rows of C should have comparable size; `tolerance` is relative to them. A
// polyhedron that contains a line, or is empty, has no vertices.
Generators enumerate_generators(const Eigen::MatrixXd& C, const Eigen::VectorXd& d, double tolerance = 1e-10,
                                std::size_t generator_limit = 4096, double work_limit = 1e10);

}  // namespace picus::complementarity
