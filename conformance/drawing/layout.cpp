#include "conformance/drawing/layout.hpp"

#include <algorithm>
#include <cmath>

#include "conformance/drawing/shortened.hpp"

namespace ifcert::drawing {
namespace {

constexpr double label_width = 7.7;  // of one column, in the font of labels
constexpr double line_width = 6.3;   // of one column, in the font of the lines under a label

/// From a box's middle to its port.
double port_offset(double width, std::size_t port, std::size_t ports) {
  const double step = std::min(metrics.port_distance, width / static_cast<double>(ports + 1));
  return step * (static_cast<double>(port) - (static_cast<double>(ports) - 1) / 2);
}

double width_of(const std::string& line) {
  return static_cast<double>(columns(line)) * line_width;
}

/// Assigns centres to the spots of a layer: as near as possible to their preferred positions, in order and without
/// overlaps. Spots that push each other form a block, which is placed at the average of their preferred positions.
class Row {
 public:
  void add(double wish, double weight, double distance_to_last) {
    offset_ += distance_to_last;
    offsets_.push_back(offset_);
    blocks_.push_back({(wish - offset_) * weight, weight, 1});
    while (blocks_.size() > 1 && blocks_[blocks_.size() - 2].middle() > blocks_.back().middle()) {
      const Block last = blocks_.back();
      blocks_.pop_back();
      blocks_.back().sum += last.sum;
      blocks_.back().weight += last.weight;
      blocks_.back().count += last.count;
    }
  }

  std::vector<double> middles() const {
    std::vector<double> found;
    for (const Block& block : blocks_) {
      for (std::size_t i = 0; i < block.count; ++i) found.push_back(block.middle() + offsets_[found.size()]);
    }
    return found;
  }

 private:
  struct Block {
    double sum = 0;
    double weight = 0;
    std::size_t count = 0;

    double middle() const { return sum / weight; }
  };

  double offset_ = 0;
  std::vector<double> offsets_;
  std::vector<Block> blocks_;
};

/// Lays out one panel, relative to its own upper left corner.
class PanelPlacer {
 public:
  PanelPlacer(const Panel& panel, const Arrangement& arrangement, std::vector<PanelLayout>& panels, PanelLayout& placed)
      : panel_(panel),
        arrangement_(arrangement),
        panels_(panels),
        placed_(placed),
        above_(arrangement.spots.size()),
        below_(arrangement.spots.size()) {
    for (std::size_t i = 0; i < arrangement.links.size(); ++i) {
      above_[arrangement.links[i].to].push_back(i);
      below_[arrangement.links[i].from].push_back(i);
    }
  }

  void place() {
    placed_.centers.assign(arrangement_.spots.size(), 0);
    for (const auto& layer : arrangement_.layers) settle(layer, nullptr, nullptr);
    for (int sweep = 0; sweep < metrics.sweeps; ++sweep) {
      const bool last = sweep + 1 == metrics.sweeps;
      for (const auto& layer : arrangement_.layers) settle(layer, &above_, last ? &below_ : nullptr);
      for (std::size_t i = arrangement_.layers.size(); i-- > 0;) {
        settle(arrangement_.layers[i], last ? &above_ : nullptr, &below_);
      }
    }
    stack();
  }

 private:
  using Links = std::vector<std::vector<std::size_t>>;

  double width(std::size_t spot) const { return spot < panel_.boxes.size() ? placed_.boxes[spot].width : 0; }

  double out_port(const Link& link) const {
    if (link.from >= panel_.boxes.size()) return 0;
    return port_offset(width(link.from), panel_.wires[link.wire].port, panel_.boxes[link.from].out);
  }

  double in_port(const Link& link) const {
    if (link.to >= panel_.boxes.size()) return 0;
    const Reader& reader = panel_.wires[link.wire].readers[link.reader];
    if (reader.inner != nowhere) {
      const PanelLayout& inner = panels_[reader.panel];
      return inner.frame.x + inner.centers[reader.inner] - width(link.to) / 2;
    }
    return port_offset(width(link.to), reader.port, panel_.boxes[link.to].in);
  }

  /// Straightens long wires.
  double pull(const Link& link) const {
    const std::size_t boxes = panel_.boxes.size();
    return link.from >= boxes && link.to >= boxes ? 8 : (link.from >= boxes || link.to >= boxes ? 2 : 1);
  }

