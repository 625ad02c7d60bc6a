// The bytes of a .bin that is written.
#pragma once

#include <ifcert/values.hpp>
#include <string>

namespace ifcert::openvino {

class Blob {
 public:
  struct Range {
    std::size_t offset, size;
  };

  /// Where the tensor's elements stand from now on, aligned for every element type. Throws std::length_error where
  /// strings are longer than 32-bit numbers can say.
  Range add(const Tensor& tensor);

  std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

}  // namespace ifcert::openvino
