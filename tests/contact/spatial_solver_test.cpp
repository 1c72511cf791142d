// The solvers of contact problems in space, on problems of random bodies: against the laws as they are written, against
// each other, and against closed forms.
#include "picus/contact/spatial_solver.hpp"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <Eigen/LU>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <deque>
#include <limits>
#include <numbers>
#include <random>
#include <string>
#include <vector>

#include "allocation_counter.hpp"
#include "picus/complementarity/cone_solver.hpp"
#include "picus/complementarity/lemke.hpp"
#include "picus/contact/spatial_lcp.hpp"

namespace picus::contact {
namespace {

using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::Vector4d;
using Eigen::VectorXd;
using Impulses = std::vector<SpatialRows>;

constexpr double pi = std::numbers::pi;

std::size_t at(int i) { return static_cast<std::size_t>(i); }

double uniform(std::mt19937& rng, double low, double high) {
  return std::uniform_real_distribution<double>(low, high)(rng);
}

int up_to(int n, std::mt19937& rng) { return 1 + static_cast<int>(rng() % static_cast<unsigned>(n)); }

double normal(std::mt19937& rng) { return std::normal_distribution<double>()(rng); }

MatrixXd random_matrix(Eigen::Index rows, Eigen::Index columns, std::mt19937& rng) {
  return MatrixXd::NullaryExpr(rows, columns, [&] { return normal(rng); });
}

MatrixXd matrix(int rows, std::initializer_list<double> column_by_column) {
  return Eigen::Map<const MatrixXd>(std::data(column_by_column), rows,
                                    static_cast<Eigen::Index>(column_by_column.size()) / rows);
}

enum class Sets { disk, ellipse, ellipsoid, without_an_axis, disk_and_interval, polytope, mixed };
constexpr Sets all_of_them[] = {
    Sets::disk,     Sets::ellipse, Sets::ellipsoid, Sets::without_an_axis, Sets::disk_and_interval,
    Sets::polytope, Sets::mixed};
constexpr Sets round_ones[] = {Sets::disk, Sets::ellipse, Sets::ellipsoid, Sets::without_an_axis};

FrictionSet random_polytope(std::mt19937& rng) {
  const double e_t = uniform(rng, 0.3, 1.5), e_o = uniform(rng, 0.3, 1.5), e_r = uniform(rng, 0.1, 0.5);
  const int d = 2 + static_cast<int>(rng() % 2);
  switch (rng() % 4) {
    case 0:  // of which 0 may be a vertex or not
      return FrictionSet::hull(random_matrix(d, 2 + up_to(18, rng), rng));
    case 1: {
      const int circles[] = {1, 4, 6, 4, 1};
      return FrictionSet::hull(ellipsoid_directions({e_t, e_o, e_r}, circles, uniform(rng, 0, 1)));
    }
    case 2:
      return FrictionSet::hull(ellipse_directions(e_t, e_o, 2 + up_to(10, rng), uniform(rng, 0, 1)));
    default: {  // a box, some of its corners cut
      MatrixXd normals(d, 2 * d + 2);
      normals << MatrixXd::Identity(d, d) / e_t, -MatrixXd::Identity(d, d) / e_o, random_matrix(d, 2, rng);
      return FrictionSet::half_spaces(normals);
    }
  }
}

FrictionSet random_set(Sets sets, std::mt19937& rng) {
  const double e_t = uniform(rng, 0.3, 1.5), e_o = uniform(rng, 0.3, 1.5), e_r = uniform(rng, 0.05, 0.5);
  switch (sets) {
    case Sets::disk:
      return FrictionSet::disk();
    case Sets::ellipse:
      return FrictionSet::ellipse(e_t, e_o);
    case Sets::ellipsoid:
      return FrictionSet::ellipsoid(e_t, e_o, e_r);
    case Sets::without_an_axis: {
      Vector3d axes(e_t, e_o, e_r);
      axes[static_cast<int>(rng() % 3)] = 0;
      return FrictionSet::ellipsoid(axes[0], axes[1], axes[2]);
    }
    case Sets::disk_and_interval:
      return FrictionSet::disk_and_interval(rng() % 8 == 0 ? 0 : e_t, e_o, e_r);
    case Sets::polytope:
      return random_polytope(rng);
    default:
      return random_set(all_of_them[rng() % 6], rng);
  }
}

double random_mu(std::mt19937& rng) { return rng() % 10 == 0 ? 0 : 5 * std::pow(uniform(rng, 0, 1), 2); }

// Bodies and what touches them, in coordinates N, t, o, r without any scaling: ξ = Wᵀ M⁻¹ W Λ + free, four rows for
// each contact. The problem is the same in the rows of the certificate.
struct Scene {
  std::vector<FrictionSet> set;
  std::vector<double> mu;
  std::vector<std::pair<int, int>> bodies;  // of each contact; the first is −1 where it is fixed
  MatrixXd W, M_inv;
  VectorXd free;

  std::deque<SpatialFriction> friction;
  std::vector<SpatialBlock> onto;  // Λ = onto Λ̃, ξ̃ = ontoᵀ ξ
  SpatialProblem problem;
  double v_ref = 0;

  int contacts() const { return static_cast<int>(mu.size()); }
  int rows() const {
    int sum = 0;
    for (int i = 0; i < contacts(); ++i) sum += problem.rows(i);
    return sum;
  }

  // From all above. With the bodies of the contacts Newton's method has another way to its linear systems.
  void pose(bool with_bodies = false) {
    friction.clear();
    onto.clear();
    for (int i = 0; i < contacts(); ++i) {
      const SpatialFriction& f = friction.emplace_back(set[at(i)]);
      SpatialBlock& T = onto.emplace_back(SpatialBlock::Zero());
      T(0, 0) = 1;
      for (int r = 0; r < f.rows() && mu[at(i)] > 0; ++r) T(1 + f.axis(r), 1 + r) = f.scale(r);
    }
    const MatrixXd G = W.transpose() * M_inv * W;
    problem.clear();
    v_ref = 0;
    for (int i = 0; i < contacts(); ++i) {
      problem.friction.push_back(&friction[at(i)]);
      problem.mu.push_back(mu[at(i)]);
      problem.b.emplace_back(onto[at(i)].transpose() * free.segment<4>(4 * i));
      v_ref = std::max(v_ref, problem.b.back().norm());
      const auto add = [&](int j) {
        problem.block.emplace_back(onto[at(i)].transpose() * G.block<4, 4>(4 * i, 4 * j) * onto[at(j)]);
        problem.column.push_back(j);
      };
      add(i);
      problem.rho_inv.push_back(problem.block.back().diagonal().maxCoeff());
      for (int j = 0; j < contacts(); ++j) {
        if (j != i && !G.block<4, 4>(4 * i, 4 * j).isZero(0)) add(j);
      }
      problem.start.push_back(static_cast<int>(problem.column.size()));
    }
    if (!with_bodies) return;
    for (int i = 0; i < contacts(); ++i) {
      SpatialProblem::OnBodies& c = problem.on_bodies.emplace_back();
      c.a = bodies[at(i)].first;
      c.b = bodies[at(i)].second;
      const MatrixXd rows_of_all = (W.middleCols<4>(4 * i) * onto[at(i)]).transpose();
      c.W_b = rows_of_all.middleCols<6>(6 * c.b);
      c.W_a.setZero();
      if (c.a >= 0) c.W_a = rows_of_all.middleCols<6>(6 * c.a);
    }
    for (int j = 0; 6 * j < W.rows(); ++j) problem.mass.emplace_back(M_inv.block<6, 6>(6 * j, 6 * j).inverse());
  }

