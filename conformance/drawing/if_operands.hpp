// The operands of an If that a picture draws as arrows to the If itself.
#pragma once

#include <ifcert/graph.hpp>
#include <set>

#include "reference/model/node_kind.hpp"

namespace ifcert::drawing {

/// The outer values that the port maps of an OpenVINO If pass to its bodies: the arrows into the bodies show all of
/// them. Empty for every other node, including ONNX's If, whose only operand is cond.
inline std::set<Slot> handed_to_bodies(const Node& node) {
  std::set<Slot> slots;
  if (!is_if(node) || node.inputs.size() < 2) return slots;
  for (const Body& body : node.bodies) {
    for (const Capture& capture : body.captures) slots.insert(capture.outer);
  }
  return slots;
}

}  // namespace ifcert::drawing
