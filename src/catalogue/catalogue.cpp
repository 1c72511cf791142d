#include "picus/catalogue/catalogue.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <set>

#include "picus/support/error.hpp"
#include "picus/support/suggest.hpp"

namespace picus::catalogue {
namespace {

namespace fs = std::filesystem;

// The folder of the library that this code is in.
fs::path library_folder() {
  Dl_info info;
  if (dladdr(reinterpret_cast<const void*>(&library_folder), &info) == 0 || info.dli_fname == nullptr) return {};
  std::error_code error;
  const fs::path file = fs::canonical(info.dli_fname, error);
  return error ? fs::path() : file.parent_path();
}

bool is_model_file(const fs::path& path) { return path.extension() == ".yaml" || path.extension() == ".yml"; }

}  // namespace

std::vector<std::string> model_folders() {
  std::vector<std::string> folders;
  if (const char* given = std::getenv("PICUS_MODELS"); given != nullptr) {
    const std::string_view list = given;
    for (std::size_t begin = 0; begin <= list.size();) {
      const std::size_t end = std::min(list.find(':', begin), list.size());
      if (end > begin) folders.emplace_back(list.substr(begin, end - begin));
      begin = end + 1;
    }
  }
  // Installed, and in the build tree.
  const fs::path library = library_folder();
  for (const char* way : {PICUS_MODELS_FROM_LIBRARY, "share/picus/models"}) {
    if (library.empty()) break;
    std::error_code error;
    const fs::path folder = library / way;
    if (fs::is_directory(folder, error)) folders.push_back(folder.lexically_normal().string());
  }
  return folders;
}

std::vector<std::string> model_names() {
  std::set<std::string> names;
  for (const std::string& folder : model_folders()) {
    std::error_code error;
    for (fs::directory_iterator it(folder, error); !error && it != fs::directory_iterator(); it.increment(error)) {
      std::error_code ignored;
      if (is_model_file(it->path()) && it->is_regular_file(ignored)) names.insert(it->path().stem().string());
    }
  }
  return {names.begin(), names.end()};
}

std::string find_model_file(std::string_view name) {
  if (name.empty() || name.find('/') != std::string_view::npos || name.front() == '.') return {};
  for (const std::string& folder : model_folders()) {
    for (const char* ending : {".yaml", ".yml"}) {
      const fs::path file = fs::path(folder) / (std::string(name) + ending);
      std::error_code error;
      if (fs::is_regular_file(file, error)) return file.string();
    }
  }
  return {};
}

std::unique_ptr<run::FormulaModel> find_model(const std::string& name_or_path) {
  if (name_or_path.find('/') != std::string::npos || is_model_file(name_or_path)) {
    return run::read_model(name_or_path);
  }
  const std::string file = find_model_file(name_or_path);
  if (!file.empty()) return run::read_model(file);
  std::error_code error;
  const std::string hint =
      fs::is_regular_file(name_or_path, error) ? "; a file here needs its path: ./" + name_or_path : "";
  throw InputError(unknown_name("model", name_or_path, model_names()) + hint);
}

}  // namespace picus::catalogue