  VectorXd impulses(const Impulses& Lambda) const {
    VectorXd all(4 * contacts());
    for (int i = 0; i < contacts(); ++i) all.segment<4>(4 * i) = onto[at(i)] * Lambda[at(i)];
    return all;
  }
  Impulses scaled(const VectorXd& all) const {
    Impulses Lambda = zero();
    for (int i = 0; i < contacts(); ++i) {
      Lambda[at(i)][0] = all[4 * i];
      for (int r = 1; r < problem.rows(i); ++r) {
        Lambda[at(i)][r] = all[4 * i + 1 + friction[at(i)].axis(r - 1)] / friction[at(i)].scale(r - 1);
      }
    }
    return Lambda;
  }
  VectorXd velocities(const VectorXd& Lambda) const { return W.transpose() * (M_inv * (W * Lambda)) + free; }
  Impulses zero() const { return Impulses(at(contacts()), SpatialRows::Zero()); }
};

// A point of a body with its directions, as velocities of the body: forces and a moment about the normal.
MatrixXd rows_of_a_point(std::mt19937& rng) {
  const Eigen::Matrix3d axes =
      Eigen::Quaterniond(normal(rng), normal(rng), normal(rng), normal(rng)).normalized().toRotationMatrix();
  const Vector3d arm = random_matrix(3, 1, rng);
  MatrixXd rows = MatrixXd::Zero(6, 4);
  for (int r = 0; r < 3; ++r) rows.col(r) << axes.col(r), arm.cross(axes.col(r));
  rows.col(3).tail<3>() = axes.col(0);
  return rows;
}

Scene random_scene(int contacts, int bodies, Sets sets, std::mt19937& rng) {
  Scene s;
  s.W = MatrixXd::Zero(6 * bodies, 4 * contacts);
  s.M_inv = MatrixXd::Zero(6 * bodies, 6 * bodies);
  for (int j = 0; j < bodies; ++j) {
    const MatrixXd B = random_matrix(3, 3, rng);
    s.M_inv.block<3, 3>(6 * j, 6 * j).diagonal().setConstant(uniform(rng, 0.3, 2));
    s.M_inv.block<3, 3>(6 * j + 3, 6 * j + 3) = B * B.transpose() + 0.3 * Eigen::Matrix3d::Identity();
  }
  for (int i = 0; i < contacts; ++i) {
    s.set.push_back(random_set(sets, rng));
    s.mu.push_back(random_mu(rng));
    const int b = up_to(bodies, rng) - 1, a = up_to(bodies, rng) - 1;
    const bool any = rng() % 3 == 0;  // directions that no point has
    s.W.block<6, 4>(6 * b, 4 * i) = any ? random_matrix(6, 4, rng) : rows_of_a_point(rng);
    if (a != b) s.W.block<6, 4>(6 * a, 4 * i) = any ? random_matrix(6, 4, rng) : rows_of_a_point(rng);
    s.bodies.emplace_back(a != b ? a : -1, b);
    s.W.middleCols<4>(4 * i).rightCols(3 - s.set.back().dimension()).setZero();
  }
  s.free = s.W.transpose() * random_matrix(6 * bodies, 1, rng);
  // What a contact wants beyond: to open, as restitution does. A solution exists still.
  if (rng() % 3 == 0) {
    for (int i = 0; i < contacts; ++i) s.free[4 * i] += uniform(rng, 0, 1);
  }
  s.pose();
  return s;
}

// The problem of known contacts: open, sticking and slipping ones, some of each. Returns their impulses.
Impulses choose_solution(Scene& s, std::mt19937& rng) {
  VectorXd Lambda = VectorXd::Zero(4 * s.contacts()), xi = Lambda;
  for (int i = 0; i < s.contacts(); ++i) {
    const FrictionSet& F = s.set[at(i)];
    const auto draw = [&] {
      Vector3d v = Vector3d::Zero();
      for (int r = 0; r < F.dimension(); ++r) v[r] = normal(rng);
      return v;
    };
    const double size = uniform(rng, 0.2, 2), sigma = s.mu[at(i)] * size;
    switch (rng() % 3) {
      case 0:
        xi.segment<4>(4 * i) << size, draw();
        break;
      case 1:
        Lambda.segment<4>(4 * i) << size, 0.5 * F.maximiser(draw(), sigma) + 0.4 * F.maximiser(draw(), sigma);
        if (s.mu[at(i)] == 0) xi.segment<3>(4 * i + 1) = draw();
        break;
      default:
        xi.segment<3>(4 * i + 1) = draw();
        Lambda.segment<4>(4 * i) << size, F.maximiser(-xi.segment<3>(4 * i + 1), sigma);
    }
  }
  s.free = xi - s.W.transpose() * (s.M_inv * (s.W * Lambda));
  s.pose();
  return s.scaled(Lambda);
}

// The rows that impulses can have, of which G has as many independent ones: no two solutions differ in them.
bool has_full_rank(const Scene& s) {
  MatrixXd used(s.W.rows(), s.rows());
  Eigen::Index next = 0;
  for (int i = 0; i < s.contacts(); ++i) {
    const MatrixXd scaled = s.W.middleCols<4>(4 * i) * s.onto[at(i)];
    for (int r = 0; r < s.problem.rows(i); ++r) used.col(next++) = scaled.col(r);
  }
  if (used.rows() < used.cols()) return false;
  const VectorXd values = Eigen::SelfAdjointEigenSolver<MatrixXd>(used.transpose() * s.M_inv * used).eigenvalues();
  return values.minCoeff() > 0.02 * values.maxCoeff();
}

// Signorini's law and the principle of maximal dissipation, word for word: 0 ≤ Λ_N ⟂ ξ_N ≥ 0, Λ_T in μ Λ_N F, and
// −Λ_T · ξ_T the largest of it. δ is a velocity.
void expect_law(const Scene& s, const Impulses& Lambda_scaled, double delta) {
  const VectorXd all = s.impulses(Lambda_scaled), velocities = s.velocities(all);
  for (int i = 0; i < s.contacts(); ++i) {
    SCOPED_TRACE("contact " + std::to_string(i));
    const FrictionSet& F = s.set[at(i)];
    const double rho = 1 / s.problem.rho_inv[at(i)];
    const Vector4d Lambda = all.segment<4>(4 * i), xi = velocities.segment<4>(4 * i);
    const double sigma = s.mu[at(i)] * std::max(Lambda[0], 0.0);
    EXPECT_GE(Lambda[0], -delta * rho);
    EXPECT_GE(xi[0], -delta);
    EXPECT_LE(std::abs(Lambda[0] * xi[0]), delta * std::max(Lambda[0], rho * std::abs(xi[0])));
    const Vector3d Lambda_T = Lambda.tail<3>();
    Vector3d xi_T = xi.tail<3>();
    xi_T.tail(3 - F.dimension()).setZero();
    if (F.is_polytope()) {
      EXPECT_TRUE(F.contains(Lambda_T, sigma, delta * rho)) << F.gauge(Lambda_T) - sigma;
    } else {
      EXPECT_LE(F.gauge(Lambda_T), sigma + delta * rho);
    }
    double size = 0;
    for (int r = 0; r < 3; ++r) {
      size = std::max({size, F.support(Vector3d::Unit(r), 1), F.support(-Vector3d::Unit(r), 1)});
    }
    const double most = F.support(-xi_T, sigma), dissipation = -Lambda_T.dot(xi_T);
    EXPECT_NEAR(dissipation, most, delta * (6 * sigma * (1 + size) + 4 * rho * (1 + size) * xi_T.norm()));
  }
}

constexpr double enough = 1e-10;

SpatialOutcome solve(const Scene& s, SolverChoice choice, Impulses& Lambda) {
  SpatialSolver solver;
  return solver.solve(s.problem, choice, s.v_ref, enough, Lambda);
}

// One contact from what it is in coordinates N, t, o, r.
Scene one_contact(const FrictionSet& set, double mu, const Eigen::Matrix4d& G, const Vector4d& free) {
  Scene s;
  s.set = {set};
  s.mu = {mu};
  s.bodies = {{-1, 0}};
  s.W = MatrixXd::Identity(6, 4);
  s.M_inv = MatrixXd::Identity(6, 6);
  s.M_inv.topLeftCorner<4, 4>() = G;
  s.free = free;
  s.pose();
  return s;
}

Eigen::Matrix4d diagonal(double N, double t, double o, double r) { return Vector4d(N, t, o, r).asDiagonal(); }

// Solved by every choice that there is for the set, to the impulses N, t, o, r given.
void expect_impulses(const Scene& s, const Vector4d& expected) {
  using enum SolverChoice;
  const SpatialFriction::Kind kind = s.friction[0].kind();
  std::vector<SolverChoice> choices = {automatic, gauss_seidel};
  if (kind == SpatialFriction::Kind::polytope) {
    choices.push_back(lemke);
  } else {
    choices.push_back(newton);
  }
  if (kind == SpatialFriction::Kind::ball) choices.push_back(proximal);
  for (const SolverChoice choice : choices) {
    SCOPED_TRACE("choice " + std::to_string(static_cast<int>(choice)));
    Impulses Lambda = s.zero();
    const SpatialOutcome outcome = solve(s, choice, Lambda);
    EXPECT_LE(outcome.violation, 1e-9 * s.v_ref);
    EXPECT_LE((s.impulses(Lambda) - expected).norm(), 1e-8 * (1 + expected.norm())) << s.impulses(Lambda).transpose();
  }
}

TEST(SpatialContact, OpensAndSticksAndSlipsAtItsThresholds) {
  const auto G = diagonal(2, 4, 4, 1);
  // Λ_N = 1.5; it sticks up to |ξ_T| = 4 · 0.5 · 1.5 = 3.
  const auto disk = FrictionSet::disk();
  expect_impulses(one_contact(disk, 0.5, G, {1, 5, -5, 0}), {0, 0, 0, 0});
  expect_impulses(one_contact(disk, 0.5, G, {-3, 0, 0, 0}), {1.5, 0, 0, 0});
  expect_impulses(one_contact(disk, 0.5, G, {-3, 1.7, -2.4, 0}), {1.5, -0.425, 0.6, 0});
  expect_impulses(one_contact(disk, 0.5, G, {-3, 1.8 - 1e-3, -2.4, 0}), {1.5, -0.45 + 2.5e-4, 0.6, 0});
  expect_impulses(one_contact(disk, 0.5, G, {-3, 3, -4, 0}), {1.5, -0.45, 0.6, 0});
  expect_impulses(one_contact(disk, 0.5, G, {-3, 3e4, -4e4, 0}), {1.5, -0.45, 0.6, 0});
  expect_impulses(one_contact(disk, 0, G, {-3, 3, -4, 0}), {1.5, 0, 0, 0});
}

TEST(SpatialContact, WithAxesHasThresholdsOfItsOwnInEachDirection) {
  const auto G = diagonal(2, 4, 4, 10);
  // Along t up to 2 · 0.5 · 1.5 of an impulse, along o to 0.3 · 0.5 · 1.5, about the normal to 0.1 · 0.5 · 1.5.
  const auto ellipsoid = FrictionSet::ellipsoid(2, 0.3, 0.1), box = FrictionSet::disk_and_interval(2, 0.3, 0.1);
  for (const FrictionSet& set : {ellipsoid, box}) {
    expect_impulses(one_contact(set, 0.5, G, {-3, 5.9, 0, 0}), {1.5, -1.475, 0, 0});
    expect_impulses(one_contact(set, 0.5, G, {-3, 7, 0, 0}), {1.5, -1.5, 0, 0});
    expect_impulses(one_contact(set, 0.5, G, {-3, 0, 7, 0}), {1.5, 0, -0.225, 0});
    expect_impulses(one_contact(set, 0.5, G, {-3, 0, 0, 0.7}), {1.5, 0, 0, -0.07});
    expect_impulses(one_contact(set, 0.5, G, {-3, 0, 0, -2}), {1.5, 0, 0, 0.075});
  }
  // Torsion of its own beside the disk.
  expect_impulses(one_contact(box, 0.5, G, {-3, 7, 0, -2}), {1.5, -1.5, 0, 0.075});
  expect_impulses(one_contact(box, 0.5, G, {-3, 2, 0, -2}), {1.5, -0.5, 0, 0.075});
  expect_impulses(one_contact(box, 0.5, G, {-3, 7, 0, -0.5}), {1.5, -1.5, 0, 0.05});
  // A row that is dropped moves freely.
  expect_impulses(one_contact(FrictionSet::ellipsoid(2, 0, 0.1), 0.5, G, {-3, 7, 7, 0}), {1.5, -1.5, 0, 0});
  expect_impulses(one_contact(FrictionSet::ellipsoid(0, 0, 0), 0.5, G, {-3, 7, 7, 7}), {1.5, 0, 0, 0});
  expect_impulses(one_contact(FrictionSet::disk_and_interval(0, 0, 0.1), 0.5, G, {-3, 7, 7, 2}), {1.5, 0, 0, -0.075});
  const auto square = FrictionSet::hull(matrix(2, {1, 1, -1, 1, -1, -1, 1, -1}));
  expect_impulses(one_contact(square, 0.5, G, {-3, 7, -2, 0}), {1.5, -0.75, 0.5, 0});
  expect_impulses(one_contact(square, 0.5, G, {-3, 7, -9, 0}), {1.5, -0.75, 0.75, 0});
  expect_impulses(one_contact(FrictionSet::hull(matrix(3, {0, 0, 0})), 0.5, G, {-3, 7, 7, 7}), {1.5, 0, 0, 0});
}

TEST(SpatialContact, CouplesNormalAndTangentialMotion) {
  Eigen::Matrix4d G = diagonal(2, 2, 3, 1);
  G(0, 1) = G(1, 0) = 1;
  // It slips along ±t with Λ_T = ∓μ Λ_N: 2 Λ_N ∓ μ Λ_N = 1.
  const auto disk = FrictionSet::disk();
  expect_impulses(one_contact(disk, 0.5, G, {-1, 9, 0, 0}), {1 / 1.5, -0.5 / 1.5, 0, 0});
  expect_impulses(one_contact(disk, 0.5, G, {-1, -9, 0, 0}), {1 / 2.5, 0.5 / 2.5, 0, 0});
  // It sticks: G Λ = −free with the determinant 3.
  expect_impulses(one_contact(disk, 0.8, G, {-1, 0, 0, 0}), {2.0 / 3, -1.0 / 3, 0, 0});
}

// Λ_T of a slipping ellipse is −σ E² v / |E v| for the velocity v that is left (Trinkle, Tzitzouris & Pang 2001, 2).
TEST(SpatialContact, OfAnEllipseSlipsAtAnAngleToItsFriction) {
  const Scene s = one_contact(FrictionSet::ellipse(2, 0.5), 0.4, diagonal(1, 1, 1, 1), {-1, 3, 4, 0});
  Impulses Lambda = s.zero();
  EXPECT_LE(solve(s, SolverChoice::automatic, Lambda).violation, 1e-12 * s.v_ref);
  const VectorXd impulses = s.impulses(Lambda), v = s.velocities(impulses);
  const double length = std::hypot(2 * v[1], 0.5 * v[2]);
  EXPECT_NEAR(impulses[1], -0.4 * 4 * v[1] / length, 1e-12);
  EXPECT_NEAR(impulses[2], -0.4 * 0.25 * v[2] / length, 1e-12);
}

std::string named(Sets sets, int trial) {
  return "sets " + std::to_string(static_cast<int>(sets)) + ", trial " + std::to_string(trial);
}

bool any_polytope(const Scene& s) {
  return std::any_of(s.set.begin(), s.set.end(), [](const FrictionSet& set) { return set.is_polytope(); });
}

bool all_polytopes(const Scene& s) {
  return std::all_of(s.set.begin(), s.set.end(), [](const FrictionSet& set) { return set.is_polytope(); });
}

TEST(SpatialSolver, AutomaticSolvesRandomProblemsOfAllSetsAndRanks) {
  int full = 0, deficient = 0;
  for (const Sets sets : all_of_them) {
    std::mt19937 rng(100 + static_cast<unsigned>(sets));
    SpatialSolver solver;
    for (int trial = 0; trial < 150; ++trial) {
      SCOPED_TRACE(named(sets, trial));
      const int contacts = up_to(8, rng), bodies = up_to(4, rng);
      const Scene s = random_scene(contacts, bodies, sets, rng);
      if (any_polytope(s) && !all_polytopes(s)) continue;  // below
      ++(s.rows() <= s.W.rows() ? full : deficient);
      Impulses Lambda = s.zero();
      const SpatialOutcome outcome = solver.solve(s.problem, SolverChoice::automatic, s.v_ref, enough, Lambda);
      EXPECT_LE(outcome.violation, 1e-9 * s.v_ref);
      EXPECT_NE(outcome.by, SolvedBy::nothing);
      EXPECT_NEAR(outcome.violation, largest_residual(s.problem, Lambda), 1e-14 * s.v_ref);
      expect_law(s, Lambda, 1e-8 * s.v_ref);
    }
  }
  EXPECT_GT(full, 250);
  EXPECT_GT(deficient, 250);
}

TEST(SpatialSolver, AutomaticSolvesProblemsWithPolytopesAndRoundSets) {
  std::mt19937 rng(106);
  SpatialSolver solver;
  std::string unsolved;
  int problems = 0;
  for (int trial = 0; trial < 100; ++trial) {
    SCOPED_TRACE(trial);
    const int contacts = up_to(8, rng), bodies = up_to(4, rng);
    const Scene s = random_scene(contacts, bodies, Sets::mixed, rng);
    if (!any_polytope(s) || all_polytopes(s)) continue;
    ++problems;
    Impulses Lambda = s.zero();
    const SpatialOutcome outcome = solver.solve(s.problem, SolverChoice::automatic, s.v_ref, enough, Lambda);
    if (outcome.violation <= 1e-9 * s.v_ref) {
      expect_law(s, Lambda, 1e-8 * s.v_ref);
    } else {
      unsolved += ' ' + std::to_string(trial);
    }
  }
  EXPECT_GT(problems, 40);
  EXPECT_EQ(unsolved, "");
}

TEST(SpatialSolver, KeepsAStartThatIsASolution) {
  for (const Sets sets : all_of_them) {
    std::mt19937 rng(200 + static_cast<unsigned>(sets));
    std::string lost;
    for (int trial = 0; trial < 60; ++trial) {
      SCOPED_TRACE(named(sets, trial));
      const int contacts = up_to(6, rng), bodies = up_to(4, rng);
      Scene s = random_scene(contacts, bodies, sets, rng);
      const Impulses known = choose_solution(s, rng);
      ASSERT_LE(largest_residual(s.problem, known), 1e-13 * s.v_ref);
      expect_law(s, known, 1e-12 * s.v_ref);
      Impulses Lambda = known;
      const SpatialOutcome outcome = solve(s, SolverChoice::automatic, Lambda);
      if (outcome.violation <= 1e-9 * s.v_ref) {
        expect_law(s, Lambda, 1e-8 * s.v_ref);
      } else {
        lost += ' ' + std::to_string(trial);
      }
      if (!any_polytope(s) && contacts > 1) {  // one contact is solved directly
        EXPECT_EQ(Lambda, known);
        EXPECT_EQ(outcome.by, SolvedBy::newton);
      }
    }
    EXPECT_EQ(lost, "") << "sets " << static_cast<int>(sets);
  }
}

TEST(SpatialSolver, FindsAChosenSolutionAgain) {
  for (const Sets sets : all_of_them) {
    std::mt19937 rng(300 + static_cast<unsigned>(sets));
    int compared = 0;
    for (int trial = 0; compared < 15 && trial < 3000; ++trial) {
      SCOPED_TRACE(named(sets, trial));
      const int contacts = up_to(3, rng), bodies = up_to(4, rng);
      Scene s = random_scene(contacts, bodies, sets, rng);
      for (double& mu : s.mu) mu = std::min(mu, 0.3);
      const Impulses known = choose_solution(s, rng);
      if (!has_full_rank(s)) continue;
      ++compared;
      Impulses Lambda = s.zero();
      EXPECT_LE(solve(s, SolverChoice::automatic, Lambda).violation, 1e-9 * s.v_ref);
      EXPECT_LE((s.impulses(Lambda) - s.impulses(known)).norm(), 1e-7 * (1 + s.impulses(known).norm()));
    }
    EXPECT_EQ(compared, 15);
  }
}

// Λ ← P(Λ − r ξ) in coordinates without scaling, with nothing of the code under test but the sets: slow, and sure for
// little friction and a well-conditioned matrix.
bool iterate_projections(const Scene& s, VectorXd& Lambda) {
  const MatrixXd G = s.W.transpose() * s.M_inv * s.W;
  const double r = 1 / Eigen::SelfAdjointEigenSolver<MatrixXd>(G).eigenvalues().maxCoeff();
  Lambda = VectorXd::Zero(4 * s.contacts());
  for (int k = 0; k < 20000; ++k) {
    const VectorXd xi = G * Lambda + s.free;
    VectorXd next = Lambda - r * xi;
    for (int i = 0; i < s.contacts(); ++i) {
      next[4 * i] = std::max(next[4 * i], 0.0);
      next.segment<3>(4 * i + 1) = s.set[at(i)].project(next.segment<3>(4 * i + 1), s.mu[at(i)] * next[4 * i]);
    }
    const double change = (next - Lambda).norm();
    Lambda = next;
    if (change <= 1e-13 * r * s.v_ref) return true;
  }
  return false;
}

TEST(SpatialSolver, AgreesWithSlowProjections) {
  for (const Sets sets : all_of_them) {
    std::mt19937 rng(400 + static_cast<unsigned>(sets));
    int compared = 0;
    for (int trial = 0; compared < 12 && trial < 3000; ++trial) {
      SCOPED_TRACE(named(sets, trial));
      const int contacts = up_to(4, rng), bodies = up_to(4, rng);
      Scene s = random_scene(contacts, bodies, sets, rng);
      for (double& mu : s.mu) mu = std::min(mu, 0.3);
      s.pose();
      if (!has_full_rank(s)) continue;
      VectorXd slow;
      if (!iterate_projections(s, slow)) continue;
      ++compared;
      Impulses Lambda = s.zero();
      EXPECT_LE(solve(s, SolverChoice::automatic, Lambda).violation, 1e-9 * s.v_ref);
      const VectorXd difference = s.M_inv * (s.W * (s.impulses(Lambda) - slow));
      EXPECT_LE(difference.norm(), 1e-8 * s.v_ref);
    }
    EXPECT_EQ(compared, 12);
  }
}

TEST(SpatialSolver, AgreesWithTheSolverOfCones) {
  for (const Sets sets : round_ones) {
    std::mt19937 rng(500 + static_cast<unsigned>(sets));
    int compared = 0;
    for (int trial = 0; compared < 15 && trial < 3000; ++trial) {
      SCOPED_TRACE(named(sets, trial));
      const int contacts = up_to(4, rng), bodies = up_to(4, rng);
      Scene s = random_scene(contacts, bodies, sets, rng);
      for (double& mu : s.mu) mu = std::clamp(mu, 0.02, 0.3);
      s.pose();
      if (!has_full_rank(s)) continue;
      ++compared;
      complementarity::ConeProblem cones;
      cones.mu = s.mu;
      for (int i = 0; i < contacts; ++i) cones.start.push_back(cones.start.back() + s.problem.rows(i));
      MatrixXd used(s.W.rows(), cones.rows());
      cones.q.resize(cones.rows());
      for (int i = 0; i < contacts; ++i) {
        const int from = cones.start[at(i)], rows = s.problem.rows(i);
        used.middleCols(from, rows) = (s.W.middleCols<4>(4 * i) * s.onto[at(i)]).leftCols(rows);
        cones.q.segment(from, rows) = (s.onto[at(i)].transpose() * s.free.segment<4>(4 * i)).head(rows);
      }
      cones.W = MatrixXd(used.transpose() * s.M_inv * used).sparseView();
      complementarity::ConeOptions options;
      options.tolerance = 1e-12;
      const complementarity::ConeAnswer answer = complementarity::solve(cones, options);
      ASSERT_TRUE(answer.solved);
      Impulses Lambda = s.zero();
      EXPECT_LE(solve(s, SolverChoice::automatic, Lambda).violation, 1e-9 * s.v_ref);
      EXPECT_LE((s.M_inv * (s.W * s.impulses(Lambda) - used * answer.r)).norm(), 1e-8 * s.v_ref);
    }
    EXPECT_EQ(compared, 15);
  }
}

TEST(SpatialSolver, EveryChoiceSolvesWhatItIsFor) {
  using enum SolverChoice;
  using Kind = SpatialFriction::Kind;
  for (const Sets sets :
       {Sets::disk, Sets::ellipse, Sets::ellipsoid, Sets::without_an_axis, Sets::disk_and_interval, Sets::polytope}) {
    std::mt19937 rng(600 + static_cast<unsigned>(sets));
    int solved = 0;
    for (int trial = 0; solved < 15 && trial < 3000; ++trial) {
      const int contacts = up_to(4, rng), bodies = up_to(4, rng);
      Scene s = random_scene(contacts, bodies, sets, rng);
      for (double& mu : s.mu) mu = std::clamp(mu, 0.02, 0.3);
      s.pose();
      if (!has_full_rank(s)) continue;
      ++solved;
      const bool polytope = sets == Sets::polytope;
      VectorXd first;
      for (const SolverChoice choice : {automatic, newton, gauss_seidel, proximal, lemke}) {
        if (choice == newton && polytope) continue;
        if (choice == proximal && s.friction[0].kind() != Kind::ball) continue;
        if (choice == lemke && !polytope) continue;
        SCOPED_TRACE(named(sets, trial) + ", choice " + std::to_string(static_cast<int>(choice)));
        Impulses Lambda = s.zero();
        const SpatialOutcome outcome = solve(s, choice, Lambda);
        EXPECT_LE(outcome.violation, 1e-9 * s.v_ref);
        const bool all_open = s.impulses(Lambda).isZero(0);
        EXPECT_TRUE(choice != newton || all_open || outcome.by == SolvedBy::newton);
        EXPECT_TRUE(choice != lemke || all_open || outcome.by == SolvedBy::lemke);
        expect_law(s, Lambda, 1e-8 * s.v_ref);
        if (first.size() == 0) first = s.impulses(Lambda);
        EXPECT_LE((s.impulses(Lambda) - first).norm(), 1e-7 * (1 + first.norm()));
      }
    }
    EXPECT_EQ(solved, 15);
  }
}

// One that is open, and one that is not.
TEST(SpatialSolver, EveryChoiceSolvesContactsWithoutFriction) {
  using enum SolverChoice;
  std::mt19937 rng(650);
  for (int trial = 0; trial < 3; ++trial) {
    Scene s = random_scene(3, 3, Sets::disk, rng);
    s.mu = {0, 0.3, 0};
    VectorXd Lambda = VectorXd::Zero(12), xi = Lambda;
    xi[0] = 1;
    Lambda[4] = Lambda[8] = 2;
    s.free = xi - s.W.transpose() * (s.M_inv * (s.W * Lambda));
    s.pose();
    if (!has_full_rank(s)) continue;
    for (const SolverChoice choice : {automatic, newton, gauss_seidel, proximal}) {
      SCOPED_TRACE(std::to_string(trial) + ", choice " + std::to_string(static_cast<int>(choice)));
      Impulses found = s.zero();
      EXPECT_LE(solve(s, choice, found).violation, 1e-9 * s.v_ref);
      EXPECT_LE((s.impulses(found) - Lambda).norm(), 1e-7);
    }
  }
}

TEST(SpatialSolver, LeavesImpulsesAsTheyAreWhereAChoiceDoesNotApply) {
  const Scene s = one_contact(FrictionSet::disk(), 0.5, diagonal(2, 4, 4, 1), {-3, 1, 1, 0});
  const Impulses given = {SpatialRows(0.1, 0.2, 0.3, 0)};
  Impulses Lambda = given;
  EXPECT_EQ(solve(s, SolverChoice::lemke, Lambda).by, SolvedBy::nothing);
  EXPECT_EQ(Lambda, given);
}

TEST(SpatialSolver, EqualCallsGiveEqualBits) {
  for (const Sets sets : all_of_them) {
    std::mt19937 rng(700 + static_cast<unsigned>(sets));
    SpatialSolver used;
    for (int trial = 0; trial < 25; ++trial) {
      const int contacts = up_to(6, rng), bodies = up_to(3, rng);
      const Scene s = random_scene(contacts, bodies, sets, rng);
      Impulses first = s.zero(), second = s.zero();
      const SpatialOutcome a = used.solve(s.problem, SolverChoice::automatic, s.v_ref, enough, first);
      const SpatialOutcome b = solve(s, SolverChoice::automatic, second);  // by a solver that knows no other problem
      EXPECT_EQ(first, second) << named(sets, trial);
      EXPECT_EQ(a.violation, b.violation);
      EXPECT_EQ(a.by, b.by);
    }
  }
}

TEST(SpatialSolver, SolvesInUnitsOfAnySize) {
  for (const Sets sets : {Sets::ellipsoid, Sets::disk_and_interval, Sets::polytope}) {
    std::mt19937 rng(800 + static_cast<unsigned>(sets));
    for (int trial = 0; trial < 20; ++trial) {
      const int contacts = up_to(5, rng), bodies = up_to(3, rng);
      Scene s = random_scene(contacts, bodies, sets, rng);
      const MatrixXd M_inv = s.M_inv;
      const VectorXd free = s.free;
      for (const auto& [mass, speed] : {std::pair(1e-6, 1e-3), std::pair(1e6, 1e3), std::pair(1e3, 1e-3)}) {
        SCOPED_TRACE(named(sets, trial) + ", mass " + std::to_string(mass));
        s.M_inv = M_inv / mass;
        s.free = free * speed;
        s.pose();
        Impulses Lambda = s.zero();
        EXPECT_LE(solve(s, SolverChoice::automatic, Lambda).violation, 1e-9 * s.v_ref);
        expect_law(s, Lambda, 1e-8 * s.v_ref);
      }
    }
  }
}

TEST(SpatialSolver, HasNothingToDoWithoutContactsOrMotion) {
  Scene s = one_contact(FrictionSet::disk(), 0.5, diagonal(2, 4, 4, 1), {0, 0, 0, 0});
  Impulses Lambda = {SpatialRows(1, 0.1, 0, 0)};
  EXPECT_EQ(solve(s, SolverChoice::automatic, Lambda).violation, 0);
  EXPECT_LE(Lambda[0].norm(), 1e-15);
  SpatialSolver solver;
  Impulses none;
  EXPECT_EQ(solver.solve(SpatialProblem(), SolverChoice::automatic, 1, enough, none).violation, 0);
  EXPECT_TRUE(none.empty());
}

TEST(SpatialSolver, WhatIsNoNumberIsNoSolution) {
  const auto is_refused = [](const FrictionSet& set, bool in_matrix) {
    Scene s = one_contact(set, 0.5, diagonal(2, 4, 4, 1), {-1, 1, 1, 0});
    (in_matrix ? s.problem.block[0](0, 0) : s.problem.b[0][0]) = std::numeric_limits<double>::quiet_NaN();
    Impulses Lambda = s.zero();
    return !(solve(s, SolverChoice::automatic, Lambda).violation <= 1) && Lambda.size() == 1;
  };
  for (const FrictionSet& set : {FrictionSet::disk(), FrictionSet::disk_and_interval(1, 1, 0.5),
                                 FrictionSet::hull(ellipse_directions(1, 1, 8))}) {
    for (const bool in_matrix : {false, true}) EXPECT_TRUE(is_refused(set, in_matrix));
  }
}

// For a contact with equal rows t and o that slips, Λ_T is the point of the set nearest to −ξ_T(0) / G_TT, and |ξ_T|
// its distance: of the m-gon it is larger than of the disk, by up to 1 − cos(π/m), as it is in the middle of an edge.
// The impulse itself is off by up to π/m, as it turns to a vertex.
TEST(SpatialSolver, PolygonsOfFrictionApproachTheDisk) {
  std::mt19937 rng(9);
  const double mu = 0.5, G_T = 4, Lambda_N = 1.5, sigma = mu * Lambda_N;
  for (int m = 4; m <= 64; m *= 2) {
    SCOPED_TRACE(m);
    const auto speed = [&](double angle, Vector4d& impulse) {
      const auto polygon = FrictionSet::hull(ellipse_directions(1, 1, m));
      const Scene s = one_contact(polygon, mu, diagonal(2, G_T, G_T, 1),
                                  {-2 * Lambda_N, 10 * std::cos(angle), 10 * std::sin(angle), 0});
      Impulses Lambda = s.zero();
      EXPECT_LE(solve(s, SolverChoice::automatic, Lambda).violation, 1e-10 * s.v_ref);
      impulse = s.impulses(Lambda);
      return s.velocities(impulse).segment<2>(1).norm();
    };
    const double disk = 10 - G_T * sigma, most = 1 - std::cos(pi / m);
    Vector4d impulse;
    EXPECT_NEAR(speed(pi, impulse), disk, 1e-12);  // at a vertex
    EXPECT_NEAR(speed(pi + pi / m, impulse), disk + G_T * sigma * most, 1e-12);
    for (int trial = 0; trial < 20; ++trial) {
      const double angle = uniform(rng, 0, 2 * pi), found = speed(angle, impulse);
      EXPECT_GE(found, disk - 1e-12);
      EXPECT_LE(found, disk + G_T * sigma * most + 1e-12);
      EXPECT_NEAR(impulse[0], Lambda_N, 1e-12);
      EXPECT_LE(std::hypot(impulse[1] + sigma * std::cos(angle), impulse[2] + sigma * std::sin(angle)), sigma * pi / m);
    }
  }
}

TEST(SpatialSolver, PolytopesOfManyDirectionsApproachDisksOfSeveralContacts) {
  std::mt19937 rng(10);
  double worst[3] = {};
  for (int scene = 0; scene < 8; ++scene) {
    Scene s;
    do {
      s = random_scene(3, 3, Sets::disk, rng);
      for (double& mu : s.mu) mu = 0.3;
      s.pose();
    } while (!has_full_rank(s));
    Impulses Lambda = s.zero();
    EXPECT_LE(solve(s, SolverChoice::automatic, Lambda).violation, 1e-10 * s.v_ref);
    const VectorXd disk = s.M_inv * (s.W * s.impulses(Lambda));
    for (int k = 0; k < 3; ++k) {
      for (FrictionSet& set : s.set) set = FrictionSet::hull(ellipse_directions(1, 1, 6 << (2 * k)));
      s.pose();
      Impulses found = s.zero();
      EXPECT_LE(solve(s, SolverChoice::automatic, found).violation, 1e-10 * s.v_ref);
      worst[k] = std::max(worst[k], (s.M_inv * (s.W * s.impulses(found)) - disk).norm() / s.v_ref);
    }
  }
  EXPECT_LT(worst[0], 0.2);
  EXPECT_GT(worst[0], 1e-3);  // some slip
  EXPECT_LT(worst[1], 0.5 * worst[0]);
  EXPECT_LT(worst[2], 0.5 * worst[1]);
}

// The columns and rows of Λ_N, β₁ … β₄, σ for D = (e_t, −e_t, e_o, −e_o), written out.
TEST(PolytopeLcp, OfOneContactHasTheEntriesOfThePaper) {
  const SpatialFriction cross(FrictionSet::hull(matrix(2, {1, 0, -1, 0, 0, 1, 0, -1})));
  SpatialProblem p;
  p.friction = {&cross};
  p.mu = {0.7};
  p.b = {SpatialRows(-10, 20, 30, 0)};
  p.rho_inv = {9};
  SpatialBlock G = SpatialBlock::Zero();
  G.topLeftCorner<3, 3>() << 9, 1, 2, 1, 6, 3, 2, 3, 5;
  p.block = {G};
  p.column = {0};
  p.start = {0, 1};
  MatrixXd A(6, 6);
  A << 9, 1, -1, 2, -2, 0,  //
      1, 6, -6, 3, -3, 1,   //
      -1, -6, 6, -3, 3, 1,  //
      2, 3, -3, 5, -5, 1,   //
      -2, -3, 3, -5, 5, 1,  //
      0.7, -1, -1, -1, -1, 0;
  VectorXd b(6);
  b << -10, 20, -20, 30, -30, 0;

  ASSERT_EQ(polytope_lcp_size(p), 6);
  const complementarity::Lcp lcp = polytope_lcp(p);
  ASSERT_EQ(lcp.A.rows(), 6);
  ASSERT_EQ(lcp.A.cols(), 6);
  ASSERT_EQ(lcp.b.size(), 6);
  const Vector3d written[] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}};
  int place[6] = {0, -1, -1, -1, -1, 5};  // the vertices come in an order of their own
  ASSERT_EQ(cross.set().vertices().size(), 4u);
  for (int j = 0; j < 4; ++j) {
    for (int k = 0; k < 4; ++k) {
      if (cross.set().vertices()[at(j)] == written[k]) place[1 + j] = 1 + k;
    }
    ASSERT_GT(place[1 + j], 0);
  }
  for (int i = 0; i < 6; ++i) {
    EXPECT_EQ(lcp.b[i], b[place[i]]) << i;
    for (int j = 0; j < 6; ++j) EXPECT_EQ(lcp.A(i, j), A(place[i], place[j])) << i << ' ' << j;
  }

