#pragma once

#include <unordered_map>
#include <vector>

#include "picus/mechanics/gathered_program.hpp"
#include "picus/mechanics/sparse_system.hpp"

namespace picus::mechanics {

// Formulas for some entries of a vector; the others are zero.
struct SparseVectorProgram {
  std::vector<int> index;
  GatheredProgram program;

  void add_to(const double* q, const double* u, double t, double* x) {
    if (index.empty()) return;
    program.run(q, u, t);
    for (std::size_t k = 0; k < index.size(); ++k) x[index[k]] += program.result(static_cast<int>(k));
  }
};

// Rows w with ŵ, and further numbers behind them.
struct RowProgram {
  std::vector<int> start = {0}, index;  // as in SparseRows
  GatheredProgram program;              // all entries of w, then ŵ of each row, then the further numbers

  int rows() const { return static_cast<int>(start.size()) - 1; }
  void append_to(const double* q, double t, RowDirections& rows);
  double further(int k) const { return program.result(static_cast<int>(index.size()) + rows() + k); }
};

// The formulas of a system of any size, with numbers for its parameters.
struct SparsePrograms {
  int size = 0;
  int dense_size = 0;  // coordinates with a mass matrix of formulas: the last ones
  bool constant_mass = true;
  std::vector<double> M;  // lower triangle of theirs, where it is constant
  GatheredProgram mass;   // and where it is not
  SparseVectorProgram force, working;
  bool does_work = false, has_kinetic_rest = false;
  GatheredProgram potential, potential_rate, kinetic_rest, outputs;

  GatheredProgram constraint_values;
  RowProgram constraints;
  GatheredProgram gaps;
  std::vector<RowProgram> contacts;   // two rows each
  std::vector<GatheredProgram> laws;  // LawEquations::all()
  RowProgram elements;                // displacements behind the rows
  std::vector<contact::ElementLaw> element_laws;
  std::vector<SparseVectorProgram> blows;
  std::vector<double> blow_times;  // ascending
};

// `values` replaces every parameter by a number; `start` are q, u and 0 at the start.
SparsePrograms compile_sparse(Pool& pool, const SystemEquations& equations, const std::unordered_map<int, Node>& values,
                              const std::vector<double>& q0, const std::vector<double>& u0);

}  // namespace picus::mechanics
