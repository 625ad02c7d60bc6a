// ONNX's functions, for formats that have none: each call becomes the nodes of the function's body.
#pragma once

#include <ifcert/graph.hpp>

namespace ifcert::translation {

/// The model without calls and functions: references to attributes and graphs are what the call gives. Throws
/// Inexpressible where that is too much, or where a function gives what it was not given.
Model inlined_functions(const Model& model);

}  // namespace ifcert::translation
