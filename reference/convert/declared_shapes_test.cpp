#include "convert/declared_shapes.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ifcert/reference.hpp>

#include "convert/conversion_agreement.hpp"
#include "model/test_parts.hpp"

namespace ifcert {
namespace {

using testing::IsEmpty;

const Type any_list = Type::tensor(ElementType::float32, Shape{Dim{}});

Value zeros(std::int64_t count) {
  return make_tensor<float>(ElementType::float32, {count}, std::vector<float>(static_cast<std::size_t>(count)));
}

/// all = Loop(M = 2, cond = true, x) { v as the carried value and as a scan output }. The body declares v as a list of
/// two, the main graph x and all only by their ranks.
Model loop_whose_body_declares_two() {
  Model made;
  made.ir_version = 8;
  made.opsets = {{"", 16}};
  made.graphs.resize(2);
  Graph& main = made.graphs[0];
  main.name = "main";
  main.inputs = {main.add_slot("x", any_list)};
  const std::int64_t two = 2;
  main.constants.push_back({main.add_slot("M"), make_tensor<std::int64_t>(ElementType::int64, {}, {&two, 1})});
  main.constants.push_back({main.add_slot("cond"), boolean(true)});
  const Slot last = main.add_slot("last", any_list);
  const Slot all = main.add_slot("all", Type::tensor(ElementType::float32, Shape{Dim{}, Dim{}}));
  main.outputs = {last, all};
  Node loop = operation("Loop", {1, 2, 0}, {});
  loop.outputs = {last, all};
  loop.bodies = {{"body", 1, {}, {}}};
  main.nodes.push_back(std::move(loop));
  Graph& body = made.graphs[1];
  body.name = "body";
  body.inputs = {body.add_slot("trip", Type::tensor(ElementType::int64, Shape{})),
                 body.add_slot("again", Type::tensor(ElementType::boolean, Shape{})),
                 body.add_slot("v", Type::tensor(ElementType::float32, static_shape({2})))};
  body.outputs = {1, body.add_slot("next"), 2};
  body.nodes.push_back(operation("Neg", {2}, {3}));
  body.outputs[0] = body.add_slot("go_on");
  body.nodes.push_back(operation("Identity", {1}, {4}));
  return made;
}

TEST(DeclaredShapes, AValueOfAnotherShapeStopsTheRun) {
  const Model model = loop_whose_body_declares_two();
  ASSERT_THAT(check(model), IsEmpty());
  const translation::Watched watched = translation::watching_declared_shapes(model);
  const Program program(watched.model, watched.operators);
  const std::vector<Value> two{zeros(2)};
  const std::vector<Value> one{zeros(1)};
  EXPECT_TRUE(std::ranges::equal(program.run(two), Program(model).run(two), same_bits));
  EXPECT_NO_THROW(Program(model).run(one));
  try {
    program.run(one);
    ADD_FAILURE() << "the run did not stop";
  } catch (const EvaluationError& error) {
    EXPECT_THAT(error.what(), testing::EndsWith("the value \"v\" is float32[1], declared as float32[2]"));
  }
}

/// The While of TensorFlow Lite begins with a scan output of the shape [0, 2], to which a trip cannot add [1, 1].
TEST(DeclaredShapes, RunsThatContradictThemAreNotComparedAfterAConversion) {
  const Model model = loop_whose_body_declares_two();
  bool computes = false;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const ConversionAgreement agreement(model, seed);
    computes = computes || agreement.computes();
    std::vector<WrittenFile> files;
    EXPECT_EQ(agreement.fault_of("model.circle", files), "") << "seed " << seed;
    EXPECT_FALSE(files.empty());
  }
  EXPECT_TRUE(computes);
}

}  // namespace
}  // namespace ifcert
