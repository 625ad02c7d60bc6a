#include "conformance/suite/judge.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "conformance/suite/compare.hpp"
#include "conformance/system/error.hpp"
#include "conformance/system/file.hpp"

namespace ifcert::conformance {

using nlohmann::json;

namespace {

/// How many bytes of a runtime's message are quoted in a reason. The report shows the whole message.
constexpr std::size_t max_quoted_message = 300;

Ruling failure(Fault fault, std::string reason) {
  return {Verdict::fail, fault, std::move(reason)};
}

/// A difference that has no Fault means that the adapter sent a value that contradicts itself: its verdict is ADAPTER.
Ruling ruling_of(const Difference& difference) {
  return {difference.fault == Fault::none ? Verdict::adapter : Verdict::fail, difference.fault, difference.reason};
}

bool is_acceptance(const Difference& difference) {
  return difference.fault == Fault::wrongly_accepted;
}

/// The outcomes that an expected outcome allows: those of an `either`, or only itself.
std::vector<const json*> alternatives(const json& expected) {
  if (!expected.contains("either")) return {&expected};
  std::vector<const json*> all;
  for (const json& one : expected.at("either")) all.push_back(&one);
  return all;
}

bool allows(const json& expected, const char* outcome) {
  return std::ranges::any_of(alternatives(expected), [outcome](const json* one) { return one->contains(outcome); });
}

/// The difference between outputs and the expected ones; nothing where they are equal to one of the alternatives. If
/// they differ from several, the difference from the last one.
std::optional<Difference> outputs_difference(const json& expected, const json& outputs) {
  std::optional<Difference> difference;
  for (const json* one : alternatives(expected)) {
    if (!one->contains("outputs")) continue;
    difference = compare_outputs(one->at("outputs"), outputs);
    if (!difference) return std::nullopt;
  }
  return difference ? difference
                    : Difference{Fault::wrongly_accepted, "outputs were returned; the run should have been refused"};
}

const json* feature_named(const json& features, const json& what) {
  for (const json& feature : features) {
    if (feature.at("what") == what) return &feature;
  }
  return nullptr;
}

Ruling unsupported_feature(const json& feature) {
  return {Verdict::unsupported, Fault::none,
          fmt::format("{}: {}", feature.at("what").get<std::string>(), printable(feature.at("why").get<std::string>())),
          feature.at("link").get<std::string>()};
}

bool is_load(const json& step) {
  return step.contains("load");
}

}  // namespace

const json& expected_outcome(const json& steps, std::size_t index, std::optional<std::size_t> concurrent_run) {
  static const json none;
  const json& step = steps.at(index);
  if (step.contains("concurrent"))
    return concurrent_run ? step.at("concurrent").at("runs").at(*concurrent_run).at("expect") : none;
  for (const char* kind : {"load", "run", "reread"}) {
    if (step.contains(kind)) return step.at(kind).at("expect");
  }
  throw Error(fmt::format("step {} is of a kind that this runner does not know", index));
}

std::optional<Ruling> judge_needs(const json& needs, const AdapterIdentity& adapter) {
  for (const json& need : needs) {
    if ((need == "threads" && !adapter.threads) || (need == "hold" && !adapter.holds)) {
      return Ruling{Verdict::unsupported, Fault::none,
                    fmt::format("hello does not declare '{}'", need.get<std::string>())};
    }
    if (const json* feature = feature_named(adapter.unsupported_features, need)) return unsupported_feature(*feature);
  }
  return std::nullopt;
}

Judge::Judge(const VectorSummary& vector, const AdapterIdentity& adapter)
    : vector_(vector), steps_(vector.steps), adapter_(adapter) {}

std::optional<Ruling> Judge::judge_step(std::size_t index, const json& answer) {
  auto ruling = ruling_on_step(index, answer);
  if (ruling) ruling->step = index;
  return ruling;
}

std::optional<Ruling> Judge::ruling_on_step(std::size_t index, const json& answer) {
  if (answer.contains("unsupported")) return judge_unsupported(answer.at("unsupported"));
  const json& step = steps_.at(index);
  if (step.contains("concurrent")) return judge_concurrent(index, answer);
  auto ruling = is_load(step) ? judge_load(expected_outcome(steps_, index), answer) : judge_run(answer, index);
  if (ruling && step.contains("reread") && !ruling->reason.empty()) {
    ruling->reason = fmt::format("the outputs held since step {}, read again: {}",
                                 step.at("reread").at("step").get<std::size_t>(), ruling->reason);
  }
  return ruling;
}

std::optional<Ruling> Judge::judge_concurrent(std::size_t index, const json& answer) {
  const json& runs = answer.at("runs");
  const std::size_t expected = steps_.at(index).at("concurrent").at("runs").size();
  if (runs.size() != expected) {
    return Ruling{Verdict::adapter, Fault::none,
                  fmt::format("{} concurrent runs were answered, expected {}", runs.size(), expected)};
  }
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const json& run = runs[i];
    auto ruling = run.contains("unsupported") ? judge_unsupported(run.at("unsupported")) : judge_run(run, index, i);
    if (!ruling) continue;
    ruling->concurrent_run = i;
    if (!ruling->reason.empty()) ruling->reason = fmt::format("concurrent run {}: {}", i, ruling->reason);
    return ruling;
  }
  return std::nullopt;
}

