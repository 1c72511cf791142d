// Distance of a point from conv(vertices) + cone(rays), by non-negative least squares (Lawson & Hanson 1974). Shares no
// code with the library's enumerations, which it judges.
#pragma once

#include <Eigen/Dense>
#include <vector>

namespace picus::tests {

// min ‖B c − d‖ over c ≥ 0; returns c.
inline Eigen::VectorXd nonnegative_least_squares(const Eigen::MatrixXd& B, const Eigen::VectorXd& d) {
  const Eigen::Index n = B.cols();
  std::vector<bool> passive(static_cast<std::size_t>(n), false);
  Eigen::VectorXd c = Eigen::VectorXd::Zero(n);
  const auto solve_passive = [&] {
    std::vector<Eigen::Index> index;
    for (Eigen::Index i = 0; i < n; ++i) {
      if (passive[static_cast<std::size_t>(i)]) index.push_back(i);
    }
    Eigen::VectorXd full = Eigen::VectorXd::Zero(n);
    if (index.empty()) return full;
    Eigen::MatrixXd P(B.rows(), static_cast<Eigen::Index>(index.size()));
    for (std::size_t k = 0; k < index.size(); ++k) P.col(static_cast<Eigen::Index>(k)) = B.col(index[k]);
    const Eigen::VectorXd s = P.completeOrthogonalDecomposition().solve(d);
    for (std::size_t k = 0; k < index.size(); ++k) full[index[k]] = s[static_cast<Eigen::Index>(k)];
    return full;
  };
  for (int outer = 0; outer < 200; ++outer) {
    const Eigen::VectorXd gradient = B.transpose() * (d - B * c);
    Eigen::Index best = -1;
    for (Eigen::Index i = 0; i < n; ++i) {
      if (!passive[static_cast<std::size_t>(i)] && gradient[i] > 1e-13 && (best < 0 || gradient[i] > gradient[best])) {
        best = i;
      }
    }
    if (best < 0) break;
    passive[static_cast<std::size_t>(best)] = true;
    for (int inner = 0; inner < 200; ++inner) {
      const Eigen::VectorXd s = solve_passive();
      double step = 1;
      Eigen::Index blocking = -1;
      for (Eigen::Index i = 0; i < n; ++i) {
        if (!passive[static_cast<std::size_t>(i)] || s[i] > 0) continue;
        const double t = c[i] / (c[i] - s[i] + 1e-300);
        if (t < step || blocking < 0) {
          step = t;
          blocking = i;
        }
      }
      c += step * (s - c);
      if (blocking < 0) break;
      c[blocking] = 0;
      passive[static_cast<std::size_t>(blocking)] = false;
    }
  }
  return c.cwiseMax(0.0);
}

// The weights of the vertices must sum to one: a heavily weighted extra row.
inline double hull_distance(const Eigen::VectorXd& x, const std::vector<Eigen::VectorXd>& vertices,
                            const std::vector<Eigen::VectorXd>& rays) {
  const auto columns = static_cast<Eigen::Index>(vertices.size() + rays.size());
  Eigen::MatrixXd B(x.size() + 1, columns);
  Eigen::VectorXd d(x.size() + 1);
  double size = 1;
  for (const auto& v : vertices) size = std::max(size, v.cwiseAbs().maxCoeff());
  const double weight = 100 * size;
  Eigen::Index c = 0;
  for (const auto& v : vertices) {
    B.col(c).head(x.size()) = v;
    B(x.size(), c++) = weight;
  }
  for (const auto& r : rays) {
    B.col(c).head(x.size()) = r;
    B(x.size(), c++) = 0;
  }
  d.head(x.size()) = x;
  d[x.size()] = weight;
  const Eigen::VectorXd weights = nonnegative_least_squares(B, d);
  return (B * weights - d).norm();
}

}  // namespace picus::tests
