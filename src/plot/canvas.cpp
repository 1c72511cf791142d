#include "picus/plot/canvas.hpp"

#include <cairo-pdf.h>
#include <cairo-svg.h>
#include <cairo.h>

#include <cstdint>
#include <numbers>
#include <stdexcept>

#include "picus/support/version.hpp"

namespace picus::plot {
namespace {

constexpr double dots_per_point = 300.0 / 72;
constexpr double script_size = 0.72, script_drop = 0.18, script_rise = 0.38, slant = 0.2;
constexpr const char* family = "DejaVu Sans";

cairo_status_t collect(void* bytes, const unsigned char* data, unsigned int length) {
  static_cast<std::string*>(bytes)->append(reinterpret_cast<const char*>(data), length);
  return CAIRO_STATUS_SUCCESS;
}

void check(cairo_status_t status) {
  if (status != CAIRO_STATUS_SUCCESS) {
    throw std::runtime_error(std::string("drawing a figure: ") + cairo_status_to_string(status));
  }
}

cairo_surface_t* surface_for(Format format, double width, double height, std::string* bytes) {
  switch (format) {
    case Format::svg:
      return cairo_svg_surface_create_for_stream(collect, bytes, width, height);
    case Format::pdf:
      return cairo_pdf_surface_create_for_stream(collect, bytes, width, height);
    case Format::png:
      break;
  }
  return cairo_image_surface_create(CAIRO_FORMAT_RGB24, static_cast<int>(width * dots_per_point + 0.5),
                                    static_cast<int>(height * dots_per_point + 0.5));
}

// Letters have the same shapes and widths in all formats. A slant of our own, since few systems have the oblique font.
void choose_font(cairo_t* c, double size, bool italic) {
  cairo_font_options_t* options = cairo_font_options_create();
  cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
  cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
  cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY);
  cairo_set_font_options(c, options);
  cairo_font_options_destroy(options);
  cairo_select_font_face(c, family, CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL);
  cairo_matrix_t matrix;
  cairo_matrix_init(&matrix, size, 0, italic ? -slant * size : 0, size, 0, 0);
  cairo_set_font_matrix(c, &matrix);
}

double advance_of(cairo_t* c, const Piece& piece, double size) {
  choose_font(c, piece.script != 0 ? script_size * size : size, piece.italic);
  cairo_text_extents_t extents;
  cairo_text_extents(c, piece.text.c_str(), &extents);
  return extents.x_advance;
}

double advance_of(cairo_t* c, const Label& label, double size) {
  double width = 0;
  for (const Piece& piece : label) width += advance_of(c, piece, size);
  return width;
}

// From x on, on the baseline y.
void show(cairo_t* c, const Label& label, double x, double y, double size) {
  cairo_set_source_rgb(c, 0, 0, 0);
  for (const Piece& piece : label) {
    const double width = advance_of(c, piece, size);
    cairo_move_to(c, x, y + size * (piece.script < 0 ? script_drop : piece.script > 0 ? -script_rise : 0));
    cairo_show_text(c, piece.text.c_str());
    x += width;
  }
}

double share_before(Anchor anchor) { return anchor == Anchor::left ? 0 : anchor == Anchor::middle ? 0.5 : 1; }

// Cairo numbers its surfaces through the life of a program; a file must not depend on what was drawn before.
void rename_surface(std::string& svg) {
  const std::string begin = "<g id=\"surface";
  const std::size_t at = svg.find(begin);
  if (at == std::string::npos) return;
  const std::size_t number = at + begin.size();
  svg.erase(number, svg.find('"', number) - number);
}

std::string in_bytes(std::uint32_t number) {
  std::string bytes;
  for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(number >> shift & 0xff);
  return bytes;
}

// The checksum of a part of a PNG file (ISO 3309).
std::uint32_t checksum(const std::string& part) {
  std::uint32_t sum = 0xffffffff;
  for (char byte : part) {
    sum ^= static_cast<unsigned char>(byte);
    for (int bit = 0; bit < 8; ++bit) sum = (sum >> 1) ^ ((sum & 1) != 0 ? 0xedb88320 : 0);
  }
  return ~sum;
}

// Cairo does not say how large a dot is; then a page of a document shows the picture four times too large.
void add_dot_size(std::string& png) {
  constexpr std::size_t behind_header = 33;
  const std::uint32_t dots_per_metre = static_cast<std::uint32_t>(dots_per_point * 72 / 0.0254 + 0.5);
  const std::string part = "pHYs" + in_bytes(dots_per_metre) + in_bytes(dots_per_metre) + '\x01';
  png.insert(behind_header, in_bytes(9) + part + in_bytes(checksum(part)));
}

}  // namespace

