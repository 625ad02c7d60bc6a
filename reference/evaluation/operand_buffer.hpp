// The values of one node while its kernel runs, on the stack for the few operands that nearly all operators have.
#pragma once

#include <array>
#include <cstddef>
#include <ifcert/values.hpp>
#include <span>
#include <vector>

namespace ifcert {

template <std::size_t Few>
class OperandBuffer {
 public:
  explicit OperandBuffer(std::size_t count) : count_(count), many_(count > Few ? count : 0) {}

  std::span<Value> all() { return {many_.empty() ? few_.data() : many_.data(), count_}; }
  Value& operator[](std::size_t i) { return all()[i]; }

 private:
  std::size_t count_;
  std::array<Value, Few> few_;
  std::vector<Value> many_;
};

}  // namespace ifcert
