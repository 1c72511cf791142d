#include <gtest/gtest.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <sstream>

#include "picus/catalogue/woodpecker.hpp"
#include "picus/io/csv_file.hpp"
#include "picus/io/problem_file.hpp"
#include "picus/io/run_findings.hpp"
#include "picus/io/run_writer.hpp"
#include "picus/support/error.hpp"

namespace picus::io {
namespace {

namespace fs = std::filesystem;

// A folder of its own for each test, removed at the end.
class Io : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "picus-io-XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void TearDown() override { fs::remove_all(folder_); }

  fs::path write(const std::string& text) {
    const fs::path path = folder_ / "problem.json";
    std::ofstream(path) << text;
    return path;
  }

  static std::string read(const fs::path& path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
  }

  std::string error_of(const std::string& text) {
    try {
      read_lcp(write(text));
    } catch (const InputError& error) {
      return error.what();
    }
    return {};
  }

  fs::path folder_;
};

// Everything that findings are made of.
RunSummary eventful_summary() {
  RunSummary s;
  mechanics::ModelDescription model;
  model.name = "all";
  model.constraints = {{"pin", "m", ""}};
  model.caution = "unpredictable";
  s.request.model = std::make_shared<const mechanics::ModelDescription>(model);
  s.request.options.end = 7;
  s.request.options.step.tolerance = 1e-9;
  s.request.options.theory = true;
  s.status = RunSummary::Status::interrupted;
  s.message = "interrupted at t = 3 s";
  s.end_time = 3;
  s.add(checks::Severity::warning, "start", {"overlap at the start"});
  s.diagnostics.push_back({checks::Severity::error, "passed-through", "bodies passed", 0.5, "a/b"});
  s.add(checks::Severity::info, "method", {"12 pieces"});
  s.add(checks::Severity::info, "caution", {model.caution});
  stepping::Totals& t = s.totals;
  t.steps = 100;
  t.certified_steps = 98;
  t.contact_steps = 50;
  t.worst_residual = 1e-3;
  t.worst_penetration = 0.25;
  t.worst_drift = 1e-7;
  t.first_uncertified = {0.25, 1, -1, 1e-3};
  s.first_uncertified_contact = "heel";
  t.multiple_solution_steps = 1;
  t.uniqueness_examined_steps = 49;
  t.energy_gain_steps = 3;
  t.first_gain = {0.5, 0, 1e-3, false, {}};
  t.largest_gain = {0.75, 1, 2, true, {2, -1, -0.5, 0}};
  s.first_gain_contact = "tip";
  s.largest_gain_contact = "heel";
  t.jam_steps = 2;
  t.first_jam = {0.125, 0, 0.5, -0.8};
  s.first_jam_contact = "tip";
  s.theory = {10, 9, 8, 7, 2, 1, 0.1, 0.2, 1.5, 0.3};
  s.start_energy.kinetic = 1;
  s.end_energy = {3, 1, 2, 3, 4, -5, -6, 7, 8};
  s.half_step.state = "compared";
  s.half_step.text = "changes nothing";
  return s;
}

TEST_F(Io, ASummaryReadBackSaysTheSame) {
  const RunSummary s = eventful_summary(), back = summary_from_json(to_json(s));
  const checks::Diagnostics told = findings(s), again = findings(back);
  ASSERT_EQ(told.size(), 7u);
  ASSERT_EQ(again.size(), told.size());
  for (std::size_t i = 0; i < told.size(); ++i) {
    EXPECT_EQ(again[i].code, told[i].code);
    EXPECT_EQ(again[i].text, told[i].text);
    EXPECT_EQ(again[i].severity, told[i].severity);
    EXPECT_EQ(again[i].t, told[i].t) << told[i].code;
    EXPECT_EQ(again[i].where, told[i].where);
  }
  ASSERT_EQ(back.diagnostics.size(), s.diagnostics.size());
  for (std::size_t i = 0; i < s.diagnostics.size(); ++i) {
    EXPECT_EQ(back.diagnostics[i].severity, s.diagnostics[i].severity);
    EXPECT_EQ(back.diagnostics[i].code, s.diagnostics[i].code);
    EXPECT_EQ(back.diagnostics[i].text, s.diagnostics[i].text);
    EXPECT_EQ(back.diagnostics[i].t, s.diagnostics[i].t);
    EXPECT_EQ(back.diagnostics[i].where, s.diagnostics[i].where);
  }
  EXPECT_EQ(back.status, s.status);
  EXPECT_EQ(back.message, s.message);
  EXPECT_EQ(back.request.options.step.tolerance, s.request.options.step.tolerance);
  EXPECT_EQ(back.totals.worst_residual, s.totals.worst_residual);
  EXPECT_EQ(back.totals.worst_penetration, s.totals.worst_penetration);
  EXPECT_EQ(back.totals.worst_drift, s.totals.worst_drift);
  EXPECT_EQ(back.totals.contact_steps, s.totals.contact_steps);
  EXPECT_EQ(back.totals.uniqueness_examined_steps, s.totals.uniqueness_examined_steps);
  EXPECT_EQ(back.end_energy.remainder, s.end_energy.remainder);
  EXPECT_EQ(back.half_step.state, s.half_step.state);
  EXPECT_EQ(back.half_step.text, s.half_step.text);
}

TEST_F(Io, WhatASummaryMissesOrSpoilsIsAsIfItWereNot) {
  EXPECT_THROW(summary_from_json("[]"), InputError);
  EXPECT_THROW(summary_from_json("{"), InputError);
  EXPECT_TRUE(findings(summary_from_json("{}")).empty());
  const RunSummary s = summary_from_json(
      R"({"steps": "many", "certified_steps": 1e300, "energy": 3, "diagnostics": [1, {"text": 2}], "warnings": [1, "a"],
          "theory": {"several": null}, "half_step": []})");
  EXPECT_EQ(s.totals.steps, 0);
  EXPECT_GT(s.totals.certified_steps, 0);
  EXPECT_EQ(s.warnings(), std::vector<std::string>{"a"});
}

