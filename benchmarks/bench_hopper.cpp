// N disks in a hopper, Picus beside Box2D (where it is installed): time of a step, and how well its impulses obey the
// contact laws, judged for both by Picus's certificate. Three phases: filling, dense flow, rest with the mouth closed.
// All programs start a phase from the same positions and velocities, which a loop of sweeps in this file prepares.
//
// Usage: picus_bench_hopper [FILE.csv [LARGEST_N [SECONDS]]]
//   SECONDS: of processor time for each Box2D and phase, and three times that for Picus, about; at least 5 steps are
//            measured. Default 4
//
//        picus_bench_hopper profile N PHASE SECONDS
//   Picus alone, for a profiler; names the steps that are not certified
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "box2d_hopper.hpp"
#include "picus/mechanics/assembly.hpp"
#include "picus/stepping/sparse_integration.hpp"

namespace {

using namespace picus;

constexpr double dt = 1e-3, tolerance = contact::default_certificate_tolerance;
constexpr double picus_share = 3;  // of the time that Box2D is given: its steps differ more

std::size_t at(int i) { return static_cast<std::size_t>(i); }

double seconds_since(double begin) { return hopper::seconds_used() - begin; }

enum class Phase { fill, flow, rest };
constexpr const char* phase_names[] = {"fill", "flow", "rest"};

struct Hopper {
  hopper::Scene scene;
  hopper::State start;
  double width;
};

// Disks of 9 to 11 cm above a funnel of 45° whose mouth is 6 radii wide, or 0.15 of the hopper.
Hopper make_hopper(int n, bool closed) {
  constexpr double r = 0.1, spacing = 2.2 * r;
  Hopper h;
  const int columns = std::max(6, static_cast<int>(std::ceil(std::sqrt(n))));
  h.width = columns * spacing;
  const double mouth = std::max(6 * r, 0.15 * h.width), side = 0.5 * h.width, depth = 0.5 * (h.width - mouth);
  h.scene.walls = {{-side, 0, -side, 4 * h.width},
                   {side, 0, side, 4 * h.width},
                   {-side, 0, -0.5 * mouth, -depth},
                   {side, 0, 0.5 * mouth, -depth}};
  if (closed) h.scene.walls.push_back({-0.5 * mouth, -depth, 0.5 * mouth, -depth});
  std::mt19937 random(1);
  const auto uniform = [&] { return 2 * (static_cast<double>(random()) / 4294967295.0) - 1; };
  for (int i = 0; i < n; ++i) {
    const double radius = r * (1 + 0.1 * uniform()), mass = h.scene.density * 3.14159265358979323846 * radius * radius;
    h.scene.disks.push_back({radius, mass, 0.5 * mass * radius * radius});
    const int column = i % columns, row = i / columns;
    h.start.q.insert(h.start.q.end(), {(column - 0.5 * (columns - 1)) * 0.99 * spacing + 0.02 * r * uniform(),
                                       1.2 * r + row * spacing, 0});
    h.start.u.insert(h.start.u.end(), {0.1 * uniform(), -0.5, 0});
  }
  return h;
}

std::unique_ptr<mechanics::Assembly> assemble(const hopper::Scene& scene) {
  mechanics::AssemblyParts parts;
  mechanics::Body walls;
  walls.name = "hopper";
  walls.is_fixed = true;
  for (const hopper::Wall& w : scene.walls) {
    walls.shapes.push_back(geometry::Shape::segment({w.x_from, w.y_from}, {w.x_to, w.y_to}));
  }
  parts.bodies.push_back(walls);
  for (const hopper::Disk& disk : scene.disks) {
    mechanics::Body body;
    body.name = fmt::format("d{}", parts.bodies.size());
    body.mass = disk.mass;
    body.inertia = disk.inertia;
    body.shapes.push_back(geometry::Shape::circle({0, 0}, disk.radius));
    parts.bodies.push_back(body);
  }
  parts.gravity = {0, -scene.g};
  contact::Law law;
  law.mu = scene.mu;
  parts.collisions.set(0, 0, law);
  return std::make_unique<mechanics::Assembly>(std::move(parts));
}

// Brings the disks where a phase begins, quickly: a fixed number of sweeps a step, overlaps pushed apart, and, where
// they are to rest, damped. No claim is made on the way there.
class Preparation {
 public:
  explicit Preparation(const Hopper& h) : scene_(h.scene), s_(h.start), system_(assemble(h.scene)) {
    for (const hopper::Disk& d : scene_.disks) {
      inverse_mass_.insert(inverse_mass_.end(), {1 / d.mass, 1 / d.mass, 1 / d.inertia});
    }
  }

