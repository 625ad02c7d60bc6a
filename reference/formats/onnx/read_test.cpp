#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <ifcert/reference.hpp>

#include "formats/onnx/file_builder.hpp"

namespace ifcert::onnx {
namespace {

using namespace file_builder;
using testing::Contains;
using testing::Field;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

/// If whose branches negate the captured x, or return it through Identity.
std::string choice_graph(const std::string& then_op = "Neg", const std::string& captured = "x") {
  const std::string then_graph = graph("then", {{node(then_op, {captured}, {"t"})}, {}, {}, {value_info("t")}});
  const std::string else_graph = graph("else", {{node("Identity", {"x"}, {"e"})}, {}, {}, {value_info("e")}});
  const std::string choose =
      node("If", {"cond"}, {"y"}, {branch("else_branch", else_graph), branch("then_branch", then_graph)});
  return graph(
      "main",
      {{choose}, {}, {value_info("cond", bool_scalar), value_info("x", float_pair)}, {value_info("y", float_pair)}});
}

auto breaks(const std::string& rule) {
  return Contains(Field(&Diagnostic::rule, rule));
}

std::string refusal_of(const std::string& bytes) {
  try {
    read(bytes);
  } catch (const UnreadableModel& error) {
    return error.what();
  }
  return "";
}

TEST(Read, BranchesStandThenFirstWhateverTheFilesOrder) {
  const Reading reading = read(model(choice_graph()));
  EXPECT_THAT(check(reading), IsEmpty());
  const Node& choose = reading.model.main().nodes.front();
  ASSERT_THAT(choose.bodies, SizeIs(2));
  EXPECT_EQ(choose.bodies[0].role, "then_branch");
  EXPECT_EQ(choose.bodies[1].role, "else_branch");
}

TEST(Read, ACaptureIsListedOnTheBodyThatReadsIt) {
  const Reading reading = read(model(choice_graph()));
  const Graph& main = reading.model.main();
  for (const Body& body : main.nodes.front().bodies) {
    ASSERT_THAT(body.captures, SizeIs(1));
    EXPECT_EQ(main.slots[body.captures[0].outer].name, "x");
    EXPECT_EQ(reading.model.graphs[body.graph].slots[body.captures[0].inner].name, "x");
  }
}

TEST(Read, ACaptureGoesThroughEveryLevelOnTheWay) {
  const std::string innermost = graph("g", {{node("Neg", {"x"}, {"a"})}, {}, {}, {value_info("a")}});
  std::string inner = innermost;
  for (int level = 0; level < 3; ++level) {
    const std::string choose = node("If", {"cond"}, {"b" + std::to_string(level)},
                                    {branch("then_branch", inner), branch("else_branch", inner)});
    inner = graph("g", {{choose}, {}, {}, {value_info("b" + std::to_string(level))}});
  }
  const std::string choose = node("If", {"cond"}, {"y"}, {branch("then_branch", inner), branch("else_branch", inner)});
  const Reading reading = read(model(graph(
      "main",
      {{choose}, {}, {value_info("cond", bool_scalar), value_info("x", float_pair)}, {value_info("y", float_pair)}})));
  EXPECT_THAT(check(reading), IsEmpty());
  // Follow then_branch inwards: on every level x is captured from the level around it.
  GraphIndex at = 0;
  for (int level = 0; level < 4; ++level) {
    const Graph& around = reading.model.graphs[at];
    const Body& body = around.nodes.front().bodies[0];
    const auto captures_x = [&](const Capture& capture) { return around.slots[capture.outer].name == "x"; };
    EXPECT_EQ(std::ranges::count_if(body.captures, captures_x), 1) << "level " << level;
    at = body.graph;
  }
  EXPECT_EQ(reading.model.graphs[at].nodes.front().op, "Neg");
}

TEST(Read, ANameThatNothingMakesIsReportedWithItsPlace) {
  const Reading reading = read(model(choice_graph("Neg", "nobody")));
  ASSERT_THAT(reading.broken, SizeIs(1));
  EXPECT_EQ(reading.broken[0].rule, "onnx/model/every-use-is-defined");
  EXPECT_EQ(reading.broken[0].place, "graph \"main\" / node 0 (If) / then_branch / node 0 (Neg) / input 0");
}

TEST(Read, ANameOfTheOtherBranchIsNotVisible) {
  EXPECT_THAT(read(model(choice_graph("Neg", "e"))).broken, breaks("onnx/if/no-leak"));
}

TEST(Read, ABranchDoesNotReadTheOutputOfItsOwnIf) {
  EXPECT_THAT(read(model(choice_graph("Neg", "y"))).broken, breaks("onnx/if/definition-before-use"));
}

TEST(Read, AnInitializerOfABranchDoesNotShadowAnOuterName) {
  const std::string then_graph =
      graph("then", {{node("Neg", {"x"}, {"t"})}, {float_tensor("x", {2}, {1, 2})}, {}, {value_info("t")}});
  const std::string else_graph = graph("else", {{node("Neg", {"x"}, {"t"})}, {}, {}, {value_info("t")}});
  const std::string choose =
      node("If", {"cond"}, {"y"}, {branch("then_branch", then_graph), branch("else_branch", else_graph)});
  const Reading reading = read(model(graph(
      "main",
      {{choose}, {}, {value_info("cond", bool_scalar), value_info("x", float_pair)}, {value_info("y", float_pair)}})));
  EXPECT_THAT(reading.broken, breaks("onnx/if/no-shadowing"));
}

// "names of inputs and initializers of the subgraph MUST be distinct from the names from the outer scopes" (IR
// document, Nodes)
TEST(Read, ANameThatABranchShadowsIsTheOuterValueAgainAfterTheIf) {
  const std::string shadowing = graph("then", {{node("Neg", {"x"}, {"x"})}, {}, {}, {value_info("x")}});
  const std::string other = graph("else", {{node("Identity", {"x"}, {"e"})}, {}, {}, {value_info("e")}});
  const std::string choose =
      node("If", {"cond"}, {"y"}, {branch("then_branch", shadowing), branch("else_branch", other)});
  const Reading reading = read(model(graph("main", {{choose, node("Neg", {"x"}, {"z"})},
                                                    {},
                                                    {value_info("cond", bool_scalar), value_info("x", float_pair)},
                                                    {value_info("y", float_pair), value_info("z", float_pair)}})));
  EXPECT_THAT(reading.broken, breaks("onnx/if/no-shadowing"));
  const Graph& main = reading.model.main();
  EXPECT_EQ(main.nodes[1].inputs, std::vector{main.inputs[1]});
  for (const Body& body : main.nodes[0].bodies) {
    ASSERT_THAT(body.captures, SizeIs(1)) << body.role;
    EXPECT_EQ(body.captures[0].outer, main.inputs[1]) << body.role;
  }
}

TEST(Read, AFormalInputOfABodyDoesNotShadowAnOuterName) {
  const auto loop_with = [](const std::string& carried) {
    const std::string body = graph("body", {{node("Identity", {"again"}, {"more"}), node("Neg", {carried}, {"next"})},
                                            {},
                                            {value_info("trip"), value_info("again"), value_info(carried)},
                                            {value_info("more"), value_info("next")}});
    const std::string loop = node("Loop", {"", "cond", "x"}, {"y"}, {branch("body", body)});
    return read(model(graph(
        "main",
        {{loop}, {}, {value_info("cond", bool_scalar), value_info("x", float_pair)}, {value_info("y", float_pair)}})));
  };
  EXPECT_THAT(loop_with("carried").broken, IsEmpty());
  EXPECT_THAT(loop_with("x").broken, breaks("onnx/if/no-shadowing"));
}

// "In models with IR version >= 4, in nested subgraphs used as attribute values, users MUST NOT use the same name as
// both a subgraph initializer and subgraph input" (IR document, Nodes)
TEST(Read, AFormalInputOfABodyHasNoInitializerBehindIt) {
  const auto loop_with = [](const std::string& held) {
    const std::string body = graph("body", {{node("Identity", {"again"}, {"more"}), node("Add", {"v", held}, {"next"})},
                                            {float_tensor(held, {2}, {1, 2})},
                                            {value_info("trip"), value_info("again"), value_info("v")},
                                            {value_info("more"), value_info("next")}});
    const std::string loop = node("Loop", {"", "cond", "x"}, {"y"}, {branch("body", body)});
    return read(model(graph(
        "main",
        {{loop}, {}, {value_info("cond", bool_scalar), value_info("x", float_pair)}, {value_info("y", float_pair)}})));
  };
  EXPECT_THAT(loop_with("w").broken, IsEmpty());
  EXPECT_THAT(loop_with("v").broken, breaks("onnx/model/nested-input-is-no-initializer"));
}

TEST(Read, ABranchOfTheMainGraphIsNoReference) {
  std::string referring =
      branch("then_branch", graph("then", {{node("Neg", {"x"}, {"t"})}, {}, {}, {value_info("t")}}));
  pbf_writer(referring).add_string(fields::AttributeProto::ref_attr_name, "q");
  const std::string flat = graph("else", {{node("Neg", {"x"}, {"e"})}, {}, {}, {value_info("e")}});
  const std::string choose = node("If", {"cond"}, {"y"}, {referring, branch("else_branch", flat)});
  const Reading reading = read(model(graph(
      "main",
      {{choose}, {}, {value_info("cond", bool_scalar), value_info("x", float_pair)}, {value_info("y", float_pair)}})));
  EXPECT_THAT(reading.broken, breaks("onnx/model/attribute-reference"));
}

TEST(Read, UnknownFieldsAreSkipped) {
  std::string bytes = model(choice_graph());
  pbf_writer(bytes).add_string(4000, "from a later version");
  EXPECT_THAT(read(bytes).broken, IsEmpty());
}

TEST(Read, EveryTruncationIsOneClearRefusalOrABrokenRule) {
  const std::string whole = model(choice_graph());
  ASSERT_THAT(check(read(whole)), IsEmpty());
  for (std::size_t length = 0; length < whole.size(); ++length) {
    try {
      // A cut between two fields of the model leaves a message without required fields.
      EXPECT_FALSE(check(read(whole.substr(0, length))).empty()) << length;
    } catch (const UnreadableModel& error) {
      EXPECT_EQ(error.diagnostic().rule, "onnx/model/file-is-whole") << length;
      EXPECT_THAT(error.what(), HasSubstr("model")) << length;
    }
  }
}

TEST(Read, AWrongWireTypeIsRefusedWithItsPlace) {
  const std::string bad_node = message([](pbf_writer& w) { w.add_int64(fields::NodeProto::op_type, 7); });
  EXPECT_THAT(refusal_of(model(graph("main", {{bad_node}, {}, {}, {}}))),
              HasSubstr("model / graph 0 / node 0: field 4 has wire type 0"));
}

TEST(Read, ALengthThatLiesIsRefused) {
  std::string bytes = model(choice_graph());
  bytes += std::string("\x0a\xff\xff\xff\xff\xff\xff\xff\x3f", 9);  // field 1, a string of 2^62 bytes
  EXPECT_FALSE(refusal_of(bytes).empty());
}

TEST(Read, ASingularMessageGivenTwiceIsRefused) {
  std::string bytes = model(choice_graph());
  pbf_writer(bytes).add_message(fields::ModelProto::graph, choice_graph());
  EXPECT_THAT(refusal_of(bytes), HasSubstr("graph appears twice"));
}

std::string nest(std::size_t levels) {
  std::string inner = graph("g", {{node("Neg", {"x"}, {"v"})}, {}, {}, {value_info("v")}});
  for (std::size_t level = 0; level < levels; ++level) {
    const std::string flat = graph(
        "e",
        {{node("Identity", {"x"}, {"w" + std::to_string(level)})}, {}, {}, {value_info("w" + std::to_string(level))}});
    const std::string out = "u" + std::to_string(level);
    const std::string choose = node("If", {"cond"}, {out}, {branch("then_branch", inner), branch("else_branch", flat)});
    inner = level + 1 < levels ? graph("g", {{choose}, {}, {}, {value_info(out)}})
                               : graph("main", {{choose},
                                                {},
                                                {value_info("cond", bool_scalar), value_info("x", float_pair)},
                                                {value_info(out, float_pair)}});
  }
  return model(inner);
}

TEST(Read, AThousandNestedIfsAreReadCheckedAndEvaluated) {
  Reading reading = read(nest(1000));
  ASSERT_THAT(check(reading), IsEmpty());
  const Program program(std::move(reading.model));
  const std::vector<std::uint8_t> yes{1};
  const std::vector<float> pair{1, 2};
  const std::vector<Value> inputs{make_tensor<std::uint8_t>(ElementType::boolean, {}, yes),
                                  make_tensor<float>(ElementType::float32, {2}, pair)};
  const std::vector<Value> outputs = program.run(inputs);
  ASSERT_THAT(outputs, SizeIs(1));
  EXPECT_EQ(to_string(outputs[0]), "float32[2] [-1, -2]");
}

TEST(Read, DeeperNestsAreRefused) {
  EXPECT_THAT(refusal_of(nest(1001)), HasSubstr("nested deeper than 1000"));
  EXPECT_THAT(refusal_of(nest(3000)), HasSubstr("onnx/model/nesting-limit"));
}

TEST(Read, HostileDimsAreABrokenRule) {
  const std::string hostile = message([](pbf_writer& w) {
    const std::vector<std::int64_t> dims{std::int64_t{1} << 62, 8};
    w.add_packed_int64(fields::TensorProto::dims, dims.begin(), dims.end());
    w.add_int32(fields::TensorProto::data_type, 1);
    w.add_string(fields::TensorProto::name, "k");
  });
  EXPECT_THAT(read(model(graph("main", {{}, {hostile}, {}, {}}))).broken, breaks("onnx/model/tensor-data-fits-shape"));
}

std::string raw_tensor(const std::string& name, const std::string& raw) {
  return message([&](pbf_writer& w) {
    const std::vector<std::int64_t> dims{static_cast<std::int64_t>(raw.size() / sizeof(float))};
    w.add_packed_int64(fields::TensorProto::dims, dims.begin(), dims.end());
    w.add_int32(fields::TensorProto::data_type, 1);
    w.add_string(fields::TensorProto::name, name);
    w.add_bytes(fields::TensorProto::raw_data, raw);
  });
}

TEST(Read, RawDataIsAlignedAndWholeWhereverItIsInTheFile) {
  for (const std::size_t size : {std::size_t{8}, std::size_t{4092}, std::size_t{4096}, std::size_t{100'000}}) {
    std::string raw(size, '\0');
    for (std::size_t i = 0; i < size; ++i) raw[i] = static_cast<char>(i % 251);
    for (std::size_t shift = 1; shift <= 16; ++shift) {
      const Reading reading = read(model(graph("main", {{}, {raw_tensor(std::string(shift, 'k'), raw)}, {}, {}})));
      ASSERT_THAT(reading.model.main().constants, SizeIs(1));
      const Tensor* tensor = reading.model.main().constants.front().value.tensor();
      ASSERT_NE(tensor, nullptr);
      const auto bytes = tensor->data.bytes();
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(bytes.data()) % 16, 0U);
      EXPECT_EQ(std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()), raw);
    }
  }
}

TEST(Read, EachOfManySmallConstantsHasItsOwnBytesAndOutlivesTheOthers) {
  constexpr std::size_t count = 1000;
  const auto raw = [](std::size_t i) { return std::string(4 * (i % 40), static_cast<char>(i)); };
  std::vector<Value> values;
  {
    std::vector<std::string> tensors;
    for (std::size_t i = 0; i < count; ++i) tensors.push_back(raw_tensor(fmt::format("c{}", i), raw(i)));
    const Reading reading = read(model(graph("main", {{}, tensors, {}, {}})));
    ASSERT_THAT(reading.broken, IsEmpty());
    for (const Constant& constant : reading.model.main().constants) values.push_back(constant.value);
  }
  ASSERT_THAT(values, SizeIs(count));
  for (std::size_t i = 0; i < count; ++i) {
    const auto bytes = values[i].tensor()->data.bytes();
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(bytes.data()) % 16, 0U) << i;
    EXPECT_EQ(std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()), raw(i)) << i;
    if (i % 3 != 0) values[i] = {};  // the next ones are still there
  }
}