  /// The preferred position of a spot, from its neighbours.
  double wish(std::size_t spot, const Links* above, const Links* below) const {
    double sum = 0;
    double count = 0;
    if (above != nullptr) {
      for (const std::size_t i : (*above)[spot]) {
        const Link& link = arrangement_.links[i];
        sum += (placed_.centers[link.from] + out_port(link) - in_port(link)) * pull(link);
        count += pull(link);
      }
    }
    if (below != nullptr) {
      for (const std::size_t i : (*below)[spot]) {
        const Link& link = arrangement_.links[i];
        sum += (placed_.centers[link.to] + in_port(link) - out_port(link)) * pull(link);
        count += pull(link);
      }
    }
    return count > 0 ? sum / count : placed_.centers[spot];
  }

  void settle(const std::vector<std::size_t>& layer, const Links* above, const Links* below) {
    Row row;
    for (std::size_t i = 0; i < layer.size(); ++i) {
      const bool bend = layer[i] >= panel_.boxes.size();
      double distance = 0;
      if (i > 0) {
        const bool bends = bend && layer[i - 1] >= panel_.boxes.size();
        distance = (width(layer[i - 1]) + width(layer[i])) / 2 + (bends ? metrics.between_bends : metrics.between);
      }
      row.add(wish(layer[i], above, below), bend ? metrics.bend_weight : 1, distance);
    }
    const std::vector<double> middles = row.middles();
    for (std::size_t i = 0; i < layer.size(); ++i) placed_.centers[layer[i]] = middles[i];
  }

  void stack() {
    const Point text = size_of_text(panel_);
    double left = 0;
    double right = 0;
    for (std::size_t i = 0; i < placed_.centers.size(); ++i) {
      const double half = width(i) / 2;
      left = i == 0 ? placed_.centers[i] - half : std::min(left, placed_.centers[i] - half);
      right = i == 0 ? placed_.centers[i] + half : std::max(right, placed_.centers[i] + half);
    }
    const double inside = std::max(right - left, text.x);
    const double shift = margin - left + (inside - (right - left)) / 2;
    for (double& center : placed_.centers) center += shift;
    placed_.frame.width = inside + 2 * margin;
    double y = text.y;
    for (std::size_t l = 0; l < arrangement_.layers.size(); ++l) {
      double height = 0;
      for (const std::size_t spot : arrangement_.layers[l]) {
        if (spot >= panel_.boxes.size()) continue;
        Frame& box = placed_.boxes[spot];
        box.x = placed_.centers[spot] - box.width / 2;
        box.y = y;
        height = std::max(height, box.height);
      }
      placed_.layers.push_back({0, y, 0, height});
      y += height + (l + 1 < arrangement_.layers.size() ? gap_below(l) : 0);
    }
    placed_.frame.height = y + margin;
  }

  /// Wires that go far to the side need space to do so.
  double gap_below(std::size_t layer) const {
    double farthest = 0;
    for (const std::size_t spot : arrangement_.layers[layer]) {
      for (const std::size_t i : below_[spot]) {
        const Link& link = arrangement_.links[i];
        farthest = std::max(farthest, std::abs(placed_.centers[link.to] - placed_.centers[spot]));
      }
    }
    return metrics.between_layers + std::min(40.0, farthest / 12);
  }

