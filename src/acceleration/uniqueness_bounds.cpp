#include "picus/acceleration/uniqueness_bounds.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <functional>

#include "picus/math/dense.hpp"

namespace picus::acceleration {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using Contact = FrictionModel::Contact;

// One contact in one mode: rows whose forces are unknown, and friction that follows the normal force, c_t = factor c_n.
struct Mode {
  bool normal = false, tangential = false;
  double factor = 0;
};

bool is_spatial(const Contact& contact) { return contact.rows > 1 && !contact.slides; }

// The modes of a contact with up to one tangential row. `box`: for all coefficients up to μ instead of μ itself; the
// determinants are affine in each coefficient, so that its ends will do, and those of a contact at rest are −μ and μ.
std::vector<Mode> modes(const Contact& contact, double mu, bool box) {
  std::vector<Mode> list = {{}};
  if (contact.normal >= 0) {
    if (contact.rows == 0 || contact.slides) {
      list.push_back({true, false, contact.rows == 0 ? 0 : mu});
      if (box && contact.rows > 0) list.push_back({true, false, 0});
      return list;
    }
    list.push_back({true, false, mu});
    list.push_back({true, false, -mu});
    list.push_back({true, true, 0});
  }
  if (contact.rows > 0 && (contact.normal < 0 || contact.constant)) list.push_back({false, true, 0});
  return list;
}

// Sign of the determinant; 0 where it is not told from zero. Columns up to `zero` are zero.
int sign_of_determinant(const MatrixXd& matrix, double zero = 1e-14) {
  if (matrix.rows() == 0) return 1;
  MatrixXd scaled = matrix;
  for (Eigen::Index j = 0; j < scaled.cols(); ++j) {
    const double size = scaled.col(j).cwiseAbs().maxCoeff();
    if (!(size > zero)) return 0;
    scaled.col(j) /= size;
  }
  const math::RowLu lu(scaled);
  const VectorXd pivots = lu.pivots();
  if (!(pivots.minCoeff() > 1e-13 * pivots.maxCoeff())) return 0;
  return lu.determinant() > 0 ? 1 : -1;
}

// The least of uᵀ S u − 2 bᵀu over |u| = 1, as the largest ν − Σ b_j² / (s_j − ν) over ν < s_min (its dual, which is
// concave; S in its axes).
double least_on_sphere(const MatrixXd& S, const VectorXd& b) {
  const math::SymmetricAxes axes = math::symmetric_axes(0.5 * (S + S.transpose()));
  const VectorXd s = axes.values, beta = axes.vectors.transpose() * b;
  const double size = s.cwiseAbs().maxCoeff() + beta.norm();
  double low = s[0] - beta.norm() - 1e-3 * size, high = s[0];
  const auto slope = [&](double nu) { return 1 - (beta.array() / (s.array() - nu)).square().sum(); };
  for (int i = 0; i < 200 && high - low > 1e-16 * size; ++i) {
    const double middle = 0.5 * (low + high);
    (slope(middle) > 0 ? low : high) = middle;
  }
  double value = low;
  for (Eigen::Index j = 0; j < s.size(); ++j) {
    if (beta[j] != 0) value -= beta[j] * beta[j] / (s[j] - low);
  }
  return value;
}

// Walks through all modes of the contacts and judges each matrix.
class Determinants {
 public:
  Determinants(const FrictionModel& model, const std::vector<double>& mu, bool box) : model_(model), mu_(mu) {
    for (std::size_t i = 0; i < model.contacts.size(); ++i) {
      if (is_spatial(model.contacts[i])) {
        spatial_ = static_cast<int>(i);
        list_.push_back({{}});  // judged for all its modes at once
      } else {
        list_.push_back(modes(model.contacts[i], mu[i], box));
      }
    }
  }

  // 1: all positive; −1: one is negative; 0: neither was told.
  int judge() const {
    std::vector<std::size_t> index(list_.size(), 0);
    int worst = 1;
    for (;;) {
      const int sign = judge_one(index);
      if (sign < 0) return -1;
      worst = std::min(worst, sign);
      std::size_t i = 0;
      while (i < index.size() && ++index[i] == list_[i].size()) index[i++] = 0;
      if (i == index.size()) return worst;
    }
  }

 private:
  int judge_one(const std::vector<std::size_t>& index) const {
    std::vector<int> unknown;
    const auto n = static_cast<Eigen::Index>(model_.rows());
    MatrixXd B(n, 0);
    const auto add = [&](int row, const Contact* with_friction, double factor) {
      unknown.push_back(row);
      B.conservativeResize(n, B.cols() + 1);
      B.rightCols(1) = VectorXd::Unit(n, row);
      if (with_friction && factor != 0) B(with_friction->tangent, B.cols() - 1) = factor;
    };
    for (std::size_t i = 0; i < index.size(); ++i) {
      if (static_cast<int>(i) == spatial_) continue;
      const Contact& contact = model_.contacts[i];
      const Mode& mode = list_[i][index[i]];
      if (mode.normal) add(contact.normal, &contact, mode.factor);
      if (mode.tangential) add(contact.tangent, nullptr, 0);
    }
    const auto m = static_cast<Eigen::Index>(unknown.size());
    MatrixXd matrix(m, m);
    const MatrixXd AB = model_.A * B;
    for (Eigen::Index r = 0; r < m; ++r) matrix.row(r) = AB.row(unknown[static_cast<std::size_t>(r)]);
    const int sign = sign_of_determinant(matrix);
    return sign > 0 && spatial_ >= 0 ? judge_spatial(matrix, AB, unknown) : sign;
  }

