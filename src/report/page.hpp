// The report: one self-contained HTML file that shows one run, or several beside each other.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace picus::report {

struct PageRun {
  std::filesystem::path folder;
  std::string label;  // what tells it from the others; empty: what differs in parameters, methods and steps
};

struct PageOptions {
  std::string title;            // empty: the name of the model
  std::size_t bytes = 3500000;  // of data, of all runs together; what does not fit is thinned
  std::size_t rows = 0;         // kept of each run instead, where not zero
};

// Throws InputError for a folder that is not that of a run.
std::string make_page(const std::vector<PageRun>& runs, const PageOptions& options);
// Throws FileError where it cannot be written.
void write_page(const std::filesystem::path& file, const std::string& page);

}  // namespace picus::report
