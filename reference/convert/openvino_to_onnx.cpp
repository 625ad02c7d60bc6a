// IR's graph form → ONNX's: port maps become captures.
#include "convert/operators.hpp"
#include "convert/to_onnx.hpp"

namespace ifcert::translation {
namespace {

class OpenvinoToOnnx final : public ToOnnx {
 public:
  OpenvinoToOnnx(const Model& from, const SlotTypes& types) : ToOnnx(from, types, release_for(from, types)) {}

 private:
  void translate_operation(const Translated& graph, const Node& node, const Place& place) override;
};

void OpenvinoToOnnx::translate_operation(const Translated& graph, const Node& node, const Place& place) {
  const auto& [index, to, scope] = graph;
  if (!node.domain.empty()) refuse(place, "an extension has no counterpart");
  const Row* row = row_of_layer(node.op);
  if (row == nullptr || !node.bodies.empty())
    refuse(place, fmt::format("{} is not in the table of operators", node.op));
  Site site(node, operands_of(node, scope), results_of(graph, node), to, Format::onnx, opset_, place, growth_);
  row->to_nodes(*row, site);
}

}  // namespace

Model openvino_to_onnx(const Model& from, const SlotTypes& types) {
  return OpenvinoToOnnx(from, types).translate();
}

}  // namespace ifcert::translation
