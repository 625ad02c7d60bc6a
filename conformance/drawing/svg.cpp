#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "conformance/drawing/drawing.hpp"
#include "conformance/drawing/drawing_page.hpp"
#include "conformance/drawing/layout.hpp"
#include "conformance/drawing/shortened.hpp"

namespace ifcert::drawing {
namespace {

constexpr std::size_t findings_limit = 12;
constexpr std::size_t finding_columns = 72;

// The classes: p panel, n node, i input, k capture, c constant, o output, r rest, x broken; w wire, d dashed, h head; l
// label, b bold. A page with colours of its own must name them as our report does.
constexpr std::string_view styles =
    ".ifc{--i:var(--ink,#1d2127);--p:var(--paper,#fff);--l:var(--line,#aab1bb);--q:var(--quiet,#59616c);"
    "--a:var(--accent,#1f5fa8);--f:var(--fail,#a8261f);background:var(--p);font:10.5px ui-monospace,'DejaVu Sans Mono',"
    "Menlo,Consolas,monospace}"
    "@media(prefers-color-scheme:dark){.ifc{--i:var(--ink,#e4e7eb);--p:var(--paper,#1c2026);--l:var(--line,#565e6a);"
    "--q:var(--quiet,#98a1ad);--a:var(--accent,#8ab8e6);--f:var(--fail,#ff9a90)}}"
    ".ifc rect{fill:var(--p);stroke:var(--q)}.ifc .p{fill:var(--i);fill-opacity:.04;stroke:var(--l)}"
    ".ifc .i,.ifc .o{stroke:var(--i);stroke-width:1.6}.ifc .k{stroke:var(--a);stroke-dasharray:4 2}"
    ".ifc .c,.ifc .r{stroke:var(--l)}.ifc .x{stroke:var(--f);stroke-width:2.5}"
    ".ifc path{fill:none;stroke:var(--q)}.ifc .d{stroke:var(--a);stroke-dasharray:4 2}"
    ".ifc .h{fill:var(--q);stroke:none}.ifc .g{fill:var(--a);stroke:none}"
    ".ifc "
    "text{fill:var(--q);text-anchor:middle;pointer-events:none;paint-order:stroke;stroke:var(--p);stroke-width:3px}"
    ".ifc .b{fill:var(--i);font:600 12px system-ui,'DejaVu Sans',sans-serif}.ifc .s{text-anchor:start}"
    ".ifc .v{fill:var(--i)}.ifc .e{fill:var(--f)}";

/// Text escaped for XML. It is printable already; the two characters that XML forbids in any case are removed.
std::string escaped(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::string_view three = text.substr(i, 3);
    if (three == "\xEF\xBF\xBE" || three == "\xEF\xBF\xBF") {
      out += '?';
      i += 2;
    } else if (text[i] == '&') {
      out += "&amp;";
    } else if (text[i] == '<') {
      out += "&lt;";
    } else if (text[i] == '>') {
      out += "&gt;";
    } else if (text[i] == '"') {
      out += "&quot;";
    } else {
      out += text[i];
    }
  }
  return out;
}

long whole(double number) {
  return std::lround(number);
}

std::string_view class_of(Box::Kind kind) {
  constexpr std::array<std::string_view, 6> names{"i", "k", "c", "n", "o", "r"};
  return names[static_cast<std::size_t>(kind)];
}

std::string class_attribute(std::string_view name, bool broken) {
  if (broken) return name == "n" ? " class=\"x\"" : fmt::format(" class=\"{} x\"", name);
  return name == "n" ? "" : fmt::format(" class=\"{}\"", name);
}

/// The words in lines, broken where a line would be too long.
std::vector<std::string> wrapped(const std::string& text) {
  std::vector<std::string> lines{""};
  std::size_t start = 0;
  while (start < text.size()) {
    const std::size_t end = std::min(text.find(' ', start), text.size());
    const std::string word = shortened(text.substr(start, end - start), finding_columns);
    if (!lines.back().empty() && columns(lines.back()) + columns(word) + 1 > finding_columns) lines.emplace_back();
    lines.back() += (lines.back().empty() ? "" : " ") + word;
    start = end + 1;
  }
  return lines;
}

/// The broken rules in words, for the top of the picture. A place that is drawn is marked there in red.
std::vector<std::string> findings(const Picture& picture, std::span<const Diagnostic> broken) {
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < broken.size() && i < findings_limit; ++i) {
    const bool elsewhere = std::ranges::find(picture.elsewhere, i) != picture.elsewhere.end();
    const std::string place = elsewhere ? shortened(broken[i].place, 200) + ": " : "";
    const std::string text = fmt::format("✗ {}: {}{}; expected: {}", shortened(broken[i].rule, 80), place,
                                         shortened(broken[i].found, 300), shortened(broken[i].expected, 300));
    for (std::string& line : wrapped(text)) lines.push_back(std::move(line));
  }
  if (broken.size() > findings_limit) lines.push_back(fmt::format("… {} more", broken.size() - findings_limit));
  return lines;
}

