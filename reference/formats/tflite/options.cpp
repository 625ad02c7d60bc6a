#include "formats/tflite/options.hpp"

#include <string>

#include "formats/tflite/types.hpp"

namespace ifcert::tflite {
namespace {

/// "NONE" means that nothing is specified.
void add_activation(Attributes& attributes, schema::ActivationFunctionType activation) {
  if (activation == schema::ActivationFunctionType_NONE) return;
  const std::string name = schema::EnumNameActivationFunctionType(activation);
  attributes["fused_activation_function"] =
      name.empty() ? "activation " + std::to_string(static_cast<int>(activation)) : name;
}

/// The protocol's name of the type; "undefined" for types that are not element types.
std::string type_name(schema::TensorType type) {
  return std::string(name_of(element_type_of(type).value_or(ElementType::undefined)));
}

template <class Options>
void add_activation_of(Attributes& attributes, const Options* options) {
  if (options != nullptr) add_activation(attributes, options->fused_activation_function());
}

void add_concatenation(Attributes& attributes, const schema::ConcatenationOptions* options) {
  attributes["axis"] = std::int64_t{options == nullptr ? 0 : options->axis()};
  add_activation_of(attributes, options);
}

void add_gather(Attributes& attributes, const schema::GatherOptions* options) {
  attributes["axis"] = std::int64_t{options == nullptr ? 0 : options->axis()};
  if (options != nullptr && options->batch_dims() != 0) attributes["batch_dims"] = std::int64_t{options->batch_dims()};
}

void add_pack(Attributes& attributes, const schema::PackOptions* options) {
  if (options == nullptr) return;
  attributes["axis"] = std::int64_t{options->axis()};
  attributes["values_count"] = std::int64_t{options->values_count()};
}

void add_reshape(Attributes& attributes, const schema::ReshapeOptions* options) {
  if (options == nullptr || options->new_shape() == nullptr) return;
  attributes["new_shape"] = std::vector<std::int64_t>(options->new_shape()->begin(), options->new_shape()->end());
}

}  // namespace

Attributes attributes_of(const schema::Operator& from, schema::BuiltinOperator code) {
  Attributes attributes;
  switch (code) {
    case schema::BuiltinOperator_ADD:
      add_activation_of(attributes, from.builtin_options_as_AddOptions());
      break;
    case schema::BuiltinOperator_SUB:
      add_activation_of(attributes, from.builtin_options_as_SubOptions());
      break;
    case schema::BuiltinOperator_MUL:
      add_activation_of(attributes, from.builtin_options_as_MulOptions());
      break;
    case schema::BuiltinOperator_DIV:
      add_activation_of(attributes, from.builtin_options_as_DivOptions());
      break;
    case schema::BuiltinOperator_CONCATENATION:
      add_concatenation(attributes, from.builtin_options_as_ConcatenationOptions());
      break;
    case schema::BuiltinOperator_GATHER:
      add_gather(attributes, from.builtin_options_as_GatherOptions());
      break;
    case schema::BuiltinOperator_PACK:
      add_pack(attributes, from.builtin_options_as_PackOptions());
      break;
    case schema::BuiltinOperator_RESHAPE:
      add_reshape(attributes, from.builtin_options_as_ReshapeOptions());
      break;
    case schema::BuiltinOperator_SHAPE:
      if (const auto* options = from.builtin_options_as_ShapeOptions())
        attributes["out_type"] = type_name(options->out_type());
      break;
    case schema::BuiltinOperator_SUM:
      if (const auto* options = from.builtin_options_as_ReducerOptions())
        attributes["keep_dims"] = std::int64_t{options->keep_dims() ? 1 : 0};
      break;
    default:
      break;
  }
  return attributes;
}

}  // namespace ifcert::tflite
