// Choices that are the same on every machine, determined by a seed or by bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>

namespace ifcert::generator {

/// Draw in statements of their own, never in two arguments of one call: compilers evaluate these in different orders.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  /// Choices of a fuzzer: a byte for each, so that a changed byte changes one choice. Each one after the last byte is
  /// 0.
  explicit Random(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

  /// The next 64 bits (SplitMix64, or 8 bytes).
  std::uint64_t next() {
    if (bytes_) return next_bytes(sizeof(std::uint64_t));
    std::uint64_t bits = state_ += 0x9e3779b97f4a7c15U;
    bits = (bits ^ (bits >> 30U)) * 0xbf58476d1ce4e5b9U;
    bits = (bits ^ (bits >> 27U)) * 0x94d049bb133111ebU;
    return bits ^ (bits >> 31U);
  }

  /// A number from 0 to end - 1; `end` is at least 1.
  std::uint64_t below(std::uint64_t end) {
    if (bytes_ && end <= 256) return next_bytes(1) % end;
    return next() % end;
  }

  /// A number from `least` to `most`, both included.
  std::int64_t between(std::int64_t least, std::int64_t most) {
    return least + static_cast<std::int64_t>(below(static_cast<std::uint64_t>(most - least + 1)));
  }

  /// True with this probability, in percent.
  bool percent(unsigned hundredths) { return below(100) < hundredths; }

  template <class T>
  const T& any_of(std::span<const T> some) {
    return some[below(some.size())];
  }

  template <class T>
  T any_of(std::initializer_list<T> some) {
    return std::data(some)[below(some.size())];
  }

 private:
  std::uint64_t next_bytes(std::size_t count) {
    std::uint64_t bits = 0;
    for (; count > 0 && !bytes_->empty(); --count) {
      bits = bits << 8U | bytes_->front();
      bytes_ = bytes_->subspan(1);
    }
    return bits;
  }

  std::uint64_t state_ = 0;
  std::optional<std::span<const std::uint8_t>> bytes_;  // those that are left
};

/// The seed of one part of everything that `seed` determines.
inline std::uint64_t derived_seed(std::uint64_t seed, std::uint64_t part) {
  return Random(Random(seed).next() + part).next();
}

}  // namespace ifcert::generator
