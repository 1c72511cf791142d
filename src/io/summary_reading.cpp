#include "picus/io/json_reading.hpp"
#include "picus/io/option_json.hpp"
#include "picus/io/summary_keys.hpp"
#include "picus/support/error.hpp"

namespace picus::io {
namespace {

RunSummary::Status status_from(const std::string& name) {
  using enum RunSummary::Status;
  for (RunSummary::Status status : {done, uncertified, no_solution, interrupted}) {
    if (name == name_of(status)) return status;
  }
  return failed;
}

checks::Severity severity_from(const std::string& name) {
  using enum checks::Severity;
  for (checks::Severity severity : {info, warning}) {
    if (name == checks::name_of(severity)) return severity;
  }
  return error;
}

// A text that stands in a place of its own, too; in files of earlier versions it stood there alone.
void add_if_new(checks::Diagnostic diagnostic, checks::Diagnostics& list) {
  const auto same = [&](const checks::Diagnostic& known) { return known.text == diagnostic.text; };
  if (std::none_of(list.begin(), list.end(), same)) list.push_back(std::move(diagnostic));
}

void read_texts(const Json& json, const char* key, checks::Severity severity, const char* code,
                checks::Diagnostics& list) {
  const Json* found = find(json, {key});
  if (found == nullptr) return;
  for (const Json& text : found->is_array() ? *found : Json::array({*found})) {
    if (text.is_string() && !text.get_ref<const std::string&>().empty()) {
      add_if_new({severity, code, text.get<std::string>(), -1, ""}, list);
    }
  }
}

void read_diagnostics(const Json& json, checks::Diagnostics& list) {
  using enum checks::Severity;
  const Json* found = find(json, {"diagnostics"});
  if (found != nullptr && found->is_array()) {
    for (const Json& entry : *found) {
      const From a(entry);
      checks::Diagnostic d;
      std::string severity;
      a({"severity"}, severity);
      a({"code"}, d.code);
      a({"text"}, d.text);
      a({"t"}, d.t);
      a({"where"}, d.where);
      d.severity = severity_from(severity);
      list.push_back(std::move(d));
    }
  }
  read_texts(json, "warnings", warning, "start", list);
  read_texts(json, "remarks", info, method_remark, list);
  read_texts(json, "caution", info, "caution", list);
}

}  // namespace

RunSummary summary_from_json(const std::string& text) {
  constexpr int deepest = 32;  // a summary has four levels
  const Json json = read_json(text, deepest);
  if (!json.is_object()) throw InputError("a summary is no JSON object");
  RunSummary s;
  const From from(json);
  std::string status = name_of(s.status);
  from({"status"}, status);
  s.status = status_from(status);
  from({"message"}, s.message);
  read_diagnostics(json, s.diagnostics);
  read_options(json, s.request.options);
  exchange_certificate(from, s);
  from({"half_step", "state"}, s.half_step.state);
  from({"half_step", "text"}, s.half_step.text);
  exchange_theory(from, s.theory);
  exchange_energy(from, s);
  from({"end_state", "t"}, s.end_time);
  return s;
}

}  // namespace picus::io
