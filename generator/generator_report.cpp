// usage: generator_report [FIRST [COUNT [onnx|openvino|tflite [alone]]]]
//
// Generates the models of COUNT seeds from FIRST on, examines each, and prints what was found, how often each feature
// and each oracle occurred, and how long it took. "alone" only reads, checks and runs the models. Exit code 1 where
// something was found.
#include <fmt/format.h>

#include <array>
#include <chrono>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#include "generator/features.hpp"
#include "generator/oracle.hpp"

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

}  // namespace
}  // namespace ifcert::generator

int main(int count, char** texts) {
  using namespace ifcert::generator;
  const std::vector<std::string> arguments(texts + 1, texts + count);
  const auto number = [&](std::size_t i, std::uint64_t otherwise) {
    return arguments.size() > i ? std::strtoull(arguments[i].c_str(), nullptr, 10) : otherwise;
  };
  const Settings settings = settings_for(arguments.size() > 2 ? arguments[2] : "onnx");
  const bool alone = arguments.size() > 3 && arguments[3] == "alone";
  const auto start = std::chrono::steady_clock::now();
  Report report;
  const std::uint64_t first = number(0, 0);
  for (std::uint64_t seed = first; seed < first + number(1, 1000); ++seed) examine_one(seed, settings, alone, report);
  print(report, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  return report.findings == 0 ? 0 : 1;
}
