#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/rewritings/onnx_rewritings.hpp"
#include "conformance/rewritings/onnx_scope.hpp"

namespace ifcert::conformance::onnx_rewritings {
namespace {

using namespace onnx_tree;
using Attribute = fields::AttributeProto;
using Node = fields::NodeProto;

/// An attribute that is this number where it is absent, from an operator set on.
struct Default {
  std::string_view operation, attribute;
  std::int64_t value;
  std::int64_t since = 1;
};

constexpr auto attribute_defaults = std::to_array<Default>({
    {"ArgMax", "keepdims", 1},
    {"ArgMin", "keepdims", 1},
    {"Conv", "group", 1},
    {"Gather", "axis", 0},
    {"Gemm", "transA", 0},
    {"ReduceMax", "keepdims", 1},
    {"ReduceMean", "keepdims", 1},
    {"ReduceMin", "keepdims", 1},
    {"ReduceProd", "keepdims", 1},
    {"ReduceSum", "keepdims", 1},
    {"Reshape", "allowzero", 0, 14},
});

constexpr std::int64_t int_attribute = 2;

/// The oldest of the default operator sets that the model and its functions import.
std::int64_t oldest_import(Message& model) {
  std::int64_t oldest = std::numeric_limits<std::int64_t>::max();
  for_each(model, Kind::operator_set, [&oldest](Message& import) {
    if (onnx_scope::is_default_domain(text_of(import, fields::OperatorSetIdProto::domain)))
      oldest = std::min(oldest, integer_of(import, fields::OperatorSetIdProto::version));
  });
  return oldest;
}

/// Calls `visit` with each node and each attribute of it that has a default.
template <typename Visit>
void for_each_default(Message& model, Visit visit) {
  const std::int64_t opset = oldest_import(model);
  for_each(model, Kind::node, [&](Message& node) {
    if (!onnx_scope::is_default_domain(text_of(node, Node::domain))) return;
    for (const Default& each : attribute_defaults) {
      if (text_of(node, Node::op_type) == each.operation && opset >= each.since) visit(node, each);
    }
  });
}

bool has_name(const Field& field, std::string_view name) {
  return field.number == Node::attribute && !field.message.empty() &&
         text_of(field.message.front(), Attribute::name) == name;
}

/// Whether the field is the attribute, with its default.
bool is_default(const Field& field, const Default& expected) {
  if (!has_name(field, expected.attribute)) return false;
  const Message& attribute = field.message.front();
  return find(attribute, Attribute::ref_attr_name) == nullptr &&
         integer_of(attribute, Attribute::type) == int_attribute &&
         integer_of(attribute, Attribute::i) == expected.value;
}

/// A string that is "" where it is absent.
struct Text {
  Kind kind;
  Number number;
};

constexpr auto texts = std::to_array<Text>({
    {Kind::node, Node::domain},
    {Kind::node, Node::doc_string},
    {Kind::graph, fields::GraphProto::doc_string},
    {Kind::tensor, fields::TensorProto::doc_string},
    {Kind::value_info, fields::ValueInfoProto::doc_string},
    {Kind::function, fields::FunctionProto::doc_string},
});

}  // namespace

void write_attribute_defaults(ModelFiles& files) {
  change_tree(files, [](Message& model) {
    onnx_scope::require_default_domain_unextended(model);
    for_each_default(model, [](Message& node, const Default& each) {
      if (std::ranges::any_of(node.fields, [&](const Field& field) { return has_name(field, each.attribute); })) return;
      Message attribute{.kind = Kind::attribute,
                        .fields = {text_field(Attribute::name, each.attribute), integer_field(Attribute::i, each.value),
                                   integer_field(Attribute::type, int_attribute)}};
      add_first(node, message_field(Node::attribute, std::move(attribute)));
    });
  });
}

void omit_attribute_defaults(ModelFiles& files) {
  change_tree(files, [](Message& model) {
    onnx_scope::require_default_domain_unextended(model);
    for_each_default(model, [](Message& node, const Default& each) {
      std::erase_if(node.fields, [&](const Field& field) { return is_default(field, each); });
    });
  });
}

void write_field_defaults(ModelFiles& files) {
  change_tree(files, [](Message& model) {
    for (const Text& each : texts) {
      for_each(model, each.kind, [&](Message& message) {
        if (find(message, each.number) == nullptr) message.fields.push_back(text_field(each.number, ""));
      });
    }
  });
}

void omit_field_defaults(ModelFiles& files) {
  change_tree(files, [](Message& model) {
    for (const Text& each : texts) {
      for_each(model, each.kind, [&](Message& message) {
        if (text_of(message, each.number).empty()) remove(message, each.number);
      });
    }
  });
}

}  // namespace ifcert::conformance::onnx_rewritings
