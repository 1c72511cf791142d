// Ensembles of models given as a text.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>

#include "picus/catalogue/catalogue.hpp"
#include "picus/options/options.hpp"
#include "picus/run/formula_model.hpp"
#include "picus/study/futures.hpp"

namespace picus::study::tests {

inline std::unique_ptr<run::FormulaModel> model_from(const std::string& text) {
  return std::make_unique<run::FormulaModel>(modelfile::define("test.yaml", "name: test\n" + text));
}

// A point over the ridge of a roof, y = -|x|, upright above it: it leaves to the side on which it touches.
inline const std::string ridge = R"(
parameters:
  m: {value: 2, unit: kg, range: positive}
  g: {value: 9.81, unit: m/s^2}
coordinates:
  x: {unit: m, velocity: vx}
  y: {unit: m, start: 1, velocity: vy}
kinetic: m/2*(vx^2 + vy^2)
potential: m*g*y
contacts:
  - {gap: y + abs(x), tangent: x, mu: 0, eN: 0.5}
)";

// An unstable equilibrium: x'' = k^2 x from 0.
inline const std::string hill = R"(
parameters:
  k: {value: 5, unit: 1/s}
coordinates:
  x: {unit: m, velocity: v}
kinetic: v^2/2
potential: -k^2*x^2/2
)";

class Study {
 public:
  Study(std::unique_ptr<run::FormulaModel> of, double dt, double end) : model(std::move(of)) {
    experiment_.emplace(Experiment{model.get(), mechanics::ParameterValues(model->description()), {}, 0});
    experiment().step.dt = dt;
    experiment().steps = options::count_steps(dt, end);
    options.threads = 2;
  }
  // A model of the catalogue with its own time step.
  Study(const std::string& name, double end) : Study(catalogue::find_model(name), 1, 1) {
    experiment().step.dt = model->description().defaults.step.dt;
    experiment().steps = options::count_steps(experiment().step.dt, end);
  }

  Experiment& experiment() { return *experiment_; }
  Study& run() {
    motions = run_ensemble(experiment(), options);
    futures = find_futures(experiment(), options, motions);
    return *this;
  }
  // Value that a run started from.
  double start(std::size_t run, const std::string& name) const {
    for (std::size_t i = 0; i < motions.quantities.size(); ++i) {
      if (motions.quantities[i].name == name) return motions.runs[run].start[i];
    }
    ADD_FAILURE() << name << " was not disturbed";
    return 0;
  }

  std::unique_ptr<run::FormulaModel> model;
  EnsembleOptions options;
  Motions motions;
  Futures futures;

 private:
  std::optional<Experiment> experiment_;
};

}  // namespace picus::study::tests
