// ctest -L conformance: a case per adapter and rule. It passes when the rule's results are exactly as the adapter's
// list of known failures says.
//
// IFCERT_RESULTS names a folder with a results.jsonl per adapter, which ctest's fixtures write. Without it the program
// certifies the rule itself, with one process per adapter for all cases. IFCERT_CONFORMANCE_ADAPTERS (names between
// commas) replaces the adapters that it was built for.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <memory>
#include <ostream>
#include <set>

#include "conformance/environment.hpp"
#include "conformance/error.hpp"
#include "conformance/known_failures.hpp"
#include "conformance/results_file.hpp"
#include "conformance/trial.hpp"
#include "conformance/twins.hpp"

namespace ifcert::conformance {
namespace {

struct Case {
  std::string adapter, rule;
};

/// For GoogleTest's messages.
void PrintTo(const Case& asked, std::ostream* out) {
  *out << asked.adapter << " " << asked.rule;
}

std::string setting(const char* name, const char* otherwise) {
  const char* value = std::getenv(name);
  return value == nullptr ? otherwise : value;
}

const Project& project() {
  static const Project found = find_project();
  return found;
}

/// What the cases are about. Their files are read where they are certified, which ctest's fixtures have done.
const Suite& manifest() {
  static const Suite read = read_manifest(project());
  return read;
}

std::vector<const Vector*> vectors_of(const Suite& suite, const std::string& rule) {
  std::vector<const Vector*> vectors;
  for (const Vector& vector : suite.vectors) {
    if (vector.summary.rule == rule) vectors.push_back(&vector);
  }
  return vectors;
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

/// Adapters at work, for a program that was started by hand.
class Sessions {
 public:
  std::vector<Result> results_of(const Case& asked) {
    Session& session = session_of(asked.adapter);
    std::vector<Trial> trials;
    std::set<std::string> tried;
    for (const Vector* vector : vectors_of(suite_, asked.rule)) {
      for (const Vector* one : {vector, suite_.find(vector->summary.twin)}) {
        if (one != nullptr && tried.insert(one->summary.id).second) trials.push_back(try_vector(session, *one));
      }
    }
    settle_twins(trials, session.identity().computes);
    std::vector<Result> results;
    for (Trial& trial : trials) {
      if (trial.result.rule == asked.rule) results.push_back(std::move(trial.result));
    }
    return results;
  }

 private:
  struct Running {
    Adapter adapter;
    std::unique_ptr<Session> session{};
  };

  Session& session_of(const std::string& name) {
    std::unique_ptr<Running>& running = running_[name];
    if (!running) {
      running = std::make_unique<Running>(Running{read_adapter(project(), name)});
      require_installed(project(), running->adapter);
      running->session = std::make_unique<Session>(project(), running->adapter, answers_, Limits{});
    }
    return *running->session;
  }

  Suite suite_ = read_suite(project());
  Schema answers_{project().protocol("answer.schema.json")};
  std::map<std::string, std::unique_ptr<Running>> running_;
};

std::vector<Result> stored_results_of(const Case& asked, const std::filesystem::path& folder) {
  const std::filesystem::path file = folder / asked.adapter / "results.jsonl";
  const Certification stored = read_results(project(), file);
  if (stored.manifest_digest != manifest().digest) {
    throw Error(fmt::format("{} is of other vectors: its manifest has the digest {}, this one {}", file.string(),
                            stored.manifest_digest, manifest().digest));
  }
  std::vector<Result> results;
  std::ranges::copy_if(stored.results, std::back_inserter(results), [&asked](const Result& result) {
    return result.adapter == asked.adapter && result.rule == asked.rule;
  });
  return results;
}

std::vector<Result> results_of(const Case& asked) {
  static std::unique_ptr<Sessions> sessions;
  if (const std::string folder = setting("IFCERT_RESULTS", ""); !folder.empty())
    return stored_results_of(asked, folder);
  if (!sessions) sessions = std::make_unique<Sessions>();
  return sessions->results_of(asked);
}

class Rule : public testing::TestWithParam<Case> {};

TEST_P(Rule, Holds) {
  Certification certification;
  certification.results = results_of(GetParam());
  ASSERT_EQ(certification.results.size(), vectors_of(manifest(), GetParam().rule).size());
  const KnownFailures list = read_known_failures(project(), GetParam().adapter, manifest());
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
