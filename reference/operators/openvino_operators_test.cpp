// OpenVINO's operators with attributes as IR writes them; expected values are worked out by hand from their
// specifications.
#include "operators/openvino_operators.hpp"

#include "operators/operator_call.hpp"

namespace ifcert::kernels {
namespace {

using testing::HasSubstr;

using Texts = std::map<std::string, std::string>;

/// The outputs of the operator for a node with that many, or the message with which it refuses.
std::string all_given(const std::string& op, const std::vector<Value>& inputs, const Texts& data, std::size_t count,
                      int version = 16) {
  Node node;
  node.op = op;
  node.version = version;
  for (Slot i = 0; i < inputs.size(); ++i) node.inputs.push_back(i);
  for (const auto& [name, text] : data) node.attributes.emplace(name, text);
  std::vector<Value> outputs(count);
  const Operator* found = find_openvino_operator(op, version);
  if (found == nullptr) return "no operator";
  try {
    found->evaluate({node, inputs}, outputs);
  } catch (const EvaluationError& error) {
    return error.what();
  }
  std::string text = count == 0 ? "nothing" : to_string(outputs[0]);
  for (std::size_t i = 1; i < count; ++i) text += "; " + to_string(outputs[i]);
  return text;
}

std::string outcome(const std::string& op, const std::vector<Value>& inputs, const Texts& data = {}, int version = 16) {
  return all_given(op, inputs, data, 1, version);
}

Value ints(Dims dims, const std::vector<std::int32_t>& elements) {
  return tensor(ElementType::int32, std::move(dims), elements);
}

Value bytes(const std::vector<std::uint8_t>& elements) {
  return tensor(ElementType::uint8, {static_cast<std::int64_t>(elements.size())}, elements);
}

const Value matrix = floats({2, 3}, {1, 2, 3, 4, 5, 6});

TEST(OpenVino, ArithmeticBroadcastsUnlessAutoBroadcastIsNone) {
  EXPECT_EQ(outcome("Add", {matrix, floats({3}, {10, 20, 30})}), "float32[2, 3] [11, 22, 33, 14, 25, 36]");
  EXPECT_EQ(outcome("Subtract", {matrix, floats({}, {1})}, {{"auto_broadcast", "numpy"}}),
            "float32[2, 3] [0, 1, 2, 3, 4, 5]");
  EXPECT_EQ(outcome("Multiply", {ints({2}, {3, 4}), ints({2}, {5, -6})}, {{"auto_broadcast", "none"}}),
            "int32[2] [15, -24]");
  EXPECT_EQ(outcome("Add", {matrix, floats({3}, {1, 1, 1})}, {{"auto_broadcast", "none"}}),
            "Add: the shapes differ and auto_broadcast is none");
  EXPECT_EQ(outcome("Add", {matrix, matrix}, {{"auto_broadcast", "explicit"}}),
            "Add: unknown auto_broadcast \"explicit\"");
}

TEST(OpenVino, ALayerWithoutOutputsOrWithTwoIsRefused) {
  for (const std::size_t count : {0U, 2U}) {
    EXPECT_THAT(all_given("Gather", {matrix, ints({1}, {0}), ints({}, {1})}, {}, count), HasSubstr("outputs")) << count;
    EXPECT_THAT(all_given("ShapeOf", {matrix}, {}, count), HasSubstr("outputs")) << count;
    EXPECT_THAT(all_given("Convert", {matrix}, {{"destination_type", "i32"}}, count), HasSubstr("outputs")) << count;
    EXPECT_THAT(all_given("Range", {ints({}, {0}), ints({}, {3}), ints({}, {1})}, {{"output_type", "i32"}}, count),
                HasSubstr("outputs"))
        << count;
  }
}

/// The examples of "Broadcast Rules For Elementwise Operations", PDPD: the element of B that is added to each element
/// of A.
TEST(OpenVino, PaddleAlignsTheSecondOperandAtAnAxis) {
  const auto added = [](const Dims& a, const Dims& b, const std::string& axis) {
    std::vector<std::int32_t> zeros(element_count(a)), numbers(element_count(b));
    for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<std::int32_t>(i);
    return outcome("Add", {ints(a, zeros), ints(b, numbers)}, {{"auto_broadcast", "pdpd"}, {"axis", axis}});
  };
  EXPECT_EQ(added({1, 2, 2, 2}, {2, 2}, "1"), "int32[1, 2, 2, 2] [0, 0, 1, 1, 2, 2, 3, 3]");
  EXPECT_EQ(added({1, 2, 2, 2}, {2, 1}, "1"), "int32[1, 2, 2, 2] [0, 0, 0, 0, 1, 1, 1, 1]");
  EXPECT_EQ(added({2, 2, 2}, {2, 2}, "-1"), "int32[2, 2, 2] [0, 1, 2, 3, 0, 1, 2, 3]");
  EXPECT_EQ(added({2, 3}, {1, 3}, "0"), "int32[2, 3] [0, 1, 2, 0, 1, 2]");
  EXPECT_EQ(added({2, 3}, {}, "-1"), "int32[2, 3] [0, 0, 0, 0, 0, 0]");
  EXPECT_EQ(added({2, 3}, {3}, "-1"), "int32[2, 3] [0, 1, 2, 0, 1, 2]");
  EXPECT_EQ(outcome("Add", {ints({2, 1}, {0, 0}), ints({2}, {1, 2})},
                    {{"auto_broadcast", "pdpd"}, {"auto_broadcast.auto_broadcast_axis", "0"}}),
            "int32[2, 1] [1, 2]");
  EXPECT_EQ(added({1, 3}, {2, 3}, "0"), "Add: operand 1 does not broadcast to operand 0");
  EXPECT_EQ(added({8, 1, 6, 1}, {7, 1, 5}, "2"), "Add: operand 1 is not a subsequence of operand 0 at axis 2");
  EXPECT_EQ(added({2}, {1, 2}, "-1"), "Add: operand 1 is not a subsequence of operand 0 at axis -1");
}

TEST(OpenVino, PaddlesShapesAreNotInferredByNumpysRules) {
  Node node;
  node.op = "Add";
  node.inputs = {0, 1};
  const auto inferred_shape = [&] {
    const std::vector<Type> types{float_type({3, 1, 1}), float_type({3})};
    const std::vector<Value> constants(2);
    std::vector<Type> outputs(1);
    find_openvino_operator("Add", 1)->infer({node, pointers_to(types), constants}, outputs);
    return to_string(outputs[0]);
  };
  EXPECT_EQ(inferred_shape(), "float32[3, 1, 3]");
  node.attributes.emplace("auto_broadcast", std::string("pdpd"));
  EXPECT_EQ(inferred_shape(), "float32");
}

TEST(OpenVino, SelectPicksEachElementFromOneOfTwo) {
  const Value cond = booleans({2}, {1, 0});
  EXPECT_EQ(outcome("Select", {cond, ints({2}, {1, 2}), ints({}, {9})}), "int32[2] [1, 9]");
  EXPECT_EQ(outcome("Select", {cond, ints({2}, {1, 2}), ints({}, {9})}, {{"auto_broadcast", "none"}}),
            "Select: the shapes differ and auto_broadcast is none");
  EXPECT_EQ(outcome("Select", {cond, ints({2}, {1, 2}), ints({2}, {3, 4})}, {{"auto_broadcast", "none"}}),
            "int32[2] [1, 4]");
}

TEST(OpenVino, DivisionOfIntegersRoundsDownWithPythondiv) {
  const Value a = ints({4}, {7, -7, 7, -8});
  const Value b = ints({4}, {2, 2, -2, 2});
  EXPECT_EQ(outcome("Divide", {a, b}), "int32[4] [3, -4, -4, -4]");
  EXPECT_EQ(outcome("Divide", {a, b}, {{"m_pythondiv", "false"}}), "int32[4] [3, -3, -3, -4]");
  EXPECT_EQ(outcome("Divide", {ints({1}, {-2147483647 - 1}), ints({1}, {-1})}), "int32[1] [-2147483648]");
  EXPECT_EQ(outcome("Divide", {floats({1}, {-7}), floats({1}, {2})}), "float32[1] [-3.5]");
  EXPECT_EQ(outcome("Divide", {ints({1}, {1}), ints({1}, {0})}), "Div: integer division by zero");
}

TEST(OpenVino, ComparisonsAndLogicReturnBooleans) {
  EXPECT_EQ(outcome("Less", {matrix, floats({}, {3})}), "bool[2, 3] [true, true, false, false, false, false]");
  EXPECT_EQ(outcome("Greater", {ints({2}, {1, 3}), ints({2}, {2, 2})}), "bool[2] [false, true]");
  EXPECT_EQ(outcome("Equal", {ints({2}, {1, 2}), ints({2}, {2, 2})}), "bool[2] [false, true]");
  EXPECT_EQ(outcome("LogicalNot", {booleans({2}, {1, 0})}), "bool[2] [false, true]");
  EXPECT_EQ(outcome("LogicalAnd", {booleans({2}, {1, 0}), booleans({1}, {1})}), "bool[2] [true, false]");
  EXPECT_EQ(outcome("LogicalOr", {booleans({2}, {1, 0}), booleans({1}, {0})}), "bool[2] [true, false]");
  EXPECT_EQ(outcome("LogicalXor", {booleans({2}, {1, 0}), booleans({1}, {1})}), "bool[2] [false, true]");
}

TEST(OpenVino, EachElementOnItsOwn) {
  EXPECT_EQ(outcome("Negative", {ints({2}, {1, -2})}), "int32[2] [-1, 2]");
  EXPECT_EQ(outcome("Abs", {floats({2}, {-1.5, 2})}), "float32[2] [1.5, 2]");
  EXPECT_EQ(outcome("ReLU", {floats({2}, {-1.5, 2})}), "float32[2] [0, 2]");
  EXPECT_EQ(outcome("Sqrt", {floats({2}, {2.25, 4})}), "float32[2] [1.5, 2]");
  EXPECT_EQ(outcome("Power", {floats({2}, {2, 3}), floats({}, {3})}), "float32[2] [8, 27]");
  EXPECT_EQ(outcome("Identity", {matrix}), to_string(matrix));
  EXPECT_EQ(outcome("ConvertLike", {floats({2}, {1.5, 2}), ints({1}, {0})}), "int32[2] [1, 2]");
}

TEST(OpenVino, AxesAreOperandsOfAnyIntegerType) {
  EXPECT_EQ(outcome("Gather", {matrix, ints({2}, {2, -3}), bytes({1})}), "float32[2, 2] [3, 1, 6, 4]");
  EXPECT_EQ(outcome("Gather", {matrix, ints({}, {1}), ints({}, {0})}), "float32[3] [4, 5, 6]");
  EXPECT_EQ(outcome("Squeeze", {floats({1, 2, 1}, {1, 2}), ints({1}, {-1})}), "float32[1, 2] [1, 2]");
  EXPECT_EQ(outcome("Squeeze", {floats({1, 2, 1}, {1, 2})}), "float32[2] [1, 2]");
  EXPECT_EQ(outcome("Squeeze", {floats({1, 2, 1}, {1, 2}), ints({0}, {})}), "float32[2] [1, 2]");
  EXPECT_EQ(outcome("Unsqueeze", {floats({2}, {1, 2}), ints({}, {0})}), "float32[1, 2] [1, 2]");
  EXPECT_EQ(outcome("ReduceSum", {matrix, bytes({1})}), "float32[2] [6, 15]");
  EXPECT_EQ(outcome("ReduceSum", {matrix, ints({1}, {0})}, {{"keep_dims", "true"}}), "float32[1, 3] [5, 7, 9]");
  EXPECT_EQ(outcome("ReduceSum", {floats({2}, {1, 2}), ints({0}, {})}), "float32[2] [1, 2]");
  EXPECT_EQ(outcome("ReduceMean", {matrix, ints({1}, {1})}), "float32[2] [2, 5]");
  EXPECT_EQ(outcome("ReduceMax", {matrix, ints({2}, {0, 1})}), "float32[] [6]");
  EXPECT_EQ(outcome("ReduceProd", {matrix, ints({1}, {1})}), "float32[2] [6, 120]");
  EXPECT_EQ(outcome("ReduceProd", {ints({2}, {-3, 5}), ints({1}, {0})}), "int32[] [-15]");
  EXPECT_EQ(outcome("ReduceSum", {matrix, ints({1}, {0})}, {{"keep_dims", "maybe"}}),
            "ReduceSum: attribute keep_dims is \"maybe\"; expected true or false");
}

/// The numbered examples of Gather-8.
TEST(OpenVino, GatherStaysWithinItsBatches) {
  const Value data = ints({2, 5}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10});
  const Value indices = ints({2, 3}, {0, 0, 4, 4, 0, 0});
  EXPECT_EQ(outcome("Gather", {data, indices, ints({}, {1})}, {{"batch_dims", "1"}}),
            "int32[2, 3] [1, 1, 5, 10, 6, 6]");
  EXPECT_EQ(outcome("Gather", {data, indices, ints({}, {1})}, {{"batch_dims", "-1"}}),
            "int32[2, 3] [1, 1, 5, 10, 6, 6]");
  const Value deep = ints({2, 1, 2, 2}, {1, 2, 3, 4, 5, 6, 7, 8});
  EXPECT_EQ(outcome("Gather", {deep, ints({2, 1}, {1, 0}), ints({}, {2})}, {{"batch_dims", "1"}}),
            "int32[2, 1, 1, 2] [3, 4, 5, 6]");
  EXPECT_EQ(outcome("Gather", {ints({0, 2}, {}), ints({0, 3}, {}), ints({}, {1})}, {{"batch_dims", "1"}}),
            "int32[0, 3] []");
  EXPECT_EQ(outcome("Gather", {data, indices, ints({}, {0})}, {{"batch_dims", "1"}}),
            "Gather: attribute batch_dims is 1; expected at most 0");
  EXPECT_EQ(outcome("Gather", {data, ints({1, 1}, {0}), ints({}, {1})}, {{"batch_dims", "1"}}),
            "Gather: data and indices have different batch dims");
}

TEST(OpenVino, GatherReturnsZerosForIndicesOutOfRange) {
  const Value data = ints({5}, {1, 2, 3, 4, 5});
  EXPECT_EQ(outcome("Gather", {data, ints({3}, {3, 10, -20}), ints({}, {0})}), "int32[3] [4, 0, 0]");
  EXPECT_EQ(outcome("Gather", {data, ints({3}, {0, -2, -1}), ints({}, {0})}), "int32[3] [1, 4, 5]");
  EXPECT_EQ(outcome("Gather", {data, ints({2}, {-2, 5}), ints({}, {0})}), "int32[2] [4, 0]");
  EXPECT_EQ(outcome("Gather", {matrix, ints({1}, {3}), ints({}, {1})}), "float32[2, 1] [0, 0]");
  EXPECT_THAT(outcome("Gather", {data, ints({1}, {5}), ints({}, {0})}, {}, 7), testing::HasSubstr("Gather: "));
}

/// The numbered examples of Slice-8.
TEST(OpenVino, SliceHasItsStepBeforeItsAxes) {
  const Value data = ints({10}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9});
  const auto sliced = [&](std::int32_t start, std::int32_t stop, std::int32_t step) {
    return outcome("Slice", {data, ints({1}, {start}), ints({1}, {stop}), ints({1}, {step})});
  };
  EXPECT_EQ(sliced(1, 8, 2), "int32[4] [1, 3, 5, 7]");
  EXPECT_EQ(sliced(-100, 100, 4), "int32[3] [0, 4, 8]");
  EXPECT_EQ(sliced(9, -11, -3), "int32[4] [9, 6, 3, 0]");
  EXPECT_EQ(outcome("Slice", {matrix, ints({1}, {0}), ints({1}, {3}), ints({1}, {2}), ints({1}, {-1})}),
            "float32[2, 2] [1, 3, 4, 6]");
}

