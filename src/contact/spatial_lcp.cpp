#include "picus/contact/spatial_lcp.hpp"

#include "picus/support/index.hpp"

namespace picus::contact {

namespace {

// The vertices of a contact's set as columns, without 0, which eᵀβ ≤ μ Λ_N holds by itself.
Eigen::Matrix3Xd directions(const SpatialProblem& p, int i) {
  if (p.rows(i) == 1) return Eigen::Matrix3Xd(3, 0);
  Eigen::Matrix3Xd D(3, 0);
  for (const Eigen::Vector3d& v : p.friction[at(i)]->set().vertices()) {
    if (v.squaredNorm() == 0) continue;
    D.conservativeResize(3, D.cols() + 1);
    D.rightCols<1>() = v;
  }
  return D;
}

// N and D: the part of the unknowns that makes impulses, as columns of rows N, T.
Eigen::Matrix4Xd generators(const SpatialProblem& p, int i) {
  const Eigen::Matrix3Xd D = directions(p, i);
  Eigen::Matrix4Xd E = Eigen::Matrix4Xd::Zero(4, 1 + D.cols());
  E(0, 0) = 1;
  E.bottomRightCorner(3, D.cols()) = D;
  return E;
}

}  // namespace

int polytope_lcp_size(const SpatialProblem& p) {
  int size = 0;
  for (int i = 0; i < p.contacts(); ++i) {
    const auto m = static_cast<int>(generators(p, i).cols());
    size += m > 1 ? m + 1 : 1;
  }
  return size;
}

complementarity::Lcp polytope_lcp(const SpatialProblem& p, double rho_inv, double v_ref) {
  std::vector<Eigen::Matrix4Xd> E;
  std::vector<Eigen::Index> first;
  Eigen::Index size = 0;
  for (int i = 0; i < p.contacts(); ++i) {
    E.push_back(generators(p, i));
    first.push_back(size);
    size += E.back().cols() > 1 ? E.back().cols() + 1 : 1;
  }
  complementarity::Lcp lcp;
  lcp.A = Eigen::MatrixXd::Zero(size, size);
  lcp.b = Eigen::VectorXd::Zero(size);
  for (int i = 0; i < p.contacts(); ++i) {
    const Eigen::Index m = E[at(i)].cols(), from = first[at(i)];
    lcp.b.segment(from, m) = E[at(i)].transpose() * p.b[at(i)] / v_ref;
    for (int k = p.start[at(i)]; k < p.start[at(i) + 1]; ++k) {
      const int j = p.column[at(k)];
      lcp.A.block(from, first[at(j)], m, E[at(j)].cols()) +=
          E[at(i)].transpose() * (p.block[at(k)] / rho_inv) * E[at(j)];
    }
    if (m == 1) continue;
    lcp.A.col(from + m).segment(from + 1, m - 1).setOnes();
    lcp.A.row(from + m).segment(from + 1, m - 1).setConstant(-1);
    lcp.A(from + m, from) = p.mu[at(i)];
  }
  return lcp;
}

void read_polytope_solution(const SpatialProblem& p, const Eigen::VectorXd& x, std::vector<SpatialRows>& Lambda,
                            double unit) {
  Eigen::Index from = 0;
  for (int i = 0; i < p.contacts(); ++i) {
    const Eigen::Matrix4Xd E = generators(p, i);
    Lambda[at(i)] = unit * (E * x.segment(from, E.cols()));
    from += E.cols() > 1 ? E.cols() + 1 : 1;
  }
}

}  // namespace picus::contact
