#include "conformance/suite/model_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <ifcert/message.hpp>
#include <ifcert/reference.hpp>
#include <string_view>
#include <variant>
#include <vector>

#include "conformance/system/file.hpp"

namespace ifcert::conformance {
namespace {

/// The deepest level that is written, so that the recursion is limited. Generated and shrunk models nest far less.
constexpr std::size_t deepest = 50;

struct AttributeText {
  std::string operator()(std::int64_t value) const { return fmt::format("{}", value); }
  std::string operator()(float value) const { return fmt::format("{}", value); }
  std::string operator()(const std::string& value) const { return fmt::format("\"{}\"", printable(value)); }
  std::string operator()(const std::vector<std::int64_t>& values) const { return fmt::format("{}", values); }
  std::string operator()(const std::vector<float>& values) const { return fmt::format("{}", values); }
  std::string operator()(const std::vector<std::string>& values) const {
    return fmt::format("{} strings", values.size());
  }
  std::string operator()(const Value& value) const { return printable(to_string(value)); }
  std::string operator()(const Type& type) const { return to_string(type); }
  std::string operator()(const AttributeReference& reference) const { return "@" + printable(reference.name); }
};

class Text {
 public:
  explicit Text(const Model& model) : model_(model) {}

  std::string all() {
    for (const auto& [domain, version] : model_.opsets)
      line(0, fmt::format("operators{} {}", domain.empty() ? "" : fmt::format(" of {}", printable(domain)), version));
    line(0, fmt::format("main ({}) -> ({})", declared(model_.main(), model_.main().inputs),
                        declared(model_.main(), model_.main().outputs)));
    write(model_.main(), 1);
    for (const Function& function : model_.functions) {
      const Graph& graph = model_.graphs[function.graph];
      line(0, fmt::format("function {} ({}) -> ({})", printable(function.name), names(graph, graph.inputs),
                          names(graph, graph.outputs)));
      write(graph, 1);
    }
    return std::move(text_);
  }

 private:
  void line(std::size_t depth, const std::string& words) { text_ += fmt::format("{:{}}{}\n", "", depth * 2, words); }

  static std::string name(const Graph& graph, Slot slot) {
    if (slot == no_slot) return "-";
    const std::string& name = graph.slots[slot].name;
    return name.empty() ? fmt::format("#{}", slot) : printable(name);
  }

  static std::string names(const Graph& graph, const std::vector<Slot>& slots) {
    std::vector<std::string> all;
    for (const Slot slot : slots) all.push_back(name(graph, slot));
    return fmt::format("{}", fmt::join(all, ", "));
  }

  static std::string declared(const Graph& graph, const std::vector<Slot>& slots) {
    std::vector<std::string> all;
    for (const Slot slot : slots)
      all.push_back(fmt::format("{}: {}", name(graph, slot), printable(to_string(graph.slots[slot].declared))));
    return fmt::format("{}", fmt::join(all, ", "));
  }

  void write(const Graph& graph, std::size_t depth) {
    if (depth > deepest) return line(depth, "…");
    for (const Constant& constant : graph.constants)
      line(depth, fmt::format("{} = {}", name(graph, constant.slot), printable(to_string(constant.value))));
    for (const Node& node : graph.nodes) write(graph, node, depth);
  }

  void write(const Graph& graph, const Node& node, std::size_t depth) {
    std::string words =
        fmt::format("{} = {}({})", names(graph, node.outputs), printable(node.op), names(graph, node.inputs));
    for (const auto& [attribute, value] : node.attributes)
      words += fmt::format(" {}={}", printable(attribute), std::visit(AttributeText(), value));
    line(depth, words);
    if (node.call) return;
    for (const Body& body : node.bodies) write(graph, body, depth + 1);
  }

  void write(const Graph& outer, const Body& body, std::size_t depth) {
    if (!body.reference.empty())
      return line(depth, fmt::format("{}: @{}", printable(body.role), printable(body.reference)));
    const Graph& inner = model_.graphs[body.graph];
    line(depth,
         fmt::format("{} ({}) -> ({})", printable(body.role), names(inner, inner.inputs), names(inner, inner.outputs)));
    for (const Capture& capture : body.captures) {
      if (name(inner, capture.inner) != name(outer, capture.outer))
        line(depth + 1, fmt::format("{} is {} outside", name(inner, capture.inner), name(outer, capture.outer)));
    }
    write(inner, depth + 1);
  }

  const Model& model_;
  std::string text_;
};

/// The first bytes of a file, sixteen a line: "00000010  0a 00 …".
std::string dump(std::string_view bytes) {
  constexpr std::size_t most = 256;
  constexpr std::size_t width = 16;
  const std::string_view shown = bytes.substr(0, most);
  std::string text;
  for (std::size_t at = 0; at < shown.size(); at += width) {
    const std::string_view line = shown.substr(at, width);
    text += fmt::format("{:08x} ", at);
    for (const char byte : line) text += fmt::format(" {:02x}", static_cast<unsigned char>(byte));
    text += '\n';
  }
  return bytes.size() <= most ? text : text + fmt::format("… and {} bytes more\n", bytes.size() - most);
}

}  // namespace

std::string text_of_model(const Model& model) {
  return Text(model).all();
}

std::string text_of_model(const std::filesystem::path& model) {
  if (model.extension() == ".xml") return printable_lines(read_file(model));
  try {
    return text_of_model(read_model(model).model);
  } catch (const UnreadableModel& error) {
    return fmt::format("This file cannot be read as a model: {}\n{}", printable(error.what()), dump(read_file(model)));
  }
}

std::string text_of_vector(const VectorSummary& vector) {
  return vector.model.empty() ? vector.model_text : text_of_model(vector.model);
}

}  // namespace ifcert::conformance
