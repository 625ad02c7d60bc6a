// The values that a model's file states, as text.
#pragma once

#include <ifcert/graph.hpp>
#include <string>

namespace ifcert::drawing {

/// Small values with their elements, large ones by their type.
std::string text_of_constant(const Value& value);

/// Whether the node is an operator Constant whose one output is known from the file.
bool is_constant(const Node& node);

/// The source of a slot's value in the file: an initializer, or an operator Constant.
struct KnownConstant {
  const Constant* constant = nullptr;
  const Node* node = nullptr;

  bool known() const { return constant != nullptr || node != nullptr; }

  /// The value; it must be known.
  std::string text() const;
};

}  // namespace ifcert::drawing
