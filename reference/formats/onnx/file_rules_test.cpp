// Rules of the model around If that only the file shows, each on a legal file and on the same file with one fault.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ifcert/reference.hpp>

#include "formats/onnx/file_builder.hpp"

namespace ifcert::onnx {
namespace {

using namespace file_builder;
using testing::Contains;
using testing::ElementsAre;
using testing::Field;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

const std::string float_triple = tensor_type(1, {3});
const std::string int_pair = tensor_type(7, {2});

auto breaks_only(const std::string& rule) {
  return ElementsAre(Field(&Diagnostic::rule, rule));
}

std::vector<Diagnostic> checked(const std::string& bytes) {
  return check(read(bytes));
}

/// y = Neg(Identity(x)), whose middle value m has these entries in value_info.
std::string chain(const std::vector<std::string>& value_infos) {
  return model(graph("main", {{node("Identity", {"x"}, {"m"}), node("Neg", {"m"}, {"y"})},
                              {},
                              {value_info("x", float_pair)},
                              {value_info("y", float_pair)},
                              value_infos}));
}

/// If whose then_branch declares `type` for the captured x and `result` for its own output.
std::string choice_declaring(const std::string& type, const std::string& result) {
  const std::string then_graph =
      graph("then", {{node("Neg", {"x"}, {"t"})}, {}, {}, {value_info("t", result)}, {value_info("x", type)}});
  const std::string else_graph = graph("else", {{node("Identity", {"x"}, {"e"})}, {}, {}, {value_info("e")}});
  const std::string choose =
      node("If", {"cond"}, {"y"}, {branch("then_branch", then_graph), branch("else_branch", else_graph)});
  return model(graph("main", {{choose},
                              {},
                              {value_info("cond", bool_scalar), value_info("x", float_pair)},
                              {value_info("y", tensor_type(1, {-1}))}}));
}

/// Two nodes in this order, of which the first reads what the second, or a branch in it, makes as "m".
std::vector<Diagnostic> checked_before_made(const std::string& second) {
  return checked(model(graph("main", {{node("Neg", {"m"}, {"y"}), second},
                                      {},
                                      {value_info("x", float_pair), value_info("cond", bool_scalar)},
                                      {value_info("y", float_pair)}})));
}

// The definition that follows such a use is not reported as a second one, nor as shadowing.
TEST(Names, ThatAreUsedWhereTheyAreNotVisibleBreakOneRule) {
  EXPECT_THAT(checked_before_made(node("Identity", {"x"}, {"m"})), breaks_only("onnx/model/no-cycles"));
  const std::string made = graph("then", {{node("Neg", {"x"}, {"m"})}, {}, {}, {value_info("m", float_pair)}});
  const std::string other = graph("else", {{node("Identity", {"x"}, {"e"})}, {}, {}, {value_info("e", float_pair)}});
  const std::string choose = node("If", {"cond"}, {"z"}, {branch("then_branch", made), branch("else_branch", other)});
  EXPECT_THAT(checked_before_made(choose), breaks_only("onnx/if/no-leak"));
  const std::string twice =
      graph("then", {{node("Neg", {"n"}, {"t"}), node("Neg", {"x"}, {"n"}), node("Neg", {"x"}, {"n"})},
                     {},
                     {},
                     {value_info("t", float_pair)}});
  const std::string with_twice =
      node("If", {"cond"}, {"y"}, {branch("then_branch", twice), branch("else_branch", other)});
  EXPECT_THAT(checked(model(graph("main", {{with_twice},
                                           {},
                                           {value_info("x", float_pair), value_info("cond", bool_scalar)},
                                           {value_info("y", float_pair)}}))),
              ElementsAre(Field(&Diagnostic::rule, "onnx/model/no-cycles"),
                          Field(&Diagnostic::rule, "onnx/model/one-definition-per-name")));
}

// "Used to store the type and shape information of values" (IR document, Graphs)
TEST(DeclaredTypes, OfOneValueAgree) {
  EXPECT_THAT(checked(chain({value_info("m", float_pair)})), IsEmpty());
  EXPECT_THAT(checked(chain({value_info("m", int_pair)})), breaks_only("onnx/model/declared-type-agrees"));
  EXPECT_THAT(checked(chain({value_info("m", float_triple)})), breaks_only("onnx/model/declared-type-agrees"));
  EXPECT_THAT(checked(chain({value_info("y", tensor_type(1, {-1}))})), IsEmpty());
  EXPECT_THAT(checked(chain({value_info("y", int_pair)})), Contains(Field(&Diagnostic::found, HasSubstr("int64[2]"))));
}

// What one declaration leaves open, the other may say, in whatever order they come.
TEST(DeclaredTypes, OfOneValueAllCount) {
  const auto with = [](const std::string& output, const std::string& info) {
    return checked(model(graph("main", {{node("Neg", {"x"}, {"y"})},
                                        {},
                                        {value_info("x", float_pair)},
                                        {value_info("y", output)},
                                        {value_info("y", info)}})));
  };
  const std::string open = tensor_type(1, {-1});
  EXPECT_THAT(with(float_pair, open), IsEmpty());
  EXPECT_THAT(with(open, float_pair), IsEmpty());
  EXPECT_THAT(with(float_triple, open), breaks_only("onnx/model/declared-type-agrees"));
  EXPECT_THAT(with(open, float_triple), breaks_only("onnx/model/declared-type-agrees"));
}

TEST(DeclaredTypes, OfACapturedValueAreThoseOfTheGraphAroundIt) {
  EXPECT_THAT(checked(choice_declaring(float_pair, float_pair)), IsEmpty());
  EXPECT_THAT(checked(choice_declaring(int_pair, "")), Contains(Field(&Diagnostic::place, HasSubstr("value \"x\""))));
}

TEST(DeclaredTypes, OfABranchsOutputAreThoseOfItsValue) {
  EXPECT_THAT(checked(choice_declaring(float_pair, float_triple)), breaks_only("onnx/model/declared-type-agrees"));
  EXPECT_THAT(checked(choice_declaring(float_pair, int_pair)), Contains(Field(&Diagnostic::place, HasSubstr("Neg"))));
}

// The first trip gets the initial value itself; later ones may get other shapes.
TEST(DeclaredTypes, OfALoopsCarriedValueAreThoseOfTheInitialOne) {
  const auto with = [](const std::string& type) {
    const std::string body = graph("body", {{node("Identity", {"again"}, {"more"}), node("Neg", {"carried"}, {"next"})},
                                            {},
                                            {value_info("trip"), value_info("again"), value_info("carried", type)},
                                            {value_info("more"), value_info("next")}});
    const std::string trips = node("Constant", {}, {"n"}, {int_attribute("value_int", 1)});
    const std::string loop = node("Loop", {"n", "", "x"}, {"y"}, {branch("body", body)});
    return checked(
        model(graph("main", {{trips, loop}, {}, {value_info("x", float_pair)}, {value_info("y", float_pair)}})));
  };
  EXPECT_THAT(with(float_pair), IsEmpty());
  EXPECT_THAT(with(tensor_type(1, {-1})), IsEmpty());
  EXPECT_THAT(with(float_triple), breaks_only("onnx/model/declared-type-agrees"));
  EXPECT_THAT(with(int_pair), breaks_only("onnx/model/declared-type-agrees"));
}

TEST(DeclaredTypes, OfAnInitializerAreItsOwn) {
  const auto with = [](const std::string& type) {
    return checked(model(graph("main", {{node("Neg", {"k"}, {"y"})},
                                        {float_tensor("k", {2}, {1, 2})},
                                        {},
                                        {value_info("y", float_pair)},
                                        {value_info("k", type)}})));
  };
  EXPECT_THAT(with(float_pair), IsEmpty());
  EXPECT_THAT(with(int_pair), breaks_only("onnx/model/declared-type-agrees"));
}

// "The ValueInfoProto.name's must be distinct." (onnx.proto)
TEST(ValueInfo, NamesEachValueOnce) {
  EXPECT_THAT(checked(chain({value_info("m", float_pair), value_info("m", float_pair)})),
              breaks_only("onnx/model/value-info-is-distinct"));
}

// "All nodes […] will bind against the operator […] with the HIGHEST version in the referenced operator sets."
TEST(Model, BindsToTheHighestVersionThatItImportsOfADomain) {
  const auto importing = [](std::vector<std::int64_t> versions) {
    std::string bytes = model(
        graph("main", {{node("CastLike", {"x", "x"}, {"y"})}, {}, {value_info("x", float_pair)}, {value_info("y")}}),
        versions.front());
    for (const std::int64_t version : std::span(versions).subspan(1)) {
      pbf_writer(bytes).add_message(fields::ModelProto::opset_import, message([&](pbf_writer& o) {
                                      o.add_int64(fields::OperatorSetIdProto::version, version);
                                    }));
    }
    return read(bytes);
  };
  // CastLike came with version 15.
  for (const std::vector<std::int64_t>& versions :
       {{16, 16}, {16, 13}, {13, 16}, std::vector<std::int64_t>{13, 16, 14}}) {
    const Reading reading = importing(versions);
    EXPECT_THAT(reading.broken, Not(Contains(Field(&Diagnostic::rule, "onnx/model/operators-are-declared"))));
    EXPECT_EQ(reading.model.main().nodes.front().version, 16);
    EXPECT_EQ(reading.model.opsets.at(""), 16);
  }
  EXPECT_THAT(importing({13, 14}).broken, Contains(Field(&Diagnostic::rule, "onnx/model/operators-are-declared")));
  EXPECT_THAT(importing({16, 10'000}).broken, Contains(Field(&Diagnostic::found, "opset 10000 is imported")));
}

TEST(Model, SaysItsIrVersion) {
  std::string without = message([](pbf_writer& w) {
    w.add_message(
        fields::ModelProto::graph,
        graph("main", {{node("Neg", {"x"}, {"y"})}, {}, {value_info("x", float_pair)}, {value_info("y", float_pair)}}));
    w.add_message(fields::ModelProto::opset_import,
                  message([](pbf_writer& o) { o.add_int64(fields::OperatorSetIdProto::version, 16); }));
  });
  EXPECT_THAT(checked(without), breaks_only("onnx/model/ir-version-required"));
  pbf_writer(without).add_int64(fields::ModelProto::ir_version, 8);
  EXPECT_THAT(checked(without), IsEmpty());
}

/// y = Constant of these attributes; y is declared with this type.
std::string constant(const std::vector<std::string>& attributes, const std::string& type = tensor_type(7, {})) {
  return model(graph("main", {{node("Constant", {}, {"y"}, attributes)}, {}, {}, {value_info("y", type)}}));
}

// "exactly one of the fields […] is used to store the elements of the tensor" (onnx.proto, TensorProto)
TEST(Tensor, HoldsItsElementsOnceInTheFieldOfItsType) {
  const auto with = [](const std::string& tensor) {
    return checked(model(graph("main", {{}, {tensor}, {}, {value_info("k", float_pair)}})));
  };
  const std::string once = float_tensor("k", {2}, {1, 2});
  EXPECT_THAT(with(once), IsEmpty());
  std::string twice = once;
  pbf_writer(twice).add_bytes(fields::TensorProto::raw_data, std::string(8, '\0'));
  EXPECT_THAT(with(twice), breaks_only("onnx/model/tensor-data-fits-shape"));
  std::string ints = once;
  const std::vector<std::int64_t> numbers{1, 2};
  pbf_writer(ints).add_packed_int64(fields::TensorProto::int64_data, numbers.begin(), numbers.end());
  EXPECT_THAT(with(ints), Contains(Field(&Diagnostic::found, HasSubstr("float_data and int64_data"))));
}

// "An attribute MUST have only one of the value-carrying properties." (IR document, Attributes)
TEST(Attribute, HoldsOneValueOfItsType) {
  const std::string fault = "onnx/model/attribute-holds-one-value";
  std::string good = int_attribute("value_int", 7);
  EXPECT_THAT(checked(constant({good})), IsEmpty());
  std::string two = good;
  pbf_writer(two).add_float(fields::AttributeProto::f, 1);
  EXPECT_THAT(checked(constant({two})), Contains(Field(&Diagnostic::rule, fault)));
  const std::string untyped = message([](pbf_writer& w) {
    w.add_string(fields::AttributeProto::name, "value_int");
    w.add_int64(fields::AttributeProto::i, 7);
  });
  EXPECT_THAT(checked(constant({untyped})), breaks_only(fault));
  const std::string no_tensor = message([](pbf_writer& w) {
    w.add_string(fields::AttributeProto::name, "value");
    w.add_int32(fields::AttributeProto::type, 4);
  });
  EXPECT_THAT(checked(constant({no_tensor})), Contains(Field(&Diagnostic::found, HasSubstr("no value"))));
}

TEST(Attribute, OfIfHoldsNothingBesideItsGraph) {
  const std::string flat = graph("flat", {{node("Identity", {"x"}, {"e"})}, {}, {}, {value_info("e")}});
  const auto with = [&](const std::string& then_branch) {
    const std::string choose = node("If", {"cond"}, {"y"}, {then_branch, branch("else_branch", flat)});
    return checked(model(graph("main", {{choose},
                                        {},
                                        {value_info("cond", bool_scalar), value_info("x", float_pair)},
                                        {value_info("y", float_pair)}})));
  };
  std::string two = branch("then_branch", flat);
  EXPECT_THAT(with(two), IsEmpty());
  pbf_writer(two).add_int64(fields::AttributeProto::i, 1);
  EXPECT_THAT(with(two), breaks_only("onnx/model/attribute-holds-one-value"));
}

// Writers of protobuf 3 may omit a number that is zero.
TEST(Attribute, OfANumberMayLeaveOutAZero) {
  const std::string zero = message([](pbf_writer& w) {
    w.add_string(fields::AttributeProto::name, "value_int");
    w.add_int32(fields::AttributeProto::type, 2);
  });
  EXPECT_THAT(checked(constant({zero})), IsEmpty());
}

std::string sparse(const std::string& name) {
  return message([&](pbf_writer& w) {
    const std::vector<std::int64_t> index{1};
    const std::vector<std::int64_t> dims{3};
    w.add_message(fields::SparseTensorProto::values, float_tensor(name, {1}, {5}));
    w.add_message(fields::SparseTensorProto::indices, message([&](pbf_writer& t) {
                    t.add_packed_int64(fields::TensorProto::dims, index.begin(), index.end());
                    t.add_int32(fields::TensorProto::data_type, 7);
                    t.add_packed_int64(fields::TensorProto::int64_data, index.begin(), index.end());
                  }));
    w.add_packed_int64(fields::SparseTensorProto::dims, dims.begin(), dims.end());
  });
}

TEST(SparseTensors, InAConstantAreLegalTypedAndEvaluated) {
  const std::string attribute = message([](pbf_writer& w) {
    w.add_string(fields::AttributeProto::name, "sparse_value");
    w.add_message(fields::AttributeProto::sparse_tensor, sparse(""));
    w.add_int32(fields::AttributeProto::type, 11);
  });
  Reading reading = read(constant({attribute}, float_triple));
  EXPECT_THAT(check(reading), IsEmpty());
  EXPECT_EQ(to_string(infer_types(reading.model)[0][0]), "float32[3]");
  EXPECT_EQ(to_string(Program(std::move(reading.model)).run({})[0]), "float32[3] [0, 5, 0]");
}

// "The name MUST be unique across both initializer and sparse_initializer, but the name MAY also appear in the input
// list." (onnx.proto, GraphProto.initializer)
TEST(SparseTensors, AreInitializersLikeOthers) {
  const auto with = [](const std::vector<std::string>& inputs, const std::vector<std::string>& initializers) {
    std::string main =
        graph("main", {{node("Neg", {"k"}, {"y"})}, initializers, inputs, {value_info("y", float_triple)}});
    pbf_writer(main).add_message(fields::GraphProto::sparse_initializer, sparse("k"));
    return checked(model(main));
  };
  EXPECT_THAT(with({}, {}), IsEmpty());
  EXPECT_THAT(with({value_info("k", float_triple)}, {}), IsEmpty());
  EXPECT_THAT(with({}, {float_tensor("k", {1}, {1})}), breaks_only("onnx/model/one-definition-per-name"));
}

/// y = f(x) with this function; the call passes these attributes.
std::string calling(const FunctionParts& f, const Names& inputs, const std::vector<std::string>& attributes = {}) {
  return with_functions(model(graph("main", {{call("f", inputs, {"y"}, attributes)},
                                             {},
                                             {value_info("x", float_pair)},
                                             {value_info("y", tensor_type(1, {-1}))}})),
                        {function("f", f)});
}

TEST(Function, IsCalledWithNoMoreThanItTakes) {
  const FunctionParts f{{"a"}, {"b"}, {node("Neg", {"a"}, {"b"})}};
  EXPECT_THAT(checked(calling(f, {"x"})), IsEmpty());
  EXPECT_THAT(checked(calling(f, {"x", "x"})), breaks_only("onnx/model/call-fits-function"));
  const std::string two = call("f", {"x"}, {"y", "z"});
  EXPECT_THAT(checked(with_functions(
                  model(graph("main", {{two}, {}, {value_info("x", float_pair)}, {value_info("y", float_pair)}})),
                  {function("f", f)})),
              breaks_only("onnx/model/call-fits-function"));
}

// "The names in these two lists must be distinct." (IR document, Functions)
TEST(Function, DeclaresEachAttributeOnce) {
  FunctionParts f{{"a"}, {"b"}, {node("Neg", {"a"}, {"b"})}, {"alpha"}, {int_attribute("beta", 1)}};
  EXPECT_THAT(checked(calling(f, {"x"})), IsEmpty());
  f.defaults.push_back(int_attribute("alpha", 1));
  EXPECT_THAT(checked(calling(f, {"x"})), breaks_only("onnx/model/one-definition-per-name"));
  f.defaults.pop_back();
  f.attributes.emplace_back("alpha");
  EXPECT_THAT(checked(calling(f, {"x"})), breaks_only("onnx/model/one-definition-per-name"));
}

/// Evaluates a model of one float pair on [1, 2].
std::string result_of(const std::string& bytes) {
  Reading reading = read(bytes);
  EXPECT_THAT(check(reading), IsEmpty());
  const Program program(std::move(reading.model));
  const std::vector<float> pair{1, 2};
  const std::vector<Value> inputs{make_tensor<float>(ElementType::float32, {2}, pair)};
  return to_string(program.run(inputs)[0]);
}

/// f(a) = ArgMax(a, axis=…), the axis and keepdims being attributes of f.
std::string slice_function(const std::vector<std::string>& given) {
  const std::string cast = node("Cast", {"a"}, {"b"}, {reference_attribute("to", 2, "kind")});
  return calling({{"a"}, {"b"}, {cast}, {}, {int_attribute("kind", 1), int_attribute("other", 3)}}, {"x"}, given);
}

TEST(Function, TakesTheDefaultOfAnAttributeThatTheCallLeavesOut) {
  EXPECT_EQ(result_of(slice_function({})), "float32[2] [1, 2]");
  EXPECT_EQ(result_of(slice_function({int_attribute("other", 5)})), "float32[2] [1, 2]");
  EXPECT_THAT(checked(slice_function({int_attribute("kind", 7)})),
              breaks_only("onnx/model/declared-type-agrees"));  // int64 now, where float32 is declared
}

/// f(a, c) = If(c) with the attribute g as then_branch; g has a default that returns [7, 8].
std::string graph_default(const std::string& default_graph, const std::vector<std::string>& given) {
  const std::string flat = graph("flat", {{node("Identity", {"a"}, {"e"})}, {}, {}, {value_info("e")}});
  const std::string cond = node("Constant", {}, {"i"}, {int_attribute("value_int", 1)});
  const std::string cast = node("Cast", {"i"}, {"c"}, {int_attribute("to", 9)});
  const std::string choose =
      node("If", {"c"}, {"b"}, {reference_attribute("then_branch", 5, "g"), branch("else_branch", flat)});
  return calling({{"a"}, {"b"}, {cond, cast, choose}, {}, {branch("g", default_graph)}}, {"x"}, given);
}

std::string constant_graph(const std::string& name, float first) {
  return graph(name, {{node("Identity", {name + "k"}, {name + "o"})},
                      {float_tensor(name + "k", {2}, {first, 8})},
                      {},
                      {value_info(name + "o")}});
}

TEST(Function, TakesADefaultThatIsAGraph) {
  EXPECT_EQ(result_of(graph_default(constant_graph("d", 7), {})), "float32[2] [7, 8]");
  EXPECT_EQ(result_of(graph_default(constant_graph("d", 7), {branch("g", constant_graph("own", 9))})),
            "float32[2] [9, 8]");
}

// "then_branch : graph (required)" (ONNX Operators, If); AttributeProto.type: "this field MUST be set and match the
// f|i|s|t|... field in use"
TEST(Function, TakesNoListOfGraphsForABranch) {
  const std::string given = constant_graph("given", 7);
  const auto is_refused = breaks_only("onnx/if/both-branches-required");
  EXPECT_THAT(checked(graph_default(given, {graphs_attribute("g", {constant_graph("own", 9)})})), is_refused);
  EXPECT_THAT(
      checked(graph_default(given, {graphs_attribute("g", {constant_graph("own", 9), constant_graph("b", 6)})})),
      is_refused);
  EXPECT_THAT(checked(graph_default(given, {graphs_attribute("other", {constant_graph("own", 9)})})),
              breaks_only("onnx/model/call-fits-function"));  // an attribute that the function lacks
}

TEST(Initializer, HasAName) {
  const auto with = [](const std::string& name) {
    return checked(model(graph("main", {{node("Identity", {"x"}, {"y"})},
                                        {float_tensor(name, {1}, {7})},
                                        {value_info("x", float_pair)},
                                        {value_info("y", float_pair)}})));
  };
  EXPECT_THAT(with("k"), IsEmpty());
  EXPECT_THAT(with(""), breaks_only("onnx/model/one-definition-per-name"));
}

// f passes its attribute on to inner, whose If refers to it.
TEST(Function, TakesNoListOfGraphsForABranchThroughAnotherFunction) {
  const std::string flat = graph("flat", {{node("Identity", {"a"}, {"e"})}, {}, {}, {value_info("e")}});
  const std::string choose =
      node("If", {"c"}, {"b"}, {reference_attribute("then_branch", 5, "h"), branch("else_branch", flat)});
  const FunctionParts inner{{"a", "c"}, {"b"}, {choose}, {"h"}};
  const std::string cond = node("Constant", {}, {"i"}, {int_attribute("value_int", 1)});
  const std::string cast = node("Cast", {"i"}, {"c"}, {int_attribute("to", 9)});
  const std::string passing = call("inner", {"a", "c"}, {"b"}, {reference_attribute("h", 5, "g")});
  const FunctionParts f{{"a"}, {"b"}, {cond, cast, passing}, {"g"}};
  const auto passed = [&](const std::string& attribute) {
    const std::string main = graph("main", {{call("f", {"x"}, {"y"}, {attribute})},
                                            {},
                                            {value_info("x", float_pair)},
                                            {value_info("y", tensor_type(1, {-1}))}});
    return checked(with_functions(model(main), {function("inner", inner), function("f", f)}));
  };
  const std::string own = constant_graph("own", 9);
  EXPECT_THAT(passed(branch("g", own)), IsEmpty());
  EXPECT_THAT(passed(graphs_attribute("g", {own})), breaks_only("onnx/if/both-branches-required"));
}

TEST(Function, ADefaultThatIsAGraphIsHeldToTheRules) {
  const std::string dangling = graph("d", {{node("Neg", {"nobody"}, {"t"})}, {}, {}, {value_info("t")}});
  EXPECT_THAT(checked(graph_default(dangling, {})), breaks_only("onnx/model/every-use-is-defined"));
  const std::string two = graph(
      "d",
      {{node("Identity", {"k"}, {"t"})}, {float_tensor("k", {2}, {1, 2})}, {}, {value_info("t"), value_info("t")}});
  EXPECT_THAT(checked(graph_default(two, {})), Contains(Field(&Diagnostic::rule, "onnx/if/output-count")));
}

/// A Loop of one trip whose body adds its initializer k, listed among the inputs as IR 3 demanded, to the carried x.
std::string loop_with_listed_initializer(std::int64_t ir_version, bool constant_first) {
  std::vector<std::string> inputs{value_info("trip"), value_info("again"), value_info("carried")};
  inputs.insert(constant_first ? inputs.begin() : inputs.end(), value_info("k", float_pair));
  const std::string body =
      graph("body", {{node("Identity", {"again"}, {"more"}), node("Add", {"carried", "k"}, {"next"})},
                     {float_tensor("k", {2}, {10, 20})},
                     inputs,
                     {value_info("more"), value_info("next")}});
  const std::string trips = node("Constant", {}, {"n"}, {int_attribute("value_int", 1)});
  const std::string loop = node("Loop", {"n", "", "x"}, {"y"}, {branch("body", body)});
  return model(graph("main", {{trips, loop}, {}, {value_info("x", float_pair)}, {value_info("y", float_pair)}}), 13,
               ir_version);
}

// "Subgraph initializer names must appear in the graph input list _after_ the actual inputs." (IR document, Nodes)
TEST(NestedGraph, OfIr3MayListItsInitializersAmongItsInputs) {
  EXPECT_EQ(result_of(loop_with_listed_initializer(3, false)), "float32[2] [11, 22]");
  EXPECT_THAT(checked(loop_with_listed_initializer(3, true)),
              Contains(Field(&Diagnostic::rule, "onnx/model/nested-input-is-no-initializer")));
}

TEST(NestedGraph, OfIr4HasNoInputThatIsAnInitializer) {
  EXPECT_THAT(checked(loop_with_listed_initializer(4, false)),
              breaks_only("onnx/model/nested-input-is-no-initializer"));
}

// Protobuf parsers skip a group in an unknown field.
TEST(Groups, OfUnknownFieldsAreSkipped) {
  const std::string whole = chain({});
  const std::string inside = std::string("\x08\x01\x12\x02zz\x2d", 7) + std::string(4, 'f');
  // field 5000: start 0xc3 0xb8 0x02 … end 0xc4 0xb8 0x02, with a group 1 inside
  const std::string group = "\xc3\xb8\x02" + inside + "\x0b\x0c" + "\xc4\xb8\x02";
  EXPECT_THAT(checked(whole + group), IsEmpty());
  EXPECT_THAT(checked(group + whole), IsEmpty());
}

TEST(Groups, ThatAreNotWholeOrStandForAKnownFieldAreRefused) {
  const std::string whole = chain({});
  for (const std::string group :
       {"\xc3\xb8\x02", "\xc3\xb8\x02\x0c", "\xc4\xb8\x02", "\xc3\xb8\x02\x0a\x7f", "\x0b\x0c"}) {
    EXPECT_THROW(checked(whole + group), UnreadableModel);
  }
  std::string deep;
  for (int i = 0; i < 100'000; ++i) deep += "\xc3\xb8\x02";
  EXPECT_THROW(checked(whole + deep), UnreadableModel);
}

}  // namespace
}  // namespace ifcert::onnx
