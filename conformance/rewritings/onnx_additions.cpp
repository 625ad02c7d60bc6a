#include <fmt/format.h>

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "conformance/rewritings/onnx_rewritings.hpp"
#include "conformance/rewritings/onnx_scope.hpp"

namespace ifcert::conformance::onnx_rewritings {
namespace {

using namespace onnx_tree;
using onnx_scope::require_ir_version;
using onnx_scope::unused_name;
using Attribute = fields::AttributeProto;
using Function = fields::FunctionProto;
using Node = fields::NodeProto;

constexpr const char* documentation = "Documentation: `If`, \"then\"; else\n\n* \xC3\xA9\xE2\x82\xAC";

struct Documented {
  Kind kind;
  Number doc_string;
};

constexpr auto documented = std::to_array<Documented>({
    {Kind::model, fields::ModelProto::doc_string},
    {Kind::graph, fields::GraphProto::doc_string},
    {Kind::node, fields::NodeProto::doc_string},
    {Kind::attribute, fields::AttributeProto::doc_string},
    {Kind::tensor, fields::TensorProto::doc_string},
    {Kind::value_info, fields::ValueInfoProto::doc_string},
    {Kind::function, fields::FunctionProto::doc_string},
});

Message entry_of(std::string_view key, std::string_view value) {
  return {.kind = Kind::entry,
          .fields = {text_field(fields::StringStringEntryProto::key, key),
                     text_field(fields::StringStringEntryProto::value, value)}};
}

constexpr std::int64_t float_type = 1;
constexpr std::int64_t tensor_attribute = 4;

/// A tensor of two numbers.
Message small_tensor(std::string_view name) {
  Message tensor{
      .kind = Kind::tensor,
      .fields = {integer_field(fields::TensorProto::dims, 2), integer_field(fields::TensorProto::data_type, float_type),
                 text_field(fields::TensorProto::raw_data, std::string_view("\0\0\x80\x3f\0\0\0\x40", 8))}};
  if (!name.empty()) tensor.fields.push_back(text_field(fields::TensorProto::name, name));
  return tensor;
}

Message constant_node(std::string_view output) {
  Message value{.kind = Kind::attribute,
                .fields = {text_field(Attribute::name, "value"), message_field(Attribute::t, small_tensor("")),
                           integer_field(Attribute::type, tensor_attribute)}};
  return {.kind = Kind::node,
          .fields = {text_field(Node::output, output), text_field(Node::op_type, "Constant"),
                     message_field(Node::attribute, std::move(value))}};
}

void for_each_import_of_default(Message& model, const std::function<void(Message& import)>& visit) {
  for_each(model, Kind::operator_set, [&visit](Message& import) {
    if (text_of(import, fields::OperatorSetIdProto::domain).empty()) visit(import);
  });
}

}  // namespace

void add_documentation(ModelFiles& files) {
  change_tree(files, [](Message& model) {
    for (const Documented& each : documented)
      for_each(model, each.kind, [&](Message& message) { set_text(message, each.doc_string, documentation); });
  });
}

void add_metadata(ModelFiles& files) {
  change_tree(files, [](Message& model) {
    for (const char* key : {"author", "If", "then_branch", "model_license"}) {
      for (Message* entry : messages_of(model, fields::ModelProto::metadata_props)) {
        if (text_of(*entry, fields::StringStringEntryProto::key) == key) throw NotMade("it has such an entry");
      }
      model.fields.push_back(message_field(fields::ModelProto::metadata_props, entry_of(key, "else_branch")));
    }
  });
}

void add_metadata_inside(ModelFiles& files) {
  struct Described {
    Kind kind;
    Number metadata;
  };
  static constexpr auto described = std::to_array<Described>({{Kind::graph, fields::GraphProto::metadata_props},
                                                              {Kind::node, Node::metadata_props},
                                                              {Kind::function, Function::metadata_props}});
  change_tree(files, [](Message& model) {
    require_ir_version(model, 10);
    for (const Described& each : described) {
      for_each(model, each.kind, [&](Message& message) {
        message.fields.push_back(message_field(each.metadata, entry_of("org.example.If", "else_branch")));
      });
    }
  });
}

void change_producer(ModelFiles& files) {
  change_tree(files, [](Message& model) {
    set_text(model, fields::ModelProto::producer_name, "pytorch");
    set_text(model, fields::ModelProto::producer_version, "2.4.0");
  });
}

void add_unknown_fields(ModelFiles& files) {
  static constexpr Number unknown = 31'000;  // far beyond those in use
  change_tree(files, [](Message& model) {
    for (int kind = 0; kind <= static_cast<int>(last_kind); ++kind) {
      for_each(model, static_cast<Kind>(kind), [](Message& message) {
        message.fields.insert(message.fields.begin(), integer_field(unknown, 7));
        message.fields.push_back(text_field(unknown + 1, "unknown"));
        message.fields.push_back({.number = unknown + 2, .wire = Wire::fixed32, .value = 7, .message = {}});
        message.fields.push_back({.number = unknown + 3, .wire = Wire::fixed64, .value = 7, .message = {}});
      });
    }
  });
}

void add_initializers(ModelFiles& files) {
  change_tree(files, [](Message& model) {
    require_ir_version(model, 4);  // before, an initializer is an input, too
    const std::string stem = unused_name(model, "unused_initializer");
    int number = 0;
    for_each(model, Kind::graph, [&](Message& graph) {
      add_first(graph,
                message_field(fields::GraphProto::initializer, small_tensor(fmt::format("{}{}", stem, number++))));
    });
  });
}

void add_constants(ModelFiles& files) {
  change_tree(files, [](Message& model) {
    const std::string stem = unused_name(model, "unused_constant");
    int number = 0;
    const auto add = [&](Message& body, Number list) {
      add_first(body, message_field(list, constant_node(fmt::format("{}{}", stem, number++))));
    };
    for_each(model, Kind::graph, [&](Message& graph) { add(graph, fields::GraphProto::node); });
    for_each(model, Kind::function, [&](Message& function) { add(function, Function::node); });
  });
}

void add_function(ModelFiles& files) {
  change_tree(files, [](Message& model) {
    require_ir_version(model, 8);
    Message function{.kind = Kind::function,
                     .fields = {text_field(Function::name, "Unused"), text_field(Function::output, "result"),
                                message_field(Function::node, constant_node("result"))}};
    for_each_import_of_default(model, [&](Message& import) {
      if (find(function, Function::opset_import) == nullptr)
        function.fields.push_back(message_field(Function::opset_import, import));
    });
    function.fields.push_back(text_field(Function::domain, unused_name(model, "unused.domain")));
    add_first(model, message_field(fields::ModelProto::functions, std::move(function)));
  });
}

void omit_default_domain(ModelFiles& files) {
  change_tree(files, [](Message& model) {
    for_each_import_of_default(model, [](Message& import) { remove(import, fields::OperatorSetIdProto::domain); });
  });
}

}  // namespace ifcert::conformance::onnx_rewritings
