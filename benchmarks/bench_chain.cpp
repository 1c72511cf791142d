// A tower of N plates on a shaking table: a chain of N planar contacts, each with friction. Time of a step against N,
// for each solver. All plates stay in contact; some interfaces stick and some slip.
//
// Usage: picus_bench_chain [FILE.csv]
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <memory>
#include <vector>

#include "picus/stepping/integration.hpp"

namespace {

using namespace picus;

// q = (x_1, y_1, …, x_N, y_N): position of each plate. Contact i lies under plate i.
template <int N>
struct Tower : mechanics::MinimalCoordinates<2 * N, N> {
  using Base = mechanics::MinimalCoordinates<2 * N, N>;
  using typename Base::Directions;
  using typename Base::Gaps;
  using typename Base::MassMatrix;
  using typename Base::Position;
  using typename Base::Velocity;
  static constexpr bool constant_mass = true;
  static constexpr bool constant_directions = true;
  static constexpr double g = 9.81, shake = 0.03, omega = 15;  // amplitude in m, rad/s: 0.7 g

  static double fraction(int i) { return std::fmod(0.6180339887498949 * (i + 1), 1.0); }
  static double plate_mass(int i) { return 0.5 + fraction(3 * i); }

  void mass(const Position&, double, MassMatrix& M) const {
    for (int i = 0; i < 2 * N; ++i) {
      for (int j = 0; j < 2 * N; ++j) M(i, j) = i == j ? plate_mass(i / 2) : 0;
    }
  }
  void force(const Position&, const Velocity&, double, Velocity& h) const {
    for (int i = 0; i < N; ++i) {
      h[2 * i] = 0;
      h[2 * i + 1] = -g * plate_mass(i);
    }
  }
  double potential_energy(const Position& q, double) const {
    double V = 0;
    for (int i = 0; i < N; ++i) V += g * plate_mass(i) * q[2 * i + 1];
    return V;
  }
  void gaps(const Position& q, double, Gaps& gap) const {
    for (int i = 0; i < N; ++i) gap[i] = q[2 * i + 1] - (i > 0 ? q[2 * i - 1] : 0);
  }
  void directions(int i, const Position&, double t, Directions& d) const {
    for (int j = 0; j < 2 * N; ++j) d.w_N[j] = d.w_T[j] = 0;
    d.w_T[2 * i] = d.w_N[2 * i + 1] = 1;
    if (i > 0) d.w_T[2 * i - 2] = d.w_N[2 * i - 1] = -1;
    if (i == 0) d.w_hat_T = -shake * omega * std::cos(omega * t);
  }
  contact::Law law(int i) const { return {0.2 + 0.5 * fraction(i), 0, 0}; }
};

struct Row {
  int contacts;
  const char* solver;
  double ns;        // least time of a step over the rounds
  double residual;  // worst
};

constexpr struct {
  const char* name;
  contact::SolverChoice choice;
} solvers[] = {{"auto", contact::SolverChoice::automatic},
               {"newton", contact::SolverChoice::newton},
               {"gauss-seidel", contact::SolverChoice::gauss_seidel},
               {"prox", contact::SolverChoice::proximal},
               {"lemke", contact::SolverChoice::lemke},
               {"enumerate", contact::SolverChoice::enumerate}};

template <int N>
void measure(std::vector<Row>& rows) {
  using Clock = std::chrono::steady_clock;
  constexpr double dt = 1e-3, period = 2 * 3.14159265358979323846 / Tower<N>::omega;
  constexpr int enumerable = 6;  // beyond, all states take seconds a step
  for (const auto& solver : solvers) {
    if (solver.choice == contact::SolverChoice::enumerate && N > enumerable) continue;
    Row row{N, solver.name, 1e300, 0};
    constexpr int rounds = 3;
    for (int round = 0; round < rounds; ++round) {
      options::StepOptions o;
      o.dt = dt;
      o.solver = solver.choice;
      o.check_uniqueness = false;
      math::Vector<2 * N> zero = {};
      auto run = std::make_unique<stepping::Integration<Tower<N>>>(Tower<N>{}, zero, zero, o);
      const auto begin = Clock::now();
      double seconds = 0;
      // One period of the table, or as much of it as a second allows.
      while (run->time() < period && seconds < 1) {
        if (run->step() != stepping::StepStatus::done) {
          row.residual = NAN;
          break;
        }
        seconds = std::chrono::duration<double>(Clock::now() - begin).count();
      }
      row.ns = std::min(row.ns, 1e9 * seconds / static_cast<double>(run->totals().steps));
      const bool certified = run->totals().certified_steps == run->totals().steps;
      row.residual = certified ? std::max(row.residual, run->totals().worst_residual) : NAN;
    }
    rows.push_back(row);
  }
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<Row> rows;
  measure<1>(rows);
  measure<2>(rows);
  measure<4>(rows);
  measure<6>(rows);
  measure<8>(rows);
  measure<16>(rows);
  measure<32>(rows);
  measure<64>(rows);
  fmt::print("tower of plates on a shaking table: microseconds a step, least of 3 rounds; every step certified\n{:<10}",
             "contacts");
  for (const auto& solver : solvers) fmt::print("{:>14}", solver.name);
  int last = 0;
  for (const Row& row : rows) {
    if (row.contacts != last) fmt::print("\n{:<10}", row.contacts);
    last = row.contacts;
    fmt::print("{:>14}", std::isnan(row.residual) ? "failed" : fmt::format("{:.3g}", 1e-3 * row.ns));
  }
  fmt::print("\n");
  if (argc > 1) {
    std::FILE* file = std::fopen(argv[1], "w");
    if (file == nullptr) {
      fmt::print(stderr, "picus_bench_chain: cannot write '{}'\n", argv[1]);
      return 3;
    }
    fmt::print(file, "contacts,solver,ns,residual\n");
    for (const Row& row : rows)
      fmt::print(file, "{},{},{:.6g},{:.3g}\n", row.contacts, row.solver, row.ns, row.residual);
    std::fclose(file);
  }
  return 0;
}
