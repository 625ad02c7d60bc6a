// usage: generator_report [FIRST [COUNT [onnx|openvino|tflite [alone]]]]
//        generator_report mix [FIRST [COUNT]]
//        generator_report pairs [FIRST [COUNT]]
//
// "mix" prints a table of the features, in per cent of the models that are made for each format. "pairs" prints, for
// each format, how many pairs of features are together in a model, and each pair that is not: exit code 1. Otherwise:
// generates the models of COUNT seeds from FIRST on, examines each, and prints what was found, how often each feature
// and each oracle occurred, and how long it took. "alone" only reads, checks and runs the models. Exit code 1 where
// something was found.
#include <fmt/format.h>

#include <array>
#include <chrono>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#include "conformance/fuzz/generator/features.hpp"
#include "conformance/fuzz/generator/oracle.hpp"
#include "conformance/fuzz/generator/pairs.hpp"

namespace ifcert::generator {
namespace {

Settings settings_for(const std::string& name) {
  Settings settings;
  if (name == "openvino") settings.format = Format::openvino;
  if (name == "tflite") settings.format = Format::tflite;
  return settings;
}

struct Report {
  std::size_t models = 0;
  std::size_t findings = 0;
  std::array<std::size_t, feature_names.size()> features = {};
  std::map<std::string, std::size_t> oracles;
};

void examine_one(std::uint64_t seed, const Settings& settings, bool alone, Report& report) {
  const Generated generated = generate(seed, settings);
  ++report.models;
  Examination examination;
  if (alone) {
    examination.findings = examine_alone(generated);
  } else {
    examination = examine(generated, seed);
    const Features features = features_of(generated);
    for (std::size_t i = 0; i < features.size(); ++i) report.features[i] += features[i] ? 1 : 0;
  }
  for (const std::string& oracle : examination.applied) ++report.oracles[oracle];
  for (const Finding& finding : examination.findings) {
    ++report.findings;
    fmt::print("seed {}: {}: {}\n", seed, finding.oracle, finding.message);
  }
}

double percent(std::size_t part, std::size_t whole) {
  return 100.0 * static_cast<double>(part) / static_cast<double>(whole);
}

void print(const Report& report, double seconds) {
  for (std::size_t i = 0; i < report.features.size(); ++i) {
    if (report.features[i] > 0)
      fmt::print("{:6.1f} % {}\n", percent(report.features[i], report.models), feature_names[i]);
  }
  for (const auto& [oracle, count] : report.oracles)
    fmt::print("{:6.1f} % {}\n", percent(count, report.models), oracle);
  fmt::print("{} models in {:.1f} s ({:.0f} a second), {} findings\n", report.models, seconds,
             static_cast<double>(report.models) / seconds, report.findings);
}

/// Whether no pair is missing.
bool print_pairs(std::uint64_t first, std::uint64_t count) {
  bool complete = true;
  for (const char* name : {"onnx", "openvino", "tflite"}) {
    const Settings settings = settings_for(name);
    Pairs pairs;
    for (std::uint64_t seed = first; seed < first + count; ++seed) pairs.add(features_of(generate(seed, settings)));
    const std::vector<Pair> missing = missing_pairs(pairs, settings.format);
    const std::size_t possible = possible_pairs(settings.format).size();
    fmt::print("{}: {} of {} pairs of features in {} models\n", name, possible - missing.size(), possible, count);
    for (const auto& [one, other] : missing)
      fmt::print("  missing: {} + {}\n", feature_names[one], feature_names[other]);
    complete = complete && missing.empty();
  }
  return complete;
}

/// As docs/fuzzing.md has it; a feature that none of the models has is marked.
void print_mix(std::uint64_t first, std::uint64_t count) {
  std::vector<std::array<std::size_t, feature_names.size()>> counts;
  for (const char* name : {"onnx", "openvino", "tflite"}) {
    counts.emplace_back();
    for (std::uint64_t seed = first; seed < first + count; ++seed) {
      const Features features = features_of(generate(seed, settings_for(name)));
      for (std::size_t i = 0; i < features.size(); ++i) counts.back()[i] += features[i] ? 1 : 0;
    }
  }
  fmt::print("| feature | ONNX | OpenVINO IR | TensorFlow Lite |\n|---|--:|--:|--:|\n");
  for (std::size_t i = 0; i < feature_names.size(); ++i) {
    fmt::print("| {} |", feature_names[i]);
    for (const auto& of_format : counts)
      fmt::print(" {} |", of_format[i] == 0 ? "–" : fmt::format("{:.1f}", percent(of_format[i], count)));
    fmt::print("\n");
  }
}

}  // namespace
}  // namespace ifcert::generator

int main(int count, char** texts) {
  using namespace ifcert::generator;
  const std::vector<std::string> arguments(texts + 1, texts + count);
  const auto number = [&](std::size_t i, std::uint64_t otherwise) {
    return arguments.size() > i ? std::strtoull(arguments[i].c_str(), nullptr, 10) : otherwise;
  };
  if (!arguments.empty() && arguments[0] == "mix") {
    print_mix(number(1, 0), number(2, 1000));
    return 0;
  }
  if (!arguments.empty() && arguments[0] == "pairs") return print_pairs(number(1, 0), number(2, 10'000)) ? 0 : 1;
  const Settings settings = settings_for(arguments.size() > 2 ? arguments[2] : "onnx");
  const bool alone = arguments.size() > 3 && arguments[3] == "alone";
  const auto start = std::chrono::steady_clock::now();
  Report report;
  const std::uint64_t first = number(0, 0);
  for (std::uint64_t seed = first; seed < first + number(1, 1000); ++seed) examine_one(seed, settings, alone, report);
  print(report, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  return report.findings == 0 ? 0 : 1;
}
