// ctest -L conformance: a case per adapter and rule, all cases of an adapter in one process. A case passes if the
// rule's results are exactly as the adapter's list of known failures has them.
//
// IFCERT_RESULTS names a folder with the results of each adapter, ADAPTER/results.jsonl, which ctest's fixtures write.
// IFCERT_CONFORMANCE_ADAPTERS (names separated by commas) replaces the adapters that the program was built for.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <map>
#include <ostream>
#include <set>
#include <span>
#include <utility>

#include "conformance/certify/known_failures.hpp"
#include "conformance/results/results_file.hpp"
#include "conformance/runtimes/read_adapter.hpp"
#include "conformance/suite/suite.hpp"
#include "conformance/system/error.hpp"

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

/// Names the cases; nobody needs the vectors' files here.
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

/// An adapter's results, which are read once for all its rules.
const Certification& certification_of(const std::string& adapter) {
  static std::map<std::string, Certification> read;
  if (const auto found = read.find(adapter); found != read.end()) return found->second;
  const std::filesystem::path folder = setting("IFCERT_RESULTS", "");
  if (folder.empty()) throw Error("IFCERT_RESULTS is not set; expected the folder with the results of each adapter");
  const std::filesystem::path file = folder / adapter / "results.jsonl";
  Certification stored = read_results(project(), file);
  if (stored.manifest_digest != manifest().digest) {
    throw Error(fmt::format("{} belongs to other vectors: its manifest has the digest {}; this one has {}",
                            file.string(), stored.manifest_digest, manifest().digest));
  }
  return read.emplace(adapter, std::move(stored)).first->second;
}

std::vector<Result> results_of(const Case& tested) {
  const Certification& stored = certification_of(tested.adapter);
  std::vector<Result> results;
  std::ranges::copy_if(stored.results, std::back_inserter(results), [&tested](const Result& result) {
    return result.adapter == tested.adapter && result.rule == tested.rule;
  });
  return results;
}

class Rule : public testing::TestWithParam<Case> {};

TEST_P(Rule, Holds) {
  const KnownFailures list = read_known_failures(project(), GetParam().adapter, manifest());
  Certification certification;
  certification.results = results_of(GetParam());
  const auto expected = std::ranges::count_if(
      manifest().vectors, [](const Vector& vector) { return vector.summary.rule == GetParam().rule; });
  ASSERT_EQ(std::ssize(certification.results), expected);
  compare_with_lists(std::span(&list, 1), certification);
  for (const ListBreach& breach : certification.breaches) {
    ADD_FAILURE() << to_string(breach.kind) << ": " << breach.vector << " on " << breach.adapter << ": "
                  << breach.message;
  }
  for (const Result& result : certification.results) {
    const bool judged = result.verdict != Verdict::harness && result.verdict != Verdict::not_run;
    EXPECT_TRUE(judged) << result.vector << " is " << verdict_line(result) << ": " << result.reason;
  }
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
    const int status = RUN_ALL_TESTS();
    if (testing::UnitTest::GetInstance()->test_to_run_count() > 0) return status;
    fmt::print(stderr, "conformance_test: no adapter and rule match the filter\n");
    return 2;
  } catch (const std::exception& fault) {
    fmt::print(stderr, "conformance_test: {}\n", fault.what());
    return 2;
  }
}
