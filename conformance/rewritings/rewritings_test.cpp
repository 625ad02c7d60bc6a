// What rewritings change, and that they change nothing else. That the reference finds the same model in all vectors is
// tested by certify/rewritings_test.cpp.
#include <gmock/gmock.h>

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/rewritings/flat_tree.hpp"
#include "conformance/rewritings/ir_tree.hpp"
#include "conformance/rewritings/onnx_messages.hpp"
#include "conformance/rewritings/onnx_scope.hpp"
#include "conformance/rewritings/onnx_tree.hpp"
#include "conformance/rewritings/rewriting.hpp"
#include "conformance/suite/sentences.hpp"
#include "conformance/suite/suite.hpp"
#include "conformance/system/project.hpp"

namespace ifcert::conformance {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

/// A field of few bytes: its tag, its length, its bytes.
std::string bytes_field(int number, const std::string& bytes) {
  return std::string{static_cast<char>(number << 3 | 2), static_cast<char>(bytes.size())} + bytes;
}

/// A model whose graph has these initializers, with names only, and an unknown field.
std::string onnx_model(const std::vector<std::string>& initializers) {
  std::string graph;
  for (const std::string& name : initializers) graph += bytes_field(5, bytes_field(8, name));
  return bytes_field(7, graph) + bytes_field(15, "nobody knows");
}

constexpr const char* ir = R"(<?xml version="1.0"?>
<net name="main" version="11">
  <layers>
    <layer id="0" name="x" type="Parameter"><output><port id="0"/></output></layer>
    <layer id="1" name="y" type="Result"><input><port id="0"/></input></layer>
  </layers>
  <edges><edge from-layer="0" from-port="0" to-layer="1" to-port="0"/></edges>
</net>
)";

ModelFiles files_of(const std::string& name, const std::string& bytes) {
  return {.model = name, .bytes = {{name, bytes}}};
}

std::string after(std::string_view system, std::string_view rewriting, const ModelFiles& files) {
  return rewritten_by(*find_rewriting(system, rewriting), files).bytes.at(files.model);
}

/// The names of the layers, each a letter, in their order.
std::string layers_in(std::string_view text) {
  constexpr std::string_view before = "name=\"";
  std::string names;
  for (std::size_t at = text.find("<layer "); at != std::string_view::npos; at = text.find("<layer ", at + 1))
    names += text[text.find(before, at) + before.size()];
  return names;
}

/// y = If (cond) <then: a = Neg (x), else: b = Abs (x)>, in a model of opset 17.
std::string model_with_if() {
  using namespace onnx_tree;
  const auto branch = [](const char* name, const char* operation) {
    return Message{.kind = Kind::graph,
                   .fields = {message_field(fields::GraphProto::node, onnx_messages::node(operation, {"x"}, {name})),
                              message_field(fields::GraphProto::output, onnx_messages::scalar_info(name, 1))}};
  };
  Message choice = onnx_messages::node("If", {"cond"}, {"y"});
  onnx_messages::add_graph(choice, "then_branch", branch("a", "Neg"));
  onnx_messages::add_graph(choice, "else_branch", branch("b", "Abs"));
  const Message graph{.kind = Kind::graph,
                      .fields = {message_field(fields::GraphProto::node, choice),
                                 message_field(fields::GraphProto::input, onnx_messages::scalar_info("cond", 9)),
                                 message_field(fields::GraphProto::input, onnx_messages::scalar_info("x", 1)),
                                 message_field(fields::GraphProto::output, onnx_messages::scalar_info("y", 1))}};
  const Message import{.kind = Kind::operator_set, .fields = {integer_field(fields::OperatorSetIdProto::version, 17)}};
  return write_tree(
      {.kind = Kind::model,
       .fields = {integer_field(fields::ModelProto::ir_version, 8), message_field(fields::ModelProto::graph, graph),
                  message_field(fields::ModelProto::opset_import, import)}});
}

