// The .bin beside an .xml, and the constants in it.
#pragma once

#include <filesystem>
#include <ifcert/values.hpp>
#include <memory>
#include <optional>
#include <pugixml.hpp>
#include <span>

#include "files/file_bytes.hpp"
#include "model/findings.hpp"

namespace ifcert::openvino {

/// The bytes of a .bin, opened when the first constant needs it.
class Weights {
 public:
  Weights(std::shared_ptr<const void> owner, std::span<const std::byte> bytes)
      : owner_(std::move(owner)), bytes_(bytes) {}

  /// The .bin of that .xml: the same name, in the same folder.
  explicit Weights(const std::filesystem::path& xml) : xml_(xml) {}

  /// The value that a Const's <data> describes; an empty one where it breaks a rule, which is reported. Throws
  /// UnreadableModel where the .bin cannot be read, or its bytes would be copied too often.
  Value constant(const pugi::xml_node& data, const Place& place, Findings& findings);

  /// The .bin, or nullptr where none was opened.
  const WeightsFile* file() const { return file_ ? &*file_ : nullptr; }

 private:
  void open(const Place& place);
  std::size_t size() const { return file_ ? file_->size() : bytes_.size(); }
  Buffer piece(ByteRange range, const Place& place);
  Value strings(const Dims& dims, std::span<const std::byte> bytes, const Place& place, Findings& findings);
  void spend_copy(std::size_t bytes, const Place& place);
  void expect_memory(const Place& place) const;

  std::optional<std::filesystem::path> xml_;  // until the .bin is open
  std::optional<WeightsFile> file_;
  std::shared_ptr<const void> owner_;  // where there is no file
  std::span<const std::byte> bytes_;
  std::size_t copied_ = 0;
};

}  // namespace ifcert::openvino
