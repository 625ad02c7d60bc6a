#include "formats/tflite/write_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <ifcert/inexpressible.hpp>
#include <initializer_list>
#include <limits>
#include <vector>

#include "formats/tflite/types.hpp"

namespace ifcert::tflite {
namespace {

/// Operators that need no options, or whose options are empty tables.
constexpr std::array without_options{
    schema::BuiltinOperator_ABS,         schema::BuiltinOperator_EQUAL,      schema::BuiltinOperator_EXPAND_DIMS,
    schema::BuiltinOperator_FILL,        schema::BuiltinOperator_GREATER,    schema::BuiltinOperator_GREATER_EQUAL,
    schema::BuiltinOperator_LESS,        schema::BuiltinOperator_LESS_EQUAL, schema::BuiltinOperator_LOGICAL_AND,
    schema::BuiltinOperator_LOGICAL_NOT, schema::BuiltinOperator_LOGICAL_OR, schema::BuiltinOperator_LOGISTIC,
    schema::BuiltinOperator_MAXIMUM,     schema::BuiltinOperator_MINIMUM,    schema::BuiltinOperator_NEG,
    schema::BuiltinOperator_NOT_EQUAL,   schema::BuiltinOperator_RELU,       schema::BuiltinOperator_SELECT,
    schema::BuiltinOperator_SELECT_V2,   schema::BuiltinOperator_SLICE,      schema::BuiltinOperator_TANH,
    schema::BuiltinOperator_TRANSPOSE,
};

class Options {
 public:
  Options(flatbuffers::FlatBufferBuilder& builder, const Node& node, const Place& place)
      : builder_(builder), node_(node), place_(place) {}

  [[noreturn]] void refuse(const std::string& reason) const { throw Inexpressible(to_string(place_), reason); }

  void expect(std::initializer_list<std::string_view> known) const {
    for (const auto& [name, value] : node_.attributes) {
      if (std::ranges::find(known, name) == known.end())
        refuse(fmt::format("the builtin_options of {} have no field for the attribute {}", node_.op, name));
    }
  }

  template <class T>
  const T* attribute(const std::string& name) const {
    const auto found = node_.attributes.find(name);
    if (found == node_.attributes.end()) return nullptr;
    const T* value = std::get_if<T>(&found->second);
    if (value == nullptr) refuse(fmt::format("the attribute {} has a type that {} does not have", name, node_.op));
    return value;
  }

  std::int32_t narrow(std::int64_t number) const {
    if (number < std::numeric_limits<std::int32_t>::min() || number > std::numeric_limits<std::int32_t>::max())
      refuse(fmt::format("{} does not fit the 32 bits of builtin_options", number));
    return static_cast<std::int32_t>(number);
  }

  std::int32_t integer(const std::string& name) const {
    const auto* value = attribute<std::int64_t>(name);
    return value == nullptr ? 0 : narrow(*value);
  }

  schema::ActivationFunctionType activation() const {
    const auto* name = attribute<std::string>("fused_activation_function");
    if (name == nullptr) return schema::ActivationFunctionType_NONE;
    for (const schema::ActivationFunctionType type : schema::EnumValuesActivationFunctionType()) {
      if (*name == schema::EnumNameActivationFunctionType(type)) return type;
    }
    refuse(fmt::format("the schema has no ActivationFunctionType {}", *name));
  }

  schema::TensorType type(const std::string& name) const {
    const auto* text = attribute<std::string>(name);
    const auto type = text == nullptr ? std::nullopt : tensor_type_of(element_type_named(*text));
    if (!type) refuse(fmt::format("the attribute {} does not name a TensorType of the schema", name));
    return *type;
  }

  /// The options of the four operators that have only an activation.
  template <class Table>
  WrittenOptions activated(schema::BuiltinOptions options,
                           flatbuffers::Offset<Table> (*create)(flatbuffers::FlatBufferBuilder&,
                                                                schema::ActivationFunctionType)) {
    expect({"fused_activation_function"});
    return {options, create(builder_, activation()).Union()};
  }

