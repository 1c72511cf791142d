#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "commands.hpp"
#include "picus/mechanics/description.hpp"
#include "picus/report/page.hpp"
#include "picus/support/error.hpp"
#include "picus/support/parse.hpp"

namespace picus::app {
namespace {

struct ReportArguments {
  std::vector<std::string> folders, labels;
  std::optional<std::string> out, rows, title;
};

report::PageOptions options_of(const ReportArguments& a) {
  report::PageOptions options;
  options.title = a.title.value_or("");
  if (a.rows) {
    const double rows = parse_number("--rows", *a.rows);
    if (!(rows >= 2 && rows <= 1e7) || rows != std::floor(rows)) {
      throw InputError("--rows is '" + *a.rows + "'; accepted: a whole number from 2 to 1e7");
    }
    options.rows = static_cast<std::size_t>(rows);
  }
  return options;
}

int make_report(const ReportArguments& a) {
  if (!a.labels.empty() && a.labels.size() != a.folders.size()) {
    throw InputError(
        fmt::format("--label is given {} times, folders are {}; accepted: one label for each folder, in their order",
                    a.labels.size(), a.folders.size()));
  }
  std::vector<report::PageRun> runs;
  for (std::size_t i = 0; i < a.folders.size(); ++i) {
    runs.push_back({a.folders[i], a.labels.empty() ? std::string() : a.labels[i]});
  }
  const std::string page = report::make_page(runs, options_of(a));
  const std::filesystem::path file = a.out              ? std::filesystem::path(*a.out)
                                     : runs.size() == 1 ? runs.front().folder / "report.html"
                                                        : std::filesystem::path("report.html");
  report::write_page(file, page);
  fmt::print("{}\n", file.string());
  return exit_done;
}

}  // namespace

Command add_report(CLI::App& app) {
  CLI::App* c = app.add_subcommand("report", "Make the page of a finished run again, or one page of several runs");
  auto a = std::make_shared<ReportArguments>();
  c->add_option("DIR", a->folders, "folders of finished runs, as 'picus run' writes them")->required();
  c->add_option("--label", a->labels, "what a run is called on the page; once for each folder (what differs)")
      ->expected(1)
      ->allow_extra_args(false)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->type_name("TEXT");
  c->add_option("--rows", a->rows, "rows to keep of each run, about (as many as fit into 5 MB)")->type_name("N");
  c->add_option("--title", a->title, "title of the page (the name of the model)")->type_name("TEXT");
  c->add_option("--out", a->out, "file to write (report.html in the folder of a single run, here for several)")
      ->type_name("FILE");
  return [a] { return make_report(*a); };
}

}  // namespace picus::app
