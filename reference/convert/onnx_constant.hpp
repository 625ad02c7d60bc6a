// The value of ONNX's operator Constant.
#pragma once

#include <ifcert/graph.hpp>

#include "model/place.hpp"

namespace ifcert::translation {

/// Throws Inexpressible where it is sparse, or there is not exactly one value.
Value value_of_constant(const Node& node, const Place& place);

}  // namespace ifcert::translation