/// The operators of a graph or function in order, each with those of its graphs: "If(Neg|Abs)".
std::string operators_in(onnx_tree::Message& body) {
  std::string text;
  for (onnx_tree::Message* node : onnx_scope::nodes_of(body)) {
    text += text.empty() ? "" : " ";
    text += onnx_tree::text_of(*node, onnx_tree::fields::NodeProto::op_type);
    std::string inside;
    for (onnx_tree::Message* graph : onnx_tree::graphs_in(*node))
      inside += (inside.empty() ? "" : "|") + operators_in(*graph);
    if (!inside.empty()) text += "(" + inside + ")";
  }
  return text;
}

/// Those of the main graph, and then of each function.
std::string operators_after(std::string_view rewriting, const std::string& bytes) {
  onnx_tree::Message model = onnx_tree::read_tree(after("onnx", rewriting, files_of("model.onnx", bytes)));
  std::string text;
  for (onnx_tree::Message* body : onnx_scope::outermost_bodies(model))
    text += (text.empty() ? "" : "; ") + operators_in(*body);
  return text;
}

std::string why_not_made(std::string_view system, std::string_view rewriting, const ModelFiles& files) {
  try {
    rewritten_by(*find_rewriting(system, rewriting), files);
  } catch (const NotMade& reason) {
    return reason.what();
  }
  return "it was made";
}

/// Reports group failures by name, those of all systems.
TEST(Rewritings, HaveNamesOfTheirOwn) {
  std::set<std::string_view> names;
  for (const Rewriting& each : all_rewritings()) EXPECT_TRUE(names.insert(each.name).second) << each.name;
}

/// Our own pages say what our readers require, which is no reason for a runtime; their addresses are relative.
TEST(Rewritings, HaveSentencesOfPublicTextsWordForWord) {
  std::map<std::string, Sentence> listed;
  for (const Sentence& sentence : read_sentences(find_project()).sentences) listed.emplace(sentence.id, sentence);
  for (const Rewriting& each : all_rewritings()) {
    EXPECT_FALSE(each.sentences.empty()) << each.name;
    for (const std::string_view id : each.sentences) {
      const auto sentence = listed.find(std::string(id));
      ASSERT_NE(sentence, listed.end()) << each.name << ": " << id;
      EXPECT_THAT(sentence->second.url, StartsWith("https://")) << each.name << ": " << id;
      EXPECT_NE(sentence->second.quote, "") << each.name << ": " << id;
    }
  }
}

TEST(Rewritings, ReverseAListAndKeepAllElseInItsPlace) {
  EXPECT_EQ(after("onnx", "initializers-reversed", files_of("model.onnx", onnx_model({"a", "b", "c"}))),
            onnx_model({"c", "b", "a"}));
  EXPECT_EQ(after("onnx", "initializers-rotated", files_of("model.onnx", onnx_model({"a", "b", "c"}))),
            onnx_model({"b", "c", "a"}));
  EXPECT_EQ(after("onnx", "initializers-sorted", files_of("model.onnx", onnx_model({"b", "c", "a"}))),
            onnx_model({"a", "b", "c"}));
}

TEST(Rewritings, AreNotMadeWhereNothingWouldChange) {
  EXPECT_EQ(why_not_made("onnx", "initializers-reversed", files_of("model.onnx", onnx_model({"a"}))),
            "it would change nothing");
  EXPECT_EQ(why_not_made("openvino", "edges-reversed", files_of("model.xml", ir)), "it would change nothing");
}

TEST(Rewritings, OfBytesThatAreNoModelAreMadeOrRefused) {
  for (const Rewriting& each : all_rewritings()) {
    for (const std::string& bytes : {std::string(), std::string(64, '\xff'), std::string(64, '\0'), std::string("<net"),
                                     std::string("<net><a>"), onnx_model({"a"}).substr(0, 7)})
      EXPECT_NE(why_not_made(each.system, each.name, files_of("model", bytes)), "") << each.name;
  }
}

