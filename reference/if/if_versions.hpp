// The types that each version of ONNX's If lists for its outputs (ONNX Operators, If-25, "Type Constraints" and
// "Version History"; onnx 1.23). The lists only grow, so the first version that lists a type determines them.
#pragma once

#include <ifcert/types.hpp>

namespace ifcert::rules {

/// The version of If in that version of the operator set: 1, 11, 13, 16, 19, 21, 23, 24 or 25.
int if_version(int opset);

/// Does that version of If list the type for V? The type must be known down to its element type.
bool if_lists(int version, const Type& type);

/// Is the type known down to its element type?
bool fully_known(const Type& type);

}  // namespace ifcert::rules
