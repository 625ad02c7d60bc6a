// Each mutant is killed by the vectors of the rule that it breaks, with the verdict that its head names; the control
// passes all.
//
// A mutant that survives shows that its rule's vectors miss something that they exist to detect.
//
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <ostream>
#include <string>
#include <vector>

#include "conformance/certify/certify.hpp"
#include "conformance/system/error.hpp"

namespace ifcert::conformance {
namespace {

namespace fs = std::filesystem;

/// The head of a mutant, above its patch.
struct Mutant {
  std::string name;
  std::string rule;  // the rule that it breaks; empty for the control
  std::string
      vectors;  // a glob of the vectors that detect it, where they do not all count for the rule, or are some of many
  std::string dies;  // how the verdict that kills it begins: "FAIL (wrong-value)", "CRASH"

  /// The vectors whose verdicts count.
  Selection selection() const {
    Selection those;
    (vectors.empty() ? those.rules : those.vectors) = {vectors.empty() ? rule : vectors};
    return those;
  }
};

/// For GoogleTest's messages.
void PrintTo(const Mutant& mutant, std::ostream* out) {
  *out << mutant.name;
}

/// The mutants whose patches are in that file, among them perhaps the control.
std::vector<Mutant> read_mutants(const fs::path& patches) {
  std::vector<Mutant> found;
  std::ifstream file(patches);
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("Mutant: ")) found.push_back({line.substr(8), {}, {}, {}});
    if (line.starts_with("Rule: ")) found.back().rule = line.substr(6);
    if (line.starts_with("Vectors: ")) found.back().vectors = line.substr(9);
    if (line.starts_with("Dies: ")) found.back().dies = line.substr(6);
  }
  for (const Mutant& mutant : found) {
    const bool control = mutant.name == "control";
    if (mutant.rule.empty() == control && mutant.dies.empty() == control) continue;
    throw Error(fmt::format(R"({}: {}: a mutant has the lines "Rule: " and "Dies: "; the control has neither)",
                            patches.string(), mutant.name));
  }
  return found;
}

std::vector<Mutant> mutants() {
  std::vector<Mutant> found;
  for (const fs::directory_entry& entry : fs::directory_iterator(IFCERT_PATCHES)) {
    if (entry.path().extension() != ".patch") continue;
    std::ranges::copy_if(read_mutants(entry.path()), std::back_inserter(found),
                         [](const Mutant& mutant) { return mutant.name != "control"; });
  }
  std::ranges::sort(found, {}, &Mutant::name);
  return found;
}

/// The reference's adapter except for what the patch changed; it also has the name "reference".
Certification certified(const std::string& name, Selection selection) {
  const fs::path program = fs::path(IFCERT_MUTANTS) / name;
  if (!fs::exists(program)) throw Error(fmt::format("{} was not built", program.string()));
  Adapter adapter;
  adapter.name = "reference";
  adapter.systems = {"onnx", "openvino", "tflite"};
  adapter.version = IFCERT_VERSION;
  adapter.command = {program.string()};
  static const Project project = find_project();
  static const Suite suite = read_suite(project);  // once: it is most of what a case takes
  CertificationOptions options;
  options.selection = std::move(selection);
  options.controls = false;  // a mutant may break more than the If
  return certify(project, suite, std::span(&adapter, 1), options);
}

class Broken : public testing::TestWithParam<Mutant> {};

TEST_P(Broken, DiesOfItsOwnRule) {
  const Mutant& mutant = GetParam();
  const Certification certification = certified(mutant.name, mutant.selection());
  std::size_t kills = 0;
  std::string verdicts;
  for (const Result& result : certification.results) {
    verdicts += fmt::format("  {:<24} {} {}\n", verdict_line(result), result.vector, result.reason);
    if (!verdict_line(result).starts_with(mutant.dies)) continue;
    if (kills++ == 0) fmt::print("killed by {}: {}: {}\n", result.vector, verdict_line(result), result.reason);
  }
  const std::string& those = mutant.vectors.empty() ? mutant.rule : mutant.vectors;
  EXPECT_GT(kills, 0U) << mutant.name << " survived: no vector of " << those << " is " << mutant.dies
                       << " on it. The results:\n"
                       << verdicts;
  fmt::print("{} of {} vectors of {} are {}\n", kills, certification.results.size(), those, mutant.dies);
}

std::string case_name(const testing::TestParamInfo<Mutant>& info) {
  std::string name = info.param.name;
  std::ranges::replace(name, '-', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Mutants, Broken, testing::ValuesIn(mutants()), case_name);

TEST(Control, PassesEveryVector) {
  const Certification certification = certified("control", {});
  EXPECT_EQ(certification.results.size(), certification.vectors.size());
  for (const Result& result : certification.results) {
    EXPECT_EQ(result.verdict, Verdict::pass)
        << result.vector << " is " << verdict_line(result) << ": " << result.reason;
  }
}

/// A second mutant of a rule dies with another verdict, or names the vectors that detect it.
TEST(Mutants, BreakNoRuleTwiceInTheSameWay) {
  std::vector<std::string> rules;
  for (const Mutant& mutant : mutants()) rules.push_back(mutant.rule + ": " + mutant.dies + mutant.vectors);
  std::ranges::sort(rules);
  for (const std::string_view system : {"onnx/", "openvino/", "tflite/"}) {
    EXPECT_GE(std::ranges::count_if(rules, [&](const std::string& rule) { return rule.starts_with(system); }), 10)
        << system;
  }
  EXPECT_EQ(std::ranges::adjacent_find(rules), rules.end()) << "two mutants break the same rule in the same way";
}

}  // namespace
}  // namespace ifcert::conformance

int main(int argc, char** argv) {
  try {
    testing::InitGoogleTest(&argc, argv);
    return RUN_ALL_TESTS();
  } catch (const std::exception& fault) {
    fmt::print(stderr, "mutants_test: {}\n", fault.what());
    return 2;
  }
}
