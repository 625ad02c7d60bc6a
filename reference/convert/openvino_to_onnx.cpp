// IR's graph form → ONNX's: port maps become captures.
#include <map>
#include <string_view>
#include <vector>

#include "convert/operators.hpp"
#include "convert/to_onnx.hpp"
#include "model/node_place.hpp"

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
  TranslationSite site(node, operands_of(node, scope), results_of(graph, node), to, Format::onnx, opset_, place,
                       growth_);
  row->to_nodes(*row, site);
}

/// Each name of an input or output and its value: OpenVINO gives a name that two ports have to one of them only, by
/// their order, and other formats have the first name of each port only.
using PortNames = std::map<std::string_view, Slot, std::less<>>;

void expect_own_names(const Model& model, const std::vector<Slot>& slots, std::string_view what, PortNames& names) {
  const Graph& main = model.main();
  for (std::size_t i = 0; i < slots.size(); ++i) {
    const auto expect_own = [&](const std::string& name) {
      if (name.empty() || names.emplace(name, slots[i]).first->second == slots[i]) return;
      refuse(place_of(main).numbered(what, i),
             fmt::format("another input or output, of another value, is also named \"{}\"", name));
    };
    const std::string& first = main.slots[slots[i]].name;
    expect_own(first);
    const auto further = model.further_names.find(first);
    if (further == model.further_names.end()) continue;
    for (const std::string& name : further->second) expect_own(name);
  }
}

}  // namespace

Model openvino_to_onnx(const Model& from, const SlotTypes& types) {
  PortNames names;
  expect_own_names(from, from.main().inputs, "input", names);
  expect_own_names(from, from.main().outputs, "output", names);
  return OpenvinoToOnnx(from, types).translate();
}

}  // namespace ifcert::translation
