#include "picus/mechanics/formula_instant.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "picus/support/error.hpp"

namespace picus::mechanics {

void InstantSystem::rates(const double*, const double* u, double* q_dot) const { std::copy(u, u + u_size(), q_dot); }

namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

// A program with its registers.
class Evaluator {
 public:
  Evaluator() = default;
  explicit Evaluator(formula::Program program)
      : program_(std::move(program)), registers_(at(program_.register_count()) + 1, 0.0) {
    program_.load_constants(registers_.data());
  }

  void run(const double* q, const double* u, double t) {
    const int n = (program_.input_count() - 1) / 2;
    std::copy(q, q + n, registers_.begin());
    if (u != nullptr) std::copy(u, u + n, registers_.begin() + n);
    registers_[at(2 * n)] = t;
    program_.run(registers_.data());
  }
  int size() const { return program_.result_count(); }
  double operator[](int i) const { return registers_[at(program_.result_register(i))]; }

  // Ranges of all results over a box.
  const formula::RangeProgram& run(const Box& box) {
    if (ranges_.size() == 0) ranges_ = formula::RangeProgram(program_);
    int k = 0;
    for (const auto* list : {&box.q, &box.u}) {
      for (const formula::Range& x : *list) ranges_.input(k++) = x;
    }
    ranges_.input(k) = box.t;
    ranges_.run();
    return ranges_;
  }

 private:
  formula::Program program_;
  std::vector<double> registers_;
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
    for (int i = first; i < size && k < mass_values.size(); ++i) {
      for (int j = first; j <= i; ++j) M(i, j) = M(j, i) = mass_values[k++];
    }
  }

  void force(const double* q, const double* u, double t, Eigen::VectorXd& h) override {
    force_values.run(q, u, t);
    h.resize(size);
    for (int i = 0; i < size; ++i) h[i] = force_values[i];
    for (int i = 0; i + 2 < static_cast<int>(bodies.mass.size()); i += 3) {
      h[i] += bodies.mass[at(i)] * bodies.gravity_x;
      h[i + 1] += bodies.mass[at(i)] * bodies.gravity_y;
    }
  }

  int constraint_count() const override { return constraint_values.size(); }
  void constraints(const double* q, double t, double* g) override {
    constraint_values.run(q, nullptr, t);
    for (int i = 0; i < constraint_values.size(); ++i) g[i] = constraint_values[i];
  }
  void constraint_rows(const double* q, const double* u, double t, InstantRows& rows) override {
    rows.resize(constraint_count(), size);
    for (int i = 0; i < constraint_count(); ++i) fill(constraint_row[at(i)], q, u, t, i, 1, rows);
  }

  int contact_count() const override { return static_cast<int>(contact_row.size()); }
  bool has_gap(int contact) const override { return contact < gap_values.size(); }
  std::string contact_name(int contact) const override { return names[at(contact)]; }
  void gaps(const double* q, double t, double* g) override {
    gap_values.run(q, nullptr, t);
    for (int i = 0; i < gap_values.size(); ++i) g[i] = gap_values[i];
  }
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
    if (has_gap(contact)) return {law_from([&](int k) { return values[k]; }), Eigen::Vector3d::Ones()};
    return {{.eT = values[2], .friction_force = values[1]}, Eigen::Vector3d::Ones()};
  }

  double potential_energy(const double* q, double t) override {
    potential.run(q, nullptr, t);
    double energy = potential[0];
    for (int i = 0; i + 2 < static_cast<int>(bodies.mass.size()); i += 3) {
      energy -= bodies.mass[at(i)] * (bodies.gravity_x * q[i] + bodies.gravity_y * q[i + 1]);
    }
    return energy;
  }
  double power(const double* q, const double* u, double t) override {
    working.run(q, u, t);
    double sum = working[working.size() - 1];
    for (int i = 0; i + 1 < working.size(); ++i) sum += working[i] * u[i];
    return sum;
  }
  double kinetic_rest(const double* q, const double* u, double t) override {
    kinetic_rest_value.run(q, u, t);
    return kinetic_rest_value[0];
  }

  int blow_count() const override { return static_cast<int>(blow_times.size()); }
  double blow_time(int i) const override { return blow_times[at(i)]; }
  void blow(int i, const double* q, double t, Eigen::VectorXd& J) override {
    blows[at(i)].run(q, nullptr, t);
    J.resize(size);
    for (int k = 0; k < size; ++k) J[k] = blows[at(i)][k];
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
    const formula::RangeProgram& gaps = gap_values.run(box);
    for (int contact : contacts) {
      list.push_back({gaps[contact], {}});
      GapRange& r = list.back();
      if (r.gap.low > 0) continue;
      const formula::RangeProgram& row = contact_row[at(contact)].run(box);
      r.rate = row[size];
      for (int j = 0; j < size; ++j) r.rate = apply(formula::Op::multiply_add, row[j], box.u[at(j)], r.rate);
    }
  }

  formula::Range sliding_range(int contact, const Box& box) override {
    const int first = has_gap(contact) ? size + 2 : 0;
    const formula::RangeProgram& row = contact_row[at(contact)].run(box);
    formula::Range rate = row[first + size];
    for (int j = 0; j < size; ++j) {
      rate = apply(formula::Op::multiply_add, row[first + j], box.u[at(j)], rate);
    }
    return rate;
  }

  int output_count() const override { return output_values.size(); }
  void outputs(const double* q, const double* u, double t, double* y) override {
    output_values.run(q, u, t);
    for (int i = 0; i < output_values.size(); ++i) y[i] = output_values[i];
  }

  int size = 0;
  InstantBodies bodies;
  Evaluator mass_values, force_values, gap_values, constraint_values, potential, working, kinetic_rest_value,
      output_values;
  std::vector<Evaluator> constraint_row, contact_row, laws, blows;  // a row: w…, ŵ, ζ
  std::vector<double> blow_times;
  std::vector<std::string> names, velocity_names;

 private:
  static void append(Evaluator& values, const Box& box, int first, int step, std::vector<formula::Range>& list) {
    const formula::RangeProgram& ranges = values.run(box);
    for (int i = first; i < ranges.size(); i += step) list.push_back(ranges[i]);
  }
  void fill(Evaluator& values, const double* q, const double* u, double t, int first, int count, InstantRows& rows) {
    values.run(q, u, t);
    for (int r = 0, k = 0; r < count; ++r) {
      double gamma = 0;
      for (int j = 0; j < size; ++j) gamma += (rows.W(first + r, j) = values[k++]) * u[j];
      rows.w_hat[first + r] = values[k++];
      rows.gamma[first + r] = gamma + rows.w_hat[first + r];
      rows.zeta[first + r] = values[k++];
    }
  }
};

