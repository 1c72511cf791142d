#include "picus/complementarity/lemke.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <limits>
#include <vector>

#include "picus/math/dense.hpp"

namespace picus::complementarity {
namespace {

// x of the complementary basis: A_αα x_α = −b_α, zero elsewhere; one step of iterative refinement.
Eigen::VectorXd solve_basis(const Lcp& lcp, const Scaling& scaling, const std::vector<int>& alpha) {
  const auto size = static_cast<Eigen::Index>(alpha.size());
  Eigen::VectorXd x = Eigen::VectorXd::Zero(lcp.size());
  if (size == 0) return x;
  Eigen::MatrixXd S(size, size);
  Eigen::VectorXd r(size);
  for (Eigen::Index i = 0; i < size; ++i) {
    const int row = alpha[static_cast<std::size_t>(i)];
    r[i] = -lcp.b[row] * scaling.row[row];
    for (Eigen::Index j = 0; j < size; ++j) {
      const int column = alpha[static_cast<std::size_t>(j)];
      S(i, j) = scaling.row[row] * lcp.A(row, column) * scaling.column[column];
    }
  }
  const math::CompleteLu lu(S);
  Eigen::VectorXd z = lu.solve(r);
  z += lu.solve(Eigen::VectorXd(r - S * z));
  for (Eigen::Index i = 0; i < size; ++i) {
    const int column = alpha[static_cast<std::size_t>(i)];
    x[column] = z[i] * scaling.column[column];
  }
  return x;
}

// The direction of x along the ray that the tableau ends with.
Eigen::VectorXd ray_direction(int n, const std::vector<double>& tableau, const std::vector<int>& basis, int entering) {
  Eigen::VectorXd v = Eigen::VectorXd::Zero(n);
  const int columns = lemke_tableau_columns(n);
  for (int i = 0; i < n; ++i) {
    const int variable = basis[static_cast<std::size_t>(i)];
    if (variable >= n && variable < 2 * n) {
      v[variable - n] = std::max(0.0, -tableau[static_cast<std::size_t>(i * columns + entering)]);
    }
  }
  if (entering >= n && entering < 2 * n) v[entering - n] = 1;
  return v;
}

// v ≥ 0, Aᵀ v ≤ 0, bᵀ v < 0. Only the round-off of the products themselves is forgiven, entry by entry.
bool proves_infeasibility(const Eigen::MatrixXd& A, const Eigen::VectorXd& b, const Eigen::VectorXd& v) {
  if (!v.allFinite() || !(v.maxCoeff() > 0)) return false;
  const double round_off = 4 * static_cast<double>(v.size()) * std::numeric_limits<double>::epsilon();
  const Eigen::VectorXd product = A.transpose() * v, terms = A.cwiseAbs().transpose() * v;
  for (Eigen::Index j = 0; j < v.size(); ++j) {
    if (!(product[j] <= round_off * terms[j])) return false;
  }
  return b.dot(v) < -1e-8 * b.cwiseAbs().dot(v);
}

}  // namespace

LemkeResult solve_lemke(const Lcp& problem, const LemkeOptions& options) {
  problem.validate();
  const int n = problem.size();
  LemkeResult result;
  const Certificate certificate(problem, options.tolerance);
  const Scaling& scaling = certificate.scaling();

  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const ScaledLcp scaled = apply(scaling, problem);
  if (!scaled.faithful) return result;
  const RowMajor A = scaled.A;
  const Eigen::VectorXd& b = scaled.b;

  std::vector<double> tableau(static_cast<std::size_t>(n) * static_cast<std::size_t>(lemke_tableau_columns(n)));
  std::vector<int> basis(static_cast<std::size_t>(n));
  const int limit = options.pivot_limit > 0 ? options.pivot_limit : 100 * n + 1000;
  const LemkePath path = follow_lemke_path(n, A.data(), n, b.data(), tableau.data(), basis.data(), limit);
  result.pivots = path.pivots;

  if (path.status == LemkeStatus::ray) {
    const Eigen::VectorXd v = ray_direction(n, tableau, basis, path.entering);
    result.status = LemkeResult::Status::ray;
    if (proves_infeasibility(A, b, v)) {
      result.status = LemkeResult::Status::infeasible;
      result.proof = scaling.row.cwiseProduct(v);
    }
    return result;
  }
  if (path.status != LemkeStatus::solved) return result;

  std::vector<int> alpha;
  for (int variable : basis) {
    if (variable >= n && variable < 2 * n) alpha.push_back(variable - n);
  }
  std::sort(alpha.begin(), alpha.end());
  result.solution.x = solve_basis(problem, scaling, alpha);
  if (certificate.accept(result.solution)) result.status = LemkeResult::Status::solved;
  return result;
}

}  // namespace picus::complementarity
