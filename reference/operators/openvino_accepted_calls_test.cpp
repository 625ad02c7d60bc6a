// What inference accepts of the operands of OpenVINO's operators, evaluation computes for some values of theirs, or it
// says which value is at fault.
#include <array>
#include <charconv>
#include <string_view>

#include "operators/accepted_calls.hpp"

namespace ifcert::kernels {
namespace {

constexpr std::array<Signature, 50> openvino_signatures{{
    {"Abs", "t"},        {"Add", "tt"},         {"Broadcast", "tl"},  {"Broadcast", "tn"},  {"Concat", "tt"},
    {"Convert", "t"},    {"ConvertLike", "tt"}, {"Divide", "tt"},     {"Equal", "tt"},      {"Gather", "tli"},
    {"Gather", "tnn"},   {"Greater", "tt"},     {"Identity", "t"},    {"Less", "tt"},       {"LogicalAnd", "bb"},
    {"LogicalNot", "b"}, {"LogicalOr", "bb"},   {"LogicalXor", "bb"}, {"MatMul", "mm"},     {"MatMul", "tt"},
    {"Multiply", "tt"},  {"Negative", "t"},     {"Power", "tt"},      {"Range", "iii"},     {"Range", "ttt"},
    {"ReLU", "f"},       {"ReduceMax", "tl"},   {"ReduceMean", "tn"}, {"ReduceProd", "tl"}, {"ReduceSum", "tn"},
    {"ReduceSum", "tt"}, {"Reshape", "tl"},     {"Reshape", "tn"},    {"Select", "btt"},    {"ShapeOf", "t"},
    {"Sigmoid", "f"},    {"Slice", "tllll"},    {"Slice", "tnnn"},    {"Split", "ti"},      {"Split", "tt"},
    {"Sqrt", "f"},       {"Squeeze", "tl"},     {"Squeeze", "tn"},    {"Subtract", "tt"},   {"Tanh", "f"},
    {"Tile", "tl"},      {"Tile", "tn"},        {"Transpose", "tl"},  {"Transpose", "tn"},  {"Unsqueeze", "tl"},
}};

/// A tensor of a type that IR has: nothing is left out, and there are no sequences.
bool is_of_ir(const Value& value) {
  const Tensor* tensor = value.tensor();
  return tensor != nullptr && bytes_fit_shape(*tensor) && tensor->type != ElementType::complex64 &&
         tensor->type != ElementType::complex128;
}

Call random_openvino_call(Random& random) {
  Call call = random.call_of_any(openvino_signatures);
  std::erase_if(call.inputs, [](const Value& value) { return !is_of_ir(value); });
  for (Value& value : call.inputs) value = with_other_elements(random, value);  // extreme lists ask for gigabytes
  const auto one_of = [&]<std::size_t n>(const char* name, const std::array<std::string_view, n>& texts) {
    if (!random.one_in(4)) call.attributes.insert_or_assign(name, std::string(random.any_of(texts)));
  };
  constexpr std::array<std::string_view, 5> flags{"true", "false", "1", "0", "maybe"};
  constexpr std::array<std::string_view, 9> numbers{"0", "1", "2", "3", "-1", "-2", "", "x", "9223372036854775807"};
  constexpr std::array<std::string_view, 7> types{"i64", "i32", "f32", "u8", "boolean", "string", "FLOAT"};
  constexpr std::array<std::string_view, 5> broadcasts{"numpy", "numpy", "none", "pdpd", "explicit"};
  constexpr std::array<std::string_view, 4> modes{"numpy", "bidirectional", "explicit", ""};
  one_of("auto_broadcast", broadcasts);
  one_of("mode", modes);
  for (const char* name : {"axis", "batch_dims", "num_splits"}) one_of(name, numbers);
  for (const char* name : {"keep_dims", "special_zero", "transpose_a", "transpose_b", "m_pythondiv"})
    one_of(name, flags);
  for (const char* name : {"output_type", "destination_type"}) one_of(name, types);
  return call;
}

/// As many as num_splits asks for, or two.
std::size_t outputs_of(const Call& call) {
  if (call.op != "Split") return 1;
  const auto found = call.attributes.find("num_splits");
  const std::string text = found == call.attributes.end() ? "" : std::get<std::string>(found->second);
  return text == "1" || text == "3" ? static_cast<std::size_t>(text[0] - '0') : 2;
}

/// Parts of messages that name a value as the fault, which no type shows; and what the reference lacks.
constexpr std::array<std::string_view, 8> openvino_faults{
    "axis ",  // outside, given twice, not of size 1
    "does not split into",
    "index ",      // of Gather before version 8
    "new shape ",  // of Reshape
    "Broadcast: shapes [",
    "delta is 0",  // of Range
    "the mean of no integers",
    "the reference does not support",  // modes, axes_mapping, elements
};

TEST(OpenVinoAcceptedCalls, AreComputedForSomeValuesOrTheFaultIsAValue) {
  expect_computed_or_at_fault(
      20261128, openvino_faults, Shapes::known,
      [](const Call& call) { return find_openvino_operator(call.op, call.version); }, random_openvino_call, outputs_of);
}

}  // namespace
}  // namespace ifcert::kernels
