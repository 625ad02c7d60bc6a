// The main graph's inputs and outputs have types, whatever their kind; those of nested graphs need none.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ifcert/reference.hpp>

#include "formats/onnx/file_builder.hpp"

namespace ifcert::onnx {
namespace {

using namespace file_builder;
using testing::AllOf;
using testing::ElementsAre;
using testing::Field;
using testing::IsEmpty;

/// y = Identity(x), with these types in the file.
std::vector<Diagnostic> checked_types(const std::string& input, const std::string& output) {
  return check(read(model(
      graph("main", {{node("Identity", {"x"}, {"y"})}, {}, {value_info("x", input)}, {value_info("y", output)}}))));
}

auto finds(const std::string& place, const std::string& found) {
  return ElementsAre(AllOf(Field(&Diagnostic::rule, "onnx/model/main-graph-has-types"),
                           Field(&Diagnostic::place, place), Field(&Diagnostic::found, found)));
}

/// A sequence or an optional; without an item type if `item` is empty.
std::string list_type(protozero::pbf_tag_type kind, const std::string& item) {
  const std::string list = message([&](pbf_writer& w) {
    if (!item.empty()) w.add_message(fields::TypeProtoSequence::elem_type, item);
  });
  return message([&](pbf_writer& w) { w.add_message(kind, list); });
}

const std::string no_element = tensor_type(0, {2});

// "Each main (top-level) graph MUST define the names, types and shapes of its inputs and outputs" (IR document, Graphs)
TEST(MainGraph, HasTypes) {
  EXPECT_THAT(checked_types(float_pair, float_pair), IsEmpty());
  EXPECT_THAT(checked_types("", float_pair), finds("graph \"main\" / input 0", "\"x\" has no type"));
  EXPECT_THAT(checked_types(float_pair, ""), finds("graph \"main\" / output 0", "\"y\" has no type"));
  EXPECT_THAT(checked_types(no_element, float_pair), finds("graph \"main\" / input 0", "\"x\" has no element type"));
  EXPECT_THAT(checked_types(float_pair, no_element), finds("graph \"main\" / output 0", "\"y\" has no element type"));
}

TEST(MainGraph, HasTypesOfSequencesAndOptionals) {
  for (const protozero::pbf_tag_type kind : {fields::TypeProto::sequence_type, fields::TypeProto::optional_type}) {
    const std::string whole = list_type(kind, float_pair);
    EXPECT_THAT(checked_types(whole, whole), IsEmpty());
    for (const std::string& item : {std::string(), no_element, list_type(kind, "")}) {
      EXPECT_THAT(checked_types(list_type(kind, item), whole),
                  testing::Contains(Field(&Diagnostic::found, "\"x\" has no element type")));
    }
  }
}

// "Nested subgraphs […] MAY define the types of its inputs and outputs" (IR document, Graphs)
TEST(NestedGraph, NeedsNoTypes) {
  const auto copy = [](const std::string& name, const std::string& out) {
    return graph(name, {{node("Identity", {"x"}, {out})}, {}, {}, {value_info(out)}});
  };
  const std::string choose =
      node("If", {"cond"}, {"y"}, {branch("then_branch", copy("then", "t")), branch("else_branch", copy("else", "e"))});
  EXPECT_THAT(check(read(model(graph("main", {{choose},
                                              {},
                                              {value_info("cond", bool_scalar), value_info("x", float_pair)},
                                              {value_info("y", float_pair)}})))),
              IsEmpty());
}

}  // namespace
}  // namespace ifcert::onnx