// Contacts, elements and outputs of a run under the names that the model gives them; what an element has not is nan.
TEST_F(Io, ElementsAndOutputsHaveTheirNames) {
  mechanics::ModelDescription model;
  model.name = "shafts";
  model.coordinates = {{"x", "m", ""}};
  model.velocities = {{"v", "m/s", ""}};
  model.outputs = {{"power", "W", ""}};
  model.contacts = {{"1", "floor"}};
  model.elements = {{"clutch", "one way"}};
  RunRequest request;
  request.model = std::make_shared<const mechanics::ModelDescription>(model);
  RunWriter writer(folder_ / "run", request);
  const double none = std::numeric_limits<double>::quiet_NaN();
  run::Recording recording;
  recording.states = {0, 1, 2};
  recording.outputs = {0, 7};
  recording.contacts = {{0, 0, 0, 0.5, 1, 0.25, 0, contact::ContactState::slip_positive},
                        {0, none, 0, none, 3, none, 1, contact::ContactState::stick}};
  recording.events = {{0, {1, stepping::EventKind::stick, 0}}};
  writer.append(recording);
  RunSummary summary;
  summary.request = request;
  summary.end_state = {1, 2};
  writer.finish(summary);
  EXPECT_NE(read(folder_ / "run/contacts.csv").find("\n0,1,0,0,0.5,1,0.25,slip\n0,clutch,nan,0,nan,3,nan,stick\n"),
            std::string::npos)
      << read(folder_ / "run/contacts.csv");
  EXPECT_EQ(read(folder_ / "run/events.csv"), "t,contact,kind,Lambda_N\n0,clutch,stick,0\n");
  EXPECT_EQ(read(folder_ / "run/outputs.csv"), "t,power\n0,7\n");
}

TEST_F(Io, CsvNumbersReadBackExactly) {
  const double values[] = {0.1, -1.0 / 3, 1e-300, 6.02214076e23, 5e-324};
  CsvFile file(folder_ / "a.csv", {"x", "name"});
  for (double v : values) file.number(v).text("n").end_row();
  file.close();
  std::ifstream in(folder_ / "a.csv");
  std::string line;
  std::getline(in, line);
  EXPECT_EQ(line, "x,name");
  for (double v : values) {
    std::getline(in, line);
    EXPECT_EQ(std::strtod(line.c_str(), nullptr), v);
  }
}

