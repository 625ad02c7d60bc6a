// The buffers of a model while it is written: the bytes of its constants, each once.
#pragma once

#include <deque>
#include <ifcert/values.hpp>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "formats/tflite/schema_generated.h"
#include "model/place.hpp"

namespace ifcert::tflite {

class WrittenBuffers {
 public:
  /// Buffer 0 is empty. Sentence: schema-sentinel.
  explicit WrittenBuffers(flatbuffers::FlatBufferBuilder& builder);

  /// The buffer with the elements of the tensor, which must stay at its address. Throws Inexpressible where the file
  /// would be too large.
  std::uint32_t add(const Tensor& tensor, const Place& place);

  const std::vector<flatbuffers::Offset<schema::Buffer>>& all() const { return buffers_; }

 private:
  std::uint32_t add_bytes(std::string_view bytes, const Place& place);

  flatbuffers::FlatBufferBuilder& builder_;
  std::vector<flatbuffers::Offset<schema::Buffer>> buffers_;
  std::unordered_map<std::string_view, std::uint32_t> known_;
  std::deque<std::string> strings_;
  /// By whether the elements are strings, their address, and their number or bytes. The address alone is not enough:
  /// that of no elements is null for all types, and no strings are eight bytes.
  std::map<std::tuple<bool, const void*, std::size_t>, std::uint32_t> taken_;
};

}  // namespace ifcert::tflite
