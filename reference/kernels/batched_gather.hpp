// Gather within batches: what OpenVINO's Gather and TFLite's GATHER do where batch_dims is not 0.
#pragma once

#include "kernels/operands.hpp"

namespace ifcert::kernels {

/// Gathers along `axis`, counted from the front, within each batch: what the first `batch_dims` dims of both tensors
/// say, which must be the same; negative counts from the last dim of the indices. `indices` are int64 from the front.
Value batched_gather(const Operands& operands, const Value& data, const Value& indices, std::size_t axis,
                     std::int64_t batch_dims);

}  // namespace ifcert::kernels
