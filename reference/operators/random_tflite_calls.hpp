// Random calls of TensorFlow Lite's operators, for the tests of all of them.
#pragma once

#include "operators/random_operands.hpp"

namespace ifcert::kernels {

inline constexpr std::array<Signature, 30> tflite_signatures{{
    {"ABS", "t"},         {"ADD", "tt"},         {"CAST", "t"},           {"CONCATENATION", "tt"},
    {"DIV", "tt"},        {"EQUAL", "tt"},       {"EXPAND_DIMS", "tn"},   {"FILL", "lt"},
    {"GATHER", "tn"},     {"GREATER", "tt"},     {"GREATER_EQUAL", "tt"}, {"LESS", "tt"},
    {"LESS_EQUAL", "tt"}, {"LOGICAL_AND", "bb"}, {"LOGICAL_NOT", "b"},    {"LOGICAL_OR", "bb"},
    {"MAXIMUM", "tt"},    {"MINIMUM", "tt"},     {"MUL", "tt"},           {"NEG", "t"},
    {"NOT_EQUAL", "tt"},  {"PACK", "tt"},        {"RESHAPE", "tn"},       {"SELECT", "btt"},
    {"SELECT_V2", "btt"}, {"SHAPE", "t"},        {"SLICE", "tnn"},        {"SUB", "tt"},
    {"SUM", "tn"},        {"TRANSPOSE", "tn"},
}};

inline Call random_tflite_call(Random& random) {
  Call call = random.call_of_any(tflite_signatures);
  constexpr std::array<std::string_view, 9> attributes{"axis",      "values_count", "batch_dims",
                                                       "new_shape", "in_data_type", "out_data_type",
                                                       "out_type",  "keep_dims",    "fused_activation_function"};
  for (const std::string_view name : attributes) {
    if (random.one_in(12)) call.attributes.emplace(name, random.attribute());
  }
  constexpr std::array<std::string_view, 6> activations{"NONE", "RELU", "RELU_N1_TO_1", "RELU6", "TANH", "SIGN_BIT"};
  const auto usually = [&](const char* name, AttributeValue value) {
    if (!random.one_in(8)) call.attributes.insert_or_assign(name, std::move(value));
  };
  usually("axis", random.between(-2, 2));
  usually("values_count", static_cast<std::int64_t>(call.inputs.size()));
  usually("out_data_type", std::string(name_of(random.type())));
  usually("out_type", std::string(random.one_in(2) ? "int32" : "int64"));
  if (random.one_in(3)) usually("fused_activation_function", std::string(random.any_of(activations)));
  if (random.one_in(3)) usually("new_shape", Dims{random.between(-1, 3), random.between(-1, 3)});
  if (random.one_in(3)) usually("batch_dims", random.between(-2, 2));
  return call;
}

}  // namespace ifcert::kernels
