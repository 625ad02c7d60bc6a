// The version of ONNX that a translated model needs.
#pragma once

#include <cstdint>
#include <ifcert/types.hpp>
#include <vector>

namespace ifcert::translation {

struct Release {
  int opset;
  std::int64_t ir_version;
};

/// The first opset from 16 on whose If has all of these types, by graph and slot, and the IR version that came with it.
Release release_for(const std::vector<std::vector<Type>>& types);

}  // namespace ifcert::translation
