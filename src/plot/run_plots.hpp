// Figures of a run, for a program that hands over what the run records.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "picus/plot/plot_request.hpp"
#include "picus/plot/run_data.hpp"

namespace picus::plot {

class RunPlots {
 public:
  // Each text is FILE[:Y,Y,...[@X]]; `made` is a folder that the run will make. Throws InputError or FileError: what is
  // wrong is told before the run.
  RunPlots(const std::vector<std::string>& texts, const mechanics::ModelDescription& model,
           const std::filesystem::path& made);

  void append(const run::Recording& recording);

  // Draws and writes all figures. Throws FileError for the first that could not be written, when the others are.
  void finish();

  const checks::Diagnostics& warnings() const { return warnings_; }
  std::vector<std::string> file_names() const;

 private:
  void warn(const std::string& text);

  std::vector<PlotRequest> requests_;
  RunData data_;
  checks::Diagnostics warnings_;
};

}  // namespace picus::plot
