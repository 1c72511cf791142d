// Stewart & Trinkle's linear complementarity problem.
#pragma once

#include "picus/complementarity/lcp.hpp"
#include "picus/contact/spatial_problem.hpp"

namespace picus::contact {

// Friction from polytopes with the vertices D (Stewart 2000, eq. 2.16), for each contact
//   0 ≤ Λ_N ⟂ ξ_N ≥ 0,   0 ≤ β ⟂ Dᵀ ξ_T + σ e ≥ 0,   0 ≤ σ ⟂ μ Λ_N − eᵀβ ≥ 0,   Λ_T = D β.
// Unknowns: Λ_N, β, σ of each contact in turn.
// In units of 1/rho_inv and v_ref: Λ = (v_ref / rho_inv) x.
complementarity::Lcp polytope_lcp(const SpatialProblem& p, double rho_inv = 1, double v_ref = 1);
int polytope_lcp_size(const SpatialProblem& p);
void read_polytope_solution(const SpatialProblem& p, const Eigen::VectorXd& x, std::vector<SpatialRows>& Lambda,
                            double unit = 1);

}  // namespace picus::contact
