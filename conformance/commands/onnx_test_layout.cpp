#include "conformance/commands/onnx_test_layout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <ifcert/reference.hpp>

#include "conformance/commands/onnx_value.hpp"
#include "conformance/suite/main_inputs.hpp"
#include "conformance/system/error.hpp"
#include "conformance/system/file.hpp"

namespace ifcert::conformance {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

std::string unfit(const json& step) {
  if (step.contains("reread")) return "reads outputs again";
  if (step.contains("concurrent")) return "runs concurrently";
  const json& body = step.contains("load") ? step.at("load") : step.at("run");
  if (body.value("hold", false)) return "holds outputs";
  if (body.at("expect").contains("either")) return "may be refused";
  return body.at("expect").contains("refused") ? "must be refused" : "";
}

void write_values(const fs::path& folder, const char* kind, const std::vector<std::string>& names, const json& values) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto named = std::ranges::find_if(values, [&](const json& each) { return each.at("name") == names[i]; });
    if (named == values.end()) throw Error(fmt::format("{} has no value for {}", folder.string(), names[i]));
    replace_file(folder / fmt::format("{}_{}.pb", kind, i), onnx_bytes(names[i], named->at("value")));
  }
}

std::vector<std::string> input_names_of(const Vector& vector) {
  std::vector<std::string> names;
  for (const SlotInfo& input : main_inputs(read_model(vector.summary.model).model)) names.push_back(input.name);
  return names;
}

}  // namespace

std::string backend_test_name(const Vector& vector) {
  std::string name = "test_" + vector.summary.id;
  std::ranges::replace_if(
      name, [](unsigned char letter) { return std::isalnum(letter) == 0; }, '_');
  return name;
}

std::string unfit_for_backend_test(const Vector& vector) {
  if (vector.summary.system != "onnx") return "has another format";
  for (const json& step : vector.summary.steps) {
    if (std::string why = unfit(step); !why.empty()) return why;
  }
  if (vector.summary.steps.size() == 1) return "is only loaded";
  const std::size_t inputs = input_names_of(vector).size();
  for (const json& step : vector.summary.steps) {
    if (step.contains("run") && step.at("run").at("inputs").size() != inputs) return "leaves an input out";
  }
  return "";
}

void write_backend_test(const Vector& vector, const fs::path& folder) {
  fs::create_directories(folder);
  for (const auto& [name, bytes] : vector.files.bytes) {
    if (*name.begin() != "..") replace_file(folder / name, bytes);
  }
  // The vectors' values are exact; by default the package would tolerate a thousandth.
  replace_file(folder / "data.json", R"({"rtol": 0, "atol": 0})"
                                     "\n");
  const std::vector<std::string> inputs = input_names_of(vector);
  std::size_t run = 0;
  for (const json& step : vector.summary.steps) {
    if (!step.contains("run")) continue;
    const fs::path data = folder / fmt::format("test_data_set_{}", run++);
    const json& outputs = step.at("run").at("expect").at("outputs");
    std::vector<std::string> output_names;
    for (const json& output : outputs) output_names.push_back(output.at("name").get<std::string>());
    write_values(data, "input", inputs, step.at("run").at("inputs"));
    write_values(data, "output", output_names, outputs);
  }
}

}  // namespace ifcert::conformance
