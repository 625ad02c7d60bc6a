// A model file whose main graph returns more of its values; everything else of the file stays as it was.
#pragma once

#include <cstddef>
#include <ifcert/specialise.hpp>
#include <span>

namespace ifcert {

/// A value that a node of the main graph makes, and that is no output yet.
struct FurtherOutput {
  Slot slot;
  Type type;  // which an output of ONNX declares
};

/// The file from which `model` was read, and whose bytes (in OpenVINO IR: of the .xml) are `bytes`, with these outputs
/// after its own, under the values' names. The model must be legal; the result is, and its data is where the model's
/// is. Throws Inexpressible where an output would have no name, or that of another.
Specialised with_outputs(const Model& model, std::span<const std::byte> bytes, std::span<const FurtherOutput> outputs);

}  // namespace ifcert
