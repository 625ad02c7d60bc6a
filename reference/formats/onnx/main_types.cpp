#include "formats/onnx/main_types.hpp"

#include <fmt/format.h>

namespace ifcert::onnx {
namespace {

/// Whether a type goes down to its element type. (One that this reader does not know is an element type, too.)
bool has_element_type(const proto::Type& type) {
  switch (type.kind) {
    case proto::Type::Kind::none:
      return false;
    case proto::Type::Kind::tensor:
    case proto::Type::Kind::sparse_tensor:
      return type.element != 0;
    case proto::Type::Kind::sequence:
    case proto::Type::Kind::optional:
      return !type.item.empty() && has_element_type(type.item.front());
    case proto::Type::Kind::map:
    case proto::Type::Kind::opaque:
      return true;  // proto::Type does not hold what they are made of
  }
  return false;
}

void check_types(const proto::List<proto::ValueInfo>& infos, std::string_view side, const Place& place,
                 Findings& findings) {
  for (std::size_t i = 0; i < infos.size(); ++i) {
    const auto& [name, type] = infos[i];
    if (has_element_type(type)) continue;
    findings.report(
        "onnx/model/main-graph-has-types", place.numbered(side, i),
        fmt::format("\"{}\" has {}", name, type.kind == proto::Type::Kind::none ? "no type" : "no element type"),
        "each input and output of the main graph has a type");
  }
}

}  // namespace

// Sentence: ir-main-graph-types.
// Rule: onnx/model/main-graph-has-types.
void check_main_types(const proto::Graph& main, const Place& place, Findings& findings) {
  check_types(main.input, "input", place, findings);
  check_types(main.output, "output", place, findings);
}

}  // namespace ifcert::onnx
