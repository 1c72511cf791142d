// A run of a model given as a text.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <string>

#include "probe.hpp"

namespace picus::modelfile::tests {

// A model with a run of it; columns of the state are q…, u….
class Trial {
 public:
  explicit Trial(const std::string& text, double dt = 0.01, options::Method method = options::Method::moreau_midpoint)
      : model_(model_from(text)), values_(model_->description()) {
    options_.dt = dt;
    options_.method = method;
  }
  Trial& set(const std::string& name, double value) {
    values_.set(name, value);
    return *this;
  }
  bool to(double t) {
    if (!simulation_) simulation_ = model_->simulate(values_, options_, {1});
    return simulation_->advance(std::lround((t - simulation_->time()) / options_.dt), recording);
  }
  double operator[](std::size_t i) const { return simulation_->state()[i]; }
  const run::Simulation& simulation() const { return *simulation_; }
  // Column of a row of the states, 0 is t.
  double recorded(std::size_t row, std::size_t column) const {
    return recording.states[row * (1 + simulation_->state().size()) + column];
  }
  std::size_t rows() const { return recording.states.size() / (1 + simulation_->state().size()); }
  void expect_closed_books(double tolerance = 1e-12) const {
    EXPECT_NEAR(simulation_->energy().remainder, 0, tolerance);
    EXPECT_EQ(simulation_->totals().certified_steps, simulation_->totals().steps);
    EXPECT_EQ(simulation_->totals().uncertified_impacts, 0);
  }
  run::Recording recording;

 private:
  std::unique_ptr<run::FormulaModel> model_;
  ParameterValues values_;
  options::StepOptions options_;
  std::unique_ptr<run::Simulation> simulation_;
};

}  // namespace picus::modelfile::tests
