// The version of ONNX that a translated model needs.
#pragma once

#include <cstdint>
#include <ifcert/graph.hpp>
#include <ifcert/rules.hpp>

namespace ifcert::translation {

struct Release {
  int opset;
  std::int64_t ir_version;
};

/// The first opset from 16 on whose If has all of the model's types, and that compares strings where the model does,
/// and the IR version that came with it.
Release release_for(const Model& model, const SlotTypes& types);

}  // namespace ifcert::translation
