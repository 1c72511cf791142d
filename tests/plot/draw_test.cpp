// Pictures as bytes: the same each time, in three formats, with data where the axes say.
#include "picus/plot/draw.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <regex>
#include <string>

#include "picus/plot/layout.hpp"
#include "picus/plot/symbols.hpp"

#if defined(__SANITIZE_ADDRESS__)
// What fontconfig keeps for the life of a program, and frees never.
extern "C" const char* __lsan_default_suppressions();
extern "C" const char* __lsan_default_suppressions() { return "leak:libfontconfig"; }
#endif

namespace {

using namespace picus::plot;

constexpr double none = std::numeric_limits<double>::quiet_NaN();

Figure waves(std::size_t rows, bool over_time = true) {
  Figure f;
  f.label = with_unit(symbol_of("t").label, "s");
  f.over_time = over_time;
  f.end = 1;
  for (const char* name : {"phi_S", "omega_S"}) {
    Panel p;
    p.label = with_unit(symbol_of(name).label, "rad");
    for (int k = 1; k <= 3; ++k) {
      Curve c;
      c.label = symbol_of(name).label;
      for (std::size_t i = 0; i <= rows; ++i) {
        const double t = static_cast<double>(i) / static_cast<double>(rows);
        c.x.push_back(over_time ? t : std::cos(20 * k * t));
        c.y.push_back(std::sin(20 * k * t));
      }
      p.curves.push_back(c);
    }
    f.panels.push_back(p);
  }
  return f;
}

TEST(Draw, SameFigureGivesSameBytesInAllFormats) {
  const Figure a = waves(1000), b = waves(500, false);
  for (Format format : {Format::svg, Format::png, Format::pdf}) {
    const std::string first = drawn(a, format);
    const std::string other = drawn(b, format);  // what is drawn in between makes no difference
    EXPECT_NE(first, other);
    EXPECT_EQ(drawn(a, format), first);
    EXPECT_EQ(drawn(b, format), other);
  }
}

TEST(Draw, FilesBeginAsTheirFormatsDo) {
  const Figure f = waves(10);
  EXPECT_TRUE(drawn(f, Format::svg).starts_with("<?xml"));
  EXPECT_TRUE(drawn(f, Format::png).starts_with("\x89PNG\r\n"));
  const std::string pdf = drawn(f, Format::pdf);
  EXPECT_TRUE(pdf.starts_with("%PDF-"));
  EXPECT_TRUE(std::regex_search(pdf, std::regex("/CreationDate \\((D:)?20000101000000Z")));  // not the time of today
}

TEST(Draw, AMillionPointsGiveASmallFile) {
  EXPECT_LT(drawn(waves(200000), Format::svg).size(), 400000u);
  EXPECT_LT(drawn(waves(200000, false), Format::svg).size(), 400000u);
}

TEST(Draw, NothingNotFiniteReachesTheFile) {
  Figure f = waves(20);
  f.panels[0].curves[0].y[3] = none;
  f.panels[0].curves[0].y[4] = std::numeric_limits<double>::infinity();
  f.panels[0].curves[1].y[5] = 1e305;
  f.panels[0].curves[2].y.assign(21, none);
  f.panels[1].curves.clear();
  const std::string svg = drawn(f, Format::svg);
  EXPECT_FALSE(std::regex_search(svg, std::regex("[^a-z](nan|inf)[^a-z]")));
  const Layout layout = laid_out(f);
  EXPECT_LT(layout.panels[0].y.range.high, 2);
}

TEST(Draw, NoPanelsIsAnEmptyPage) { EXPECT_FALSE(drawn(Figure{}, Format::svg).empty()); }

TEST(Layout, DataLieInTheirFramesAndFramesOnThePage) {
  for (bool over_time : {true, false}) {
    const Figure f = waves(100, over_time);
    const Layout l = laid_out(f);
    double above = 0;
    for (std::size_t i = 0; i < f.panels.size(); ++i) {
      const Frame& frame = l.panels[i].frame;
      EXPECT_GT(frame.top, above);
      EXPECT_LT(frame.right, l.width);
      EXPECT_LT(frame.bottom, l.height);
      above = frame.bottom;
      for (const Curve& c : f.panels[i].curves) {
        for (std::size_t k = 0; k < c.x.size(); ++k) {
          ASSERT_GE(l.x.place(c.x[k]), frame.left - 1e-9);
          ASSERT_LE(l.x.place(c.x[k]), frame.right + 1e-9);
          ASSERT_GE(l.panels[i].y.place(c.y[k]), frame.top);
          ASSERT_LE(l.panels[i].y.place(c.y[k]), frame.bottom);
        }
      }
      // Legends stand above their frame, below the panel before it.
      for (const LegendEntry& entry : l.panels[i].legend) {
        EXPECT_LT(entry.y, frame.top);
        EXPECT_LT(entry.x + page::sample, l.width);
        EXPECT_GT(entry.y, i > 0 ? l.panels[i - 1].frame.bottom : 0);
      }
      EXPECT_EQ(l.panels[i].legend.size(), 3u);
    }
  }
}

TEST(Layout, DecadesAreEquallyFarAndZerosBelowThem) {
  Figure f;
  f.end = 1;
  Curve c;
  c.x = {0, 0.5, 1};
  c.y = {1e-16, 0, 1e-10};
  f.panels.push_back({{}, {c}, true});
  const Axis y = laid_out(f).panels[0].y;
  EXPECT_TRUE(y.zeros);
  EXPECT_NEAR(y.place(1e-16) - y.place(1e-15), y.place(1e-11) - y.place(1e-10), 1e-9);
  EXPECT_GT(y.place(0), y.place(1e-16) + 5);  // y goes downwards
  EXPECT_LT(y.place(0), y.from);
  f.panels[0].curves[0].y = {1e-16, 1e-13, 1e-10};
  EXPECT_FALSE(laid_out(f).panels[0].y.zeros);
  f.panels[0].curves[0].y = {0, 0, 0};
  EXPECT_TRUE(std::isfinite(laid_out(f).panels[0].y.place(0)));
}

TEST(Layout, StemsBeginAtZero) {
  Figure f;
  f.end = 1;
  Curve c;
  c.x = {0.5};
  c.y = {4};
  f.panels.push_back({{}, {c}, false});
  EXPECT_GT(laid_out(f).panels[0].y.range.low, 3);
  f.panels[0].curves[0].stems = true;
  EXPECT_LT(laid_out(f).panels[0].y.range.low, 0);
}

}  // namespace
