// The picture as JSON, and the page around it.
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string_view>

#include "conformance/drawing/drawing.hpp"
#include "conformance/drawing/drawing_page.hpp"
#include "conformance/drawing/layout.hpp"
#include "conformance/drawing/memory_reserve.hpp"
#include "conformance/drawing/shortened.hpp"

namespace ifcert::drawing {
namespace {

using nlohmann::json;

constexpr PictureLimits page_limits{64, 20000, 60000};

json number(std::size_t value) {
  return value == nowhere ? json(-1) : json(value);
}

json size(Point point) {
  return {point.x, point.y};
}

json box_json(const Picture& picture, const Box& box) {
  json out{{"kind", static_cast<int>(box.kind)},
           {"label", box.label},
           {"title", box.title},
           {"in", box.in},
           {"out", box.out},
           {"size", size(size_of_text(box))}};
  if (!box.name.empty()) out["name"] = box.name;
  if (!box.notes.empty()) out["notes"] = box.notes;
  if (!box.rules.empty()) out["rules"] = box.rules;
  if (box.bodies.empty()) return out;
  out["bodies"] = box.bodies;
  out["folded"] = size(size_of_folded(picture, box));
  for (const std::size_t body : box.bodies) out["lines"].push_back(folded_line(picture.panels[body]));
  return out;
}

json wire_json(const Wire& wire) {
  json readers = json::array();
  for (const Reader& reader : wire.readers) {
    readers.push_back({reader.box, reader.port, number(reader.panel), number(reader.inner)});
  }
  return {{"box", wire.box}, {"port", wire.port}, {"name", wire.name}, {"title", wire.title}, {"readers", readers}};
}

json panel_json(const Picture& picture, const Panel& panel, const Arrangement& arrangement,
                const MemoryReserve& reserve) {
  json out{{"label", panel.label},
           {"summary", panel.summary},
           {"title", panel.title},
           {"owner", number(panel.owner)},
           {"ownerBox", number(panel.owner_box)},
           {"drawn", panel.drawn},
           {"rules", panel.rules},
           {"size", size(size_of_text(panel))},
           {"boxes", json::array()},
           {"wires", json::array()},
           {"links", json::array()},
           {"layers", arrangement.layers}};
  for (const Box& box : panel.boxes) {
    reserve.expect();
    out["boxes"].push_back(box_json(picture, box));
  }
  for (const Wire& wire : panel.wires) {
    reserve.expect();
    out["wires"].push_back(wire_json(wire));
  }
  for (const Link& link : arrangement.links) {
    reserve.expect();
    out["links"].push_back({link.from, link.to, link.wire, number(link.reader)});
  }
  return out;
}

/// A finding, and where it is drawn.
json findings_json(const Picture& picture, std::span<const Diagnostic> broken) {
  json out = json::array();
  for (const Diagnostic& it : broken) {
    out.push_back({{"rule", it.rule},
                   {"place", shortened(it.place, 400)},
                   {"found", shortened(it.found, 600)},
                   {"expected", shortened(it.expected, 600)},
                   {"panel", -1},
                   {"box", -1}});
  }
  for (std::size_t p = 0; p < picture.panels.size(); ++p) {
    for (const std::size_t i : picture.panels[p].broken) out[i]["panel"] = p;
    for (std::size_t b = 0; b < picture.panels[p].boxes.size(); ++b) {
      for (const std::size_t i : picture.panels[p].boxes[b].broken) {
        out[i]["panel"] = p;
        out[i]["box"] = b;
      }
    }
  }
  return out;
}

/// JSON in which an HTML parser cannot find markup.
std::string as_script(const json& document) {
  std::string out;
  for (const char letter : document.dump(-1, ' ', false, json::error_handler_t::replace)) {
    if (letter == '<')
      out += "\\u003c";
    else
      out += letter;
  }
  return out;
}

/// Enough for nlohmann's destructors, which collect the values of a document in one list while they free them.
std::size_t bytes_to_free(const Picture& picture, const Layout& layout) {
  std::size_t parts = 0;
  for (std::size_t i = 0; i < picture.panels.size(); ++i)
    parts += picture.panels[i].boxes.size() + picture.panels[i].wires.size() + layout.arrangements[i].links.size();
  return (std::size_t{16} << 20) + parts * 1024;
}

void put(std::string& page, std::string_view marker, std::string_view text) {
  const std::size_t at = page.find(marker);
  if (at == std::string::npos) throw std::logic_error(fmt::format("the page has no marker {}", marker));
  page.replace(at, marker.size(), text);
}

}  // namespace

std::string page_of(const Model& model, const SlotTypes& types, std::span<const Diagnostic> broken,
                    const std::string& title) {
  const Picture picture = picture_of(model, types, broken, page_limits);
  const Layout layout = lay_out(picture, 0);
  // Not earlier: sorting may be denied its extra memory, and works without it.
  const MemoryReserve reserve(bytes_to_free(picture, layout));
  json document{{"title", shortened(title, 120)},
                {"producer", shortened(model.producer, 120)},
                {"opsets", json::object()},
                {"margin", margin},
                {"lineHeight", line_height},
                {"labelHeight", label_height},
                {"between", metrics.between},
                {"betweenBends", metrics.between_bends},
                {"betweenLayers", metrics.between_layers},
                {"portDistance", metrics.port_distance},
                {"bendWeight", metrics.bend_weight},
                {"sweeps", metrics.sweeps},
                {"findings", findings_json(picture, broken)},
                {"panels", json::array()}};
  for (const auto& [domain, version] : model.opsets) document["opsets"][shortened(domain, 60)] = version;
  for (std::size_t i = 0; i < picture.panels.size(); ++i) {
    document["panels"].push_back(panel_json(picture, picture.panels[i], layout.arrangements[i], reserve));
  }
  std::string page(drawing_page());
  put(page, "@drawing styles@", drawing_styles());
  put(page, "\"@model@\"", as_script(document));
  return page;
}

}  // namespace ifcert::drawing