/// A separate folder for each test.
class ExternalData : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (std::filesystem::temp_directory_path() / "ifcert_read_test_XXXXXX").string();
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    root_ = name;
    std::filesystem::create_directories(root_ / "model" / "below");
  }
  void TearDown() override { std::filesystem::remove_all(root_); }

  void write(const std::filesystem::path& path, std::string_view bytes) const {
    std::ofstream(root_ / path, std::ios::binary) << bytes;
  }

  /// A tensor of `count` float32 numbers.
  static std::string external(std::string_view name, std::int64_t count, std::string_view location,
                              std::string_view offset) {
    const auto entry = [](std::string_view key, std::string_view value) {
      return message([&](pbf_writer& w) {
        w.add_string(1, key.data(), key.size());
        w.add_string(2, value.data(), value.size());
      });
    };
    return message([&](pbf_writer& w) {
      w.add_packed_int64(fields::TensorProto::dims, &count, &count + 1);
      w.add_int32(fields::TensorProto::data_type, 1);
      w.add_string(fields::TensorProto::name, name.data(), name.size());
      w.add_message(fields::TensorProto::external_data, entry("location", location));
      w.add_message(fields::TensorProto::external_data, entry("offset", offset));
      w.add_int32(fields::TensorProto::data_location, 1);
    });
  }

  Reading read_tensors(const std::vector<std::string>& tensors) const {
    return read(model(graph("main", {{}, tensors, {}, {value_info("k", float_pair)}})), root_ / "model");
  }

  Reading read_with(std::string_view location, std::string_view offset = "0") const {
    return read_tensors({external("k", 2, location, offset)});
  }

  std::filesystem::path root_;
};