/// The examples of Range-4.
TEST(OpenVino, RangeCountsInTheTypeThatItNames) {
  const auto ranged = [](const Value& start, const Value& stop, const Value& step, const std::string& type) {
    return outcome("Range", {start, stop, step}, {{"output_type", type}});
  };
  EXPECT_EQ(ranged(ints({}, {2}), ints({}, {23}), ints({}, {3}), "i32"), "int32[7] [2, 5, 8, 11, 14, 17, 20]");
  EXPECT_EQ(ranged(ints({}, {23}), ints({}, {2}), ints({}, {-3}), "i32"), "int32[7] [23, 20, 17, 14, 11, 8, 5]");
  EXPECT_EQ(ranged(ints({}, {1}), floats({}, {2.5}), floats({}, {0.5}), "f32"), "float32[3] [1, 1.5, 2]");
  EXPECT_EQ(ranged(ints({}, {3}), ints({}, {3}), ints({}, {1}), "u8"), "uint8[0] []");
  EXPECT_EQ(outcome("Range", {ints({}, {0}), ints({}, {2}), ints({}, {1})}, {}, 1), "int32[2] [0, 1]");
  EXPECT_EQ(outcome("Range", {ints({}, {0}), ints({}, {2}), ints({}, {1})}),
            "Range: attribute output_type is \"\", which is not an element type of the reference");
}

