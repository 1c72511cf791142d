// Kernels on random planar contact problems that have a solution (b = Wᵀu), by number of contacts.
#include <benchmark/benchmark.h>

#include <random>
#include <vector>

#include "picus/complementarity/enumerate.hpp"
#include "picus/complementarity/lemke.hpp"
#include "picus/contact/planar_solver.hpp"
#include "picus/contact/uniqueness.hpp"

namespace {

using namespace picus;
constexpr int K = 8;

using Problem = contact::PlanarProblem<2 * K>;

Problem random_problem(int k, std::mt19937& rng) {
  std::normal_distribution<double> normal;
  const int f = 2 * k + 2, rows = 2 * k;
  const Eigen::MatrixXd W = Eigen::MatrixXd::NullaryExpr(f, rows, [&] { return normal(rng); });
  const Eigen::VectorXd u = Eigen::VectorXd::NullaryExpr(f, [&] { return normal(rng); });
  const Eigen::MatrixXd G = W.transpose() * W;
  const Eigen::VectorXd b = W.transpose() * u;
  Problem p;
  p.rows = rows;
  for (int i = 0; i < rows; ++i) {
    p.b[i] = b[i];
    for (int j = 0; j < rows; ++j) p.G(i, j) = G(i, j);
  }
  for (int i = 0; i < k; ++i) {
    p.law[2 * i] = contact::unilateral_row();
    p.law[2 * i + 1] = contact::friction_row(0.3, 0, 2 * i);
    p.rho_inv[2 * i] = p.rho_inv[2 * i + 1] = contact::impulse_weight(p.G(2 * i, 2 * i), p.G(2 * i + 1, 2 * i + 1));
  }
  return p;
}

std::vector<Problem> problems(int k) {
  std::mt19937 rng(1);
  std::vector<Problem> list;
  for (int i = 0; i < 64; ++i) list.push_back(random_problem(k, rng));
  return list;
}

void solve(benchmark::State& state, contact::SolverChoice choice) {
  const auto list = problems(static_cast<int>(state.range(0)));
  std::size_t i = 0;
  for (auto _ : state) {
    const auto& p = list[i++ % list.size()];
    contact::PlanarSolution<2 * K> s;
    for (auto& x : s.state) x = contact::RowState::lower;
    benchmark::DoNotOptimize(contact::solve_planar(p, choice, contact::reference_velocity(p), s));
  }
}

void by_states(benchmark::State& state) { solve(state, contact::SolverChoice::enumerate); }
void by_lemke(benchmark::State& state) { solve(state, contact::SolverChoice::lemke); }
void by_newton(benchmark::State& state) { solve(state, contact::SolverChoice::newton); }
void by_gauss_seidel(benchmark::State& state) { solve(state, contact::SolverChoice::gauss_seidel); }
void by_prox(benchmark::State& state) { solve(state, contact::SolverChoice::proximal); }
BENCHMARK(by_states)->DenseRange(1, 4)->Arg(6);
BENCHMARK(by_lemke)->DenseRange(1, 4)->Arg(6)->Arg(8);
BENCHMARK(by_newton)->DenseRange(1, 4)->Arg(6)->Arg(8);
BENCHMARK(by_gauss_seidel)->DenseRange(1, 4)->Arg(6)->Arg(8);
BENCHMARK(by_prox)->DenseRange(1, 4)->Arg(6)->Arg(8);

void uniqueness_test(benchmark::State& state) {
  const auto list = problems(static_cast<int>(state.range(0)));
  std::size_t i = 0;
  for (auto _ : state) benchmark::DoNotOptimize(contact::is_always_unique(list[i++ % list.size()]));
}
BENCHMARK(uniqueness_test)->DenseRange(1, 3);

complementarity::Lcp random_lcp(int n) {
  std::mt19937 rng(2);
  std::normal_distribution<double> normal;
  complementarity::Lcp lcp;
  const Eigen::MatrixXd B = Eigen::MatrixXd::NullaryExpr(n, n, [&] { return normal(rng); });
  lcp.A = B * B.transpose() + Eigen::MatrixXd::Identity(n, n);
  lcp.b = Eigen::VectorXd::NullaryExpr(n, [&] { return normal(rng); });
  return lcp;
}

void lcp_lemke(benchmark::State& state) {
  const auto lcp = random_lcp(static_cast<int>(state.range(0)));
  for (auto _ : state) benchmark::DoNotOptimize(complementarity::solve_lemke(lcp));
}
BENCHMARK(lcp_lemke)->Arg(6)->Arg(20)->Arg(100)->Unit(benchmark::kMicrosecond);

void lcp_all_solutions(benchmark::State& state) {
  const auto lcp = random_lcp(static_cast<int>(state.range(0)));
  for (auto _ : state) benchmark::DoNotOptimize(complementarity::enumerate_solutions(lcp));
}
BENCHMARK(lcp_all_solutions)->Arg(6)->Arg(12)->Arg(20)->Unit(benchmark::kMillisecond);

}  // namespace