/// One picture as text: first all boxes from the outside in, then the wires, then the texts.
class Svg {
 public:
  Svg(const Picture& picture, const Layout& layout) : picture_(picture), layout_(layout) {}

  std::string write(const std::vector<std::string>& notes);

 private:
  void write_panel(std::size_t index);
  void write_box(const Box& box, const Frame& frame);
  void write_wires(std::size_t index);
  std::string link(std::size_t panel, const Link& link) const;
  void head(std::string& heads, Point at) { heads += fmt::format("M{} {}l-3-6h6z", whole(at.x), whole(at.y)); }
  void rect(const Frame& frame, std::string_view classes, int radius, std::string_view title);
  void line(double x, double y, std::string_view classes, std::string_view text);

  const Picture& picture_;
  const Layout& layout_;
  std::string rects_;
  std::string wires_;
  std::string texts_;
  std::string heads_;
  std::string capture_heads_;
};

std::string Svg::write(const std::vector<std::string>& notes) {
  double width = layout_.width;
  for (std::size_t i = 0; i < notes.size(); ++i) {
    line(margin, (static_cast<double>(i) + 1) * line_height + 4, "s e", notes[i]);
    width = std::max(width, static_cast<double>(columns(notes[i])) * 6.4 + 2 * margin);
  }
  for (std::size_t i = 0; i < picture_.panels.size(); ++i) write_panel(i);
  for (std::size_t i = 0; i < picture_.panels.size(); ++i) write_wires(i);
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"ifc\" role=\"img\" width=\"{0}\" height=\"{1}\" "
      "viewBox=\"0 0 {0} {1}\"><style>{2}</style>\n{3}{4}<path class=\"h\" d=\"{5}\"/><path class=\"g\" "
      "d=\"{6}\"/>\n{7}"
      "</svg>\n",
      whole(std::ceil(width)), whole(std::ceil(layout_.height)), styles, rects_, wires_, heads_, capture_heads_,
      texts_);
}

void Svg::rect(const Frame& frame, std::string_view classes, int radius, std::string_view title) {
  rects_ += fmt::format("<rect{} x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"{}\"", classes, whole(frame.x),
                        whole(frame.y), whole(frame.width), whole(frame.height), radius);
  rects_ += title.empty() ? "/>\n" : fmt::format("><title>{}</title></rect>\n", escaped(title));
}

void Svg::line(double x, double y, std::string_view classes, std::string_view text) {
  if (text.empty()) return;
  const std::string attribute = classes.empty() ? "" : fmt::format(" class=\"{}\"", classes);
  texts_ += fmt::format("<text{} x=\"{}\" y=\"{}\">{}</text>\n", attribute, whole(x), whole(y), escaped(text));
}

void Svg::write_panel(std::size_t index) {
  const Panel& panel = picture_.panels[index];
  const PanelLayout& placed = layout_.panels[index];
  rect(placed.frame, class_attribute("p", !panel.broken.empty()), 6, panel.title);
  const double x = placed.frame.x + margin;
  double y = placed.frame.y + line_height + 1;
  line(x, y, "s b", panel.label);
  if (!panel.drawn) line(x, y += line_height, "s", "… " + panel.summary);
  for (const std::string& rule : panel.rules) line(x, y += line_height, "s e", "✗ " + rule);
  for (std::size_t i = 0; i < panel.boxes.size(); ++i) write_box(panel.boxes[i], placed.boxes[i]);
}

