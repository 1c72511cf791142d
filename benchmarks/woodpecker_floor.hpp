// The floor for a time step of the woodpecker: Moreau's midpoint rule written for this one system and nothing else,
// with every constant computed beforehand (M⁻¹, G, its inverses), straight-line solutions for one active contact, and
// no certificate, ledger or events. What a general program costs more than this is the price of its generality.
#pragma once

#include <cmath>

#include "picus/catalogue/woodpecker.hpp"
#include "picus/math/cholesky.hpp"

namespace picus::benchmarks {

class WoodpeckerFloor {
 public:
  explicit WoodpeckerFloor(const catalogue::Woodpecker& toy, double dt) : dt_(dt) {
    catalogue::Woodpecker::MassMatrix M, L;
    toy.mass({}, 0, M);
    math::factor_cholesky(3, M, L);
    for (int j = 0; j < 3; ++j) {
      math::Vector<3> e = {0, 0, 0};
      e[j] = 1;
      math::solve_cholesky(3, L, e);
      for (int i = 0; i < 3; ++i) Minv_[i][j] = e[i];
    }
    spring_ = toy.c_phi;
    for (int i = 0; i < 3; ++i) {
      gravity_[i] =
          -dt * toy.g *
          (Minv_[i][0] * (toy.m_S + toy.m_M) + Minv_[i][1] * toy.m_S * toy.l_M + Minv_[i][2] * toy.m_S * toy.l_G);
      twist_[i] = dt * spring_ * (Minv_[i][2] - Minv_[i][1]);
    }
    beak_gap_ = toy.l_M + toy.l_G - toy.l_S - toy.r_O;
    play_ = toy.r_M - toy.r_O;
    h_S_ = toy.h_S;
    h_M_ = toy.h_M;
    for (int i = 0; i < 3; ++i) set_contact(toy, i);
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) {
        for (int r = 0; r < 2; ++r) {
          for (int c = 0; c < 2; ++c) {
            double sum = 0;
            for (int k = 0; k < 3; ++k) sum += contact_[i].w[r][k] * contact_[j].Minv_w[c][k];
            G_[2 * i + r][2 * j + c] = sum;
          }
        }
      }
    }
  }

  void step() {
    const double half = 0.5 * dt_;
    const double y = q[0] + half * u[0], phi_M = q[1] + half * u[1], phi_S = q[2] + half * u[2];
    const double twist = phi_M - phi_S;
    double v[3];
    for (int i = 0; i < 3; ++i) v[i] = u[i] + gravity_[i] + twist * twist_[i];

    const bool beak = beak_gap_ - h_S_ * phi_S <= 1e-12;
    const bool lower = play_ + h_M_ * phi_M <= 1e-12, upper = play_ - h_M_ * phi_M <= 1e-12;
    if (lower || upper) {
      const Contact& c = contact_[lower ? 1 : 2];
      if (beak) {
        solve_two(contact_[0], c, lower ? 1 : 2, v);
      } else {
        solve_one(c, v);
      }
    } else if (beak) {
      solve_one(contact_[0], v);
    }
    q[0] = y + half * v[0];
    q[1] = phi_M + half * v[1];
    q[2] = phi_S + half * v[2];
    for (int i = 0; i < 3; ++i) u[i] = v[i];
  }

  double q[3] = {0, -0.1036, -0.2788};
  double u[3] = {-0.3411, 0, -7.4583};

 private:
  struct Contact {
    double w[2][3], Minv_w[2][3];
    double mu, eN, eT;
    double stick[2][2];            // −(2 × 2 block of G)⁻¹
    double slip_plus, slip_minus;  // −1 / (G_NN ∓ μ G_NT)
    double drag_plus, drag_minus;  // ξ_T = b_T + drag Λ_N
  };

  void set_contact(const catalogue::Woodpecker& toy, int i) {
    Contact& c = contact_[i];
    catalogue::Woodpecker::Directions d;
    toy.directions(i, {}, 0, d);
    for (int k = 0; k < 3; ++k) {
      c.w[0][k] = d.w_N[k];
      c.w[1][k] = d.w_T[k];
    }
    double g[2][2] = {};
    for (int r = 0; r < 2; ++r) {
      for (int a = 0; a < 3; ++a) {
        c.Minv_w[r][a] = 0;
        for (int b = 0; b < 3; ++b) c.Minv_w[r][a] += Minv_[a][b] * c.w[r][b];
      }
    }
    for (int r = 0; r < 2; ++r) {
      for (int s = 0; s < 2; ++s) {
        for (int k = 0; k < 3; ++k) g[r][s] += c.w[r][k] * c.Minv_w[s][k];
      }
    }
    c.mu = toy.laws[i].mu;
    c.eN = toy.laws[i].eN;
    c.eT = toy.laws[i].eT;
    const double det = g[0][0] * g[1][1] - g[0][1] * g[1][0];
    c.stick[0][0] = -g[1][1] / det;
    c.stick[0][1] = g[0][1] / det;
    c.stick[1][0] = g[1][0] / det;
    c.stick[1][1] = -g[0][0] / det;
    c.slip_plus = -1 / (g[0][0] - c.mu * g[0][1]);
    c.slip_minus = -1 / (g[0][0] + c.mu * g[0][1]);
    c.drag_plus = g[1][0] - c.mu * g[1][1];
    c.drag_minus = g[1][0] + c.mu * g[1][1];
  }

  void free_velocity(const Contact& c, const double* v, double& b_N, double& b_T) const {
    b_N = c.w[0][0] * (v[0] + c.eN * u[0]) + c.w[0][1] * (v[1] + c.eN * u[1]) + c.w[0][2] * (v[2] + c.eN * u[2]);
    b_T = c.w[1][0] * (v[0] + c.eT * u[0]) + c.w[1][1] * (v[1] + c.eT * u[1]) + c.w[1][2] * (v[2] + c.eT * u[2]);
  }

  static void apply(const Contact& c, double Lambda_N, double Lambda_T, double* v) {
    for (int i = 0; i < 3; ++i) v[i] += c.Minv_w[0][i] * Lambda_N + c.Minv_w[1][i] * Lambda_T;
  }

  void solve_one(const Contact& c, double* v) const {
    double b_N, b_T;
    free_velocity(c, v, b_N, b_T);
    if (b_N >= 0) return;
    double N = c.stick[0][0] * b_N + c.stick[0][1] * b_T;
    double T = c.stick[1][0] * b_N + c.stick[1][1] * b_T;
    if (!(std::abs(T) <= c.mu * N)) {
      N = c.slip_plus * b_N;
      T = -c.mu * N;
      if (b_T + c.drag_plus * N < 0) {
        N = c.slip_minus * b_N;
        T = c.mu * N;
      }
    }
    apply(c, N, T, v);
  }

  // Beak and sleeve together happens in few steps: Gauss-Seidel over the two contacts until nothing moves.
  void solve_two(const Contact& first, const Contact& second, int j, double* v) const {
    double b[4];
    free_velocity(first, v, b[0], b[1]);
    free_velocity(second, v, b[2], b[3]);
    const int rows[4] = {0, 1, 2 * j, 2 * j + 1};
    double Lambda[4] = {0, 0, 0, 0};
    for (int sweep = 0; sweep < 200; ++sweep) {
      double change = 0;
      for (int k = 0; k < 2; ++k) {
        const Contact& c = k == 0 ? first : second;
        const int other = 2 * (1 - k);
        double r[2];
        for (int a = 0; a < 2; ++a) {
          r[a] = b[2 * k + a] + G_[rows[2 * k + a]][rows[other]] * Lambda[other] +
                 G_[rows[2 * k + a]][rows[other + 1]] * Lambda[other + 1];
        }
        double N = 0, T = 0;
        if (r[0] < 0) {
          N = c.stick[0][0] * r[0] + c.stick[0][1] * r[1];
          T = c.stick[1][0] * r[0] + c.stick[1][1] * r[1];
          if (!(std::abs(T) <= c.mu * N)) {
            N = c.slip_plus * r[0];
            T = -c.mu * N;
            if (r[1] + c.drag_plus * N < 0) {
              N = c.slip_minus * r[0];
              T = c.mu * N;
            }
          }
        }
        change += std::abs(N - Lambda[2 * k]) + std::abs(T - Lambda[2 * k + 1]);
        Lambda[2 * k] = N;
        Lambda[2 * k + 1] = T;
      }
      if (change <= 1e-16 * (Lambda[0] + Lambda[2])) break;
    }
    apply(first, Lambda[0], Lambda[1], v);
    apply(second, Lambda[2], Lambda[3], v);
  }

  double dt_, spring_, beak_gap_, play_, h_S_, h_M_;
  double Minv_[3][3], gravity_[3], twist_[3];
  double G_[6][6];
  Contact contact_[3];
};

}  // namespace picus::benchmarks