TEST(OpenVino, ShapeOfHasTheRequestedType) {
  EXPECT_EQ(outcome("Reshape", {matrix, ints({2}, {0, -1})}, {{"special_zero", "true"}}),
            "float32[2, 3] [1, 2, 3, 4, 5, 6]");
  EXPECT_EQ(outcome("Reshape", {floats({0, 2}, {}), ints({2}, {0, 5})}, {{"special_zero", "false"}}),
            "float32[0, 5] []");
  EXPECT_EQ(outcome("Concat", {matrix, floats({2, 1}, {7, 8})}, {{"axis", "-1"}}),
            "float32[2, 4] [1, 2, 3, 7, 4, 5, 6, 8]");
  EXPECT_EQ(outcome("Concat", {matrix}), "Concat: attribute axis is \"\"; expected an integer");
  EXPECT_EQ(outcome("Transpose", {matrix, ints({0}, {})}), "float32[3, 2] [1, 4, 2, 5, 3, 6]");
  EXPECT_EQ(outcome("Broadcast", {floats({2, 1}, {1, 2}), ints({2}, {2, 2})}), "float32[2, 2] [1, 1, 2, 2]");
  EXPECT_EQ(outcome("Broadcast", {floats({2, 1}, {1, 2}), ints({2}, {1, 2})}),
            "Broadcast: the operand does not broadcast to target_shape");
  EXPECT_EQ(outcome("Broadcast", {floats({2, 1}, {1, 2}), ints({2}, {1, 2})}, {{"mode", "bidirectional"}}),
            "float32[2, 2] [1, 1, 2, 2]");
  EXPECT_EQ(outcome("Tile", {floats({2}, {1, 2}), ints({2}, {2, 1})}), "float32[2, 2] [1, 2, 1, 2]");
  EXPECT_EQ(all_given("Split", {matrix, ints({}, {1})}, {{"num_splits", "3"}}, 3),
            "float32[2, 1] [1, 4]; float32[2, 1] [2, 5]; float32[2, 1] [3, 6]");
  EXPECT_EQ(outcome("ShapeOf", {matrix}), "int64[2] [2, 3]");
  EXPECT_EQ(outcome("ShapeOf", {matrix}, {{"output_type", "i32"}}), "int32[2] [2, 3]");
}

