// The bytes of a .bin while it is written.
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

  /// Adds the tensor's elements, aligned for every element type, unless they were added already, and returns their
  /// range. The tensor must stay at its address until the .bin is written. Throws std::length_error where strings
  /// exceed 4 GiB.
  Range add(const Tensor& tensor);

  std::string take() { return std::move(bytes_); }

 private:
  Range append(const Tensor& tensor);

  std::string bytes_;
  std::map<std::pair<const void*, std::size_t>, Range> taken_;  // by the address of the elements
  std::unordered_map<std::string_view, Range> known_;           // by content
};

}  // namespace ifcert::openvino
