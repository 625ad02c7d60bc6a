// The form of a Scan, as its attributes describe it: which operands are carried, which are scanned, and how.
#pragma once

#include <cstdint>
#include <ifcert/graph.hpp>
#include <vector>

namespace ifcert {

class CallAttributes;

/// One scanned operand or scan output: its axis as in the attribute, and whether it is scanned backwards.
struct ScanAxis {
  std::int64_t axis = 0;
  bool backward = false;
};

struct ScanForm {
  std::size_t first = 0;          // the first state's operand: 1 in version 8, where operand 0 has the batches' lengths
  std::size_t states = 0;         // the number of state variables: leading operands (after `first`) and leading outputs
  std::vector<ScanAxis> inputs;   // the operands after them, one element per trip
  std::vector<ScanAxis> outputs;  // the outputs after them, stacked
};

/// Throws EvaluationError where the attributes, the operands, the outputs and the body do not fit together.
ScanForm scan_form(const Node& node, const Graph& body, const CallAttributes* call);

}  // namespace ifcert
