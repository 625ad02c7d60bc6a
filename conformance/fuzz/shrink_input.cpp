#include "conformance/fuzz/shrink_input.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ifcert/reference.hpp>
#include <map>
#include <set>
#include <utility>

#include "conformance/fuzz/generator/random.hpp"
#include "conformance/fuzz/settle.hpp"
#include "conformance/suite/format_name.hpp"
#include "conformance/suite/protocol_form.hpp"
#include "conformance/system/error.hpp"
#include "conformance/system/file.hpp"

namespace ifcert::conformance {

using generator::Computed;
using generator::Generated;
using nlohmann::json;

namespace {

namespace fs = std::filesystem;

fs::path folder_of_finding(const fs::path& finding) {
  return fs::is_directory(finding) ? finding : finding.parent_path();
}

/// The named values in the order of the graph's inputs.
std::vector<Value> inputs_from(const json& named, const Graph& main) {
  std::vector<Value> values(main.inputs.size());
  for (const json& each : named) {
    const auto slot = std::ranges::find_if(
        main.inputs, [&](Slot input) { return main.slots[input].name == each.at("name").get<std::string>(); });
    if (slot == main.inputs.end()) throw Error(fmt::format("the model has no input {}", each.at("name").dump()));
    values[static_cast<std::size_t>(slot - main.inputs.begin())] = value_from_protocol(each.at("value"));
  }
  return values;
}

Value any_value(const Type& type, generator::Random& random, std::map<std::string, std::int64_t>& sizes) {
  if (!type.is_tensor()) throw Error(fmt::format("an input is {}; set its value with --input", to_string(type)));
  Dims dims;
  for (const Dim& dim : type.shape.value_or(Shape{})) {
    const std::int64_t size = dim.known() ? dim.value : random.between(1, 3);
    dims.push_back(dim.known() || dim.symbol.empty() ? size : sizes.try_emplace(dim.symbol, size).first->second);
  }
  const std::uint64_t count = element_count(dims);
  if (type.element == ElementType::string) return make_strings(dims, std::vector<std::string>(count, "a"));
  std::vector<std::int64_t> numbers(count);
  for (std::int64_t& number : numbers) number = random.between(0, type.element == ElementType::boolean ? 1 : 5);
  switch (type.element) {
    case ElementType::boolean:
      return make_tensor<std::uint8_t>(type.element, dims, std::vector<std::uint8_t>(numbers.begin(), numbers.end()));
    case ElementType::int32:
      return make_tensor<std::int32_t>(type.element, dims, std::vector<std::int32_t>(numbers.begin(), numbers.end()));
    case ElementType::int64:
      return make_tensor<std::int64_t>(type.element, dims, numbers);
    case ElementType::float32:
      return make_tensor<float>(type.element, dims, std::vector<float>(numbers.begin(), numbers.end()));
    default:
      throw Error(fmt::format("an input is {}; set its value with --input", to_string(type)));
  }
}

/// The same model in ONNX, to which more changes can be applied; nullopt if it does not fail in the same way after
/// being translated back.
std::optional<Generated> as_onnx(Prober& prober, const ShrinkInput& input, const Result& wanted) {
  const Generated& original = input.generated;
  try {
    Generated other{translate(original.model, Format::onnx), original.runs, original.manner};
    const Computed computed =
        generator::computed(other.model, generator::model_name(original.model.format), other.runs, input.delegate);
    if (!computed.fault.empty()) return std::nullopt;
    const Result result = prober.alone(vector_of("given", computed, other.runs, other.manner)).result;
    return shows_the_same(wanted, result) ? std::optional(std::move(other)) : std::nullopt;
  } catch (const Inexpressible&) {
    return std::nullopt;
  }
}

/// The model in the folder of a finding, with the runs of its draft of a vector.
ShrinkInput shrink_input_in(const fs::path& folder) {
  const json draft = read_json(folder / "vector.json");
  Reading reading = read_model(folder / draft.at("model").get<std::string>());
  std::vector<std::vector<Value>> runs;
  generator::Manner manner = generator::Manner::in_turn;
  const auto add_run = [&](const json& run) { runs.push_back(inputs_from(run.at("inputs"), reading.model.main())); };
  for (const json& step : draft.at("steps")) {
    if (step.contains("run")) add_run(step.at("run"));
    if (step.contains("reread")) manner = generator::Manner::held;
    if (!step.contains("concurrent")) continue;
    manner = generator::Manner::concurrent;
    for (const json& run : step.at("concurrent").at("runs")) add_run(run);
  }
  ShrinkInput input = shrink_input_from(std::move(reading), std::move(runs));
  input.generated.manner = manner;
  return input;
}

/// The illegal model that the seed makes, before its fault.
ShrinkInput generated_again(std::uint64_t seed, Format format, const std::string& kind) {
  FuzzCase made = case_of(seed, format, kind);
  return {std::move(made.generated), made.format, std::move(made.illegal)};
}

/// The vector that the adapter runs. Throws Error if a legal model does not compute.
Vector vector_for(const ShrinkInput& input) {
  if (input.illegal) {
    auto vector = illegal_vector(*input.illegal, input.generated, input.format);
    if (!vector) throw Error("the model does not break the rule that it was made to break");
    return std::move(*vector);
  }
  const Computed computed = generator::computed(input.generated.model, generator::model_name(input.format),
                                                input.generated.runs, input.delegate);
  if (!computed.fault.empty())
    throw Error(
        fmt::format("only a model that computes, or that breaks a rule, can be made smaller: {}", computed.fault));
  return vector_of("given", computed, input.generated.runs, input.generated.manner);
}

}  // namespace

bool is_finding(const fs::path& path) {
  return fs::is_regular_file(folder_of_finding(path) / "finding.json") && path.filename() != "model.onnx" &&
         (fs::is_directory(path) || path.filename() == "finding.json");
}

ShrinkInput shrink_input_from(Reading reading, std::vector<std::vector<Value>> runs) {
  std::set<std::string> rules;
  for (const Diagnostic& each : errors_in(check(reading))) rules.insert(each.rule);
  const Format format = reading.model.format;
  ShrinkInput input{{std::move(reading.model), std::move(runs)}, format};
  if (rules.empty()) return input;
  input.illegal = generator::illegal_itself(rules);
  if (generator::illegal_files(*input.illegal, input.generated)) return input;
  throw Error(
      fmt::format("the model breaks {}, but no longer does once it is read and written again, so it cannot be "
                  "made smaller",
                  fmt::join(rules, ", ")));
}

ShrinkInput read_finding(const fs::path& finding) {
  const fs::path folder = folder_of_finding(finding);
  const json record = read_json(folder / "finding.json");
  const auto seed = record.at("seed").get<std::uint64_t>();
  const auto kind = record.at("kind").get<std::string>();
  const auto format = format_named(record.at("format").get<std::string>());
  const bool can_be_made_again = format && kind.starts_with("fault ");
  ShrinkInput input;
  try {
    input = shrink_input_in(folder);
  } catch (const UnreadableModel&) {
    if (!can_be_made_again) throw;
    input = generated_again(seed, *format, kind);
  } catch (const Error&) {
    if (!can_be_made_again) throw;
    input = generated_again(seed, *format, kind);
  }
  input.seed = seed;
  input.kind = kind;
  return input;
}

std::vector<std::vector<Value>> any_runs(const Graph& main, std::uint64_t seed) {
  generator::Random random(seed);
  std::vector<std::vector<Value>> runs(3);
  for (std::vector<Value>& run : runs) {
    std::map<std::string, std::int64_t> sizes;
    for (const Slot slot : main.inputs) run.push_back(any_value(main.slots[slot].declared, random, sizes));
  }
  return runs;
}

Campaign shrink_on_adapter(const Project& project, const Adapter& adapter, const Limits& limits,
                           const generator::ShrinkLimits& shrinking, const ShrinkInput& input) {
  const Schema answers(project.protocol("answer.schema.json"));
  FirstHello first_hello;
  const FuzzTarget target{project, adapter, answers, limits, &first_hello};
  Prober prober(target);
  Campaign campaign;
  campaign.adapter = prober.greeted().identity();
  const Vector vector = vector_for(input);
  const Result result = prober.alone(vector).result;
  ++campaign.verdicts[verdict_line(result)];
  if (is_inconclusive(result.verdict)) throw Error(result.reason);
  if (!is_failure(result.verdict) && result.verdict != Verdict::lenient) return campaign;
  const FuzzFailure failure{input.seed, name_of(input.format), input.kind, verdict_line(result),
                            cause_of_failure(result)};
  FuzzExample example{.failure = failure,
                      .unstable = {},
                      .original = {vector.files, vector.summary.steps, result},
                      .small = {},
                      .form = {}};
  if (input.illegal) {
    make_smaller(prober, input.generated, *input.illegal, input.format, shrinking, example);
  } else {
    const auto onnx = input.format == Format::onnx ? std::nullopt : as_onnx(prober, input, result);
    make_smaller(prober, onnx ? *onnx : input.generated, input.format, shrinking, example, input.delegate);
  }
  campaign.findings.push_back({std::move(example), {input.seed}, 1});
  return campaign;
}

}  // namespace ifcert::conformance
