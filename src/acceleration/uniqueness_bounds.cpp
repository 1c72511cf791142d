// Uniqueness by energies: bounds of friction below which two solutions cannot differ.
#include "picus/acceleration/uniqueness_bounds.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>

#include "picus/acceleration/bound_search.hpp"
#include "picus/math/dense.hpp"

namespace picus::acceleration {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using Contact = FrictionModel::Contact;

namespace {

// Sum over contacts of m_i |p_i·y| ‖Q_i y‖ ≤ y·y / s, as far as it can be shown: for any weights w_i
//   m |p·y| ‖Q y‖ ≤ ½ (w m² (p·y)² + ‖Q y‖² / w),
// so that 1/s is the largest eigenvalue of the sum, which is convex in the weights.
struct Product {
  VectorXd p;   // with m in it
  MatrixXd QQ;  // QᵀQ
};

double largest_eigenvalue(const std::vector<Product>& products, const VectorXd& log_weight) {
  const Eigen::Index n = products[0].p.size();
  MatrixXd sum = MatrixXd::Zero(n, n);
  for (std::size_t i = 0; i < products.size(); ++i) {
    const double w = std::exp(log_weight[static_cast<Eigen::Index>(i)]);
    sum += 0.5 * (w * products[i].p * products[i].p.transpose() + products[i].QQ / w);
  }
  return math::symmetric_eigenvalues(sum)[n - 1];
}

double bound_of_products(const std::vector<Product>& products) {
  if (products.empty()) return unbounded;
  const auto k = static_cast<Eigen::Index>(products.size());
  VectorXd weight(k);
  for (Eigen::Index i = 0; i < k; ++i) {
    const Product& product = products[static_cast<std::size_t>(i)];
    weight[i] = 0.5 * std::log(product.QQ.norm() / product.p.squaredNorm());
  }
  double best = largest_eigenvalue(products, weight);
  // Along one weight after the other, with shrinking steps. Any weights prove something.
  double step = 1;
  while (step > 1e-4) {
    const double before = best;
    for (Eigen::Index i = 0; i < k; ++i) {
      for (const double sign : {1.0, -1.0}) {
        for (;;) {
          weight[i] += sign * step;
          const double value = largest_eigenvalue(products, weight);
          if (value < best) {
            best = value;
            continue;
          }
          weight[i] -= sign * step;
          break;
        }
      }
    }
    if (!(best < before * (1 - 0.1 * step))) step /= 2;
  }
  return 1 / best;
}

}  // namespace

double bound_by_energy(const FrictionModel& model, const std::vector<double>& m) {
  if (model.rows() == 0) return unbounded;
  const math::SymmetricAxes axes = math::symmetric_axes(model.A);
  const VectorXd& lambda = axes.values;
  const double threshold = definite_threshold * std::max(1.0, lambda[lambda.size() - 1]);
  Eigen::Index null = 0;
  while (null < lambda.size() && lambda[null] <= threshold) ++null;
  const MatrixXd V = axes.vectors.rightCols(lambda.size() - null);
  const VectorXd root = lambda.tail(lambda.size() - null).cwiseSqrt();
  std::vector<Product> products;
  for (std::size_t i = 0; i < model.contacts.size(); ++i) {
    const Contact& contact = model.contacts[i];
    if (contact.normal < 0 || contact.rows == 0 || m[i] == 0) continue;
    // With y = A^½ δc:  δc_n = (A^−½ y)_n, which needs e_n in the range of A, and δa_T = (A^½ y)_T.
    if (null > 0 && axes.vectors.row(contact.normal).head(null).norm() > 1e-7) return 0;
    const VectorXd p = m[i] * V.row(contact.normal).transpose().cwiseQuotient(root);
    const MatrixXd Q = V.middleRows(contact.tangent, contact.rows) * root.asDiagonal();
    if (Q.norm() > 0) products.push_back({p, Q.transpose() * Q});
  }
  return bound_of_products(products);
}

namespace {

// The largest s with uᵀ S⁻¹ u > s m |R u| for all unit vectors u.
double bound_of_one(const MatrixXd& S_inv, const VectorXd& R) {
  return largest([&](double s) { return least_on_sphere(S_inv, 0.5 * s * R) > 0; });
}

// For one choice of contacts that are closed (their rows n and T) or open with friction of their own (rows T).
double bound_of_choice(const FrictionModel& model, const std::vector<double>& m, const std::vector<int>& choice) {
  std::vector<int> N, T;
  std::vector<std::size_t> of_N;
  std::vector<Eigen::Index> first(choice.size(), 0);
  for (std::size_t i = 0; i < choice.size(); ++i) {
    const Contact& contact = model.contacts[i];
    if (choice[i] == 0) continue;
    if (choice[i] == 1) {
      N.push_back(contact.normal);
      of_N.push_back(i);
    }
    first[i] = static_cast<Eigen::Index>(T.size());
    for (int t = 0; t < contact.rows; ++t) T.push_back(contact.tangent + t);
  }
  if (N.empty() || T.empty()) return unbounded;
  const MatrixXd A_nn = model.A(N, N), A_nT = model.A(N, T);
  const MatrixXd to_normal = math::solve_symmetric(A_nn, A_nT);
  const MatrixXd S = MatrixXd(model.A(T, T)) - A_nT.transpose() * to_normal;
  const math::SymmetricAxes axes = math::symmetric_axes(0.5 * (S + S.transpose()));
  if (!(axes.values[0] > 0)) return 0;
  const VectorXd s = axes.values.cwiseSqrt();
  const MatrixXd root = axes.vectors * s.asDiagonal() * axes.vectors.transpose();
  const MatrixXd inverse_root = axes.vectors * s.cwiseInverse().asDiagonal() * axes.vectors.transpose();
  std::vector<Product> products;
  for (std::size_t j = 0; j < N.size(); ++j) {
    const std::size_t i = of_N[j];
    const int rows = model.contacts[i].rows;
    if (rows == 0 || m[i] == 0) continue;
    const VectorXd p = m[i] * (to_normal.row(static_cast<Eigen::Index>(j)) * inverse_root).transpose();
    const MatrixXd Q = root.middleRows(first[i], rows);
    if (!(p.norm() > 1e-14)) continue;
    if (T.size() == 2 && rows == 2) return bound_of_one(inverse_root * inverse_root, inverse_root * p);
    products.push_back({p, Q.transpose() * Q});
  }
  return bound_of_products(products);
}

}  // namespace

double bound_by_choices(const FrictionModel& model, const std::vector<double>& m) {
  if (model.rows() == 0) return unbounded;
  const VectorXd values = math::symmetric_eigenvalues(model.A);
  if (!(values[0] > definite_threshold)) return 0;
  double count = 1;
  std::vector<std::vector<int>> choices;
  for (const Contact& contact : model.contacts) {
    choices.push_back({0});
    if (contact.normal >= 0) choices.back().push_back(1);
    if (contact.rows > 0 && !contact.slides && (contact.normal < 0 || contact.constant)) choices.back().push_back(2);
    count *= static_cast<double>(choices.back().size());
  }
  if (count > 32) return 0;
  std::vector<std::size_t> index(choices.size(), 0);
  double least = unbounded;
  do {
    std::vector<int> choice;
    for (std::size_t i = 0; i < index.size(); ++i) choice.push_back(choices[i][index[i]]);
    least = std::min(least, bound_of_choice(model, m, choice));
  } while (next_choice(index, choices));
  return least;
}

double bound_by_norms(const FrictionModel& model) {
  std::vector<int> tangential;
  for (const Contact& contact : model.contacts) {
    if (contact.normal < 0) continue;
    for (int t = 0; t < contact.rows; ++t) tangential.push_back(contact.tangent + t);
  }
  if (tangential.empty()) return unbounded;
  const double least = math::symmetric_eigenvalues(model.A)[0];
  if (!(least > definite_threshold)) return 0;
  const MatrixXd A_T = model.A(tangential, Eigen::all);
  const double norm = std::sqrt(math::symmetric_eigenvalues(A_T * A_T.transpose()).maxCoeff());
  return least / norm;
}

}  // namespace picus::acceleration
