// Mechanisms of bodies and joints against references that share nothing with Picus (tests/oracle), and against the same
// mechanisms in minimal coordinates.
#include <fstream>
#include <sstream>

#include "picus/catalogue/catalogue.hpp"
#include "trial.hpp"

namespace picus::modelfile::tests {
namespace {

std::string text_of(const std::string& model) {
  std::ifstream file(catalogue::find_model_file(model));
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

struct End {
  const run::FormulaModel& model;
  std::vector<double> state;
  stepping::Totals totals;
  run::EnergyRecord energy;
  run::Recording recording;

  double operator[](const std::string& name) const {
    const mechanics::ModelDescription& d = model.description();
    for (std::size_t i = 0; i < d.coordinates.size(); ++i) {
      if (d.coordinates[i].name == name) return state[i];
      if (d.velocities[i].name == name) return state[d.coordinates.size() + i];
    }
    ADD_FAILURE() << name;
    return NAN;
  }
};

End run(const run::FormulaModel& model, const std::vector<std::pair<std::string, double>>& sets, double dt, double end,
        options::Method method = options::Method::moreau_midpoint) {
  ParameterValues values(model.description());
  for (const auto& [name, value] : sets) values.set(name, value);
  options::StepOptions options;
  options.dt = dt;
  options.method = method;
  const auto simulation = model.simulate(values, options, {1});
  End result{model, {}, {}, {}, {}};
  EXPECT_TRUE(simulation->advance(std::lround(end / dt), result.recording));
  EXPECT_EQ(simulation->totals().certified_steps, simulation->totals().steps);
  result.state = simulation->state();
  result.totals = simulation->totals();
  result.energy = simulation->energy();
  return result;
}

TEST(Mechanisms, FourBarConvergesToItsReference) {
  const auto model = catalogue::find_model("four-bar");
  const std::vector<std::pair<std::string, double>> exact = {{"crank.phi", 3.09192743938},
                                                             {"coupler.phi", 0.576051849666},
                                                             {"rocker.phi", 2.54567863887},
                                                             {"crank.omega", 34.7836585036},
                                                             {"rocker.omega", 7.3690346392}};
  double error[2][2] = {};
  for (int k : {0, 1}) {
    const End end = run(*model, {}, k == 0 ? 2e-4 : 1e-4, 0.1);
    for (const auto& [name, value] : exact) {
      double& largest = error[k][name.find("omega") != std::string::npos ? 1 : 0];
      largest = std::max(largest, std::abs(end[name] - value));
    }
    EXPECT_LT(end.totals.worst_drift, 1e-12);
  }
  EXPECT_LT(error[1][0], 4e-6);
  EXPECT_LT(error[1][1], 2e-4);
  EXPECT_NEAR(error[0][0] / error[1][0], 4, 0.5);
  EXPECT_NEAR(error[0][1] / error[1][1], 4, 0.5);
}

TEST(Mechanisms, FourBarDriven) {
  std::string text = text_of("four-bar");
  text.replace(text.find("  # - {name: motor"), 4, "  ");
  const run::FormulaModel model(define("four-bar.yaml", text));
  const End end = run(model, {}, 1e-4, 0.1);
  EXPECT_NEAR(end["coupler.phi"], 0.559823929463, 1e-11);
  EXPECT_NEAR(end["rocker.phi"], 2.52522258545, 1e-11);
  EXPECT_NEAR(end["rocker.omega"], 6.99020570497, 4e-5);
  // Joint forces are means over a step: at t the mean of two steps, of which the second is to come.
  const End next = run(model, {}, 1e-4, 0.1001);
  const auto force = [&](std::size_t row) {
    const auto at = [&](const End& e) { return e.recording.reactions[e.recording.reactions.size() - 9 + row].force; };
    return 0.5 * (at(end) + at(next));
  };
  EXPECT_NEAR(force(0), 8.2735841, 2e-4);
  EXPECT_NEAR(force(1), 3.9840358, 2e-4);
  EXPECT_NEAR(force(8), -0.243446908, 1e-5);
}

TEST(Mechanisms, PlayInJointsMovesTheRockerByItsBound) {
  // n joints with play turn the rocker by n c / (l_3 sin γ) at most; pins lie at their holes.
  const auto model = catalogue::find_model("four-bar-clearance");
  const End play = run(*model, {}, 1e-5, 0.2);
  std::string text = text_of("four-bar");
  text.replace(text.find("  # - {name: motor"), 4, "  ");
  const run::FormulaModel ideal_model(define("four-bar.yaml", text));
  const End ideal = run(ideal_model, {}, 1e-5, 0.2);
  const std::size_t n = play.state.size() + 1, m = ideal.state.size() + 1;
  double most = 0;
  for (std::size_t row = 0; row * n < play.recording.states.size(); row += 10) {
    const double *a = &play.recording.states[row * n], *b = &ideal.recording.states[row * m];
    const double gamma = b[9] - b[6] - M_PI;  // between coupler and rocker
    const double bound = 4 * 5e-4 / (0.15 * std::abs(std::sin(gamma)));
    most = std::max(most, std::abs(a[9] - b[9]) / bound);
  }
  EXPECT_LT(most, 1.02);
  EXPECT_GT(most, 0.5);
  EXPECT_LT(play.totals.worst_penetration, 1e-5);
  EXPECT_LT(play.recording.events.size(), 2000u);
}

TEST(Mechanisms, SliderCrankAsBodiesUpToItsFirstImpact) {
  const auto bodies = catalogue::find_model("slider-crank-bodies"), minimal = catalogue::find_model("slider-crank");
  const auto extrapolated = [&](const run::FormulaModel& model, const char* omega_3, options::Method method,
                                const std::vector<std::string>& names) {
    const End coarse = run(model, {{omega_3, 1}}, 2e-6, 2.4e-3, method);
    const End fine = run(model, {{omega_3, 1}}, 1e-6, 2.4e-3, method);
    EXPECT_TRUE(fine.recording.events.empty());
    std::vector<double> values;
    for (const std::string& name : names) values.push_back((4 * fine[name] - coarse[name]) / 3);
    return values;
  };
  const std::vector<double> a =
      extrapolated(*bodies, "slider.omega", options::Method::moreau_midpoint,
                   {"crank.phi", "rod.phi", "slider.phi", "crank.omega", "rod.omega", "slider.omega"});
  const std::vector<double> b = extrapolated(*minimal, "omega_3", options::Method::moreau_jean,
                                             {"theta_1", "theta_2", "theta_3", "omega_1", "omega_2", "omega_3"});
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(a[i], b[i], 1e-10) << i;
  for (std::size_t i = 3; i < 6; ++i) EXPECT_NEAR(a[i], b[i], 1e-8) << i;
}

TEST(Mechanisms, AFaceThatLiesOnItsGuideDoesNotFlutter) {
  const auto bodies = catalogue::find_model("slider-crank-bodies");
  const End end = run(*bodies, {{"slider.omega", 0}}, 1e-5, 0.0149);
  for (const run::EventRecord& e : end.recording.events) EXPECT_LT(e.t, 9.4e-3);
}

TEST(Mechanisms, WoodpeckerWithExactKinematics) {
  // Limit cycle of tests/oracle/woodpecker_bodies.py: period 0.1307475 s, descent 14.4969 mm, least φ_S −0.477954.
  const auto model = catalogue::find_model("woodpecker-bodies");
  const ParameterValues values(model->description());
  const auto simulation = model->simulate(values, {.dt = 1e-4}, {1000});
  run::Recording recording;
  ASSERT_TRUE(simulation->advance(80000, recording));
  const run::CycleStatistics s = simulation->cycles()->statistics();
  EXPECT_NEAR(s.period.mean, 0.1307475 + 3.2e-4, 2e-4);
  EXPECT_NEAR(s.travel.mean, 14.497e-3, 0.3e-3);
  EXPECT_NEAR(s.least[5].mean, -0.47795, 2e-3);
  EXPECT_EQ(simulation->totals().certified_steps, 80000);
}

}  // namespace
}  // namespace picus::modelfile::tests
