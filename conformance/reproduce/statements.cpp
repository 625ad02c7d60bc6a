#include "conformance/reproduce/statements.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <vector>

#include "conformance/reproduce/filled.hpp"
#include "conformance/reproduce/python_values.hpp"
#include "conformance/reproduce/script_text.hpp"

namespace ifcert::conformance {
namespace {

using nlohmann::json;

bool allows(const json& expected, const char* outcome) {
  return std::ranges::any_of(alternatives_of(expected), [&](const json& one) { return one.contains(outcome); });
}

bool may_refuse(const json& steps) {
  return allows(steps.at(0).at("load").at("expect"), "refused");
}

bool must_refuse(const json& steps) {
  return may_refuse(steps) && !allows(steps.at(0).at("load").at("expect"), "loaded");
}

/// Whether the step is a load or a run that has the outcomes which the load has, and no others.
bool is_straight_step(const json& step, const json& steps) {
  if (!step.contains("load") && !step.contains("run")) return false;
  const json& part = step.begin().value();
  if (part.value("hold", false)) return false;
  const json& expected = part.at("expect");
  const bool computes = allows(expected, step.contains("load") ? "loaded" : "outputs");
  const bool refuses = allows(expected, "refused");
  return computes != must_refuse(steps) && refuses == may_refuse(steps) &&
         alternatives_of(expected).size() == (computes ? 1U : 0U) + (refuses ? 1U : 0U);
}

/// "{…}" with the value of each input.
template <class Written>
std::string feeds_text(const json& inputs, const Written& written) {
  std::vector<std::string> entries;
  for (const json& input : inputs)
    entries.push_back(
        fmt::format("{}: {}", python_text(input.at("name").get<std::string>()), written(input.at("value"))));
  return fmt::format("{{{}}}", fmt::join(entries, ", "));
}

std::string plain_feeds(const json& run) {
  return feeds_text(run.at("inputs"), plain_value);
}

/// Of all types: the runtime's function `given` makes of it what the runtime takes.
std::string given_feeds(const json& run) {
  return feeds_text(run.at("inputs"), [](const json& value) {
    const json* inner = unboxed(value);
    return fmt::format("given({})", inner == nullptr ? "None" : python_value(*inner));
  });
}

/// The values of the only outcome that has some.
std::string outputs_text(const json& expected) {
  std::vector<std::string> values;
  for (const json& outcome : alternatives_of(expected)) {
    if (!outcome.contains("outputs")) continue;
    for (const json& output : outcome.at("outputs")) values.push_back(plain_value(output.at("value")));
  }
  return fmt::format("[{}]", fmt::join(values, ", "));
}

/// A list of all outcomes, of any types.
std::string outcomes_text(const json& expected) {
  std::vector<std::string> outcomes;
  for (const json& outcome : alternatives_of(expected)) {
    std::vector<std::string> values;
    for (const json& output : outcome.value("outputs", json::array()))
      values.push_back(python_value(output.at("value")));
    outcomes.push_back(outcome.contains("refused") ? "\"a refusal\"" : fmt::format("[{}]", fmt::join(values, ", ")));
  }
  return fmt::format("[{}]", fmt::join(outcomes, ", "));
}

/// A list with an item a line.
std::string list_text(const std::vector<std::string>& items) {
  std::string lines;
  for (const std::string& item : items) lines += fmt::format("    {},\n", item);
  return fmt::format("[\n{}]", lines);
}

/// What the scripts of one runtime have in common.
class Parts {
 public:
  Parts(const PlainRuntime& runtime, const Calls& calls) : runtime_(runtime), calls_(calls) {}

  std::string filled_part(const char* name, const std::map<std::string, std::string>& values = {}) const {
    std::map<std::string, std::string> all = values;
    all.emplace("{VERSION}", version().empty() ? "" : fmt::format("{} {{{}}}\\n", runtime_.package, version()));
    all.emplace("LOAD", load());
    return filled(section(runtime_.frame, name), all);
  }

  std::string load() const {
    return calls_.load + (version().empty() ? fmt::format("print(\"{}\", model.version)\n", runtime_.name) : "");
  }

  /// The run of these feeds, which are written where they are used if that is one place.
  std::string run(const std::string& feeds) const {
    const bool is_one_place = calls_.run.find("FEEDS") != std::string::npos;
    return (is_one_place ? "" : fmt::format("feeds = {}\n", feeds)) + filled(calls_.run, {{"FEEDS", feeds}});
  }

  /// The run of the variable `feeds`.
  std::string run_of_variable() const { return filled(calls_.run, {{"FEEDS", "feeds"}}); }

  bool computes() const { return !calls_.run.empty(); }

 private:
  /// An expression, if the version is known before a model is loaded.
  std::string version() const {
    const std::string version = section(runtime_.sections, "version");
    if (!version.empty()) return version.substr(0, version.find('\n'));
    return runtime_.package.empty() ? "" : fmt::format("importlib.metadata.version('{}')", runtime_.package);
  }

