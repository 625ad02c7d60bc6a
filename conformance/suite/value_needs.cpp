#include "conformance/suite/value_needs.hpp"

#include <algorithm>
#include <set>
#include <string>

#include "conformance/suite/protocol_value.hpp"

namespace ifcert::conformance {
namespace {

using nlohmann::json;

/// A tensor without elements, or a sequence or an optional that holds one.
bool has_no_elements(const json& value) {
  if (value.contains("items")) return std::ranges::any_of(value.at("items"), has_no_elements);
  if (value.contains("value")) return has_no_elements(value.at("value"));
  return value.contains("shape") && std::ranges::any_of(value.at("shape"), [](const json& dim) { return dim == 0; });
}

/// The words for values that are passed in this direction, "input:" or "output:".
void add_needs(const std::string& direction, const json& named_values, std::set<std::string>& needs) {
  for (const json& named : named_values) {
    const json& value = named.at("value");
    needs.insert(direction + type_of(value));
    if (value.contains("absent")) needs.insert(direction + "absent");
    if (has_no_elements(value)) needs.insert(direction + "no-elements");
  }
}

/// The values of the outcomes that this run may have.
void add_outputs(const json& expected, std::set<std::string>& needs) {
  for (const json& one : expected.contains("either") ? expected.at("either") : json::array({expected})) {
    if (one.contains("outputs")) add_needs("output:", one.at("outputs"), needs);
  }
}

}  // namespace

json value_needs(const VectorSummary& vector) {
  std::set<std::string> needs;
  if (vector.axis == Axis::diagnoses) return json::array();
  for (const json& step : vector.steps) {
    const bool is_concurrent = step.contains("concurrent");
    if (!is_concurrent && !step.contains("run")) continue;
    for (const json& run : is_concurrent ? step.at("concurrent").at("runs") : json::array({step.at("run")})) {
      add_needs("input:", run.at("inputs"), needs);
      add_outputs(run.at("expect"), needs);
    }
  }
  return needs;
}

}  // namespace ifcert::conformance