  VectorXd x = VectorXd::Zero(6);
  for (int i = 0; i < 6; ++i) x[i] = VectorXd::LinSpaced(6, 1, 6)[place[i]];  // Λ_N = 1, β = 2, 3, 4, 5
  Impulses Lambda(1);
  read_polytope_solution(p, x, Lambda);
  EXPECT_EQ(Lambda[0], SpatialRows(1, -1, -1, 0));
}

TEST(PolytopeLcp, LeavesOutZeroAndRowsWithoutFriction) {
  const SpatialFriction corner(FrictionSet::hull(matrix(2, {1, 0, 0, 1})));  // with 0 as a vertex
  const SpatialFriction nothing(FrictionSet::hull(matrix(2, {0, 0})));
  SpatialProblem p;
  p.friction = {&corner, &corner, &nothing};
  p.mu = {0.7, 0, 0.7};
  for (int i = 0; i < 3; ++i) {
    SpatialBlock own = SpatialBlock::Zero(), across = SpatialBlock::Zero();
    own.diagonal() << 2 + i, 3, 4, 0;
    across(0, 0) = 0.5;
    if (i == 0) across(1, 0) = 0.25;
    p.b.emplace_back(-1 - i, 0.1, 0.2, 0);
    p.rho_inv.push_back(4);
    p.block.push_back(own);
    p.column.push_back(i);
    if (i < 2) {
      p.block.push_back(i == 0 ? across : SpatialBlock(across.transpose()));
      p.block.back().row(3).setZero();
      p.column.push_back(1 - i);
      if (i == 1) p.block.back()(0, 1) = 0.25;
    }
    p.start.push_back(static_cast<int>(p.column.size()));
  }
  // Λ_N, β₁, β₂, σ of the first; Λ_N of the others.
  ASSERT_EQ(polytope_lcp_size(p), 6);
  const complementarity::Lcp lcp = polytope_lcp(p);
  ASSERT_EQ(lcp.b.size(), 6);
  EXPECT_EQ(lcp.A(4, 4), 3);
  EXPECT_EQ(lcp.A(5, 5), 4);
  EXPECT_EQ(lcp.A(0, 4), 0.5);
  EXPECT_EQ(lcp.A(4, 0), 0.5);
  int t = 1;  // which of β₁, β₂ is along t
  for (const Vector3d& v : corner.set().vertices()) {
    if (v == Vector3d(1, 0, 0)) break;
    t += v.isZero(0) ? 0 : 1;
  }
  EXPECT_EQ(lcp.A(t, 4), 0.25);
  EXPECT_EQ(lcp.A(4, t), 0.25);
  EXPECT_EQ(lcp.A(3 - t, 4), 0);
  EXPECT_EQ(lcp.A(0, 5), 0);
  EXPECT_EQ(lcp.b[4], -2);
  EXPECT_EQ(lcp.b[5], -3);
  Impulses Lambda(3);
  const auto found = complementarity::solve_lemke(lcp);
  ASSERT_EQ(found.status, complementarity::LemkeResult::Status::solved);
  read_polytope_solution(p, found.solution.x, Lambda);
  EXPECT_LE(largest_residual(p, Lambda), 1e-14);
}

