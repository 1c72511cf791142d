#include "progress_bar.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace picus::app {
namespace {

constexpr auto redraw_interval = std::chrono::milliseconds(100);
constexpr int width = 40;

}  // namespace

ProgressBar::ProgressBar(std::string title, bool enabled)
    : title_(std::move(title)),
      enabled_(enabled && isatty(STDERR_FILENO) != 0),
      begin_(std::chrono::steady_clock::now()),
      last_(begin_) {
  if (enabled_) draw(0);
}

void ProgressBar::show(double share) {
  if (!enabled_) return;
  const auto now = std::chrono::steady_clock::now();
  if (share < 1 && now - last_ < redraw_interval) return;
  last_ = now;
  draw(share);
}

void ProgressBar::draw(double share) {
  const double elapsed = std::chrono::duration<double>(last_ - begin_).count();
  const int full = std::clamp(static_cast<int>(share * width), 0, width);
  std::string rest;
  if (share > 0 && elapsed > 1) rest = fmt::format("  {:.0f} s left", elapsed * (1 - share) / share);
  fmt::print(stderr, "\r{} [{}{}] {:3.0f} %{}\033[K", title_, std::string(static_cast<std::size_t>(full), '#'),
             std::string(static_cast<std::size_t>(width - full), '.'), 100 * share, rest);
  std::fflush(stderr);
  drawn_ = true;
}

void ProgressBar::clear() {
  if (!drawn_) return;
  fmt::print(stderr, "\r\033[K");
  std::fflush(stderr);
  drawn_ = false;
}

}  // namespace picus::app
