#include "picus/theory/existence_bounds.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "picus/acceleration/bound_search.hpp"
#include "picus/math/dense.hpp"

namespace picus::theory {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using Contact = acceleration::FrictionModel::Contact;

namespace {

MatrixXd stacked(const std::vector<VectorXd>& rows) {
  MatrixXd all(static_cast<Eigen::Index>(rows.size()), rows.front().size());
  for (std::size_t r = 0; r < rows.size(); ++r) all.row(static_cast<Eigen::Index>(r)) = rows[r];
  return all;
}

// Cones {x : rows · x ≥ 0} that cover all directions of d dimensions; directions within one are less than 90° apart.
std::vector<MatrixXd> cells(int d, int fineness) {
  std::vector<MatrixXd> list;
  if (d == 1) {
    list.push_back(MatrixXd::Constant(1, 1, 1));
    list.push_back(MatrixXd::Constant(1, 1, -1));
  } else if (d == 2) {
    const int sectors = 4 << fineness;
    for (int i = 0; i < sectors; ++i) {
      const double from = 2 * std::numbers::pi * i / sectors, to = 2 * std::numbers::pi * (i + 1) / sectors;
      MatrixXd cell(2, 2);
      cell << -std::sin(from), std::cos(from), std::sin(to), -std::cos(to);
      list.push_back(cell);
    }
  } else {
    // Squares on the faces of a cube: lower ≤ x_j / x_i ≤ upper.
    const int parts = 2 << fineness;
    for (int face = 0; face < 6; ++face) {
      const int i = face / 2;
      const double sign = face % 2 == 0 ? 1 : -1;
      for (int square = 0; square < parts * parts; ++square) {
        MatrixXd cell = MatrixXd::Zero(4, 3);
        const int place[] = {square % parts, square / parts};
        for (int k = 0; k < 2; ++k) {
          const int j = (i + 1 + k) % 3;
          const double lower = -1 + 2.0 * place[k] / parts, upper = -1 + 2.0 * (place[k] + 1) / parts;
          cell(2 * k, j) = 1;
          cell(2 * k, i) = -sign * lower;
          cell(2 * k + 1, j) = -1;
          cell(2 * k + 1, i) = sign * upper;
        }
        list.push_back(cell);
      }
    }
  }
  return list;
}

// The system of inequalities of one pattern: unknowns are c in all rows, and t.
class Recession {
 public:
  // `given`: friction coefficients as they are. Else sliding contacts have 0 ≤ c_T ≤ s c_n, contacts at rest any c_T.
  Recession(const acceleration::FrictionModel& model, bool given) : model_(model), given_(given) {
    for (int fineness = 2; fineness >= 0; --fineness) {
      patterns_.clear();
      count_ = 1;
      for (const Contact& contact : model.contacts) {
        patterns_.push_back(patterns_of(contact, fineness));
        count_ *= static_cast<double>(patterns_.back().size());
      }
      if (count_ <= 500) break;
    }
  }
  bool is_small() const { return count_ <= 5000; }

  // Calls visit(index) for each pattern until it returns false.
  template <class Visit>
  void for_all(Visit visit) const {
    std::vector<std::size_t> index(patterns_.size(), 0);
    while (visit(index) && acceleration::next_choice(index, patterns_)) continue;
  }

  acceleration::Answer is_impossible(const std::vector<std::size_t>& index, double s) const;

 private:
  struct Pattern {
    enum class Kind : unsigned char { open, slides, rest, along, cell } kind = Kind::open;
    MatrixXd cell;
    double factor = 0;
  };

  // Forces of one choice of patterns, and t. Friction that follows the normal force is put into its column.
  struct Unknowns {
    std::vector<Eigen::Index> normal, tangential;  // columns of each contact; −1: none
    MatrixXd a;                                    // accelerations A c + t e
    VectorXd force(Eigen::Index column) const { return VectorXd::Unit(a.cols(), column); }
  };
  Unknowns unknowns(const std::vector<std::size_t>& index) const;
  void add_cell(const Unknowns& u, std::size_t i, const MatrixXd& cell, std::vector<VectorXd>& G) const;

  std::vector<Pattern> patterns_of(const Contact& contact, int fineness) const {
    using Kind = Pattern::Kind;
    std::vector<Pattern> list = {{}};
    if (contact.normal < 0) return list;  // a brake has no part in forces that grow without bound
    if (contact.slides || contact.rows == 0) {
      list.push_back({Kind::slides, {}, 0});
    } else if (given_ && contact.rows == 1) {
      list.push_back({Kind::rest, {}, 0});
      list.push_back({Kind::along, {}, 1});
      list.push_back({Kind::along, {}, -1});
    } else {
      for (MatrixXd& cell : cells(contact.rows, fineness)) list.push_back({Kind::cell, std::move(cell), 0});
    }
    return list;
  }

