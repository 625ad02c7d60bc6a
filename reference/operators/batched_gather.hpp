// Gather within batches, for OpenVINO's Gather and TFLite's GATHER where batch_dims is not 0.
#pragma once

#include "operators/operands.hpp"

namespace ifcert::kernels {

/// Gathers along `axis`, counted from the front, within each batch. The first `batch_dims` dims of both tensors are the
/// batches and must be equal; a negative number counts from the last dim of the indices. `indices` are int64, counted
/// from the front.
Value batched_gather(const Operands& operands, const Value& data, const Value& indices, std::size_t axis,
                     std::int64_t batch_dims);

}  // namespace ifcert::kernels
