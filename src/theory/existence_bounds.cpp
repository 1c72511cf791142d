#include "picus/theory/existence_bounds.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "picus/math/dense.hpp"

namespace picus::theory {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using Contact = acceleration::FrictionModel::Contact;

acceleration::Answer has_no_point(const MatrixXd& G, const VectorXd& g, VectorXd* point) {
  const double size = g.norm();
  if (!(size > 0)) return acceleration::Answer::yes;
  // Rows of length one: λ ≥ 0 with Mᵀλ = target.
  std::vector<VectorXd> rows;
  for (Eigen::Index i = 0; i < G.rows(); ++i) {
    const double length = G.row(i).norm();
    if (length > 0) rows.emplace_back(G.row(i).transpose() / length);
  }
  const VectorXd target = -g / size;
  const auto m = static_cast<Eigen::Index>(rows.size());
  MatrixXd Mt(g.size(), m);
  for (Eigen::Index i = 0; i < m; ++i) Mt.col(i) = rows[static_cast<std::size_t>(i)];
  VectorXd lambda = VectorXd::Zero(m), left = target;
  std::vector<Eigen::Index> active;
  constexpr double small = 1e-9;  // no y of length one has g·y above it
  for (Eigen::Index iteration = 0; iteration < 10 * m + 50; ++iteration) {
    if (left.norm() <= small) return acceleration::Answer::yes;
    const VectorXd gain = Mt.transpose() * left;
    Eigen::Index enter = -1;
    double best = 1e-12 * left.norm() + 1e-15;
    for (Eigen::Index i = 0; i < m; ++i) {
      if (gain[i] > best && std::find(active.begin(), active.end(), i) == active.end()) {
        best = gain[i];
        enter = i;
      }
    }
    if (enter < 0) {
      if (point) *point = -left;
      return left.norm() > 1e-8 ? acceleration::Answer::no : acceleration::Answer::unknown;
    }
    active.push_back(enter);
    for (;;) {
      const MatrixXd chosen = Mt(Eigen::all, active);
      const VectorXd wish = math::OrthogonalFactors(chosen).solve(target);
      double step = 1;
      for (std::size_t j = 0; j < active.size(); ++j) {
        const auto row = static_cast<Eigen::Index>(j);
        if (wish[row] <= 0) step = std::min(step, lambda[active[j]] / (lambda[active[j]] - wish[row] + 1e-300));
      }
      for (std::size_t j = 0; j < active.size(); ++j) {
        lambda[active[j]] += step * (wish[static_cast<Eigen::Index>(j)] - lambda[active[j]]);
      }
      const std::size_t before = active.size();
      std::erase_if(active, [&](Eigen::Index i) {
        if (lambda[i] > 1e-15) return false;
        lambda[i] = 0;
        return true;
      });
      if (step >= 1 || active.size() == before || active.empty()) break;
    }
    left = target - Mt * lambda;
  }
  return acceleration::Answer::unknown;
}

namespace {

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
    for (;;) {
      if (!visit(index)) return;
      std::size_t i = 0;
      while (i < index.size() && ++index[i] == patterns_[i].size()) index[i++] = 0;
      if (i == index.size()) return;
    }
  }

  acceleration::Answer is_impossible(const std::vector<std::size_t>& index, double s) const;

