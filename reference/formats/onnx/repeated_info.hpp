// Values that occur more than once in a list of value_info.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "formats/onnx/proto.hpp"

namespace ifcert::onnx {

struct RepeatedInfo {
  std::string_view name;
  std::vector<std::size_t> entries;  // in the list's order
  /// The entry that says all that the others say, or else the first; nullopt where two of them contradict each other.
  std::optional<std::size_t> kept = std::nullopt;
};

std::vector<RepeatedInfo> repeated_infos(const proto::List<proto::ValueInfo>& infos);

}  // namespace ifcert::onnx