TEST(OpenVino, ConvertHasItsTypeAsAString) {
  EXPECT_EQ(outcome("Convert", {floats({2}, {1.9F, -1.9F})}, {{"destination_type", "i64"}}), "int64[2] [1, -1]");
  EXPECT_EQ(outcome("Convert", {floats({2}, {0.5, 0})}, {{"destination_type", "boolean"}}), "bool[2] [true, false]");
  EXPECT_EQ(outcome("Convert", {matrix}, {{"destination_type", "float"}}),
            "Convert: attribute destination_type is \"float\", which is not an element type of the reference");
}

TEST(OpenVino, MatMulTransposesByItsAttributes) {
  EXPECT_EQ(outcome("MatMul", {matrix, matrix}, {{"transpose_a", "false"}, {"transpose_b", "true"}}),
            "float32[2, 2] [14, 32, 32, 77]");
  EXPECT_EQ(outcome("MatMul", {matrix, floats({3}, {1, 0, 1})}, {{"transpose_b", "true"}}), "float32[2] [4, 10]");
}

/// What inference says against operands of these types, whose values are `known` or left open (an empty Value); empty
/// where it accepts them.
std::string fault(const std::string& op, const std::vector<Type>& types, const Texts& data = {}, std::size_t count = 1,
                  std::vector<Value> known = {}) {
  Node node;
  node.op = op;
  node.inputs.assign(types.size(), 0);
  for (const auto& [name, text] : data) node.attributes.emplace(name, text);
  known.resize(types.size());
  std::vector<Type> outputs(count);
  std::string misfit;
  try {
    find_openvino_operator(op, 8)->infer({node, pointers_to(types), known, nullptr, &misfit}, outputs);
  } catch (const EvaluationError& error) {
    return error.what();
  }
  return misfit;
}

