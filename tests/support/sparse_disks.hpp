// Disks in a box that is open above, in time steps: contact problems as they come in granular flow.
#pragma once

#include <cmath>
#include <cstdint>
#include <map>
#include <random>
#include <vector>

#include "sparse_builder.hpp"

namespace picus::tests {

struct DiskBox {
  double width = 0, mu = 0.5, g = 9.81, dt = 1e-3;
  std::vector<double> x, y, phi, r, m;  // of each disk
  std::vector<double> u;                // (v_x, v_y, ω) of each disk

  contact::SparseProblem problem;
  contact::SparseSolution solution;  // on assembly: of the last step, where a contact persisted
  std::vector<std::int64_t> contacts;

  int disks() const { return static_cast<int>(x.size()); }

  // A jittered lattice of `count` disks with radii around 1 cm; `columns` in a row.
  static DiskBox lattice(int count, int columns, unsigned seed, double speed = 0) {
    DiskBox box;
    std::mt19937 rng(seed);
    std::uniform_real_distribution<double> unit(0, 1);
    const double cell = 0.0242;
    box.width = cell * columns;
    for (int i = 0; i < count; ++i) {
      const double radius = 0.009 + 0.002 * unit(rng);
      box.r.push_back(radius);
      box.m.push_back(1000 * 3.141592653589793 * radius * radius);
      box.x.push_back((i % columns + 0.5) * cell + (cell / 2 - radius) * 0.9 * (2 * unit(rng) - 1));
      box.y.push_back((i / columns + 0.5) * cell);
      box.phi.push_back(0);
      for (int k = 0; k < 2; ++k) box.u.push_back(speed * (2 * unit(rng) - 1));
      box.u.push_back(0);
    }
    return box;
  }

  // Contacts that are closed at the middle of the step, and their problem.
  void assemble() {
    std::map<std::int64_t, int> last;
    for (std::size_t c = 0; c < contacts.size(); ++c) last[contacts[c]] = static_cast<int>(c);
    const contact::SparseSolution before = solution;
    contacts.clear();
    x_M.resize(x.size());
    y_M.resize(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) {
      x_M[i] = x[i] + 0.5 * dt * u[3 * i];
      y_M[i] = y[i] + 0.5 * dt * u[3 * i + 1];
    }
    clear(problem, 3 * disks());
    find_contacts();
    const std::size_t rows = problem.b.size();
    solution.Lambda.assign(rows, 0);
    solution.state.assign(rows, contact::RowState::inner);
    for (std::size_t c = 0; c < contacts.size(); ++c) {
      const auto it = last.find(contacts[c]);
      if (it == last.end()) continue;
      for (std::size_t k = 0; k < 2; ++k) {
        solution.Lambda[2 * c + k] = before.Lambda[2 * static_cast<std::size_t>(it->second) + k];
        solution.state[2 * c + k] = before.state[2 * static_cast<std::size_t>(it->second) + k];
      }
    }
  }

  // To the end of the step, with the impulses in `solution`.
  void advance() {
    for (std::size_t i = 0; i < x.size(); ++i) u[3 * i + 1] -= g * dt;
    for (int row = 0; row < problem.rows(); ++row) {
      problem.MinvW.add_to(row, solution.Lambda[static_cast<std::size_t>(row)], u.data());
    }
    for (std::size_t i = 0; i < x.size(); ++i) {
      x[i] = x_M[i] + 0.5 * dt * u[3 * i];
      y[i] = y_M[i] + 0.5 * dt * u[3 * i + 1];
      phi[i] += dt * u[3 * i + 2];
    }
  }

 private:
  std::vector<double> x_M, y_M;

  void find_contacts() {
    const double cell = 0.0221;
    std::map<std::pair<int, int>, std::vector<int>> grid;
    for (int i = 0; i < disks(); ++i) grid[cell_of(i, cell)].push_back(i);
    for (int i = 0; i < disks(); ++i) {
      const std::size_t a = static_cast<std::size_t>(i);
      if (y_M[a] < r[a]) add_wall(i, 0, 0, 1);
      if (x_M[a] < r[a]) add_wall(i, 1, 1, 0);
      if (width - x_M[a] < r[a]) add_wall(i, 2, -1, 0);
      const auto [cx, cy] = cell_of(i, cell);
      for (int dx = -1; dx <= 1; ++dx) {
        for (int dy = -1; dy <= 1; ++dy) {
          const auto found = grid.find({cx + dx, cy + dy});
          if (found == grid.end()) continue;
          for (int j : found->second) {
            if (j > i) add_pair(i, j);
          }
        }
      }
    }
  }

  std::pair<int, int> cell_of(int i, double cell) const {
    const std::size_t a = static_cast<std::size_t>(i);
    return {static_cast<int>(std::floor(x_M[a] / cell)), static_cast<int>(std::floor(y_M[a] / cell))};
  }

  void add_wall(int i, int wall, double n_x, double n_y) {
    const std::size_t a = static_cast<std::size_t>(i);
    const Entries w_N = {{3 * i, n_x}, {3 * i + 1, n_y}};
    const Entries w_T = {{3 * i, n_y}, {3 * i + 1, -n_x}, {3 * i + 2, r[a]}};
    contacts.push_back(static_cast<std::int64_t>(i) * 4 + wall);
    add(w_N, w_T);
  }

  void add_pair(int i, int j) {
    const std::size_t a = static_cast<std::size_t>(i), b = static_cast<std::size_t>(j);
    const double d_x = x_M[b] - x_M[a], d_y = y_M[b] - y_M[a], distance = std::hypot(d_x, d_y);
    if (distance >= r[a] + r[b]) return;
    const double n_x = d_x / distance, n_y = d_y / distance;
    const Entries w_N = {{3 * i, -n_x}, {3 * i + 1, -n_y}, {3 * j, n_x}, {3 * j + 1, n_y}};
    const Entries w_T = {{3 * i, n_y},  {3 * i + 1, -n_x}, {3 * i + 2, -r[a]},
                         {3 * j, -n_y}, {3 * j + 1, n_x},  {3 * j + 2, -r[b]}};
    contacts.push_back((static_cast<std::int64_t>(i) << 32) + 4 * static_cast<std::int64_t>(j) + 3);
    add(w_N, w_T);
  }

  void add(const Entries& w_N, const Entries& w_T) {
    const auto mass = [&](int v) {
      const std::size_t a = static_cast<std::size_t>(v / 3);
      return v % 3 == 2 ? 0.5 * m[a] * r[a] * r[a] : m[a];
    };
    const auto free = [&](int v) { return u[static_cast<std::size_t>(v)] - (v % 3 == 1 ? g * dt : 0); };
    add_contact(problem, w_N, w_T, mass, free, mu);
  }
};

}  // namespace picus::tests
