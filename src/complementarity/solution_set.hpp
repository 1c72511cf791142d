#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <vector>

namespace picus::complementarity {

// One polyhedron {x : E x + e = 0, C x + d ≥ 0} of a solution set, with its vertices and extreme rays.
struct SolutionPiece {
  int dimension = 0;
  std::vector<Eigen::VectorXd> vertices;
  std::vector<Eigen::VectorXd> rays;  // largest entry one
  // The constraints; empty for a point.
  Eigen::MatrixXd E, C;
  Eigen::VectorXd e, d;
};

// Collects the polyhedra of which a piecewise linear problem's solution set is the union, and keeps the maximal ones:
// isolated points and faces. All numbers should be scaled to about one; `tolerance` is relative to that.
class SolutionSet {
 public:
  SolutionSet(int n, double tolerance, std::size_t piece_limit, double work_limit)
      : n_(n), tolerance_(tolerance), piece_limit_(piece_limit), work_left_(work_limit) {}

  void add_point(Eigen::VectorXd x);
  // Adds {x : E x + e = 0, C x + d ≥ 0} unless it is empty; a polyhedron without a vertex counts as empty.
  void add_polyhedron(const Eigen::MatrixXd& E, const Eigen::VectorXd& e, const Eigen::MatrixXd& C,
                      const Eigen::VectorXd& d);

  // False once a limit on pieces or generators was met: some solutions may be missing.
  bool complete() const { return complete_; }
  std::size_t size() const { return pieces_.size(); }

  // The maximal pieces, faces of the highest dimension first, points last.
  std::vector<SolutionPiece> maximal_pieces();

 private:
  void add(SolutionPiece piece);
  bool contains(const SolutionPiece& outer, const SolutionPiece& inner) const;
  bool same_point(const Eigen::VectorXd& a, const Eigen::VectorXd& b) const;
  bool fits(const SolutionPiece& piece, const Eigen::VectorXd& x, double homogeneous) const;
  double slack(const Eigen::VectorXd& x) const;
  int affine_dimension(const SolutionPiece& piece) const;

  int n_;
  double tolerance_;
  std::size_t piece_limit_;
  double work_left_;
  bool complete_ = true;
  std::vector<SolutionPiece> pieces_;
};

}  // namespace picus::complementarity
