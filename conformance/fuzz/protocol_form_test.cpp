#include "conformance/suite/protocol_form.hpp"

#include <gtest/gtest.h>

#include <ifcert/reference.hpp>

#include "conformance/fuzz/fuzz_case.hpp"
#include "conformance/suite/protocol_value.hpp"
#include "conformance/system/error.hpp"

namespace ifcert::conformance {
namespace {

TEST(ProtocolForm, BytesComeBackFromBase64) {
  for (const std::string& bytes : {std::string(), std::string("f"), std::string("fo"), std::string("\0\xff\n", 3)})
    EXPECT_EQ(decode_base64(encode_base64(bytes)), bytes);
}

TEST(ProtocolForm, InputsOfGeneratedModelsComeBack) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    for (const std::vector<Value>& run : generator::generate(seed).runs) {
      for (const Value& value : run) {
        if (!value.empty()) {
          EXPECT_TRUE(same_bits(value, value_from_protocol(protocol_form(value)))) << "seed " << seed;
        }
      }
    }
  }
}

TEST(ProtocolForm, SequencesAndOptionalsComeBack) {
  const Value text = make_strings({2}, {"a", ""});
  const Type item = Type::tensor(ElementType::string);
  for (const Value& value :
       {Value(Sequence{item, {text, text}}), Value(Sequence{item, {}}), Value(Optional{item, text}),
        Value(Optional{item, {}}), Value(Optional{Type::sequence_of(item), Sequence{item, {text}}})})
    EXPECT_TRUE(same_bits(value, value_from_protocol(protocol_form(value)))) << to_string(value);
  nlohmann::json open = protocol_form(Sequence{item, {text}});
  open["of"] = nullptr;
  EXPECT_EQ(kind_text(type_of(value_from_protocol(open))), "seq(tensor(string))");
  EXPECT_THROW(value_from_protocol({{"kind", "other"}, {"is", "a map"}}), Error);
}

TEST(ProtocolForm, EveryValueOfACaseIsWellFormed) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    for (const FuzzCase& each : cases_of(seed, Format::onnx, {.relations = true}).cases) {
      for (const auto& step : each.vector.summary.steps) {
        if (!step.contains("run") || !step.at("run").at("expect").contains("outputs")) continue;
        for (const auto& output : step.at("run").at("expect").at("outputs"))
          EXPECT_EQ(contradiction(output.at("value")), "") << each.vector.summary.id;
      }
    }
  }
}

TEST(ProtocolForm, ATensorThatContradictsItselfIsRefused) {
  const nlohmann::json tensor{{"kind", "tensor"}, {"type", "int64"}, {"shape", {2}}, {"data", encode_base64("1234")}};
  EXPECT_THROW(value_from_protocol(tensor), Error);
}

TEST(FuzzCase, ASeedDeterminesItsCases) {
  for (const Format format : {Format::onnx, Format::openvino, Format::tflite}) {
    const SeedCases once = cases_of(11, format, {.relations = true, .invalid_percent = 100});
    const SeedCases again = cases_of(11, format, {.relations = true, .invalid_percent = 100});
    ASSERT_EQ(once.cases.size(), again.cases.size());
    EXPECT_EQ(once.troubles, std::vector<std::string>());
    for (std::size_t i = 0; i < once.cases.size(); ++i) {
      EXPECT_EQ(once.cases[i].vector.files.bytes, again.cases[i].vector.files.bytes);
      EXPECT_EQ(once.cases[i].vector.summary.steps, again.cases[i].vector.summary.steps);
    }
  }
}

TEST(FuzzCase, AnyOfThemCanBeMadeAlone) {
  for (const FuzzCase& each : cases_of(11, Format::onnx, {.relations = true, .invalid_percent = 100}).cases)
    EXPECT_EQ(case_of(11, Format::onnx, each.kind).vector.files.bytes, each.vector.files.bytes) << each.kind;
}

}  // namespace
}  // namespace ifcert::conformance
