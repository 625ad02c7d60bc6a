// Inlining of ONNX's functions, for formats without functions: each call becomes the nodes of the function's body.
#pragma once

#include <ifcert/graph.hpp>

namespace ifcert::translation {

/// The model without calls and functions: references are replaced by the attributes and graphs that the call passes.
/// Throws Inexpressible where that is too large, or where a function uses an input that the call leaves out.
Model inlined_functions(const Model& model);

}  // namespace ifcert::translation
