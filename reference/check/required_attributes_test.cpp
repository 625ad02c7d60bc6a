// A model without an attribute that the operator's text requires breaks a rule, whatever else is unknown.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ifcert/reference.hpp>

namespace ifcert {
namespace {

using testing::HasSubstr;

/// A node of that operator with suitable operands, and with a body called `body`, unless that is empty.
Model with_node(const std::string& op, Attributes attributes, const std::string& body, std::size_t bodies = 1) {
  Model model;
  model.graphs.resize(1);
  Graph& main = model.graphs[0];
  main.name = "main";
  Node node;
  node.op = op;
  node.version = 21;
  node.attributes = std::move(attributes);
  const Type tensor = Type::tensor(ElementType::float32, Shape{{2, ""}});
  const bool takes_sequences = op == "SequenceMap";
  node.inputs = {main.add_slot("x", takes_sequences ? Type::sequence_of(tensor) : tensor)};
  main.inputs = node.inputs;
  node.outputs = {main.add_slot("y")};
  main.outputs = node.outputs;
  for (std::size_t i = 0; !body.empty() && i < bodies; ++i)
    node.bodies.push_back({body, static_cast<GraphIndex>(i + 1), {}, {}});
  main.nodes = {node};
  for (const Body& each : node.bodies) {
    Graph& graph = model.graphs.emplace_back();
    graph.inputs = {graph.add_slot("a" + std::to_string(each.graph))};
    graph.outputs = graph.inputs;
  }
  return model;
}

/// The only finding, if it is of the rule about operands.
std::string finding(const Model& model) {
  const std::vector<Diagnostic> found = check(model);
  if (found.size() != 1) return std::to_string(found.size()) + " findings";
  EXPECT_EQ(found[0].rule, "onnx/model/operands-fit");
  return to_string(found[0]);
}

TEST(RequiredAttributes, AnAxisThatIsMissing) {
  EXPECT_THAT(finding(with_node("Concat", {}, "")), HasSubstr("Concat: attribute axis is missing"));
  EXPECT_TRUE(check(with_node("Concat", {{"axis", std::int64_t{0}}}, "")).empty());
}

TEST(RequiredAttributes, ABodyThatIsMissing) {
  const Attributes one_scanned{{"num_scan_inputs", std::int64_t{1}}};
  for (const std::string op : {"Loop", "Scan", "SequenceMap"}) {
    EXPECT_THAT(finding(with_node(op, one_scanned, "")), HasSubstr("attribute body is missing")) << op;
    EXPECT_THAT(finding(with_node(op, one_scanned, "corpus")), HasSubstr("attribute body is missing")) << op;
    EXPECT_THAT(finding(with_node(op, one_scanned, "body", 2)), HasSubstr("body has 2 graphs; expected one")) << op;
  }
  EXPECT_TRUE(check(with_node("Scan", one_scanned, "body")).empty());
}

TEST(RequiredAttributes, OneThatACallMayGiveIsNotMissing) {
  EXPECT_TRUE(check(with_node("Concat", {{"axis", AttributeReference{"a"}}}, "")).empty());
}

}  // namespace
}  // namespace ifcert
