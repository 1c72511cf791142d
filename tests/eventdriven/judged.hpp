// Event-driven runs of catalogue models, for tests.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "picus/catalogue/catalogue.hpp"
#include "picus/run/event_driven_simulation.hpp"

namespace picus::eventdriven::tests {

using Assignments = std::vector<std::pair<std::string, double>>;

// A model with values; its run up to an end in steps of dt.
class Judged {
 public:
  Judged(const std::string& model, double dt, double end, const Assignments& values = {},
         options::StepOptions options = {})
      : model_(catalogue::find_model(model)) {
    mechanics::ParameterValues chosen(model_->description());
    for (const auto& [name, value] : values) chosen.set(name, value);
    options.method = options::Method::event_driven;
    options.dt = dt;
    simulation_ = model_->simulate(chosen, options, {});
    ended_ = simulation_->advance(static_cast<std::int64_t>(std::lround(end / dt)), recording);
  }

  bool ended() const { return ended_; }
  const run::Simulation& simulation() const { return *simulation_; }
  const Counts& counts() const { return dynamic_cast<const run::EventDrivenSimulation&>(*simulation_).run().counts(); }
  // By the name of a column, at the end.
  double operator[](const std::string& name) const { return simulation_->state()[column(name)]; }

  struct Seen {
    double t;
    std::string contact;
    stepping::EventKind kind;
    double Lambda_N;
    std::vector<double> state;
  };
  std::vector<Seen> events() const {
    std::vector<Seen> list;
    const std::size_t n = simulation_->state().size();
    for (std::size_t i = 0; i < recording.events.size(); ++i) {
      const auto& e = recording.events[i];
      list.push_back({e.t,
                      simulation_->contact_name(e.event.contact),
                      e.event.kind,
                      e.event.Lambda_N,
                      {recording.event_states.begin() + static_cast<std::ptrdiff_t>(i * n),
                       recording.event_states.begin() + static_cast<std::ptrdiff_t>((i + 1) * n)}});
    }
    return list;
  }
  std::vector<Seen> events(stepping::EventKind kind) const {
    std::vector<Seen> list;
    for (Seen& e : events()) {
      if (e.kind == kind) list.push_back(std::move(e));
    }
    return list;
  }

  run::Recording recording;

 private:
  std::size_t column(const std::string& name) const {
    std::size_t i = 0;
    for (const auto* list : {&model_->description().coordinates, &model_->description().velocities}) {
      for (const mechanics::Quantity& q : *list) {
        if (q.name == name) return i;
        ++i;
      }
    }
    throw std::out_of_range(name);
  }

  std::unique_ptr<run::FormulaModel> model_;
  std::unique_ptr<run::Simulation> simulation_;
  bool ended_ = false;
};

}  // namespace picus::eventdriven::tests