std::optional<Ruling> Judge::judge_load(const json& expected, const json& answer) {
  if (answer.contains("refused")) {
    if (allows(expected, "refused")) return Ruling{.by_refusal = true};
    return failure(Fault::wrongly_refused, "the model was refused; it should have loaded");
  }
  declared_ = answer.at("loaded").at("outputs");
  wrongly_loaded_ = !allows(expected, "loaded");
  return adapter_.runs_models ? std::nullopt : judge_load_by_checker();
}

std::optional<Ruling> Judge::judge_run(const json& answer, std::size_t step,
                                       std::optional<std::size_t> concurrent_run) {
  const json& expected = expected_outcome(steps_, step, concurrent_run);
  if (answer.contains("refused")) {
    if (wrongly_loaded_) return Ruling{.by_refusal = true};
    if (!allows(expected, "refused"))
      return failure(Fault::wrongly_refused, "the run was refused; it should have returned outputs");
    if (!first_refused_run_)
      first_refused_run_ = Ruling{.by_refusal = true, .step = step, .concurrent_run = concurrent_run};
    return std::nullopt;
  }
  auto difference = outputs_difference(expected, answer.at("outputs"));
  // The types that the adapter declared at the load are compared only if the vector allows a single outcome.
  if (!difference && expected.contains("outputs")) difference = compare_declared(declared_, answer.at("outputs"));
  if (!difference) return std::nullopt;
  if (!is_acceptance(*difference)) return ruling_of(*difference);
  if (wrongly_loaded_) return std::nullopt;
  Ruling ruling = ruling_on_wrong_acceptance(difference->reason);
  if (ruling.verdict != Verdict::lenient) return ruling;
  ruling.step = step;
  ruling.concurrent_run = concurrent_run;
  if (!first_lenient_run_) first_lenient_run_ = std::move(ruling);
  return std::nullopt;  // a later run may return a wrong value, which is worse
}

/// The ruling on a runtime that accepted a model or a run that it should have refused: LENIENT on the axis `diagnoses`,
/// unless a text obliges an implementation to refuse, which a checker is not; otherwise FAIL (wrongly-accepted).
Ruling Judge::ruling_on_wrong_acceptance(std::string reason) const {
  if (vector_.axis != Axis::diagnoses) return failure(Fault::wrongly_accepted, std::move(reason));
  if (vector_.obliged_by.is_null() || !adapter_.runs_models)
    return {.verdict = Verdict::lenient, .reason = std::move(reason)};
  return failure(Fault::wrongly_accepted,
                 fmt::format("{}; {}: {}", reason, vector_.obliged_by.at("source").get<std::string>(),
                             vector_.obliged_by.at("clause").get<std::string>()));
}

/// The ruling on an adapter that runs no models, once it has loaded the model.
std::optional<Ruling> Judge::judge_load_by_checker() const {
  if (wrongly_loaded_) return ruling_on_wrong_acceptance("the model was accepted; it should have been refused");
  if (std::ranges::all_of(steps_, is_load)) return std::nullopt;
  if (const json* feature = feature_named(adapter_.unsupported_features, "run")) return unsupported_feature(*feature);
  return Ruling{Verdict::unsupported, Fault::none, "run: the adapter computes nothing"};
}

/// The answer `unsupported` is accepted where hello declared the feature as missing, or the runtime itself reported a
/// status such as "not implemented". Otherwise it is FAIL (wrongly-refused), even where a refusal is expected.
Ruling Judge::judge_unsupported(const json& unsupported) const {
  if (const json* feature = feature_named(adapter_.unsupported_features, unsupported.at("what")))
    return unsupported_feature(*feature);
  const std::string what = printable(unsupported.at("what").get<std::string>());
  if (!unsupported.contains("status")) {
    return failure(Fault::wrongly_refused,
                   fmt::format("reported {} as unsupported, but neither hello nor a runtime status declares it", what));
  }
  const auto message = unsupported.at("message").get<std::string>();
  return {Verdict::unsupported, Fault::none,
          fmt::format("{}: {}: {}", what, printable(unsupported.at("status").get<std::string>()),
                      printable(message.substr(0, std::min(message.find('\n'), max_quoted_message))))};
}

Ruling Judge::judge_end() const {
  if (first_lenient_run_) return *first_lenient_run_;
  if (!wrongly_loaded_) return first_refused_run_.value_or(Ruling{});
  Ruling ruling = ruling_on_wrong_acceptance("every step was accepted; the model should have been refused");
  ruling.step = steps_.size() - 1;
  return ruling;
}

}  // namespace ifcert::conformance
