#include "picus/complementarity/polyhedron.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>

#include "picus/math/dense.hpp"

namespace picus::complementarity {
namespace {

struct Ray {
  Eigen::VectorXd direction;  // (z, τ), largest entry of size one
  std::vector<bool> tight;    // constraints that vanish on it, among those treated so far
};

void normalise(Eigen::VectorXd& v) { v /= v.cwiseAbs().maxCoeff(); }

// Two extreme rays span a face of dimension two iff no third ray is tight on all constraints common to both.
bool adjacent(const std::vector<Ray>& rays, std::size_t a, std::size_t b, double& work) {
  const std::size_t m = rays[a].tight.size();
  work += static_cast<double>(rays.size());
  for (std::size_t c = 0; c < rays.size(); ++c) {
    if (c == a || c == b) continue;
    bool contains = true;
    for (std::size_t i = 0; i < m && contains; ++i) {
      if (rays[a].tight[i] && rays[b].tight[i] && !rays[c].tight[i]) contains = false;
    }
    if (contains) return false;
  }
  return true;
}

// Rows of H that form an invertible square matrix (greedy elimination with pivoting); empty when H has not full rank.
std::vector<Eigen::Index> independent_rows(Eigen::MatrixXd H, double tolerance) {
  std::vector<Eigen::Index> chosen;
  for (Eigen::Index step = 0; step < H.cols(); ++step) {
    Eigen::Index row = 0, column = 0;
    const double pivot = H.cwiseAbs().maxCoeff(&row, &column);
    if (!(pivot > tolerance)) return {};
    chosen.push_back(row);
    const Eigen::RowVectorXd r = H.row(row) / H(row, column);
    const Eigen::VectorXd c = H.col(column);
    H -= c * r;
    H.row(row).setZero();
    H.col(column).setZero();
  }
  return chosen;
}

// Homogeneous constraints H (z, τ) ≥ 0 of C z + d ≥ 0, with entries up to 1; the last one is τ ≥ 0.
Eigen::MatrixXd homogeneous_constraints(const Eigen::MatrixXd& C, const Eigen::VectorXd& d) {
  Eigen::MatrixXd H = Eigen::MatrixXd::Zero(C.rows() + 1, C.cols() + 1);
  H.topLeftCorner(C.rows(), C.cols()) = C;
  H.topRightCorner(C.rows(), 1) = d;
  H(C.rows(), C.cols()) = 1;
  for (Eigen::Index i = 0; i < H.rows(); ++i) {
    const double size = H.row(i).cwiseAbs().maxCoeff();
    if (size > 0) H.row(i) /= size;
  }
  return H;
}

// The extreme rays of the cone that as many independent constraints make as there are unknowns.
std::vector<Ray> simplicial_cone(const Eigen::MatrixXd& H, const std::vector<Eigen::Index>& independent) {
  const Eigen::Index dimension = H.cols();
  Eigen::MatrixXd start(dimension, dimension);
  for (Eigen::Index i = 0; i < dimension; ++i) start.row(i) = H.row(independent[static_cast<std::size_t>(i)]);
  const Eigen::MatrixXd inverse = math::CompleteLu(start).inverse();
  std::vector<Ray> rays;
  for (Eigen::Index j = 0; j < dimension; ++j) {
    Ray ray{inverse.col(j), {}};
    normalise(ray.direction);
    for (Eigen::Index i = 0; i < dimension; ++i) ray.tight.push_back(i != j);
    rays.push_back(std::move(ray));
  }
  return rays;
}

// The extreme rays of what is left of a cone by constraint i of H.
std::vector<Ray> cut(std::vector<Ray> rays, const Eigen::MatrixXd& H, Eigen::Index i, double tolerance, double& work) {
  std::vector<double> value(rays.size());
  for (std::size_t r = 0; r < rays.size(); ++r) {
    value[r] = H.row(i).dot(rays[r].direction);
    if (std::abs(value[r]) <= tolerance) value[r] = 0;
  }
  std::vector<Ray> next;
  for (std::size_t a = 0; a < rays.size(); ++a) {
    for (std::size_t b = 0; b < rays.size(); ++b) {
      if (!(value[a] > 0 && value[b] < 0) || !adjacent(rays, a, b, work)) continue;
      Ray ray{value[a] * rays[b].direction - value[b] * rays[a].direction, {}};
      normalise(ray.direction);
      for (std::size_t t = 0; t < rays[a].tight.size(); ++t) {
        ray.tight.push_back(rays[a].tight[t] && rays[b].tight[t]);
      }
      ray.tight.push_back(true);
      next.push_back(std::move(ray));
    }
  }
  for (std::size_t r = 0; r < rays.size(); ++r) {
    if (value[r] < 0) continue;
    rays[r].tight.push_back(value[r] == 0);
    next.push_back(std::move(rays[r]));
  }
  return next;
}

}  // namespace

Generators enumerate_generators(const Eigen::MatrixXd& C, const Eigen::VectorXd& d, double tolerance,
                                std::size_t generator_limit, double work_limit) {
  Generators result;
  const Eigen::MatrixXd H = homogeneous_constraints(C, d);
  result.work += static_cast<double>(H.rows() * H.cols() * H.cols());
  const std::vector<Eigen::Index> first = independent_rows(H, tolerance);
  if (first.empty()) return result;
  std::vector<Ray> rays = simplicial_cone(H, first);
  for (Eigen::Index i = 0; i < H.rows(); ++i) {
    if (std::find(first.begin(), first.end(), i) != first.end()) continue;
    rays = cut(std::move(rays), H, i, tolerance, result.work);
    if (rays.size() > generator_limit || result.work > work_limit) {
      result.complete = false;
      return result;
    }
  }
  for (const Ray& ray : rays) {
    const double tau = ray.direction[C.cols()];
    const Eigen::VectorXd z = ray.direction.head(C.cols());
    if (tau > tolerance) {
      result.vertices.push_back(z / tau);
    } else {
      result.rays.push_back(z);
    }
  }
  return result;
}

}  // namespace picus::complementarity
