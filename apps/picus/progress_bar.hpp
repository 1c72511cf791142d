#pragma once

#include <chrono>
#include <string>

namespace picus::app {

// A bar on stderr, redrawn at most ten times a second; silent where stderr is no terminal.
class ProgressBar {
 public:
  ProgressBar(std::string title, bool enabled);
  ~ProgressBar() { clear(); }
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  void show(double share);
  void clear();

 private:
  void draw(double share);

  std::string title_;
  bool enabled_;
  bool drawn_ = false;
  std::chrono::steady_clock::time_point begin_, last_;
};

}  // namespace picus::app
