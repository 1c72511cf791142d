// Uniqueness by the signs of the determinants of all contact modes.
#include <Eigen/Core>
#include <algorithm>

#include "picus/acceleration/bound_search.hpp"
#include "picus/acceleration/uniqueness_bounds.hpp"
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
    do {
      const int sign = judge_one(index);
      if (sign < 0) return -1;
      worst = std::min(worst, sign);
    } while (next_choice(index, list_));
    return worst;
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

}  // namespace picus::acceleration
