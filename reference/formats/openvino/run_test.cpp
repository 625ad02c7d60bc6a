// Results of IR models: both bodies, port maps in every form, and the readings of the XML example of If-8.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ifcert/reference.hpp>

#include "formats/openvino/ir_text.hpp"

namespace ifcert::openvino {
namespace {

using namespace ir_text;
using testing::Contains;
using testing::ElementsAre;
using testing::Field;
using testing::HasSubstr;
using testing::IsEmpty;

Value boolean(bool value) {
  const std::uint8_t byte = value ? 1 : 0;
  return make_tensor<std::uint8_t>(ElementType::boolean, {}, std::span(&byte, 1));
}

template <class T>
Value list(ElementType type, const std::vector<T>& numbers) {
  return make_tensor<T>(type, {static_cast<std::int64_t>(numbers.size())}, numbers);
}

Value ints(const std::vector<std::int32_t>& numbers) {
  return list(ElementType::int32, numbers);
}

std::string run(const std::string& xml, const std::vector<Value>& inputs, const std::string& weights = "") {
  Reading reading = read(xml, weights);
  const std::vector<Diagnostic> broken = check(reading);
  if (!broken.empty()) return to_string(broken.front());
  std::string outputs;
  for (const Value& value : Program(std::move(reading.model)).run(inputs)) outputs += to_string(value) + ";";
  return outputs;
}

const std::vector<Declared> choice_inputs{{"boolean", ""}, {"i32", "?"}, {"i32", "?"}};

/// Passes its Parameters 0 and 1 to the Results 10 and 11.
const std::string straight = network({parameter(0, "i32", "?"), parameter(1, "i32", "?"), result(10), result(11)},
                                     {edge(0, 0, 10, 0), edge(1, 0, 11, 0)});
const std::string straight_in = in("1", "0") + in("2", "1");
const std::string straight_out = out("3", "10") + out("4", "11");

std::string passed(const If& choice, bool cond) {
  return run(model(choice, choice_inputs), {boolean(cond), ints({1, 2}), ints({3})});
}

If passing(const std::string& then_map) {
  return {3, {"I32", "I32"}, then_map, straight_in + straight_out, straight, straight};
}

TEST(Run, CondNamesTheBody) {
  const std::string negated = network({parameter(0, "i32", "?"), operation(1, "Negative", 1), result(10), result(11)},
                                      {edge(0, 0, 1, 0), edge(1, 1, 10, 0), edge(0, 0, 11, 0)});
  const If choice{3, {"I32", "I32"}, in("2", "0") + straight_out, straight_in + straight_out, negated, straight};
  EXPECT_EQ(passed(choice, true), "int32[1] [-3];int32[1] [3];");
  EXPECT_EQ(passed(choice, false), "int32[2] [1, 2];int32[1] [3];");
}

TEST(Run, ThePortMapSaysWhichResultIsWhichOutput) {
  EXPECT_EQ(passed(passing(straight_in + straight_out), true), "int32[2] [1, 2];int32[1] [3];");
  const std::string swapped = out("3", "11") + out("4", "10");
  EXPECT_EQ(passed(passing(straight_in + swapped), true), "int32[1] [3];int32[2] [1, 2];");
  const std::string swapped_inputs = in("2", "0") + in("1", "1");
  EXPECT_EQ(passed(passing(swapped_inputs + straight_out), true), "int32[1] [3];int32[2] [1, 2];");
  const std::string mixed = out("4", "11") + in("2", "1") + out("3", "10") + in("1", "0");
  EXPECT_EQ(passed(passing(mixed), true), "int32[2] [1, 2];int32[1] [3];");
  EXPECT_EQ(passed(passing(in("1", "0") + in("1", "1") + straight_out), true), "int32[2] [1, 2];int32[2] [1, 2];");
}

TEST(Run, PortsMayBeNumberedWithGapsAndPartsMayStandInAnyOrder) {
  std::string xml = model(passing(straight_in + straight_out), choice_inputs);
  for (const auto& [from, to] : std::vector<std::pair<std::string, std::string>>{
           {"<port id=\"3\" precision", "<port id=\"30\" precision"},
           {"<port id=\"4\" precision", "<port id=\"70\" precision"},
           {"from-layer=\"10\" from-port=\"3\"", "from-layer=\"10\" from-port=\"30\""},
           {"from-layer=\"10\" from-port=\"4\"", "from-layer=\"10\" from-port=\"70\""},
           {"external_port_id=\"3\"", "external_port_id=\"30\""},
           {"external_port_id=\"3\"", "external_port_id=\"30\""},
           {"external_port_id=\"4\"", "external_port_id=\"70\""},
           {"external_port_id=\"4\"", "external_port_id=\"70\""}}) {
    xml = replaced(xml, from, to);
  }
  EXPECT_EQ(run(xml, {boolean(true), ints({1, 2}), ints({3})}), "int32[2] [1, 2];int32[1] [3];");
  const std::size_t first = xml.find("<then_body>");
  const std::size_t last = xml.find("</then_body>") + std::string("</then_body>").size();
  const std::string body = xml.substr(first, last - first);
  xml = replaced(replaced(xml, body, ""), "<then_port_map>", body + "<then_port_map>");
  EXPECT_EQ(run(xml, {boolean(true), ints({1, 2}), ints({3})}), "int32[2] [1, 2];int32[1] [3];");
}

TEST(Run, OutputIdsThatAreNoPortsAreNumbersOfOutputs) {
  EXPECT_EQ(passed(passing(straight_in + out("1", "10") + out("0", "11")), true), "int32[1] [3];int32[2] [1, 2];");
  EXPECT_THAT(passed(passing(straight_in + out("3", "10") + out("1", "11")), true),
              HasSubstr("external-port-in-range"));
}

TEST(Run, LayersMayStandInAnyOrder) {
  const std::string xml =
      net(network({result(9), operation(3, "Negative", 1), operation(2, "Abs", 1), parameter(0, "i32", "?")},
                  {edge(3, 1, 9, 0), edge(2, 1, 3, 0), edge(0, 0, 2, 0)}));
  EXPECT_EQ(run(xml, {ints({-4, 5})}), "int32[2] [-4, -5];");
}

TEST(Run, ACondOfTwoDimsIsRefusedWhereItsShapeIsOnlyKnownThen) {
  const std::string xml = model({1,
                                 {"I32"},
                                 out("1", "10"),
                                 out("1", "10"),
                                 network({constant(0, "i32", "1", 0, 4), result(10)}, {edge(0, 0, 10, 0)}),
                                 network({constant(0, "i32", "1", 0, 4), result(10)}, {edge(0, 0, 10, 0)})},
                                {{"boolean", "..."}});
  const std::string weights = bytes_of<std::int32_t>({7});
  const auto cond = [](Dims dims) {
    return make_tensor<std::uint8_t>(ElementType::boolean, std::move(dims), std::vector<std::uint8_t>{1});
  };
  EXPECT_EQ(run(xml, {cond({})}, weights), "int32[1] [7];");
  EXPECT_EQ(run(xml, {cond({1})}, weights), "int32[1] [7];");
  EXPECT_THROW(run(xml, {cond({1, 1})}, weights), EvaluationError);
}

TEST(Run, AValueHasTheFirstNameOfItsPortWhichMayHoldCommas) {
  const auto input = [](const std::string& names) {
    const std::string layer =
        replaced(parameter(0, "i32", "?"), "<port id=\"0\"", "<port id=\"0\" names=\"" + names + "\"");
    const Reading reading = read(net(network({layer, result(1)}, {edge(0, 0, 1, 0)})));
    return reading.model.main().slots[reading.model.main().inputs[0]].name;
  };
  EXPECT_EQ(input("first,second"), "first");
  EXPECT_EQ(input("a\\,b,c"), "a,b");
  EXPECT_EQ(input("c\\,"), "c,");
  EXPECT_EQ(input("back\\slash"), "back\\slash");
  EXPECT_EQ(input(",,second"), "second");
  EXPECT_EQ(input(""), "in0");
}

/// The names of the inputs and outputs of |x| and x, whose Results have these further attributes.
std::vector<std::string> port_names(const std::string& abs_attributes, const std::string& x_attributes,
                                    const std::string& version = "11") {
  const auto with = [](const std::string& layer, const std::string& attributes) {
    return replaced(layer, "type=\"Result\"", "type=\"Result\" " + attributes);
  };
  const std::string x = replaced(parameter(0, "i32", "?"), "<port id=\"0\"", "<port id=\"0\" names=\"x\"");
  const std::string text =
      net(network({x, operation(1, "Abs", 1), with(result(2), abs_attributes), with(result(3), x_attributes)},
                  {edge(0, 0, 1, 0), edge(1, 1, 2, 0), edge(0, 0, 3, 0)}));
  const Graph main = read(replaced(text, "version=\"11\"", "version=\"" + version + "\"")).model.main();
  return {main.slots[main.inputs[0]].name, main.slots[main.outputs[0]].name, main.slots[main.outputs[1]].name};
}

TEST(Run, TheOutputNamesOfAResultReplaceThoseOfItsValue) {
  EXPECT_THAT(port_names("", ""), ElementsAre("x", "op1", "x"));
  EXPECT_THAT(port_names("output_names=\"y,z\"", ""), ElementsAre("x", "y", "x"));
  EXPECT_THAT(port_names("", "output_names=\"y\""), ElementsAre("y", "op1", "y"));
  EXPECT_THAT(port_names("output_names=\"y\"", "", "10"), ElementsAre("x", "op1", "x"));
}

TEST(Run, APortWhoseFirstNameAnotherHasGivesItNoFurtherOnes) {
  const auto named = [](const std::string& layer, const std::string& names) {
    return replaced(layer, "<port id=\"0\"", "<port id=\"0\" names=\"" + names + "\"");
  };
  const auto further_of_y = [&](const std::string& first, const std::string& second) {
    const std::string text =
        net(network({named(parameter(0, "i32", "?"), first), named(parameter(1, "i32", "?"), second), result(2)},
                    {edge(0, 0, 2, 0)}));
    return read(text).model.further_names.at("y");
  };
  EXPECT_THAT(further_of_y("y,a", "y,b"), ElementsAre("a"));
  EXPECT_THAT(further_of_y("y", "y,b"), ElementsAre());
}

TEST(Run, AValueWithoutANameDoesNotTakeTheNameOfAnother) {
  EXPECT_THAT(port_names("", "output_names=\"op1\""), ElementsAre("op1", "op1_1", "op1"));
}

TEST(Constants, OfEveryTypeKeepTheirBits) {
  const auto with = [](const std::string& type, const std::string& shape, const std::string& bytes) {
    return run(net(network({constant(0, type, shape, 0, bytes.size()), result(1)}, {edge(0, 0, 1, 0)})), {}, bytes);
  };
  EXPECT_EQ(with("f64", "2", bytes_of<double>({0.1, -0.0})), "float64[2] [0.1, -0];");
  EXPECT_EQ(with("i64", "", bytes_of<std::int64_t>({9007199254740993})), "int64[] [9007199254740993];");
  EXPECT_EQ(with("u64", "1", bytes_of<std::uint64_t>({18446744073709551615U})), "uint64[1] [18446744073709551615];");
  EXPECT_EQ(with("f16", "1", bytes_of<std::uint16_t>({0x3c00})), "float16[1] [1];");
  EXPECT_EQ(with("bf16", "1", bytes_of<std::uint16_t>({0x3f80})), "bfloat16[1] [1];");
  EXPECT_EQ(with("boolean", "2", std::string("\1\0", 2)), "bool[2] [true, false];");
  EXPECT_EQ(with("u4", "3", "\x21\x03"), "uint4[3] [1, 2, 3];");
  EXPECT_EQ(with("i4", "2", "\xf7"), "int4[2] [7, -1];");
  EXPECT_EQ(with("f8e4m3", "1", "\x38"), "float8e4m3fn[1] [1];");
  EXPECT_EQ(with("f32", "0,2", ""), "float32[0, 2] [];");
  EXPECT_EQ(with("f32", "0,2", "x"), "float32[0, 2] [];");  // as OpenVINO writes it
  EXPECT_THAT(with("f32", "1", "12345"), HasSubstr("constant-in-weights"));
  const std::string strings = bytes_of<std::int32_t>({2, 0, 2, 2}) + "ab";
  EXPECT_EQ(with("string", "2", strings), "string[2] [\"ab\", \"\"];");
}

/// The XML example of If-8 and its draft in a model: z is added where cond is true, else w.
std::string seed_example(const std::string& output_id, const std::string& version) {
  const std::string add = network({parameter(0, "f32", "2,4"), parameter(1, "f32", "2,4"),
                                   operation(2, "Add", 2, R"(<data auto_broadcast="numpy"/>)"), result(3)},
                                  {edge(0, 0, 2, 0), edge(1, 0, 2, 1), edge(2, 2, 3, 0)});
  const If choice{4,
                  {"FP32"},
                  in("1", "0") + in("2", "1") + out(output_id, "3"),
                  in("1", "0") + in("3", "1") + out(output_id, "3"),
                  add,
                  add,
                  version};
  return model(choice, {{"boolean", ""}, {"f32", "2,4"}, {"f32", "2,4"}, {"f32", "2,4"}});
}

TEST(SeedExample, ReadsZeroAndThePortsIdAsItsOnlyOutput) {
  for (const std::string version : {"opset8", "opset7"}) {
    for (const std::string id : {"0", "4"}) EXPECT_THAT(check(read(seed_example(id, version))), IsEmpty()) << id;
    for (const std::string id : {"1", "3", "5"})
      EXPECT_THAT(check(read(seed_example(id, version))),
                  Contains(Field(&Diagnostic::rule, "openvino/if/external-port-in-range")))
          << id;
  }
  EXPECT_THAT(check(read(seed_example("4", "opset6"))),
              ElementsAre(Field(&Diagnostic::rule, "openvino/ir/operator-set-is-known")));
}

}  // namespace
}  // namespace ifcert::openvino
