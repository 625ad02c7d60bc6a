// Runs the faulty_adapters on the tiny vectors of test_data, for tests.
#pragma once

#include <gmock/gmock.h>

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/certify/certify.hpp"
#include "conformance/system/error.hpp"
#include "conformance/testing/test_project.hpp"

namespace ifcert::conformance {

inline constexpr const char* trap = "onnx/test/negate/b-trap";
inline constexpr const char* faulty = "onnx/test/refuse/faulty";

class Runner : public testing::Test {
 protected:
  Certification certified(const std::string& script, CertificationOptions options = {}) const {
    options.limits.message = options.limits.start = patience;
    options.limits.memory = 256;
    options.limits.processes = 64;
    if (script == "hang" || script == "answers_late" || script == "ignores_sigterm")
      options.limits.message = std::chrono::milliseconds(2000);
    const Adapter adapter = project.adapter(script);
    return certify(project.project(), read_suite(project.project()), std::span(&adapter, 1), options);
  }

  /// The verdict of each vector in the manifest's order: "PASS", "FAIL (wrong-value)", …
  static std::vector<std::string> verdicts(const Certification& certification) {
    std::vector<std::string> words;
    words.reserve(certification.results.size());
    for (const Result& result : certification.results) words.push_back(verdict_line(result));
    return words;
  }

  static const Result& result_of(const Certification& certification, std::string_view vector) {
    for (const Result& result : certification.results) {
      if (result.vector == vector) return result;
    }
    throw Error("no such result");
  }

  /// The trap's result, from an adapter that lies in the trap only, once the others were seen to pass.
  Result trapped(const std::string& script) const {
    const Certification certification = certified(script);
    EXPECT_EQ(certification.results.size(), 5U);
    for (const Result& result : certification.results) {
      const char* expected = result.vector == trap ? "" : "PASS";
      EXPECT_THAT(verdict_line(result), testing::StartsWith(expected)) << result.vector << ": " << result.reason;
    }
    return result_of(certification, trap);
  }

  TestProject project;
};

}  // namespace ifcert::conformance
