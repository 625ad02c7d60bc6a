#include "specialise/tflite_tensors.hpp"

#include <algorithm>

namespace ifcert::tflite::specialisation {
namespace {

template <class T>
bool same_numbers(const flatbuffers::Vector<T>* one, const flatbuffers::Vector<T>* other) {
  const auto size = [](const auto* list) { return list == nullptr ? 0 : list->size(); };
  return size(one) == size(other) && (size(one) == 0 || std::equal(one->begin(), one->end(), other->begin()));
}

}  // namespace

bool is_quantized_tensor(const schema::Tensor& tensor) {
  return bytes_in_scales(tensor) > 0 ||
         (tensor.quantization() != nullptr && tensor.quantization()->details() != nullptr);
}

bool same_meaning(const schema::Tensor& one, const schema::Tensor& other) {
  const auto* a = one.quantization();
  const auto* b = other.quantization();
  if (one.type() != other.type() || is_quantized_tensor(one) != is_quantized_tensor(other)) return false;
  if (a == b || !is_quantized_tensor(one)) return true;
  return same_numbers(a->scale(), b->scale()) && same_numbers(a->zero_point(), b->zero_point()) &&
         a->quantized_dimension() == b->quantized_dimension() && a->details() == b->details();
}

std::size_t bytes_in_scales(const schema::Tensor& tensor) {
  const auto* scale = tensor.quantization() == nullptr ? nullptr : tensor.quantization()->scale();
  return scale == nullptr ? 0 : scale->size() * sizeof(float);
}

}  // namespace ifcert::tflite::specialisation
