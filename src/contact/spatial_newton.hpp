#pragma once

#include "picus/contact/sparse_lu.hpp"
#include "picus/contact/spatial_problem.hpp"

namespace picus::contact {

// Newton's method on the map of Alart & Curnier (1991),
//   F_N = ξ_N or Λ_N / ρ,   F_T = ξ_T or (Λ_T − P(Λ_T − ρ ξ_T)) / ρ,   P: on the set of size μ max(Λ_N, 0),
// with its whole derivative, and steps that are halved where they do not lead down. G may be singular: a small multiple
// of the unit matrix keeps the linear systems solvable, and changes nothing about what is solved. A few contacts are
// solved for their impulses, dense; more for the velocities of the bodies, sparse. Nothing allocates once warm.
class SpatialNewton {
 public:
  static constexpr int dense_limit = 60;  // rows; beyond, and without bodies, up to
  static constexpr int row_limit = 400;

  // From Λ as given; on return the best that was found. True when its violation (largest_residual) is at most `accept`.
  bool solve(const SpatialProblem& p, double accept, std::vector<SpatialRows>& Lambda);
  // The same where that gets stuck: by proximal points (Rockafellar 1976), Λ_k → Λ of the problem with
  // ξ + ε (Λ − Λ_k)/ρ. ε shrinks where Newton's method is quick and grows where it fails; points that creep along one
  // direction are extrapolated (Aitken).
  // What is within `enough` after some points is not driven further.
  bool solve_proximal(const SpatialProblem& p, double accept, double enough, std::vector<SpatialRows>& Lambda);
  // The same along a path: kinks of the map are rounded over a length τ that shrinks to nothing.
  bool solve_rounded(const SpatialProblem& p, double v_ref, double accept, std::vector<SpatialRows>& Lambda);
  double violation() const { return violation_; }
  int iterations() const { return iterations_; }

 private:
  bool prepare(const SpatialProblem& p, std::vector<SpatialRows>& Lambda);
  bool step(const SpatialProblem& p, double bound, std::vector<SpatialRows>& Lambda, double& square);
  double evaluate(const SpatialProblem& p, const std::vector<SpatialRows>& Lambda);
  // F' of contact i: S tells how much of each row of ξ enters, A what the contact's own Λ does beside.
  struct Slope {
    SpatialBlock S, A;
  };
  Slope slope(const SpatialProblem& p, int i, const SpatialRows& Lambda) const;
  SpatialRows rounded_map(const SpatialProblem& p, int i, const SpatialRows& lambda, const SpatialRows& xi) const;
  Slope rounded_slope_of(const SpatialProblem& p, int i, const SpatialRows& lambda, const SpatialRows& xi) const;
  bool dense_direction(const SpatialProblem& p, const std::vector<SpatialRows>& Lambda);
  bool sparse_direction(const SpatialProblem& p, const std::vector<SpatialRows>& Lambda);
  void analyse(const SpatialProblem& p);
  bool solve_linear();
  double* row(int r) { return matrix_.data() + static_cast<std::size_t>(r) * static_cast<std::size_t>(n_); }

  int n_ = 0;
  std::vector<int> first_;  // row of each contact
  std::vector<SpatialRows> xi_, F_, step_, trial_, best_, anchor_, moved_;
  double epsilon_ = 0, tau_ = 0;
  bool sparse_ = false;
  std::vector<double> matrix_, rhs_;
  SparseLu lu_;
  std::vector<std::pair<int, int>> pattern_;  // bodies of each contact when lu_ was analysed
  std::vector<int> number_;                   // of each body among those touched
  int touched_ = 0;
  std::vector<SpatialBlock, Eigen::aligned_allocator<SpatialBlock>> C_;
  std::vector<SpatialRows> h_;
  double violation_ = 0;
  int iterations_ = 0;
};

}  // namespace picus::contact
