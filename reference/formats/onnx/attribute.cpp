#include "formats/onnx/attribute.hpp"

#include <fmt/format.h>

#include <array>
#include <bit>

namespace ifcert::onnx {
namespace {

using enum proto::AttributeType;

/// In the order of AttributeType.
constexpr std::array<std::string_view, 15> field_names{
    "no field",       "f",    "i",          "s",       "t",      "g",
    "floats",         "ints", "strings",    "tensors", "graphs", "sparse_tensor",
    "sparse_tensors", "tp",   "type_protos"};

std::string present_fields(const proto::Attribute& attribute) {
  std::string names;
  for (std::size_t i = 1; i < field_names.size(); ++i) {
    if ((attribute.present >> i & 1U) == 0) continue;
    names += fmt::format("{}{}", names.empty() ? "" : " and ", field_names[i]);
  }
  return names;
}

/// A number, string or list that is zero or empty may be omitted from the file; a message may not.
bool may_be_absent(proto::AttributeType type) {
  return type != tensor && type != graph && type != sparse_tensor && type != type_proto;
}

}  // namespace

bool holds_two_values(const proto::Attribute& attribute) {
  return std::popcount(attribute.present) + (attribute.reference.empty() ? 0 : 1) > 1;
}

bool lacks_only_its_type(const proto::Attribute& attribute) {
  return attribute.type == 0 && !attribute.name.empty() && std::popcount(attribute.present) == 1 &&
         attribute.reference.empty();
}

// Rule: onnx/model/attribute-holds-one-value.
std::string fault_of(const proto::Attribute& attribute, std::int64_t ir_version) {
  const auto type = static_cast<proto::AttributeType>(attribute.type);
  if (attribute.name.empty()) return "an attribute has no name";
  if (holds_two_values(attribute)) {
    return fmt::format("{} holds values in {}{}", attribute.name, present_fields(attribute),
                       attribute.reference.empty() ? "" : " and a reference");
  }
  if (type == undefined && ir_version < 2) return {};
  if (type == undefined) return fmt::format("{} has no type", attribute.name);
  if (attribute.type < 0 || static_cast<std::size_t>(attribute.type) >= field_names.size())
    return fmt::format("{} has the attribute type {}", attribute.name, attribute.type);
  if (!attribute.reference.empty() || attribute.has(type)) return {};
  if (attribute.present == 0 && may_be_absent(type)) return {};
  return fmt::format("{} has the attribute type {}, but holds {}", attribute.name, attribute.type,
                     attribute.present == 0 ? "no value" : present_fields(attribute));
}

proto::AttributeType field_in_use(const proto::Attribute& attribute) {
  if (attribute.present == 0) return static_cast<proto::AttributeType>(attribute.type);
  const auto type = static_cast<proto::AttributeType>(attribute.type);
  const bool names_a_field = attribute.type > 0 && static_cast<std::size_t>(attribute.type) < field_names.size();
  if (names_a_field && attribute.has(type)) return type;
  return static_cast<proto::AttributeType>(std::countr_zero(attribute.present));
}

}  // namespace ifcert::onnx
