#include "conformance/suite/fed_tensors.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "conformance/suite/protocol_value.hpp"

namespace ifcert::conformance {
namespace {

using nlohmann::json;

constexpr std::array<std::string_view, 15> whole_bytes{"bool",   "float16", "bfloat16", "float32",   "float64",
                                                       "int8",   "int16",   "int32",    "int64",     "uint8",
                                                       "uint16", "uint32",  "uint64",   "complex64", "complex128"};

std::vector<const json*> all_runs(const json& steps) {
  std::vector<const json*> runs;
  for (const json& step : steps) {
    if (step.contains("run")) runs.push_back(&step.at("run"));
    if (!step.contains("concurrent")) continue;
    for (const json& run : step.at("concurrent").at("runs")) runs.push_back(&run);
  }
  return runs;
}

/// Whether the run feeds this, as a member of its inputs.
bool feeds(const json& run, const json& input) {
  return std::ranges::find(run.at("inputs"), input) != run.at("inputs").end();
}

std::optional<FedTensor> tensor_of(const json& input) {
  const json& value = input.at("value");
  if (value.at("kind") != "tensor" || !value.contains("data")) return std::nullopt;
  if (std::ranges::find(whole_bytes, value.at("type").get<std::string>()) == whole_bytes.end()) return std::nullopt;
  const std::optional<std::string> bytes = decode_base64(value.at("data").get<std::string>());
  if (!bytes || bytes->empty()) return std::nullopt;
  return FedTensor{.input = input.at("name"), .dims = value.at("shape"), .bytes = *bytes};
}

}  // namespace

std::vector<FedTensor> fed_alike(const json& steps) {
  const std::vector<const json*> runs = all_runs(steps);
  if (runs.empty() || std::ranges::any_of(runs, [](const json* run) { return run->at("expect").contains("refused"); }))
    return {};
  std::vector<FedTensor> alike;
  for (const json& input : runs.front()->at("inputs")) {
    if (!std::ranges::all_of(runs, [&input](const json* run) { return feeds(*run, input); })) continue;
    if (std::optional<FedTensor> tensor = tensor_of(input)) alike.push_back(std::move(*tensor));
  }
  return alike;
}

}  // namespace ifcert::conformance