  // All modes of the contact in space, with the others eliminated: a = R c, R = [p qᵀ; r S], B = R⁻¹. Sliding in the
  // direction of friction w: p + μ q·w > 0 where friction does not turn, and det R (wᵀ B_TT w − μ B_nT w) > 0 where it
  // turns freely; between the two the determinant is affine for two tangential rows.
  int judge_spatial(const MatrixXd& matrix, const MatrixXd& AB, const std::vector<int>& unknown) const {
    const Contact& contact = model_.contacts[static_cast<std::size_t>(spatial_)];
    const int d = contact.rows, first = contact.normal >= 0 ? contact.normal : contact.tangent;
    const int rows = contact.tangent + d - first;
    MatrixXd R = model_.A.block(first, first, rows, rows);
    if (!unknown.empty()) {
      MatrixXd effect(matrix.rows(), rows);
      for (Eigen::Index r = 0; r < matrix.rows(); ++r) {
        effect.row(r) = model_.A.row(unknown[static_cast<std::size_t>(r)]).segment(first, rows);
      }
      R -= AB.middleRows(first, rows) * math::RowLu(matrix).solve(effect);
    }
    constexpr double left_over = 1e-11;  // what elimination leaves of a row that depends on others
    int worst = 1;
    const auto ask = [&](double value, double size) {
      if (!(value > 1e-13 * size)) worst = std::min(worst, value < -1e-13 * size ? -1 : 0);
    };
    if (contact.normal < 0 || contact.constant) {
      // Open: friction at rest, or of given size and turning: det S and wᵀ adj(S) w.
      const MatrixXd S = R.bottomRightCorner(d, d);
      const int sign_of_S = sign_of_determinant(S, left_over);
      if (sign_of_S <= 0) return sign_of_S;
      const MatrixXd inverse = S.inverse();
      ask(least_on_sphere(inverse, VectorXd::Zero(d)), inverse.norm());
    }
    if (contact.normal < 0) return worst;
    const double mu = mu_[static_cast<std::size_t>(spatial_)];
    const VectorXd q = R.topRightCorner(1, d).transpose();
    ask(R(0, 0) - mu * q.norm(), 1 + mu * q.norm());
    const int sign = sign_of_determinant(R, left_over);
    if (sign <= 0) return std::min(worst, sign);
    const MatrixXd inverse = R.inverse();
    const VectorXd pull = 0.5 * mu * inverse.topRightCorner(1, d).transpose();
    ask(least_on_sphere(inverse.bottomRightCorner(d, d), pull), inverse.norm() + pull.norm());
    return worst;
  }

  const FrictionModel& model_;
  const std::vector<double>& mu_;
  std::vector<std::vector<Mode>> list_;
  int spatial_ = -1;
};

// Whether the determinants decide: see the header.
bool determinants_apply(const FrictionModel& model) {
  int spatial = 0;
  double count = 1;
  bool with_torsion = false;
  for (const Contact& contact : model.contacts) {
    if (is_spatial(contact)) {
      ++spatial;
      with_torsion = with_torsion || contact.rows > 2;
    } else {
      count *= static_cast<double>(modes(contact, 1, true).size());
    }
  }
  return count <= mode_limit && (spatial == 0 || (spatial == 1 && (!with_torsion || model.contacts.size() == 1)));
}

// The largest s with test(s), for a test that holds below and fails above.
double largest(const std::function<bool(double)>& test) {
  constexpr double small = 1e-9, large = 1e9;
  if (!test(small)) return 0;
  if (test(large)) return unbounded;
  double low = small, high = large;
  while (high / low > 1 + 1e-15) {
    const double middle = high / low > 4 ? std::sqrt(low * high) : 0.5 * (low + high);
    if (!(middle > low && middle < high)) break;
    (test(middle) ? low : high) = middle;
  }
  return low;
}

}  // namespace

Answer is_unique_by_determinants(const FrictionModel& model) {
  if (!determinants_apply(model)) return Answer::unknown;
  std::vector<double> mu;
  for (const Contact& contact : model.contacts) mu.push_back(contact.mu);
  const int sign = Determinants(model, mu, false).judge();
  return sign > 0 ? Answer::yes : sign < 0 ? Answer::no : Answer::unknown;
}

double bound_by_determinants(const FrictionModel& model) {
  if (!determinants_apply(model)) return 0;
  return largest([&](double s) {
    const std::vector<double> mu(model.contacts.size(), s);
    return Determinants(model, mu, true).judge() > 0;
  });
}

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
  for (;;) {
    std::vector<int> choice;
    for (std::size_t i = 0; i < index.size(); ++i) choice.push_back(choices[i][index[i]]);
    least = std::min(least, bound_of_choice(model, m, choice));
    std::size_t i = 0;
    while (i < index.size() && ++index[i] == choices[i].size()) index[i++] = 0;
    if (i == index.size()) return least;
  }
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