TEST(Rewritings, PutTheNodesOfTheMainGraphElsewhere) {
  const std::string model = model_with_if();
  EXPECT_EQ(operators_after("main-into-then", model), "Constant If(If(Neg|Abs)|If(Neg|Abs))");
  EXPECT_EQ(operators_after("main-into-else", model), "Size Constant Less If(If(Neg|Abs)|If(Neg|Abs))");
  EXPECT_EQ(operators_after("main-into-loop", model), "Constant Constant Constant Loop(If(Neg|Abs) Identity) Squeeze");
  EXPECT_EQ(operators_after("main-into-function", model), "Main; If(Neg|Abs)");
}

TEST(Rewritings, PutEachIfElsewhereOrExchangeItsBranches) {
  const std::string model = model_with_if();
  EXPECT_EQ(operators_after("ifs-into-ifs", model), "If(If(Neg|Abs)|If(Neg|Abs))");
  EXPECT_EQ(operators_after("ifs-into-functions", model), "If0; If(Neg|Abs)");
  EXPECT_EQ(operators_after("branches-exchanged", model), "Not If(Neg|Abs)");
}

/// Whether a graph that a call passes may read x is open.
TEST(Rewritings, PassBranchesThatReadNothingAroundThem) {
  using namespace onnx_tree;
  EXPECT_EQ(why_not_made("onnx", "branches-passed", files_of("model.onnx", model_with_if())),
            "no If of its main graph has branches that read nothing around them");
  Message model = read_tree(model_with_if());
  Message& choice = *onnx_scope::nodes_of(main_graph(model)).front();
  for (Message* branch : graphs_in(choice))
    *onnx_scope::nodes_of(*branch).front() = onnx_messages::constant_bool(
        onnx_tree::text_of(*messages_of(*branch, fields::GraphProto::output).front(), fields::ValueInfoProto::name),
        true);
  EXPECT_EQ(operators_after("branches-passed", write_tree(model)), "Choose1(Constant|Constant); If");
  EXPECT_EQ(
      operators_after("branches-passed", after("onnx", "ifs-into-ifs", files_of("model.onnx", write_tree(model)))),
      "If(Choose1(Constant|Constant)|Choose1(Constant|Constant)); If");
}

/// Only what is fed has another name: branches read the initializer, and the interface keeps its input.
TEST(Rewritings, ReadWhatAllRunsFeedFromAnInitializer) {
  using namespace onnx_tree;
  ModelFiles files = files_of("model.onnx", model_with_if());
  EXPECT_EQ(why_not_made("onnx", "inputs-into-initializers", files), "its runs feed no input alike");
  files.fed = {{.input = "x", .dims = {}, .bytes = std::string("\0\0\x80?", 4)}};
  Message model = read_tree(after("onnx", "inputs-into-initializers", files));
  Message& main = main_graph(model);
  EXPECT_EQ(onnx_scope::defined_names(main), (std::vector<std::string>{"cond", "x", "always_x", "y"}));
  EXPECT_EQ(onnx_scope::names_read(*onnx_scope::nodes_of(main).front()), (onnx_scope::NameSet{"always_x", "cond"}));
  const Message& tensor = *messages_of(main, fields::GraphProto::initializer).front();
  EXPECT_EQ(integer_of(tensor, fields::TensorProto::data_type), onnx_messages::float_type);
  EXPECT_EQ(text_of(tensor, fields::TensorProto::raw_data), std::string("\0\0\x80?", 4));
}