  const Panel& panel_;
  const Arrangement& arrangement_;
  const std::vector<PanelLayout>& panels_;
  PanelLayout& placed_;
  Links above_;
  Links below_;
};

/// The size of a box: that of its text and its bodies, which are side by side from its corner (margin, text).
void size_box(const Box& box, std::vector<PanelLayout>& panels, Frame& frame) {
  const Point text = size_of_text(box);
  frame.width = text.x;
  frame.height = text.y;
  if (box.bodies.empty()) return;
  double inside = 0;
  double highest = 0;
  for (const std::size_t body : box.bodies) {
    inside += panels[body].frame.width + (inside > 0 ? margin : 0);
    highest = std::max(highest, panels[body].frame.height);
  }
  double x = margin + std::max(0.0, (text.x - inside) / 2 - margin);
  for (const std::size_t body : box.bodies) {
    panels[body].frame.x = x;
    panels[body].frame.y = text.y;
    panels[body].frame.height = highest;
    x += panels[body].frame.width + margin;
  }
  frame.width = std::max(frame.width, inside + 2 * margin);
  frame.height = text.y + highest + margin;
}

void move(PanelLayout& panel, double x, double y) {
  panel.frame.x += x;
  panel.frame.y += y;
  for (Frame& box : panel.boxes) {
    box.x += panel.frame.x;
    box.y += panel.frame.y;
  }
  for (double& center : panel.centers) center += panel.frame.x;
  for (Frame& layer : panel.layers) layer.y += panel.frame.y;
}

}  // namespace

Point size_of_text(const Box& box) {
  const double letter = box.kind == Box::Kind::node ? label_width : line_width;
  double width = std::max(static_cast<double>(columns(box.label)) * letter, width_of(box.name));
  for (const std::string& note : box.notes) width = std::max(width, width_of(note));
  for (const std::string& rule : box.rules) width = std::max(width, width_of(rule) + 2 * line_width);
  const std::size_t lines = (box.name.empty() ? 0 : 1) + box.notes.size() + box.rules.size();
  return {std::max(30.0, width + 14), label_height + static_cast<double>(lines) * line_height + 6};
}

Point size_of_text(const Panel& panel) {
  double width = static_cast<double>(columns(panel.label)) * label_width;
  if (!panel.drawn) width = std::max(width, width_of(panel.summary) + 2 * line_width);
  for (const std::string& rule : panel.rules) width = std::max(width, width_of(rule) + 2 * line_width);
  const std::size_t lines = (panel.drawn ? 1 : 2) + panel.rules.size();
  return {width + 4, static_cast<double>(lines) * line_height + margin + 2};
}

std::string folded_line(const Panel& body) {
  return body.label + ": " + body.summary;
}

Point size_of_folded(const Picture& picture, const Box& box) {
  Point size = size_of_text(box);
  for (const std::size_t body : box.bodies) {
    size.x = std::max(size.x, width_of(folded_line(picture.panels[body])) + 14);
    size.y += line_height;
  }
  return size;
}

Layout lay_out(const Picture& picture, double top) {
  Layout layout;
  layout.panels.resize(picture.panels.size());
  layout.arrangements.resize(picture.panels.size());
  for (std::size_t i = picture.panels.size(); i-- > 0;) {
    const Panel& panel = picture.panels[i];
    layout.panels[i].boxes.resize(panel.boxes.size());
    std::vector<double> widths;
    for (std::size_t b = 0; b < panel.boxes.size(); ++b) {
      size_box(panel.boxes[b], layout.panels, layout.panels[i].boxes[b]);
      widths.push_back(layout.panels[i].boxes[b].width);
    }
    layout.arrangements[i] = arrange(panel, widths);
    PanelPlacer(panel, layout.arrangements[i], layout.panels, layout.panels[i]).place();
  }
  double x = margin;
  for (std::size_t i = 0; i < picture.panels.size(); ++i) {
    const Panel& panel = picture.panels[i];
    PanelLayout& placed = layout.panels[i];
    if (panel.owner == nowhere) {
      move(placed, x, top + margin);
      x = placed.frame.right() + 2 * margin;
    } else {
      const Frame& box = layout.panels[panel.owner].boxes[panel.owner_box];
      move(placed, box.x, box.y);
    }
    layout.width = std::max(layout.width, placed.frame.right() + margin);
    layout.height = std::max(layout.height, placed.frame.bottom() + margin);
  }
  return layout;
}

Point start_of(const Picture& picture, const Layout& layout, std::size_t panel, const Wire& wire) {
  const Frame& box = layout.panels[panel].boxes[wire.box];
  const std::size_t ports = picture.panels[panel].boxes[wire.box].out;
  return {box.x + box.width / 2 + port_offset(box.width, wire.port, ports), box.bottom()};
}

Point end_of(const Picture& picture, const Layout& layout, std::size_t panel, const Reader& reader) {
  if (reader.inner != nowhere) {
    const Frame& box = layout.panels[reader.panel].boxes[reader.inner];
    return {box.x + box.width / 2, box.y};
  }
  const Frame& box = layout.panels[panel].boxes[reader.box];
  const std::size_t ports = picture.panels[panel].boxes[reader.box].in;
  return {box.x + box.width / 2 + port_offset(box.width, reader.port, ports), box.y};
}

}  // namespace ifcert::drawing
