#include "picus/complementarity/enumerate.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>

#include "picus/complementarity/solution_set.hpp"
#include "picus/math/dense.hpp"
#include "picus/support/error.hpp"

namespace picus::complementarity {
namespace {

constexpr int capacity = enumeration_size_limit;

// Gauss elimination with row pivoting on the stack (it runs 2ⁿ times): S x = x, in place. False when a pivot is small
// enough to doubt the rank; the caller then decides with complete pivoting.
bool eliminate(int m, double (*S)[capacity], double* x) {
  constexpr double doubtful = 1e-9;  // entries are scaled to about one
  for (int k = 0; k < m; ++k) {
    int p = k;
    for (int i = k + 1; i < m; ++i) {
      if (std::abs(S[i][k]) > std::abs(S[p][k])) p = i;
    }
    if (std::abs(S[p][k]) < doubtful) return false;
    if (p != k) {
      std::swap_ranges(S[p], S[p] + m, S[k]);
      std::swap(x[p], x[k]);
    }
    for (int i = k + 1; i < m; ++i) {
      const double factor = S[i][k] / S[k][k];
      if (factor == 0) continue;
      for (int j = k + 1; j < m; ++j) S[i][j] -= factor * S[k][j];
      x[i] -= factor * x[k];
    }
  }
  for (int i = m - 1; i >= 0; --i) {
    for (int j = i + 1; j < m; ++j) x[i] -= S[i][j] * x[j];
    x[i] /= S[i][i];
  }
  return true;
}

class Enumerator {
 public:
  Enumerator(const Lcp& lcp, const EnumerationOptions& options)
      : certificate_(lcp, options.tolerance),
        tolerance_(options.tolerance),
        n_(lcp.size()),
        set_(n_, options.tolerance, options.piece_limit, options.work_limit) {
    const ScaledLcp scaled = apply(certificate_.scaling(), lcp);
    A_ = scaled.A;
    b_ = scaled.b;
    b_scale_ = scaled.b_size;
    undecided_ = !scaled.faithful;
  }

  LcpEnumeration run() {
    const std::uint32_t count = std::uint32_t{1} << n_;
    if (!undecided_) {
      for (std::uint32_t alpha = 0; alpha < count && set_.complete(); ++alpha) examine(alpha);
    }
    LcpEnumeration result;
    result.complete = set_.complete() && !undecided_;
    for (const SolutionPiece& piece : set_.maximal_pieces()) report(piece, result);
    sort(result.isolated);
    return result;
  }

 private:
  // Lexicographically by x. Digits beyond the ninth of the largest in the list are round-off, and would shuffle it.
  void sort(std::vector<LcpSolution>& list) const {
    Eigen::VectorXd unit = Eigen::VectorXd::Zero(n_);
    for (const LcpSolution& s : list) unit = unit.cwiseMax(s.x);
    const auto digits = [&](const LcpSolution& s, int i) {
      return unit[i] > 0 ? std::round(1e9 * (s.x[i] / unit[i])) : 0.0;
    };
    std::stable_sort(list.begin(), list.end(), [&](const LcpSolution& a, const LcpSolution& b) {
      for (int i = 0; i < n_; ++i) {
        if (digits(a, i) != digits(b, i)) return digits(a, i) < digits(b, i);
      }
      return false;
    });
  }

  static bool contains(std::uint32_t set, int i) { return ((set >> i) & 1U) != 0; }

  void examine(std::uint32_t alpha) {
    int index[capacity];
    int m = 0;
    for (int i = 0; i < n_; ++i) {
      if (contains(alpha, i)) index[m++] = i;
    }
    double S[capacity][capacity];
    double x[capacity];
    for (int i = 0; i < m; ++i) {
      for (int j = 0; j < m; ++j) S[i][j] = A_(index[i], index[j]);
      x[i] = -b_[index[i]];
    }
    if (eliminate(m, S, x)) {
      keep_point(alpha, m, index, x);
    } else {
      examine_doubtful(alpha, m, index);
    }
  }

  // A small pivot: the block is equilibrated by itself and eliminated with complete pivoting. A and b count as exact.
  // What is neither clearly regular nor singular to round-off counts as regular where that gives a certified solution;
  // otherwise it is not decided, and the enumeration not complete.
  void examine_doubtful(std::uint32_t alpha, int m, const int* index) {
    Lcp block;
    block.A.resize(m, m);
    block.b = Eigen::VectorXd::Zero(m);
    Eigen::VectorXd r(m);
    for (int i = 0; i < m; ++i) {
      for (int j = 0; j < m; ++j) block.A(i, j) = A_(index[i], index[j]);
      r[i] = -b_[index[i]];
    }
    const Scaling s = equilibrate(block);
    const math::CompleteLu lu(s.row.asDiagonal() * block.A * s.column.asDiagonal());
    const Eigen::VectorXd pivots = lu.pivots();
    const double largest = pivots.maxCoeff(), smallest = pivots.minCoeff();
    constexpr double singular = 1e-14, regular = 1e-12;
    if (!(smallest > singular * largest)) {
      keep_polyhedron(alpha, m, index);
      return;
    }
    const Eigen::VectorXd x = s.column.cwiseProduct(lu.solve(Eigen::VectorXd(s.row.cwiseProduct(r))));
    const std::size_t before = set_.size();
    keep_point(alpha, m, index, x.data());
    if (!(smallest > regular * largest) && set_.size() == before) undecided_ = true;
  }

