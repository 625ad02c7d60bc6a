// What a function call hands to the attribute references in the function's body.
#pragma once

#include <ifcert/graph.hpp>

namespace ifcert {

/// The attributes of a call, its own references resolved through what the enclosing function was given. Returns the
/// node's attributes themselves where none of them is a reference; otherwise fills `resolved` and returns it.
const Attributes* attributes_given(const Node& call, const Attributes* given, Attributes& resolved);

}  // namespace ifcert
