// The limits of type inference: on the number of its steps, and on the number of dimensions of the types that it
// infers, also of those of captured values alone.
#pragma once

#include <cstddef>
#include <ifcert/graph.hpp>
#include <span>

#include "limits/budget.hpp"

namespace ifcert::inference {

/// Throws UnreadableModel if sequence and optional types are nested too deep: in a chain of nodes, each may wrap the
/// type of its operand in one more sequence or optional.
void expect_type_depth(const Type& type, const Place& place);

/// Counts the work of inferring the types of one model, in steps. Each member function throws UnreadableModel if too
/// few are left. Copying n parts (dimensions, operands, attributes and the like) costs n / 16 steps, rounded down.
class InferenceBudget {
 public:
  explicit InferenceBudget(Format format);

  void spend_steps(std::size_t steps, const Place& place) { step_budget_.spend(steps, place); }
  void spend_parts(std::size_t parts, const Place& place);

  /// The type of a result, or a copy of one.
  void spend_type(const Type& type, const Place& place);

  /// The copy of a captured value's type, which is kept for each body that the value enters.
  void spend_captured_type(const Type& type, const Place& place);
  void spend_attributes(const Attributes& attributes, const Place& place);
  void spend_attribute(const AttributeValue& value, const Place& place);

  /// A node costs one step, and more if it has many operands or attributes, or if the types of its operands have many
  /// dimensions. `types[slot]` are the types of its graph.
  void spend_node(const Node& node, std::span<const Type> types, const Place& place);

 private:
  Budget step_budget_;
  Budget dims_budget_;
  Budget captured_budget_;
};

}  // namespace ifcert::inference
