// Hostile files: damaged at every place, or small and expensive. Each is read, or refused in one sentence with place
// and reason.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <ifcert/reference.hpp>

#include "formats/onnx/file_builder.hpp"
#include "formats/zero_inputs.hpp"

namespace ifcert::onnx {
namespace {

using namespace file_builder;
using testing::AllOf;
using testing::Contains;
using testing::Field;
using testing::HasSubstr;
using testing::IsEmpty;

std::string refusal_of_bytes(const std::string& bytes) {
  try {
    check(read(bytes));
  } catch (const UnreadableModel& error) {
    return error.what();
  }
  return "";
}

/// An If, an inner If, a function with a default, initializers: some of everything, in a few hundred bytes.
std::string small_model() {
  const std::string deep = graph("d", {{node("Add", {"x", "k"}, {"u"})}, {}, {}, {value_info("u")}});
  const std::string flat = graph("f", {{call("f", {"x"}, {"v"})}, {}, {}, {value_info("v", float_pair)}});
  const std::string inner = node("If", {"c"}, {"t"}, {branch("then_branch", deep), branch("else_branch", flat)});
  const std::string then_graph = graph("t", {{inner}, {}, {}, {value_info("t")}, {value_info("x", float_pair)}});
  const std::string else_graph = graph("e", {{}, {float_tensor("w", {2}, {3, 4})}, {}, {value_info("w")}});
  const std::string choose =
      node("If", {"c"}, {"y"}, {branch("then_branch", then_graph), branch("else_branch", else_graph)});
  const std::string cast = node("Cast", {"a"}, {"b"}, {reference_attribute("to", 2, "kind")});
  return with_functions(model(graph("main", {{choose},
                                             {float_tensor("k", {2}, {1, 2})},
                                             {value_info("c", bool_scalar), value_info("x", float_pair)},
                                             {value_info("y", float_pair)}})),
                        {function("f", {{"a"}, {"b"}, {cast}, {}, {int_attribute("kind", 1)}})});
}

/// Reads, checks and runs as far as the file allows; only our own exceptions may be thrown.
void use(const std::string& bytes) {
  try {
    Reading reading = read(bytes);
    if (!check(reading).empty()) return;
    const Program program(std::move(reading.model));
    const auto inputs = zero_inputs(program.model().main());
    if (inputs) program.run(*inputs, {}, {.nodes = 1000});
  } catch (const UnreadableModel& error) {
    EXPECT_THAT(error.what(), AllOf(HasSubstr("model"), HasSubstr("expected: ")));
    EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
  } catch (const EvaluationError&) {
    return;
  }
}

TEST(Damage, ASmallModelIsWholeAndRuns) {
  Reading reading = read(small_model());
  ASSERT_THAT(check(reading), IsEmpty());
  const Program program(std::move(reading.model));
  EXPECT_EQ(to_string(program.run(*zero_inputs(program.model().main()))[0]), "float32[2] [3, 4]");
}

TEST(Damage, OfAnyOneBitIsSurvived) {
  std::string bytes = small_model();
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    for (unsigned bit = 0; bit < 8; ++bit) {
      const char whole = bytes[i];
      bytes[i] = static_cast<char>(static_cast<unsigned char>(whole) ^ (1U << bit));
      use(bytes);
      bytes[i] = whole;
    }
  }
}

TEST(Damage, OfAnyByteToTheWorstValuesIsSurvived) {
  std::string bytes = small_model();
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const char whole = bytes[i];
    for (const char worst : {'\0', '\x7f', '\xff', '\x80', '\x0b'}) {
      bytes[i] = worst;
      use(bytes);
    }
    bytes[i] = whole;
  }
}

TEST(Damage, ByTruncationAnywhereIsSurvived) {
  const std::string bytes = small_model();
  for (std::size_t length = 0; length < bytes.size(); ++length) use(bytes.substr(0, length));
}

TEST(Damage, ByAWrongWireTypeInAnyMessageIsRefusedWithItsPlace) {
  const auto with = [](std::uint32_t field, const std::string& into) {
    std::string bytes = into;
    pbf_writer(bytes).add_fixed64(field, 1);
    return bytes;
  };
  const std::string bad_node = with(fields::NodeProto::input, node("Neg", {"x"}, {"y"}));
  EXPECT_THAT(refusal_of_bytes(model(graph("g", {{bad_node}, {}, {}, {}}))),
              HasSubstr("graph 0 / node 0: field 1 has wire"));
  const std::string bad_info = with(fields::ValueInfoProto::type, value_info("x"));
  EXPECT_THAT(refusal_of_bytes(model(graph("g", {{}, {}, {bad_info}, {}}))), HasSubstr("graph 0 / input 0: field 2"));
  EXPECT_THAT(refusal_of_bytes(with(fields::ModelProto::graph, "")),
              HasSubstr("model / graph 0: field 7 has wire type 1"));
}

// Small files that would cost gigabytes or minutes without a budget.

std::vector<std::string> copies(std::size_t count, const std::function<std::string(std::size_t)>& make) {
  std::vector<std::string> made;
  for (std::size_t i = 0; i < count; ++i) made.push_back(make(i));
  return made;
}

