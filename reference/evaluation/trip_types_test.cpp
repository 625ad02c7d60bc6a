// A loop without trips, in a function, returns empty results of the types that this call of the function has.
#include <gtest/gtest.h>

#include <ifcert/reference.hpp>

#include "evaluation/test_models.hpp"

namespace ifcert {
namespace {

Node call(GraphIndex function, std::vector<Slot> inputs, Slot output) {
  Node node = operation("f", std::move(inputs), {output});
  node.call = true;
  node.bodies = {{"function", function, {}, {}}};
  return node;
}

/// Graph `at`: f(trips, v), a Loop whose body returns Neg(v) as its only scan output.
void add_loop(Model& model, GraphIndex at) {
  model.graphs.resize(at + 2);
  Graph& body = model.graphs[at + 1];
  for (const char* name : {"trip", "on", "on_out", "v", "minus"}) body.add_slot(name);
  body.inputs = {0, 1};
  body.outputs = {2, 4};
  body.nodes = {operation("Identity", {1}, {2}), operation("Neg", {3}, {4})};
  Graph& function = model.graphs[at];
  function.name = "f";
  for (const char* name : {"trips", "v", "all"}) function.add_slot(name);
  function.inputs = {0, 1};
  function.outputs = {2};
  Node loop = operation("Loop", {0, no_slot}, {2});
  loop.bodies = {{"body", at + 1, {{1, 3}}, {}}};
  function.nodes = {loop};
  model.functions.push_back({"", "f", "", at, {}, {}});
}

/// Graph `at`: g(trips, v) = f(trips, v).
void add_caller(Model& model, GraphIndex at, GraphIndex callee) {
  model.graphs.resize(at + 1);
  Graph& function = model.graphs[at];
  function.name = "g";
  for (const char* name : {"trips", "v", "all"}) function.add_slot(name);
  function.inputs = {0, 1};
  function.outputs = {2};
  function.nodes = {call(callee, {0, 1}, 2)};
  model.functions.push_back({"", "g", "", at, {}, {}});
}

/// a = callee(trips, float32[2]), b = callee(trips, int64[3]), c = callee(trips, float32[2]).
std::vector<std::string> types_returned_by(Model model, GraphIndex callee, std::int64_t trips) {
  Graph& main = model.graphs[0];
  main.name = "main";
  main.add_slot("trips", Type::tensor(ElementType::int64, Shape{}));
  main.add_slot("x", Type::tensor(ElementType::float32, Shape{{2, ""}}));
  main.add_slot("n", Type::tensor(ElementType::int64, Shape{{3, ""}}));
  for (const char* name : {"a", "b", "c"}) main.add_slot(name);
  main.inputs = {0, 1, 2};
  main.outputs = {3, 4, 5};
  main.nodes = {call(callee, {0, 1}, 3), call(callee, {0, 2}, 4), call(callee, {0, 1}, 5)};
  const std::vector<Value> inputs{
      make_tensor<std::int64_t>(ElementType::int64, {}, std::vector{trips}),
      make_tensor<float>(ElementType::float32, {2}, std::vector{1.0F, 2.0F}),
      make_tensor<std::int64_t>(ElementType::int64, {3}, std::vector<std::int64_t>{3, 4, 5})};
  std::vector<std::string> texts;
  for (const Value& output : Program(std::move(model)).run(inputs)) texts.push_back(to_string(type_of(output)));
  return texts;
}

TEST(TripTypes, OfALoopWithoutTripsAreThoseOfTheCall) {
  Model model;
  add_loop(model, 1);
  EXPECT_EQ(types_returned_by(model, 1, 0),
            (std::vector<std::string>{"float32[0, 2]", "int64[0, 3]", "float32[0, 2]"}));
  EXPECT_EQ(types_returned_by(model, 1, 1),
            (std::vector<std::string>{"float32[1, 2]", "int64[1, 3]", "float32[1, 2]"}));
}

TEST(TripTypes, OfALoopWithoutTripsAreThoseOfTheCallInNestedCallsToo) {
  Model model;
  add_loop(model, 1);
  add_caller(model, 3, 1);
  EXPECT_EQ(types_returned_by(model, 3, 0),
            (std::vector<std::string>{"float32[0, 2]", "int64[0, 3]", "float32[0, 2]"}));
}

}  // namespace
}  // namespace ifcert
