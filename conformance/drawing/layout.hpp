// The position of everything: boxes as large as their contents, layers from top to bottom.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "conformance/drawing/arrangement.hpp"

namespace ifcert::drawing {

/// All in pixels, from the picture's upper left corner.
struct Frame {
  double x = 0;
  double y = 0;
  double width = 0;
  double height = 0;

  double right() const { return x + width; }
  double bottom() const { return y + height; }
};

struct Point {
  double x = 0;
  double y = 0;
};

struct PanelLayout {
  Frame frame;
  std::vector<Frame> boxes;
  std::vector<double> centers;  // of the arrangement's spots, from left to right
  std::vector<Frame> layers;    // only their top and height matter
};

struct Layout {
  std::vector<Arrangement> arrangements;  // of each panel
  std::vector<PanelLayout> panels;
  double width = 0;
  double height = 0;
};

/// `top`: space above the picture's first panel, for further text.
Layout lay_out(const Picture& picture, double top);

/// The point where a value leaves its box, and where it reaches its reader: at a body's border, the box inside it.
Point start_of(const Picture& picture, const Layout& layout, std::size_t panel, const Wire& wire);
Point end_of(const Picture& picture, const Layout& layout, std::size_t panel, const Reader& reader);

/// The size of the text of a box, above its bodies; and of a panel's text above its boxes.
Point size_of_text(const Box& box);
Point size_of_text(const Panel& panel);

/// The size of a box whose bodies are folded, a line for each.
Point size_of_folded(const Picture& picture, const Box& box);
std::string folded_line(const Panel& body);

/// The constants that this layout shares with the second one, which is in the page.
struct Metrics {
  double between = 14;  // boxes of a layer
  double between_bends = 9;
  double between_layers = 26;
  double port_distance = 36;
  double bend_weight = 4;  // long wires are straight before boxes are centred
  int sweeps = 12;
};
inline constexpr Metrics metrics;

inline constexpr double line_height = 13;
inline constexpr double label_height = 17;
inline constexpr double margin = 8;

}  // namespace ifcert::drawing
