#include "conformance/fuzz/plain_script.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ifcert::conformance {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

Showing showing(const std::string& type, const std::string& data) {
  const json value{{"kind", "tensor"}, {"type", type}, {"shape", {1}}, {"data", data}};
  return {.headline = "A runtime: FAIL\nforged", .model = "model.onnx", .inputs = {{{"name", "x"}, {"value", value}}}};
}

TEST(PlainScript, HasTheBytesOfTheInputs) {
  const auto script = plain_script(showing("float32", "AADAfw=="), "onnxruntime");
  ASSERT_TRUE(script);
  EXPECT_THAT(*script, HasSubstr(R"("x": np.frombuffer(bytes.fromhex("0000c07f"), "float32").reshape((1,)),  # nan)"));
  EXPECT_THAT(*script, HasSubstr("onnxruntime.InferenceSession("));
  EXPECT_THAT(*script, Not(HasSubstr("DISABLE_ALL")));
  EXPECT_THAT(*script, Not(HasSubstr("\nforged"))) << "a message is not a line of Python";
}

TEST(PlainScript, SwitchesTheOptimisationOff) {
  EXPECT_THAT(*plain_script(showing("int64", "AQAAAAAAAAA="), "onnxruntime-noopt"), HasSubstr("ORT_DISABLE_ALL"));
}

TEST(PlainScript, IsThereForOpenVinoToo) {
  EXPECT_THAT(*plain_script(showing("int64", "AQAAAAAAAAA="), "openvino-ir"), HasSubstr("compile_model"));
}

TEST(PlainScript, IsNotThereWhereNumpyLacksTheTypeOrTheRuntimeIsUnknown) {
  EXPECT_FALSE(plain_script(showing("bfloat16", "gD8="), "onnxruntime"));
  EXPECT_FALSE(plain_script(showing("int64", "AQAAAAAAAAA="), "litert"));
}

}  // namespace
}  // namespace ifcert::conformance
