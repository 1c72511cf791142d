#include "picus/mechanics/formula_instant.hpp"

#include <algorithm>
#include <cmath>

#include "picus/formula/range.hpp"
#include "picus/mechanics/numeric_equations.hpp"
#include "picus/support/error.hpp"
#include "picus/support/index.hpp"

namespace picus::mechanics {

void InstantSystem::rates(const double*, const double* u, double* q_dot) const { std::copy(u, u + u_size(), q_dot); }

namespace {

// Also over a box.
class Evaluator : public GatheredProgram {
 public:
  using GatheredProgram::GatheredProgram;
  explicit Evaluator(GatheredProgram program) : GatheredProgram(std::move(program)) {}

  const formula::RangeProgram& over(const Box& box) {
    if (ranges_.size() == 0) ranges_ = formula::RangeProgram(program());
    gather(box.q.data(), box.u.data(), box.t, &ranges_.input(0));
    ranges_.run();
    return ranges_;
  }

 private:
  formula::RangeProgram ranges_;
};

class FormulaInstant final : public InstantSystem {
 public:
  int q_size() const override { return size; }
  int u_size() const override { return size; }
  std::string velocity_name(int i) const override { return velocity_names[at(i)]; }

  void mass(const double* q, double t, Eigen::MatrixXd& M) override {
    mass_values.run(q, nullptr, t);
    M.setZero(size, size);
    const int first = static_cast<int>(bodies.mass.size());
    for (int i = 0; i < first; ++i) M(i, i) = bodies.mass[at(i)];
    int k = 0;
    for (int i = first; i < size && k < mass_values.result_count(); ++i) {
      for (int j = first; j <= i; ++j) M(i, j) = M(j, i) = mass_values.result(k++);
    }
  }

  void force(const double* q, const double* u, double t, Eigen::VectorXd& h) override {
    h.resize(size);
    force_values.run(q, u, t, h.data());
    for (int i = 0; i + 2 < static_cast<int>(bodies.mass.size()); i += 3) {
      h[i] += bodies.mass[at(i)] * bodies.gravity_x;
      h[i + 1] += bodies.mass[at(i)] * bodies.gravity_y;
    }
  }

  int constraint_count() const override { return constraint_values.result_count(); }
  void constraints(const double* q, double t, double* g) override { constraint_values.run(q, nullptr, t, g); }
  void constraint_rows(const double* q, const double* u, double t, InstantRows& rows) override {
    rows.resize(constraint_count(), size);
    for (int i = 0; i < constraint_count(); ++i) fill(constraint_row[at(i)], q, u, t, i, 1, rows);
  }

  int contact_count() const override { return static_cast<int>(contact_row.size()); }
  bool has_gap(int contact) const override { return contact < gap_values.result_count(); }
  std::string contact_name(int contact) const override { return names[at(contact)]; }
  void gaps(const double* q, double t, double* g) override { gap_values.run(q, nullptr, t, g); }
  void contact_rows(const std::vector<int>& contacts, const double* q, const double* u, double t,
                    InstantRows& rows) override {
    int count = 0;
    for (int i : contacts) count += has_gap(i) ? 2 : 1;
    rows.resize(count, size);
    int r = 0;
    for (int i : contacts) {
      const int own = has_gap(i) ? 2 : 1;
      fill(contact_row[at(i)], q, u, t, r, own, rows);
      r += own;
    }
  }
  InstantLaw law(int contact, const double* q, double t) override {
    Evaluator& values = laws[at(contact)];
    values.run(q, nullptr, t);
    if (has_gap(contact)) return {law_from([&](int k) { return values.result(k); }), Eigen::Vector3d::Ones()};
    return {{.eT = values.result(2), .friction_force = values.result(1)}, Eigen::Vector3d::Ones()};
  }

  double potential_energy(const double* q, double t) override {
    double energy = potential.value(q, nullptr, t);
    for (int i = 0; i + 2 < static_cast<int>(bodies.mass.size()); i += 3) {
      energy -= bodies.mass[at(i)] * (bodies.gravity_x * q[i] + bodies.gravity_y * q[i + 1]);
    }
    return energy;
  }
  double power(const double* q, const double* u, double t) override {
    working.run(q, u, t);
    double sum = working.result(size);
    for (int i = 0; i < size; ++i) sum += working.result(i) * u[i];
    return sum;
  }
  double kinetic_rest(const double* q, const double* u, double t) override { return kinetic_rest_value.value(q, u, t); }

  int blow_count() const override { return static_cast<int>(blow_times.size()); }
  double blow_time(int i) const override { return blow_times[at(i)]; }
  void blow(int i, const double* q, double t, Eigen::VectorXd& J) override {
    J.resize(size);
    blows[at(i)].run(q, nullptr, t, J.data());
  }

  void force_ranges(const Box& box, std::vector<formula::Range>& list) override {
    append(force_values, box, 0, 1, list);
    for (Evaluator& row : constraint_row) append(row, box, size + 1, size + 2, list);
  }
  void contact_ranges(int contact, const Box& box, std::vector<formula::Range>& list) override {
    append(laws[at(contact)], box, 0, 1, list);
    append(contact_row[at(contact)], box, size + 1, size + 2, list);
  }
  void gap_ranges(const std::vector<int>& contacts, const Box& box, std::vector<GapRange>& list) override {
    list.clear();
    if (contacts.empty()) return;
    const formula::RangeProgram& gaps = gap_values.over(box);
    for (int contact : contacts) {
      list.push_back({gaps[contact], {}});
      GapRange& r = list.back();
      if (r.gap.low > 0) continue;
      r.rate = velocity_range(contact_row[at(contact)].over(box), 0, box);
    }
  }

