// The .bin beside an .xml, and the constants in it.
#pragma once

#include <filesystem>
#include <ifcert/values.hpp>
#include <memory>
#include <optional>
#include <pugixml.hpp>
#include <span>

#include "findings.hpp"

namespace ifcert::openvino {

/// The bytes of a .bin, mapped when the first constant asks for them.
class Weights {
 public:
  Weights(std::shared_ptr<const void> owner, std::span<const std::byte> bytes)
      : owner_(std::move(owner)), bytes_(bytes) {}

  /// The .bin of that .xml: the same name, in the same folder.
  explicit Weights(const std::filesystem::path& xml) : xml_(xml) {}

  /// The value that a Const's <data> gives; an empty one where it breaks a rule, which is written down. Throws
  /// UnreadableModel where the .bin cannot be read, or its bytes would be copied again and again.
  Value constant(const pugi::xml_node& data, const Place& place, Findings& findings);

 private:
  void open(const Place& place);
  Buffer buffer_of(std::span<const std::byte> bytes, const Place& place);
  Value strings(const Dims& dims, std::span<const std::byte> bytes, const Place& place, Findings& findings);
  void spend_copy(std::size_t bytes, const Place& place);

  std::optional<std::filesystem::path> xml_;  // until the .bin is open
  std::shared_ptr<const void> owner_;
  std::span<const std::byte> bytes_;
  std::size_t copied_ = 0;
};

}  // namespace ifcert::openvino
