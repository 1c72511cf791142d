#include "ensemble_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <vector>

#include "picus/options/options.hpp"

namespace picus::app {
namespace {

using study::EnsembleSummary;
using study::Future;
using study::Motion;

std::string percent(double share) { return fmt::format("{:.3g} %", 100 * share); }

std::string time_or(const std::optional<double>& t, const char* otherwise) {
  return t ? fmt::format("{:.6g} s", *t) : otherwise;
}

std::string plural(std::size_t n, const char* one, const char* many) {
  return fmt::format("{} {}", n, n == 1 ? one : many);
}

std::string count_line(const EnsembleSummary& s) {
  const study::Futures& f = *s.futures;
  const std::string measure = fmt::format("apart: {} of a coordinate's scale", percent(s.options.apart));
  if (f.nearly_all_differ()) {
    return fmt::format("nearly every run goes its own way: {} of {} share their future with no other run ({})", f.alone,
                       f.made, measure);
  }
  if (f.list.size() > 1) return fmt::format("{} distinct futures ({})", f.list.size(), measure);
  if (!f.predictable_until) return fmt::format("one: all runs stay together ({})", measure);
  return fmt::format("one, but a broad one: runs spread without a gap between them ({})", measure);
}

std::string ending_of(const EnsembleSummary& s, const Future& f) {
  const Motion& m = s.motions->runs[f.representative];
  if (m.status == Motion::Status::refused) return "  refused";
  return m.is_complete() ? "" : fmt::format("  ends at t = {:.6g} s: {}", m.end_time, name_of(m.status));
}

std::vector<std::string> table_lines(const EnsembleSummary& s) {
  const std::vector<Future>& list = s.futures->list;
  std::vector<std::string> lines;
  if (list.size() == 1 && s.motions->runs[list.front().representative].is_complete()) return lines;
  if (s.futures->nearly_all_differ()) return lines;
  lines.push_back(fmt::format("{:>6} {:>6} {:>8} {:>5} {:>14} {:>22}", "future", "runs", "share", "run", "parts from 1",
                              "from the undisturbed"));
  const std::size_t shown = std::min(list.size(), study::most_folders);
  for (std::size_t i = 0; i < shown; ++i) {
    const Future& f = list[i];
    lines.push_back(fmt::format("{:>6} {:>6} {:>8} {:>5} {:>14} {:>22}{}", i + 1, f.runs.size(), percent(f.share),
                                f.representative, i == 0 ? "" : time_or(f.parts_from_first, "never"),
                                time_or(f.parts_from_undisturbed, "never"), ending_of(s, f)));
  }
  std::size_t rest = 0;
  for (std::size_t i = shown; i < list.size(); ++i) rest += list[i].runs.size();
  if (rest > 0) {
    lines.push_back(
        fmt::format("and {} more with {} in all: futures.csv", list.size() - shown, plural(rest, "run", "runs")));
  }
  return lines;
}

std::string undisturbed_line(const EnsembleSummary& s) {
  const study::Futures& f = *s.futures;
  const Motion& m = s.motions->runs.front();
  std::string line;
  if (!m.is_complete()) line = fmt::format("it ends at t = {:.6g} s: {}; ", m.end_time, name_of(m.status));
  if (f.followers == f.made) return line + fmt::format("all {} follow it to the end", plural(f.made, "run", "runs"));
  if (f.followers > 0) {
    return line +
           fmt::format("{} of {} runs follow it to the end, as future {}", f.followers, f.made, f.of_run.front());
  }
  return line + fmt::format("the motion as given is one of several: none of {} disturbed runs follows it beyond t = {}",
                            f.made, time_or(f.followed_until, ""));
}

std::string prediction_line(const EnsembleSummary& s) {
  const study::Futures& f = *s.futures;
  if (!f.predictable_until) return "to the end at this time step: no two disturbed runs are ever apart";
  return fmt::format("up to t = {:.6g} s; from there on some two disturbed runs are apart", *f.predictable_until);
}

std::string spread_line(const EnsembleSummary& s) {
  std::string line;
  for (const study::SpreadRow& row : study::spread_in_short(*s.futures, 6)) {
    line += fmt::format("{}{:.2g} at {:.3g} s", line.empty() ? "" : ", ", row.largest, row.t);
  }
  return line;
}

std::string coarser_line(const EnsembleSummary& s) {
  std::string line;
  for (std::size_t i = 1; i < s.futures->at_bounds.size(); ++i) {
    const study::FuturesAtBound& b = s.futures->at_bounds[i];
    line += fmt::format("{}{} for {}", line.empty() ? "" : ", ", b.futures, percent(b.apart));
  }
  return line;
}

std::string certificate_line(const EnsembleSummary& s) {
  const std::size_t all = s.motions->runs.size();
  if (s.status == EnsembleSummary::Status::done) {
    return fmt::format("all {} runs certified, the undisturbed one included", all);
  }
  std::string line;
  for (const Motion::Status status : {Motion::Status::uncertified, Motion::Status::no_solution, Motion::Status::failed,
                                      Motion::Status::refused, Motion::Status::missing}) {
    if (const std::size_t n = s.count(status); n > 0) {
      line += fmt::format("{}{} {}", line.empty() ? "" : ", ", n, name_of(status));
    }
  }
  return line + fmt::format(", of {} runs", all);
}

}  // namespace

std::string ensemble_text(const EnsembleSummary& s) {
  std::string text;
  const auto line = [&](const char* label, const std::string& value) {
    fmt::format_to(std::back_inserter(text), "  {:<12} {}\n", label, value);
  };
  const io::RunRequest& r = s.request;
  fmt::format_to(std::back_inserter(text), "{}: {} with disturbances of {:g}, seed {}, to t = {:g} s ({}, dt {:g} s)\n",
                 r.model->name, plural(s.futures->made, "run", "runs"), s.options.perturb, s.options.seed,
                 r.options.end, options::describe_method(r.options.step), r.options.step.dt);
  line("futures", count_line(s));
  for (const std::string& row : table_lines(s)) line("", row);
  line("undisturbed", undisturbed_line(s));
  line("predictable", prediction_line(s));
  line("spread", spread_line(s));
  if (s.futures->list.size() > 1) line("coarser", coarser_line(s));
  line("certificate", certificate_line(s));
  if (!r.model->caution.empty()) line("caution", r.model->caution);
  return text;
}

}  // namespace picus::app
