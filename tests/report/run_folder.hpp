// A folder as a run writes it, from a recording made up by a test; and numbers of the page, read back.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "picus/io/run_writer.hpp"
#include "picus/report/recorded_run.hpp"
#include "picus/run/formula_model.hpp"

namespace picus::report::tests {

// Gone with the test.
class TemporaryFolder {
 public:
  explicit TemporaryFolder(const std::string& name)
      : path_(std::filesystem::temp_directory_path() /
              ("picus-report-" + std::to_string(::getpid()) + "-" +
               testing::UnitTest::GetInstance()->current_test_info()->name() + "-" + name)) {}
  ~TemporaryFolder() { std::filesystem::remove_all(path_); }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  operator const std::filesystem::path&() const { return path_; }

 private:
  std::filesystem::path path_;
};

// A ball between a floor and a ceiling; its states are t, y, v.
inline constexpr const char* ball_text = R"yaml(name: ball
title: A ball </script> "between" two walls
parameters: {m: {value: 1, unit: kg, meaning: mass}}
coordinates: {y: {velocity: v, start: 1, unit: m}}
kinetic: m*v^2/2
contacts:
  - {gap: y, sliding: v, mu: 0.5}
  - {gap: 2 - y, sliding: v, mu: 0}
)yaml";

inline mechanics::ModelDescription describe(const std::string& text) {
  return run::FormulaModel(modelfile::define("ball.yaml", text)).description();
}

using Recording = run::Recording;

inline void write_run(const std::filesystem::path& folder, const Recording& recording,
                      const mechanics::ModelDescription& model, const std::string& text,
                      const std::vector<std::pair<std::string, double>>& parameters = {{"m", 2.0}}) {
  io::RunRequest request;
  request.model = std::make_shared<const mechanics::ModelDescription>(model);
  request.model_text = text;
  request.parameters = parameters;
  io::RunWriter writer(folder, request);
  writer.append(recording);
  io::RunSummary summary;
  summary.request = request;
  summary.end_state = {0.5, 0.5};
  writer.finish(summary);
}

inline void write_ball(const std::filesystem::path& folder, const Recording& recording,
                       const std::vector<std::pair<std::string, double>>& parameters = {{"m", 2.0}}) {
  write_run(folder, recording, describe(ball_text), ball_text, parameters);
}

// A state, and what is recorded with it.
inline void add_state(Recording& r, double t, double y, double v) {
  r.states.insert(r.states.end(), {t, y, v});
  r.energy.push_back({t, v * v, 0, 0, 0, 0, 0, 0, 0});
  r.certificates.push_back({t, 1e-12, 0});
}

// Floor and ceiling at 0, 1 and 2 s; an impact of 3 N s with the floor at 1 s.
inline Recording three_rows() {
  Recording r;
  add_state(r, 0, 1, -1);
  add_state(r, 1, 0, 0.5);
  add_state(r, 2, 0.5, 0.5);
  r.contacts = {{1, 0.25, 0.5, 0, 3, -1.5, 0, contact::ContactState::slip_positive}};
  r.events = {{1, {0, stepping::EventKind::impact, 3}}};
  return r;
}

inline std::string text_of(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  std::stringstream text;
  text << stream.rdbuf();
  return text.str();
}

// Values of the summary replaced.
inline void change_summary(const std::filesystem::path& folder, const Json& values) {
  Json summary = Json::parse(text_of(folder / "summary.json"));
  for (const auto& [key, value] : values.items()) summary[key] = value;
  std::ofstream(folder / "summary.json") << summary.dump();
}

// Of a series in base64 (RFC 4648), digit by digit.
template <class Number>
std::vector<Number> numbers(const Json& series) {
  const std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  unsigned bits = 0;
  int count = 0;
  for (char c : series.at("b64").get<std::string>()) {
    if (c == '=') break;
    bits = bits << 6 | static_cast<unsigned>(digits.find(c));
    count += 6;
    if (count < 8) continue;
    count -= 8;
    bytes += static_cast<char>(bits >> count & 255U);
  }
  std::vector<Number> list(bytes.size() / sizeof(Number));
  std::memcpy(list.data(), bytes.data(), list.size() * sizeof(Number));
  EXPECT_EQ(list.size(), series.at("n").get<std::size_t>());
  return list;
}

}  // namespace picus::report::tests
