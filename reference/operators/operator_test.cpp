#include "operators/operator.hpp"

#include <gtest/gtest.h>

#include "model/function_attributes.hpp"

namespace ifcert::kernels {
namespace {

Node node_with(Attributes attributes) {
  Node node;
  node.op = "Cast";
  node.attributes = std::move(attributes);
  return node;
}

TEST(Attribute, ThatIsAReferenceComesFromTheCall) {
  const Node node = node_with({{"to", AttributeReference{"type"}}, {"own", std::int64_t{7}}});
  const Node call = node_with({{"type", std::int64_t{1}}, {"own", std::int64_t{8}}});
  const CallAttributes attributes(call, nullptr, nullptr);
  EXPECT_EQ(*find_attribute_of<std::int64_t>(node, "to", &attributes), 1);
  EXPECT_EQ(*find_attribute_of<std::int64_t>(node, "own", &attributes), 7);
}

TEST(Attribute, IsAbsentWhereNoCallHasIt) {
  const Node node = node_with({{"to", AttributeReference{"type"}}});
  const Node call = node_with({{"axis", std::int64_t{1}}});
  const Node unresolved_call = node_with({{"type", AttributeReference{"outer"}}});
  const CallAttributes other(call, nullptr, nullptr);
  const CallAttributes unresolved(unresolved_call, nullptr, &other);
  EXPECT_EQ(find_attribute(node, "to", nullptr), nullptr);
  EXPECT_EQ(find_attribute(node, "to", &other), nullptr);
  EXPECT_EQ(find_attribute(node, "to", &unresolved), nullptr);
  EXPECT_EQ(find_attribute(node, "from", &other), nullptr);
}

TEST(Attribute, IsPassedFromCallToCallAndOtherwiseHasItsDefault) {
  const Node outer_call = node_with({{"outer", std::int64_t{2}}});
  const Node call = node_with({{"type", AttributeReference{"outer"}}, {"axis", AttributeReference{"nothing"}}});
  Function function;
  function.defaults = {{"type", std::int64_t{3}}, {"axis", std::int64_t{4}}, {"keep", std::int64_t{5}}};
  const CallAttributes outer(outer_call, nullptr, nullptr);
  const CallAttributes attributes(call, &function, &outer);
  EXPECT_EQ(std::get<std::int64_t>(*attributes.find("type")), 2);
  EXPECT_EQ(std::get<std::int64_t>(*attributes.find("axis")), 4);
  EXPECT_EQ(std::get<std::int64_t>(*attributes.find("keep")), 5);
  EXPECT_EQ(attributes.find("outer"), nullptr);
  EXPECT_EQ(attributes.find("type"), outer.find("outer")) << "a long list is not copied";
}

TEST(Attribute, OfAnotherTypeIsRefused) {
  const Node node = node_with({{"to", 1.0F}});
  EXPECT_THROW(find_attribute_of<std::int64_t>(node, "to", nullptr), EvaluationError);
}

TEST(OnnxTable, HasTheRowOfAVersion) {
  EXPECT_EQ(find_onnx_operator("Squeeze", 12)->since, 1);
  EXPECT_EQ(find_onnx_operator("Squeeze", 13)->since, 13);
  EXPECT_EQ(find_onnx_operator("Squeeze", 25)->since, 13);
  EXPECT_EQ(find_onnx_operator("Where", 8), nullptr) << "Where came with 9";
  EXPECT_EQ(find_onnx_operator("Optional", 14), nullptr);
  EXPECT_EQ(find_onnx_operator("If", 25), nullptr) << "If is the evaluator's";
  EXPECT_EQ(find_onnx_operator("Det", 25), nullptr) << "Det is none of ours";
}

}  // namespace
}  // namespace ifcert::kernels
