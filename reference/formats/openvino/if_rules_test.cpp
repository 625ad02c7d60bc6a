// The rules of OpenVINO's If on IR texts: the examples of If-8 and its draft, and each fault separately.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ifcert/reference.hpp>

#include "formats/openvino/ir_text.hpp"

namespace ifcert::openvino {
namespace {

using namespace ir_text;
using testing::AllOf;
using testing::ElementsAre;
using testing::Field;
using testing::HasSubstr;
using testing::IsEmpty;

const Declared cond_type{"boolean", ""};

auto breaks_only(const std::string& rule) {
  return ElementsAre(Field(&Diagnostic::rule, rule));
}

std::vector<Diagnostic> checked(const std::string& xml, const std::string& weights = std::string(4096, '\0')) {
  return check(read(xml, weights));
}

/// A body that returns constants of these types and shapes, the i-th of them as Result 10 + i.
std::string constants(const std::vector<Declared>& types) {
  Texts layers, edges;
  for (unsigned i = 0; i < types.size(); ++i) {
    const auto [type, shape] = types[i];
    std::size_t size = type == "i32" ? 4 : 8;
    for (const char* at = shape.c_str(); *at != '\0'; at = std::strchr(at, ',') ? std::strchr(at, ',') + 1 : "")
      size *= std::strtoul(at, nullptr, 10);
    layers.push_back(constant(i, type, shape, 0, size));
    layers.push_back(result(10 + i));
    edges.push_back(edge(i, 0, 10 + i, 0));
  }
  return network(layers, edges);
}

/// The i-th Result, 10 + i, is the i-th output port after the inputs.
std::string outputs(unsigned inputs, unsigned count) {
  std::string map;
  for (unsigned i = 0; i < count; ++i) map += out(fmt::to_string(inputs + i), fmt::to_string(10 + i));
  return map;
}

/// The first example of the draft: double[2,3] and double[3], or the sum of two double[2,3] and double[2,3].
If first_example() {
  const std::string sum = network({constant(0, "f64", "2,3", 0, 48), constant(1, "f64", "2,3", 48, 48),
                                   operation(2, "Add", 2), result(10), result(11)},
                                  {edge(0, 0, 2, 0), edge(1, 0, 2, 1), edge(2, 2, 10, 0), edge(1, 0, 11, 0)});
  return {1, {"FP64", "FP64"}, outputs(1, 2), outputs(1, 2), constants({{"f64", "2,3"}, {"f64", "3"}}), sum};
}

/// The second example, repaired: the else body stacks shapes that fit and multiplies ints. `factor` is the type of the
/// constant that is multiplied, `stacked` the shape of the one that is stacked.
If second_example(const std::string& factor = "i32", const std::string& stacked = "1,3") {
  const std::string then_body =
      network({parameter(0, "f64", "2,3"), constant(1, "f64", "2,3", 0, 48), operation(2, "Add", 2),
               constant(3, "i32", "3", 0, 12), result(10), result(11)},
              {edge(1, 0, 2, 0), edge(0, 0, 2, 1), edge(2, 2, 10, 0), edge(3, 0, 11, 0)});
  const std::string else_body = network(
      {parameter(0, "f64", "2,3"), parameter(1, "i32", "1"), constant(2, "f64", stacked, 0, stacked == "1" ? 8 : 24),
       operation(3, "Concat", 2, R"(<data axis="0"/>)"), constant(4, factor, "1", 0, factor == "i32" ? 4 : 8),
       operation(5, "Multiply", 2), result(10), result(11)},
      {edge(2, 0, 3, 0), edge(0, 0, 3, 1), edge(4, 0, 5, 0), edge(1, 0, 5, 1), edge(3, 2, 10, 0), edge(5, 2, 11, 0)});
  return {3,         {"FP64", "I32"}, in("1", "0") + outputs(3, 2), in("1", "0") + in("2", "1") + outputs(3, 2),
          then_body, else_body};
}

const std::vector<Declared> second_inputs{cond_type, {"f64", "2,3"}, {"i32", "1"}};

/// The third: the input itself, or a constant.
If third_example() {
  const std::string pass = network({parameter(0, "i32", "120"), result(10)}, {edge(0, 0, 10, 0)});
  return {2, {"I32"}, in("1", "0") + outputs(2, 1), outputs(2, 1), pass, constants({{"i32", "120"}})};
}

const std::vector<Declared> third_inputs{cond_type, {"i32", "120"}};

TEST(OpenVinoIf8Draft, FirstAndThirdExamplesAreLegal) {
  EXPECT_THAT(checked(model(first_example(), {cond_type})), IsEmpty());
  EXPECT_THAT(checked(model(third_example(), third_inputs)), IsEmpty());
}

Value zeros(const std::string& type, const std::string& shape) {
  const Reading reading = read(net(network({constant(0, type, shape, 0,
                                                     type == "i32"   ? 4
                                                     : type == "f64" ? 48
                                                                     : 1),
                                            result(1)},
                                           {edge(0, 0, 1, 0)})),
                               std::string(48, '\0'));
  return reading.model.main().constants[0].value;
}

TEST(OpenVinoIf8Draft, SecondExampleIsLegalOnceItsTwoFaultsAreRepaired) {
  const std::string repaired = model(second_example(), second_inputs);
  EXPECT_THAT(checked(repaired), IsEmpty());
  const std::vector<Value> inputs{zeros("boolean", ""), zeros("f64", "2,3"), zeros("i32", "1")};
  const std::vector<Value> outputs = Program(read(repaired, std::string(48, '\0')).model).run(inputs);
  EXPECT_EQ(to_string(outputs[0]), "float64[3, 3] [0, 0, 0, 0, 0, 0, 0, 0, 0]");
  EXPECT_EQ(to_string(outputs[1]), "int32[1] [0]");
}

TEST(Edges, OneThatIsMissingIsReportedOnce) {
  const auto with = [](const Texts& edges) {
    return net(network({parameter(0, "f32", "2"), operation(1, "Add", 2), result(2)}, edges));
  };
  EXPECT_THAT(checked(with({edge(0, 0, 1, 0), edge(0, 0, 1, 1), edge(1, 2, 2, 0)})), IsEmpty());
  EXPECT_THAT(checked(with({edge(0, 0, 1, 0), edge(1, 2, 2, 0)})), breaks_only("openvino/ir/inputs-have-one-edge"));
  EXPECT_THAT(checked(net(network({operation(0, "ShapeOf", 1), result(1)}, {edge(0, 1, 1, 0)}))),
              breaks_only("openvino/ir/inputs-have-one-edge"));
}

TEST(OpenVinoIf8Draft, SecondExamplesFaultsAreRefusedEachOnItsOwn) {
  EXPECT_THAT(checked(model(second_example("f64"), second_inputs)), breaks_only("openvino/ir/operands-fit"));
  std::vector<Declared> doubles = second_inputs;
  doubles[2].first = "f64";
  If product_of_doubles = second_example("f64");
  product_of_doubles.else_body = replaced(product_of_doubles.else_body, "i32", "f64");
  EXPECT_THAT(checked(model(product_of_doubles, doubles)), breaks_only("openvino/if/output-type"));
  Reading stacked = read(model(second_example("i32", "1"), second_inputs), std::string(48, '\0'));
  const Program program(std::move(stacked.model));
  const std::vector<Value> inputs{zeros("boolean", ""), zeros("f64", "2,3"), zeros("i32", "1")};
  EXPECT_THROW(program.run(inputs), EvaluationError) << "[1] and [2,3] do not stack";
}

TEST(OpenVinoIf8Draft, FourthExampleIsRefusedHoweverManyOutputsTheIfHas) {
  If choice = third_example();
  choice.else_body = constants({{"i32", "120"}, {"i32", "150"}});
  EXPECT_THAT(checked(model(choice, third_inputs)), breaks_only("openvino/if/output-count"));
  choice.outputs = {"I32", "I32"};
  choice.else_map = outputs(2, 2);
  EXPECT_THAT(checked(model(choice, third_inputs)), breaks_only("openvino/if/output-count"));
}

TEST(OpenVinoIf8Draft, FifthExampleIsRefusedWhateverThePortSays) {
  for (const std::string precision : {"I32", "FP64", ""}) {
    const If choice{
        1, {precision}, outputs(1, 1), outputs(1, 1), constants({{"i32", "120"}}), constants({{"f64", "120"}})};
    const auto found = checked(model(choice, {cond_type}));
    ASSERT_THAT(found, breaks_only("openvino/if/output-type")) << precision;
    EXPECT_EQ(found[0].place, "graph \"main\" / layer 10 \"choice\" (If) / output 0");
    EXPECT_THAT(found[0].found, HasSubstr("then_body returns tensor(int32), else_body tensor(float64)"));
  }
}

TEST(Counts, EachSideThatDiffersIsRefused) {
  const std::string one = constants({{"i32", "2"}});
  const std::string two = constants({{"i32", "2"}, {"i32", "2"}});
  const auto with = [&](const Texts& ports, const std::string& then_body, const std::string& else_body) {
    const auto mapped = [&](const std::string& body) { return outputs(1, body == two && ports.size() == 2 ? 2 : 1); };
    return checked(model({1, ports, mapped(then_body), mapped(else_body), then_body, else_body}, {cond_type}));
  };
  EXPECT_THAT(with({"I32", "I32"}, two, two), IsEmpty());
  EXPECT_THAT(with({"I32", "I32"}, one, two), breaks_only("openvino/if/output-count"));
  EXPECT_THAT(with({"I32", "I32"}, two, one), breaks_only("openvino/if/output-count"));
  EXPECT_THAT(with({"I32"}, two, one), breaks_only("openvino/if/output-count"));
  EXPECT_THAT(with({"I32"}, two, two), breaks_only("openvino/if/output-count"));
  EXPECT_THAT(with({"I32", "I32"}, one, one), breaks_only("openvino/if/output-count"));
}

TEST(Counts, ZeroHasRulesOfItsOwn) {
  const std::string none = network({parameter(0, "i32", "120")}, {});
  If choice = third_example();
  choice.then_body = none;
  choice.then_map = in("1", "0");
  EXPECT_THAT(checked(model(choice, third_inputs)), breaks_only("openvino/if/body-has-result"));
  choice = third_example();
  choice.outputs = {};
  choice.then_map = in("1", "0");
  choice.else_map = "";
  EXPECT_THAT(checked(model(choice, third_inputs)), breaks_only("openvino/if/has-outputs"));
}

TEST(Cond, IsABooleanScalarOrOneDimOfOne) {
  const auto with = [](const std::string& type, const std::string& shape) {
    return checked(model(first_example(), {{type, shape}}));
  };
  for (const std::string shape : {"", "1", "?", "..."}) EXPECT_THAT(with("boolean", shape), IsEmpty()) << shape;
  for (const std::string shape : {"2", "0", "1,1", "?,?"})
    EXPECT_THAT(with("boolean", shape), breaks_only("openvino/if/cond-shape")) << shape;
  for (const std::string type : {"u8", "i32", "i64", "f32", "string"})
    EXPECT_THAT(with(type, ""), breaks_only("openvino/if/cond-is-boolean")) << type;
}

TEST(Cond, IsRequiredAndMayBeDataToo) {
  If choice = first_example();
  choice.inputs = 0;
  choice.then_map = choice.else_map = outputs(0, 2);
  EXPECT_THAT(checked(model(choice, {})), breaks_only("openvino/if/cond-required"));
  const std::string pass = network({parameter(0, "boolean", ""), result(10)}, {edge(0, 0, 10, 0)});
  const std::string map = in("0", "0") + outputs(1, 1);
  EXPECT_THAT(checked(model({1, {"BOOL"}, map, map, pass, pass}, {cond_type})), IsEmpty());
}

TEST(Bodies, AndPortMapsStandOnceEach) {
  const std::string whole = model(third_example(), third_inputs);
  for (const std::string part : {"then_body", "else_body", "then_port_map", "else_port_map"}) {
    std::string without = replaced(replaced(whole, "<" + part + ">", "<a>"), "</" + part + ">", "</a>");
    const auto found = checked(without);
    ASSERT_THAT(found, breaks_only("openvino/if/two-bodies-two-port-maps")) << part;
    EXPECT_THAT(found[0].found, HasSubstr(part));
    const std::string twice = replaced(whole, fmt::format("</{}>", part), fmt::format("</{0}><{0}/>", part));
    EXPECT_THAT(checked(twice), breaks_only("openvino/if/two-bodies-two-port-maps")) << part;
  }
  EXPECT_THAT(checked(replaced(whole, "<then_port_map>", "<then_port_map><body/>")),
              breaks_only("openvino/if/two-bodies-two-port-maps"));
}

TEST(PortMap, IdsAreRequiredUnsignedInts) {
  const std::string whole = model(third_example(), third_inputs);
  for (const std::string bad :
       {"", "-1", "1.0", "1.5", " 1", "1 ", "+1", "0x1", "one", "4294967296", "99999999999999999999"}) {
    for (const std::string name :
         {"external_port_id=\"1\"", "internal_layer_id=\"0\"", "external_port_id=\"2\"", "internal_layer_id=\"10\""}) {
      const std::string text = name.substr(0, name.find('=')) + "=\"" + bad + "\"";
      const auto found = checked(replaced(whole, name, text));
      ASSERT_THAT(found, breaks_only("openvino/if/port-map-required")) << text;
      EXPECT_THAT(found[0], AllOf(Field(&Diagnostic::found, text),
                                  Field(&Diagnostic::place, HasSubstr("layer 10 \"choice\" (If) / then_port_map / "))));
    }
  }
  EXPECT_THAT(checked(replaced(whole, "external_port_id=\"1\"", "")), breaks_only("openvino/if/port-map-required"));
  EXPECT_THAT(checked(replaced(whole, "internal_layer_id=\"0\"", "")), breaks_only("openvino/if/port-map-required"));
}

/// The third example with another then_port_map.
std::vector<Diagnostic> with_map(const std::string& map) {
  If choice = third_example();
  choice.then_map = map;
  return checked(model(choice, third_inputs));
}

TEST(PortMap, ExternalPortsAreOnesOfTheIf) {
  const auto found = with_map(in("7", "0") + out("2", "10"));
  ASSERT_THAT(found, breaks_only("openvino/if/external-port-in-range"));
  EXPECT_EQ(found[0].place, "graph \"main\" / layer 10 \"choice\" (If) / then_port_map / input 0");
  EXPECT_THAT(with_map(in("2", "0") + out("2", "10")), breaks_only("openvino/if/external-port-in-range"))
      << "an output";
  EXPECT_THAT(with_map(in("1", "0") + out("1", "10")), breaks_only("openvino/if/external-port-in-range")) << "an input";
  EXPECT_THAT(with_map(in("1", "0") + out("9", "10")), breaks_only("openvino/if/external-port-in-range"));
}

TEST(PortMap, InternalLayersAreParametersAndResultsOfTheBody) {
  EXPECT_THAT(with_map(in("1", "10") + out("2", "10")), breaks_only("openvino/if/internal-layer-is-parameter"));
  EXPECT_THAT(with_map(in("1", "5") + out("2", "10")), breaks_only("openvino/if/internal-layer-is-parameter"));
  EXPECT_THAT(with_map(in("1", "0") + out("2", "0")), breaks_only("openvino/if/internal-layer-is-result"));
  EXPECT_THAT(with_map(in("1", "0") + out("2", "5")), breaks_only("openvino/if/internal-layer-is-result"));
}

TEST(PortMap, MapsEveryParameterAndOutputOnce) {
  EXPECT_THAT(with_map(out("2", "10")), breaks_only("openvino/if/every-parameter-mapped"));
  EXPECT_THAT(with_map(in("1", "0") + in("0", "0") + out("2", "10")),
              breaks_only("openvino/if/every-parameter-mapped"));
  EXPECT_THAT(with_map(in("1", "0")), breaks_only("openvino/if/every-output-mapped"));
  If two{1,
         {"I32", "I32"},
         outputs(1, 2),
         outputs(1, 2),
         constants({{"i32", "2"}, {"i32", "2"}}),
         constants({{"i32", "2"}, {"i32", "2"}})};
  EXPECT_THAT(checked(model(two, {cond_type})), IsEmpty());
  two.then_map = out("1", "10") + out("1", "11");
  EXPECT_THAT(checked(model(two, {cond_type})), breaks_only("openvino/if/every-output-mapped"));
  two.then_map = out("1", "10") + out("2", "10");
  EXPECT_THAT(checked(model(two, {cond_type})), breaks_only("openvino/if/one-result-one-output"));
}

TEST(Bodies, AreClosed) {
  const std::string body = network({parameter(0, "i32", "120"), result(10)}, {edge(1, 0, 10, 0)});
  If choice = third_example();
  choice.then_body = body;
  const auto found = checked(model(choice, third_inputs));
  ASSERT_THAT(found, breaks_only("openvino/if/bodies-are-closed"));
  EXPECT_EQ(found[0].place, "graph \"main\" / layer 10 \"choice\" (If) / then_body / edge 0");
}

}  // namespace
}  // namespace ifcert::openvino