std::string numbered(const std::string& name, std::size_t i) {
  return name + std::to_string(i);
}

/// tensor(float32) of `rank` unknown dims.
std::string type_of_rank(std::size_t rank) {
  std::string dims;
  for (std::size_t i = 0; i < rank; ++i) dims += std::string("\x0a\x00", 2);
  const std::string tensor = message([&](pbf_writer& w) {
    w.add_int32(fields::TypeProtoTensor::elem_type, 1);
    w.add_message(fields::TypeProtoTensor::shape, dims);
  });
  return message([&](pbf_writer& w) { w.add_message(fields::TypeProto::tensor_type, tensor); });
}

TEST(Budget, OfInferenceStopsTypesThatAreCopiedFromNodeToNode) {
  const auto chain = copies(10'000, [](std::size_t i) {
    return node("Identity", {i == 0 ? "x" : numbered("v", i - 1)}, {numbered("v", i)});
  });
  EXPECT_THAT(refusal_of_bytes(model(graph("main", {chain, {}, {value_info("x", type_of_rank(30'000))}, {}}))),
              AllOf(HasSubstr("more than 3000000 dimensions in inferred types"), HasSubstr("graph \"main\" / node ")));
  const auto refusal_of_rank = [&](std::size_t rank) {
    return refusal_of_bytes(model(graph("main", {chain, {}, {value_info("x", type_of_rank(rank))}, {}})));
  };
  EXPECT_EQ(refusal_of_rank(60), "");
  EXPECT_EQ(refusal_of_rank(64), "");
}

TEST(Budget, OfDimensionsStopsATypeThatIsDeclaredForManyValues) {
  const auto nodes = copies(1'000, [](std::size_t) { return node("Neg", {"x"}, {"v"}); });
  EXPECT_THAT(refusal_of_bytes(model(graph(
                  "main", {nodes, {}, {value_info("x", float_pair)}, {}, {value_info("v", type_of_rank(30'000))}}))),
              HasSubstr("more than 1000000 dimensions and item types of declared types"));
}

TEST(Budget, OfMessagesStopsEmptyMessages) {
  std::string empty_attributes;
  for (std::size_t i = 0; i < 1'000'001; ++i) empty_attributes += std::string("\x2a\x00", 2);
  EXPECT_THAT(refusal_of_bytes(model(graph("main", {{empty_attributes}, {}, {}, {}}))),
              HasSubstr("more than 1000000 messages"));
}

/// Ifs nested in their then_branches; the innermost reads all `names`, which the main graph defines.
std::string capturing_nest(std::size_t levels, const Names& names, const std::string& type = float_pair) {
  std::string inner = graph("g", {{node("Max", names, {"v"})}, {}, {}, {value_info("v")}});
  for (std::size_t level = 0; level < levels; ++level) {
    const std::string out = numbered("u", level);
    const std::string flat =
        graph("e", {{node("Identity", {"s"}, {numbered("w", level)})}, {}, {}, {value_info(numbered("w", level))}});
    const std::string choose = node("If", {"cond"}, {out}, {branch("then_branch", inner), branch("else_branch", flat)});
    std::vector<std::string> inputs;
    if (level + 1 == levels) {
      inputs.push_back(value_info("cond", bool_scalar));
      inputs.push_back(value_info("s", float_pair));
      for (const std::string& name : names) inputs.push_back(value_info(name, type));
    }
    inner = graph("g", {{choose}, {}, inputs, {value_info(out, level + 1 == levels ? float_pair : "")}});
  }
  return model(inner);
}

TEST(Budget, OfValuesCountsEachCaptureOnEachLevel) {
  Names names;
  for (std::size_t i = 0; i < 3'000; ++i) names.push_back(numbered("n", i));
  EXPECT_THAT(refusal_of_bytes(capturing_nest(100, names)), IsEmpty());
  EXPECT_THAT(refusal_of_bytes(capturing_nest(500, names)), HasSubstr("captured values, counted in each graph"));
}

TEST(Budget, OfCapturesGrowsWithTheFile) {
  const std::string long_file(4'000'000, ' ');
  Names names;
  for (std::size_t i = 0; i < 900; ++i) names.push_back(numbered("n", i));
  const std::string bytes = capturing_nest(900, names);
  EXPECT_THAT(refusal_of_bytes(bytes), HasSubstr("captured values, counted in each graph"));
  EXPECT_THAT(refusal_of_bytes(bytes + message([&](pbf_writer& w) { w.add_string(6, long_file); })), IsEmpty());
}

TEST(Budget, OfTheTypesOfCapturedValuesStopsManyDims) {
  Names names;
  for (std::size_t i = 0; i < 500; ++i) names.push_back(numbered("n", i));
  const std::vector<std::int64_t> few(3, 1), many(15, 1);
  EXPECT_THAT(refusal_of_bytes(capturing_nest(500, names, tensor_type(1, few))), IsEmpty());
  EXPECT_THAT(refusal_of_bytes(capturing_nest(500, names, tensor_type(1, many))),
              HasSubstr("more than 2000000 dimensions in types of captured values"));
}

TEST(Budget, OfNamesStopsLongNamesOnManyLevels) {
  EXPECT_THAT(refusal_of_bytes(capturing_nest(500, {std::string(1'000'000, 'n')})),
              HasSubstr("bytes in the names of captured values"));
}

std::string calling_often(std::size_t calls, const FunctionParts& f) {
  const auto nodes = copies(calls, [](std::size_t i) { return call("f", {"x"}, {numbered("y", i)}); });
  return with_functions(model(graph("main", {nodes, {}, {value_info("x", float_pair)}, {value_info("y0")}})),
                        {function("f", f)});
}

TEST(Budget, IsNotNeededForDefaultsWhichAllCallsShare) {
  const auto defaults = copies(3'000, [](std::size_t i) { return int_attribute(numbered("a", i), 1); });
  EXPECT_THAT(refusal_of_bytes(calling_often(3'000, {{"a"}, {"b"}, {node("Neg", {"a"}, {"b"})}, {}, defaults})),
              IsEmpty());
}

TEST(Budget, OfInferenceCountsTheValuesOfEachCall) {
  Names inputs;
  for (std::size_t i = 0; i < 30'000; ++i) inputs.push_back(numbered("a", i));
  EXPECT_THAT(refusal_of_bytes(calling_often(30'000, {inputs, {"b"}, {node("Neg", {"a0"}, {"b"})}})),
              HasSubstr("more than 1000000 steps of type inference"));
}

TEST(Budget, OfInferenceCountsTheLevelsOfATypeWithinATypeAndItIsNoMoreThanAHundredDeep) {
  const auto sequence = [](std::size_t depth) {
    std::string type = float_pair;
    for (std::size_t i = 0; i < depth; ++i) {
      const std::string item =
          message([&](pbf_writer& w) { w.add_message(fields::TypeProtoSequence::elem_type, type); });
      type = message([&](pbf_writer& w) { w.add_message(fields::TypeProto::sequence_type, item); });
    }
    return type;
  };
  const auto chain = copies(100'000, [](std::size_t i) {
    return node("Identity", {i == 0 ? "x" : numbered("v", i - 1)}, {numbered("v", i)});
  });
  EXPECT_THAT(refusal_of_bytes(model(graph("main", {chain, {}, {value_info("x", sequence(100))}, {}}))),
              HasSubstr("steps of type inference"));
  EXPECT_THAT(refusal_of_bytes(model(graph("main", {{}, {}, {value_info("x", sequence(100))}, {}}))), IsEmpty());
  for (const auto depth : {std::size_t{101}, std::size_t{10'000}})
    EXPECT_THAT(refusal_of_bytes(model(graph("main", {{}, {}, {value_info("x", sequence(depth))}, {}}))),
                HasSubstr("a type nested deeper than 100 levels"));
}

TEST(Budget, OfFindingsEndsALongList) {
  const auto bad = copies(20'000, [](std::size_t i) { return node("Nobody", {numbered("a", i)}, {numbered("b", i)}); });
  EXPECT_LE(check(read(model(graph("main", {bad, {}, {}, {}})))).size(), 200U);
}

TEST(Message, ShortensNamesThatFillPages) {
  const std::string name(1'000'000, 'x');
  const Reading reading = read(model(graph(name, {{node(name, {name}, {name})}, {}, {}, {}})));
  ASSERT_FALSE(reading.broken.empty());
  for (const Diagnostic& diagnostic : reading.broken) EXPECT_LT(to_string(diagnostic).size(), 10'000U);
}

TEST(Recursion, OfManyFunctionsIsFoundInOneWalk) {
  std::vector<std::string> functions;
  for (std::size_t i = 0; i < 2'000; ++i) {
    const std::string next = numbered("f", (i + 1) % 2'000);
    functions.push_back(
        function(numbered("f", i), {{"a"}, {"b"}, {call(next, {"a"}, {"m"}), call("f0", {"m"}, {"b"})}}));
  }
  const std::string main =
      graph("main", {{call("f0", {"x"}, {"y"})}, {}, {value_info("x", float_pair)}, {value_info("y", float_pair)}});
  EXPECT_THAT(check(read(with_functions(model(main), functions))),
              Contains(Field(&Diagnostic::rule, "onnx/model/no-function-recursion")));
}

TEST(Run, EndsAfterTheNodesThatItIsGiven) {
  const std::string body = graph(
      "body",
      {{node("Identity", {"again"}, {"more"})}, {}, {value_info("trip"), value_info("again")}, {value_info("more")}});
  const std::string scan =
      graph("main", {{node("Loop", {"", ""}, {}, {branch("body", body)}), node("Neg", {"x"}, {"y"})},
                     {},
                     {value_info("x", float_pair)},
                     {value_info("y", float_pair)}});
  Reading reading = read(model(scan));
  ASSERT_THAT(check(reading), IsEmpty());
  const Program program(std::move(reading.model));
  EXPECT_THROW(program.run(*zero_inputs(program.model().main()), {}, {.nodes = 1000}), EvaluationError);
}

}  // namespace
}  // namespace ifcert::onnx
