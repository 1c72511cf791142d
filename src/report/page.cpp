#include "picus/report/page.hpp"

#include <fmt/format.h>

#include <fstream>
#include <memory>
#include <stdexcept>

#include "picus/report/labels.hpp"
#include "picus/report/page_template.hpp"
#include "picus/report/run_json.hpp"
#include "picus/support/error.hpp"
#include "picus/support/version.hpp"

namespace picus::report {
namespace {

// In a script element nothing must look like the end of it.
std::string for_script(const std::string& json) {
  std::string text;
  text.reserve(json.size());
  for (char c : json) {
    if (c == '<') {
      text += "\\u003c";
    } else {
      text += c;
    }
  }
  return text;
}

std::string title_of(const std::vector<std::unique_ptr<RecordedRun>>& runs) {
  const mechanics::ModelDescription& first = runs.front()->description();
  bool same = true;
  for (const auto& run : runs) same = same && run->description().name == first.name;
  std::string title = same ? first.name : "picus";
  if (runs.size() > 1) title += fmt::format(": {} runs", runs.size());
  return title;
}

// Values of a damaged file may be anything.
Json checked_run(const RecordedRun& run, const RunBudget& budget, const std::filesystem::path& folder) {
  try {
    return make_run(run, budget);
  } catch (const Json::exception&) {
    throw InputError(
        fmt::format("'{}' is no summary of a run: a value has another type", (folder / "summary.json").string()));
  } catch (const std::length_error&) {
    throw InputError(fmt::format("'{}' has tables that are too long", (folder / "result.h5").string()));
  }
}

}  // namespace

std::string make_page(const std::vector<PageRun>& folders, const PageOptions& options) {
  if (folders.empty()) throw InputError("a report needs one folder of a run at least");
  std::vector<std::unique_ptr<RecordedRun>> runs;
  for (const PageRun& from : folders) runs.push_back(std::make_unique<RecordedRun>(from.folder));
  const std::vector<std::string> labels = make_labels(folders, runs);
  Json page = {{"picus", version()}, {"title", options.title.empty() ? title_of(runs) : options.title}};
  for (std::size_t i = 0; i < runs.size(); ++i) {
    Json run = checked_run(*runs[i], {options.bytes / runs.size(), options.rows}, folders[i].folder);
    run["label"] = labels[i];
    page["runs"].push_back(std::move(run));
  }
  // Text of a user that is no UTF-8 was refused with its model file; names of folders may be anything.
  const std::string data = for_script(page.dump(-1, ' ', false, Json::error_handler_t::replace));
  const std::string_view empty = page_template();
  const std::string_view mark = "__PICUS_DATA__";
  const std::size_t place = empty.find(mark);
  std::string text;
  text.reserve(empty.size() + data.size());
  text.append(empty.substr(0, place)).append(data).append(empty.substr(place + mark.size()));
  return text;
}

void write_page(const std::filesystem::path& path, const std::string& page) {
  // An earlier page stays until this one is whole.
  std::filesystem::path part = path;
  part += ".part";
  std::ofstream file(part, std::ios::binary);
  file << page;
  file.close();
  std::error_code error;
  if (file) std::filesystem::rename(part, path, error);
  if (file && !error) return;
  std::error_code ignored;
  std::filesystem::remove(part, ignored);
  throw FileError(fmt::format("cannot write '{}'", path.string()));
}

}  // namespace picus::report
