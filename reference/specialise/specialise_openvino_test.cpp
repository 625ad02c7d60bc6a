#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ifcert/reference.hpp>
#include <ifcert/specialise.hpp>

#include "formats/openvino/ir_text.hpp"
#include "specialise/specialise.hpp"

namespace ifcert::openvino {
namespace {

using namespace ir_text;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

/// The text with these Ifs replaced, which reads as a legal model.
std::string specialised_text(const std::string& xml, const Decisions& decisions) {
  const Reading reading = read(xml);
  EXPECT_THAT(check(reading), IsEmpty());
  std::string text = openvino::specialised(reading.model, std::as_bytes(std::span(xml)), decisions);
  EXPECT_THAT(check(read(text)), IsEmpty()) << text;
  return text;
}

std::string refusal_to_specialise(const std::string& xml, const Decisions& decisions) {
  try {
    specialised_text(xml, decisions);
  } catch (const Inexpressible& error) {
    return error.what();
  }
  return "nothing was refused";
}

/// The names of the model's inputs and outputs, in order.
std::vector<std::string> names_outside(const std::string& xml) {
  const Graph main = read(xml).model.main();
  std::vector<std::string> names;
  for (const Slot slot : main.inputs) names.push_back(main.slots[slot].name);
  for (const Slot slot : main.outputs) names.push_back(main.slots[slot].name);
  return names;
}

/// The Ifs of the main graph, then of its first body, …: nodes 0 of the graphs.
Decisions all_true(std::initializer_list<GraphIndex> graphs) {
  Decisions decisions;
  for (const GraphIndex graph : graphs) decisions.emplace(NodeIndex{graph, 0}, true);
  return decisions;
}

/// A body that returns |x|: Parameter 0, Abs 1, Result 2.
const std::string absolute =
    network({parameter(0, "i32", "?"), operation(1, "Abs", 1), result(2)}, {edge(0, 0, 1, 0), edge(1, 1, 2, 0)});

/// A body that returns x.
const std::string unchanged = network({parameter(0, "i32", "?"), result(2)}, {edge(0, 0, 2, 0)});

If choice_of(const std::string& then_body, const std::string& else_body) {
  return {2, {"I32"}, in("1", "0") + out("2", "2"), in("1", "0") + out("2", "2"), then_body, else_body};
}

const std::vector<Declared> cond_and_x{{"boolean", ""}, {"i32", "?"}};

/// y = cond ? |x| : x, over the inputs cond and x.
std::string absolute_or_unchanged() {
  std::string xml = model(choice_of(absolute, unchanged), cond_and_x);
  xml = replaced(xml, "<output><port id=\"0\"/>", "<output><port id=\"0\" names=\"cond\"/>");
  xml = replaced(xml, "shape=\"?\"/><output><port id=\"0\"/>", "shape=\"?\"/><output><port id=\"0\" names=\"x\"/>");
  return replaced(xml, "<port id=\"2\" precision", "<port id=\"2\" names=\"y\" precision");
}

TEST(SpecialiseOpenVino, WithoutADecisionTheFileStaysByteForByte) {
  const std::string xml = "<?xml version=\"1.0\"?>\n<!-- é -->\n" + absolute_or_unchanged().substr(21) + "\n";
  EXPECT_EQ(specialised_text(xml, {}), xml);
}

TEST(SpecialiseOpenVino, TheBodysLayersStandWhereTheIfStoodWithTheirOwnWhiteSpace) {
  const std::string xml = R"(<net name="main" version="11">
 <layers>
  <layer id="0" name="cond" type="Parameter" version="opset1"><data element_type="boolean" shape=""/><output><port id="0"/></output></layer>
  <layer id="1" name="x" type="Parameter" version="opset1"><data element_type="i32" shape="?"/><output><port id="0"/></output></layer>
  <layer id="7" name="choice" type="If" version="opset8"><input><port id="0"/><port id="1"/></input><output><port id="2" names="y" precision="I32"/></output>
   <then_port_map><input external_port_id="1" internal_layer_id="0"/><output external_port_id="2" internal_layer_id="2"/></then_port_map>
   <else_port_map><input external_port_id="1" internal_layer_id="0"/><output external_port_id="2" internal_layer_id="2"/></else_port_map>
   <then_body>
    <layers>
     <layer id="0" name="a" type="Parameter" version="opset1"><data element_type="i32" shape="?"/><output><port id="0"/></output></layer>
     <!-- kept -->
     <layer id="1" name="x" type="Abs" version="opset1"><input><port id="0"/></input><output><port id="1"/></output><rt_info><a b="c"/></rt_info></layer>
     <layer id="2" name="r" type="Result" version="opset1"><input><port id="0"/></input></layer>
    </layers>
    <edges>
     <edge from-layer="0" from-port="0" to-layer="1" to-port="0"/>
     <edge from-layer="1" from-port="1" to-layer="2" to-port="0"/>
    </edges>
   </then_body>
   <else_body><layers><layer id="0" name="a" type="Parameter" version="opset1"><data element_type="i32" shape="?"/><output><port id="0"/></output></layer><layer id="2" name="r" type="Result" version="opset1"><input><port id="0"/></input></layer></layers><edges><edge from-layer="0" from-port="0" to-layer="2" to-port="0"/></edges></else_body>
  </layer>
  <layer id="9" name="r" type="Result" version="opset1"><input><port id="0"/></input></layer>
 </layers>
 <edges>
  <edge from-layer="0" from-port="0" to-layer="7" to-port="0"/>
  <edge from-layer="1" from-port="0" to-layer="7" to-port="1"/>
  <edge from-layer="7" from-port="2" to-layer="9" to-port="0"/>
 </edges>
 <rt_info/>
</net>)";
  EXPECT_EQ(specialised_text(xml, all_true({0})), R"(<net name="main" version="11">
 <layers>
  <layer id="0" name="cond" type="Parameter" version="opset1"><data element_type="boolean" shape=""/><output><port id="0"/></output></layer>
  <layer id="1" name="x" type="Parameter" version="opset1"><data element_type="i32" shape="?"/><output><port id="0"/></output></layer>
     <!-- kept -->
     <layer id="10" name="x_1" type="Abs" version="opset1"><input><port id="0"/></input><output><port id="1" names="y"/></output><rt_info><a b="c"/></rt_info></layer>
  <layer id="9" name="r" type="Result" version="opset1"><input><port id="0"/></input></layer>
 </layers>
 <edges>
     <edge from-layer="1" from-port="0" to-layer="10" to-port="0"/>
  <edge from-layer="10" from-port="1" to-layer="9" to-port="0"/>
 </edges>
 <rt_info/>
</net>)");
}

TEST(SpecialiseOpenVino, AnOutputThatBecomesAnInputIsACopySoThatBothKeepTheirNames) {
  const std::string xml = absolute_or_unchanged();
  const std::string text = specialised_text(xml, {{{0, 0}, false}});
  EXPECT_THAT(names_outside(text), ElementsAre("cond", "x", "y"));
  EXPECT_THAT(text, HasSubstr("name=\"choice\" type=\"Reshape\""));
  EXPECT_THAT(text, Not(HasSubstr("type=\"If\"")));
}

TEST(SpecialiseOpenVino, OutputsThatBecomeOneValueKeepTheirNames) {
  const std::string twice = network({parameter(0, "i32", "?"), operation(1, "Abs", 1), result(2), result(3)},
                                    {edge(0, 0, 1, 0), edge(1, 1, 2, 0), edge(1, 1, 3, 0)});
  const std::string map = in("1", "0") + out("2", "2") + out("3", "3");
  std::string xml = model({2, {"I32", "I32"}, map, map, twice, twice}, cond_and_x);
  xml = replaced(xml, "<port id=\"2\" precision", "<port id=\"2\" names=\"y,also\" precision");
  const std::string text = specialised_text(xml, all_true({0}));
  EXPECT_THAT(names_outside(xml), ElementsAre("in0", "in1", "y", "choice.1"));
  EXPECT_EQ(names_outside(text), names_outside(xml));
  EXPECT_THAT(read(text).model.further_names.at("y"), ElementsAre("also"));
}

TEST(SpecialiseOpenVino, AnOutputKeepsANameThatItHadFromTheIf) {
  const std::string xml = model(choice_of(absolute, unchanged), cond_and_x);
  EXPECT_THAT(names_outside(xml), ElementsAre("in0", "in1", "choice"));
  EXPECT_EQ(names_outside(specialised_text(xml, all_true({0}))), names_outside(xml));
}

TEST(SpecialiseOpenVino, ACopyOfStringsIsRefused) {
  const std::string passed = network({parameter(0, "string", "?"), result(2)}, {edge(0, 0, 2, 0)});
  If choice = choice_of(passed, passed);
  choice.outputs = {"STRING"};
  EXPECT_EQ(
      refusal_to_specialise(model(choice, {{"boolean", ""}, {"string", "?"}}), all_true({0})),
      "graph \"main\" / layer 10 \"choice\" (If): the output \"choice\" would be \"in1\" by another name; IR has no "
      "operation that copies strings");
}

/// A body that returns cond ? |x| : x, with the Parameters 0 and 1.
std::string nested_choice() {
  return network(
      {parameter(0, "boolean", ""), parameter(1, "i32", "?"), if_layer(10, choice_of(absolute, unchanged)), result(2)},
      {edge(0, 0, 10, 0), edge(1, 0, 10, 1), edge(10, 2, 2, 0)});
}

/// cond ? (cond ? |x| : x) : x. Graph 1 is the body with the inner If, graph 2 its then_body.
std::string choice_in_choice() {
  If outer = choice_of(nested_choice(), unchanged);
  outer.then_map = in("0", "0") + in("1", "1") + out("2", "2");
  return model(outer, cond_and_x);
}

TEST(SpecialiseOpenVino, AnIfInATakenBodyStaysOrGoesAsItIsDecided) {
  const std::string both = specialised_text(choice_in_choice(), all_true({0, 1}));
  EXPECT_THAT(both, Not(HasSubstr("type=\"If\"")));
  EXPECT_THAT(both, HasSubstr("type=\"Abs\""));
  const std::string outer = specialised_text(choice_in_choice(), all_true({0}));
  EXPECT_THAT(outer, HasSubstr("<layer id=\"21\" name=\"choice\" type=\"If\""));
}

TEST(SpecialiseOpenVino, AnIfInABodyThatStaysIsReplacedThere) {
  const std::string text = specialised_text(choice_in_choice(), all_true({1}));
  EXPECT_THAT(text, HasSubstr("type=\"If\""));
  EXPECT_EQ(text.find("type=\"If\""), text.rfind("type=\"If\""));
  EXPECT_EQ(read(text).model.graphs.size(), 3U);
}

TEST(SpecialiseOpenVino, AParameterThatOnlyAReplacedIfReadGoes) {
  const std::string text = specialised_text(choice_in_choice(), all_true({1}));
  EXPECT_THAT(text, HasSubstr("<then_port_map>" + in("1", "1") + out("2", "2") + "</then_port_map>"));
  EXPECT_EQ(read(text).model.graphs[1].slots.size(), 2U);
}

TEST(SpecialiseOpenVino, WhatOnlyTheCondOfAReplacedIfNeededGoesFromABodyThatStays) {
  const std::string body =
      network({parameter(0, "boolean", ""), parameter(1, "i32", "?"), operation(3, "LogicalNot", 1),
               if_layer(10, choice_of(absolute, unchanged)), result(2)},
              {edge(0, 0, 3, 0), edge(3, 1, 10, 0), edge(1, 0, 10, 1), edge(10, 2, 2, 0)});
  If outer = choice_of(body, unchanged);
  outer.then_map = in("0", "0") + in("1", "1") + out("2", "2");
  const std::string text = specialised_text(model(outer, cond_and_x), {{{1, 1}, false}});
  EXPECT_THAT(text, HasSubstr("<then_body>" + network({parameter(1, "i32", "?"), result(2)}, {edge(1, 0, 2, 0)})));
}

TEST(SpecialiseOpenVino, AParameterThatNothingEverReadStays) {
  const std::string cond = parameter(0, "boolean", "");
  const std::string unread = parameter(5, "i32", "?");
  If outer = choice_of(replaced(nested_choice(), cond, cond + unread), unchanged);
  outer.then_map = in("0", "0") + in("1", "1") + in("1", "5") + out("2", "2");
  const std::string text = specialised_text(model(outer, cond_and_x), all_true({1}));
  EXPECT_THAT(text, AllOf(HasSubstr(unread), Not(HasSubstr(cond + unread))));
}

TEST(SpecialiseOpenVino, ADecisionInABodyThatIsDroppedDoesNothing) {
  Decisions decisions = all_true({1});
  decisions.emplace(NodeIndex{0, 0}, false);
  EXPECT_EQ(specialised_text(choice_in_choice(), decisions), specialised_text(choice_in_choice(), {{{0, 0}, false}}));
}

/// z = |choice|, with the names "t" at the If and "a" at the Abs of its then_body.
std::string absolute_of_choice(const std::string& names_inside) {
  const std::string then_body =
      replaced(absolute, "<port id=\"1\"/>", "<port id=\"1\" names=\"" + names_inside + "\"/>");
  const std::string layer = replaced(if_layer(10, choice_of(then_body, unchanged)), "<port id=\"2\" precision",
                                     "<port id=\"2\" names=\"t\" precision");
  return net(
      network({parameter(0, "boolean", ""), parameter(1, "i32", "?"), layer, operation(11, "Abs", 1), result(20)},
              {edge(0, 0, 10, 0), edge(1, 0, 10, 1), edge(10, 2, 11, 0), edge(11, 1, 20, 0)}));
}

TEST(SpecialiseOpenVino, AValueInsideHasTheNamesOfTheIfAndItsOwn) {
  EXPECT_THAT(specialised_text(absolute_of_choice("a"), all_true({0})), HasSubstr("names=\"t,a\""));
  EXPECT_THAT(specialised_text(absolute_of_choice("t,b\\,c"), all_true({0})), HasSubstr("names=\"t,t_1,b\\,c\""));
}

TEST(SpecialiseOpenVino, AnOutputKeepsANameThatAValueInsideHas) {
  EXPECT_THAT(names_outside(absolute_of_choice("op11")), ElementsAre("in0", "in1", "op11"));
  EXPECT_THAT(names_outside(specialised_text(absolute_of_choice("op11"), all_true({0}))),
              ElementsAre("in0", "in1", "op11"));
}

TEST(SpecialiseOpenVino, AnOutputKeepsANameThatALayerInsideHas) {
  const std::string map = in("1", "0") + out("2", "2") + out("3", "3");
  const std::string twice =
      network({parameter(0, "i32", "?"), result(2), result(3)}, {edge(0, 0, 2, 0), edge(0, 0, 3, 0)});
  const std::string other = replaced(if_layer(12, {2, {"I32", "I32"}, map, map, twice, twice}), "choice", "other");
  const std::string taken = replaced(absolute, "op1", "other.1");
  const std::string xml = net(network({parameter(0, "boolean", ""), parameter(1, "i32", "?"),
                                       if_layer(10, choice_of(taken, unchanged)), other, result(20), result(21)},
                                      {edge(0, 0, 10, 0), edge(1, 0, 10, 1), edge(0, 0, 12, 0), edge(10, 2, 12, 1),
                                       edge(12, 2, 20, 0), edge(12, 3, 21, 0)}));
  EXPECT_THAT(names_outside(xml), ElementsAre("in0", "in1", "other.0", "other.1"));
  EXPECT_EQ(names_outside(specialised_text(xml, all_true({0}))), names_outside(xml));
}

TEST(SpecialiseOpenVino, AnInputDoesNotGetTheNamesOfAValueInside) {
  const std::string text = specialised_text(absolute_of_choice("a"), {{{0, 0}, false}});
  EXPECT_THAT(text, Not(HasSubstr("names=")));
  EXPECT_THAT(text, Not(HasSubstr("Reshape")));
}

TEST(SpecialiseOpenVino, AnOutputThatItsResultNamesIsCopiedFromAnInput) {
  const std::string xml = replaced(model(choice_of(unchanged, absolute), cond_and_x), "name=\"out20\"",
                                   "name=\"out20\" output_names=\"y\"");
  EXPECT_THAT(names_outside(specialised_text(xml, all_true({0}))), ElementsAre("in0", "in1", "y"));
}

TEST(SpecialiseOpenVino, ALoopInATakenBodyKeepsItsPortMapsAndTheIdsInside) {
  const std::string inside =
      "<port_map><input external_port_id=\"0\" internal_layer_id=\"0\"/></port_map><body>" + absolute + "</body>";
  const std::string loop = replaced(operation(1, "TensorIterator", 1), "<input>", inside + "<input>");
  const std::string body = network({parameter(0, "i32", "?"), loop, result(2)}, {edge(0, 0, 1, 0), edge(1, 1, 2, 0)});
  EXPECT_THAT(specialised_text(model(choice_of(body, unchanged), cond_and_x), all_true({0})), HasSubstr(inside));
}

TEST(SpecialiseOpenVino, TheModelComputesWhatItDid) {
  const auto y_of = [](const std::string& xml) {
    const std::uint8_t truth = 1;
    const std::vector<std::int32_t> x{3, -4};
    const std::vector<Value> inputs{make_tensor<std::uint8_t>(ElementType::boolean, {}, std::span(&truth, 1)),
                                    make_tensor<std::int32_t>(ElementType::int32, {2}, x)};
    return to_string(Program(read(xml).model).run(inputs).front());
  };
  for (const Decisions& decisions : {all_true({}), all_true({0}), all_true({1}), all_true({0, 1})})
    EXPECT_EQ(y_of(specialised_text(choice_in_choice(), decisions)), "int32[2] [3, 4]");
}

TEST(SpecialiseOpenVino, ElementsThatAreNestedVeryDeepAreRemoved) {
  constexpr std::size_t depth = 300'000;
  std::string deep;
  for (std::size_t i = 0; i < depth; ++i) deep += "<a>";
  for (std::size_t i = 0; i < depth; ++i) deep += "</a>";
  const std::string xml = replaced(absolute_or_unchanged(), "<then_port_map>", deep + "<then_port_map>");
  EXPECT_LT(specialised_text(xml, all_true({0})).size(), 2000U);
}

/// A body with the Parameters cond and x, which returns what `levels` Ifs in each other do.
std::string nested_choices(std::size_t levels) {
  If choice = choice_of(absolute, unchanged);
  std::string body = nested_choice();
  for (std::size_t level = 1; level < levels; ++level) {
    choice.then_body = body;
    choice.then_map = in("0", "0") + in("1", "1") + out("2", "2");
    body = network({parameter(0, "boolean", ""), parameter(1, "i32", "?"), if_layer(10, choice), result(2)},
                   {edge(0, 0, 10, 0), edge(1, 0, 10, 1), edge(10, 2, 2, 0)});
  }
  return body;
}

TEST(SpecialiseOpenVino, IfsInEachOtherGoHoweverDeepTheyAre) {
  If outermost = choice_of(nested_choices(nesting_limit - 2), unchanged);
  outermost.then_map = in("0", "0") + in("1", "1") + out("2", "2");
  const std::string xml = model(outermost, cond_and_x);
  const Model nested = read(xml).model;
  Decisions decisions;
  for (GraphIndex graph = 0; graph < nested.graphs.size(); ++graph) {
    if (!nested.graphs[graph].nodes.empty()) decisions.emplace(NodeIndex{graph, 0}, true);
  }
  EXPECT_GT(decisions.size(), nesting_limit - 2);
  const std::string text = specialised_text(xml, decisions);
  EXPECT_THAT(text, Not(HasSubstr("type=\"If\"")));
  EXPECT_LT(text.size(), 2000U);
}

}  // namespace
}  // namespace ifcert::openvino
