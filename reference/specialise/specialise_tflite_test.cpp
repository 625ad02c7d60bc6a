// Files of TensorFlow Lite without some of their Ifs: what stands in place of the If, and what stays as it was.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ifcert/reference.hpp>

#include "formats/tflite/file_builder.hpp"
#include "specialise/specialise.hpp"

namespace ifcert::tflite::specialisation {
namespace {

using namespace file_builder;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

std::string without(const File& file, const Decisions& decisions) {
  const std::string bytes = written(file);
  const Reading reading = read(bytes);
  for (const Diagnostic& broken : check(reading)) ADD_FAILURE() << to_string(broken);
  return tflite::specialised(reading.model, std::as_bytes(std::span(bytes)), decisions);
}

/// Reads a new file, which must be legal.
Model legal(const std::string& bytes) {
  Reading reading = read(bytes);
  for (const Diagnostic& broken : check(reading)) ADD_FAILURE() << to_string(broken);
  return std::move(reading.model);
}

/// What is said instead of a new file.
std::string refusal_of(const File& file, const Decisions& decisions) {
  try {
    without(file, decisions);
    return "";
  } catch (const Inexpressible& refusal) {
    return refusal.what();
  }
}

/// "0 1 > 2: NEG 1 > 3, ADD 3 3 > 2": inputs, outputs and operators, by indices of tensors.
std::string text_of(const Graph& graph) {
  std::vector<std::string> operators;
  for (const Node& node : graph.nodes) {
    std::string op = node.op;
    for (const Body& body : node.bodies) op += fmt::format("/{}", body.graph);
    operators.push_back(fmt::format("{} {} > {}", op, fmt::join(node.inputs, " "), fmt::join(node.outputs, " ")));
  }
  return fmt::format("{} > {}: {}", fmt::join(graph.inputs, " "), fmt::join(graph.outputs, " "),
                     fmt::join(operators, ", "));
}

std::vector<std::string> texts_of(const Model& model) {
  std::vector<std::string> texts;
  for (const Graph& graph : model.graphs) texts.push_back(text_of(graph));
  return texts;
}

std::vector<std::string> names_of(const Graph& graph) {
  std::vector<std::string> names;
  for (const SlotInfo& slot : graph.slots) names.push_back(slot.name);
  return names;
}

Tensor named(std::string name, std::uint32_t buffer = 0) {
  Tensor tensor = ints({}, buffer);
  tensor.name = std::move(name);
  return tensor;
}

Value number(std::int32_t value) {
  return make_tensor<std::int32_t>(ElementType::int32, {}, std::span(&value, 1));
}

Value truth(bool value) {
  const std::uint8_t byte = value ? 1 : 0;
  return make_tensor<std::uint8_t>(ElementType::boolean, {}, std::span(&byte, 1));
}

std::vector<std::string> run(const Model& model, const std::vector<Value>& inputs) {
  std::vector<std::string> texts;
  for (const Value& output : Program(model).run(inputs)) texts.push_back(to_string(output));
  return texts;
}

/// y = cond ? -x : x, and perhaps more; y is tensor 2.
File choice(std::vector<Tensor> more_tensors = {}, Indices outputs = {2}, std::vector<Operator> more_operators = {}) {
  File file{{{"main", {boolean(), named("x"), named("y")}, {0, 1}, std::move(outputs), {if_({0, 1}, {2}, 1, 2)}},
             {"then", {named("x"), named("minus")}, {0}, {1}, {operation(BuiltinOperator_NEG, {0}, {1})}},
             pass("else", named("x"))}};
  std::ranges::copy(more_tensors, std::back_inserter(file.subgraphs[0].tensors));
  std::ranges::copy(more_operators, std::back_inserter(file.subgraphs[0].operators));
  return file;
}

const Decisions then_taken{{{0, 0}, true}};
const Decisions else_taken{{{0, 0}, false}};

TEST(SpecialisedTflite, IsTheSameFileWithoutADecision) {
  EXPECT_EQ(without(choice(), {}), written(choice()));
}

TEST(SpecialisedTflite, HasTheOperatorThatMakesTheResultInPlaceOfTheIf) {
  const Model model = legal(without(choice(), then_taken));
  EXPECT_THAT(texts_of(model), ElementsAre("0 1 > 2: NEG 1 > 2"));
  EXPECT_THAT(names_of(model.main()), ElementsAre("cond", "x", "y"));
  EXPECT_THAT(run(model, {truth(false), number(3)}), ElementsAre("int32[] [-3]"));
}

TEST(SpecialisedTflite, HoldsTheOldFileBehindNewTables) {
  const std::string old = written(choice());
  const std::string made = without(choice(), then_taken);
  const std::size_t padded = (old.size() + 15) / 16 * 16;
  EXPECT_EQ(made.size() % 16, 0U);
  EXPECT_EQ(made.substr(made.size() - padded, old.size()), old);
  EXPECT_LT(made.size() - padded, 300U);
}

TEST(SpecialisedTflite, ReadsWhatTheBranchReturnsUnchanged) {
  const File file = choice({named("z")}, {3}, {operation(BuiltinOperator_NEG, {2}, {3})});
  const Model model = legal(without(file, else_taken));
  EXPECT_THAT(texts_of(model), ElementsAre("0 1 > 3: NEG 1 > 3"));
  EXPECT_THAT(run(model, {truth(true), number(3)}), ElementsAre("int32[] [-3]"));
}

TEST(SpecialisedTflite, CopiesAnInputThatIsAnOutputWithAName) {
  const Model model = legal(without(choice(), else_taken));
  EXPECT_THAT(texts_of(model), ElementsAre("0 1 > 2: CAST 1 > 2"));
  EXPECT_THAT(names_of(model.main()), ElementsAre("cond", "x", "y"));
  EXPECT_THAT(run(model, {truth(true), number(3)}), ElementsAre("int32[] [3]"));
}

TEST(SpecialisedTflite, CopiesStringsOfAnyShape) {
  File file = choice();
  for (Subgraph& subgraph : file.subgraphs) {
    for (Tensor& tensor : subgraph.tensors) {
      if (tensor.name == "cond") continue;
      tensor.type = TensorType_STRING;
      tensor.shape = tensor.signature = {-1, -1};
    }
  }
  file.subgraphs[1] = pass("then", file.subgraphs[2].tensors[0]);
  const Model model = legal(without(file, else_taken));
  EXPECT_THAT(texts_of(model), ElementsAre("0 1 > 2: SHAPE 1 > 3, RESHAPE 1 3 > 2"));
  EXPECT_THAT(names_of(model.main()), ElementsAre("cond", "x", "y", "y_shape"));
  EXPECT_THAT(run(model, {truth(true), make_strings({2, 1}, {"a", "b"})}), ElementsAre("string[2, 1] [\"a\", \"b\"]"));
  EXPECT_THAT(run(model, {truth(true), make_strings({0, 7}, {})}), ElementsAre("string[0, 7] []"));
}

TEST(SpecialisedTflite, MakesAConstantThatIsReturnedAConstantOfTheOutputsName) {
  File file = choice();
  file.subgraphs[2] = {"else", {named("x"), named("five", 1)}, {0}, {1}};
  file.buffers = {{bytes_of<std::int32_t>({5})}};
  const Model model = legal(without(file, else_taken));
  EXPECT_THAT(texts_of(model), ElementsAre("0 1 > 2: "));
  EXPECT_THAT(names_of(model.main()), ElementsAre("cond", "x", "y"));
  EXPECT_THAT(run(model, {truth(true), number(3)}), ElementsAre("int32[] [5]"));
}

TEST(SpecialisedTflite, MakesAConstantThatIsPassedThroughASecondConstant) {
  File file = choice({named("k", 1)});
  file.subgraphs[0].operators[0] = if_({0, 3}, {2}, 1, 2);
  file.buffers = {{bytes_of<std::int32_t>({5})}};
  const Model model = legal(without(file, else_taken));
  EXPECT_THAT(texts_of(model), ElementsAre("0 1 > 2: "));
  EXPECT_THAT(model.main().constants, SizeIs(2));
  EXPECT_THAT(run(model, {truth(true), number(3)}), ElementsAre("int32[] [5]"));
}

TEST(SpecialisedTflite, ComputesAValueThatIsReturnedTwiceOnce) {
  File file = choice({named("again"), named("sum")}, {2, 4}, {operation(BuiltinOperator_ADD, {2, 3}, {4})});
  file.subgraphs[0].operators[0] = if_({0, 1}, {3, 2}, 1, 2);
  file.subgraphs[1].outputs = {1, 1};
  file.subgraphs[2].outputs = {0, 0};
  const Model model = legal(without(file, then_taken));
  EXPECT_THAT(texts_of(model), ElementsAre("0 1 > 2 4: NEG 1 > 2, ADD 2 2 > 4")) << "the output keeps its name";
  EXPECT_THAT(run(model, {truth(false), number(3)}), ElementsAre("int32[] [-3]", "int32[] [-6]"));
}

TEST(SpecialisedTflite, GivesTwoOutputsOfOneValueTheirNames) {
  File file = choice({named("again")}, {2, 3});
  file.subgraphs[0].operators[0] = if_({0, 1}, {2, 3}, 1, 2);
  file.subgraphs[1].outputs = {1, 1};
  file.subgraphs[2].outputs = {0, 0};
  const Model model = legal(without(file, then_taken));
  EXPECT_THAT(texts_of(model), ElementsAre("0 1 > 2 3: NEG 1 > 2, CAST 2 > 3"));
}

TEST(SpecialisedTflite, KeepsTheNamesOfABranchUnlessTheyAreTaken) {
  File file = choice({named("z")}, {3}, {operation(BuiltinOperator_NEG, {2}, {3})});
  file.subgraphs[1] = {"then",
                       {named("x"), named("z"), named("new"), named("minus")},
                       {0},
                       {3},
                       {operation(BuiltinOperator_NEG, {0}, {1}), operation(BuiltinOperator_ABS, {1}, {2}),
                        operation(BuiltinOperator_NEG, {2}, {3})}};
  const Model model = legal(without(file, then_taken));
  EXPECT_THAT(texts_of(model), ElementsAre("0 1 > 3: NEG 1 > 4, ABS 4 > 5, NEG 5 > 2, NEG 2 > 3"));
  EXPECT_THAT(names_of(model.main()), ElementsAre("cond", "x", "minus", "z", "z_1", "new"));
}

TEST(SpecialisedTflite, KeepsAllElseOfATensorWhoseNameIsTaken) {
  File file = choice({named("z")}, {3}, {operation(BuiltinOperator_NEG, {2}, {3})});
  Tensor between = named("z");
  between.shape = {1};
  between.signature = {-1};
  between.has_rank = true;
  between.external = 7;
  file.subgraphs[1].tensors.push_back(between);
  file.subgraphs[1].operators[0].intermediates = {2};
  const std::string bytes = without(file, then_taken);
  const schema::Tensor& tensor = *schema::GetModel(bytes.data())->subgraphs()->Get(0)->tensors()->Get(4);
  EXPECT_EQ(tensor.name()->str(), "z_1");
  EXPECT_THAT(*tensor.shape(), ElementsAre(1));
  EXPECT_THAT(*tensor.shape_signature(), ElementsAre(-1));
  EXPECT_EQ(tensor.type(), TensorType_INT32);
  EXPECT_TRUE(tensor.has_rank());
  EXPECT_EQ(tensor.external_buffer(), 7U);
}

TEST(SpecialisedTflite, OfCircleRenamesNoTensorWithAFieldOfAnotherMeaning) {
  File file = choice({named("z")}, {3}, {operation(BuiltinOperator_NEG, {2}, {3})});
  file.identifier = "CIR0";
  Tensor between = named("z");
  between.external = 7;
  file.subgraphs[1].tensors.push_back(between);
  file.subgraphs[1].operators[0].intermediates = {2};
  EXPECT_EQ(refusal_of(file, then_taken), "model: field 10 of a table Tensor is not known");
}

/// x = cond ? (cond ? -x : |x|) : x: the inner If is in subgraph 3, behind subgraphs 1 and 2 that it enters.
File nested() {
  return {{{"main", {boolean(), named("x"), named("y")}, {0, 1}, {2}, {if_({0, 0, 1}, {2}, 3, 4)}},
           unary("minus", BuiltinOperator_NEG, ints()),
           unary("positive", BuiltinOperator_ABS, ints()),
           {"outer", {boolean(), ints(), ints()}, {0, 1}, {2}, {if_({0, 1}, {2}, 1, 2)}},
           {"kept", {boolean(), ints()}, {0, 1}, {1}}}};
}

TEST(SpecialisedTflite, ReplacesAnIfInABranchThatIsTaken) {
  EXPECT_THAT(texts_of(legal(without(nested(), {{{0, 0}, true}, {{3, 0}, false}}))), ElementsAre("0 1 > 2: ABS 1 > 2"));
}

TEST(SpecialisedTflite, MovesAnUndecidedIfOutOfABranchAndRenumbersSubgraphs) {
  File file = nested();
  std::swap(file.subgraphs[1], file.subgraphs[4]);
  file.subgraphs[0].operators[0] = if_({0, 0, 1}, {2}, 3, 1);
  file.subgraphs[3].operators[0] = if_({0, 1}, {2}, 4, 2);
  const Model model = legal(without(file, then_taken));
  EXPECT_THAT(texts_of(model), ElementsAre("0 1 > 2: If/2/1 0 1 > 2", "0 > 1: ABS 0 > 1", "0 > 1: NEG 0 > 1"));
  EXPECT_THAT(run(model, {truth(true), number(3)}), ElementsAre("int32[] [-3]"));
}

TEST(SpecialisedTflite, ReplacesAnIfInABranchThatStaysABranch) {
  const Model model = legal(without(nested(), {{{3, 0}, true}}));
  EXPECT_THAT(texts_of(model), ElementsAre("0 1 > 2: If/1/2 0 0 1 > 2", "0 1 > 2: NEG 1 > 2", "0 1 > 1: "));
  EXPECT_THAT(run(model, {truth(true), number(3)}), ElementsAre("int32[] [-3]"));
}

TEST(SpecialisedTflite, IgnoresADecisionInABranchThatIsDropped) {
  EXPECT_THAT(texts_of(legal(without(nested(), {{{0, 0}, false}, {{3, 0}, true}}))),
              ElementsAre("0 1 > 2: CAST 1 > 2"));
}

TEST(SpecialisedTflite, ReplacesAnIfInTheBodyOfALoop) {
  const File file{{{"main", {boolean(), ints(), boolean(), ints()}, {0, 1}, {2, 3}, {while_({0, 1}, {2, 3}, 3, 4)}},
                   unary("minus", BuiltinOperator_NEG, ints()),
                   pass("kept", ints()),
                   {"cond", {boolean(), ints()}, {0, 1}, {0}},
                   {"body",
                    {boolean(), ints(), ints(), boolean(), ints()},
                    {0, 1},
                    {3, 2},
                    {if_({0, 1}, {2}, 1, 2), operation(schema::BuiltinOperator_LOGICAL_NOT, {0}, {3})}}}};
  const Model model = legal(without(file, {{{4, 0}, true}}));
  EXPECT_THAT(texts_of(model),
              ElementsAre("0 1 > 2 3: While/1/2 0 1 > 2 3", "0 1 > 0: ", "0 1 > 3 2: NEG 1 > 2, LOGICAL_NOT 0 > 3"));
  EXPECT_THAT(run(model, {truth(true), number(3)}), ElementsAre("bool[] [false]", "int32[] [-3]"));
}

TEST(SpecialisedTflite, TakesASubgraphThatTwoIfsEnterOverTwice) {
  File file = choice({named("z")}, {3}, {if_({0, 2}, {3}, 1, 2)});
  file.subgraphs[1] = {"then",
                       {named("x"), named("k", 1), named("sum"), named("minus")},
                       {0},
                       {3},
                       {operation(BuiltinOperator_ADD, {0, 1}, {2}), operation(BuiltinOperator_NEG, {2}, {3})}};
  file.buffers = {{bytes_of<std::int32_t>({5})}};
  const Model model = legal(without(file, {{{0, 0}, true}, {{0, 1}, true}}));
  EXPECT_THAT(texts_of(model), ElementsAre("0 1 > 3: ADD 1 4 > 5, NEG 5 > 2, ADD 2 6 > 7, NEG 7 > 3"));
  EXPECT_THAT(names_of(model.main()), ElementsAre("cond", "x", "minus", "z", "k", "sum", "k_1", "sum_1"));
  EXPECT_THAT(run(model, {truth(false), number(3)}), ElementsAre("int32[] [3]"));
}

TEST(SpecialisedTflite, RenumbersSubgraphsOfSignaturesAndOfCallOnce) {
  File file = choice();
  file.subgraphs.push_back(unary("named", BuiltinOperator_ABS, ints()));
  file.subgraphs.push_back({"first", {}, {}, {}});
  Operator once = operation(schema::BuiltinOperator_CALL_ONCE, {}, {});
  once.options = {schema::BuiltinOptions_CallOnceOptions,
                  [](Fbb& b) { return schema::CreateCallOnceOptions(b, 4).Union(); }};
  file.subgraphs[0].operators.push_back(once);
  file.signatures = {{"main", 0, {{"y", 2}}}, {"abs", 3, {{"out", 1}}}};
  const std::string bytes = without(file, then_taken);
  EXPECT_THAT(texts_of(legal(bytes)), ElementsAre("0 1 > 2: NEG 1 > 2, CALL_ONCE  > ", "0 > 1: ABS 0 > 1", " > : "));
  const schema::Model& made = *schema::GetModel(bytes.data());
  EXPECT_EQ(made.subgraphs()->Get(0)->operators()->Get(1)->builtin_options_as_CallOnceOptions()->init_subgraph_index(),
            2);
  EXPECT_EQ(made.signature_defs()->Get(0)->subgraph_index(), 0U);
  EXPECT_EQ(made.signature_defs()->Get(1)->subgraph_index(), 1U);
  EXPECT_EQ(made.signature_defs()->Get(1)->signature_key()->str(), "abs");
}

TEST(SpecialisedTflite, KeepsTheNameOfAnOutputThatOnlyASignatureHas) {
  File file = choice({named("z")}, {3}, {operation(BuiltinOperator_NEG, {2}, {3})});
  file.signatures = {{"main", 0, {{"y", 2}, {"z", 3}}}};
  EXPECT_THAT(texts_of(legal(without(file, else_taken))), ElementsAre("0 1 > 3: CAST 1 > 2, NEG 2 > 3"));
}

TEST(SpecialisedTflite, KeepsAllSubgraphsWhereAnOperatorMayNameThem) {
  const File file = choice({named("z")}, {3}, {{custom_code("mine"), {2}, {3}}});
  EXPECT_THAT(texts_of(legal(without(file, then_taken))),
              ElementsAre("0 1 > 3: NEG 1 > 2, mine 2 > 3", "0 > 1: NEG 0 > 1", "0 > 0: "));
}

TEST(SpecialisedTflite, FindsDataBehindTheTables) {
  File file = choice();
  file.subgraphs[1] = {
      "then", {named("x"), named("k", 1), named("sum")}, {0}, {2}, {operation(BuiltinOperator_ADD, {0, 1}, {2})}};
  file.buffers = {{bytes_of<std::int32_t>({5}), true}, {bytes_of<std::int32_t>({6}), true}};
  EXPECT_THAT(run(legal(without(file, then_taken)), {truth(false), number(3)}), ElementsAre("int32[] [8]"));
}

TEST(SpecialisedTflite, RenumbersIntermediateTensors) {
  File file = choice();
  file.subgraphs[1].tensors.push_back(named("between"));
  file.subgraphs[1].operators[0].intermediates = {2};
  const std::string bytes = without(file, then_taken);
  EXPECT_THAT(*schema::GetModel(bytes.data())->subgraphs()->Get(0)->operators()->Get(0)->intermediates(),
              ElementsAre(3));
  EXPECT_THAT(names_of(legal(bytes).main()), ElementsAre("cond", "x", "y", "between"));
}

TEST(SpecialisedTflite, OfCircleIsCircle) {
  File file = choice();
  file.identifier = "CIR0";
  EXPECT_EQ(without(file, then_taken).substr(4, 4), "CIR0");
}

TEST(SpecialisedTflite, KeepsWhatOneScaleMeans) {
  File file = choice();
  file.subgraphs[1].tensors[1].quantized = true;
  EXPECT_EQ(refusal_of(file, then_taken),
            "subgraph 0 \"main\" / operator 0 (If): a value that it passes to its branch, or gets from it, is "
            "quantized otherwise there");
  file.subgraphs[0].tensors[2].quantized = true;
  EXPECT_EQ(refusal_of(file, then_taken), "");
}

TEST(SpecialisedTflite, CopiesNothingThatTheReferenceCannotCopy) {
  File file = choice();
  for (Subgraph& subgraph : file.subgraphs) {
    for (Tensor& tensor : subgraph.tensors) tensor.quantized = tensor.name != "cond";
  }
  EXPECT_EQ(refusal_of(file, else_taken),
            "subgraph 0 \"main\" / operator 0 (If): its output is an output of the subgraph, and the reference has no "
            "operator that copies a quantized value");
  EXPECT_EQ(refusal_of(file, then_taken), "");
  for (Subgraph& subgraph : file.subgraphs) {
    for (Tensor& tensor : subgraph.tensors) {
      tensor.quantized = false;
      if (tensor.name != "cond") tensor.type = TensorType_RESOURCE;
    }
  }
  EXPECT_EQ(refusal_of(file, else_taken),
            "subgraph 0 \"main\" / operator 0 (If): its output is an output of the subgraph, and no operator copies a "
            "resource or a list");
}

TEST(SpecialisedTflite, LeavesVariablesInTheirSubgraph) {
  File file = choice();
  file.subgraphs[1].tensors.push_back({.name = "state", .variable = true});
  file.subgraphs[1].operators[0] = operation(BuiltinOperator_ADD, {0, 2}, {1});
  EXPECT_EQ(refusal_of(file, then_taken),
            "subgraph 0 \"main\" / operator 0 (If): subgraph 1 has a variable, tensor 2, which belongs to the "
            "subgraph");
  EXPECT_EQ(refusal_of(file, else_taken), "");
}

TEST(SpecialisedTflite, RefusesToMultiplyWithoutEnd) {
  File file;
  Decisions decisions;
  constexpr std::uint32_t levels = 40;
  for (std::uint32_t i = 0; i < levels; ++i) {
    const auto next = static_cast<std::int32_t>(i + 1);
    file.subgraphs.push_back({"",
                              {boolean(), ints(), ints(), ints()},
                              {0, 1},
                              {3},
                              {if_({0, 0, 1}, {2}, next, next), if_({0, 0, 2}, {3}, next, next)}});
    decisions[{i, 0}] = decisions[{i, 1}] = true;
  }
  file.subgraphs.push_back({"", {boolean(), ints()}, {0, 1}, {1}});
  EXPECT_THAT(refusal_of(file, decisions), HasSubstr("copies of branches would take more than"));
}

TEST(SpecialisedTflite, RefusesToRepeatALongNameWithoutEnd) {
  File file = choice();
  file.subgraphs[1].tensors[1].name = std::string(1 << 20, 'x');
  Decisions decisions = then_taken;
  for (std::int32_t i = 0; i < 64; ++i) {
    file.subgraphs[0].tensors.push_back(named("z"));
    file.subgraphs[0].operators.push_back(if_({0, 1}, {i + 3}, 1, 2));
    decisions[{0, static_cast<std::size_t>(i) + 1}] = true;
  }
  EXPECT_THAT(refusal_of(file, decisions), HasSubstr("copies of branches would take more than"));
}

TEST(SpecialisedTflite, RefusesATableWithFieldsOfALaterSchema) {
  const auto refusal = [](flatbuffers::voffset_t field) {
    std::string old = written(choice());
    old.resize((old.size() + 15) / 16 * 16);
    Fbb b;
    b.ForceVectorAlignment(old.size(), 1, 16);
    b.PushBytes(reinterpret_cast<const std::uint8_t*>(old.data()), old.size());
    const schema::Model& from = *schema::GetModel(old.data());
    const auto at = [&](const auto* part) {
      const auto offset = static_cast<std::size_t>(reinterpret_cast<const char*>(part) - old.data());
      return static_cast<flatbuffers::uoffset_t>(old.size() - offset);
    };
    schema::ModelBuilder model(b);
    model.add_version(3);
    model.add_operator_codes(at(from.operator_codes()));
    model.add_subgraphs(at(from.subgraphs()));
    model.add_buffers(at(from.buffers()));
    b.AddElement<std::uint32_t>(static_cast<flatbuffers::voffset_t>(2 * field + 4), 1);
    b.Finish(model.Finish(), "TFL3");
    const std::string bytes(reinterpret_cast<const char*>(b.GetBufferPointer()), b.GetSize());
    try {
      tflite::specialised(read(bytes).model, std::as_bytes(std::span(bytes)), then_taken);
      return std::string();
    } catch (const Inexpressible& error) {
      return std::string(error.what());
    }
  };
  EXPECT_EQ(refusal(10), "model: field 10 of a table Model is not known");
  EXPECT_EQ(refusal(50), "model: field 50 of a table Model is not known");
}

}  // namespace
}  // namespace ifcert::tflite::specialisation
