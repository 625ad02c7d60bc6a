#include "conformance/runtimes/hello.hpp"

#include <gmock/gmock.h>

#include "conformance/system/schema.hpp"
#include "conformance/testing/test_project.hpp"

namespace ifcert::conformance {
namespace {

using nlohmann::json;

const json features{{{"what", "type:int4"}, {"why", "it has none"}, {"link", "https://example.org"}}};

/// An answer to hello, without the unsupported features.
json answer() {
  return {{"hello",
           {{"protocol", 1},
            {"adapter", "engine"},
            {"runtime", {{"name", "Engine"}, {"version", "1"}, {"language", "C"}, {"home", "https://example.org"}}},
            {"formats", {"onnx"}},
            {"computes", true},
            {"threads", false}}}};
}

TEST(Hello, DeclaresUnsupportedFeaturesByEitherName) {
  const Schema schema(TestProject().project().protocol("answer.schema.json"));
  for (const char* name : {"unsupported_features", "cannot"}) {
    json hello = answer();
    hello["hello"][name] = features;
    EXPECT_EQ(schema.fault(hello), "") << name;
    AdapterIdentity identity;
    copy_declarations(hello.at("hello"), identity);
    EXPECT_EQ(identity.unsupported_features, features) << name;
  }
}

TEST(Hello, DeclaresUnsupportedFeaturesByOneName) {
  const Schema schema(TestProject().project().protocol("answer.schema.json"));
  json hello = answer();
  EXPECT_NE(schema.fault(hello), "");
  hello["hello"]["unsupported_features"] = features;
  hello["hello"]["cannot"] = features;
  EXPECT_NE(schema.fault(hello), "");
}

}  // namespace
}  // namespace ifcert::conformance
