#include "operators/openvino_operands.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <ifcert/elements.hpp>
#include <memory>

#include "formats/openvino/types.hpp"

namespace ifcert::kernels::openvino {
namespace {

template <class Context>
std::string_view text_of(const Context& operands, std::string_view name, std::string_view otherwise) {
  const auto* value = operands.template attribute<std::string>(name);
  return value == nullptr ? otherwise : std::string_view(*value);
}

template <class Context>
ElementType type_of(const Context& operands, std::string_view name, std::string_view otherwise) {
  const std::string_view value = text(operands, name, otherwise);
  const auto type = ifcert::openvino::element_type_of(value);
  if (!type || *type == ElementType::undefined)
    refuse(operands.node,
           fmt::format("attribute {} is \"{}\", which is not an element type of the reference", name, value));
  return *type;
}

}  // namespace

std::string_view text(const Operands& operands, std::string_view name, std::string_view otherwise) {
  return text_of(operands, name, otherwise);
}

std::string_view text(const OperandTypes& operands, std::string_view name, std::string_view otherwise) {
  return text_of(operands, name, otherwise);
}

bool flag(const Operands& operands, std::string_view name, bool otherwise) {
  const std::string_view value = text(operands, name, otherwise ? "true" : "false");
  if (value == "true" || value == "1") return true;
  if (value != "false" && value != "0")
    refuse(operands.node, fmt::format("attribute {} is \"{}\"; expected true or false", name, value));
  return false;
}

std::int64_t integer(const Operands& operands, std::string_view name, std::string_view otherwise) {
  const std::string_view value = text(operands, name, otherwise);
  std::int64_t number = 0;
  const char* end = std::to_address(value.end());
  const auto [rest, error] = std::from_chars(std::to_address(value.begin()), end, number);
  if (error != std::errc() || rest != end)
    refuse(operands.node, fmt::format("attribute {} is \"{}\"; expected an integer", name, value));
  return number;
}

ElementType type_attribute(const Operands& operands, std::string_view name, std::string_view otherwise) {
  return type_of(operands, name, otherwise);
}

ElementType type_attribute(const OperandTypes& operands, std::string_view name, std::string_view otherwise) {
  return type_of(operands, name, otherwise);
}

bool holds_integers(ElementType type) {
  if (type == ElementType::undefined) return true;
  if (type == ElementType::string || type == ElementType::complex64 || type == ElementType::complex128) return false;
  const std::array<std::byte, 16> zero{};
  const Tensor one{type, {1}, Buffer::copy_of(std::span(zero).first(bytes_of(type, 1))), {}};
  return !std::holds_alternative<double>(read_number(one, 0));
}

void expect_same_dims(const OperandTypes& operands, std::size_t first, std::size_t second) {
  const std::optional<Dims> a = dims_of(operands, first);
  const std::optional<Dims> b = dims_of(operands, second);
  if (!a || !b) return;
  if (std::ranges::equal(*a, *b, [](auto x, auto y) { return x == y || x < 0 || y < 0; })) return;
  report_misfit(operands, "the shapes differ and auto_broadcast is none");
}

}  // namespace ifcert::kernels::openvino
