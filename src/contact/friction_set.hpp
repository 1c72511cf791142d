#pragma once

#include <Eigen/Core>
#include <memory>
#include <span>
#include <vector>

namespace picus::contact {

class FrictionPolytope;

// What friction can transmit at a contact with d tangential coordinates: d = 1 in the plane (t), 2 in space (t, o), 3
// with torsion about the normal (t, o, r). The friction Λ_T dissipates as much as it can (Trinkle, Tzitzouris & Pang
// 2001, conditions (iii)' and (iv)'):
//   Λ_T ∈ argmax { −ξ_Tᵀ c : c ∈ σ F },   σ = μ Λ_N + a ≥ 0,   so that   Λ_T = maximiser(−ξ_T, σ)   where it slips.
// F is convex, closed and bounded, and contains 0. Vectors have three entries; those from dimension() on are 0.
// A σ below 0 counts as 0, where the set is {0}. Copies share what was found when a set was made; nothing here changes
// it.
//
// The makers throw InputError that names the value and what is accepted. Axes e are finite and ≥ 0; where e = 0 that
// component of c is 0.
class FrictionSet {
 public:
  static FrictionSet interval();                                     // |c_t| ≤ 1
  static FrictionSet disk();                                         // c_t² + c_o² ≤ 1
  static FrictionSet ellipse(double e_t, double e_o);                // (c_t/e_t)² + (c_o/e_o)² ≤ 1
  static FrictionSet ellipsoid(double e_t, double e_o, double e_r);  // the paper's (1); e_r is a length
  // Its example (c): an ellipse of c_t and c_o, and |c_r| ≤ e_r.
  static FrictionSet disk_and_interval(double e_t, double e_o, double e_r);

  static constexpr int polytope_limit = 100;
  // The convex hull of 0 and the columns of a d × m matrix (Stewart's D), m from 1 to polytope_limit. Columns that lie
  // within 1e-13 of the hull of the others, in units of the set's size, are no vertices.
  static FrictionSet hull(const Eigen::MatrixXd& directions);
  // Those c with a_j · c ≤ 1 for each column a_j of a d × m matrix (example (b)). An unbounded set is refused.
  static FrictionSet half_spaces(const Eigen::MatrixXd& normals);

  int dimension() const { return dimension_; }
  bool is_polytope() const { return polytope_ != nullptr; }
  // So many first coordinates share one ellipsoid; that behind them, if any, has an interval. Of a polytope 0.
  int round() const { return polytope_ ? 0 : round_; }
  // E = diag(e_t, e_o, e_r), by which the rows of the certificate are scaled; 1 where a set has no axes.
  const Eigen::Vector3d& axes() const { return axes_; }
  // The set of E⁻¹ c: unit ball, unit disk × [−1, 1]; polytopes as they are. Coordinates whose axis is 0 are dropped,
  // the others move up: ellipsoid(2, 0, 0.4) becomes the unit disk of (c_t / 2, c_r / 0.4).
  FrictionSet scaled() const;
  // Of a polytope, 0 among them where it is one; of other sets none.
  const std::vector<Eigen::Vector3d>& vertices() const;

  // The point of σF nearest to c.
  Eigen::Vector3d project(const Eigen::Vector3d& c, double sigma) const;
  // The largest c · v over σF.
  double support(const Eigen::Vector3d& v, double sigma) const;
  // A c of σF with c · v = support(v, σ): components that v leaves free are 0 for sets with axes, and c = 0 for v = 0.
  // For a polytope it is a vertex, the first of several, or 0 where the support is 0.
  Eigen::Vector3d maximiser(const Eigen::Vector3d& v, double sigma) const;
  // Whether c is at most `tolerance` away from σF.
  bool contains(const Eigen::Vector3d& c, double sigma, double tolerance) const;
  // The smallest σ with c in σF; infinite where there is none. Where σF is flat, or 0 on its boundary, a c that leaves
  // it by round-off still counts as inside.
  double gauge(const Eigen::Vector3d& c) const;

 private:
  FrictionSet(int dimension, int round, const Eigen::Vector3d& axes)
      : dimension_(dimension), round_(round), axes_(axes) {}
  static FrictionSet of_polytope(int dimension, const std::vector<Eigen::Vector3d>& points);

  int dimension_;
  int round_;  // so many first coordinates share one ellipsoid; the one behind them, if any, has an interval
  Eigen::Vector3d axes_;
  std::shared_ptr<const FrictionPolytope> polytope_;
};

// n directions around an ellipse, equally spaced in the angle of the scaled coordinates: (e_t cos φ, e_o sin φ).
Eigen::Matrix2Xd ellipse_directions(double e_t, double e_o, int n, double start_angle = 0);

// A circle of directions on an ellipsoid; its latitude (in rad, between −π/2 and π/2) is that on the unit sphere of the
// scaled coordinates: (e_t cos λ cos φ, e_o cos λ sin φ, e_r sin λ).
struct LatitudeCircle {
  double latitude = 0;
  int directions = 1;
};
Eigen::Matrix3Xd ellipsoid_directions(const Eigen::Vector3d& axes, std::span<const LatitudeCircle> circles,
                                      double start_angle = 0);
// Circles equally spaced in latitude from the pole c_r > 0 to the other one, with so many directions each; poles have
// one: 1, 6, 8, 10, 8, 6, 1.
Eigen::Matrix3Xd ellipsoid_directions(const Eigen::Vector3d& axes, std::span<const int> directions,
                                      double start_angle = 0);

}  // namespace picus::contact
