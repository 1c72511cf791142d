#pragma once

#include <memory>
#include <unordered_map>
#include <vector>

#include "picus/formula/program.hpp"
#include "picus/mechanics/equations.hpp"
#include "picus/mechanics/system.hpp"

namespace picus::mechanics {

// The equations of a system with numbers for its parameters, as programs. All take (q, u, t). Never changed once made.
struct FormulaPrograms {
  int size = 0;  // coordinates
  bool constant_mass = false, constant_directions = false;
  bool laws_vary = false, does_work = false, has_kinetic_rest = false;

  formula::Program smooth;  // h, then the lower triangle of M row by row (unless it is constant), then all gaps
  formula::Program force, mass, gaps;
  std::vector<formula::Program> directions;  // w_N, w_T, ŵ_N, ŵ_T of a contact
  std::vector<formula::Program> elements;    // w, ŵ, displacement
  std::vector<formula::Program> laws;        // LawEquations::all(), of each contact
  formula::Program potential, working, potential_rate, kinetic_rest, outputs;
  std::vector<formula::Program> blows;  // J
  std::vector<double> blow_times;       // ascending

  std::vector<double> M;  // the lower triangle, where it is constant
  std::vector<contact::Law> start_laws;
  std::vector<contact::ElementLaw> element_laws;
};

// `values` replaces every parameter by a number; `q0`, `u0` are those of the start.
FormulaPrograms compile(Pool& pool, const SystemEquations& equations, const std::unordered_map<int, Node>& values,
                        const std::vector<double>& q0, const std::vector<double>& u0);

// Registers for programs, filled with their constants once.
class Workspace {
 public:
  // What the program gives for (q, u, t), n numbers each; u may be null where it does not matter.
  const double* run(const formula::Program& program, std::size_t slot, int n, const double* q, const double* u,
                    double t) {
    double* r = registers_[slot].data();
    for (int i = 0; i < n; ++i) r[i] = q[i];
    if (u != nullptr) {
      for (int i = 0; i < n; ++i) r[n + i] = u[i];
    }
    r[2 * n] = t;
    program.run(r);
    return r;
  }
  std::size_t add(const formula::Program& program) {
    registers_.emplace_back(static_cast<std::size_t>(program.register_count()) + 1, 0.0);
    program.load_constants(registers_.back().data());
    return registers_.size() - 1;
  }

 private:
  std::vector<std::vector<double>> registers_;
};

// A system whose equations are programs: F coordinates (up to F, unless Exact), up to C contacts and E elements. What
// is constant is said at compile time, so that the kernel is the same as for a compiled model. Copies have registers of
// their own; one copy serves one thread.
template <int F, int C, int E, bool Exact, bool ConstantMass, bool ConstantDirections>
class FormulaSystem {
 public:
  static constexpr int max_q = F, max_u = F, max_contacts = C, max_elements = E;
  static constexpr bool constant_mass = ConstantMass, constant_directions = ConstantDirections;
  static constexpr bool derived_directions = true;  // w_N is the gradient of the gap by construction
  using Position = math::Vector<F>;
  using Velocity = math::Vector<F>;

  explicit FormulaSystem(std::shared_ptr<const FormulaPrograms> programs) : p_(std::move(programs)) {
    smooth_ = space_.add(p_->smooth);
    force_ = space_.add(p_->force);
    mass_ = space_.add(p_->mass);
    gaps_ = space_.add(p_->gaps);
    potential_ = space_.add(p_->potential);
    working_ = space_.add(p_->working);
    potential_rate_ = space_.add(p_->potential_rate);
    kinetic_rest_ = space_.add(p_->kinetic_rest);
    outputs_ = space_.add(p_->outputs);
    directions_ = add_all(p_->directions);
    elements_ = add_all(p_->elements);
    laws_ = add_all(p_->laws);
    blows_ = add_all(p_->blows);
  }

  int q_size() const { return size(); }
  int u_size() const { return size(); }
  int contact_count() const { return static_cast<int>(p_->start_laws.size()); }
  int element_count() const { return static_cast<int>(p_->element_laws.size()); }

  // Everything that the free motion and the search for contacts need, in one go.
  void smooth_part(const Position& q, const Velocity& u, double t, Velocity& h, math::Matrix<F, F>& M,
                   math::Vector<C>& gap) const {
    const int n = size();
    const double* r = space_.run(p_->smooth, smooth_, n, q.data, u.data, t);
    int k = 0;
    for (int i = 0; i < n; ++i) h[i] = r[p_->smooth.result_register(k++)];
    if constexpr (!ConstantMass) {
      for (int i = 0; i < n; ++i) {
        for (int j = 0; j <= i; ++j) M(i, j) = r[p_->smooth.result_register(k++)];
      }
    }
    for (int i = 0; i < contact_count(); ++i) gap[i] = r[p_->smooth.result_register(k++)];
  }

