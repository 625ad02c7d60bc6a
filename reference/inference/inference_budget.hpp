// The limits of type inference: its steps, and the types that it stores.
#pragma once

#include <cstddef>
#include <ifcert/graph.hpp>
#include <span>

#include "budget.hpp"

namespace ifcert::inference {

/// Throws UnreadableModel where a type is nested too deep: each node of a chain may wrap the type of its operand in
/// another.
void expect_type_depth(const Type& type, const Place& place);

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