TEST_F(ExternalData, IsReadFromTheModelsFolderAndBelow) {
  const std::vector<float> floats{1, 2, 3};
  const std::string bytes(reinterpret_cast<const char*>(floats.data()), 12);
  write("model/k.bin", bytes);
  write("model/below/k.bin", bytes);
  EXPECT_EQ(to_string(read_with("k.bin", "4").model.main().constants.front().value), "float32[2] [2, 3]");
  EXPECT_EQ(to_string(read_with("below/k.bin").model.main().constants.front().value), "float32[2] [1, 2]");
}

TEST_F(ExternalData, OutsideTheFolderIsRefused) {
  write("k.bin", "12345678");
  EXPECT_THAT(read_with("../k.bin").broken, breaks("onnx/model/external-data-in-folder"));
  EXPECT_THAT(read_with("below/../../k.bin").broken, breaks("onnx/model/external-data-in-folder"));
  EXPECT_THAT(read_with((root_ / "k.bin").string()).broken, breaks("onnx/model/external-data-in-folder"));
  std::filesystem::create_symlink(root_ / "k.bin", root_ / "model" / "link.bin");
  EXPECT_THAT(read_with("link.bin").broken, breaks("onnx/model/external-data-in-folder"));
}

TEST_F(ExternalData, BeyondTheEndOfTheFileIsRefused) {
  write("model/k.bin", "12345678");
  EXPECT_THAT(read_with("k.bin", "0").broken, IsEmpty());
  EXPECT_THAT(read_with("k.bin", "1").broken, breaks("onnx/model/tensor-data-fits-shape"));
  EXPECT_THAT(read_with("k.bin", "18446744073709551615").broken, breaks("onnx/model/tensor-data-fits-shape"));
  EXPECT_THAT(read_with("k.bin", "-4").broken, breaks("onnx/model/tensor-data-fits-shape"));
}

TEST_F(ExternalData, ThatOverlapsTooOftenIsRefused) {
  const std::size_t size = std::size_t{2} << 20;
  write("model/k.bin", std::string(size, '\1'));
  const auto long_ago = std::filesystem::file_time_type::clock::now() - std::chrono::hours(1);
  std::filesystem::last_write_time(root_ / "model" / "k.bin", long_ago);
  const auto count = static_cast<std::int64_t>(size / 4) - 100;
  std::vector<std::string> same{external("k", 2, "k.bin", "0")};
  std::vector<std::string> shifted = same;
  for (int i = 0; i < 40; ++i) {
    same.push_back(external("s" + std::to_string(i), count, "k.bin", "4"));
    shifted.push_back(external("s" + std::to_string(i), count, "k.bin", std::to_string(4 * i)));
  }
  EXPECT_THAT(read_tensors(same).broken, IsEmpty());
  EXPECT_THROW(read_tensors(shifted), UnreadableModel);
}

TEST_F(ExternalData, ThatCannotBeOpenedCannotBeRead) {
  EXPECT_THROW(read_with("nothing.bin"), UnreadableModel);
  EXPECT_THROW(read_with("below"), UnreadableModel);
}

}  // namespace
}  // namespace ifcert::onnx
