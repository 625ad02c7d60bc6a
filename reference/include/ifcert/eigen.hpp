// A tensor's elements as Eigen's maps: const, row-major, without a copy. The only public header that needs Eigen (3.4);
// in CMake, find_package(ifcert COMPONENTS eigen) finds both, and ifcert::eigen links them.
#pragma once

#include <Eigen/Core>
#include <array>
#include <complex>
#include <cstdint>
#include <ifcert/types.hpp>
#include <ifcert/values.hpp>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <unsupported/Eigen/CXX11/Tensor>

namespace ifcert {

template <class T>
using VectorMap = Eigen::Map<const Eigen::Array<T, 1, Eigen::Dynamic, Eigen::RowMajor>>;

template <class T>
using MatrixMap = Eigen::Map<const Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>;

template <class T, int rank>
using TensorMap = Eigen::TensorMap<Eigen::Tensor<const T, rank, Eigen::RowMajor>>;

/// The element type whose elements are mapped as T: Eigen::half for float16, Eigen::bfloat16 for bfloat16. `undefined`
/// where there is none; packed integers, the float8 types and strings have no T. A tensor(bool) is mapped as
/// std::uint8_t too.
template <class T>
constexpr ElementType element_type_of() {
  if constexpr (std::is_same_v<T, std::int8_t>) return ElementType::int8;
  if constexpr (std::is_same_v<T, std::int16_t>) return ElementType::int16;
  if constexpr (std::is_same_v<T, std::int32_t>) return ElementType::int32;
  if constexpr (std::is_same_v<T, std::int64_t>) return ElementType::int64;
  if constexpr (std::is_same_v<T, std::uint8_t>) return ElementType::uint8;
  if constexpr (std::is_same_v<T, std::uint16_t>) return ElementType::uint16;
  if constexpr (std::is_same_v<T, std::uint32_t>) return ElementType::uint32;
  if constexpr (std::is_same_v<T, std::uint64_t>) return ElementType::uint64;
  if constexpr (std::is_same_v<T, Eigen::half>) return ElementType::float16;
  if constexpr (std::is_same_v<T, Eigen::bfloat16>) return ElementType::bfloat16;
  if constexpr (std::is_same_v<T, float>) return ElementType::float32;
  if constexpr (std::is_same_v<T, double>) return ElementType::float64;
  if constexpr (std::is_same_v<T, std::complex<float>>) return ElementType::complex64;
  if constexpr (std::is_same_v<T, std::complex<double>>) return ElementType::complex128;
  return ElementType::undefined;
}

namespace detail {

/// The first element of a tensor of T with that rank. Throws std::invalid_argument where it is another tensor, or where
/// its bytes are not as many as its shape needs.
template <class T>
const T* mapped_elements(const Tensor& tensor, std::size_t rank) {
  constexpr ElementType type = element_type_of<T>();
  static_assert(type != ElementType::undefined, "no element type has elements of this C++ type");
  const bool bool_as_uint8 = tensor.type == ElementType::boolean && type == ElementType::uint8;
  if (tensor.type != type && !bool_as_uint8) {
    throw std::invalid_argument("a tensor(" + std::string(name_of(tensor.type)) + ") cannot be mapped as " +
                                std::string(name_of(type)));
  }
  if (tensor.dims.size() != rank) {
    throw std::invalid_argument("a tensor of rank " + std::to_string(tensor.dims.size()) +
                                " cannot be mapped with rank " + std::to_string(rank));
  }
  if (tensor.data.size() != bytes_of(tensor.type, tensor.count())) {
    throw std::invalid_argument("a tensor of shape " + to_string(static_shape(tensor.dims)) + " has " +
                                std::to_string(tensor.data.size()) + " bytes; expected " +
                                std::to_string(bytes_of(tensor.type, tensor.count())));
  }
  return tensor.elements<T>().data();
}

}  // namespace detail

// Each map is valid as long as the tensor's buffer, which copies of the tensor share. Each throws std::invalid_argument
// where the tensor has another element type or rank, or is malformed.

/// A tensor of rank 1.
template <class T>
VectorMap<T> vector_map(const Tensor& tensor) {
  const T* first = detail::mapped_elements<T>(tensor, 1);
  return {first, static_cast<Eigen::Index>(tensor.dims[0])};
}

/// A tensor of rank 2.
template <class T>
MatrixMap<T> matrix_map(const Tensor& tensor) {
  const T* first = detail::mapped_elements<T>(tensor, 2);
  return {first, static_cast<Eigen::Index>(tensor.dims[0]), static_cast<Eigen::Index>(tensor.dims[1])};
}

/// A tensor of that rank; 0 is a scalar.
template <class T, int rank>
TensorMap<T, rank> tensor_map(const Tensor& tensor) {
  const T* first = detail::mapped_elements<T>(tensor, rank);
  std::array<Eigen::Index, rank> dims{};
  for (std::size_t i = 0; i < dims.size(); ++i) dims[i] = static_cast<Eigen::Index>(tensor.dims[i]);
  return {first, dims};
}

// A map of a temporary would outlive its elements.
template <class T>
VectorMap<T> vector_map(Tensor&&) = delete;
template <class T>
MatrixMap<T> matrix_map(Tensor&&) = delete;
template <class T, int rank>
TensorMap<T, rank> tensor_map(Tensor&&) = delete;

}  // namespace ifcert
