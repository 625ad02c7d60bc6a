// Loops of models that are built in the graph form: Loop, Scan and SequenceMap.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ifcert/reference.hpp>

#include "evaluation/test_models.hpp"

namespace ifcert {
namespace {

using testing::HasSubstr;

/// A Loop whose body doubles the carried value, and returns the result as a scan output too.
Model doubling_loop() {
  Model model;
  model.graphs.resize(2);
  Graph& body = model.graphs[1];
  for (const char* name : {"trip", "cond_in", "value", "cond_out", "doubled", "shown"}) body.add_slot(name);
  body.inputs = {0, 1, 2};
  body.outputs = {3, 4, 5};
  body.nodes = {operation("Identity", {1}, {3}), operation("Add", {2, 2}, {4}), operation("Identity", {4}, {5})};
  Graph& main = model.graphs[0];
  main.name = "main";
  main.add_slot("trips", Type::tensor(ElementType::int64));
  main.add_slot("start", Type::tensor(ElementType::float32, Shape{{1, ""}}));
  main.add_slot("last");
  main.add_slot("all");
  main.inputs = {0, 1};
  main.outputs = {2, 3};
  Node loop = operation("Loop", {0, no_slot, 1}, {2, 3});
  loop.bodies = {{"body", 1, {}, {}}};
  main.nodes = {loop};
  return model;
}

TEST(Loop, CarriesValuesAndStacksScanOutputs) {
  const Program program(doubling_loop());
  const std::int64_t trips = 3;
  const std::vector<Value> outputs =
      program.run(std::vector<Value>{make_tensor<std::int64_t>(ElementType::int64, {}, {&trips, 1}), floats({1})});
  EXPECT_EQ(to_string(outputs[0]), "float32[1] [8]");
  EXPECT_EQ(to_string(outputs[1]), "float32[3, 1] [2, 4, 8]");
}

TEST(Loop, WithoutTripsReturnsTheStartAndAnEmptyScanOutputOfTheRightType) {
  const Program program(doubling_loop());
  const std::int64_t trips = 0;
  const std::vector<Value> outputs =
      program.run(std::vector<Value>{make_tensor<std::int64_t>(ElementType::int64, {}, {&trips, 1}), floats({7})});
  EXPECT_EQ(to_string(outputs[0]), "float32[1] [7]");
  EXPECT_THAT(to_string(type_of(outputs[1])), testing::StartsWith("float32[0"));
}

TEST(Loop, RefusesATripCountThatIsNotATensor) {
  Model model = doubling_loop();
  model.graphs[0].slots[0].declared = {};
  const Value numbers = Sequence{Type::tensor(ElementType::int64), {}};
  EXPECT_THAT(failure_of(Program(model), {numbers, floats({1})}), HasSubstr("the trip count must be a single int64"));
}

TEST(Loop, WithoutTripsRefusesToMakeUpAnElementType) {
  Model model = doubling_loop();
  model.graphs[0].slots[1].declared = {};
  const std::int64_t trips = 0;
  const Value none = make_tensor<std::int64_t>(ElementType::int64, {}, {&trips, 1});
  EXPECT_THAT(failure_of(Program(model), {none, floats({1})}),
              HasSubstr("output 1: Loop: no trip returns this output, and nothing else determines its element type"));
}

TEST(Loop, PassesABodyAnOptionalWhereItDeclaresOne) {
  Model model;
  model.graphs.resize(2);
  Graph& body = model.graphs[1];
  for (const char* name : {"trip", "on"}) body.add_slot(name);
  body.add_slot("carried", Type::optional_of(Type::tensor(ElementType::float32)));
  for (const char* name : {"held", "sum"}) body.add_slot(name);
  body.inputs = {0, 1, 2};
  body.outputs = {1, 4};
  body.nodes = {operation("OptionalGetElement", {2}, {3}), operation("Add", {3, 3}, {4})};
  Graph& main = model.graphs[0];
  main.add_slot("start", Type::optional_of(Type::tensor(ElementType::float32)));
  main.add_slot("trips", Type::tensor(ElementType::int64));
  main.add_slot("last");
  main.inputs = {0, 1};
  main.outputs = {2};
  Node loop = operation("Loop", {1, no_slot, 0}, {2});
  loop.bodies = {{"body", 1, {}, {}}};
  main.nodes = {loop};
  const std::int64_t trips = 2;
  const Value start = Optional{Type::tensor(ElementType::float32), floats({3})};
  EXPECT_EQ(to_string(Program(model).run(
                std::vector<Value>{start, make_tensor<std::int64_t>(ElementType::int64, {}, {&trips, 1})})[0]),
            "float32[1] [12]");
}

TEST(Loop, CountsTheStringsThatItsTripsReturn) {
  Model model;
  model.graphs.resize(2);
  Graph& body = model.graphs[1];
  for (const char* name : {"trip", "on", "captured", "joined"}) body.add_slot(name);
  body.inputs = {0, 1};
  body.outputs = {1, 3};
  body.nodes = {operation("Concat", {2, 2}, {3})};
  body.nodes[0].attributes = {{"axis", std::int64_t{0}}};
  Graph& main = model.graphs[0];
  main.add_slot("trips", Type::tensor(ElementType::int64));
  main.add_slot("words", Type::tensor(ElementType::string));
  main.add_slot("all");
  main.inputs = {0, 1};
  main.outputs = {2};
  Node loop = operation("Loop", {0, no_slot}, {2});
  loop.bodies = {{"body", 1, {{1, 2}}, {}}};
  main.nodes = {loop};
  const std::int64_t trips = 1000;
  const std::vector<Value> inputs{make_tensor<std::int64_t>(ElementType::int64, {}, {&trips, 1}),
                                  make_strings({10}, std::vector<std::string>(10, "word"))};
  // The strings of the trips, and those of the result, are 20000 objects each.
  const std::uint64_t objects = 20'000 * sizeof(std::string);
  const Program program(std::move(model));
  EXPECT_EQ(exceeded_limit(program, inputs, {.memory = 2 * objects}), Limit::memory);
  EXPECT_EQ(exceeded_limit(program, inputs, {.memory = 3 * objects}), std::nullopt);
}

/// A Scan over x. Its body returns the sum of the state and the element, and that of the element and a captured value.
Model summing_scan(std::int64_t axis, std::int64_t backward) {
  Model model;
  model.graphs.resize(2);
  Graph& body = model.graphs[1];
  for (const char* name : {"sum", "element", "captured", "sum_out", "shown"}) body.add_slot(name);
  body.inputs = {0, 1};
  body.outputs = {3, 4};
  body.nodes = {operation("Add", {0, 1}, {3}), operation("Add", {1, 2}, {4})};
  Graph& main = model.graphs[0];
  main.name = "main";
  for (const char* name : {"start", "x", "bias"}) main.add_slot(name, Type::tensor(ElementType::float32));
  for (const char* name : {"last", "all"}) main.add_slot(name);
  main.inputs = {0, 1, 2};
  main.outputs = {3, 4};
  Node scan = operation("Scan", {0, 1}, {3, 4});
  scan.attributes = {{"num_scan_inputs", std::int64_t{1}},
                     {"scan_input_axes", std::vector<std::int64_t>{axis}},
                     {"scan_input_directions", std::vector<std::int64_t>{backward}},
                     {"scan_output_axes", std::vector<std::int64_t>{axis}},
                     {"scan_output_directions", std::vector<std::int64_t>{0}}};
  scan.bodies = {{"body", 1, {{2, 2}}, {}}};
  main.nodes = {scan};
  return model;
}

Value matrix(std::vector<float> numbers, std::int64_t rows, std::int64_t columns) {
  return make_tensor<float>(ElementType::float32, {rows, columns}, numbers);
}

TEST(Scan, CarriesStateAndStacksTheResultsOfItsTrips) {
  const std::vector<Value> outputs =
      Program(summing_scan(0, 0))
          .run(std::vector<Value>{floats({0, 0}), matrix({1, 2, 3, 4, 5, 6}, 3, 2), floats({10, 20})});
  EXPECT_EQ(to_string(outputs[0]), "float32[2] [9, 12]");
  EXPECT_EQ(to_string(outputs[1]), "float32[3, 2] [11, 22, 13, 24, 15, 26]");
}

TEST(Scan, ScansAlongAnyAxisAndBackwards) {
  const std::vector<Value> columns =
      Program(summing_scan(-1, 0))
          .run(std::vector<Value>{floats({0, 0, 0}), matrix({1, 2, 3, 4, 5, 6}, 3, 2), floats({0, 0, 0})});
  EXPECT_EQ(to_string(columns[0]), "float32[3] [3, 7, 11]");
  EXPECT_EQ(to_string(columns[1]), "float32[3, 2] [1, 2, 3, 4, 5, 6]");
  const std::vector<Value> backward =
      Program(summing_scan(0, 1))
          .run(std::vector<Value>{floats({0, 0}), matrix({1, 2, 3, 4, 5, 6}, 3, 2), floats({0, 0})});
  EXPECT_EQ(to_string(backward[1]), "float32[3, 2] [5, 6, 3, 4, 1, 2]");
  Model prepending = summing_scan(0, 1);
  prepending.graphs[0].nodes[0].attributes["scan_output_directions"] = std::vector<std::int64_t>{1};
  const std::vector<Value> twice =
      Program(std::move(prepending))
          .run(std::vector<Value>{floats({0, 0}), matrix({1, 2, 3, 4, 5, 6}, 3, 2), floats({0, 0})});
  EXPECT_EQ(to_string(twice[1]), "float32[3, 2] [1, 2, 3, 4, 5, 6]");
}

TEST(Scan, OfNoElementsReturnsItsStateAndAnEmptyScanOutput) {
  const std::vector<Value> outputs =
      Program(summing_scan(0, 0)).run(std::vector<Value>{floats({7, 8}), matrix({}, 0, 2), floats({0, 0})});
  EXPECT_EQ(to_string(outputs[0]), "float32[2] [7, 8]");
  EXPECT_THAT(to_string(type_of(outputs[1])), testing::StartsWith("float32[0"));
}

TEST(Scan, RefusesOperandsAndAttributesThatDoNotFit) {
  const Program program(summing_scan(0, 0));
  EXPECT_THAT(failure_of(program, {floats({1}), matrix({1, 2, 3, 4}, 2, 2), floats({0, 0})}),
              HasSubstr("node 0 (Scan): a trip changes the type of state variable 0 from float32[1] to float32[2]"));
  EXPECT_THAT(failure_of(Program(summing_scan(2, 0)), {floats({0, 0}), matrix({1, 2}, 1, 2), floats({0, 0})}),
              HasSubstr("scan_input_axes has 2 for operand 1, which has rank 2"));
  EXPECT_THAT(failure_of(Program(summing_scan(0, 3)), {floats({0, 0}), matrix({1, 2}, 1, 2), floats({0, 0})}),
              HasSubstr("a direction is 3"));
  Model without = summing_scan(0, 0);
  without.graphs[0].nodes[0].attributes.erase("num_scan_inputs");
  EXPECT_THAT(failure_of(Program(std::move(without)), {floats({0, 0}), matrix({1, 2}, 1, 2), floats({0, 0})}),
              HasSubstr("num_scan_inputs is missing"));
  Model too_many = summing_scan(0, 0);
  too_many.graphs[0].nodes[0].attributes["num_scan_inputs"] = std::int64_t{3};
  EXPECT_THAT(failure_of(Program(std::move(too_many)), {floats({0, 0}), matrix({1, 2}, 1, 2), floats({0, 0})}),
              HasSubstr("num_scan_inputs is 3; expected 1 to 2"));
}

/// summing_scan in version 8, which has batches and, optionally, an operand with their lengths.
Model summing_scan_of_batches(bool with_lengths) {
  Model model = summing_scan(0, 0);
  Graph& main = model.graphs[0];
  if (with_lengths) main.inputs.push_back(main.add_slot("lengths", Type::tensor(ElementType::int64)));
  Node& scan = main.nodes[0];
  scan.version = 8;
  scan.inputs = {with_lengths ? main.inputs.back() : no_slot, 0, 1};
  scan.attributes = {{"num_scan_inputs", std::int64_t{1}}};
  return model;
}

Value cube(std::vector<float> numbers, std::int64_t batches, std::int64_t rows, std::int64_t columns) {
  return make_tensor<float>(ElementType::float32, {batches, rows, columns}, numbers);
}

TEST(Scan, OfVersionEightScansEachBatch) {
  const std::vector<Value> outputs =
      Program(summing_scan_of_batches(false))
          .run(std::vector<Value>{matrix({0, 100}, 2, 1), cube({1, 2, 3, 4}, 2, 2, 1), floats({10})});
  EXPECT_EQ(to_string(outputs[0]), "float32[2, 1] [3, 107]");
  EXPECT_EQ(to_string(outputs[1]), "float32[2, 2, 1] [11, 12, 13, 14]");
}

TEST(Scan, OfVersionEightTakesALengthForEachBatchAndADirection) {
  const std::int64_t ones[] = {1, 1};
  const Value lengths = make_tensor<std::int64_t>(ElementType::int64, {2}, ones);
  const std::vector<Value> operands{matrix({0, 100}, 2, 1), cube({1, 2, 3, 4}, 2, 2, 1), floats({10}), lengths};
  EXPECT_EQ(to_string(Program(summing_scan_of_batches(true)).run(operands)[0]), "float32[2, 1] [1, 103]");
  const auto all_of = [&](std::int64_t first, std::int64_t second) {
    const std::int64_t given[] = {first, second};
    const std::vector<Value> fed{operands[0], operands[1], operands[2],
                                 make_tensor<std::int64_t>(ElementType::int64, {2}, given)};
    return to_string(Program(summing_scan_of_batches(true)).run(fed)[1]);
  };
  EXPECT_EQ(all_of(1, 1), "float32[2, 2, 1] [11, 0, 13, 0]");  // "padded to the maximum-sequence-length"
  EXPECT_EQ(all_of(2, 1), "float32[2, 2, 1] [11, 12, 13, 0]");
  EXPECT_EQ(all_of(0, 2), "float32[2, 2, 1] [0, 0, 13, 14]");
  Model backward = summing_scan_of_batches(false);
  backward.graphs[0].nodes[0].attributes["directions"] = std::vector<std::int64_t>{1};
  EXPECT_EQ(to_string(Program(std::move(backward)).run(std::vector<Value>{operands[0], operands[1], operands[2]})[1]),
            "float32[2, 2, 1] [12, 11, 14, 13]");
}

TEST(Scan, OfVersionEightWithoutBatchesReturnsTheSequenceAxisToo) {
  Model model = summing_scan_of_batches(false);
  Graph& body = model.graphs[1];
  body.slots[body.outputs[1]].declared = Type::tensor(ElementType::float32, Shape{{1, ""}});
  const std::vector<Value> outputs =
      Program(std::move(model)).run(std::vector<Value>{matrix({}, 0, 1), cube({}, 0, 2, 1), floats({10})});
  EXPECT_EQ(to_string(type_of(outputs[0])), "float32[0, 1]");
  EXPECT_EQ(to_string(type_of(outputs[1])), "float32[0, 2, 1]");
}

TEST(Scan, OfVersionEightWithoutBatchesRefusesAStateThatHasSome) {
  EXPECT_THAT(
      failure_of(Program(summing_scan_of_batches(false)), {matrix({0, 0, 0}, 3, 1), cube({}, 0, 2, 1), floats({10})}),
      HasSubstr("operand 1 must have 0 batches"));
}

TEST(Scan, OfVersionEightRefusesLengthsAndBatchesThatDoNotFit) {
  const std::int64_t long_one[] = {1, 3};
  EXPECT_THAT(failure_of(Program(summing_scan_of_batches(true)),
                         {matrix({0, 0}, 2, 1), cube({1, 2, 3, 4}, 2, 2, 1), floats({10}),
                          make_tensor<std::int64_t>(ElementType::int64, {2}, long_one)}),
              HasSubstr("a sequence length is 3; expected 0 to 2"));
  const Program program(summing_scan_of_batches(false));
  EXPECT_THAT(failure_of(program, {matrix({0, 0, 0}, 3, 1), cube({1, 2, 3, 4}, 2, 2, 1), floats({10})}),
              HasSubstr("operand 1 must have 2 batches"));
  EXPECT_THAT(failure_of(program, {matrix({0, 0}, 2, 1), floats({1, 2}), floats({10})}),
              HasSubstr("needs a batch axis"));
}

TEST(Scan, OfVersionEightCountsItsBatchesAndWhatTheyReturn) {
  const Program program(summing_scan_of_batches(false));
  const std::vector<Value> inputs{matrix({}, 2000, 0), cube({}, 2000, 0, 1), floats({10})};
  EXPECT_EQ(exceeded_limit(program, inputs, {.nodes = 1000}), Limit::nodes);
  EXPECT_EQ(exceeded_limit(program, inputs, {.memory = 1U << 18U}), Limit::memory);
  EXPECT_EQ(exceeded_limit(program, inputs, {.nodes = 2001, .memory = 1U << 21U}), std::nullopt);
}

TEST(Scan, OfVersionEightCountsTheListOfItsLengths) {
  constexpr std::int64_t batches = std::int64_t{1} << 50;
  const Program program(summing_scan_of_batches(false));
  const std::vector<Value> inputs{matrix({}, batches, 0), cube({}, batches, 0, 1), floats({10})};
  EXPECT_EQ(exceeded_limit(program, inputs, {}), Limit::memory);
}

TEST(Scan, OfVersionEightCountsWhatItPadsBatchesWith) {
  constexpr std::size_t batches = 1000;
  std::vector<std::int64_t> lengths(batches);
  lengths[0] = 1;
  const std::vector<float> zeros(batches);
  const std::vector<Value> inputs{matrix(zeros, batches, 1), cube(zeros, batches, 1, 1),
                                  floats(std::vector<float>(250)),
                                  make_tensor<std::int64_t>(ElementType::int64, {batches}, lengths)};
  // The result and the padded batches have 1000 bytes for each batch.
  const Program program(summing_scan_of_batches(true));
  EXPECT_EQ(exceeded_limit(program, inputs, {.memory = 2'000'000}), Limit::memory);
  EXPECT_EQ(exceeded_limit(program, inputs, {.memory = 3'000'000}), std::nullopt);
}

/// A SequenceMap over s with a second operand. Its body returns the sum of the item, that operand and a captured value.
Model adding_map() {
  Model model;
  model.graphs.resize(2);
  Graph& body = model.graphs[1];
  for (const char* name : {"item", "other", "captured", "sum", "result"}) body.add_slot(name);
  body.inputs = {0, 1};
  body.outputs = {4};
  body.nodes = {operation("Add", {0, 1}, {3}), operation("Add", {3, 2}, {4})};
  Graph& main = model.graphs[0];
  main.name = "main";
  main.add_slot("s", Type::sequence_of(Type::tensor(ElementType::float32)));
  for (const char* name : {"other", "bias", "mapped"}) main.add_slot(name);
  main.inputs = {0, 1, 2};
  main.outputs = {3};
  Node map = operation("SequenceMap", {0, 1}, {3});
  map.bodies = {{"body", 1, {{2, 2}}, {}}};
  main.nodes = {map};
  return model;
}

Value sequence_of_floats(std::vector<Value> items) {
  return Sequence{Type::tensor(ElementType::float32), std::move(items)};
}

TEST(SequenceMap, PassesTheBodyAnItemOfEachSequenceAndTensorsWhole) {
  const Program program(adding_map());
  const Value two = sequence_of_floats({floats({1}), floats({2, 3})});
  const Value mapped = program.run(std::vector<Value>{two, floats({10}), floats({100})})[0];
  EXPECT_TRUE(same_bits(mapped, sequence_of_floats({floats({111}), floats({112, 113})}))) << to_string(mapped);
  const Value zipped = program.run(std::vector<Value>{two, two, floats({0})})[0];
  EXPECT_TRUE(same_bits(zipped, sequence_of_floats({floats({2}), floats({4, 6})}))) << to_string(zipped);
}

TEST(SequenceMap, OfNoItemsReturnsAnEmptySequenceOfTheRightType) {
  const Value mapped =
      Program(adding_map()).run(std::vector<Value>{sequence_of_floats({}), floats({10}), floats({100})})[0];
  EXPECT_TRUE(same_bits(mapped, sequence_of_floats({}))) << to_string(mapped);
}

TEST(SequenceMap, RefusesSequencesOfOtherLengthsAndTensors) {
  const Program program(adding_map());
  const Value two = sequence_of_floats({floats({1}), floats({2})});
  EXPECT_THAT(failure_of(program, {two, sequence_of_floats({floats({1})}), floats({0})}),
              HasSubstr("node 0 (SequenceMap): operand 1 has 1 items; operand 0 has 2"));
  Model untyped = adding_map();
  untyped.graphs[0].slots[0].declared = {};
  EXPECT_THAT(failure_of(Program(std::move(untyped)), {floats({1}), two, floats({0})}),
              HasSubstr("operand 0 is not a sequence"));
}

/// adding_map() with `count` more nodes, each of which is a copy of the given one and has an output of its own.
Model with_copies(Model model, const Node& node, std::size_t count) {
  Graph& main = model.graphs[0];
  for (std::size_t i = 0; i < count; ++i) {
    main.nodes.push_back(node);
    main.nodes.back().outputs = {main.add_slot("copy")};
    main.outputs.push_back(main.nodes.back().outputs[0]);  // so that it is kept
  }
  return model;
}

/// An If whose branches are graph 2, which captures the first `captured` values of the graph around it.
Node if_around(Slot cond, Slot captured) {
  Node choose = operation("If", {cond}, {});
  std::vector<Capture> captures;
  for (Slot slot = 0; slot < captured; ++slot) captures.push_back({slot, slot});
  choose.bodies = {{"then_branch", 2, captures, {}}, {"else_branch", 2, captures, {}}};
  return choose;
}

/// For adding_map(): a sequence of 100 items, for which its body returns 1000 bytes each, and the other operands.
std::vector<Value> small_items() {
  return {sequence_of_floats(std::vector<Value>(100, floats(std::vector<float>(250)))), floats({1}), floats({1})};
}

TEST(SequenceMap, CountsItsItemsAsLongAsItsList) {
  const Model model = adding_map();
  const RunLimits limits{.memory = 1U << 19U};
  EXPECT_EQ(exceeded_limit(Program(model), small_items(), limits), std::nullopt);
  const Program ten(with_copies(model, model.graphs[0].nodes[0], 10));
  EXPECT_EQ(exceeded_limit(ten, small_items(), limits), Limit::memory);
}

TEST(SequenceMap, CountsItsItemsWhereABranchReturnsThem) {
  Model model = adding_map();
  model.graphs.push_back(model.graphs[0]);
  model.graphs[2].inputs = {};
  Graph& main = model.graphs[0];
  main.nodes = {};
  main.inputs.push_back(main.add_slot("cond", Type::tensor(ElementType::boolean)));
  main.outputs = {main.inputs[0]};
  const Node choose = if_around(main.inputs.back(), 3);
  std::vector<Value> inputs = small_items();
  inputs.push_back(booleans({1}));
  const RunLimits limits{.memory = 1U << 19U};
  EXPECT_EQ(exceeded_limit(Program(with_copies(model, choose, 1)), inputs, limits), std::nullopt);
  EXPECT_EQ(exceeded_limit(Program(with_copies(model, choose, 10)), inputs, limits), Limit::memory);
}

TEST(SequenceMap, CountsItsItemsOnceWhereBranchesPassThemOn) {
  Model model = adding_map();
  Graph& branch = model.graphs.emplace_back();
  for (const char* name : {"s", "other", "bias", "mapped"}) branch.add_slot(name);
  branch.outputs = {3};
  Graph& main = model.graphs[0];
  main.inputs.push_back(main.add_slot("cond", Type::tensor(ElementType::boolean)));
  const Program program(with_copies(model, if_around(main.inputs.back(), 4), 100));
  std::vector<Value> inputs = small_items();
  inputs.push_back(booleans({1}));
  EXPECT_EQ(exceeded_limit(program, inputs, {.memory = 1U << 19U}), std::nullopt);
}

}  // namespace
}  // namespace ifcert
