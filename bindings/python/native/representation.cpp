#include "representation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ifcert/message.hpp>
#include <string_view>

namespace ifcert::python {

namespace {

/// The limit for one part: a name, a place, what was found. Each comes from a file and may have any length.
constexpr std::size_t longest = 100;

/// The most ports, and operator sets, that are named.
constexpr std::size_t most = 4;

/// The text on one line, cut between two characters.
std::string cut(std::string_view text) {
  if (text.size() <= longest) return printable(text);
  std::size_t end = longest;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
  return printable(text.substr(0, end)) + "…";
}

std::string ports(const Graph& graph, const std::vector<Slot>& slots) {
  std::string text;
  for (std::size_t i = 0; i < std::min(slots.size(), most); ++i) {
    const SlotInfo& info = graph.slots[slots[i]];
    text += fmt::format("{}{}: {}", i == 0 ? "" : ", ", cut(info.name), cut(to_string(info.declared)));
  }
  if (slots.size() > most) text += fmt::format(" and {} more", slots.size() - most);
  return text.empty() ? "nothing" : text;
}

std::string format_of(const Model& model) {
  if (model.format == Format::openvino) return fmt::format("OpenVINO IR {}", model.ir_version);
  if (model.format == Format::tflite) return "TensorFlow Lite";
  std::string text = "ONNX";
  std::size_t shown = 0;
  for (const auto& [domain, version] : model.opsets) {
    if (shown++ == most) return text + ", …";
    text += fmt::format(", {} {}", domain.empty() ? "opset" : cut(domain), version);
  }
  return text;
}

std::string verdict(const std::vector<Diagnostic>& found) {
  const std::size_t broken = errors_in(found).size();
  if (broken == 0) return "legal";
  return fmt::format("{} broken rule{}", broken, broken == 1 ? "" : "s");
}

}  // namespace

std::string representation(const Model& model, const std::vector<Diagnostic>& found) {
  const Graph& main = model.main();
  return fmt::format("<ifcert.Model \"{}\": {}; {} -> {}; {}>", cut(main.name), format_of(model),
                     ports(main, main.inputs), ports(main, main.outputs), verdict(found));
}

std::string representation(const Diagnostic& diagnostic) {
  return fmt::format("<{} {} at {}: {}>", name_of(diagnostic.level),
                     diagnostic.rule.empty() ? "unreadable" : cut(diagnostic.rule), cut(diagnostic.place),
                     cut(diagnostic.found));
}

std::string representation(const Rule& rule) {
  return fmt::format("<{}: {}>", rule.name, rule.holds);
}

}  // namespace ifcert::python
