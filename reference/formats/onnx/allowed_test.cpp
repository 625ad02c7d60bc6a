// Files that break rules in ways that leave them one meaning: strict reading says so, and reading that allows the rules
// mends the file.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ifcert/reference.hpp>

#include "formats/onnx/file_builder.hpp"

namespace ifcert::onnx::allowed_findings {
namespace {

using namespace file_builder;
using testing::Contains;
using testing::Each;
using testing::ElementsAre;
using testing::Field;
using testing::IsEmpty;
using testing::SizeIs;

const std::vector<std::string> x_and_cond{value_info("x", float_pair), value_info("cond", bool_scalar)};
const std::vector<std::string> y{value_info("y", float_pair)};

Reading read_allowing(const std::string& bytes, const AllowedRules& allowed = allowable_rules()) {
  const auto owner = std::make_shared<const std::string>(bytes);
  return read_bytes(owner, std::as_bytes(std::span(*owner)), {}, allowed);
}

std::vector<std::string> rules_of(const std::vector<Diagnostic>& findings) {
  std::vector<std::string> rules;
  for (const Diagnostic& finding : findings) rules.push_back(finding.rule);
  return rules;
}

Value pair_of(float a, float b) {
  const std::vector<float> elements{a, b};
  return make_tensor<float>(ElementType::float32, {2}, elements);
}

Value truth(bool value) {
  const std::uint8_t byte = value ? 1 : 0;
  return make_tensor<std::uint8_t>(ElementType::boolean, {}, {&byte, 1});
}

/// What the main graph returns for x = [1, -2] and both values of cond, or the first finding.
std::string results(Reading reading) {
  const std::vector<Diagnostic> broken = errors_in(check(reading));
  if (!broken.empty()) return to_string(broken.front());
  const bool has_cond = reading.model.main().inputs.size() > 1;
  const Program program(std::move(reading.model));
  std::string all;
  for (const bool cond : {true, false}) {
    std::vector<Value> inputs{pair_of(1, -2)};
    if (has_cond) inputs.push_back(truth(cond));
    all += to_string(program.run(inputs).front()) + ";";
  }
  return all;
}

/// The file breaks only these rules, and each finding can be allowed; with them allowed it computes `expected`, and so
/// does the mended file, which breaks nothing.
void expect_mended(const std::string& bytes, const std::vector<std::string>& rules, const std::string& expected) {
  const Reading strict = read(bytes);
  EXPECT_EQ(rules_of(strict.broken), rules);
  EXPECT_THAT(strict.broken, Each(Field(&Diagnostic::allowable, true)));
  const Reading allowed = read_allowing(bytes, {rules.begin(), rules.end()});
  EXPECT_EQ(allowed.allowed, strict.broken);
  EXPECT_THAT(errors_in(check(allowed)), IsEmpty());
  EXPECT_EQ(results(read_allowing(bytes)), expected);
  ASSERT_NE(allowed.mended, nullptr);
  const Reading again = read_allowing(*allowed.mended);
  EXPECT_THAT(again.broken, IsEmpty());
  EXPECT_THAT(again.allowed, IsEmpty());
  EXPECT_EQ(results(read(*allowed.mended)), expected);
}

/// The file breaks a rule in a way that cannot be allowed: allowing everything changes nothing.
void expect_left(const std::string& bytes, const std::string& rule) {
  const Reading reading = read_allowing(bytes);
  EXPECT_THAT(reading.broken,
              Contains(testing::AllOf(Field(&Diagnostic::rule, rule), Field(&Diagnostic::allowable, false))));
  EXPECT_EQ(rules_of(reading.broken), rules_of(read(bytes).broken));
}

/// If whose then_branch has these parts, and whose else_branch returns x.
std::string choice(const Parts& then_parts, const std::vector<std::string>& inputs = {"cond"}) {
  const std::string else_graph = graph("else", {{node("Identity", {"x"}, {"e"})}, {}, {}, {value_info("e")}});
  return node("If", inputs, {"y"},
              {branch("then_branch", graph("then", then_parts)), branch("else_branch", else_graph)});
}

TEST(AllowedInOnnx, NodesAreSortedWhereTheyAreNotAndKeepTheirOrderOtherwise) {
  const auto with = [](const std::vector<std::string>& nodes) {
    return model(graph("main", {nodes, {}, {value_info("x", float_pair)}, y}));
  };
  const std::string a = node("Neg", {"x"}, {"a"});
  const std::string b = node("Abs", {"a"}, {"b"});
  const std::string c = node("Add", {"a", "b"}, {"y"});
  const std::string unused = node("Neg", {"x"}, {"u"});
  for (const auto& nodes : std::vector<std::vector<std::string>>{{b, a, c}, {c, b, a}, {c, a, b}, {a, c, b}}) {
    expect_mended(with(nodes), std::vector<std::string>(read(with(nodes)).broken.size(), "onnx/model/no-cycles"),
                  "float32[2] [0, 4];float32[2] [0, 4];");
  }
  const Reading sorted = read_allowing(with({unused, c, b, a}));
  std::vector<std::string> first_outputs;
  for (const Node& each : sorted.model.main().nodes)
    first_outputs.push_back(sorted.model.main().slots[each.outputs.front()].name);
  EXPECT_THAT(first_outputs, ElementsAre("u", "a", "b", "y"));
  EXPECT_EQ(read_allowing(with({a, b, c, unused})).mended, nullptr);
}

TEST(AllowedInOnnx, NodesInBranchesAndFunctionsAreSortedToo) {
  const Parts unsorted{{node("Neg", {"t"}, {"r"}), node("Abs", {"x"}, {"t"})}, {}, {}, {value_info("r")}};
  expect_mended(model(graph("main", {{choice(unsorted)}, {}, x_and_cond, y})), {"onnx/model/no-cycles"},
                "float32[2] [-1, -2];float32[2] [1, -2];");
  const std::string negated =
      function("negated", {{"v"}, {"r"}, {node("Neg", {"t"}, {"r"}), node("Abs", {"v"}, {"t"})}});
  const std::string calling =
      model(graph("main", {{call("negated", {"x"}, {"y"})}, {}, {value_info("x", float_pair)}, y}));
  expect_mended(with_functions(calling, {negated}), {"onnx/model/no-cycles"},
                "float32[2] [-1, -2];float32[2] [-1, -2];");
}

TEST(AllowedInOnnx, ANodeComesBehindWhatItsBranchesCapture) {
  // Two levels: the inner branch reads what the main graph makes last.
  const std::string inner =
      node("If", {"cond"}, {"r"},
           {branch("then_branch", graph("inner_then", {{node("Neg", {"late"}, {"n"})}, {}, {}, {value_info("n")}})),
            branch("else_branch", graph("inner_else", {{node("Identity", {"x"}, {"m"})}, {}, {}, {value_info("m")}}))});
  const Parts nested{{inner}, {}, {}, {value_info("r")}};
  const std::string late = node("Abs", {"x"}, {"late"});
  const std::string bytes = model(graph("main", {{choice(nested), late}, {}, x_and_cond, y}));
  expect_mended(bytes, {"onnx/if/definition-before-use"}, "float32[2] [-1, -2];float32[2] [1, -2];");
  // Only the rule that is allowed is mended.
  EXPECT_THAT(rules_of(read_allowing(bytes, {"onnx/model/no-cycles"}).broken),
              ElementsAre("onnx/if/definition-before-use"));
}

TEST(AllowedInOnnx, CyclesAreNot) {
  const auto main = [](const std::vector<std::string>& nodes) {
    return model(graph("main", {nodes, {}, x_and_cond, y}));
  };
  expect_left(main({node("Neg", {"y"}, {"y"})}), "onnx/model/no-cycles");
  expect_left(main({node("Neg", {"b"}, {"a"}), node("Neg", {"a"}, {"b"}), node("Neg", {"a"}, {"y"})}),
              "onnx/model/no-cycles");
  const Parts reads_y{{node("Neg", {"z"}, {"r"})}, {}, {}, {value_info("r")}};
  expect_left(main({choice(reads_y), node("Neg", {"y"}, {"z"})}), "onnx/if/definition-before-use");
}

// Which of the two the branch means is not certain, whatever the order.
TEST(AllowedInOnnx, ANameThatTwoGraphsMakeLaterIsNot) {
  const Parts makes_later{{node("Neg", {"m"}, {"r"}), node("Abs", {"x"}, {"m"})}, {}, {}, {value_info("r")}};
  expect_left(model(graph("main", {{choice(makes_later), node("Neg", {"x"}, {"m"})}, {}, x_and_cond, y})),
              "onnx/model/no-cycles");
}

TEST(AllowedInOnnx, ARepeatedValueInfoIsDroppedUnlessItContradicts) {
  const auto with = [](const std::vector<std::string>& infos) {
    return model(graph(
        "main",
        {{node("Identity", {"x"}, {"m"}), node("Neg", {"m"}, {"y"})}, {}, {value_info("x", float_pair)}, y, infos}));
  };
  const std::string open = tensor_type(1, {-1});
  const std::string negated = "float32[2] [-1, 2];float32[2] [-1, 2];";
  const std::vector<std::string> rule{"onnx/model/value-info-is-distinct"};
  const std::string m = value_info("m", float_pair);
  expect_mended(with({m, m}), rule, negated);
  expect_mended(with({m, value_info("y", float_pair), m, m}), rule, negated);
  expect_mended(with({value_info("m"), value_info("m", open), m}), rule, negated);
  // The entry that says most is kept.
  const Reading kept = read_allowing(with({value_info("m", open), m}));
  EXPECT_EQ(kept.model.main().slots[kept.model.main().nodes.front().outputs.front()].declared.shape, static_shape({2}));
  expect_left(with({m, value_info("m", tensor_type(7, {2}))}), "onnx/model/value-info-is-distinct");
  expect_left(with({value_info("m", open), m, value_info("m", tensor_type(1, {3}))}),
              "onnx/model/value-info-is-distinct");
}

TEST(AllowedInOnnx, AGraphWithoutANameIsNamedAfterItsRole) {
  const std::string nameless = graph("", {{node("Neg", {"x"}, {"t"})}, {}, {}, {value_info("t")}});
  const std::string named = graph("else", {{node("Identity", {"x"}, {"e"})}, {}, {}, {value_info("e")}});
  const std::string choose =
      node("If", {"cond"}, {"y"}, {branch("then_branch", nameless), branch("else_branch", named)});
  const std::string bytes = model(graph("", {{choose}, {}, x_and_cond, y}));
  expect_mended(bytes, {"onnx/model/graphs-have-names", "onnx/model/graphs-have-names"},
                "float32[2] [-1, 2];float32[2] [1, -2];");
  const Model& mended = read_allowing(bytes).model;
  EXPECT_EQ(mended.graphs[0].name, "main");
  EXPECT_EQ(mended.graphs[1].name, "then_branch");
}

TEST(AllowedInOnnx, TheDomainOfACalledFunctionIsImported) {
  const std::string negated = function("negated", {{"v"}, {"r"}, {node("Neg", {"v"}, {"r"})}});
  const Parts calls{{call("negated", {"x"}, {"r"})}, {}, {}, {value_info("r")}};
  std::string bytes = model(graph("main", {{choice(calls)}, {}, x_and_cond, y}));
  pbf_writer(bytes).add_message(fields::ModelProto::functions, negated);
  expect_mended(bytes, {"onnx/model/operators-are-declared"}, "float32[2] [-1, 2];float32[2] [1, -2];");
  EXPECT_EQ(read_allowing(bytes).model.opsets.at("local"), 1);
  // What computes an operator of another domain is not in the file.
  std::string foreign = node("Neg", {"x"}, {"y"});
  pbf_writer(foreign).add_string(fields::NodeProto::domain, "elsewhere");
  expect_left(model(graph("main", {{foreign}, {}, {value_info("x", float_pair)}, y})),
              "onnx/model/operators-are-declared");
}

TEST(AllowedInOnnx, AnInputOfABranchThatIsAnInitializerIsAConstant) {
  const Parts backed{{node("Add", {"x", "w"}, {"t"})},
                     {float_tensor("w", {2}, {10, 20})},
                     {value_info("w", float_pair)},
                     {value_info("t")}};
  expect_mended(model(graph("main", {{choice(backed)}, {}, x_and_cond, y})), {"onnx/if/branches-take-no-inputs"},
                "float32[2] [11, 18];float32[2] [1, -2];");
  const Parts bare{{node("Add", {"x", "w"}, {"t"})}, {}, {value_info("w", float_pair)}, {value_info("t")}};
  expect_left(model(graph("main", {{choice(bare)}, {}, x_and_cond, y})), "onnx/if/branches-take-no-inputs");
}

TEST(AllowedInOnnx, InputsOfAnIfWithoutNamesAreDropped) {
  const Parts negates{{node("Neg", {"x"}, {"t"})}, {}, {}, {value_info("t")}};
  const auto with = [&](const Names& inputs) {
    return model(graph("main", {{choice(negates, inputs)}, {}, x_and_cond, y}));
  };
  expect_mended(with({"cond", "", ""}), {"onnx/if/one-input"}, "float32[2] [-1, 2];float32[2] [1, -2];");
  expect_left(with({"cond", "x"}), "onnx/if/one-input");
  expect_left(with({"", "cond"}), "onnx/if/one-input");
}

TEST(AllowedInOnnx, AnInitializerWithoutANameIsDropped) {
  expect_mended(model(graph("main", {{node("Neg", {"x"}, {"y"})},
                                     {float_tensor("", {2}, {1, 2}), float_tensor("k", {2}, {1, 2})},
                                     {value_info("x", float_pair)},
                                     y})),
                {"onnx/model/one-definition-per-name"}, "float32[2] [-1, 2];float32[2] [-1, 2];");
  expect_left(model(graph("main", {{node("Neg", {"x"}, {"y"})},
                                   {float_tensor("k", {2}, {1, 2}), float_tensor("k", {2}, {1, 2})},
                                   {value_info("x", float_pair)},
                                   y})),
              "onnx/model/one-definition-per-name");
}

TEST(AllowedInOnnx, AnAttributeThatLacksItsTypeGetsIt) {
  const auto untyped = [](std::string_view name, const std::string& value) {
    return message([&](pbf_writer& w) {
      w.add_string(fields::AttributeProto::name, name.data(), name.size());
      w.add_message(fields::AttributeProto::g, value);
    });
  };
  const std::string then_graph = graph("then", {{node("Neg", {"x"}, {"t"})}, {}, {}, {value_info("t")}});
  const std::string else_graph = graph("else", {{node("Identity", {"x"}, {"e"})}, {}, {}, {value_info("e")}});
  const std::string choose =
      node("If", {"cond"}, {"y"}, {untyped("then_branch", then_graph), branch("else_branch", else_graph)});
  expect_mended(model(graph("main", {{choose}, {}, x_and_cond, y})), {"onnx/if/both-branches-required"},
                "float32[2] [-1, 2];float32[2] [1, -2];");
  const std::string to_float = message([](pbf_writer& w) {
    w.add_string(fields::AttributeProto::name, "to");
    w.add_int64(fields::AttributeProto::i, 1);
  });
  expect_mended(model(graph("main", {{node("Cast", {"x"}, {"y"}, {to_float})}, {}, {value_info("x", float_pair)}, y})),
                {"onnx/model/attribute-holds-one-value"}, "float32[2] [1, -2];float32[2] [1, -2];");
}

TEST(AllowedInOnnx, EveryOtherByteOfTheFileStaysAsItIs) {
  const std::string a = node("Neg", {"x"}, {"a"});
  const std::string b = node("Abs", {"a"}, {"y"});
  const auto with = [](const std::vector<std::string>& nodes) {
    std::string main = graph("main", {nodes, {}, {value_info("x", float_pair)}, y});
    pbf_writer(main).add_string(10, "a description");  // doc_string
    pbf_writer(main).add_fixed64(1000, 42);            // unknown
    std::string bytes = model(main);
    pbf_writer(bytes).add_string(6, "another");
    return bytes;
  };
  EXPECT_EQ(*read_allowing(with({b, a})).mended, with({a, b}));
}

// A file whose every level is out of order is mended in time that its size bounds.
TEST(AllowedInOnnx, DeepAndWideFilesAreMendedInLinearTime) {
  std::string inside = graph("g", {{node("Neg", {"late"}, {"t"})}, {}, {}, {value_info("t")}});
  for (int depth = 0; depth < 300; ++depth) {
    const std::string choose =
        node("If", {"cond"}, {"r"},
             {branch("then_branch", inside),
              branch("else_branch", graph("e", {{node("Neg", {"x"}, {"q"})}, {}, {}, {value_info("q")}}))});
    inside = graph("g", {{choose}, {}, {}, {value_info("r")}});
  }
  const std::string choose =
      node("If", {"cond"}, {"y"},
           {branch("then_branch", inside),
            branch("else_branch", graph("e", {{node("Neg", {"x"}, {"q"})}, {}, {}, {value_info("q")}}))});
  std::vector<std::string> nodes{choose};
  for (int i = 0; i < 20'000; ++i)
    nodes.push_back(node("Neg", {i == 0 ? "x" : "n" + std::to_string(i - 1)}, {"n" + std::to_string(i)}));
  nodes.push_back(node("Neg", {"n19999"}, {"late"}));
  const Reading reading = read_allowing(model(graph("main", {nodes, {}, x_and_cond, y})));
  EXPECT_THAT(reading.broken, IsEmpty());
  EXPECT_THAT(reading.allowed, SizeIs(1));
  EXPECT_EQ(reading.model.main().nodes.back().op, "If");
}

TEST(Allowances, NameRulesOnceAndSayWhy) {
  AllowedRules names;
  for (const Allowance& row : all_allowances()) {
    EXPECT_NE(find_rule(row.rule), nullptr) << row.rule;
    EXPECT_TRUE(names.emplace(row.rule).second) << row.rule;
    EXPECT_FALSE(row.why.empty()) << row.rule;
  }
  EXPECT_EQ(refusal_to_allow("onnx/model/no-cycles"), "");
  EXPECT_EQ(refusal_to_allow("onnx/if/no-shadowing"),
            "onnx/if/no-shadowing cannot be allowed: a use of the name could mean the value inside or the one outside");
  EXPECT_EQ(
      refusal_to_allow("onnx/if/then-when-true"),
      "onnx/if/then-when-true cannot be allowed: a model that breaks it has no meaning that every reader must share");
  EXPECT_EQ(refusal_to_allow("no/rule"), "there is no rule no/rule");
}

}  // namespace
}  // namespace ifcert::onnx::allowed_findings