void Svg::write_box(const Box& box, const Frame& frame) {
  const bool node = box.kind == Box::Kind::node;
  const bool round = box.kind == Box::Kind::input || box.kind == Box::Kind::output || box.kind == Box::Kind::capture;
  rect(frame, class_attribute(class_of(box.kind), !box.broken.empty()), round ? 10 : 3, box.title);
  const bool left = !box.bodies.empty();
  const std::string_view start = left ? "s" : "";
  const double x = left ? frame.x + margin : frame.x + frame.width / 2;
  double y = frame.y + label_height - 2;
  line(x, y, left ? "s b" : (node ? "b" : "v"), box.label);
  line(x, y += box.name.empty() ? 0 : line_height, start, box.name);
  for (const std::string& note : box.notes) line(x, y += line_height, start, note);
  for (const std::string& rule : box.rules) line(x, y += line_height, left ? "s e" : "e", "✗ " + rule);
}

/// Straight down to the end of the layer, across to the next one, and so on.
std::string Svg::link(std::size_t panel, const Link& link) const {
  const Arrangement& arrangement = layout_.arrangements[panel];
  const PanelLayout& placed = layout_.panels[panel];
  const Wire& wire = picture_.panels[panel].wires[link.wire];
  const Frame& upper = placed.layers[arrangement.spots[link.from].layer];
  const Frame& lower = placed.layers[arrangement.spots[link.to].layer];
  const bool from_bend = arrangement.spots[link.from].box == nowhere;
  const bool to_bend = link.reader == nowhere;
  const Point from =
      from_bend ? Point{placed.centers[link.from], upper.bottom()} : start_of(picture_, layout_, panel, wire);
  const Point to = to_bend ? Point{placed.centers[link.to], lower.bottom()}
                           : end_of(picture_, layout_, panel, wire.readers[link.reader]);
  std::string path = fmt::format("M{} {}", whole(from.x), whole(from.y));
  if (whole(from.x) == whole(to.x)) return path + fmt::format("V{}", whole(to.y));
  if (whole(upper.bottom()) > whole(from.y)) path += fmt::format("V{}", whole(upper.bottom()));
  const long middle = whole((upper.bottom() + lower.y) / 2);
  path += fmt::format("C{} {} {} {} {} {}", whole(from.x), middle, whole(to.x), middle, whole(to.x), whole(lower.y));
  if (whole(to.y) > whole(lower.y)) path += fmt::format("V{}", whole(to.y));
  return path;
}

void Svg::write_wires(std::size_t index) {
  const Panel& panel = picture_.panels[index];
  std::vector<std::string> plain(panel.wires.size());
  std::vector<std::string> dashed(panel.wires.size());
  for (const Link& link : layout_.arrangements[index].links) {
    const Wire& wire = panel.wires[link.wire];
    const auto captures = [](const Reader& reader) { return reader.panel != nowhere; };
    bool dash = panel.boxes[wire.box].kind == Box::Kind::capture;
    if (link.reader == nowhere) {
      dash = dash || std::ranges::all_of(wire.readers, captures);
    } else {
      const Reader& reader = wire.readers[link.reader];
      dash = dash || captures(reader);
      head(dash ? capture_heads_ : heads_, end_of(picture_, layout_, index, reader));
    }
    (dash ? dashed : plain)[link.wire] += this->link(index, link);
  }
  for (std::size_t i = 0; i < panel.wires.size(); ++i) {
    const std::string title = fmt::format("<title>{}</title>", escaped(panel.wires[i].title));
    if (!plain[i].empty()) wires_ += fmt::format("<path d=\"{}\">{}</path>\n", plain[i], title);
    if (!dashed[i].empty()) wires_ += fmt::format("<path class=\"d\" d=\"{}\">{}</path>\n", dashed[i], title);
  }
}

}  // namespace

std::string_view drawing_styles() {
  return styles;
}

std::string svg_of(const Model& model, const SlotTypes& types, std::span<const Diagnostic> broken) {
  const Picture picture = picture_of(model, types, broken, {});
  const std::vector<std::string> notes = findings(picture, broken);
  const double top = notes.empty() ? 0 : static_cast<double>(notes.size()) * line_height + margin;
  return Svg(picture, lay_out(picture, top)).write(notes);
}

}  // namespace ifcert::drawing
