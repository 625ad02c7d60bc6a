#include "convert/onnx_release.hpp"

namespace ifcert::translation {
namespace {

Release release_with(ElementType type) {
  switch (type) {
    using enum ElementType;
    case float8e4m3fn:
    case float8e4m3fnuz:
    case float8e5m2:
    case float8e5m2fnuz:
      return {19, 9};
    case int4:
    case uint4:
      return {21, 10};
    case float4e2m1:
      return {23, 11};
    case float8e8m0:
      return {24, 12};
    case int2:
    case uint2:
      return {25, 13};
    default:
      return {16, 8};
  }
}

/// ONNX compares strings from opset 19 on.
bool compares_strings(const Node& node, const std::vector<Type>& types) {
  const bool compares = node.op == "Equal" || node.op == "EQUAL" || node.op == "NOT_EQUAL";
  return compares && !node.inputs.empty() && node.inputs[0] != no_slot &&
         types[node.inputs[0]].element == ElementType::string;
}

}  // namespace

Release release_for(const Model& model, const SlotTypes& types) {
  Release newest = release_with(ElementType::undefined);
  const auto require = [&](const Release& required) {
    if (required.opset > newest.opset) newest = required;
  };
  for (std::size_t i = 0; i < model.graphs.size(); ++i) {
    for (const Type& type : types[i]) require(release_with(type.element));
    for (const Node& node : model.graphs[i].nodes) {
      if (compares_strings(node, types[i])) require({19, 9});
    }
  }
  return newest;
}

}  // namespace ifcert::translation
