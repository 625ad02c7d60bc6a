// The attributes and graphs that a function call passes to the references in the function's body.
#pragma once

#include <ifcert/graph.hpp>
#include <ifcert/trip_types.hpp>
#include <map>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace ifcert {

/// functions[graph] is the function whose body that graph is; nullptr for any other graph.
std::vector<const Function*> functions_by_graph(const Model& model);

/// The attributes that the body of a called function sees: those of the call, with its own references resolved through
/// the enclosing call, and the function's defaults for those that the call leaves out. Nothing is copied: a long list
/// may be passed on through many calls.
class CallAttributes {
 public:
  /// For a function that is checked without a call: its attributes have no values. If a call in it passes one of them
  /// on, the callee's attribute has no value either.
  CallAttributes() = default;

  /// `outer` has the attributes of the enclosing call. `function` and `outer` may be nullptr.
  CallAttributes(const Node& call, const Function* function, const CallAttributes* outer);

  /// The attribute of that name; nullptr where neither the call nor the function has it.
  const AttributeValue* find(std::string_view name) const;

 private:
  bool is_left_open(std::string_view name) const;

  const Node* call_ = nullptr;
  const Function* function_ = nullptr;
  /// For each attribute of the call that is a reference: the value it refers to; nullptr if that is unknown, because
  /// the enclosing function is checked without a call. If the enclosing call leaves the value out, there is no entry.
  std::map<std::string_view, const AttributeValue*> resolved_;
};

/// The node's attributes with references resolved; references without a value are left out. Returns the node's own map
/// where it has no references, otherwise fills `resolved` and returns it.
const Attributes* resolved_attributes(const Node& node, const CallAttributes* call, Attributes& resolved);

/// The graphs that a call passes to the function, by name. The function's default is used for a graph that the call
/// leaves out. A call in a function can pass on a graph that the enclosing call passes; if the enclosing call leaves it
/// out, so does the inner call. The graphs are indexed on first use: searching the list for every reference would
/// take quadratic time.
class CallBodies {
 public:
  /// For a function that is checked without a call.
  CallBodies() = default;

  /// `outer` has the graphs of the enclosing call. `function` and `outer` may be nullptr.
  CallBodies(const Node& call, const Function* function, const CallBodies* outer)
      : call_(&call), function_(function), outer_(outer) {}

  /// nullptr where there is no such graph.
  const Body* find(std::string_view name) const;

  bool is_of_a_call() const { return call_ != nullptr; }

 private:
  bool is_left_out(const Body& passed) const;

  const Node* call_ = nullptr;
  const Function* function_ = nullptr;
  const CallBodies* outer_ = nullptr;
  mutable std::unordered_map<std::string_view, const Body*> by_name_;  // filled by the first look-up
};

/// A call, as the nodes of the called function see it. `Scope` identifies the caller's values: a frame in a run, a
/// graph in type inference, a copy of a graph in translation.
template <class Scope>
struct FunctionCall {
  CallAttributes attributes;
  CallBodies bodies;
  Scope scope;
  const FunctionCall* outer = nullptr;  // the enclosing call; nullptr if the call node is not in a function
  CallNumber number = 0;
};

/// The attributes that a call passes; nullptr outside of functions.
template <class Scope>
const CallAttributes* attributes_of(const FunctionCall<Scope>* call) {
  return call == nullptr ? nullptr : &call->attributes;
}

/// The graphs that a call passes; nullptr outside of functions.
template <class Scope>
const CallBodies* bodies_of(const FunctionCall<Scope>* call) {
  return call == nullptr ? nullptr : &call->bodies;
}

/// A body that has been resolved: `body`, which is not a reference; `scope`, from which it captures values (that of the
/// node that enters it, or that of a caller); `call`, the call that `scope` is in (nullptr outside functions).
template <class Scope>
struct ResolvedBody {
  const Body* body;
  Scope scope;
  const FunctionCall<Scope>* call;
};

/// Whether the body refers to a graph by a name under which the call passes a list of graphs, not a single one.
template <class Scope>
bool is_passed_a_list(const Body& body, const FunctionCall<Scope>* call) {
  const Body* found = &body;
  for (; call != nullptr && found != nullptr && !found->reference.empty(); call = call->outer)
    found = call->bodies.find(found->reference);
  return found != nullptr && found != &body && found->in_list;
}

/// Whether the body refers to a graph that a call leaves out. Unknown, and so false, in a function that is checked
/// without a call.
template <class Scope>
bool is_passed_nothing(const Body& body, const FunctionCall<Scope>* call) {
  const Body* found = &body;
  for (; call != nullptr && !found->reference.empty(); call = call->outer) {
    const Body* passed = call->bodies.find(found->reference);
    if (passed == nullptr) return call->bodies.is_of_a_call();
    found = passed;
  }
  return false;
}

/// Follows references through the calls; nullopt if no call passes the graph, or if a call passes a list of graphs
/// instead.
template <class Scope>
std::optional<ResolvedBody<Scope>> resolve_body(const Body& body, Scope scope, const FunctionCall<Scope>* call) {
  ResolvedBody<Scope> resolved{&body, scope, call};
  while (!resolved.body->reference.empty()) {
    const FunctionCall<Scope>* passing = resolved.call;
    const Body* passed = passing == nullptr ? nullptr : passing->bodies.find(resolved.body->reference);
    if (passed == nullptr || passed->in_list) return std::nullopt;
    resolved = {passed, passing->scope, passing->outer};
  }
  return resolved;
}

}  // namespace ifcert