// A row of bodies, each on the one before and on the ground.
Scene chain(int bodies, Sets sets, std::mt19937& rng) {
  Scene s;
  s.W = MatrixXd::Zero(6 * bodies, 8 * bodies);
  s.M_inv = MatrixXd::Zero(6 * bodies, 6 * bodies);
  for (int j = 0; j < bodies; ++j) {
    const MatrixXd B = random_matrix(3, 3, rng);
    s.M_inv.block<3, 3>(6 * j, 6 * j).diagonal().setConstant(uniform(rng, 0.3, 2));
    s.M_inv.block<3, 3>(6 * j + 3, 6 * j + 3) = B * B.transpose() + 0.3 * Eigen::Matrix3d::Identity();
    for (int k = 0; k < 2; ++k) {
      const int i = 2 * j + k, a = k == 1 ? j - 1 : -1;
      s.set.push_back(random_set(sets, rng));
      s.mu.push_back(uniform(rng, 0, 0.6));
      s.bodies.emplace_back(a, j);
      s.W.block<6, 4>(6 * j, 4 * i) = rows_of_a_point(rng);
      if (a >= 0) s.W.block<6, 4>(6 * a, 4 * i) = rows_of_a_point(rng);
      s.W.middleCols<4>(4 * i).rightCols(3 - s.set.back().dimension()).setZero();
    }
  }
  s.free = s.W.transpose() * random_matrix(6 * bodies, 1, rng);
  s.pose();
  return s;
}

