// Whether the elements of a tensor mean the same when they are passed to another.
#pragma once

#include <cstddef>

#include "formats/tflite/schema_generated.h"

namespace ifcert::tflite::specialisation {

/// Whether the elements are codes of other numbers.
bool is_quantized_tensor(const schema::Tensor& tensor);

/// Whether both have the same type, and the same scales if there are any.
bool same_meaning(const schema::Tensor& one, const schema::Tensor& other);

/// What comparing the tensor costs.
std::size_t bytes_in_scales(const schema::Tensor& tensor);

}  // namespace ifcert::tflite::specialisation
