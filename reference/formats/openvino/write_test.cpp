#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ifcert/reference.hpp>

#include "formats/nested_captures.hpp"
#include "formats/openvino/ir_text.hpp"

namespace ifcert::openvino {
namespace {

using namespace ir_text;
using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;

/// y = cond ? x - w : x, whose then_body has its Parameters mapped the other way round, and w in the .bin.
If written_choice() {
  const std::string then_body =
      network({parameter(0, "f32", "2"), parameter(1, "f32", "2"), operation(2, "Subtract", 2), result(3)},
              {edge(1, 0, 2, 0), edge(0, 0, 2, 1), edge(2, 2, 3, 0)});
  const std::string else_body = network({parameter(0, "f32", "?"), result(1)}, {edge(0, 0, 1, 0)});
  return {3, {"FP32"}, in("1", "1") + in("2", "0") + out("3", "3"), in("1", "0") + out("3", "1"), then_body, else_body};
}

Reading read_choice() {
  return read(model(written_choice(), {{"boolean", ""}, {"f32", "2"}, {"f32", "2"}}));
}

Value floats(const std::vector<float>& numbers) {
  return make_tensor<float>(ElementType::float32, {static_cast<std::int64_t>(numbers.size())}, numbers);
}

Value truth(bool value) {
  const std::uint8_t byte = value ? 1 : 0;
  return make_tensor<std::uint8_t>(ElementType::boolean, {}, std::span(&byte, 1));
}

std::string refusal_of(const Model& written) {
  try {
    write(written);
  } catch (const Inexpressible& error) {
    return error.what();
  }
  return "nothing was refused";
}

Reading again(const Model& written) {
  const Files files = write(written);
  return read(files.xml, files.bin);
}

/// A model that returns a constant.
Model giving(Value value) {
  Model made;
  made.format = Format::openvino;
  Graph& main = made.graphs.emplace_back();
  main.outputs = {main.add_slot("a,b")};
  main.constants.push_back({0, std::move(value)});
  return made;
}

TEST(OpenVinoWrite, WhatIsWrittenReadsAsTheSameModel) {
  const Reading once = read_choice();
  ASSERT_THAT(check(once), IsEmpty());
  const Reading twice = again(once.model);
  EXPECT_THAT(check(twice), IsEmpty());
  EXPECT_EQ(write(twice.model).xml, write(once.model).xml);
}

TEST(OpenVinoWrite, TheModelReadAgainComputesTheSame) {
  const Program program(again(read_choice().model).model);
  const auto run = [&](bool cond) {
    return program.run(std::vector<Value>{truth(cond), floats({5, 6}), floats({1, 3})}).front();
  };
  EXPECT_TRUE(same_bits(run(true), floats({4, 3})));
  EXPECT_TRUE(same_bits(run(false), floats({5, 6})));
}

TEST(OpenVinoWrite, AConstantAndAnAwkwardNameComeBack) {
  for (const Value& value : {Value(floats({1, 2})), Value(make_strings({2}, {std::string("a\0b", 3), ""})),
                             Value(Tensor{ElementType::float32, {0, 3}, {}, {}})}) {
    const Reading reading = again(giving(value));
    EXPECT_THAT(check(reading), IsEmpty());
    const Graph& main = reading.model.main();
    EXPECT_TRUE(same_bits(main.constants.front().value, value));
    EXPECT_EQ(main.slots[main.outputs.front()].name, "a,b");
  }
}

TEST(OpenVinoWrite, ConstantsAreAligned) {
  Model made = giving(floats({1}));
  Graph& main = made.graphs.front();
  main.constants.push_back({main.add_slot("b"), floats({2})});
  const Files files = write(made);
  EXPECT_EQ(files.bin.size(), 20U);
  EXPECT_THAT(files.xml, HasSubstr("offset=\"16\" size=\"4\""));
}

TEST(OpenVinoWrite, LayersAndPortsOfOneNetworkHaveNamesOfTheirOwn) {
  Model made = giving(floats({1}));
  Graph& main = made.graphs.front();
  main.constants.push_back({main.add_slot("a,b"), floats({2})});
  const std::string xml = write(made).xml;
  EXPECT_THAT(xml, HasSubstr("name=\"a,b\""));
  EXPECT_THAT(xml, HasSubstr("name=\"a,b_1\""));
  EXPECT_EQ(xml.find("names="), xml.rfind("names="));
}

TEST(OpenVinoWrite, WhatIrHasNotIsRefused) {
  EXPECT_THAT(refusal_of(giving(Tensor{ElementType::complex64, {0}, {}, {}})),
              HasSubstr("constant \"a,b\": IR has no element type complex64"));
  Model listed = read_choice().model;
  listed.graphs.front().slots.front().declared = Type::sequence_of(Type::tensor(ElementType::float32));
  EXPECT_THAT(refusal_of(listed), HasSubstr("IR has only tensors; this is seq(tensor(float32))"));
  Model defaulted = giving(floats({1}));
  defaulted.graphs.front().inputs = {0};
  EXPECT_THAT(refusal_of(defaulted), HasSubstr("IR has no optional inputs"));
  Model numbered = read_choice().model;
  numbered.graphs[1].nodes.front().attributes.emplace("axis", std::int64_t{1});
  EXPECT_THAT(refusal_of(numbered), HasSubstr("attributes of IR are strings"));
}

TEST(OpenVinoWrite, ValuesThatPassThroughTooManyBodiesAreRefusedWithThePlace) {
  EXPECT_EQ(refusal_of(nested_captures(Format::openvino, 600, 100)), "nothing was refused");
  EXPECT_THAT(
      refusal_of(nested_captures(Format::openvino, 700, 100)),
      AllOf(HasSubstr("/ node 0 (If) / then_body"),
            HasSubstr("the file would hold more than 67108864 bytes of captured values, counted in each body")));
}

TEST(OpenVinoWrite, BodiesAreWrittenInsideTheirLayerOnLinesOfTheirOwn) {
  const std::string xml = write(nested_captures(Format::openvino, 1, 1)).xml;
  EXPECT_THAT(xml, HasSubstr("\n\t\t\t<then_body>\n\t\t\t\t<layers>\n\t\t\t\t\t<layer id=\"0\" name=\"c\""));
  EXPECT_THAT(xml, HasSubstr("\n\t\t\t</else_body>\n\t\t</layer>\n\t\t<layer id=\"3\" name=\"y/sink_port_0\""));
  const std::string deep = write(nested_captures(Format::openvino, 1, 21)).xml;
  EXPECT_THAT(deep, HasSubstr("\n<then_body>\n<layers>\n<layer id=\"0\" name=\"c\""));
}

Node computed(const std::string& op, Slot input, Slot output) {
  Node node;
  node.op = op;
  node.version = 1;
  node.inputs = {input};
  node.outputs = {output};
  return node;
}

/// A model whose main graph computes out = |inner| from the input, through a value that has the output's name.
Model shadowing() {
  Model made;
  made.format = Format::openvino;
  Graph& main = made.graphs.emplace_back();
  const Type type = Type::tensor(ElementType::float32, Shape{});
  main.inputs = {main.add_slot("in", type)};
  main.add_slot("out", type);
  main.outputs = {main.add_slot("out", type)};
  main.nodes = {computed("Negative", 0, 1), computed("Abs", 1, 2)};
  return made;
}

TEST(OpenVinoWriteNames, AnOutputKeepsItsNameWhateverTheValuesInsideAreCalled) {
  const Model read = again(shadowing()).model;
  EXPECT_EQ(read.main().slots[read.main().outputs.front()].name, "out");
  EXPECT_THAT(write(shadowing()).xml, HasSubstr("name=\"out/sink_port_0\""));
}

TEST(OpenVinoWriteNames, ALayerInsideDoesNotTakeTheNameOfAResult) {
  Model made = shadowing();
  made.graphs.front().nodes.front().name = "out/sink_port_0";
  EXPECT_THAT(write(made).xml, HasSubstr("name=\"out/sink_port_0\" type=\"Result\""));
}

TEST(OpenVinoWriteNames, AnInputOrOutputKeepsAllOfItsNames) {
  Model made = shadowing();
  made.further_names = {{"in", {"i,1"}}, {"out", {"o1", "o2\\"}}};
  const Reading reading = again(made);
  EXPECT_EQ(reading.model.further_names, made.further_names);
  EXPECT_THAT(write(reading.model).xml, HasSubstr("names=\"out,o1,o2\\\""));
}

TEST(OpenVinoWriteNames, OfCharactersThatXmlExcludesAreRefused) {
  Model made = giving(floats({1}));
  std::string& name = made.graphs.front().slots.front().name;
  using Row = std::pair<std::string, std::string>;
  for (const auto& [given, refused] :
       {Row{"x\xED\xA0\x80", "XML cannot hold the byte 0xed at 1"}, Row{"\xE0\x80\xAF", "the byte 0xe0 at 0"},
        Row{"\xF4\x90\x80\x80", "the byte 0xf4 at 0"}, Row{"\uFFFE", "the character U+FFFE at 0"},
        Row{"a\x01", "the character U+0001 at 1"}, Row{"\xff", "the byte 0xff at 0"},
        Row{"xy\uFFFF", "the character U+FFFF at 2"}, Row{"\x1F", "the character U+001F at 0"},
        Row{std::string(1, '\0'), "the character U+0000 at 0"}}) {
    name = given;
    EXPECT_THAT(refusal_of(made), HasSubstr(refused));
  }
}

TEST(OpenVinoWriteNames, OfCharactersThatXmlHasAreReadAgain) {
  Model made = giving(floats({1}));
  for (const std::string given : {"a\tb", "a\nb", "a\rb", "\x7F", "\u0085", "\uD7FF", "\uE000", "\uFFFD", "\U00010000",
                                  "\U0010FFFF", "<&\"'>", "a\\b", "a\\", "a\\,b", ",", ",,a,", " a "}) {
    made.graphs.front().slots.front().name = given;
    const Model read = again(made).model;
    EXPECT_EQ(read.main().slots[read.main().outputs.front()].name, given);
  }
}

}  // namespace
}  // namespace ifcert::openvino