  const PlainRuntime& runtime_;
  const Calls& calls_;
};

std::string refused_statements(const Parts& parts, const std::vector<json>& runs) {
  std::string tried;
  if (runs.size() == 1) tried = parts.filled_part("shown run", {{"RUN", parts.run(plain_feeds(runs[0]))}});
  if (runs.size() > 1) {
    std::vector<std::string> feeds;
    for (const json& run : runs) feeds.push_back(plain_feeds(run));
    tried = parts.filled_part("shown runs", {{"FEEDS", list_text(feeds)}, {"RUN", parts.run_of_variable()}});
  }
  return parts.filled_part("refusal", {{"RUN", tried}});
}

std::string computed_statements(const Parts& parts, const std::vector<json>& runs, bool may_be_refused) {
  const std::string or_refusal = may_be_refused ? ", or a refusal" : "";
  if (runs.empty()) return parts.filled_part("load", {{"OR_REFUSAL", or_refusal}});
  if (runs.size() == 1) {
    return parts.filled_part("run", {{"OUTPUTS", outputs_text(runs[0].at("expect"))},
                                     {"OR_REFUSAL", or_refusal},
                                     {"RUN", parts.run(plain_feeds(runs[0]))}});
  }
  std::vector<std::string> pairs;
  for (const json& run : runs)
    pairs.push_back(fmt::format("({}, {})", plain_feeds(run), outputs_text(run.at("expect"))));
  return parts.filled_part("runs",
                           {{"RUNS", list_text(pairs)}, {"OR_REFUSAL", or_refusal}, {"RUN", parts.run_of_variable()}});
}

/// The statements of one step after the other, for a model that must be refused at some step, or need not.
class StepByStep {
 public:
  StepByStep(const Parts& parts, const json& steps) : parts_(parts), steps_(steps), must_refuse_(must_refuse(steps)) {}

  std::string text() const {
    std::string all;
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      if (steps_[i].contains("load"))
        all += load(steps_[i].at("load").at("expect"));
      else if (parts_.computes())
        all += step(i);
    }
    return all + parts_.filled_part(must_refuse_ ? "nothing refused" : "all as expected");
  }

 private:
  std::string load(const json& expected) const {
    const char* what = must_refuse_                  ? "a refusal"
                       : allows(expected, "refused") ? "that the model loads, or a refusal"
                                                     : "that the model loads";
    return parts_.filled_part("announcement", {{"OUTCOME", what}}) + refusable(parts_.load(), expected);
  }

  std::string step(std::size_t index) const {
    const json& step = steps_[index];
    if (step.contains("concurrent")) return concurrent(step.at("concurrent").at("runs"), index);
    if (step.contains("reread")) {
      const json& reread = step.at("reread");
      const auto run = reread.at("step").get<std::size_t>();
      return outcome(fmt::format("returned = held_{}\n", run + 1), reread.at("expect"), index);
    }
    const json& run = step.at("run");
    return outcome(parts_.run(given_feeds(run)), run.at("expect"), index) +
           (run.value("hold", false) ? fmt::format("held_{} = returned\n", index + 1) : "");
  }

  std::string concurrent(const json& runs, std::size_t index) const {
    std::vector<std::string> feeds;
    for (const json& run : runs) feeds.push_back(given_feeds(run));
    const bool may_be_refused =
        std::ranges::any_of(runs, [](const json& run) { return allows(run.at("expect"), "refused"); });
    const json expected = may_be_refused ? json{{"refused", json::object()}} : json{{"outputs", json::array()}};
    std::string text = refusable(parts_.filled_part("concurrent runs", {{"FEEDS", list_text(feeds)}}), expected);
    for (std::size_t i = 0; i < runs.size(); ++i)
      text += outcome(fmt::format("returned = all_returned[{}]\n", i), runs[i].at("expect"), index);
    return text;
  }

  /// Calls that end the script where they are refused, if they may be.
  std::string refusable(const std::string& calls, const json& expected) const {
    return allows(expected, "refused") ? parts_.filled_part("refusable", {{"CALLS", calls}}) : calls;
  }

  std::string outcome(const std::string& run, const json& expected, std::size_t index) const {
    return parts_.filled_part(must_refuse_ ? "step to refuse" : "step", {{"NUMBER", std::to_string(index + 1)},
                                                                         {"OUTCOMES", outcomes_text(expected)},
                                                                         {"RUN", refusable(run, expected)}});
  }

  const Parts& parts_;
  const json& steps_;
  bool must_refuse_;
};

}  // namespace

bool is_legal(const json& steps) {
  return !may_refuse(steps);
}

bool is_straight(const Reproduced& example, const PlainRuntime& runtime) {
  const json& steps = example.steps;
  const bool has_values =
      runtime.short_lists ? are_all_plain(steps, example.model_text) : are_all_arrays(steps, example.model_text);
  return has_values && std::ranges::all_of(steps, [&](const json& step) { return is_straight_step(step, steps); });
}

std::string straight_statements(const Reproduced& example, const PlainRuntime& runtime, const Calls& calls) {
  const Parts parts(runtime, calls);
  const json& steps = example.steps;
  std::vector<json> runs;
  for (const json& step : steps) {
    if (step.contains("run") && parts.computes()) runs.push_back(step.at("run"));
  }
  if (must_refuse(steps)) return refused_statements(parts, runs);
  const std::string computed = computed_statements(parts, runs, may_refuse(steps));
  return parts.filled_part(may_refuse(steps) ? "either" : "computed", {{"COMPUTED", computed}});
}

std::string step_statements(const Reproduced& example, const PlainRuntime& runtime, const Calls& calls) {
  return StepByStep(Parts(runtime, calls), example.steps).text();
}

}  // namespace ifcert::conformance
