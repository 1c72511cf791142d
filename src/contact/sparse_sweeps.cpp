#include "picus/contact/sparse_sweeps.hpp"

#include "picus/contact/gauss_seidel.hpp"
#include "picus/support/index.hpp"

namespace picus::contact {

namespace {

// w_jᵀ a_k within a block.
double product(const BlockProblem& p, const Block& block, int j, int k) {
  const double* x = p.value.data() + block.value;
  double sum = 0;
  for (int i = 0; i < block.entries; ++i, x += 2 * block.rows) sum += x[j] * x[block.rows + k];
  return sum;
}

}  // namespace

void Sweeps::prepare(const BlockProblem& p, const Island& island) {
  for (int i = island.block_begin; i < island.block_end; ++i) {
    const Block& block = p.blocks[at(i)];
    PlanarProblem<2>& alone = alone_[at(i)];
    alone.rows = block.rows;
    for (int j = 0; j < block.rows && j < 2; ++j) {
      for (int k = 0; k < block.rows && k < 2; ++k) alone.G(j, k) = product(p, block, j, k);
      alone.law[j] = p.law[at(block.row + j)];
      alone.law[j].governor = j - 1;
      alone.rho_inv[j] = p.rho_inv[at(block.row + j)];
    }
  }
}

double Sweeps::sweep(const BlockProblem& p, const Island& island, bool backwards, SparseIterate& x) {
  double largest = 0;
  const int count = island.block_end - island.block_begin;
  for (int i = 0; i < count; ++i) {
    const std::size_t k = at(backwards ? island.block_end - 1 - i : island.block_begin + i);
    largest = math::worse(largest, solve(p, p.blocks[k], alone_[k], x));
  }
  return largest;
}

double Sweeps::solve(const BlockProblem& p, const Block& block, PlanarProblem<2>& alone, SparseIterate& x) {
  double* Lambda = x.Lambda.data() + block.row;
  if (block.rows == 2) {
    const double* value = p.value.data() + block.value;
    const int* v = p.velocity.data() + block.entry;
    double xi_N = p.b[at(block.row)], xi_T = p.b[at(block.row) + 1];
    for (int i = 0; i < block.entries; ++i) {
      const double d = x.delta[at(v[i])];
      xi_N += value[4 * i] * d;
      xi_T += value[4 * i + 1] * d;
    }
    const double c_N = xi_N - alone.G(0, 0) * Lambda[0] - alone.G(0, 1) * Lambda[1];
    const double c_T = xi_T - alone.G(1, 0) * Lambda[0] - alone.G(1, 1) * Lambda[1];
    math::Vector<2> next;
    if (gauss_seidel_detail::solve_contact(alone, 0, c_N, c_T, next)) {
      const double d_N = next[0] - Lambda[0], d_T = next[1] - Lambda[1];
      Lambda[0] = next[0];
      Lambda[1] = next[1];
      for (int i = 0; i < block.entries; ++i) x.delta[at(v[i])] += value[4 * i + 2] * d_N + value[4 * i + 3] * d_T;
      return (math::abs(d_N) + math::abs(d_T)) * alone.rho_inv[0];
    }
  }
  // One row, or a contact without a solution of its own: row by row.
  double change = 0;
  for (int j = 0; j < block.rows; ++j) {
    const double rho_inv = p.rho_inv[at(block.row + j)];
    const double G = block.rows == 1 && alone.G(0, 0) > 0 ? alone.G(0, 0) : rho_inv;
    const Bounds bounds = bounds_of(p.law[at(block.row + j)], x.Lambda);
    const double next = math::clamp(Lambda[j] - xi_of(p, block, j, x.delta.data()) / G, bounds.lower, bounds.upper);
    add_impulse(p, block, j, next - Lambda[j], x.delta.data());
    change += math::abs(next - Lambda[j]) * rho_inv;
    Lambda[j] = next;
  }
  return change;
}

}  // namespace picus::contact
