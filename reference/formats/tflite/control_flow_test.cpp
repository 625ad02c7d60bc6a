// The messages about an If or a While that breaks a rule: the subgraph and the operator by their indices, the subgraph
// that it names, the finding. A mistake is reported once.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ifcert/reference.hpp>

#include "formats/tflite/file_builder.hpp"

namespace ifcert::tflite {
namespace {

using namespace file_builder;
using testing::ElementsAre;
using testing::IsEmpty;

const Tensor real{TensorType_FLOAT32};

/// z = -x; y = cond ? -z : z. The If is operator 1.
File if_file() {
  return {{{"main",
            {boolean(), ints(), ints(), ints()},
            {0, 1},
            {3},
            {operation(BuiltinOperator_NEG, {1}, {2}), if_({0, 2}, {3}, 1, 2)}},
           unary("negated", BuiltinOperator_NEG, ints()),
           pass("kept", ints())}};
}

/// z = -x; y = z counted to 5. The While is operator 1.
File while_file() {
  return {
      {{"main", {ints(), ints(), ints()}, {0}, {2}, {operation(BuiltinOperator_NEG, {0}, {1}), while_({1}, {2}, 1, 2)}},
       {"below", {ints(), ints({}, 1), boolean()}, {0}, {2}, {operation(BuiltinOperator_LESS, {0, 1}, {2})}},
       {"step", {ints(), ints({}, 1), ints()}, {0}, {2}, {operation(BuiltinOperator_ADD, {0, 1}, {2})}}},
      {{bytes_of<std::int32_t>({5})}}};
}

/// `rule: place: found` for each rule that the model breaks.
std::vector<std::string> findings_of(const File& file) {
  std::vector<std::string> all;
  for (const Diagnostic& broken : check(read(file)))
    all.push_back(fmt::format("{}: {}: {}", broken.rule, broken.place, broken.found));
  return all;
}

/// The findings in the model after `spoil` changed it.
template <class Spoil>
std::vector<std::string> findings_after(File file, const Spoil& spoil) {
  spoil(file);
  return findings_of(file);
}

const std::string at_if = R"(subgraph 0 "main" / operator 1 (If))";
const std::string at_while = R"(subgraph 0 "main" / operator 1 (While))";

TEST(TfliteDiagnostics, OfALegalModelAreNone) {
  EXPECT_THAT(findings_of(if_file()), IsEmpty());
  EXPECT_THAT(findings_of(while_file()), IsEmpty());
}

TEST(TfliteDiagnostics, AskForWhatWasNotFound) {
  File file = if_file();
  file.subgraphs[0].operators[1].options = if_options(1, 3);
  const std::vector<Diagnostic> broken = check(read(file));
  ASSERT_EQ(broken.size(), 1U);
  EXPECT_EQ(broken[0].expected, "the index of one of the model's 3 subgraphs");
}

TEST(TfliteDiagnostics, OfAnIndexNameTheSubgraphThatItShouldBe) {
  for (const std::int32_t index : {3, -1, 2147483647}) {
    EXPECT_THAT(findings_after(if_file(), [&](File& f) { f.subgraphs[0].operators[1].options = if_options(index, 2); }),
                ElementsAre(fmt::format("tflite/if/subgraph-index: {} / then_subgraph: then_subgraph_index is {}",
                                        at_if, index)));
    EXPECT_THAT(findings_after(if_file(), [&](File& f) { f.subgraphs[0].operators[1].options = if_options(1, index); }),
                ElementsAre(fmt::format("tflite/if/subgraph-index: {} / else_subgraph: else_subgraph_index is {}",
                                        at_if, index)));
    EXPECT_THAT(
        findings_after(while_file(), [&](File& f) { f.subgraphs[0].operators[1].options = while_options(index, 2); }),
        ElementsAre(fmt::format("tflite/while/subgraph-index: {} / cond_subgraph: cond_subgraph_index is {}", at_while,
                                index)));
    EXPECT_THAT(
        findings_after(while_file(), [&](File& f) { f.subgraphs[0].operators[1].options = while_options(1, index); }),
        ElementsAre(fmt::format("tflite/while/subgraph-index: {} / body_subgraph: body_subgraph_index is {}", at_while,
                                index)));
  }
}

TEST(TfliteDiagnostics, OfOptionsSayWhetherThereAreNoneOrOthers) {
  const auto with = [](File file, const Options& options) {
    file.subgraphs[0].operators[1].options = options;
    return findings_of(file);
  };
  EXPECT_THAT(with(if_file(), {}),
              ElementsAre("tflite/if/options-required: " + at_if + ": there are no builtin_options"));
  EXPECT_THAT(with(if_file(), {schema::BuiltinOptions_IfOptions}),
              ElementsAre("tflite/if/options-required: " + at_if + ": there are no builtin_options"))
      << "a type alone";
  EXPECT_THAT(with(if_file(), while_options(1, 2)),
              ElementsAre("tflite/if/options-required: " + at_if + ": builtin_options_type is 93"));
  EXPECT_THAT(with(while_file(), {}),
              ElementsAre("tflite/while/options-required: " + at_while + ": there are no builtin_options"));
  EXPECT_THAT(with(while_file(), if_options(1, 2)),
              ElementsAre("tflite/while/options-required: " + at_while + ": builtin_options_type is 92"));
  Options unheard_of = while_options(1, 2);
  unheard_of.type = static_cast<schema::BuiltinOptions>(120);
  EXPECT_THAT(with(while_file(), unheard_of),
              ElementsAre("tflite/while/options-required: " + at_while + ": builtin_options_type is 120"));
}

TEST(TfliteDiagnostics, OfCondSaySo) {
  EXPECT_THAT(findings_after(if_file(), [](File& f) { f.subgraphs[0].operators[1].inputs = {}; }),
              ElementsAre("tflite/if/cond-required: " + at_if + ": inputs is empty"));
  EXPECT_THAT(findings_after(if_file(), [](File& f) { f.subgraphs[0].operators[1].inputs[0] = -1; }),
              ElementsAre("tflite/if/cond-required: " + at_if + ": input 0 is -1, no tensor"));
  EXPECT_THAT(findings_after(if_file(), [](File& f) { f.subgraphs[0].tensors[0].type = TensorType_FLOAT32; }),
              ElementsAre("tflite/if/cond-form: " + at_if + " / cond: cond is tensor(float32)"));
}

TEST(TfliteDiagnostics, OfAnAbsentInputCountIt) {
  EXPECT_THAT(findings_after(if_file(), [](File& f) { f.subgraphs[0].operators[1].inputs[1] = -1; }),
              ElementsAre("tflite/subgraph/operand-required: " + at_if + " / input 1: the input is -1, no tensor"));
  EXPECT_THAT(findings_after(while_file(), [](File& f) { f.subgraphs[0].operators[1].inputs[0] = -1; }),
              ElementsAre("tflite/subgraph/operand-required: " + at_while + " / input 0: the input is -1, no tensor"));
}

TEST(TfliteDiagnostics, OfAnIfsNumbersOfInputsAndOutputsSayAllThree) {
  const auto inputs = [](int then_inputs, int else_inputs, int passed) {
    return fmt::format(
        "tflite/if/inputs-positional: {}: then_subgraph has {} inputs, else_subgraph {}, and the operator {} after "
        "cond",
        at_if, then_inputs, else_inputs, passed);
  };
  EXPECT_THAT(findings_after(if_file(),
                             [](File& f) {
                               f.subgraphs[0].operators[1].inputs = {0, 2, 2};
                             }),
              ElementsAre(inputs(1, 1, 2)));
  EXPECT_THAT(findings_after(if_file(), [](File& f) { f.subgraphs[0].operators[1].inputs = {0}; }),
              ElementsAre(inputs(1, 1, 0)));
  const auto take_more = [](Subgraph& subgraph) {
    subgraph.inputs.push_back(static_cast<std::int32_t>(subgraph.tensors.size()));
    subgraph.tensors.push_back(ints());
  };
  EXPECT_THAT(findings_after(if_file(), [&](File& f) { take_more(f.subgraphs[1]); }), ElementsAre(inputs(2, 1, 1)));
  EXPECT_THAT(findings_after(if_file(), [&](File& f) { take_more(f.subgraphs[2]); }), ElementsAre(inputs(1, 2, 1)));
  const auto outputs = [](int then_outputs, int else_outputs, int made) {
    return fmt::format(
        "tflite/if/outputs-positional: {}: then_subgraph has {} outputs, else_subgraph {}, and the operator {}", at_if,
        then_outputs, else_outputs, made);
  };
  EXPECT_THAT(findings_after(if_file(),
                             [](File& f) {
                               f.subgraphs[1].outputs = {1, 1};
                             }),
              ElementsAre(outputs(2, 1, 1)));
  EXPECT_THAT(findings_after(if_file(), [](File& f) { f.subgraphs[1].outputs = {}; }), ElementsAre(outputs(0, 1, 1)));
  EXPECT_THAT(findings_after(if_file(),
                             [](File& f) {
                               f.subgraphs[2].outputs = {0, 0};
                             }),
              ElementsAre(outputs(1, 2, 1)));
  EXPECT_THAT(findings_after(if_file(),
                             [](File& f) {
                               f.subgraphs[0].operators[1].outputs.push_back(4);
                               f.subgraphs[0].tensors.push_back(ints());
                             }),
              ElementsAre(outputs(1, 1, 2)));
}

TEST(TfliteDiagnostics, OfAWhilesNumbersSayAllFive) {
  const auto counts = [](int inputs, int outputs, int cond_inputs, int body_inputs, int body_outputs) {
    return fmt::format(
        "tflite/while/counts-agree: {}: the operator has {} inputs and {} outputs; cond_subgraph has {} inputs, "
        "body_subgraph {} inputs and {} outputs",
        at_while, inputs, outputs, cond_inputs, body_inputs, body_outputs);
  };
  const auto take_more = [](Subgraph& subgraph) {
    subgraph.inputs.push_back(static_cast<std::int32_t>(subgraph.tensors.size()));
    subgraph.tensors.push_back(ints());
  };
  EXPECT_THAT(findings_after(while_file(),
                             [](File& f) {
                               f.subgraphs[0].operators[1].inputs = {1, 1};
                             }),
              ElementsAre(counts(2, 1, 1, 1, 1)));
  EXPECT_THAT(findings_after(while_file(),
                             [](File& f) {
                               f.subgraphs[0].operators[1].outputs.push_back(3);
                               f.subgraphs[0].tensors.push_back(ints());
                             }),
              ElementsAre(counts(1, 2, 1, 1, 1)));
  EXPECT_THAT(findings_after(while_file(), [&](File& f) { take_more(f.subgraphs[1]); }),
              ElementsAre(counts(1, 1, 2, 1, 1)));
  EXPECT_THAT(findings_after(while_file(), [&](File& f) { take_more(f.subgraphs[2]); }),
              ElementsAre(counts(1, 1, 1, 2, 1)));
  EXPECT_THAT(findings_after(while_file(),
                             [](File& f) {
                               f.subgraphs[2].outputs = {2, 2};
                             }),
              ElementsAre(counts(1, 1, 1, 1, 2)));
  EXPECT_THAT(findings_after(while_file(), [](File& f) { f.subgraphs[2].outputs = {}; }),
              ElementsAre(counts(1, 1, 1, 1, 0)));
}

TEST(TfliteDiagnostics, OfWhatCondSubgraphGivesNameIt) {
  const std::string start = "tflite/while/cond-output: " + at_while + " / cond_subgraph: ";
  EXPECT_THAT(findings_after(while_file(),
                             [](File& f) {
                               f.subgraphs[1].outputs = {2, 2};
                             }),
              ElementsAre(start + "it has 2 outputs"));
  EXPECT_THAT(findings_after(while_file(), [](File& f) { f.subgraphs[1].outputs = {}; }),
              ElementsAre(start + "it has 0 outputs"));
  EXPECT_THAT(findings_after(while_file(), [](File& f) { f.subgraphs[1].outputs = {0}; }),
              ElementsAre(start + "its output is tensor(int32)"));
}

TEST(TfliteDiagnostics, OfTypesNameTheSubgraphAndBothEnds) {
  const auto at = [](const std::string& place, const std::string& role, const std::string& found) {
    return fmt::format("tflite/subgraph/types-agree: {} / {}: {}", place, role, found);
  };
  EXPECT_THAT(
      findings_after(if_file(), [](File& f) { f.subgraphs[2] = pass("kept", real); }),
      ElementsAre(at(at_if, "else_subgraph",
                     "input 1 of the operator is tensor(int32), input 0 of the subgraph is tensor(float32)"),
                  at(at_if, "else_subgraph",
                     "output 0 of the subgraph is tensor(float32), output 0 of the operator is tensor(int32)")));
  EXPECT_THAT(
      findings_after(if_file(),
                     [](File& f) {
                       f.subgraphs[1].tensors.push_back(real);
                       f.subgraphs[1].tensors[2].buffer = 1;
                       f.subgraphs[1].outputs = {2};
                       f.buffers = {{bytes_of<float>({1})}};
                     }),
      ElementsAre(at(at_if, "then_subgraph",
                     "output 0 of the subgraph is tensor(float32), output 0 of the operator is tensor(int32)")));
  EXPECT_THAT(findings_after(while_file(),
                             [](File& f) {
                               f.subgraphs[1].tensors[0] = real;
                               f.subgraphs[1].tensors[1].type = TensorType_FLOAT32;
                             }),
              ElementsAre(at(at_while, "cond_subgraph",
                             "input 0 of the operator is tensor(int32), input 0 of the subgraph is tensor(float32)")));
  EXPECT_THAT(
      findings_after(while_file(),
                     [](File& f) {
                       f.subgraphs[2].tensors.push_back(real);
                       f.subgraphs[2].tensors[3].buffer = 1;
                       f.subgraphs[2].outputs = {3};
                     }),
      ElementsAre(at(at_while, "body_subgraph",
                     "output 0 of the subgraph is tensor(float32), input 0 of the subgraph is tensor(int32)"),
                  at(at_while, "body_subgraph",
                     "output 0 of the subgraph is tensor(float32), output 0 of the operator is tensor(int32)")));
}

TEST(TfliteDiagnostics, SayNothingOfShapesWhichAreHints) {
  EXPECT_THAT(findings_after(if_file(),
                             [](File& f) {
                               f.subgraphs[1] = unary("negated", BuiltinOperator_NEG, ints({4}));
                               f.subgraphs[2] = pass("kept", ints({2, 3}));
                             }),
              IsEmpty());
}

/// The primary subgraph enters subgraph 1; `inner` is an If in it, whose cond is its input.
File nested_file(const Operator& inner) {
  return {{{"main", {boolean(), boolean()}, {0}, {1}, {if_({0, 0}, {1}, 1, 2)}},
           {"one", {boolean(), boolean()}, {0}, {1}, {inner}},
           {"two", {boolean(), boolean()}, {0}, {1}, {if_({0, 0}, {1}, 3, 3)}},
           pass("leaf", boolean())}};
}

TEST(TfliteRecursion, OfASubgraphThatEntersItself) {
  EXPECT_THAT(findings_of(nested_file(if_({0, 0}, {1}, 3, 3))), IsEmpty());
  EXPECT_THAT(
      findings_of(nested_file(if_({0, 0}, {1}, 3, 1))),
      ElementsAre(R"(tflite/if/no-recursion: subgraph 1 "one" / operator 0 (If): subgraph 1 "one" leads back to )"
                  "this operator"));
  EXPECT_THAT(
      findings_of(nested_file(if_({0, 0}, {1}, 1, 1))),
      ElementsAre(R"(tflite/if/no-recursion: subgraph 1 "one" / operator 0 (If): subgraph 1 "one" leads back to )"
                  "this operator"))
      << "said once for both";
}

TEST(TfliteRecursion, OfTwoSubgraphsThatEnterEachOther) {
  File file = nested_file(if_({0, 0}, {1}, 2, 3));
  EXPECT_THAT(findings_of(file), IsEmpty());
  file.subgraphs[2].operators[0] = if_({0, 0}, {1}, 1, 3);
  EXPECT_THAT(
      findings_of(file),
      ElementsAre(R"(tflite/if/no-recursion: subgraph 2 "two" / operator 0 (If): subgraph 1 "one" leads back to )"
                  "this operator"));
}

TEST(TfliteRecursion, OfThePrimarySubgraphAlsoWhereAnIndexIsLeftOut) {
  const auto back =
      R"(tflite/if/no-recursion: subgraph 1 "one" / operator 0 (If): subgraph 0 "main" leads back to this operator)";
  EXPECT_THAT(findings_of(nested_file(if_({0, 0}, {1}, 3, 0))), ElementsAre(back));
  EXPECT_THAT(findings_of(nested_file(if_({0, 0}, {1}, 0, 0))), ElementsAre(back));
}

TEST(TfliteRecursion, ThroughAWhile) {
  EXPECT_THAT(findings_of(nested_file(while_({0}, {1}, 3, 3))), IsEmpty());
  EXPECT_THAT(findings_of(nested_file(while_({0}, {1}, 1, 3))),
              ElementsAre(R"(tflite/while/no-recursion: subgraph 1 "one" / operator 0 (While): subgraph 1 "one" leads )"
                          "back to this operator"));
  EXPECT_THAT(
      findings_of(nested_file(while_({0}, {1}, 3, 0))),
      ElementsAre(R"(tflite/while/no-recursion: subgraph 1 "one" / operator 0 (While): subgraph 0 "main" leads )"
                  "back to this operator"));
}

TEST(TfliteRecursion, OfSubgraphsThatThePrimaryDoesNotReachToo) {
  File file = nested_file(if_({0, 0}, {1}, 3, 3));
  file.subgraphs.push_back({"alone", {boolean(), boolean()}, {0}, {1}, {if_({0, 0}, {1}, 4, 3)}});
  EXPECT_THAT(findings_of(file),
              ElementsAre(R"(tflite/if/no-recursion: subgraph 4 "alone" / operator 0 (If): subgraph 4 )"
                          R"("alone" leads back to this operator)"));
}

TEST(TfliteRecursion, LeavesAModelThatIsNeverFollowedWithoutEnd) {
  Reading reading = read(nested_file(if_({0, 0}, {1}, 1, 1)));
  EXPECT_THROW(Program{std::move(reading.model)}, EvaluationError);
}

TEST(TfliteTensors, AreNumberedFrom0ToTheirNumber) {
  const std::string start = "tflite/file/tensor-index: subgraph 0 \"main\" / ";
  EXPECT_THAT(findings_after(if_file(), [](File& f) { f.subgraphs[0].inputs[1] = 4; }),
              testing::Contains(start + "input 1: tensor 4 of 4"));
  EXPECT_THAT(findings_after(if_file(), [](File& f) { f.subgraphs[0].outputs = {-1}; }),
              ElementsAre(start + "output 0: tensor -1 of 4"));
  EXPECT_THAT(findings_after(if_file(), [](File& f) { f.subgraphs[0].operators[1].inputs[1] = -2; }),
              ElementsAre(start + "operator 1 (If) / input 1: tensor -2 of 4"));
  EXPECT_THAT(findings_after(if_file(), [](File& f) { f.subgraphs[0].operators[1].outputs = {2147483647}; }),
              testing::Contains(start + "operator 1 (If) / output 0: tensor 2147483647 of 4"));
}

TEST(TfliteTensors, AreMadeOnceAndBeforeTheyAreUsed) {
  EXPECT_THAT(findings_after(if_file(), [](File& f) { f.subgraphs[0].operators[0].outputs = {1}; }),
              testing::Contains("tflite/file/one-producer: subgraph 0 \"main\" / operator 0 (NEG) / output 0: tensor 1 "
                                "has a value already"));
  EXPECT_THAT(
      findings_after(if_file(), [](File& f) { std::swap(f.subgraphs[0].operators[0], f.subgraphs[0].operators[1]); }),
      testing::Contains("tflite/file/made-before-use: subgraph 0 \"main\" / operator 0 (If) / input 1: tensor "
                        "2 has no value yet: operator 1 (NEG) makes it, later"));
  EXPECT_THAT(findings_after(if_file(), [](File& f) { f.subgraphs[0].operators.pop_back(); }),
              ElementsAre("tflite/file/made-before-use: subgraph 0 \"main\" / output 0: tensor 3 has no value yet: "
                          "nothing makes it"));
  EXPECT_THAT(
      findings_after(if_file(), [](File& f) { f.subgraphs[0].operators[0].inputs = {2}; }),
      ElementsAre("tflite/file/made-before-use: subgraph 0 \"main\" / operator 0 (NEG) / input 0: tensor 2 has no "
                  "value yet: this operator itself makes it"));
  EXPECT_THAT(findings_after(if_file(),
                             [](File& f) {
                               f.subgraphs[2].inputs = {0, 0};
                             }),
              testing::Contains("tflite/file/one-producer: subgraph 2 \"kept\" / input 1: tensor 0 has a value "
                                "already"))
      << "the same input twice";
}

TEST(TfliteTensors, HaveTheTypeThatTheirOperatorGives) {
  EXPECT_THAT(
      findings_after(if_file(), [](File& f) { f.subgraphs[1].tensors[1].type = TensorType_FLOAT32; }),
      testing::Contains("tflite/file/declared-type-agrees: subgraph 1 \"negated\" / operator 0 (NEG) / output 0: "
                        "the tensor is tensor(float32), but NEG returns tensor(int32)"));
  EXPECT_THAT(
      findings_after(if_file(),
                     [](File& f) {
                       f.subgraphs[1].operators[0].inputs = {0, 0};
                     }),
      ElementsAre(testing::StartsWith("tflite/file/operands-fit: subgraph 1 \"negated\" / operator 0 (NEG): ")));
  EXPECT_THAT(findings_after(if_file(), [](File& f) { f.subgraphs[1].operators[0].inputs = {-1}; }),
              ElementsAre(testing::HasSubstr("subgraph 1 \"negated\" / operator 0 (NEG)")));
}

TEST(TfliteFile, IsOfSchemaVersion3UnlessItIsCircle) {
  EXPECT_THAT(findings_after(if_file(), [](File& f) { f.version = 2; }),
              ElementsAre("tflite/file/version: model: version is 2"));
  EXPECT_THAT(findings_after(if_file(),
                             [](File& f) {
                               f.version = 2;
                               f.identifier = "CIR0";
                             }),
              IsEmpty());
}

}  // namespace
}  // namespace ifcert::tflite