  void keep_point(std::uint32_t alpha, int m, const int* index, const double* x) {
    double size = 0;
    for (int i = 0; i < m; ++i) size = std::max(size, std::abs(x[i]));
    if (!(size < 1e150)) {  // no double-precision number holds what this would be
      undecided_ = true;
      return;
    }
    const double slack = tolerance_ * size;
    const double least = 64 * n_ * std::numeric_limits<double>::epsilon() / tolerance_ * size;
    for (int i = 0; i < m; ++i) {
      if (!(x[i] >= -slack)) return;
    }
    for (int r = 0; r < n_; ++r) {
      if (contains(alpha, r)) continue;
      double y = b_[r], terms = std::abs(b_[r]);
      for (int j = 0; j < m; ++j) {
        y += A_(r, index[j]) * x[j];
        terms += std::abs(A_(r, index[j])) * std::max(std::abs(x[j]), least);
      }
      if (!(y >= -tolerance_ * terms)) return;
    }
    Eigen::VectorXd point = Eigen::VectorXd::Zero(n_);
    for (int i = 0; i < m; ++i) point[index[i]] = std::max(0.0, x[i]);
    set_.add_point(std::move(point));
  }

  // y_α = 0, x_β = 0 as equations, x_α ≥ 0, y_β ≥ 0 as inequalities, all in x.
  void keep_polyhedron(std::uint32_t alpha, int m, const int* index) {
    // A zero row of A_αα with b ≠ 0 cannot be met: the commonest case, and cheap to see.
    for (int i = 0; i < m; ++i) {
      double largest = 0;
      for (int j = 0; j < m; ++j) largest = std::max(largest, std::abs(A_(index[i], index[j])));
      if (largest == 0 && std::abs(b_[index[i]]) > tolerance_) return;
    }
    Eigen::MatrixXd E = Eigen::MatrixXd::Zero(n_, n_), C = Eigen::MatrixXd::Zero(n_, n_);
    Eigen::VectorXd e = Eigen::VectorXd::Zero(n_), d = Eigen::VectorXd::Zero(n_);
    for (int i = 0; i < n_; ++i) {
      const bool inside = contains(alpha, i);
      (inside ? E : C).row(i) = A_.row(i);
      (inside ? e : d)[i] = b_[i];
      (inside ? C : E)(i, i) = 1;
    }
    set_.add_polyhedron(E, e, C, d);
  }

  void report(const SolutionPiece& piece, LcpEnumeration& result) const {
    const Eigen::VectorXd& column = certificate_.scaling().column;
    LcpFace face;
    face.dimension = piece.dimension;
    for (const auto& vertex : piece.vertices) {
      LcpSolution solution;
      solution.x = b_scale_ * column.cwiseProduct(vertex.cwiseMax(0.0));
      if (!certificate_.accept(solution)) {  // not confirmed: never reported, and the list is not called complete
        result.complete = false;
        return;
      }
      face.vertices.push_back(std::move(solution));
    }
    if (piece.dimension == 0) {
      result.isolated.push_back(std::move(face.vertices.front()));
      return;
    }
    for (const auto& ray : piece.rays) {
      const Eigen::VectorXd direction = column.cwiseProduct(ray.cwiseMax(0.0));
      face.rays.emplace_back(direction / direction.maxCoeff());
    }
    result.faces.push_back(std::move(face));
  }

  Certificate certificate_;
  double tolerance_;
  int n_;
  SolutionSet set_;
  Eigen::MatrixXd A_;
  Eigen::VectorXd b_;
  double b_scale_ = 1;
  bool undecided_ = false;
};

}  // namespace

LcpEnumeration enumerate_solutions(const Lcp& problem, const EnumerationOptions& options) {
  problem.validate();
  if (problem.size() > enumeration_size_limit) {
    throw InputError("the problem has " + std::to_string(problem.size()) + " rows; all solutions are listed up to " +
                     std::to_string(enumeration_size_limit));
  }
  return Enumerator(problem, options).run();
}

}  // namespace picus::complementarity