 private:
  struct Pattern {
    enum class Kind : unsigned char { open, slides, rest, along, cell } kind = Kind::open;
    MatrixXd cell;
    double factor = 0;
  };

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

acceleration::Answer Recession::is_impossible(const std::vector<std::size_t>& index, double s) const {
  using Kind = Pattern::Kind;
  // Columns: unknown forces. Friction that follows the normal force is put into its column.
  const Eigen::Index n = model_.rows();
  std::vector<VectorXd> column;
  std::vector<Eigen::Index> normal(index.size(), -1), tangential(index.size(), -1);
  for (std::size_t i = 0; i < index.size(); ++i) {
    const Contact& contact = model_.contacts[i];
    const Pattern& pattern = patterns_[i][index[i]];
    if (pattern.kind == Kind::open) continue;
    VectorXd force = VectorXd::Unit(n, contact.normal);
    if (given_ && pattern.kind == Kind::slides && contact.rows > 0) force[contact.tangent] = contact.mu;
    if (pattern.kind == Kind::along) force[contact.tangent] = -pattern.factor * contact.mu;
    normal[i] = static_cast<Eigen::Index>(column.size());
    column.push_back(std::move(force));
    const bool free = pattern.kind == Kind::rest || pattern.kind == Kind::cell ||
                      (pattern.kind == Kind::slides && !given_ && contact.rows > 0);
    if (!free) continue;
    tangential[i] = static_cast<Eigen::Index>(column.size());
    for (int t = 0; t < contact.rows; ++t) column.push_back(VectorXd::Unit(n, contact.tangent + t));
  }
  const auto m = static_cast<Eigen::Index>(column.size());
  if (m == 0) return acceleration::Answer::yes;
  MatrixXd B(n, m);
  for (Eigen::Index j = 0; j < m; ++j) B.col(j) = column[static_cast<std::size_t>(j)];
  MatrixXd a(n, m + 1);  // accelerations A c + t e
  a << model_.A * B, model_.normal_unit;

  std::vector<VectorXd> G;
  const auto force = [&](Eigen::Index j) { return VectorXd(VectorXd::Unit(m + 1, j)); };
  VectorXd g = VectorXd::Zero(m + 1);
  G.push_back(force(m));  // t ≥ 0
  for (std::size_t i = 0; i < index.size(); ++i) {
    const Contact& contact = model_.contacts[i];
    const Pattern& pattern = patterns_[i][index[i]];
    if (contact.normal < 0) continue;
    const VectorXd a_n = a.row(contact.normal);
    G.push_back(a_n);
    if (pattern.kind == Kind::open) continue;
    G.push_back(-a_n);
    const VectorXd c_n = force(normal[i]);
    G.push_back(c_n);
    g += c_n;
    const Eigen::Index T = tangential[i];
    if (pattern.kind == Kind::slides && T >= 0) {
      G.push_back(force(T));
      if (s < acceleration::unbounded) G.push_back(s * c_n - force(T));
    } else if (pattern.kind == Kind::rest) {
      for (const double sign : {1.0, -1.0}) {
        G.push_back(sign * a.row(contact.tangent).transpose());
        G.push_back(contact.mu * c_n + sign * force(T));
      }
    } else if (pattern.kind == Kind::along) {
      G.push_back(pattern.factor * a.row(contact.tangent).transpose());
    } else if (pattern.kind == Kind::cell) {
      VectorXd middle = VectorXd::Zero(contact.rows);
      for (Eigen::Index r = 0; r < pattern.cell.rows(); ++r) {
        VectorXd of_force = VectorXd::Zero(m + 1), of_acceleration = VectorXd::Zero(m + 1);
        for (int t = 0; t < contact.rows; ++t) {
          of_force += pattern.cell(r, t) * force(T + t);
          of_acceleration -= pattern.cell(r, t) * a.row(contact.tangent + t).transpose();
        }
        G.push_back(of_force);
        G.push_back(of_acceleration);
        middle += pattern.cell.row(r).transpose() / pattern.cell.row(r).norm();
      }
      if (given_) {  // |c_T| ≤ μ c_n, seen from the middle of the cell
        middle /= middle.norm();
        VectorXd within = contact.mu * c_n;
        for (int t = 0; t < contact.rows; ++t) within -= middle[t] * force(T + t);
        G.push_back(within);
      }
    }
  }
  MatrixXd rows(static_cast<Eigen::Index>(G.size()), m + 1);
  for (std::size_t r = 0; r < G.size(); ++r) rows.row(static_cast<Eigen::Index>(r)) = G[r];
  return has_no_point(rows, g);
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
    if (recession.is_impossible(index, 0) != acceleration::Answer::yes) {
      bound = 0;
      return false;
    }
    double low = 1e-9, high = std::min(bound, 1e9);
    if (recession.is_impossible(index, low) != acceleration::Answer::yes) {
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
    MatrixXd rows(static_cast<Eigen::Index>(G.size()), null);
    for (std::size_t r = 0; r < G.size(); ++r) rows.row(static_cast<Eigen::Index>(r)) = G[r];
    VectorXd z;
    const acceleration::Answer none = has_no_point(rows, -along, &z);
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