/// A main graph may pass one of them a graph that calls the new function.
TEST(Rewritings, ImportTheFunctionsOfIfsIntoEachFunction) {
  using namespace onnx_tree;
  Message model = read_tree(model_with_if());
  model.fields.push_back(message_field(fields::ModelProto::functions, {.kind = Kind::function}));
  Message rewritten = read_tree(after("onnx", "ifs-into-functions", files_of("model.onnx", write_tree(model))));
  Message& own = *messages_of(rewritten, fields::ModelProto::functions).front();
  for (const Message* import : {messages_of(rewritten, fields::ModelProto::opset_import).back(),
                                messages_of(own, fields::FunctionProto::opset_import).back()})
    EXPECT_EQ(text_of(*import, fields::OperatorSetIdProto::domain), "of_if_domain");
}

/// Its file has the branches in their old order, by other names.
TEST(Rewritings, ExchangeTheNamesOfBranches) {
  const std::string bytes = after("onnx", "branches-exchanged", files_of("model.onnx", model_with_if()));
  EXPECT_LT(bytes.find("else_branch"), bytes.find("then_branch"));
}

TEST(Rewritings, LeaveAMainGraphInItsPlaceThatReturnsWhatNoNodeMakes) {
  using namespace onnx_tree;
  Message model = read_tree(model_with_if());
  Message& graph = main_graph(model);
  graph.fields.push_back(message_field(fields::GraphProto::output, onnx_messages::scalar_info("x", 1)));
  for (const char* name : {"main-into-then", "main-into-else", "main-into-loop", "main-into-function"})
    EXPECT_EQ(why_not_made("onnx", name, files_of("model.onnx", write_tree(model))), "it returns what no node makes");
}

/// A network with an If of id 2, whose bodies pass x on.
constexpr const char* ir_with_if = R"(<?xml version="1.0"?>
<net name="main" version="11">
  <layers>
    <layer id="0" name="c" type="Parameter"><output><port id="0" precision="BOOL"/></output></layer>
    <layer id="1" name="x" type="Parameter"><output><port id="0" precision="FP32"><dim>2</dim></port></output></layer>
    <layer id="2" name="y" type="If"><input><port id="0"/><port id="1"/></input><output><port id="2"><dim>2</dim></port></output>
      <then_port_map><input external_port_id="1" internal_layer_id="0"/></then_port_map>
      <else_port_map><input external_port_id="1" internal_layer_id="7"/></else_port_map>
      <then_body><layers/><edges/></then_body>
      <else_body><layers/><edges/></else_body>
    </layer>
  </layers>
  <edges>
    <edge from-layer="0" from-port="0" to-layer="2" to-port="0"/>
    <edge from-layer="1" from-port="0" to-layer="2" to-port="1"/>
  </edges>
</net>
)";

TEST(Rewritings, ReverseThePartsOfAnIf) {
  const std::string text = after("openvino", "if-parts-reversed", files_of("model.xml", ir_with_if));
  EXPECT_LT(text.find("<else_body>"), text.find("<then_body>"));
  EXPECT_LT(text.find("<then_body>"), text.find("<else_port_map>"));
  EXPECT_LT(text.find("<else_port_map>"), text.find("<then_port_map>"));
}

TEST(Rewritings, ExchangeTheBodiesOfAnIfAndNegateItsCond) {
  const std::string text = after("openvino", "bodies-exchanged", files_of("model.xml", ir_with_if));
  EXPECT_THAT(text, HasSubstr(R"(<else_port_map><input external_port_id="1" internal_layer_id="0"/>)"));
  EXPECT_THAT(text, HasSubstr(R"(<layer id="3" name="not_3" type="LogicalNot")"));
  EXPECT_THAT(text, HasSubstr(R"(from-layer="0" from-port="0" to-layer="3" to-port="0")"));
  EXPECT_THAT(text, HasSubstr(R"(from-layer="3" from-port="1" to-layer="2" to-port="0")"));
}

TEST(Rewritings, LeaveTheBodiesOfAnIfThatReadItsCond) {
  std::string text = ir_with_if;
  text.replace(text.find("external_port_id=\"1\""), 20, "external_port_id=\"0\"");
  EXPECT_EQ(why_not_made("openvino", "bodies-exchanged", files_of("model.xml", text)),
            "a body reads the cond of its If");
}

