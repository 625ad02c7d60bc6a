// What the attributes of a Scan say: which operands are carried, which are scanned, and how.
#pragma once

#include <cstdint>
#include <ifcert/graph.hpp>
#include <vector>

namespace ifcert {

class GivenAttributes;

/// One scanned operand or scan output: the axis as the attribute gives it, and whether it runs from the back.
struct ScanAxis {
  std::int64_t axis = 0;
  bool backward = false;
};

struct ScanForm {
  std::size_t first = 0;          // version 8 has an operand before all these: how long each batch is
  std::size_t states = 0;         // the first operands and outputs: carried from trip to trip
  std::vector<ScanAxis> inputs;   // the operands after them, an element a trip
  std::vector<ScanAxis> outputs;  // the outputs after them, stacked
};

/// Throws EvaluationError where the attributes, the operands, the outputs and the body do not fit each other.
ScanForm scan_form(const Node& node, const Graph& body, const GivenAttributes* given);

}  // namespace ifcert
