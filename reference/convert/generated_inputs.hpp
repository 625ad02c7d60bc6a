// Pseudo-random inputs for any model, of the types that its main graph declares.
#pragma once

#include <array>
#include <ifcert/elements.hpp>
#include <ifcert/reference.hpp>
#include <limits>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <vector>

namespace ifcert {

class GeneratedInputs {
 public:
  explicit GeneratedInputs(std::uint64_t seed) : random_(seed) {}

  /// One for each input of the main graph, or nullopt where one of them cannot be made: its type is not a tensor or has
  /// no shape, or it has more than 64 Ki elements.
  std::optional<std::vector<Value>> of(const Graph& main) {
    std::vector<Value> values;
    for (const Slot slot : main.inputs) {
      std::optional<Value> value = value_of(main.slots[slot].declared);
      if (!value) return std::nullopt;
      values.push_back(std::move(*value));
    }
    return values;
  }

 private:
  std::uint64_t below(std::uint64_t end) { return random_() % end; }

  template <class T, std::size_t n>
  T any_of(const std::array<T, n>& choices) {
    return choices.at(below(n));
  }

  /// A dimension variable has the same value everywhere.
  std::int64_t size_of(const Dim& dim) {
    if (dim.known()) return dim.value;
    const auto some = static_cast<std::int64_t>(below(8) == 0 ? 0 : 1 + below(3));
    return dim.symbol.empty() ? some : variables_.emplace(dim.symbol, some).first->second;
  }

  std::optional<Value> value_of(const Type& type) {
    constexpr std::int64_t most = 65536;
    if (!type.is_tensor() || !type.shape || type.element == ElementType::undefined) return std::nullopt;
    Dims dims;
    std::int64_t count = 1;
    for (const Dim& dim : *type.shape) {
      dims.push_back(size_of(dim));
      if (dims.back() > most) return std::nullopt;
      count *= dims.back();
      if (count > most) return std::nullopt;
    }
    return tensor(type.element, dims, static_cast<std::uint64_t>(count));
  }

  Value tensor(ElementType type, const Dims& dims, std::uint64_t count) {
    if (type == ElementType::string) {
      const std::array<std::string, 4> texts{"", "a", std::string("b\0c", 3), "\xC3\xA9"};
      std::vector<std::string> strings;
      for (std::uint64_t i = 0; i < count; ++i) strings.push_back(any_of(texts));
      return make_strings(dims, std::move(strings));
    }
    std::byte* bytes = nullptr;
    const std::size_t size = bytes_of(type, count);
    Tensor made{type, dims, Buffer::allocate(size, &bytes), {}};
    if (type == ElementType::complex64 || type == ElementType::complex128) return made;
    for (std::uint64_t i = 0; i < count; ++i) write_number(std::span(bytes, size), type, i, number());
    return made;
  }

  /// Mostly a small integer; sometimes an end of the range, a fraction, NaN, an infinity or -0.
  Number number() {
    constexpr std::array others{0.5,
                                -0.0,
                                -1e-40,
                                65504.0,
                                std::numeric_limits<double>::quiet_NaN(),
                                std::numeric_limits<double>::infinity(),
                                -std::numeric_limits<double>::infinity()};
    const std::uint64_t kind = below(16);
    if (kind == 0) return any_of(others);
    if (kind == 1) return below(2) == 0 ? std::numeric_limits<std::int64_t>::max() : std::int64_t{1} << 31;
    return static_cast<std::int64_t>(below(8)) - 3;
  }

  std::mt19937_64 random_;
  std::map<std::string, std::int64_t> variables_;
};

}  // namespace ifcert
