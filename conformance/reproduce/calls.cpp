#include "conformance/reproduce/calls.hpp"

#include <algorithm>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <vector>

#include "conformance/reproduce/script_text.hpp"

namespace ifcert::conformance {
namespace {

using nlohmann::json;

bool has_empty_tensors(const json& steps) {
  return std::ranges::any_of(values_in(steps), [](const json& value) {
    const auto shape = value.value("shape", std::vector<std::uint64_t>());
    return std::ranges::find(shape, 0U) != shape.end();
  });
}

/// Whether every run feeds all inputs, in the model's order.
bool feeds_are_in_order(const Reproduced& example) {
  return std::ranges::all_of(example.steps, [&](const json& step) {
    if (!step.contains("run")) return true;
    std::vector<std::string> fed;
    for (const json& input : step.at("run").at("inputs")) fed.push_back(input.at("name"));
    return std::ranges::equal(fed, example.inputs, {}, {}, &SlotInfo::name);
  });
}

bool has_shape(const Type& declared, const json& value) {
  if (!declared.shape || !value.contains("shape")) return false;
  return std::ranges::equal(value.at("shape").get<std::vector<std::int64_t>>(), *declared.shape, {}, {}, &Dim::value);
}

/// Whether every run feeds tensors of the shapes that the model declares for its inputs, all of which are known.
bool feeds_have_declared_shapes(const Reproduced& example) {
  const auto fits = [&](const json& fed) {
    const auto declared = std::ranges::find(example.inputs, fed.at("name").get<std::string>(), &SlotInfo::name);
    return declared != example.inputs.end() && has_shape(declared->declared, fed.at("value"));
  };
  return std::ranges::all_of(example.steps, [&](const json& step) {
    return !step.contains("run") || std::ranges::all_of(step.at("run").at("inputs"), fits);
  });
}

/// The functions of the runtime with that form of run.
Calls functions(const PlainRuntime& runtime, const std::string& width) {
  const std::string other = section(runtime.sections, width);
  const std::string all = section(runtime.sections, "plain") + (other.empty() ? "" : "\n\n" + other);
  const bool computes = all.find("def run(") != std::string::npos;
  return {.functions = all,
          .load = "model = load(path)\n",
          .run = computes ? "returned = run(model, FEEDS)\n" : "",
          .takes_bytes = false};
}

}  // namespace

Calls short_calls(const Reproduced& example, const PlainRuntime& runtime) {
  const bool fixed = feeds_have_declared_shapes(example);
  const bool is_one_run = example.steps.size() <= 2;
  const auto short_section = [&](const std::string& name) {
    const std::string text = fixed ? "" : section(runtime.sections, name + " of open shapes");
    return text.empty() ? section(runtime.sections, name) : text;
  };
  const std::string load = short_section("short load");
  const bool can_do_it = !load.empty() && (runtime.short_of_empty || !has_empty_tensors(example.steps)) &&
                         (!runtime.short_by_position || (feeds_are_in_order(example) && (fixed || is_one_run)));
  if (!can_do_it) return functions(runtime, "narrow");
  return {.functions = "",
          .load = load,
          .run = short_section("short run"),
          .takes_bytes = load.find("path") == std::string::npos};
}

Calls all_calls(const PlainRuntime& runtime) {
  return functions(runtime, "wide");
}

}  // namespace ifcert::conformance