TEST_F(Io, FilesThatCannotBeWrittenAreReported) {
  EXPECT_THROW(CsvFile(folder_ / "no" / "a.csv", {"x"}), FileError);
  if (fs::exists("/dev/full")) {
    CsvFile full("/dev/full", {"x"});
    EXPECT_THROW(full.flush(), FileError);
  }
}

TEST_F(Io, ReadsAnLcp) {
  const auto lcp = read_lcp(write(R"({"A": [[1, 2], [3, 4.5]], "b": [-1, 0]})"));
  EXPECT_EQ(lcp.A(1, 1), 4.5);
  EXPECT_EQ(lcp.A(0, 1), 2);
  EXPECT_EQ(lcp.b[0], -1);
}

TEST_F(Io, ErrorsInAnLcpNameThePlace) {
  EXPECT_NE(error_of("{").find("not JSON"), std::string::npos);
  EXPECT_NE(error_of("[]").find("no JSON object"), std::string::npos);
  EXPECT_NE(error_of(R"({"A": [[1]]})").find("'b' is missing"), std::string::npos);
  EXPECT_NE(error_of(R"({"A": [[1]], "b": [1, 2]})").find("A has 1 rows and b 2"), std::string::npos);
  EXPECT_NE(error_of(R"({"A": [[1, 2], [3]], "b": [1, 2]})").find("A[1] has 1 entries"), std::string::npos);
  EXPECT_NE(error_of(R"({"A": [[1, "x"], [3, 4]], "b": [1, 2]})").find("A[0][1] is \"x\""), std::string::npos);
  EXPECT_NE(error_of(R"({"A": [[1, 2], [3, 4]], "b": [1, null]})").find("b[1] is null"), std::string::npos);
  EXPECT_NE(error_of(R"({"A": [[1, 2], [3, 1e999]], "b": [1, 1]})").find("accepted"), std::string::npos);
  EXPECT_THROW(read_lcp(folder_), InputError);
  EXPECT_THROW(read_lcp(folder_ / "absent.json"), InputError);
}

RunRequest woodpecker_request() {
  RunRequest request;
  request.model = std::make_shared<const mechanics::ModelDescription>(catalogue::woodpecker_model().description());
  request.options.end = 0.1;
  request.parameters = {{"g", 9.81}};
  return request;
}

TEST_F(Io, ARunLeavesItsFiles) {
  const catalogue::Model& model = catalogue::woodpecker_model();
  const RunRequest request = woodpecker_request();
  auto simulation = model.simulate(mechanics::ParameterValues(model.description()), {}, {});
  RunWriter writer(folder_ / "a" / "b", request);
  run::Recording recording;
  simulation->advance(1000, recording);
  writer.append(recording);
  RunSummary summary;
  summary.request = request;
  summary.totals = simulation->totals();
  summary.end_state = simulation->state();
  summary.end_energy = simulation->energy();
  summary.cycles = *simulation->cycles();
  simulation.reset();  // the summary has all it shows
  writer.finish(summary);
  for (const char* name : {"states.csv", "contacts.csv", "events.csv", "energy.csv", "result.h5", "summary.json"}) {
    EXPECT_GT(fs::file_size(folder_ / "a" / "b" / name), 0U) << name;
  }
  const std::string states = read(folder_ / "a" / "b" / "states.csv");
  EXPECT_EQ(std::count(states.begin(), states.end(), '\n'), 1002);
  EXPECT_EQ(states.substr(0, states.find('\n')), "t,y,phi_M,phi_S,v,omega_M,omega_S");
}

TEST_F(Io, AFolderThatIsAFileIsRefused) {
  std::ofstream(folder_ / "occupied") << "kept";
  EXPECT_THROW(RunWriter(folder_ / "occupied", woodpecker_request()), FileError);
  EXPECT_EQ(read(folder_ / "occupied"), "kept");
}

}  // namespace
}  // namespace picus::io