struct Canvas::Cairo {
  Format format;
  std::string bytes;
  cairo_surface_t* surface = nullptr;
  cairo_t* context = nullptr;

  explicit Cairo(Format f) : format(f) {}
  Cairo(const Cairo&) = delete;
  Cairo& operator=(const Cairo&) = delete;
  ~Cairo() {
    cairo_destroy(context);
    cairo_surface_destroy(surface);
  }
};

Canvas::Canvas(Format format, double width, double height) : cairo_(std::make_unique<Cairo>(format)) {
  cairo_->surface = surface_for(format, width, height, &cairo_->bytes);
  check(cairo_surface_status(cairo_->surface));
  if (format == Format::pdf) {
    // A fixed time, or each file would differ from the last.
    cairo_pdf_surface_set_metadata(cairo_->surface, CAIRO_PDF_METADATA_CREATE_DATE, "2000-01-01T00:00:00Z");
    const std::string creator = std::string("picus ") + version();
    cairo_pdf_surface_set_metadata(cairo_->surface, CAIRO_PDF_METADATA_CREATOR, creator.c_str());
  }
  cairo_->context = cairo_create(cairo_->surface);
  cairo_t* c = cairo_->context;
  if (format == Format::png) cairo_scale(c, dots_per_point, dots_per_point);
  cairo_set_source_rgb(c, 1, 1, 1);
  cairo_paint(c);
  cairo_set_line_join(c, CAIRO_LINE_JOIN_ROUND);
}

Canvas::~Canvas() = default;

void Canvas::lines(const std::vector<Line>& pieces, const Stroke& stroke) {
  cairo_t* c = cairo_->context;
  cairo_new_path(c);
  for (const Line& piece : pieces) {
    bool first = true;
    for (const Point& p : piece) {
      first ? cairo_move_to(c, p.x, p.y) : cairo_line_to(c, p.x, p.y);
      first = false;
    }
  }
  cairo_set_source_rgb(c, stroke.colour.red, stroke.colour.green, stroke.colour.blue);
  cairo_set_line_width(c, stroke.width);
  cairo_set_dash(c, stroke.dashes.data(), static_cast<int>(stroke.dashes.size()), 0);
  cairo_stroke(c);
}

// Strokes of no length with round ends: a few bytes each.
void Canvas::dots(const Line& places, double radius, Colour colour) {
  cairo_t* c = cairo_->context;
  cairo_new_path(c);
  for (const Point& p : places) {
    cairo_move_to(c, p.x, p.y);
    cairo_close_path(c);
  }
  cairo_set_source_rgb(c, colour.red, colour.green, colour.blue);
  cairo_set_line_width(c, 2 * radius);
  cairo_set_dash(c, nullptr, 0, 0);
  cairo_set_line_cap(c, CAIRO_LINE_CAP_ROUND);
  cairo_stroke(c);
  cairo_set_line_cap(c, CAIRO_LINE_CAP_BUTT);
}

void Canvas::text(const Label& label, double x, double y, double size, Anchor anchor) {
  cairo_t* c = cairo_->context;
  show(c, label, x - share_before(anchor) * advance_of(c, label, size), y, size);
}

void Canvas::upward_text(const Label& label, double x, double y, double size) {
  cairo_t* c = cairo_->context;
  cairo_save(c);
  cairo_translate(c, x, y);
  cairo_rotate(c, -std::numbers::pi / 2);
  show(c, label, -advance_of(c, label, size) / 2, 0, size);
  cairo_restore(c);
}

std::string Canvas::finish() {
  check(cairo_status(cairo_->context));
  cairo_surface_flush(cairo_->surface);
  if (cairo_->format == Format::png) check(cairo_surface_write_to_png_stream(cairo_->surface, collect, &cairo_->bytes));
  cairo_surface_finish(cairo_->surface);
  check(cairo_surface_status(cairo_->surface));
  if (cairo_->format == Format::png) add_dot_size(cairo_->bytes);
  if (cairo_->format == Format::svg) rename_surface(cairo_->bytes);
  return std::move(cairo_->bytes);
}

double width_of(const Label& label, double size) {
  std::string nothing;
  cairo_surface_t* surface = cairo_svg_surface_create_for_stream(collect, &nothing, 1, 1);
  cairo_t* c = cairo_create(surface);
  const double width = advance_of(c, label, size);
  check(cairo_status(c));
  cairo_destroy(c);
  cairo_surface_destroy(surface);
  return width;
}

}  // namespace picus::plot
