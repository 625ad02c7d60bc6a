// Tensors of one subgraph while those of others join them: their names, and whether an element means the same in both.
#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "formats/tflite/schema_generated.h"

namespace ifcert::tflite::specialisation {

inline std::string_view name_of(const schema::Tensor& tensor) {
  return tensor.name() == nullptr ? std::string_view() : tensor.name()->string_view();
}

class TensorNames {
 public:
  /// Of the subgraph itself: several tensors may have the same.
  void add(std::string_view name) { ++uses_[std::string(name)]; }

  void remove(std::string_view name) {
    const auto found = uses_.find(std::string(name));
    if (found != uses_.end() && --found->second == 0) uses_.erase(found);
  }

  /// Adds the name of one that joins; if it is taken, another one, which is returned. Any tensor may be without a name.
  std::optional<std::string> joined(std::string_view name) {
    std::string fresh(name);
    if (name.empty() || uses_.try_emplace(fresh, 1).second) return std::nullopt;
    std::size_t& number = numbers_[fresh];
    do {
      fresh = fmt::format("{}_{}", name, ++number);
    } while (!uses_.try_emplace(fresh, 1).second);
    return fresh;
  }

 private:
  std::unordered_map<std::string, std::size_t> uses_, numbers_;
};

/// Whether the elements are codes of other numbers.
bool is_quantized_tensor(const schema::Tensor& tensor);

/// Whether both have the same type, and the same scales if there are any.
bool same_meaning(const schema::Tensor& one, const schema::Tensor& other);

/// What comparing the tensor costs.
std::size_t bytes_in_scales(const schema::Tensor& tensor);

}  // namespace ifcert::tflite::specialisation