  const acceleration::FrictionModel& model_;
  bool given_;
  std::vector<std::vector<Pattern>> patterns_;
  double count_ = 1;
};

Recession::Unknowns Recession::unknowns(const std::vector<std::size_t>& index) const {
  using Kind = Pattern::Kind;
  const Eigen::Index n = model_.rows();
  Unknowns u;
  std::vector<VectorXd> column;
  u.normal.assign(index.size(), -1);
  u.tangential.assign(index.size(), -1);
  for (std::size_t i = 0; i < index.size(); ++i) {
    const Contact& contact = model_.contacts[i];
    const Pattern& pattern = patterns_[i][index[i]];
    if (pattern.kind == Kind::open) continue;
    VectorXd force = VectorXd::Unit(n, contact.normal);
    if (given_ && pattern.kind == Kind::slides && contact.rows > 0) force[contact.tangent] = contact.mu;
    if (pattern.kind == Kind::along) force[contact.tangent] = -pattern.factor * contact.mu;
    u.normal[i] = static_cast<Eigen::Index>(column.size());
    column.push_back(std::move(force));
    const bool free = pattern.kind == Kind::rest || pattern.kind == Kind::cell ||
                      (pattern.kind == Kind::slides && !given_ && contact.rows > 0);
    if (!free) continue;
    u.tangential[i] = static_cast<Eigen::Index>(column.size());
    for (int t = 0; t < contact.rows; ++t) column.push_back(VectorXd::Unit(n, contact.tangent + t));
  }
  const auto m = static_cast<Eigen::Index>(column.size());
  MatrixXd B(n, m);
  for (Eigen::Index j = 0; j < m; ++j) B.col(j) = column[static_cast<std::size_t>(j)];
  u.a.resize(n, m + 1);
  if (m > 0) u.a << model_.A * B, model_.normal_unit;
  return u;
}

// Forces of contact i in a cone of directions, and accelerations against them.
void Recession::add_cell(const Unknowns& u, std::size_t i, const MatrixXd& cell, std::vector<VectorXd>& G) const {
  const Contact& contact = model_.contacts[i];
  const Eigen::Index T = u.tangential[i];
  VectorXd middle = VectorXd::Zero(contact.rows);
  for (Eigen::Index r = 0; r < cell.rows(); ++r) {
    VectorXd of_force = VectorXd::Zero(u.a.cols()), of_acceleration = VectorXd::Zero(u.a.cols());
    for (int t = 0; t < contact.rows; ++t) {
      of_force += cell(r, t) * u.force(T + t);
      of_acceleration -= cell(r, t) * u.a.row(contact.tangent + t).transpose();
    }
    G.push_back(of_force);
    G.push_back(of_acceleration);
    middle += cell.row(r).transpose() / cell.row(r).norm();
  }
  if (!given_) return;
  middle /= middle.norm();  // |c_T| ≤ μ c_n, seen from the middle of the cell
  VectorXd within = contact.mu * u.force(u.normal[i]);
  for (int t = 0; t < contact.rows; ++t) within -= middle[t] * u.force(T + t);
  G.push_back(within);
}

acceleration::Answer Recession::is_impossible(const std::vector<std::size_t>& index, double s) const {
  using Kind = Pattern::Kind;
  const Unknowns u = unknowns(index);
  const Eigen::Index m = u.a.cols() - 1;
  if (m == 0) return acceleration::Answer::yes;
  std::vector<VectorXd> G;
  VectorXd g = VectorXd::Zero(m + 1);
  G.push_back(u.force(m));  // t ≥ 0
  for (std::size_t i = 0; i < index.size(); ++i) {
    const Contact& contact = model_.contacts[i];
    const Pattern& pattern = patterns_[i][index[i]];
    if (contact.normal < 0) continue;
    const VectorXd a_n = u.a.row(contact.normal);
    G.push_back(a_n);
    if (pattern.kind == Kind::open) continue;
    G.push_back(-a_n);
    const VectorXd c_n = u.force(u.normal[i]);
    G.push_back(c_n);
    g += c_n;
    const Eigen::Index T = u.tangential[i];
    if (pattern.kind == Kind::slides && T >= 0) {
      G.push_back(u.force(T));
      if (s < acceleration::unbounded) G.push_back(s * c_n - u.force(T));
    } else if (pattern.kind == Kind::rest) {
      for (const double sign : {1.0, -1.0}) {
        G.push_back(sign * u.a.row(contact.tangent).transpose());
        G.push_back(contact.mu * c_n + sign * u.force(T));
      }
    } else if (pattern.kind == Kind::along) {
      G.push_back(pattern.factor * u.a.row(contact.tangent).transpose());
    } else if (pattern.kind == Kind::cell) {
      add_cell(u, i, pattern.cell, G);
    }
  }
  return has_no_point(stacked(G), g);
}

}  // namespace

acceleration::Answer exists_for_every_b(const acceleration::FrictionModel& model) {
  const Recession recession(model, true);
  if (!recession.is_small()) return acceleration::Answer::unknown;
  acceleration::Answer answer = acceleration::Answer::yes;
  recession.for_all([&](const std::vector<std::size_t>& index) {
    if (recession.is_impossible(index, 0) != acceleration::Answer::yes) answer = acceleration::Answer::unknown;
    return answer == acceleration::Answer::yes;
  });
  return answer;
}

double existence_bound(const acceleration::FrictionModel& model) {
  const Recession recession(model, false);
  if (!recession.is_small()) return 0;
  double bound = acceleration::unbounded;
  recession.for_all([&](const std::vector<std::size_t>& index) {
    if (recession.is_impossible(index, bound) == acceleration::Answer::yes) return true;
    double low = 1e-9, high = std::min(bound, 1e9);
    for (const double least : {0.0, low}) {
      if (recession.is_impossible(index, least) == acceleration::Answer::yes) continue;
      bound = 0;
      return false;
    }
    while (high / low > 1 + 1e-10) {
      const double middle = high / low > 4 ? std::sqrt(low * high) : 0.5 * (low + high);
      (recession.is_impossible(index, middle) == acceleration::Answer::yes ? low : high) = middle;
    }
    bound = low;
    return true;
  });
  return bound;
}

acceleration::Answer holds_condition_B(const acceleration::FrictionModel& model, const VectorXd& b) {
  for (const Contact& contact : model.contacts) {
    if (contact.slides && contact.mu > 0) return acceleration::Answer::no;
  }
  const Eigen::Index n = model.rows();
  if (n == 0) return acceleration::Answer::yes;
  const math::SymmetricAxes axes = math::symmetric_axes(model.A);
  const double threshold = acceleration::definite_threshold * std::max(1.0, axes.values[n - 1]);
  Eigen::Index null = 0;
  while (null < n && axes.values[null] <= threshold) ++null;
  const MatrixXd N = axes.vectors.leftCols(null);
  const VectorXd along = N.transpose() * b;
  if (null == 0 || along.norm() <= 1e-9 * b.norm()) return acceleration::Answer::yes;
  std::vector<VectorXd> G;
  for (const Contact& contact : model.contacts) {
    if (contact.normal < 0) {  // bounded forces: none that grow
      for (int t = 0; t < contact.rows; ++t) {
        for (const double sign : {1.0, -1.0}) G.emplace_back(sign * N.row(contact.tangent + t).transpose());
      }
      continue;
    }
    const VectorXd c_n = N.row(contact.normal);
    G.push_back(c_n);
    for (int t = 0; t < contact.rows; ++t) {
      for (const double sign : {1.0, -1.0}) {
        G.emplace_back((contact.slides ? 0 : contact.mu) * c_n + sign * N.row(contact.tangent + t).transpose());
      }
    }
  }
  // Cuts are added where a point of the polyhedral cone is outside the round one.
  for (int iteration = 0; iteration < 200; ++iteration) {
    VectorXd z;
    const acceleration::Answer none = has_no_point(stacked(G), -along, &z);
    if (none != acceleration::Answer::no) return none;
    const VectorXd c = N * z;
    bool inside = true;
    for (const Contact& contact : model.contacts) {
      if (contact.normal < 0 || contact.rows < 2) continue;
      const VectorXd c_T = c.segment(contact.tangent, contact.rows);
      if (c_T.norm() <= contact.mu * c[contact.normal] + 1e-9 * c.norm()) continue;
      inside = false;
      G.emplace_back(contact.mu * N.row(contact.normal).transpose() -
                     N.middleRows(contact.tangent, contact.rows).transpose() * c_T / c_T.norm());
    }
    if (inside) return acceleration::Answer::no;
  }
  return acceleration::Answer::unknown;
}

}  // namespace picus::theory
