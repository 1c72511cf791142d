#include "picus/complementarity/solution_set.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>

#include "picus/complementarity/polyhedron.hpp"
#include "picus/math/dense.hpp"

namespace picus::complementarity {

double SolutionSet::slack(const Eigen::VectorXd& x) const {
  return tolerance_ * std::max(1.0, n_ > 0 ? x.cwiseAbs().maxCoeff() : 0.0);
}

void SolutionSet::add_point(Eigen::VectorXd x) {
  SolutionPiece piece;
  piece.vertices.push_back(std::move(x));
  add(std::move(piece));
}

void SolutionSet::add_polyhedron(const Eigen::MatrixXd& E, const Eigen::VectorXd& e, const Eigen::MatrixXd& C,
                                 const Eigen::VectorXd& d) {
  work_left_ -= static_cast<double>(E.rows() * n_) * n_;
  if (work_left_ < 0) {
    complete_ = false;
    return;
  }
  const math::CompleteLu lu(E, 1e-12);
  const Eigen::VectorXd particular = lu.solve(Eigen::VectorXd(-e));
  if ((E * particular + e).cwiseAbs().maxCoeff() > slack(particular)) return;  // inconsistent
  if (lu.rank() == n_) {
    if ((C * particular + d).minCoeff() >= -slack(particular)) add_point(particular);
    return;
  }
  // x = particular + N z, z free but for the inequalities.
  const Eigen::MatrixXd N = lu.kernel();
  const Generators generators = enumerate_generators(C * N, C * particular + d, tolerance_, piece_limit_, work_left_);
  work_left_ -= generators.work;
  complete_ = complete_ && generators.complete;
  if (generators.vertices.empty()) return;
  SolutionPiece piece;
  for (const auto& z : generators.vertices) piece.vertices.emplace_back(particular + N * z);
  for (const auto& z : generators.rays) {
    const Eigen::VectorXd ray = N * z;
    const double size = ray.cwiseAbs().maxCoeff();
    if (size > tolerance_) piece.rays.emplace_back(ray / size);
  }
  piece.dimension = affine_dimension(piece);
  if (piece.dimension > 0) {
    piece.E = E;
    piece.e = e;
    piece.C = C;
    piece.d = d;
  }
  add(std::move(piece));
}

void SolutionSet::add(SolutionPiece piece) {
  // A degenerate point belongs to many pieces: drop at once what is known, so that the list stays short.
  for (const SolutionPiece& known : pieces_) {
    work_left_ -=
        static_cast<double>(n_ * (known.dimension == 0 ? 1 : n_)) * static_cast<double>(piece.vertices.size());
    if (contains(known, piece)) return;
  }
  if (pieces_.size() >= piece_limit_) {
    complete_ = false;
    return;
  }
  pieces_.push_back(std::move(piece));
}

bool SolutionSet::fits(const SolutionPiece& piece, const Eigen::VectorXd& x, double homogeneous) const {
  const double tolerance = 10 * slack(x);
  return (piece.E * x + homogeneous * piece.e).cwiseAbs().maxCoeff() <= tolerance &&
         (piece.C * x + homogeneous * piece.d).minCoeff() >= -tolerance;
}

// Entry by entry: a small entry beside large ones may tell two solutions apart.
bool SolutionSet::same_point(const Eigen::VectorXd& a, const Eigen::VectorXd& b) const {
  const double dust = 1e-14 * std::max(a.cwiseAbs().maxCoeff(), b.cwiseAbs().maxCoeff());
  for (Eigen::Index i = 0; i < a.size(); ++i) {
    const double size = std::max(std::abs(a[i]), std::abs(b[i]));
    if (std::abs(a[i] - b[i]) > 100 * tolerance_ * size + dust) return false;
  }
  return true;
}

bool SolutionSet::contains(const SolutionPiece& outer, const SolutionPiece& inner) const {
  if (outer.dimension < inner.dimension) return false;
  if (outer.dimension == 0) return same_point(outer.vertices[0], inner.vertices[0]);
  return std::all_of(inner.vertices.begin(), inner.vertices.end(), [&](const auto& x) { return fits(outer, x, 1); }) &&
         std::all_of(inner.rays.begin(), inner.rays.end(), [&](const auto& x) { return fits(outer, x, 0); });
}

int SolutionSet::affine_dimension(const SolutionPiece& piece) const {
  const auto columns = static_cast<Eigen::Index>(piece.vertices.size() - 1 + piece.rays.size());
  if (columns == 0) return 0;
  Eigen::MatrixXd span(n_, columns);
  Eigen::Index c = 0;
  for (std::size_t v = 1; v < piece.vertices.size(); ++v) span.col(c++) = piece.vertices[v] - piece.vertices[0];
  for (const auto& ray : piece.rays) span.col(c++) = ray;
  // Vertices closer than the tolerance are one.
  if (span.cwiseAbs().maxCoeff() <= 10 * slack(piece.vertices[0])) return 0;
  return static_cast<int>(math::CompleteLu(span, 1e-9).rank());
}

std::vector<SolutionPiece> SolutionSet::maximal_pieces() {
  std::stable_sort(pieces_.begin(), pieces_.end(),
                   [](const SolutionPiece& a, const SolutionPiece& b) { return a.dimension > b.dimension; });
  std::vector<SolutionPiece> kept;
  for (const SolutionPiece& piece : pieces_) {
    const bool inside =
        std::any_of(kept.begin(), kept.end(), [&](const SolutionPiece& other) { return contains(other, piece); });
    if (!inside) kept.push_back(piece);
  }
  return kept;
}

}  // namespace picus::complementarity
