// A tensor in sparse form, made dense.
#pragma once

#include "operators/operator.hpp"

namespace ifcert::kernels {

/// The tensor whose sparse form this is. `context` has the node for messages and the work, by which the tensor is
/// counted before it is allocated. Throws EvaluationError where an index is not one of the tensor.
Value dense_form(const Operands& context, const SparseTensor& sparse);

}  // namespace ifcert::kernels
