// Edges and entries of port maps that are written twice: strict reading says so, and reading that allows it drops them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ifcert/reference.hpp>

#include "formats/openvino/ir_text.hpp"

namespace ifcert::openvino::allowed_findings {
namespace {

using namespace ir_text;
using testing::Contains;
using testing::Each;
using testing::Field;
using testing::IsEmpty;

Reading read_allowing(const std::string& xml, const AllowedRules& allowed = allowable_rules()) {
  return read_bytes(std::as_bytes(std::span(xml)), nullptr, {}, allowed);
}

/// y = cond ? -x : x
std::string choice(const std::string& then_map = in("1", "0") + out("2", "2"),
                   const Texts& then_edges = {edge(0, 0, 1, 0), edge(1, 1, 2, 0)}) {
  return model({.inputs = 2,
                .outputs = {"FP32"},
                .then_map = then_map,
                .else_map = in("1", "0") + out("2", "1"),
                .then_body = network({parameter(0, "f32", "2"), operation(1, "Negative", 1), result(2)}, then_edges),
                .else_body = network({parameter(0, "f32", "2"), result(1)}, {edge(0, 0, 1, 0)})},
               {{"boolean", ""}, {"f32", "2"}});
}

std::string result_of(Reading reading) {
  const std::vector<Diagnostic> broken = errors_in(check(reading));
  if (!broken.empty()) return to_string(broken.front());
  const std::uint8_t yes = 1;
  const std::vector<float> x{1, -2};
  const Program program(std::move(reading.model));
  const std::vector<Value> inputs{make_tensor<std::uint8_t>(ElementType::boolean, {}, {&yes, 1}),
                                  make_tensor<float>(ElementType::float32, {2}, x)};
  return to_string(program.run(inputs).front());
}

void expect_mended(const std::string& xml, std::string_view rule) {
  const Reading strict = read(xml);
  EXPECT_THAT(strict.broken, Contains(Field(&Diagnostic::rule, rule)));
  EXPECT_THAT(strict.broken, Each(Field(&Diagnostic::allowable, true)));
  const Reading allowed = read_allowing(xml);
  EXPECT_EQ(allowed.allowed, strict.broken);
  EXPECT_EQ(result_of(read_allowing(xml)), "float32[2] [-1, 2]");
  ASSERT_NE(allowed.mended, nullptr);
  EXPECT_EQ(*allowed.mended, choice());
  EXPECT_THAT(check(read(*allowed.mended)), IsEmpty());
}

void expect_left(const std::string& xml, std::string_view rule) {
  const Reading reading = read_allowing(xml);
  EXPECT_THAT(reading.broken,
              Contains(testing::AllOf(Field(&Diagnostic::rule, rule), Field(&Diagnostic::allowable, false))));
}

TEST(AllowedInIr, AnEdgeThatIsWrittenTwiceIsDropped) {
  const std::string first = edge(0, 0, 1, 0);
  const std::string second = edge(1, 1, 2, 0);
  expect_mended(choice(in("1", "0") + out("2", "2"), {first, second, first, first}),
                "openvino/ir/inputs-have-one-edge");
  expect_left(choice(in("1", "0") + out("2", "2"), {first, second, edge(0, 0, 2, 0)}),
              "openvino/ir/inputs-have-one-edge");
}

TEST(AllowedInIr, AnEntryOfAPortMapThatIsWrittenTwiceIsDropped) {
  expect_mended(choice(in("1", "0") + in("1", "0") + out("2", "2")), "openvino/if/every-parameter-mapped");
  expect_left(choice(in("1", "0") + in("0", "0") + out("2", "2")), "openvino/if/every-parameter-mapped");
  expect_mended(choice(in("1", "0") + out("2", "2") + out("2", "2")), "openvino/if/every-output-mapped");
  expect_mended(choice(in("1", "0") + out("2", "2") + out("2", "2")), "openvino/if/one-result-one-output");
}

TEST(AllowedInIr, TheTextIsKeptAsItIs) {
  const std::string comment = "<!-- a <comment> & a \"quote\" -->\n  <?tool keeps this?>";
  const std::string first = edge(0, 0, 1, 0);
  const auto with = [&](const Texts& edges) {
    return replaced(choice(in("1", "0") + out("2", "2"), edges), "<then_body>", comment + "<then_body>");
  };
  EXPECT_EQ(*read_allowing(with({first, first, edge(1, 1, 2, 0)})).mended, with({first, edge(1, 1, 2, 0)}));
}

}  // namespace
}  // namespace ifcert::openvino::allowed_findings
