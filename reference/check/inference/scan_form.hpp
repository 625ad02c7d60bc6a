// The form of a Scan: which operands are states and which are scanned, which outputs are stacked, and along which axes.
#pragma once

#include <cstdint>
#include <ifcert/graph.hpp>
#include <vector>

namespace ifcert {

class CallAttributes;

/// Of a scanned operand or a scan output: the axis, which may be negative, and whether the last element comes first.
struct ScanAxis {
  std::int64_t axis = 0;
  bool backward = false;
};

struct ScanForm {
  // The operand that is the first state: 1 in version 8, whose operand 0 has the length of each sequence; later 0.
  std::size_t first_operand = 0;
  std::size_t states = 0;         // the number of states: operands from `first_operand` on, and the first outputs
  std::vector<ScanAxis> inputs;   // the scanned operands, which follow the states
  std::vector<ScanAxis> outputs;  // the scan outputs, which follow the states
};

/// The axis of a scanned operand, as a non-negative number. `number` is the operand's index among the scanned operands.
/// Refuses an axis that an operand of this rank does not have.
std::size_t scan_axis(const Node& node, const ScanForm& form, std::size_t number, std::size_t rank);

/// Throws EvaluationError if the attributes, operands, outputs and body do not fit together.
ScanForm scan_form(const Node& node, const Graph& body, const CallAttributes* call);

}  // namespace ifcert
