#include "conformance/commands/input_arguments.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <ifcert/reference.hpp>
#include <span>

#include "conformance/commands/json_value.hpp"
#include "conformance/commands/npy.hpp"
#include "conformance/system/error.hpp"
#include "conformance/system/suggestion.hpp"

namespace ifcert::conformance {
namespace {

/// The index of the input with that name, or of "#" and its number. Throws Error listing the inputs.
std::size_t input_named(const Graph& main, const std::string& name) {
  std::string names;
  std::vector<std::string> candidates;
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < main.inputs.size(); ++i) {
    const std::string& candidate = main.slots[main.inputs[i]].name;
    if (candidate == name) found.push_back(i);
    candidates.push_back(candidate);
    names += fmt::format("{}#{} \"{}\"", i == 0 ? "" : ", ", i, candidate);
  }
  if (found.size() == 1) return found.front();
  for (std::size_t i = 0; found.empty() && i < main.inputs.size(); ++i) {
    if (name == fmt::format("#{}", i)) return i;
  }
  throw Error(fmt::format("the model has {} \"{}\"; its inputs are {}{}",
                          found.empty() ? "no input" : fmt::format("{} inputs", found.size()), name,
                          names.empty() ? "none" : names, found.empty() ? did_you_mean(name, candidates) : ""));
}

Value read_input(const std::string& text, const Type& type) {
  if (is_npy(text)) return read_npy(text);
  const nlohmann::json json = json_of_lists(text);
  if (json.is_discarded()) throw Error(fmt::format("\"{}\" is neither a .npy file's name nor JSON", text));
  return value_from_json(json, type);
}

}  // namespace

bool is_npy(const std::string& text) {
  return text.ends_with(".npy");
}

std::vector<Value> read_inputs(const Graph& main, const std::vector<std::string>& options) {
  std::vector<Value> values(main.inputs.size());
  for (const std::string& option : options) {
    const std::size_t equals = option.find('=');
    if (equals == std::string::npos)
      throw Error(fmt::format("--input {}: expected NAME=FILE.npy or NAME=JSON", option));
    const std::string name = option.substr(0, equals);
    const std::size_t i = input_named(main, name);
    if (!values[i].empty()) throw Error(fmt::format("the input \"{}\" has two values", name));
    try {
      values[i] = read_input(option.substr(equals + 1), main.slots[main.inputs[i]].declared);
    } catch (const Error& error) {
      throw Error(fmt::format("input \"{}\": {}", name, error.what()));
    }
  }
  return values;
}

void require_inputs(const Graph& main, const std::vector<Value>& values) {
  std::vector<bool> has_default(main.slots.size());
  for (const Constant& constant : main.constants) has_default[constant.slot] = true;
  std::vector<std::string> missing;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const Slot slot = main.inputs[i];
    if (!values[i].empty() || has_default[slot]) continue;
    missing.push_back(fmt::format("\"{}\" ({})", main.slots[slot].name, to_string(main.slots[slot].declared)));
  }
  if (missing.empty()) return;
  constexpr std::size_t most_named = 10;
  const std::size_t named = std::min(missing.size(), most_named);
  const std::string more = named < missing.size() ? fmt::format(" and {} more", missing.size() - named) : "";
  throw Error(fmt::format("no value for the input{} {}{}: add --input NAME=FILE.npy or --input NAME=JSON for each",
                          missing.size() == 1 ? "" : "s", fmt::join(std::span(missing).first(named), ", "), more));
}

}  // namespace ifcert::conformance
