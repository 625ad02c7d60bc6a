// TensorProto and TypeProto → values and types.
#pragma once

#include <filesystem>
#include <ifcert/types.hpp>
#include <ifcert/values.hpp>
#include <map>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>

#include "files/file_bytes.hpp"
#include "formats/onnx/proto.hpp"

namespace ifcert::onnx {

Type type_of(const proto::Type& type);

/// Copies of small constants, one after the other in blocks that they share: a model may have thousands.
class SmallCopies {
 public:
  static constexpr std::size_t limit = 4096;  // constants of this size are not small

  /// A copy of the bytes, aligned for every element type.
  Buffer copy_of(std::span<const std::byte> bytes);

 private:
  std::shared_ptr<const Buffer> block_;
  std::byte* next_ = nullptr;
  std::size_t left_ = 0;  // bytes of the block, from `next_` on
};

/// The bytes of tensors: the file itself, and files beside it.
struct TensorSource {
  std::shared_ptr<const void> owner;                              // keeps the model's own bytes alive
  std::filesystem::path folder;                                   // empty: no external data
  std::filesystem::path root = {};                                // the folder's canonical path, found on first use
  std::map<std::string, WeightsFile, std::less<>> external = {};  // by location
  std::size_t external_size = 0;                                  // bytes of all of them
  std::size_t external_memory = 0;                                // their WeightsFile::memory()
  SmallCopies copies = {};
};

/// A tensor whose payload breaks a rule.
struct BadTensor : std::runtime_error {
  BadTensor(std::string rule_name, const std::string& found, std::string clause)
      : std::runtime_error(found), rule(std::move(rule_name)), expected(std::move(clause)) {}
  std::string rule, expected;
};

/// The value; large aligned payloads are not copied. Throws BadTensor, std::system_error for an external file that
/// cannot be opened, and std::length_error where too much external data would be read more than once.
Value read_tensor(const proto::Tensor& tensor, TensorSource& source);

}  // namespace ifcert::onnx