TEST(SpatialNewton, AcceptsASolutionInNoIterations) {
  for (const Sets sets : {Sets::disk, Sets::ellipsoid, Sets::without_an_axis, Sets::disk_and_interval}) {
    std::mt19937 rng(900 + static_cast<unsigned>(sets));
    for (int trial = 0; trial < 20; ++trial) {
      const int contacts = up_to(8, rng), bodies = up_to(4, rng);
      Scene s = random_scene(contacts, bodies, sets, rng);
      const Impulses known = choose_solution(s, rng);
      Impulses Lambda = known;
      SpatialNewton newton;
      EXPECT_TRUE(newton.solve(s.problem, 1e-12 * s.v_ref, Lambda)) << named(sets, trial);
      EXPECT_EQ(newton.iterations(), 0);
      EXPECT_EQ(Lambda, known);
      EXPECT_NEAR(newton.violation(), largest_residual(s.problem, known), 1e-14 * s.v_ref);
    }
  }
}

// Near a solution each step doubles the digits: so does it with the derivative as it is, and not with another one.
TEST(SpatialNewton, ConvergesInFewStepsFromNearby) {
  for (const Sets sets : {Sets::disk, Sets::ellipsoid, Sets::without_an_axis, Sets::disk_and_interval}) {
    std::mt19937 rng(1000 + static_cast<unsigned>(sets));
    int tried = 0;
    for (int trial = 0; tried < 20 && trial < 3000; ++trial) {
      SCOPED_TRACE(named(sets, trial));
      const int contacts = up_to(4, rng), bodies = up_to(4, rng);
      Scene s = random_scene(contacts, bodies, sets, rng);
      for (double& mu : s.mu) mu = std::min(mu, 0.5);
      const Impulses known = choose_solution(s, rng);
      if (!has_full_rank(s)) continue;
      ++tried;
      for (const auto& [distance, steps] : {std::pair(1e-3, 5), std::pair(1e-6, 2)}) {
        Impulses Lambda = known;
        for (int i = 0; i < contacts; ++i) {
          const double size = distance * Lambda[at(i)].norm();
          for (int r = 0; r < s.problem.rows(i); ++r) Lambda[at(i)][r] += size * normal(rng);
        }
        SpatialNewton newton;
        EXPECT_TRUE(newton.solve(s.problem, 1e-13 * s.v_ref, Lambda));
        EXPECT_LE(newton.iterations(), steps);
      }
    }
    EXPECT_EQ(tried, 20);
  }
}

