#include "picus/complementarity/cone_problem.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "picus/complementarity/cone.hpp"
#include "picus/support/index.hpp"

namespace picus::complementarity {

namespace {

// r − P_K(r − v) for K = {|r_T| ≤ μ r_N}, with nothing lost where v is small beside r.
ConeVector natural_map(const ConeVector& r, const ConeVector& v, double mu) {
  const ConeVector z = r - v;
  const double t = tangential_norm(z);
  if (mu * t <= -z[0]) return r;  // first: without friction, and with z_N < 0, both hold
  if (t <= mu * z[0]) return v;
  // On the edge of the cone P = z + c (μ n − t/|t|) with c = (|t| − μ z_N) / (1 + μ²), and F = r − P = v − (P − z)
  // (beyond 1e100 the same to round-off, and no square overflows).
  const double excess = mu < 1e100 ? (t - mu * z[0]) / (1 + mu * mu) : (t / mu - z[0]) / mu;
  ConeVector F = v;
  F[0] -= mu * excess;
  F.tail<3>() += z.tail<3>() * (excess / t);
  return F;
}

}  // namespace

ConeUnits units_of(const ConeProblem& p) {
  const double q = p.q.size() > 0 ? p.q.cwiseAbs().maxCoeff() : 0;
  const double mean = (p.W.diagonal() / std::max(1, p.rows())).sum();  // the sum by itself could overflow
  ConeUnits units;
  if (q > 0) units.velocity = std::ldexp(1.0, std::ilogb(q));
  if (mean > 0) units.compliance = std::ldexp(1.0, 2 * (std::ilogb(mean) / 2));
  return units;
}

ConeResidual residual(const ConeProblem& p, const Eigen::VectorXd& r) {
  const ConeUnits units = units_of(p);
  const Eigen::VectorXd u = (p.W * r + p.q) / units.velocity;
  const Eigen::VectorXd diagonal = p.W.diagonal() / units.compliance;
  const double trace = diagonal.sum(), rho = trace > 0 ? p.rows() / trace : 1;
  ConeResidual found;
  double squares = 0, approach = 0;
  for (int i = 0; i < p.contacts(); ++i) {
    const int begin = p.start[at(i)], n = p.size(i);
    const double mu = p.mu[at(i)];
    const ConeVector r_i = read_part(r, begin, n).unaryExpr([&](double x) { return units.impulse_in(x); });
    ConeVector u_i = read_part(u, begin, n);
    if (!(u_i[0] >= 0)) approach += u_i[0] * u_i[0];
    u_i[0] += mu * tangential_norm(u_i);
    squares += natural_map(r_i, rho * u_i, mu).squaredNorm();
    const double own = diagonal.segment(begin, n).maxCoeff(), weight = own > 0 ? own : 1 / rho;
    const double distance = natural_map(weight * r_i, u_i, mu).norm() * units.velocity;
    if (found.largest == found.largest && !(distance <= found.largest)) found.worst_contact = i;
    found.largest = math::worse(found.largest, distance);
  }
  const double q = p.q.size() > 0 ? (p.q / units.velocity).norm() : 0, unit = q > 0 ? q : 1;
  found.invariant = squares == 0 ? 0 : std::sqrt(squares) / (rho * unit);
  found.approach = std::sqrt(approach) / unit;
  const Eigen::VectorXd moved = (p.W.cwiseAbs() * r.cwiseAbs()) / units.velocity;
  found.round_off = 4 * std::numeric_limits<double>::epsilon() * moved.norm() / unit;
  return found;
}

std::string find_fault(const ConeProblem& p) {
  const auto rows = static_cast<Eigen::Index>(p.rows());
  if (p.start.size() != p.mu.size() + 1 || p.start.front() != 0) return "the contacts and their rows do not fit";
  if (p.W.rows() != rows || p.W.cols() != rows) return "W is not square with a row for each row of the contacts";
  if (p.q.size() != rows) return "q has not one number a row";
  for (int i = 0; i < p.contacts(); ++i) {
    if (p.size(i) < 1 || p.size(i) > largest_cone) return "a contact has 1 to 4 rows";
    if (!(p.mu[at(i)] >= 0) || !std::isfinite(p.mu[at(i)])) return "mu is not a number >= 0";
  }
  if (!p.q.allFinite()) return "q holds what is no finite number";
  for (Eigen::Index r = 0; r < rows; ++r) {
    for (ConeProblem::Matrix::InnerIterator e(p.W, r); e; ++e) {
      if (!std::isfinite(e.value())) return "W holds what is no finite number";
      if (e.col() == r && e.value() < 0) return "W has a negative entry on its diagonal";
    }
  }
  return "";
}

}  // namespace picus::complementarity