TEST(Rewritings, PutAnIfIntoBothBodiesOfAnother) {
  const std::string text = after("openvino", "ifs-into-bodies", files_of("model.xml", ir_with_if));
  EXPECT_THAT(text, HasSubstr(R"(<then_body><layers><layer id="0" name="taken_0" type="Parameter" version="opset1">)"));
  EXPECT_THAT(text, HasSubstr(R"(<data shape="" element_type="boolean"/>)"));
  EXPECT_THAT(text, HasSubstr(R"(<data shape="2" element_type="f32"/>)"));
  const std::size_t first = text.find(R"(name="y" type="If")", text.find("<then_body>"));
  EXPECT_LT(first, text.find(R"(name="y" type="If")", first + 1)) << "one If in each body";
}

/// A network that returns what a ReLU makes of x.
constexpr const char* ir_with_relu = R"(<?xml version="1.0"?>
<net name="main" version="11">
  <layers>
    <layer id="0" name="x" type="Parameter"><output><port id="0" names="x"/></output></layer>
    <layer id="1" name="r" type="ReLU"><input><port id="0"/></input><output><port id="1" names="y"><dim>2</dim></port></output></layer>
    <layer id="2" name="y" type="Result"><input><port id="0"/></input></layer>
  </layers>
  <edges>
    <edge from-layer="0" from-port="0" to-layer="1" to-port="0"/>
    <edge from-layer="1" from-port="1" to-layer="2" to-port="0"/>
  </edges>
</net>
)";

/// The bodies have the layers and edges that the network had, without the names that callers know.
TEST(Rewritings, PutANetworkIntoBothBodiesOfAnIf) {
  const ModelFiles made =
      rewritten_by(*find_rewriting("openvino", "main-into-bodies"), files_of("model.xml", ir_with_relu));
  EXPECT_EQ(made.bytes.at("model.bin"), "\1");
  ir_tree::Node document = ir_tree::read_tree(made.bytes.at("model.xml"));
  std::vector<std::string> layers;
  ir_tree::for_each(document, "layer",
                    [&layers](ir_tree::Node& layer) { layers.push_back(*ir_tree::attribute_of(layer, "type")); });
  EXPECT_THAT(layers, testing::ElementsAre("Parameter", "Result", "Const", "If", "Parameter", "ReLU", "Result",
                                           "Parameter", "ReLU", "Result"));
  EXPECT_THAT(made.bytes.at("model.xml"), HasSubstr(R"(<output><port id="2" names="y"><dim>2</dim></port></output>)"));
}

/// Two tensors cannot have one name.
TEST(Rewritings, LeaveANetworkInItsPlaceThatReturnsWhatItTakes) {
  std::string text = ir_with_relu;
  text.replace(text.find("names=\"x\""), 9, "names=\"y\"");
  EXPECT_EQ(why_not_made("openvino", "main-into-bodies", files_of("model.xml", text)), "it returns what it takes");
}

TEST(Rewritings, ReadWhatAllRunsFeedFromAConstantOfAnIr) {
  std::string text = ir_with_if;
  text.insert(text.find("<output>", text.find("name=\"x\"")), R"(<data shape="2" element_type="f32"/>)");
  ModelFiles files = files_of("model.xml", text);
  files.fed = {{.input = "x", .dims = {2}, .bytes = "8 bytes."}};
  const ModelFiles made = rewritten_by(*find_rewriting("openvino", "parameters-into-constants"), files);
  const std::string& after = made.bytes.at("model.xml");
  EXPECT_THAT(after, HasSubstr(R"(<layer id="3" name="always_3" type="Const" version="opset1">)"));
  EXPECT_THAT(after, HasSubstr(R"(<data element_type="f32" shape="2" offset="0" size="8"/>)"));
  EXPECT_THAT(after, HasSubstr(R"(<edge from-layer="3" from-port="0" to-layer="2" to-port="1"/>)"));
  EXPECT_THAT(after, HasSubstr(R"(<edge from-layer="0" from-port="0" to-layer="2" to-port="0"/>)"));
  EXPECT_EQ(made.bytes.at("model.bin"), "8 bytes.");
}