  formula::Range sliding_range(int contact, const Box& box) override {
    return velocity_range(contact_row[at(contact)].over(box), has_gap(contact) ? size + 2 : 0, box);
  }

  int output_count() const override { return output_values.result_count(); }
  void outputs(const double* q, const double* u, double t, double* y) override { output_values.run(q, u, t, y); }

  int size = 0;
  InstantBodies bodies;
  Evaluator mass_values, force_values, gap_values, constraint_values, potential, working, kinetic_rest_value,
      output_values;
  std::vector<Evaluator> constraint_row, contact_row, laws, blows;  // a row: w…, ŵ, ζ
  std::vector<double> blow_times;
  std::vector<std::string> names, velocity_names;

 private:
  static void append(Evaluator& values, const Box& box, int first, int step, std::vector<formula::Range>& list) {
    const formula::RangeProgram& ranges = values.over(box);
    for (int i = first; i < ranges.size(); i += step) list.push_back(ranges[i]);
  }
  // γ = wᵀu + ŵ of the row that begins at `first`.
  formula::Range velocity_range(const formula::RangeProgram& row, int first, const Box& box) const {
    formula::Range gamma = row[first + size];
    for (int j = 0; j < size; ++j) gamma = apply(formula::Op::multiply_add, row[first + j], box.u[at(j)], gamma);
    return gamma;
  }
  void fill(Evaluator& values, const double* q, const double* u, double t, int first, int count, InstantRows& rows) {
    values.run(q, u, t);
    for (int r = 0, k = 0; r < count; ++r) {
      double gamma = 0;
      for (int j = 0; j < size; ++j) gamma += (rows.W(first + r, j) = values.result(k++)) * u[j];
      rows.w_hat[first + r] = values.result(k++);
      rows.gamma[first + r] = gamma + rows.w_hat[first + r];
      rows.zeta[first + r] = values.result(k++);
    }
  }
};

class Builder : public NumericEquations {
 public:
  using NumericEquations::NumericEquations;

  Evaluator evaluator(const std::vector<Node>& nodes) { return Evaluator(program(with_numbers(nodes))); }
  // w, ŵ, ζ of each, where ζ is how γ changes while u stays.
  Evaluator rows(const std::vector<Direction>& directions) {
    std::vector<Node> nodes;
    for (const Direction& row : directions) {
      nodes.insert(nodes.end(), row.w.begin(), row.w.end());
      Node gamma = row.w_hat;
      for (std::size_t i = 0; i < row.w.size(); ++i) {
        gamma = pool.add(gamma, pool.multiply(row.w[i], e.symbols.u[i]));
      }
      nodes.push_back(row.w_hat);
      nodes.push_back(time_derivative(pool, e.symbols, gamma));
    }
    return evaluator(nodes);
  }

  void add_dynamics(FormulaInstant& system) {
    system.mass_values = evaluator(flattened(e.dynamics.M));
    system.force_values = evaluator(e.dynamics.h);
    system.potential = evaluator({e.dynamics.potential});
    std::vector<Node> working = e.dynamics.working;
    working.push_back(e.dynamics.potential_rate);
    system.working = evaluator(working);
    system.kinetic_rest_value = evaluator({e.dynamics.kinetic_rest});
    system.output_values = evaluator(e.outputs);
    for (const auto& [time, blow] : blows_in_order()) {
      system.blow_times.push_back(time);
      system.blows.push_back(evaluator(blow->J));
    }
  }

  void add_contacts(FormulaInstant& system) {
    std::vector<Node> gaps;
    for (const ContactEquations& contact : e.contacts) {
      gaps.push_back(contact.gap);
      system.contact_row.push_back(rows({contact.normal, contact.tangential}));
      system.laws.push_back(evaluator(contact.law.all()));
    }
    system.gap_values = evaluator(gaps);
    for (const ElementEquations& element : e.elements) {
      const contact::ElementLaw law = law_at_start(element);
      if (law.on_displacement || !(law.lower == -law.upper) || !std::isfinite(law.upper)) {
        throw InputError("element " + system.names[system.contact_row.size()] +
                         " is no dry friction; accepted by event-driven: elements with the law dry-friction");
      }
      system.contact_row.push_back(rows({element.direction}));
      system.laws.push_back(evaluator({element.lower, element.upper, element.e}));
    }
  }

  void add_constraints(FormulaInstant& system) {
    std::vector<Node> values;
    for (const ConstraintEquations& constraint : e.constraints) {
      values.push_back(constraint.g);
      system.constraint_row.push_back(rows({direction_of_displacement(pool, e.symbols, constraint.g)}));
    }
    system.constraint_values = evaluator(values);
  }
};

}  // namespace

std::unique_ptr<InstantSystem> make_instant_system(Pool& pool, const SystemEquations& e,
                                                   const std::unordered_map<int, Node>& values,
                                                   const InstantBodies& bodies, const std::vector<double>& q0,
                                                   const std::vector<double>& u0,
                                                   std::vector<std::string> contact_names) {
  Builder builder(pool, e, values, q0, u0);
  auto system = std::make_unique<FormulaInstant>();
  system->size = static_cast<int>(e.symbols.q.size());
  system->bodies = bodies;
  system->names = std::move(contact_names);
  for (Node u : e.symbols.u) system->velocity_names.push_back(pool.name(u));
  builder.add_dynamics(*system);
  builder.add_contacts(*system);
  builder.add_constraints(*system);
  return system;
}

}  // namespace picus::mechanics
