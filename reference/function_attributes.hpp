// What a function call hands to the attribute references in the function's body.
#pragma once

#include <ifcert/graph.hpp>
#include <string_view>
#include <vector>

namespace ifcert {

/// functions[graph] is the function whose body that graph is; nullptr for any other graph.
std::vector<const Function*> functions_by_graph(const Model& model);

/// The attributes that the body of a called function sees: those of the call, its own references resolved through what
/// the enclosing function was given, and the function's defaults for those that the call leaves out. `function` may be
/// nullptr. Returns the map that says all of it where there is one; otherwise fills `resolved` and returns it.
const Attributes* attributes_given(const Node& call, const Function* function, const Attributes* given,
                                   Attributes& resolved);

/// The graph that a call gives under that name, or the function's default for it; nullptr where there is neither.
const Body* body_given(const Node& call, const Function* function, std::string_view name);

}  // namespace ifcert