TEST(OpenVino, FaultsThatNoValueMendsAreFoundBeforeTheRun) {
  const Type cube = float_type({2, 3, 4});
  const auto numbers = [](const Dims& dims) { return Type::tensor(ElementType::int64, static_shape(dims)); };
  EXPECT_EQ(fault("Gather", {cube, numbers({2})}), "Gather: 2 operands given; expected 3");
  EXPECT_EQ(fault("Split", {cube, numbers({})}, {{"num_splits", ""}}, 2),
            "Split: attribute num_splits is \"\"; expected an integer");
  EXPECT_EQ(fault("Split", {cube, numbers({})}, {{"num_splits", "3"}}, 2),
            "Split: num_splits is not 2, the number of outputs");
  EXPECT_EQ(fault("Transpose", {cube, numbers({2})}), "Transpose: 2 axes are given for 3 axes");
  EXPECT_EQ(fault("Transpose", {cube, numbers({0})}), "");
  EXPECT_EQ(fault("Broadcast", {cube, numbers({2})}), "Broadcast: target_shape has 2 dims, but the operand has 3");
  EXPECT_EQ(fault("Broadcast", {cube, numbers({2})}, {{"mode", "bidirectional"}}), "");
  EXPECT_EQ(fault("Broadcast", {cube, numbers({4}), numbers({3})}, {{"mode", "explicit"}}), "");
  EXPECT_EQ(fault("ReduceSum", {cube, cube}), "ReduceSum: operand 1 is tensor(float32); expected integers");
  EXPECT_EQ(fault("ReduceSum", {Type::tensor(ElementType::string), numbers({1})}),
            "ReduceSum: operand 0 is tensor(string), which it does not accept");
  EXPECT_EQ(fault("ReduceSum", {Type::tensor(ElementType::boolean), numbers({1})}), "") << "bool may be numeric";
  EXPECT_EQ(outcome("ReduceSum", {booleans({1}, {1}), ints({1}, {0})}),
            "ReduceSum: the reference does not support elements of bool");
}