TEST(SpatialNewton, RefusesMoreRowsThanItsLimit) {
  const SpatialFriction disk(FrictionSet::disk());
  SpatialProblem p;
  SpatialBlock G = SpatialBlock::Zero();
  G.diagonal() << 2, 4, 4, 0;
  const auto add = [&](const SpatialFriction& friction, double mu) {
    p.friction.push_back(&friction);
    p.mu.push_back(mu);
    p.b.emplace_back(-3, 1, 5, 0);
    p.rho_inv.push_back(4);
    p.column.push_back(static_cast<int>(p.column.size()));
    p.block.push_back(G);
    p.start.push_back(static_cast<int>(p.column.size()));
  };
  SpatialNewton newton;
  for (int i = 0; 3 * (i + 1) <= SpatialNewton::row_limit; ++i) add(disk, 0.5);
  Impulses Lambda(p.mu.size(), SpatialRows::Zero());
  EXPECT_TRUE(newton.solve(p, 1e-12, Lambda));
  EXPECT_LE(largest_residual(p, Lambda), 1e-12);
  add(disk, 0.5);
  Lambda.assign(p.mu.size(), SpatialRows::Zero());
  EXPECT_FALSE(newton.solve(p, 1e-12, Lambda));
  EXPECT_EQ(newton.violation(), std::numeric_limits<double>::infinity());
  EXPECT_EQ(newton.iterations(), 0);
}