  // push: share of the overlap that goes in a step.
  void step(int sweeps, double damping, double push = 0.2) {
    constexpr double fastest_push = 0.5;  // m/s
    std::vector<double>&q = s_.q, &u = s_.u;
    for (std::size_t i = 0; i < q.size(); ++i) q[i] += 0.5 * dt * u[i];
    system_->find_contacts(q.data(), 0, 0, contacts_);
    for (std::size_t i = 0; i < u.size(); ++i) u[i] *= 1 - damping;
    for (std::size_t i = 1; i < u.size(); i += 3) u[i] -= scene_.g * dt;
    last_.resize(at(system_->contact_count()), {0, 0});
    const contact::SparseRows& w = contacts_.rows.w;
    G_.assign(at(w.count()), 0.0);
    Lambda_.assign(at(w.count()), 0.0);
    for (int r = 0; r < w.count(); ++r) {
      for (int k = w.start[at(r)]; k < w.start[at(r) + 1]; ++k) {
        G_[at(r)] += w.value[at(k)] * w.value[at(k)] * inverse_mass_[at(w.index[at(k)])];
      }
      const auto& kept = last_[at(contacts_.list[at(r / 2)].contact)];
      apply(r, r % 2 == 0 ? kept.first : kept.second);
    }
    for (int sweep = 0; sweep < sweeps; ++sweep) {
      for (int r = 0; r < w.count(); r += 2) {
        const double apart = std::min(-push * contacts_.list[at(r / 2)].gap / dt, fastest_push);
        apply(r, std::max(-Lambda_[at(r)], (apart - w.dot(r, u.data())) / G_[at(r)]));
        const double bound = scene_.mu * Lambda_[at(r)], now = Lambda_[at(r + 1)];
        apply(r + 1, std::clamp(now - w.dot(r + 1, u.data()) / G_[at(r + 1)], -bound, bound) - now);
      }
    }
    std::fill(last_.begin(), last_.end(), std::pair(0.0, 0.0));
    for (int r = 0; r < w.count(); r += 2) {
      last_[at(contacts_.list[at(r / 2)].contact)] = {Lambda_[at(r)], Lambda_[at(r + 1)]};
    }
    for (std::size_t i = 0; i < q.size(); ++i) q[i] += 0.5 * dt * u[i];
  }

  const hopper::State& state() const { return s_; }

 private:
  void apply(int r, double impulse) {
    const contact::SparseRows& w = contacts_.rows.w;
    Lambda_[at(r)] += impulse;
    for (int k = w.start[at(r)]; k < w.start[at(r) + 1]; ++k) {
      s_.u[at(w.index[at(k)])] += impulse * w.value[at(k)] * inverse_mass_[at(w.index[at(k)])];
    }
  }

  const hopper::Scene& scene_;
  hopper::State s_;
  std::unique_ptr<mechanics::Assembly> system_;
  mechanics::ActiveContacts contacts_;
  std::vector<double> inverse_mass_, G_, Lambda_;
  std::vector<std::pair<double, double>> last_;
};

Hopper prepare(int n, Phase phase) {
  Hopper h = make_hopper(n, phase == Phase::rest);
  Preparation preparation(h);
  const double unit = std::sqrt(h.width / h.scene.g);  // in which all hoppers look alike
  const double length = (phase == Phase::fill ? 0.7 : phase == Phase::flow ? 1.4 : 2.2) * unit;
  const bool rest = phase == Phase::rest;
  for (double t = 0; t < length; t += dt) preparation.step(20, rest && t > 1.2 * unit ? 0.02 : 0);
  for (int k = 0; rest && k < 1000; ++k) preparation.step(60, 0.1, 0);
  h.start = preparation.state();
  if (rest) std::fill(h.start.u.begin(), h.start.u.end(), 0.0);
  return h;
}

class PicusHopper {
 public:
  PicusHopper(const Hopper& h, contact::SolverChoice solver, double accuracy = tolerance) {
    options::StepOptions o;
    o.dt = dt;
    o.solver = solver;
    o.check_uniqueness = false;
    o.tolerance = accuracy;
    run_ = std::make_unique<stepping::SparseIntegration>(assemble(h.scene), h.start.q, h.start.u, o);
  }
  // ms is NAN when the run has stopped.
  hopper::StepFigures step() {
    const auto certified_before = run_->totals().certified_steps;
    const double begin = hopper::seconds_used();
    const stepping::StepStatus status = run_->step();
    hopper::StepFigures f;
    f.ms = 1e3 * seconds_since(begin);
    f.contacts = static_cast<int>(run_->contacts().list.size());
    f.residual = run_->residual();
    f.certified = run_->totals().certified_steps > certified_before;
    for (const mechanics::ActiveContact& c : run_->contacts().list) f.overlap = std::max(f.overlap, -c.gap);
    if (status != stepping::StepStatus::done) {
      fmt::print("  stopped: status {} in step {}, {} contacts, residual {:.2e}\n", static_cast<int>(status),
                 run_->totals().steps + 1, f.contacts, f.residual);
      f.ms = NAN;
    }
    return f;
  }
  const stepping::Totals& totals() const { return run_->totals(); }