class Builder {
 public:
  Builder(Pool& pool, const SystemEquations& equations, const std::unordered_map<int, Node>& values,
          const std::vector<double>& q0, const std::vector<double>& u0)
      : pool_(pool), e_(equations), values_(values), q0_(q0), u0_(u0), inputs_(e_.symbols.q) {
    inputs_.insert(inputs_.end(), e_.symbols.u.begin(), e_.symbols.u.end());
    inputs_.push_back(e_.symbols.t);
  }

  Evaluator evaluator(const std::vector<Node>& nodes) {
    return Evaluator({pool_, inputs_, pool_.substitute(nodes, values_)});
  }
  double at_start(Node n) {
    Evaluator e = evaluator({n});
    e.run(q0_.data(), u0_.data(), 0);
    return e[0];
  }
  // w, ŵ, ζ, where ζ is how γ changes while u stays.
  void append_row(const Direction& row, std::vector<Node>& nodes) {
    nodes.insert(nodes.end(), row.w.begin(), row.w.end());
    Node gamma = row.w_hat;
    for (std::size_t i = 0; i < row.w.size(); ++i) {
      gamma = pool_.add(gamma, pool_.multiply(row.w[i], e_.symbols.u[i]));
    }
    nodes.push_back(row.w_hat);
    nodes.push_back(time_derivative(pool_, e_.symbols, gamma));
  }

 private:
  Pool& pool_;
  const SystemEquations& e_;
  const std::unordered_map<int, Node>& values_;
  const std::vector<double>&q0_, &u0_;
  std::vector<Node> inputs_;
};

}  // namespace

std::unique_ptr<InstantSystem> make_instant_system(Pool& pool, const SystemEquations& e,
                                                   const std::unordered_map<int, Node>& values,
                                                   const InstantBodies& bodies, const std::vector<double>& q0,
                                                   const std::vector<double>& u0,
                                                   std::vector<std::string> contact_names) {
  Builder b(pool, e, values, q0, u0);
  auto system = std::make_unique<FormulaInstant>();
  system->size = static_cast<int>(e.symbols.q.size());
  system->bodies = bodies;
  system->names = std::move(contact_names);
  for (Node u : e.symbols.u) system->velocity_names.push_back(pool.name(u));
  system->mass_values = b.evaluator(flattened(e.dynamics.M));
  system->force_values = b.evaluator(e.dynamics.h);
  system->potential = b.evaluator({e.dynamics.potential});
  std::vector<Node> working = e.dynamics.working;
  working.push_back(e.dynamics.potential_rate);
  system->working = b.evaluator(working);
  system->kinetic_rest_value = b.evaluator({e.dynamics.kinetic_rest});
  system->output_values = b.evaluator(e.outputs);

  std::vector<Node> gaps, constraints;
  for (const ContactEquations& contact : e.contacts) {
    gaps.push_back(contact.gap);
    std::vector<Node> rows;
    b.append_row(contact.normal, rows);
    b.append_row(contact.tangential, rows);
    system->contact_row.push_back(b.evaluator(rows));
    system->laws.push_back(b.evaluator(contact.law.all()));
  }
  for (const ElementEquations& element : e.elements) {
    const double lower = b.at_start(element.lower), upper = b.at_start(element.upper);
    if (element.on_displacement || !(lower == -upper) || !std::isfinite(upper)) {
      throw InputError("element " + system->names[system->contact_row.size()] +
                       " is no dry friction; accepted by event-driven: elements with the law dry-friction");
    }
    std::vector<Node> row;
    b.append_row(element.direction, row);
    system->contact_row.push_back(b.evaluator(row));
    system->laws.push_back(b.evaluator({element.lower, element.upper, element.e}));
  }
  for (const ConstraintEquations& constraint : e.constraints) {
    constraints.push_back(constraint.g);
    std::vector<Node> row;
    b.append_row(direction_of_displacement(pool, e.symbols, constraint.g), row);
    system->constraint_row.push_back(b.evaluator(row));
  }
  system->gap_values = b.evaluator(gaps);
  system->constraint_values = b.evaluator(constraints);

  std::vector<double> times;
  for (const BlowEquations& blow : e.blows) times.push_back(b.at_start(blow.time));
  std::vector<std::size_t> order(times.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t x, std::size_t y) { return times[x] < times[y]; });
  for (std::size_t i : order) {
    system->blow_times.push_back(times[i]);
    system->blows.push_back(b.evaluator(e.blows[i].J));
  }
  return system;
}

}  // namespace picus::mechanics
