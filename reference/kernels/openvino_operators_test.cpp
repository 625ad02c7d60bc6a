// OpenVINO's operators with attributes as IR writes them; expected values are worked out by hand from their texts.
#include "kernels/openvino_operators.hpp"

#include "kernels/operator_call.hpp"

namespace ifcert::kernels {
namespace {

using Texts = std::map<std::string, std::string>;

/// What the operator gives to a node of that many outputs, or why it refuses.
std::string all_given(const std::string& op, const std::vector<Value>& inputs, const Texts& data, std::size_t count) {
  Node node;
  node.op = op;
  for (Slot i = 0; i < inputs.size(); ++i) node.inputs.push_back(i);
  for (const auto& [name, text] : data) node.attributes.emplace(name, text);
  std::vector<Value> outputs(count);
  const Operator* found = find_openvino_operator(op, 8);
  if (found == nullptr) return "no operator";
  try {
    found->evaluate({node, inputs}, outputs);
  } catch (const EvaluationError& error) {
    return error.what();
  }
  std::string text = to_string(outputs[0]);
  for (std::size_t i = 1; i < count; ++i) text += "; " + to_string(outputs[i]);
  return text;
}

std::string given(const std::string& op, const std::vector<Value>& inputs, const Texts& data = {}) {
  return all_given(op, inputs, data, 1);
}

Value ints(Dims dims, const std::vector<std::int32_t>& elements) {
  return tensor(ElementType::int32, std::move(dims), elements);
}

Value bytes(const std::vector<std::uint8_t>& elements) {
  return tensor(ElementType::uint8, {static_cast<std::int64_t>(elements.size())}, elements);
}

const Value matrix = floats({2, 3}, {1, 2, 3, 4, 5, 6});

TEST(OpenVino, ArithmeticBroadcastsUnlessItIsTold) {
  EXPECT_EQ(given("Add", {matrix, floats({3}, {10, 20, 30})}), "float32[2, 3] [11, 22, 33, 14, 25, 36]");
  EXPECT_EQ(given("Subtract", {matrix, floats({}, {1})}, {{"auto_broadcast", "numpy"}}),
            "float32[2, 3] [0, 1, 2, 3, 4, 5]");
  EXPECT_EQ(given("Multiply", {ints({2}, {3, 4}), ints({2}, {5, -6})}, {{"auto_broadcast", "none"}}),
            "int32[2] [15, -24]");
  EXPECT_EQ(given("Add", {matrix, floats({3}, {1, 1, 1})}, {{"auto_broadcast", "none"}}),
            "Add: the shapes differ and auto_broadcast is none");
  EXPECT_EQ(given("Add", {matrix, matrix}, {{"auto_broadcast", "pdpd"}}),
            "Add: the reference has no auto_broadcast \"pdpd\"");
}

TEST(OpenVino, DivisionOfIntegersRoundsDownUnlessItIsTold) {
  const Value a = ints({4}, {7, -7, 7, -8});
  const Value b = ints({4}, {2, 2, -2, 2});
  EXPECT_EQ(given("Divide", {a, b}), "int32[4] [3, -4, -4, -4]");
  EXPECT_EQ(given("Divide", {a, b}, {{"m_pythondiv", "false"}}), "int32[4] [3, -3, -3, -4]");
  EXPECT_EQ(given("Divide", {ints({1}, {-2147483647 - 1}), ints({1}, {-1})}), "int32[1] [-2147483648]");
  EXPECT_EQ(given("Divide", {floats({1}, {-7}), floats({1}, {2})}), "float32[1] [-3.5]");
  EXPECT_EQ(given("Divide", {ints({1}, {1}), ints({1}, {0})}), "Div: an integer is divided by zero");
}

TEST(OpenVino, ComparisonsAndLogicGiveBooleans) {
  EXPECT_EQ(given("Less", {matrix, floats({}, {3})}), "bool[2, 3] [true, true, false, false, false, false]");
  EXPECT_EQ(given("Greater", {ints({2}, {1, 3}), ints({2}, {2, 2})}), "bool[2] [false, true]");
  EXPECT_EQ(given("Equal", {ints({2}, {1, 2}), ints({2}, {2, 2})}), "bool[2] [false, true]");
  EXPECT_EQ(given("LogicalNot", {booleans({2}, {1, 0})}), "bool[2] [false, true]");
  EXPECT_EQ(given("LogicalAnd", {booleans({2}, {1, 0}), booleans({1}, {1})}), "bool[2] [true, false]");
  EXPECT_EQ(given("LogicalOr", {booleans({2}, {1, 0}), booleans({1}, {0})}), "bool[2] [true, false]");
  EXPECT_EQ(given("LogicalXor", {booleans({2}, {1, 0}), booleans({1}, {1})}), "bool[2] [false, true]");
}

TEST(OpenVino, EachElementOnItsOwn) {
  EXPECT_EQ(given("Negative", {ints({2}, {1, -2})}), "int32[2] [-1, 2]");
  EXPECT_EQ(given("Abs", {floats({2}, {-1.5, 2})}), "float32[2] [1.5, 2]");
  EXPECT_EQ(given("Relu", {floats({2}, {-1.5, 2})}), "float32[2] [0, 2]");
}

TEST(OpenVino, AxesAreOperandsOfAnyIntegerType) {
  EXPECT_EQ(given("Gather", {matrix, ints({2}, {2, -3}), bytes({1})}), "float32[2, 2] [3, 1, 6, 4]");
  EXPECT_EQ(given("Gather", {matrix, ints({}, {1}), ints({}, {0})}), "float32[3] [4, 5, 6]");
  EXPECT_EQ(given("Gather", {matrix, ints({}, {1}), ints({}, {0})}, {{"batch_dims", "1"}}),
            "Gather: the reference has no batch_dims but 0");
  EXPECT_EQ(given("Squeeze", {floats({1, 2, 1}, {1, 2}), ints({1}, {-1})}), "float32[1, 2] [1, 2]");
  EXPECT_EQ(given("Squeeze", {floats({1, 2, 1}, {1, 2})}), "float32[2] [1, 2]");
  EXPECT_EQ(given("Unsqueeze", {floats({2}, {1, 2}), ints({}, {0})}), "float32[1, 2] [1, 2]");
  EXPECT_EQ(given("ReduceSum", {matrix, bytes({1})}), "float32[2] [6, 15]");
  EXPECT_EQ(given("ReduceSum", {matrix, ints({1}, {0})}, {{"keep_dims", "true"}}), "float32[1, 3] [5, 7, 9]");
  EXPECT_EQ(given("ReduceSum", {floats({2}, {1, 2}), ints({0}, {})}), "float32[2] [1, 2]");
  EXPECT_EQ(given("ReduceSum", {matrix, ints({1}, {0})}, {{"keep_dims", "maybe"}}),
            "ReduceSum: attribute keep_dims is \"maybe\", true or false is asked");
}

TEST(OpenVino, ShapesAreWhatTheyAreToldToBe) {
  EXPECT_EQ(given("Reshape", {matrix, ints({2}, {0, -1})}, {{"special_zero", "true"}}),
            "float32[2, 3] [1, 2, 3, 4, 5, 6]");
  EXPECT_EQ(given("Reshape", {floats({0, 2}, {}), ints({2}, {0, 5})}, {{"special_zero", "false"}}), "float32[0, 5] []");
  EXPECT_EQ(given("Concat", {matrix, floats({2, 1}, {7, 8})}, {{"axis", "-1"}}),
            "float32[2, 4] [1, 2, 3, 7, 4, 5, 6, 8]");
  EXPECT_EQ(given("Concat", {matrix}), "Concat: attribute axis is \"\", an integer is asked");
  EXPECT_EQ(given("Transpose", {matrix, ints({0}, {})}), "float32[3, 2] [1, 4, 2, 5, 3, 6]");
  EXPECT_EQ(given("Broadcast", {floats({2, 1}, {1, 2}), ints({2}, {2, 2})}), "float32[2, 2] [1, 1, 2, 2]");
  EXPECT_EQ(given("Broadcast", {floats({2, 1}, {1, 2}), ints({2}, {1, 2})}),
            "Broadcast: the operand does not broadcast to target_shape");
  EXPECT_EQ(given("Broadcast", {floats({2, 1}, {1, 2}), ints({2}, {1, 2})}, {{"mode", "bidirectional"}}),
            "float32[2, 2] [1, 1, 2, 2]");
  EXPECT_EQ(given("Tile", {floats({2}, {1, 2}), ints({2}, {2, 1})}), "float32[2, 2] [1, 2, 1, 2]");
  EXPECT_EQ(all_given("Split", {matrix, ints({}, {1})}, {{"num_splits", "3"}}, 3),
            "float32[2, 1] [1, 4]; float32[2, 1] [2, 5]; float32[2, 1] [3, 6]");
  EXPECT_EQ(given("ShapeOf", {matrix}), "int64[2] [2, 3]");
  EXPECT_EQ(given("ShapeOf", {matrix}, {{"output_type", "i32"}}), "int32[2] [2, 3]");
}

TEST(OpenVino, ConvertNamesItsTypeAsAText) {
  EXPECT_EQ(given("Convert", {floats({2}, {1.9F, -1.9F})}, {{"destination_type", "i64"}}), "int64[2] [1, -1]");
  EXPECT_EQ(given("Convert", {floats({2}, {0.5, 0})}, {{"destination_type", "boolean"}}), "bool[2] [true, false]");
  EXPECT_EQ(given("Convert", {matrix}, {{"destination_type", "float"}}),
            "Convert: attribute destination_type is \"float\", no element type that the reference has");
}

TEST(OpenVino, MatMulTransposesWhereItIsTold) {
  EXPECT_EQ(given("MatMul", {matrix, matrix}, {{"transpose_a", "false"}, {"transpose_b", "true"}}),
            "float32[2, 2] [14, 32, 32, 77]");
  EXPECT_EQ(given("MatMul", {matrix, floats({3}, {1, 0, 1})}, {{"transpose_b", "true"}}), "float32[2] [4, 10]");
}

TEST(OpenVino, OperatorsWithoutARowAreNotThere) {
  EXPECT_EQ(find_openvino_operator("Sub", 8), nullptr);
  EXPECT_EQ(find_openvino_operator("Loop", 8), nullptr);
}

}  // namespace
}  // namespace ifcert::kernels
