// The messages about broken rules of If: the layer by its id and its name, the body, the entry of the port map.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ifcert/reference.hpp>

#include "formats/openvino/ir_text.hpp"

namespace ifcert::openvino {
namespace {

using namespace ir_text;
using testing::ElementsAre;

/// An If whose bodies return one of their Parameters: enough for every fault.
If choice() {
  const std::string body = network({parameter(3, "i32", "2"), result(7)}, {edge(3, 0, 7, 0)});
  const std::string map = in("1", "3") + out("2", "7");
  return {2, {"I32"}, map, map, body, body};
}

const std::vector<Declared> inputs{{"boolean", ""}, {"i32", "2"}};

/// `rule: place: found` for each rule that the model breaks.
std::vector<std::string> findings_of(const std::string& xml) {
  std::vector<std::string> all;
  for (const Diagnostic& broken : check(read(xml, std::string(8, '\0'))))
    all.push_back(fmt::format("{}: {}: {}", broken.rule, broken.place, broken.found));
  return all;
}

std::vector<std::string> findings_of_if(const If& broken) {
  return findings_of(model(broken, inputs));
}

TEST(Diagnostics, OfAPortMapNameItsEntry) {
  const std::string at = R"(graph "main" / layer 10 "choice" (If) / then_port_map)";
  const auto with = [](const std::string& map) {
    If broken = choice();
    broken.then_map = map;
    return findings_of_if(broken);
  };
  EXPECT_THAT(with(in("1", "3") + out("2", "x")),
              ElementsAre("openvino/if/port-map-required: " + at + R"( / output 1: internal_layer_id="x")"));
  EXPECT_THAT(with(R"(<input internal_layer_id="3"/>)" + out("2", "7")),
              ElementsAre("openvino/if/port-map-required: " + at + " / input 0: external_port_id is missing"));
  EXPECT_THAT(with(in("1", "3") + out("2", "7") + "<body/>"),
              ElementsAre("openvino/if/two-bodies-two-port-maps: " + at + " / body 2: not an entry of a port map"));
  EXPECT_THAT(with(in("1", "3") + "words" + out("2", "7")),
              ElementsAre("openvino/if/two-bodies-two-port-maps: " + at + " / text 1: not an entry of a port map"));
  EXPECT_THAT(with(in("9", "3") + out("2", "7")),
              ElementsAre("openvino/if/external-port-in-range: " + at +
                          R"( / input 0: external_port_id="9" is not an input port of the If)"));
  EXPECT_THAT(with(in("1", "3") + out("9", "7")),
              ElementsAre("openvino/if/external-port-in-range: " + at +
                          R"( / output 1: external_port_id="9" is not an output port of the If)"));
  EXPECT_THAT(with(in("1", "7") + out("2", "7")),
              ElementsAre("openvino/if/internal-layer-is-parameter: " + at +
                          R"( / input 0: internal_layer_id="7" is not a Parameter of then_body)"));
  EXPECT_THAT(with(in("1", "3") + out("2", "3")),
              ElementsAre("openvino/if/internal-layer-is-result: " + at +
                          R"( / output 1: internal_layer_id="3" is not a Result of then_body)"));
  EXPECT_THAT(with(in("1", "3") + in("0", "3") + out("2", "7")),
              ElementsAre("openvino/if/every-parameter-mapped: " + at +
                          " / input 1: the Parameter 3 of then_body is mapped a second time"));
  EXPECT_THAT(with(in("1", "3") + out("2", "7") + out("2", "7")),
              ElementsAre("openvino/if/every-output-mapped: " + at +
                              R"( / output 2: external_port_id="2": this output is mapped a second time)",
                          "openvino/if/one-result-one-output: " + at +
                              " / output 2: the Result 7 of then_body is mapped a second time"));
}

TEST(Diagnostics, OfAMissingEntryNameTheMapAndTheLayer) {
  const std::string at = R"(graph "main" / layer 10 "choice" (If) / else_port_map: )";
  If broken = choice();
  broken.else_map = out("2", "7");
  EXPECT_THAT(findings_of_if(broken),
              ElementsAre("openvino/if/every-parameter-mapped: " + at +
                          R"(no <input> entry has internal_layer_id="3", a Parameter of else_body)"));
  broken.else_map = in("1", "3");
  EXPECT_THAT(findings_of_if(broken),
              ElementsAre("openvino/if/every-output-mapped: " + at + "no <output> entry for port 2 of the If"));
}

TEST(Diagnostics, OfABodyNameIt) {
  const std::string at = R"(graph "main" / layer 10 "choice" (If))";
  If broken = choice();
  broken.else_map = in("1", "3");
  broken.else_body = network({parameter(3, "i32", "2")}, {});
  EXPECT_THAT(findings_of_if(broken),
              ElementsAre("openvino/if/body-has-result: " + at + " / else_body: the body has no Result"));
  broken = choice();
  broken.else_body = network({parameter(3, "i32", "2"), result(7)}, {edge(1, 0, 7, 0)});
  EXPECT_THAT(findings_of_if(broken),
              ElementsAre("openvino/if/bodies-are-closed: " + at +
                          R"( / else_body / edge 0: from-layer="1" names no layer of this network)"));
  broken = choice();
  broken.else_body = network({parameter(3, "f32", "2"), constant(4, "f32", "2", 0, 8), result(7)}, {edge(4, 0, 7, 0)});
  EXPECT_THAT(findings_of_if(broken),
              testing::Contains("openvino/if/output-type: " + at +
                                " / output 0: then_body returns tensor(int32), else_body tensor(float32),"
                                " and the port declares tensor(int32)"));
  broken = choice();
  broken.then_body = network({parameter(3, "i32", "2"), result(7), result(8)}, {edge(3, 0, 7, 0), edge(3, 0, 8, 0)});
  EXPECT_THAT(findings_of_if(broken), ElementsAre("openvino/if/output-count: " + at +
                                                  ": then_body has 2 Results, else_body 1 and the If 1 outputs"));
  const std::string whole = model(choice(), inputs);
  EXPECT_THAT(findings_of(replaced(whole, "</then_body>", "</then_body><then_body/>")),
              ElementsAre("openvino/if/two-bodies-two-port-maps: " + at + ": <then_body> appears 2 times"));
}

TEST(Diagnostics, OfCondSaySo) {
  const std::string at = R"(graph "main" / layer 10 "choice" (If))";
  EXPECT_THAT(findings_of(model(choice(), {{"u8", ""}, {"i32", "2"}})),
              ElementsAre("openvino/if/cond-is-boolean: " + at + " / cond: cond is tensor(uint8)"));
  EXPECT_THAT(findings_of(model(choice(), {{"boolean", "2"}, {"i32", "2"}})),
              ElementsAre("openvino/if/cond-shape: " + at + " / cond: cond has shape [2]"));
  If without = choice();
  without.inputs = 0;
  without.then_map = without.else_map = out("0", "7");
  without.then_body = without.else_body = network({constant(3, "i32", "2", 0, 8), result(7)}, {edge(3, 0, 7, 0)});
  EXPECT_THAT(findings_of(model(without, {})),
              ElementsAre("openvino/if/cond-required: " + at + ": the If has no input"));
}

TEST(Diagnostics, OfAnInnerIfNameTheWayToIt) {
  If inner = choice();
  inner.else_map = in("1", "3") + out("2", "9");
  If outer = choice();
  outer.then_map = in("0", "0") + in("1", "3") + out("2", "7");
  outer.then_body = network({parameter(0, "boolean", ""), parameter(3, "i32", "2"), if_layer(5, inner), result(7)},
                            {edge(0, 0, 5, 0), edge(3, 0, 5, 1), edge(5, 2, 7, 0)});
  EXPECT_THAT(
      findings_of_if(outer),
      ElementsAre(R"(openvino/if/internal-layer-is-result: graph "main" / layer 10 "choice" (If) / then_body / )"
                  R"(layer 5 "choice" (If) / else_port_map / output 1: internal_layer_id="9" is not a Result of )"
                  "else_body"));
}

}  // namespace
}  // namespace ifcert::openvino