TEST(Rewritings, RenumberLayersWithTheEdgesThatNameThem) {
  const std::string text = after("openvino", "layer-ids-with-gaps", files_of("model.xml", ir));
  EXPECT_THAT(text, HasSubstr(R"(<layer id="3" name="x")"));
  EXPECT_THAT(text, HasSubstr(R"(<layer id="10" name="y")"));
  EXPECT_THAT(text, HasSubstr(R"(<edge from-layer="3" from-port="0" to-layer="10" to-port="0"/>)"));
}

TEST(Rewritings, KeepTheSpacesOfASerializer) {
  constexpr const char* spaced = R"(<net><edges><edge from-layer="0" /><edge from-layer="1" /></edges></net>)";
  EXPECT_EQ(after("openvino", "edges-reversed", files_of("model.xml", spaced)),
            R"(<net><edges><edge from-layer="1" /><edge from-layer="0" /></edges></net>)");
}

TEST(Rewritings, LeaveTheOrderOfParametersAndOfResults) {
  constexpr const char* wide = R"(<net name="main" version="11">
  <layers>
    <layer id="0" name="a" type="Parameter"/>
    <layer id="1" name="b" type="Parameter"/>
    <layer id="2" name="c" type="Add"/>
    <layer id="3" name="d" type="Result"/>
    <layer id="4" name="e" type="Result"/>
  </layers>
</net>
)";
  EXPECT_EQ(layers_in(after("openvino", "layers-reversed", files_of("model.xml", wide))), "decab");
  EXPECT_EQ(layers_in(after("openvino", "layers-rotated", files_of("model.xml", wide))), "acdeb");
  const std::string referred = after("openvino", "character-references", files_of("model.xml", wide));
  EXPECT_THAT(referred, HasSubstr("&#x50;arameter"));
  std::string text = after("openvino", "layers-reversed", files_of("model.xml", referred));
  for (std::size_t at = text.find("&#x6"); at != std::string::npos; at = text.find("&#x6"))  // back to one letter
    text.replace(at, 6, 1, static_cast<char>(std::stoi(text.substr(at + 3, 2), nullptr, 16)));
  EXPECT_EQ(layers_in(text), "decab");
}

TEST(Rewritings, LeaveTheNamesOfTheInterface) {
  EXPECT_EQ(why_not_made("openvino", "layer-names-long", files_of("model.xml", ir)), "it would change nothing");
}

TEST(Rewritings, LeaveTheNameOfALayerThatGivesAnOutputItsName) {
  std::string text = ir;
  text.replace(text.find("Parameter"), 9, "Split");
  EXPECT_EQ(why_not_made("openvino", "layer-names-long", files_of("model.xml", text)), "it would change nothing");
}

TEST(Rewritings, WriteAnAttributeThatHasItsDefaultAndLeaveItOut) {
  constexpr const char* without = R"(<net><layer type="Add"/><layer type="Less"><data/></layer></net>)";
  constexpr const char* with =
      R"(<net><layer type="Add"><data auto_broadcast="numpy"/></layer><layer type="Less"><data auto_broadcast="numpy"/></layer></net>)";
  EXPECT_EQ(after("openvino", "layer-defaults-written", files_of("model.xml", without)), with);
  EXPECT_EQ(after("openvino", "layer-defaults-omitted", files_of("model.xml", with)),
            R"(<net><layer type="Add"><data/></layer><layer type="Less"><data/></layer></net>)");
  EXPECT_EQ(
      why_not_made("openvino", "layer-defaults-omitted",
                   files_of("model.xml", R"(<net><layer type="Add"><data auto_broadcast="none"/></layer></net>)")),
      "it would change nothing");
}

