// ctest -L conformance: a case per adapter and rule. It passes when the rule's results are exactly as the adapter's
// list of known failures says.
//
// IFCERT_RESULTS names a folder with a results.jsonl per adapter, which ctest's fixtures write. Without it each case
// certifies its rule. IFCERT_CONFORMANCE_ADAPTERS (names separated by commas) replaces the adapters that the program
// was built for.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <ostream>
#include <set>
#include <span>

#include "conformance/certify.hpp"
#include "conformance/environment.hpp"
#include "conformance/error.hpp"
#include "conformance/known_failures.hpp"
#include "conformance/results_file.hpp"

namespace ifcert::conformance {
namespace {

struct Case {
  std::string adapter, rule;
};

/// For GoogleTest's messages.
void PrintTo(const Case& tested, std::ostream* out) {
  *out << tested.adapter << " " << tested.rule;
}

std::string setting(const char* name, const char* otherwise) {
  const char* value = std::getenv(name);
  return value == nullptr ? otherwise : value;
}

const Project& project() {
  static const Project found = find_project();
  return found;
}

/// Names the cases. The vectors' files are read only where they are certified; ctest's fixtures have done that.
const Suite& manifest() {
  static const Suite read = read_manifest(project());
  return read;
}

std::vector<std::string> adapters() {
  const std::string list = setting("IFCERT_CONFORMANCE_ADAPTERS", IFCERT_CONFORMANCE_ADAPTERS);
  std::vector<std::string> names;
  for (std::size_t at = 0; at < list.size();) {
    const std::size_t end = std::min(list.find(',', at), list.size());
    names.push_back(list.substr(at, end - at));
    at = end + 1;
  }
  return names;
}

/// Every rule of a system that has vectors, for every adapter of that system.
std::vector<Case> cases_of(const std::string& system) {
  std::set<std::string> rules;
  for (const Vector& vector : manifest().vectors) {
    if (vector.summary.system == system) rules.insert(vector.summary.rule);
  }
  std::vector<Case> cases;
  for (const std::string& name : adapters()) {
    const Adapter adapter = read_adapter(project(), name);
    if (std::ranges::find(adapter.systems, system) == adapter.systems.end()) continue;
    for (const std::string& rule : rules) cases.push_back({name, rule});
  }
  return cases;
}

/// As `ifcert certify ADAPTER --rule RULE` does it, for a program that was started by hand.
std::vector<Result> certified(const Case& tested, const KnownFailures& list) {
  static const Suite suite = read_suite(project());
  const Adapter adapter = read_adapter(project(), tested.adapter);
  require_installed(project(), adapter);
  Order order;
  order.selection.rules = {tested.rule};
  order.known_failures = std::span(&list, 1);
  return certify(project(), suite, std::span(&adapter, 1), order).results;
}

std::vector<Result> stored_results_of(const Case& tested, const std::filesystem::path& folder) {
  const std::filesystem::path file = folder / tested.adapter / "results.jsonl";
  const Certification stored = read_results(project(), file);
  if (stored.manifest_digest != manifest().digest) {
    throw Error(fmt::format("{} belongs to other vectors: its manifest has the digest {}; this one has {}",
                            file.string(), stored.manifest_digest, manifest().digest));
  }
  std::vector<Result> results;
  std::ranges::copy_if(stored.results, std::back_inserter(results), [&tested](const Result& result) {
    return result.adapter == tested.adapter && result.rule == tested.rule;
  });
  return results;
}

std::vector<Result> results_of(const Case& tested, const KnownFailures& list) {
  const std::string folder = setting("IFCERT_RESULTS", "");
  return folder.empty() ? certified(tested, list) : stored_results_of(tested, folder);
}

class Rule : public testing::TestWithParam<Case> {};

TEST_P(Rule, Holds) {
  const KnownFailures list = read_known_failures(project(), GetParam().adapter, manifest());
  Certification certification;
  certification.results = results_of(GetParam(), list);
  const auto expected = std::ranges::count_if(
      manifest().vectors, [](const Vector& vector) { return vector.summary.rule == GetParam().rule; });
  ASSERT_EQ(std::ssize(certification.results), expected);
  hold_against(std::span(&list, 1), certification);
  for (const ListBreach& breach : certification.breaches) {
    ADD_FAILURE() << to_string(breach.kind) << ": " << breach.vector << " on " << breach.adapter << ": "
                  << breach.message;
  }
  int known = 0;
  for (const Result& result : certification.results) {
    const bool judged = result.verdict != Verdict::harness && result.verdict != Verdict::not_run;
    EXPECT_TRUE(judged) << result.vector << " is " << verdict_line(result) << ": " << result.reason;
    if (!result.known) continue;
    ++known;
    fmt::print("known failure: {} is {}: {} ({})\n", result.vector, verdict_line(result), result.reason, result.link);
  }
  RecordProperty("known_failures", known);
}

std::string case_name(const testing::TestParamInfo<Case>& info) {
  std::string name = fmt::format("{}__{}", info.param.adapter, info.param.rule);
  std::ranges::replace_if(
      name, [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Onnx, Rule, testing::ValuesIn(cases_of("onnx")), case_name);
INSTANTIATE_TEST_SUITE_P(OpenVino, Rule, testing::ValuesIn(cases_of("openvino")), case_name);
INSTANTIATE_TEST_SUITE_P(TfLite, Rule, testing::ValuesIn(cases_of("tflite")), case_name);

}  // namespace
}  // namespace ifcert::conformance

int main(int argc, char** argv) {
  try {
    testing::InitGoogleTest(&argc, argv);
    return RUN_ALL_TESTS();
  } catch (const std::exception& fault) {
    fmt::print(stderr, "conformance_test: {}\n", fault.what());
    return 2;
  }
}
