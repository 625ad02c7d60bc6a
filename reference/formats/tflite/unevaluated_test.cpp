// Variables and resources: a model that reads one is legal, but is neither run nor written.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ifcert/reference.hpp>

#include "formats/tflite/file_builder.hpp"

namespace ifcert::tflite {
namespace {

using namespace file_builder;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

Tensor state(Tensor tensor) {
  tensor.variable = true;
  tensor.name = "state";
  return tensor;
}

const Subgraph negated = unary("negated", BuiltinOperator_NEG, ints({-1}));
const Subgraph kept = pass("kept", ints({-1}));

/// Files that read a variable, by the kind of reader.
std::vector<std::pair<std::string, File>> files() {
  const auto choosing = [](const Tensor& cond, const Tensor& operand, const Subgraph& otherwise) {
    File file{{{"main", {boolean(), ints({-1}), ints({-1}), cond, operand}, {0, 1}, {2}, {}}, negated, otherwise}};
    file.subgraphs[0].operators = {if_({cond.variable ? 3 : 0, operand.variable ? 4 : 1}, {2}, 1, 2)};
    return file;
  };
  const auto repeating = [](const Tensor& operand, const Subgraph& cond, const Subgraph& body) {
    File file{{{"main", {ints(), ints(), operand}, {0}, {1}, {}}, cond, body}};
    file.subgraphs[0].operators = {while_({operand.variable ? 2 : 0}, {1}, 1, 2)};
    return file;
  };
  const Subgraph never{"never", {ints(), boolean()}, {0}, {1}, {operation(BuiltinOperator_LESS, {0, 0}, {1})}};
  const Subgraph same = pass("same", ints());
  return {
      {"output", {{{"main", {ints(), state(ints())}, {0}, {1}}}}},
      {"operand",
       {{{"main", {ints(), state(ints()), ints()}, {0}, {2}, {operation(BuiltinOperator_ADD, {0, 1}, {2})}}}}},
      {"operand that is made later",
       {{{"main",
          {ints(), state(ints()), ints()},
          {0},
          {2},
          {operation(BuiltinOperator_ADD, {0, 1}, {2}), operation(BuiltinOperator_NEG, {2}, {1})}}}}},
      {"output that is made twice",
       {{{"main",
          {ints(), state(ints())},
          {0},
          {1},
          {operation(BuiltinOperator_ABS, {0}, {1}), operation(BuiltinOperator_NEG, {0}, {1})}}}}},
      {"cond", choosing(state(boolean()), ints({-1}), kept)},
      {"operand of an If", choosing(boolean(), state(ints({-1})), kept)},
      {"output of a subgraph", choosing(boolean(), ints({-1}), {"state", {ints({-1}), state(ints({-1}))}, {0}, {1}})},
      {"loop variable", repeating(state(ints()), never, same)},
      {"condition of a loop", repeating(ints(), {"ask", {ints(), state(boolean())}, {0}, {1}}, same)},
      {"output of a body", repeating(ints(), never, {"state", {ints(), state(ints())}, {0}, {1}})},
  };
}

std::string refusal_of(const std::function<void()>& act) {
  try {
    act();
  } catch (const std::exception& error) {
    return error.what();
  }
  return "nothing was refused";
}

TEST(Unevaluated, AVariableIsNotReportedAsASparseInitializerOfOnnx) {
  for (const auto& [reader, file] : files()) {
    try {
      const Program program(read(file).model);
      FAIL() << reader;
    } catch (const EvaluationError& error) {
      EXPECT_THAT(error.missing_operator, HasSubstr("variable")) << reader;
      EXPECT_THAT(error.missing_operator, Not(HasSubstr("sparse_initializer"))) << reader;
    }
  }
}

TEST(Unevaluated, AVariableThatSomethingReadsIsLegalAndNamedWhereItCannotBeRunOrWritten) {
  for (const auto& [reader, file] : files()) {
    const Reading reading = read(file);
    EXPECT_THAT(check(reading), IsEmpty()) << reader;
    const Model& model = reading.model;
    EXPECT_THAT(refusal_of([&] { Program{model}; }),
                HasSubstr("tensor \"state\": the reference does not evaluate variables"))
        << reader;
    for (const Format format : {Format::onnx, Format::openvino}) {
      EXPECT_THAT(refusal_of([&] { translate(model, format); }), HasSubstr("tensor \"state\": a variable, a resource"))
          << reader;
    }
    EXPECT_THAT(refusal_of([&] { write(model, Identifier::circle); }), HasSubstr("variables, resources")) << reader;
  }
}

TEST(Unevaluated, AResourceWithContentIsToo) {
  File file{{{"main", {ints(), {TensorType_RESOURCE, {}, "state", 1}}, {0}, {1}}}};
  file.buffers = {{"content"}};
  EXPECT_THAT(check(read(file)), IsEmpty());
  const Model model = read(file).model;
  EXPECT_THAT(refusal_of([&] { Program{model}; }),
              HasSubstr("tensor \"state\": the reference does not evaluate variables"));
  EXPECT_THAT(refusal_of([&] { translate(model, Format::onnx); }), HasSubstr("tensor \"state\""));
}

TEST(Unevaluated, AVariableThatIsMadeInFrontOfItsUsesIsAValueLikeAnother) {
  const File file{{{"main",
                    {ints(), state(ints()), ints()},
                    {0},
                    {2},
                    {operation(BuiltinOperator_NEG, {0}, {1}), operation(BuiltinOperator_ABS, {1}, {2})}}}};
  EXPECT_THAT(read(file).model.main().unevaluated, IsEmpty());
  EXPECT_THAT(check(translate(read(file).model, Format::onnx)), IsEmpty());
}

TEST(Unevaluated, AVariableThatNothingReadsIsInNobodysWay) {
  const File file{{{"main", {ints(), state(ints())}, {0}, {0}}}};
  const std::int32_t number = 7;
  const std::vector<Value> inputs{make_tensor<std::int32_t>(ElementType::int32, {}, {&number, 1})};
  EXPECT_EQ(to_string(Program(read(file).model).run(inputs).front()), "int32[] [7]");
  EXPECT_THAT(check(translate(read(file).model, Format::onnx)), IsEmpty());
}

}  // namespace
}  // namespace ifcert::tflite
