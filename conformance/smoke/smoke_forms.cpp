// The vectors of the smoke test's checks, changed in one respect each.
#include <fmt/format.h>

#include <algorithm>
#include <ifcert/reading.hpp>
#include <ifcert/translate.hpp>
#include <set>
#include <string_view>

#include "conformance/smoke/smoke_checks.hpp"
#include "conformance/suite/protocol_value.hpp"
#include "conformance/system/error.hpp"

namespace ifcert::conformance {
namespace {

using nlohmann::json;

constexpr std::size_t threads = 4;
constexpr std::string_view letters = "-Ωλ名";
constexpr std::size_t long_name = 4096;
/// The bytes of the float32 elements 1, -2 and 0.5 in base64, and of their negations.
constexpr std::string_view three = "AACAPwAAAMAAAAA/";
constexpr std::string_view three_negated = "AACAvwAAAEAAAAC/";
constexpr std::size_t times = 87'500;  // 12 bytes each

const json refusal{{"refused", json::object()}};

/// The runs among the steps of a vector.
std::vector<json> runs_of(const Vector& vector) {
  std::vector<json> runs;
  for (const json& step : vector.summary.steps) {
    if (step.contains("run")) runs.push_back(step.at("run"));
  }
  if (runs.empty()) throw Error(fmt::format("the vector {} has no run", vector.summary.id));
  return runs;
}

/// Only a refusal passes, be it of the model or of its first run; there is no twin.
void expect_refusal(Vector& vector) {
  json run = runs_of(vector).front();
  run["expect"] = refusal;
  vector.summary.steps = json::array({{{"load", {{"expect", refusal}}}}, {{"run", run}}});
  vector.summary.axis = Axis::open;
  vector.summary.twin.clear();
}

void hold_first(Vector& vector) {
  const std::vector<json> runs = runs_of(vector);
  json held = runs.front();
  held["hold"] = true;
  const json again{{"reread", {{"step", 1}, {"expect", held.at("expect")}}}};
  vector.summary.steps = json::array({vector.summary.steps.at(0), {{"run", held}}, {{"run", runs.back()}}, again});
  vector.needs.push_back("hold");
}

void run_concurrently(Vector& vector) {
  const std::vector<json> runs = runs_of(vector);
  json all = json::array();
  for (std::size_t i = 0; i < threads; ++i) all.push_back(runs[i % runs.size()]);
  vector.summary.steps = json::array({vector.summary.steps.at(0), {{"concurrent", {{"runs", all}}}}});
  vector.needs.push_back("threads");
}

std::string repeated(std::string_view text, std::size_t count) {
  std::string all;
  all.reserve(text.size() * count);
  for (std::size_t i = 0; i < count; ++i) all += text;
  return all;
}

std::string lengthened(const std::string& name) {
  return name + repeated(letters, (long_name - name.size()) / letters.size());
}

std::string bytes_of(const json& value) {
  return decode_base64(value.at("data").get<std::string>()).value();
}

/// Whether the run's one output is its float32 input with the sign of each element flipped.
bool negates(const json& run) {
  const json& expect = run.at("expect");
  if (!expect.contains("outputs") || expect.at("outputs").size() != 1) return false;
  const json& y = expect.at("outputs").at(0).at("value");
  return std::ranges::any_of(run.at("inputs"), [&y](const json& input) {
    const json& x = input.at("value");
    if (x.value("type", "") != "float32" || x.at("shape") != y.at("shape") || x.at("shape") == json{0}) return false;
    std::string flipped = bytes_of(x);
    for (std::size_t i = 3; i < flipped.size(); i += 4) flipped[i] = static_cast<char>(flipped[i] ^ '\x80');
    return flipped == bytes_of(y);
  });
}

void enlarge(Vector& vector) {
  const std::vector<json> runs = runs_of(vector);
  const auto found = std::ranges::find_if(runs, negates);
  if (found == runs.end()) throw Error(fmt::format("the vector {} negates nothing", vector.summary.id));
  json run = *found;
  for (json& input : run.at("inputs")) {
    json& value = input.at("value");
    if (value.value("type", "") != "float32") continue;
    value["shape"] = {3 * times};
    value["data"] = repeated(three, times);
  }
  json& y = run.at("expect").at("outputs").at(0).at("value");
  y["shape"] = {3 * times};
  y["data"] = repeated(three_negated, times);
  vector.summary.steps = json::array({vector.summary.steps.at(0), {{"run", run}}});
}

void lengthen(json& named) {
  for (json& each : named) each["name"] = lengthened(each.at("name").get<std::string>());
}

void lengthen_names(Vector& vector) {
  Reading reading = read_model(vector.summary.model);
  Graph& main = reading.model.graphs.front();
  std::set<Slot> outer(main.inputs.begin(), main.inputs.end());
  outer.insert(main.outputs.begin(), main.outputs.end());
  for (const Slot slot : outer) main.slots[slot].name = lengthened(main.slots[slot].name);
  ModelFiles files{.model = vector.files.model, .origin = vector.files.origin, .name = vector.files.name};
  for (WrittenFile& file : write_model(reading.model, vector.files.model))
    files.bytes[file.path] = std::move(file.bytes);
  files.folder = opaque_name(files);
  vector.files = std::move(files);
  for (json& step : vector.summary.steps) {
    if (!step.contains("run")) continue;
    lengthen(step.at("run").at("inputs"));
    lengthen(step.at("run").at("expect").at("outputs"));
  }
}

}  // namespace

Vector in_form(const Vector& vector, SmokeForm form) {
  Vector changed = vector;
  std::string& model = changed.files.bytes.at(changed.files.model);
  switch (form) {
    case SmokeForm::junk:
      model = "no model\n";
      break;
    case SmokeForm::empty:
      model.clear();
      break;
    case SmokeForm::half:
      model.resize(model.size() / 2);
      break;
    case SmokeForm::without_data:
      std::erase_if(changed.files.bytes, [&](const auto& file) { return file.first != changed.files.model; });
      break;
    case SmokeForm::long_names:
      lengthen_names(changed);
      break;
    case SmokeForm::large:
      enlarge(changed);
      break;
    case SmokeForm::held:
      hold_first(changed);
      break;
    case SmokeForm::concurrent:
      run_concurrently(changed);
      break;
    case SmokeForm::as_it_is:
    case SmokeForm::replaces:
    case SmokeForm::skipped:
      break;
  }
  if (is_damaged(form)) expect_refusal(changed);
  changed.files.folder = opaque_name(changed.files);
  return changed;
}

}  // namespace ifcert::conformance