 private:
  std::unique_ptr<stepping::SparseIntegration> run_;
};

struct Row {
  int n = 0;
  Phase phase = Phase::fill;
  std::string program;
  double step = dt;
  int steps = 0, contacts = 0, certified = 0;
  double ms = 0, ms_mean = 0, ms_worst = 0, residual_median = 0, residual_worst = 0, overlap = 0, read_error = 0;
};

double median(std::vector<double> x) {
  if (x.empty()) return NAN;
  std::nth_element(x.begin(), x.begin() + static_cast<std::ptrdiff_t>(x.size() / 2), x.end());
  return x[x.size() / 2];
}

// Some steps to get used to the state, then those that count: 0.1 s of motion, or as much as `seconds` allow.
template <class Step>
Row measure(Row row, double seconds, Step&& step) {
  constexpr double window = 0.1;
  constexpr int least = 5;
  const double before = row.phase == Phase::rest ? 0.05 : 0.01;
  double begin = hopper::seconds_used();
  for (int k = 0; k < 2 || (k * row.step < before && seconds_since(begin) < 0.5 * seconds); ++k) {
    if (std::isnan(step().ms)) return row;
  }
  std::vector<double> ms, residual, contacts;
  begin = hopper::seconds_used();
  while (row.steps < least || (row.steps * row.step < window && seconds_since(begin) < 0.5 * seconds)) {
    const hopper::StepFigures f = step();
    if (std::isnan(f.ms)) break;
    ++row.steps;
    ms.push_back(f.ms);
    residual.push_back(f.residual);
    contacts.push_back(f.contacts);
    row.certified += f.certified ? 1 : 0;
    row.overlap = std::max(row.overlap, f.overlap);
    row.read_error = std::max(row.read_error, f.read_error);
    row.ms_mean += f.ms;
    row.ms_worst = std::max(row.ms_worst, f.ms);
    row.residual_worst = std::max(row.residual_worst, f.residual);
  }
  if (row.steps == 0) return row;
  row.ms = median(ms);
  row.ms_mean /= row.steps;
  row.residual_median = median(residual);
  row.contacts = static_cast<int>(median(contacts));
  return row;
}

void print(const Row& r) {
  fmt::print(
      "{:<6} {:<5} {:<18} {:>6} {:>9} {:>9.3g} {:>9.3g} {:>9.3g} {:>9.1e} {:>9.1e} {:>7.0f} % {:>9.1e} {:>9.1e}\n", r.n,
      phase_names[static_cast<int>(r.phase)], r.program, r.steps, r.contacts, r.ms, r.ms_mean, r.ms_worst,
      r.residual_median, r.residual_worst, r.steps > 0 ? 100.0 * r.certified / r.steps : 0, r.overlap, r.read_error);
  std::fflush(stdout);
}

void measure_all(int n, Phase phase, double seconds, std::vector<Row>& rows) {
  const Hopper h = prepare(n, phase);
  const auto keep = [&](const Row& row) {
    if (row.steps == 0) return;
    print(row);
    rows.push_back(row);
  };
  Row row;
  row.n = n;
  row.phase = phase;
  row.program = "picus";
  PicusHopper automatic(h, contact::SolverChoice::automatic);
  keep(measure(row, picus_share * seconds, [&] { return automatic.step(); }));
  const auto& by = automatic.totals().solved_by;
  const auto count = [&](contact::SolvedBy solver) { return by[static_cast<int>(solver)]; };
  fmt::print("  solved by: states of the last step {}, sweeps {}, gradients {}, Newton {}, interior point {}\n",
             count(contact::SolvedBy::kept_states), count(contact::SolvedBy::gauss_seidel),
             count(contact::SolvedBy::proximal), count(contact::SolvedBy::newton),
             count(contact::SolvedBy::interior_point));
  row.program = "picus to 1e-2";
  PicusHopper coarse(h, contact::SolverChoice::automatic, 1e-2);
  keep(measure(row, picus_share * seconds, [&] { return coarse.step(); }));
#ifdef PICUS_HAS_BOX2D
  const struct {
    const char* name;
    hopper::Box2DOptions options;
  } programs[] = {{"box2d 8/3", {dt, 8, 3, false}},
                  {"box2d 50/20", {dt, 50, 20, false}},
                  {"box2d 1000/20", {dt, 1000, 20, false}},
                  {"box2d 8/3 1/60 s", {1.0 / 60, 8, 3, true}}};
  for (const auto& program : programs) {
    row.program = program.name;
    row.step = program.options.dt;
    hopper::Box2DHopper box(h.scene, h.start, program.options);
    keep(measure(row, seconds, [&] { return box.step(tolerance); }));
  }
#endif
}

// Slope of log ms over log N, by least squares.
void print_growth(const std::vector<Row>& rows, int from, int to) {
  fmt::print("\nms ~ N^p for N from {} to {}\n", from, to);
  std::vector<std::string> names;
  for (const Row& r : rows) {
    if (std::find(names.begin(), names.end(), r.program) == names.end()) names.push_back(r.program);
  }
  for (const std::string& name : names) {
    std::string line;
    for (const Phase phase : {Phase::fill, Phase::flow, Phase::rest}) {
      double count = 0, x = 0, y = 0, xx = 0, xy = 0;
      for (const Row& r : rows) {
        if (r.program != name || r.phase != phase || r.n < from || r.n > to) continue;
        const double a = std::log(r.n), b = std::log(r.ms);
        ++count;
        x += a;
        y += b;
        xx += a * a;
        xy += a * b;
      }
      if (count > 1) {
        line += fmt::format("  {} {:.2f}", phase_names[static_cast<int>(phase)],
                            (count * xy - x * y) / (count * xx - x * x));
      }
    }
    if (!line.empty()) fmt::print("{:<18}{}\n", name, line);
  }
}

int profile(int n, const std::string& phase_name, double seconds) {
  for (const Phase phase : {Phase::fill, Phase::flow, Phase::rest}) {
    if (phase_name != phase_names[static_cast<int>(phase)]) continue;
    const Hopper h = prepare(n, phase);
    PicusHopper run(h, contact::SolverChoice::automatic);
    const double begin = hopper::seconds_used();
    long steps = 0;
    for (; seconds_since(begin) < seconds; ++steps) {
      const hopper::StepFigures f = run.step();
      if (std::isnan(f.ms)) return 1;
      if (f.certified) continue;
      fmt::print("step {} is not certified: {} contacts, {:.3g} ms, residual {:.1e}\n", steps + 1, f.contacts, f.ms,
                 f.residual);
    }
    fmt::print("{} steps, {:.3g} ms each\n", steps, 1e3 * seconds_since(begin) / static_cast<double>(steps));
    return 0;
  }
  fmt::print(stderr, "picus_bench_hopper: '{}' is no phase; accepted: fill, flow, rest\n", phase_name);
  return 2;
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  if (arguments.size() == 4 && arguments[0] == "profile") {
    return profile(std::atoi(argv[2]), arguments[2], std::atof(argv[4]));
  }
  const int largest = arguments.size() > 1 ? std::atoi(argv[2]) : 10000;
  const double seconds = arguments.size() > 2 ? std::atof(argv[3]) : 4;
#ifndef PICUS_HAS_BOX2D
  fmt::print("Box2D was not found when this was built: Picus alone\n");
#endif
  fmt::print("disks in a hopper: medians over the steps; residuals are shares of v_ref; certified: up to {:.0e}\n",
             tolerance);
  fmt::print("{:<6} {:<5} {:<18} {:>6} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9}\n", "N", "phase",
             "program", "steps", "contacts", "ms median", "mean", "worst", "residual", "worst", "certified",
             "overlap,m", "read err");
  std::vector<Row> rows;
  for (const int n : {10, 30, 100, 300, 1000, 3000, 10000}) {
    if (n > largest) break;
    for (const Phase phase : {Phase::fill, Phase::flow, Phase::rest}) measure_all(n, phase, seconds, rows);
  }
  print_growth(rows, 100, 10000);
  if (arguments.empty()) return 0;
  std::FILE* file = std::fopen(argv[1], "w");
  if (file == nullptr) {
    fmt::print(stderr, "picus_bench_hopper: cannot write '{}'\n", argv[1]);
    return 3;
  }
  fmt::print(
      file,
      "n,phase,program,dt,steps,contacts,ms,ms_mean,ms_worst,residual,residual_worst,certified,overlap,read_error\n");
  for (const Row& r : rows) {
    fmt::print(file, "{},{},{},{:.6g},{},{},{:.6g},{:.6g},{:.6g},{:.3g},{:.3g},{},{:.3g},{:.3g}\n", r.n,
               phase_names[static_cast<int>(r.phase)], r.program, r.step, r.steps, r.contacts, r.ms, r.ms_mean,
               r.ms_worst, r.residual_median, r.residual_worst, r.certified, r.overlap, r.read_error);
  }
  std::fclose(file);
  return 0;
}
