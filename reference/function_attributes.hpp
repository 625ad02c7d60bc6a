// What a function call hands to the references in the function's body: attributes and graphs.
#pragma once

#include <ifcert/graph.hpp>
#include <map>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace ifcert {

/// functions[graph] is the function whose body that graph is; nullptr for any other graph.
std::vector<const Function*> functions_by_graph(const Model& model);

/// The attributes that the body of a called function sees: those of the call, its own references resolved through what
/// the enclosing function was given, and the function's defaults for those that the call leaves out. Nothing is copied:
/// a long list may be handed on through many calls.
class GivenAttributes {
 public:
  /// Of a function that is looked at without a call.
  explicit GivenAttributes(const Function& function) : function_(&function) {}

  /// `function` may be nullptr, `given` too.
  GivenAttributes(const Node& call, const Function* function, const GivenAttributes* given);

  /// The attribute of that name; nullptr where neither the call nor the function gives it.
  const AttributeValue* find(std::string_view name) const;

 private:
  const Node* call_ = nullptr;
  const Function* function_;
  std::map<std::string_view, const AttributeValue*> resolved_;  // the call's references that stand for something
};

/// The node's attributes, references resolved; those that stand for nothing are left out. Returns the node's own map
/// where it has no references, otherwise fills `resolved` and returns it.
const Attributes* resolved_attributes(const Node& node, const GivenAttributes* given, Attributes& resolved);

/// The graphs that a call gives to the function, by name, with the function's defaults for those that it leaves out.
/// What is looked up is listed once, for there may be as many references as graphs.
class GivenBodies {
 public:
  GivenBodies(const Node* call, const Function* function) : call_(call), function_(function) {}

  /// nullptr where there is no such graph.
  const Body* find(std::string_view name) const;

 private:
  const Node* call_;  // nullptr where the function is looked at without a call
  const Function* function_;
  mutable std::unordered_map<std::string_view, const Body*> listed_;  // once one is asked for
};

}  // namespace ifcert