  void mass(const Position& q, double t, math::Matrix<F, F>& M) const {
    const int n = size();
    if constexpr (ConstantMass) {
      const double* value = p_->M.data();
      for (int i = 0; i < n; ++i) {
        for (int j = 0; j <= i; ++j) M(i, j) = *value++;
      }
    } else {
      const double* r = space_.run(p_->mass, mass_, n, q.data, nullptr, t);
      int k = 0;
      for (int i = 0; i < n; ++i) {
        for (int j = 0; j <= i; ++j) M(i, j) = r[p_->mass.result_register(k++)];
      }
    }
  }
  void force(const Position& q, const Velocity& u, double t, Velocity& h) const {
    fill(p_->force, force_, q, u.data, t, h.data);
  }
  void gaps(const Position& q, double t, math::Vector<C>& gap) const { fill(p_->gaps, gaps_, q, nullptr, t, gap.data); }

  PICUS_ALWAYS_INLINE void directions(int i, const Position& q, double t, ContactDirections<F>& d) const {
    const formula::Program& program = p_->directions[static_cast<std::size_t>(i)];
    const int n = size();
    const double* r = space_.run(program, directions_ + static_cast<std::size_t>(i), n, q.data, nullptr, t);
    for (int j = 0; j < n; ++j) {
      d.w_N[j] = r[program.result_register(j)];
      d.w_T[j] = r[program.result_register(n + j)];
    }
    d.w_hat_N = r[program.result_register(2 * n)];
    d.w_hat_T = r[program.result_register(2 * n + 1)];
  }

  void element(int e, const Position& q, double t, ElementDirection<F>& d) const {
    const formula::Program& program = p_->elements[static_cast<std::size_t>(e)];
    const int n = size();
    const double* r = space_.run(program, elements_ + static_cast<std::size_t>(e), n, q.data, nullptr, t);
    for (int j = 0; j < n; ++j) d.w[j] = r[program.result_register(j)];
    d.w_hat = r[program.result_register(n)];
    d.displacement = r[program.result_register(n + 1)];
  }

  contact::Law law(int i) const { return p_->start_laws[static_cast<std::size_t>(i)]; }
  contact::ElementLaw element_law(int e) const { return p_->element_laws[static_cast<std::size_t>(e)]; }
  bool laws_vary() const { return p_->laws_vary; }
  contact::Law law(int i, const Position& q, double t) const {
    const formula::Program& program = p_->laws[static_cast<std::size_t>(i)];
    const double* r = space_.run(program, laws_ + static_cast<std::size_t>(i), size(), q.data, nullptr, t);
    return law_from([&](int k) { return r[program.result_register(k)]; });
  }

  Position advance(const Position& q, const Velocity& u, double dt) const {
    Position moved;
    for (int i = 0; i < size(); ++i) moved[i] = q[i] + dt * u[i];
    return moved;
  }

  double potential_energy(const Position& q, double t) const { return value(p_->potential, potential_, q, nullptr, t); }
  double potential_rate(const Position& q, double t) const {
    return value(p_->potential_rate, potential_rate_, q, nullptr, t);
  }
  void nonconservative_force(const Position& q, const Velocity& u, double t, Velocity& f) const {
    fill(p_->working, working_, q, u.data, t, f.data);
  }
  bool does_work() const { return p_->does_work; }
  double kinetic_rest(const Position& q, const Velocity& u, double t) const {
    return p_->has_kinetic_rest ? value(p_->kinetic_rest, kinetic_rest_, q, u.data, t) : 0;
  }

  int output_count() const { return p_->outputs.result_count(); }
  void outputs(const Position& q, const Velocity& u, double t, double* y) const {
    fill(p_->outputs, outputs_, q, u.data, t, y);
  }

  int blow_count() const { return static_cast<int>(p_->blow_times.size()); }
  double blow_time(int i) const { return p_->blow_times[static_cast<std::size_t>(i)]; }
  void blow(int i, const Position& q, double t, Velocity& J) const {
    fill(p_->blows[static_cast<std::size_t>(i)], blows_ + static_cast<std::size_t>(i), q, nullptr, t, J.data);
  }

 private:
  int size() const {
    if constexpr (Exact) {
      return F;
    } else {
      return p_->size;
    }
  }
  void fill(const formula::Program& program, std::size_t slot, const Position& q, const double* u, double t,
            double* result) const {
    const double* r = space_.run(program, slot, size(), q.data, u, t);
    for (int k = 0; k < program.result_count(); ++k) result[k] = r[program.result_register(k)];
  }
  double value(const formula::Program& program, std::size_t slot, const Position& q, const double* u, double t) const {
    return space_.run(program, slot, size(), q.data, u, t)[program.result_register(0)];
  }
  std::size_t add_all(const std::vector<formula::Program>& programs) {
    std::size_t first = 0;
    for (std::size_t i = 0; i < programs.size(); ++i) {
      const std::size_t slot = space_.add(programs[i]);
      if (i == 0) first = slot;
    }
    return first;
  }

  std::shared_ptr<const FormulaPrograms> p_;
  mutable Workspace space_;
  std::size_t smooth_ = 0, force_ = 0, mass_ = 0, gaps_ = 0, potential_ = 0, working_ = 0, potential_rate_ = 0,
              kinetic_rest_ = 0, outputs_ = 0, directions_ = 0, elements_ = 0, laws_ = 0, blows_ = 0;
};

}  // namespace picus::mechanics
