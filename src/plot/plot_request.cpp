#include "picus/plot/plot_request.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <set>
#include <system_error>

#include "picus/support/error.hpp"

namespace picus::plot {
namespace {

namespace fs = std::filesystem;

constexpr std::pair<const char*, Format> formats[] = {
    {".svg", Format::svg}, {".png", Format::png}, {".pdf", Format::pdf}};
constexpr const char* example = "as in phase.svg:omega@phi";

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

// Where the name of the file ends: behind the first known suffix that ends the text or stands before ':'.
std::size_t end_of_file_name(const std::string& text, Format& format) {
  const std::string small = lower(text);
  std::size_t end = std::string::npos;
  for (const auto& [suffix, its_format] : formats) {
    const std::size_t length = std::strlen(suffix);
    for (std::size_t at = small.find(suffix); at != std::string::npos; at = small.find(suffix, at + 1)) {
      const std::size_t behind = at + length;
      if (behind < small.size() && small[behind] != ':') continue;
      const bool named = at > 0 && small[at - 1] != '/';
      if (named && behind < end) {
        end = behind;
        format = its_format;
      }
      break;
    }
  }
  if (end == std::string::npos) {
    throw InputError(
        fmt::format("--plot is '{}'; accepted: a file that ends in .svg, .png or .pdf, with quantities or without, {}",
                    text, example));
  }
  return end;
}

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::size_t begin = 0;
  for (std::size_t end = text.find(separator); end != std::string::npos; end = text.find(separator, begin)) {
    parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  parts.push_back(text.substr(begin));
  return parts;
}

// Who writes y:x is told the sign.
void refuse_colon(const std::string& place, const std::string& name, const Quantities& quantities) {
  const std::size_t colon = name.rfind(':');
  if (colon == std::string::npos) return;
  const std::string before = name.substr(0, colon), behind = name.substr(colon + 1);
  try {
    quantities.find(place, before);
    quantities.find(place, behind);
  } catch (const InputError&) {
    return;
  }
  throw InputError(fmt::format("{}: '{}' is no quantity; did you mean '{}@{}'?", place, name, before, behind));
}

std::vector<Quantity> found(const std::string& place, const std::string& name, const Quantities& quantities) {
  if (name.empty())
    throw InputError(fmt::format("{}: the name of a quantity is missing; accepted: {}", place, example));
  try {
    return quantities.find(place, name);
  } catch (const InputError&) {
    refuse_colon(place, name, quantities);
    throw;
  }
}

// Where the file will stand; the same for two ways to write it.
fs::path folder_of(const fs::path& file) {
  const fs::path folder = file.parent_path();
  std::error_code error;
  const fs::path canonical = fs::weakly_canonical(folder.empty() ? fs::path(".") : folder, error);
  return error ? folder : canonical;
}

void check_file(const PlotRequest& request, const fs::path& made) {
  const std::string file = request.file.string(), place = fmt::format("--plot '{}'", file);
  const fs::path folder = request.file.has_parent_path() ? request.file.parent_path() : fs::path(".");
  std::error_code error;
  if (!fs::exists(folder, error)) {
    if (folder_of(request.file) == folder_of(made / "x")) return;  // who makes the folder checks it
    throw InputError(
        fmt::format("{}: there is no folder '{}'; accepted: a file in one that exists", place, folder.string()));
  }
  if (!fs::is_directory(folder, error))
    throw InputError(fmt::format("{}: '{}' is not a folder", place, folder.string()));
  const fs::file_status status = fs::status(request.file, error);
  if (fs::is_directory(status)) throw InputError(fmt::format("{}: that is a folder", place));
  const bool there = fs::exists(status);
  const bool writable = there ? ::access(request.file.c_str(), W_OK) == 0 : ::access(folder.c_str(), W_OK | X_OK) == 0;
  if (!writable) throw FileError(fmt::format("cannot write '{}': {}", file, std::strerror(errno)));
}

}  // namespace

PlotRequest parse_plot(const std::string& text, const Quantities& quantities) {
  PlotRequest request;
  const std::size_t end = end_of_file_name(text, request.format);
  const std::string file = text.substr(0, end), place = fmt::format("--plot '{}'", text);
  request.file = file;
  request.x = quantities.find(place, "t").front();
  if (end == text.size()) {
    request.by_default = true;
    request.y = quantities.states();
    return request;
  }
  std::string names = text.substr(end + 1);
  if (const std::size_t at = names.rfind('@'); at != std::string::npos) {
    const std::vector<Quantity> x = found(place, names.substr(at + 1), quantities);
    if (x.front().in_group) {
      throw InputError(fmt::format(
          "{}: behind '@' stands '{}', of which there are several; accepted: one quantity, as in gap.NAME of a contact",
          place, names.substr(at + 1)));
    }
    request.x = x.front();
    names.resize(at);
  }
  for (const std::string& name : split(names, ',')) {
    for (Quantity& q : found(place, name, quantities)) {
      const auto same = [&](const Quantity& other) {
        return other.source == q.source && other.column == q.column && other.contact == q.contact;
      };
      if (std::none_of(request.y.begin(), request.y.end(), same)) request.y.push_back(std::move(q));
    }
  }
  return request;
}

void check_files(const std::vector<PlotRequest>& requests, const fs::path& made) {
  std::set<fs::path> files;
  for (const PlotRequest& request : requests) {
    if (!files.insert(folder_of(request.file) / request.file.filename()).second) {
      throw InputError(fmt::format("--plot '{}' is given twice; accepted: each file once", request.file.string()));
    }
  }
  for (const PlotRequest& request : requests) check_file(request, made);
}

}  // namespace picus::plot
