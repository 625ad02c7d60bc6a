// SparseTensorProto → values.
#pragma once

#include <ifcert/values.hpp>

#include "formats/onnx/proto.hpp"
#include "model/findings.hpp"
#include "model/place.hpp"

namespace ifcert::onnx {

/// The sparse tensor whose `values` and `indices` were read, by read_tensor(). Reports
/// onnx/model/tensor-data-fits-shape. Empty where one of the two is empty, or where their shapes do not fit.
Value read_sparse(const proto::SparseTensor& from, const Value& values, const Value& indices, const Place& place,
                  Findings& findings);

}  // namespace ifcert::onnx