// "Specified dimension should be equal to 1, otherwise it will be ignored and copied as is." (Squeeze-1, Squeeze-15)
TEST(OpenVino, SqueezeSkipsADimThatIsNotOne) {
  EXPECT_EQ(outcome("Squeeze", {matrix, ints({1}, {0})}), to_string(matrix));
  EXPECT_EQ(outcome("Squeeze", {matrix, ints({1}, {-1})}, {}, 8), to_string(matrix));
  EXPECT_EQ(outcome("Squeeze", {floats({1, 2, 1}, {1, 2}), ints({2}, {0, 1})}), "float32[2, 1] [1, 2]");
  EXPECT_EQ(outcome("Squeeze", {matrix, ints({1}, {2})}), "Squeeze: axis 2 is outside [-2, 1] of rank 2");
  const auto fault_of_axis = [](std::int32_t axis) {
    const Value axes = ints({1}, {axis});
    return fault("Squeeze", {float_type({2, 3}), type_of(axes)}, {}, 1, {Value{}, axes});
  };
  EXPECT_EQ(fault_of_axis(1), "");
  EXPECT_EQ(fault_of_axis(2), "Squeeze: axis 2 is outside [-2, 1] of rank 2");
}

TEST(OpenVino, ElementsThatOnlyThePageHasAreLegalAndNotComputed) {
  const auto fault_of = [](const std::string& op, ElementType type, std::size_t count) {
    return fault(op, std::vector<Type>(count, Type::tensor(type)));
  };
  for (const char* op : {"Sqrt", "Tanh", "ReLU"})
    EXPECT_EQ(fault_of(op, ElementType::uint8, 1), "") << "any numeric type";
  EXPECT_EQ(fault_of("Abs", ElementType::int4, 1), "");
  EXPECT_EQ(fault_of("Power", ElementType::int8, 2), "");
  EXPECT_EQ(fault_of("Less", ElementType::string, 2), "") << "arbitrary supported type";
  EXPECT_EQ(fault_of("Negative", ElementType::uint8, 1),
            "Negative: operands are tensor(uint8), which it does not accept");
  EXPECT_EQ(fault_of("Sigmoid", ElementType::int32, 1),
            "Sigmoid: operands are tensor(int32), which it does not accept");
  EXPECT_EQ(fault_of("Tanh", ElementType::boolean, 1), "Tanh: operands are tensor(bool), which it does not accept");
  EXPECT_EQ(fault("Add", {Type::tensor(ElementType::int32), Type::tensor(ElementType::int64)}),
            "Add: operand 1 is tensor(int64), but operand 0 is tensor(int32)");
  EXPECT_EQ(outcome("Tanh", {ints({1}, {0})}), "Tanh: the reference does not support elements of int32");
  EXPECT_EQ(outcome("Less", {booleans({1}, {1}), booleans({1}, {1})}),
            "Less: the reference does not support elements of bool");
  EXPECT_EQ(outcome("MatMul", {bytes({1}), bytes({1})}), "MatMul: the reference does not support elements of uint8");
}