TEST(Rewritings, WriteAKeepdimsOnlyWhereThereIsNone) {
  const auto reduction = [](const std::string& attributes) {
    const std::string import = bytes_field(8, std::string("\x10\x12"));  // of version 18
    return bytes_field(7, bytes_field(1, attributes + bytes_field(4, "ReduceSum"))) + import;
  };
  const auto keepdims = [](char value) {
    return bytes_field(5, bytes_field(1, "keepdims") + std::string{0x18, value} + std::string("\xa0\x01\x02"));
  };
  const auto written = [&](const std::string& attributes) {
    return after("onnx", "attribute-defaults-written", files_of("model.onnx", reduction(attributes)));
  };
  EXPECT_THAT(written(""), HasSubstr(keepdims(1)));
  EXPECT_EQ(after("onnx", "attribute-defaults-omitted", files_of("model.onnx", reduction(keepdims(1)))), reduction(""));
  for (const std::string_view rewriting : {"attribute-defaults-written", "attribute-defaults-omitted"}) {
    EXPECT_EQ(why_not_made("onnx", rewriting, files_of("model.onnx", reduction(keepdims(0)))),
              "it would change nothing");
  }
}

TEST(Rewritings, DeclareAnInitializer) {
  const std::string tensor = std::string{0x08, 2, 0x10, 7} + bytes_field(8, "a");  // int64[2]
  const std::string shape = bytes_field(2, bytes_field(1, std::string{0x08, 2}));
  const std::string type = bytes_field(1, std::string{0x08, 7} + shape);
  const std::string graph = bytes_field(5, tensor);
  EXPECT_EQ(after("onnx", "value-infos-added", files_of("model.onnx", bytes_field(7, graph))),
            bytes_field(7, graph + bytes_field(13, bytes_field(1, "a") + bytes_field(2, type))));
}

TEST(Rewritings, GiveTheFolderANameOfItsOwn) {
  ModelFiles files = files_of("model.onnx", onnx_model({"a", "b"}));
  files.folder = opaque_name(files);
  EXPECT_NE(rewritten_by(*find_rewriting("onnx", "initializers-reversed"), files).folder, files.folder);
}

/// Every model of the vectors that must be computed is written as it was.
TEST(Trees, OfVectorsAreWrittenAsTheyWere) {
  const Suite suite =
      read_suite(find_project(), [](const VectorSummary& vector) { return vector.rule.ends_with("/nesting"); });
  std::size_t count = 0;
  for (const Vector& vector : suite.vectors) {
    if (!vector.summary.rule.ends_with("/nesting") || vector.summary.axis != Axis::computes) continue;
    const std::string& bytes = vector.files.bytes.at(vector.files.model);
    if (vector.summary.system == "onnx") {
      EXPECT_EQ(onnx_tree::write_tree(onnx_tree::read_tree(bytes)), bytes) << vector.summary.id;
    } else if (vector.summary.system == "openvino") {
      EXPECT_EQ(ir_tree::write_tree(ir_tree::read_tree(bytes), ir_tree::style_of(bytes)), bytes) << vector.summary.id;
    } else {
      const std::string identifier = bytes.substr(4, 4);
      const std::string once = flat_tree::write_tree(flat_tree::read_tree(bytes), identifier);
      for (const flat_tree::Layout layout : {flat_tree::Layout::close, flat_tree::Layout::padded,
                                             flat_tree::Layout::vtables_behind, flat_tree::Layout::last_first}) {
        const std::string other = flat_tree::write_tree(flat_tree::read_tree(once), identifier, layout);
        EXPECT_EQ(flat_tree::write_tree(flat_tree::read_tree(other), identifier), once) << vector.summary.id;
      }
    }
    ++count;
  }
  EXPECT_GT(count, 50U);
}

}  // namespace
}  // namespace ifcert::conformance
