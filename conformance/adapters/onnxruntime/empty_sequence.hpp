// A sequence of no items: the C API makes none itself, the runtime's operator SequenceEmpty does.
#pragma once

#include <string_view>

#include "api.hpp"

namespace ifcert::onnxruntime {

/// What a model of SequenceEmpty alone gives. Throws Refused where the operator does not know the items' type, which is
/// written as "tensor(float32)".
RuntimeValue empty_sequence(std::string_view item_type);

}  // namespace ifcert::onnxruntime
