// A friction set with corners: the hull of points. Used by FrictionSet only.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "picus/contact/convex_hull.hpp"

namespace picus::contact {

// The hull of 0 and points in the subspace that they span. Facets are points, segments or triangles for a rank of 1, 2
// or 3, on planes normal · c = offset ≥ 0. Scaled sets are σ times it.
class FrictionPolytope {
 public:
  struct Facet {
    Corners corners;
    Eigen::Vector3d normal;
    double offset;
  };

  // Throws InputError for a hull so thin that round-off hides its shape.
  FrictionPolytope(int dimension, std::vector<Eigen::Vector3d> points);

  int rank() const { return rank_; }
  // Projects on the subspace.
  const Eigen::Matrix3d& onto() const { return onto_; }
  const std::vector<Eigen::Vector3d>& vertices() const { return vertices_; }
  const std::vector<Facet>& facets() const { return facets_; }

  // As of FrictionSet.
  Eigen::Vector3d project(const Eigen::Vector3d& c, double sigma) const;
  Eigen::Vector3d maximiser(const Eigen::Vector3d& v) const;
  double gauge(const Eigen::Vector3d& c) const;

 private:
  void add_facets(const std::vector<Eigen::Vector3d>& points, const Eigen::Matrix3d& basis);
  void set_offsets();
  Eigen::Vector3d nearest_on(const Facet& f, const Eigen::Vector3d& c) const;
  double doubt(const Eigen::Vector3d& c, const Eigen::Vector3d& x) const;
  Eigen::Vector3d nearest_outside(const Eigen::Vector3d& c) const;

  int rank_ = 0;
  Eigen::Matrix3d onto_;
  std::vector<Eigen::Vector3d> vertices_;
  std::vector<Facet> facets_;
  double size_ = 0;
};

}  // namespace picus::contact
