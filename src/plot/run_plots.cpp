#include "picus/plot/run_plots.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <optional>

#include "picus/plot/draw.hpp"
#include "picus/plot/run_figure.hpp"
#include "picus/support/error.hpp"

namespace picus::plot {
namespace {

void write(const std::filesystem::path& path, const std::string& bytes) {
  errno = 0;
  std::ofstream file(path, std::ios::binary);
  file << bytes;
  file.close();
  if (file) return;
  const std::string reason = errno != 0 ? std::string(": ") + std::strerror(errno) : "";
  throw FileError("cannot write '" + path.string() + "'" + reason);
}

}  // namespace

RunPlots::RunPlots(const std::vector<std::string>& texts, const mechanics::ModelDescription& model,
                   const std::filesystem::path& made)
    : data_(model) {
  const Quantities quantities(model);
  for (const std::string& text : texts) {
    PlotRequest request = parse_plot(text, quantities);
    const std::size_t all = request.y.size(), left_out = shorten(request);
    if (left_out > 0) {
      warn(fmt::format("{}: {} of {} coordinates and velocities are drawn; name others: {}:Y,Y,...",
                       request.file.string(), all - left_out, all, request.file.string()));
    }
    data_.want(request.x);
    for (const Quantity& q : request.y) data_.want(q);
    requests_.push_back(std::move(request));
  }
  check_files(requests_, made);
}

void RunPlots::warn(const std::string& text) {
  warnings_.push_back({checks::Severity::warning, "figure", text, -1, ""});
}

void RunPlots::append(const run::Recording& recording) { data_.append(recording); }

void RunPlots::finish() {
  std::optional<FileError> failure;
  for (const PlotRequest& request : requests_) {
    const std::string bytes = drawn(figure_of(request, data_, warnings_), request.format);
    try {
      write(request.file, bytes);
    } catch (const FileError& error) {
      if (!failure) failure = error;
    }
  }
  if (data_.contacts_left_out() > 0) {
    warn(fmt::format("figures show the first {} contacts that came up, {} others do not fit: name them",
                     RunData::most_contacts, data_.contacts_left_out()));
  }
  if (failure) throw *failure;
}

std::vector<std::string> RunPlots::file_names() const {
  std::vector<std::string> names;
  for (const PlotRequest& request : requests_) names.push_back(request.file.string());
  return names;
}

}  // namespace picus::plot