TEST(SpatialNewton, SolvesForVelocitiesWhatItSolvesForImpulses) {
  for (const Sets sets : {Sets::disk, Sets::ellipsoid, Sets::disk_and_interval}) {
    std::mt19937 rng(1100 + static_cast<unsigned>(sets));
    for (int trial = 0; trial < 5; ++trial) {
      SCOPED_TRACE(named(sets, trial));
      Scene s = chain(16, sets, rng);
      ASSERT_GT(s.rows(), SpatialNewton::dense_limit);
      Impulses by_impulses = s.zero(), by_velocities = s.zero();
      EXPECT_LE(solve(s, SolverChoice::automatic, by_impulses).violation, 1e-9 * s.v_ref);
      s.pose(true);
      EXPECT_LE(solve(s, SolverChoice::automatic, by_velocities).violation, 1e-9 * s.v_ref);
      expect_law(s, by_impulses, 1e-8 * s.v_ref);
      expect_law(s, by_velocities, 1e-8 * s.v_ref);
      // From one solution the other way has nothing to do; and from nearby little.
      SpatialNewton newton;
      Impulses again = by_impulses;
      EXPECT_TRUE(newton.solve(s.problem, 1e-9 * s.v_ref, again));
      EXPECT_EQ(newton.iterations(), 0);
      for (SpatialRows& Lambda : again) Lambda *= 1 + 1e-4 * normal(rng);
      EXPECT_TRUE(newton.solve(s.problem, 1e-9 * s.v_ref, again));
      EXPECT_LE(newton.iterations(), 10);
    }
  }
}

TEST(SpatialNewton, TakesNoHeapOnceWarm) {
  for (const bool with_bodies : {false, true}) {
    std::mt19937 rng(12);
    Scene s = chain(12, Sets::ellipsoid, rng);
    s.pose(with_bodies);
    SpatialNewton newton;
    Impulses Lambda = s.zero();
    const auto run = [&] {
      for (SpatialRows& rows : Lambda) rows.setZero();
      newton.solve(s.problem, 1e-12 * s.v_ref, Lambda);
      newton.solve_proximal(s.problem, 1e-12 * s.v_ref, 1e-12 * s.v_ref, Lambda);
    };
    run();
    run();
    const long before = tests::allocations();
    run();
    EXPECT_EQ(tests::allocations(), before) << with_bodies;
  }
}

}  // namespace
}  // namespace picus::contact