  WrittenOptions cast(std::span<const SlotInfo> slots) {
    expect({"in_data_type", "out_data_type"});
    const auto type_of = [&](const std::vector<Slot>& list) {
      const ElementType element = list.empty() || list[0] == no_slot ? ElementType{} : slots[list[0]].declared.element;
      return tensor_type_of(element).value_or(schema::TensorType_FLOAT32);
    };
    return {schema::BuiltinOptions_CastOptions,
            schema::CreateCastOptions(builder_, type_of(node_.inputs), type_of(node_.outputs)).Union()};
  }

  WrittenOptions concatenation() {
    expect({"axis", "fused_activation_function"});
    return {schema::BuiltinOptions_ConcatenationOptions,
            schema::CreateConcatenationOptions(builder_, integer("axis"), activation()).Union()};
  }

  WrittenOptions gather() {
    expect({"axis", "batch_dims"});
    return {schema::BuiltinOptions_GatherOptions,
            schema::CreateGatherOptions(builder_, integer("axis"), integer("batch_dims")).Union()};
  }

  WrittenOptions pack() {
    expect({"axis", "values_count"});
    return {schema::BuiltinOptions_PackOptions,
            schema::CreatePackOptions(builder_, integer("values_count"), integer("axis")).Union()};
  }

  WrittenOptions reshape() {
    expect({"new_shape"});
    const auto* shape = attribute<std::vector<std::int64_t>>("new_shape");
    if (shape == nullptr) return {};
    std::vector<std::int32_t> dims;
    for (const std::int64_t dim : *shape) dims.push_back(narrow(dim));
    return {schema::BuiltinOptions_ReshapeOptions, schema::CreateReshapeOptionsDirect(builder_, &dims).Union()};
  }

  WrittenOptions shape() {
    expect({"out_type"});
    if (!node_.attributes.contains("out_type")) return {};
    return {schema::BuiltinOptions_ShapeOptions, schema::CreateShapeOptions(builder_, type("out_type")).Union()};
  }

  WrittenOptions sum() {
    expect({"keep_dims"});
    return {schema::BuiltinOptions_ReducerOptions,
            schema::CreateReducerOptions(builder_, integer("keep_dims") != 0).Union()};
  }

 private:
  flatbuffers::FlatBufferBuilder& builder_;
  const Node& node_;
  const Place& place_;
};

}  // namespace

WrittenOptions write_options(flatbuffers::FlatBufferBuilder& builder, const Node& node, std::span<const SlotInfo> slots,
                             schema::BuiltinOperator code, const Place& place) {
  Options options(builder, node, place);
  switch (code) {
    case schema::BuiltinOperator_ADD:
      return options.activated(schema::BuiltinOptions_AddOptions, schema::CreateAddOptions);
    case schema::BuiltinOperator_SUB:
      return options.activated(schema::BuiltinOptions_SubOptions, schema::CreateSubOptions);
    case schema::BuiltinOperator_MUL:
      return options.activated(schema::BuiltinOptions_MulOptions, schema::CreateMulOptions);
    case schema::BuiltinOperator_DIV:
      return options.activated(schema::BuiltinOptions_DivOptions, schema::CreateDivOptions);
    case schema::BuiltinOperator_CAST:
      return options.cast(slots);
    case schema::BuiltinOperator_CONCATENATION:
      return options.concatenation();
    case schema::BuiltinOperator_GATHER:
      return options.gather();
    case schema::BuiltinOperator_PACK:
      return options.pack();
    case schema::BuiltinOperator_RESHAPE:
      return options.reshape();
    case schema::BuiltinOperator_SHAPE:
      return options.shape();
    case schema::BuiltinOperator_SUM:
      return options.sum();
    default:
      break;
  }
  if (std::ranges::find(without_options, code) == without_options.end())
    options.refuse(fmt::format("the builtin_options of {} are not in the graph form", node.op));
  options.expect({});
  return {};
}

}  // namespace ifcert::tflite
