// The bytes of a .bin that is written.
#pragma once

#include <ifcert/values.hpp>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace ifcert::openvino {

class Blob {
 public:
  struct Range {
    std::size_t offset, size;
  };

  /// Where the tensor's elements stand from now on, aligned for every element type; the same elements stand there once.
  /// The tensor stays where it is until all is written. Throws std::length_error where strings are longer than 32-bit
  /// numbers can say.
  Range add(const Tensor& tensor);

  std::string take() { return std::move(bytes_); }

 private:
  Range append(const Tensor& tensor);

  std::string bytes_;
  std::map<std::pair<const void*, std::size_t>, Range> taken_;  // of what is known by its place
  std::unordered_map<std::string_view, Range> known_;           // by content
};

}  // namespace ifcert::openvino
