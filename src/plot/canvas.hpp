// A page in points (1/72 inch), y downwards, that becomes the bytes of a file.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "picus/plot/figure.hpp"
#include "picus/plot/thin.hpp"

namespace picus::plot {

enum class Format { svg, png, pdf };

struct Colour {
  double red, green, blue;  // 0 to 1
};

struct Stroke {
  Colour colour;
  double width;
  std::vector<double> dashes = {};
};

enum class Anchor { left, middle, right };

class Canvas {
 public:
  // The size is that of the page. PNG has 300 dots per inch.
  Canvas(Format format, double width, double height);
  ~Canvas();
  Canvas(const Canvas&) = delete;
  Canvas& operator=(const Canvas&) = delete;

  void lines(const std::vector<Line>& pieces, const Stroke& stroke);
  void dots(const Line& places, double radius, Colour colour);

  // x, y: where the baseline begins, or its middle or end.
  void text(const Label& label, double x, double y, double size, Anchor anchor);
  // Upwards; x is the baseline, y its middle.
  void upward_text(const Label& label, double x, double y, double size);

  // What the file is to hold; nothing can be drawn behind it. The same drawing gives the same bytes.
  std::string finish();

 private:
  struct Cairo;
  std::unique_ptr<Cairo> cairo_;
};

// Of a label, in points; the same for all formats.
double width_of(const Label& label, double size);

}  // namespace picus::plot
