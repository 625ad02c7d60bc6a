// The limits of type inference: on its steps, and on the dimensions of types of very high rank that it copies.
#pragma once

#include <cstddef>
#include <ifcert/graph.hpp>
#include <span>

#include "budget.hpp"

namespace ifcert::inference {

/// Throws UnreadableModel if sequence and optional types are nested too deep. A chain of nodes can nest them without
/// end, because each may wrap its operand's type in another.
void expect_type_depth(const Type& type, const Place& place);

/// Counts the work of inferring one model; each spend function throws UnreadableModel where too little is left. A part
/// is a dimension, an operand, an attribute or the like: 16 of them count as one step.
class InferenceBudget {
 public:
  explicit InferenceBudget(Format format);

  void spend_steps(std::size_t steps, const Place& place) { step_budget_.spend(steps, place); }
  void spend_parts(std::size_t parts, const Place& place);
  void spend_type(const Type& type, const Place& place);
  void spend_attributes(const Attributes& attributes, const Place& place);

  /// A node costs one step, and more where it has many operands or attributes, or where their types have many
  /// dimensions. `types` are those of the slots of its graph.
  void spend_node(const Node& node, std::span<const Type> types, const Place& place);

 private:
  std::size_t parts_to_spend(const Type& type, const Place& place);

  Budget step_budget_;
  Budget wide_type_budget_;
};

}  // namespace ifcert::inference