TEST(OpenVino, AnAxisOfUnsqueezeThatIsGivenTwiceIsLeftToTheRun) {
  const Value axes = ints({2}, {0, 0});
  EXPECT_EQ(fault("Unsqueeze", {float_type({2}), type_of(axes)}, {}, 1, {Value{}, axes}), "");
  const Value outside = ints({2}, {0, 4});
  EXPECT_EQ(fault("Unsqueeze", {float_type({2}), type_of(outside)}, {}, 1, {Value{}, outside}),
            "Unsqueeze: axis 4 is outside [-3, 2] of rank 3");
}

TEST(OpenVino, RepeatsOfTileAreOfAnyRank) {
  EXPECT_EQ(outcome("Tile", {floats({2}, {1, 2}), ints({1, 2}, {2, 1})}), "float32[2, 2] [1, 2, 1, 2]");
  EXPECT_EQ(fault("Tile", {float_type({2}), Type::tensor(ElementType::int32, static_shape({1, 2}))}), "");
}

TEST(OpenVino, OperatorsWithoutARowAreUnknown) {
  EXPECT_EQ(find_openvino_operator("Sub", 8), nullptr);
  EXPECT_EQ(find_openvino_operator("Loop", 8), nullptr);
}

}  // namespace
}  // namespace ifcert::kernels
