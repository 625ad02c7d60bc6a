#include "conformance/reproduce/script_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <set>
#include <string_view>

#include "conformance/reproduce/python_values.hpp"
#include "conformance/system/compressed.hpp"

namespace ifcert::conformance {
namespace {

using nlohmann::json;

constexpr std::size_t most_packed = 48UL * 1024;  // base64 of files that the script contains; larger ones stay outside

/// Whether a step may be refused, and the text names a type that numpy lacks.
bool may_return_what_numpy_lacks(const json& steps, const std::string& model_text) {
  static constexpr std::array<std::string_view, 5> lacking{"bfloat16", "float8", "float4", "int4", "int2"};
  const bool refuses = std::ranges::any_of(steps, [](const json& step) {
    return std::ranges::any_of(parts_of(step), [](const json& part) {
      return std::ranges::any_of(alternatives_of(part.at("expect")),
                                 [](const json& outcome) { return outcome.contains("refused"); });
    });
  });
  return refuses && std::ranges::any_of(
                        lacking, [&](std::string_view type) { return model_text.find(type) != std::string::npos; });
}

void add_values(const json& named, std::vector<json>& values) {
  for (const json& each : named) values.push_back(each.at("value"));
}

std::string inside(const char* folder, const std::filesystem::path& name) {
  return name.empty() ? folder : fmt::format("os.path.join({}, {})", folder, python_text(name.string()));
}

}  // namespace

std::vector<json> parts_of(const json& step) {
  if (step.contains("concurrent")) return step.at("concurrent").at("runs").get<std::vector<json>>();
  return {step.begin().value()};
}

std::vector<json> alternatives_of(const json& expected) {
  if (!expected.contains("either")) return {expected};
  return expected.at("either").get<std::vector<json>>();
}

std::vector<json> values_in(const json& steps) {
  std::vector<json> values;
  for (const json& step : steps) {
    for (const json& part : parts_of(step)) {
      if (part.contains("inputs")) add_values(part.at("inputs"), values);
      for (const json& outcome : alternatives_of(part.at("expect"))) {
        if (outcome.contains("outputs")) add_values(outcome.at("outputs"), values);
      }
    }
  }
  return values;
}

bool are_all_arrays(const json& steps, const std::string& model_text) {
  return std::ranges::all_of(values_in(steps), is_array) && !may_return_what_numpy_lacks(steps, model_text);
}

bool are_all_plain(const json& steps, const std::string& model_text) {
  return std::ranges::all_of(values_in(steps), is_plain) && !may_return_what_numpy_lacks(steps, model_text);
}

const json* unboxed(const json& value) {
  const json* inner = &value;
  while (inner->at("kind") == "optional") {
    if (!inner->contains("value")) return nullptr;
    inner = &inner->at("value");
  }
  return inner;
}

bool fit_a_script(const ModelFiles& files) {
  return std::accumulate(files.bytes.begin(), files.bytes.end(), std::size_t{0}, [](std::size_t sum, const auto& file) {
           return sum + deflate_base64(file.second).size();
         }) <= most_packed;
}

std::string bytes_text(const std::string& bytes) {
  return fmt::format("zlib.decompress(base64.b64decode(\"{}\"))", deflate_base64(bytes));
}

std::string files_text(const ModelFiles& files) {
  if (!fit_a_script(files))
    return fmt::format("path = {}  # too large for a script\n", python_text(original_path(files).string()));
  if (files.bytes.size() == 1) {
    return fmt::format("path = os.path.join(tempfile.mkdtemp(), {})\nopen(path, \"wb\").write({})\n",
                       python_text(files.model), bytes_text(files.bytes.begin()->second));
  }
  std::string text = "folder = os.path.join(tempfile.mkdtemp(), \"model\")\n";
  std::set<std::filesystem::path> folders;
  for (const auto& [name, bytes] : files.bytes) folders.insert(name.parent_path());
  for (const std::filesystem::path& each : folders)
    text += fmt::format("os.makedirs({}, exist_ok=True)\n", inside("folder", each));
  for (const auto& [name, bytes] : files.bytes)
    text += fmt::format("open({}, \"wb\").write({})\n", inside("folder", name), bytes_text(bytes));
  return text + fmt::format("path = {}\n", inside("folder", files.model));
}

}  // namespace ifcert::conformance
