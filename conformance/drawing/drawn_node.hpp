// For tests: a node of a model that is drawn.
#pragma once

#include <ifcert/graph.hpp>

namespace ifcert::drawing {

inline Node node(std::string op, std::vector<Slot> inputs, std::vector<Slot> outputs) {
  Node made;
  made.op = std::move(op);
  made.inputs = std::move(inputs);
  made.outputs = std::move(outputs);
  return made;
}

}  // namespace ifcert::drawing
