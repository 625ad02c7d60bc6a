#include "conformance/smoke.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "conformance/causes.hpp"
#include "conformance/error.hpp"
#include "conformance/trial.hpp"
#include "conformance/twins.hpp"

namespace ifcert::conformance {
namespace {

using nlohmann::json;
using Outcome = SmokeStep::Outcome;

constexpr std::size_t threads = 4;

const Vector& vector_of(const Suite& suite, std::string_view id) {
  const Vector* found = suite.find(id);
  if (found == nullptr) throw Error(fmt::format("there is no vector {}", id));
  if (!found->spoilt.empty()) throw Error(fmt::format("the vector {} cannot be used: {}", id, found->spoilt));
  return *found;
}

/// Whatever breaks the protocol is the adapter's fault; a wrong answer is taken to be the runtime's.
SmokeStep step_of(std::string what, const Result& result) {
  SmokeStep step{std::move(what), Outcome::ok, {}, result.evidence};
  if (result.verdict == Verdict::pass) return step;
  step.said = fmt::format("{}: {}", verdict_line(result), result.reason);
  step.cause = cause_of(result);
  step.own = own_line(result);
  if (const std::string message = refusal_message(result); !message.empty())
    step.said += fmt::format("; the runtime's message: {}", message);
  step.outcome = result.verdict == Verdict::unsupported ? Outcome::not_declared
                 : result.verdict == Verdict::adapter   ? Outcome::adapter
                                                        : Outcome::runtime;
  if (result.verdict == Verdict::unsupported) step.said = result.reason;
  if (result.reason.find("a line that is not JSON") != std::string::npos) {
    step.said +=
        " (did something print to standard output? Only the protocol may be written there; the SDKs redirect "
        "everything else before the runtime is imported)";
  }
  return step;
}

/// The steps of a smoke test, reported one by one.
class Smoke {
 public:
  Smoke(const Suite& suite, Session& session, const std::function<void(const SmokeStep&)>& tell)
      : suite_(suite), session_(session), tell_(tell) {}

  bool starts() {
    SmokeStep step{"it starts and answers hello"};
    if (const auto failure = session_.start()) {
      step.outcome = Outcome::adapter;
      step.said = failure->reason;
    }
    step.evidence = session_.take_evidence();
    add(step);
    return step.outcome == Outcome::ok;
  }

  void tries(std::span<const std::string> ids) {
    for (const std::string& id : ids) {
      const Vector& vector = vector_of(suite_, id);
      trials_.push_back(try_vector(session_, vector));
      std::vector<Trial> settled = trials_;
      settle_twins(settled, session_.identity().computes);
      add(step_of(fmt::format("{} ({})", vector.summary.title, id), settled.back().result));
    }
  }

  /// The vector's load and run, with other steps instead.
  void tries_steps(std::string what, Vector vector, json steps, const char* need = nullptr) {
    vector.summary.steps = std::move(steps);
    if (need != nullptr) vector.needs.push_back(need);
    add(step_of(std::move(what), try_vector(session_, vector).result));
  }

  /// The next load replaces the model that is loaded, without an unload.
  void loads_twice(const Vector& vector) {
    SmokeStep step{"a load replaces the model before it"};
    if (const auto failure = session_.start()) {
      step.outcome = Outcome::adapter;
      step.said = failure->reason;
    } else {
      for (int time = 0; time < 2 && step.outcome == Outcome::ok; ++time) {
        const Answer answer = session_.answer(session_.load(vector.summary.system, vector.files));
        if (answer.failure) {
          step.outcome = answer.failure->verdict == Verdict::adapter ? Outcome::adapter : Outcome::runtime;
          step.said = answer.failure->reason;
        } else if (!answer.body.contains("loaded")) {
          step.outcome = time == 0 ? Outcome::runtime : Outcome::adapter;
          step.said = fmt::format("load number {} was answered {}", time + 1, answer.body.dump());
        }
      }
    }
    step.evidence = session_.take_evidence();
    add(step);
  }

  /// A file that is no model at all. Nothing in it is unsupported: an adapter that says so would hide refusals.
  void refuses_a_damaged_file(const Vector& vector) {
    SmokeStep step{fmt::format("it refuses a file of {} that is damaged", vector.summary.system)};
    ModelFiles damaged = vector.files;
    damaged.bytes.at(damaged.model) = "no model\n";
    if (const auto failure = session_.start()) {
      step.outcome = Outcome::adapter;
      step.said = failure->reason;
    } else {
      judge_damaged(session_.answer(session_.load(vector.summary.system, damaged)), step);
    }
    step.evidence = session_.take_evidence();
    add(step);
  }

  void leaves() {
    SmokeStep step{"bye ends it with exit code 0"};
    if (const auto failure = session_.start()) {
      step.said = failure->reason;
    } else {
      step.said = session_.leave();
    }
    if (!step.said.empty()) step.outcome = Outcome::adapter;
    step.evidence = session_.take_evidence();
    add(step);
  }

  std::vector<SmokeStep> steps() { return std::move(steps_); }

 private:
  static void judge_damaged(const Answer& answer, SmokeStep& step) {
    if (answer.failure) {
      step.outcome = answer.failure->verdict == Verdict::adapter ? Outcome::adapter : Outcome::runtime;
      step.said = answer.failure->reason;
    } else if (answer.body.contains("unsupported")) {
      step.outcome = Outcome::adapter;
      step.said = fmt::format(
          "a damaged file was answered unsupported ({}), expected refused: unsupported is for what the runtime itself "
          "says it lacks",
          answer.body.at("unsupported").dump());
    } else if (!answer.body.contains("refused")) {
      step.outcome = Outcome::runtime;
      step.said = "a file that is no model at all was loaded";
    }
  }

  void add(SmokeStep step) {
    if (step.cause.empty()) step.cause = step.said;
    if (step.own.empty()) step.own = step.said;
    if (tell_) tell_(step);
    steps_.push_back(std::move(step));
  }

  const Suite& suite_;
  Session& session_;
  const std::function<void(const SmokeStep&)>& tell_;
  std::vector<Trial> trials_;
  std::vector<SmokeStep> steps_;
};

}  // namespace

std::vector<std::string> smoke_vectors(std::span<const std::string> systems) {
  static const std::vector<std::string> all{
      "onnx/if/then-when-true/test-cc-if",         "onnx/if/else-when-false/test-cc-if-else",
      "onnx/if/same-data-type/sequences-of-float", "onnx/if/same-data-type/sequences-of-float-and-int64",
      "onnx/if/types-of-opset/sequence-of-string", "openvino/if/then-when-true/negated",
      "openvino/if/else-when-false/doubled",       "openvino/if/output-type/doubles",
      "openvino/if/output-type/fifth-example",     "openvino/if/any-type/string",
      "tflite/if/then-when-true/add-or-negate",    "tflite/if/else-when-false/add-or-negate",
      "tflite/if/subgraph-index/in-range",         "tflite/if/subgraph-index/then-99",
      "tflite/subgraph/value-unchanged/string"};
  std::vector<std::string> chosen;
  std::ranges::copy_if(all, std::back_inserter(chosen), [&](const std::string& id) {
    return std::ranges::find(systems, id.substr(0, id.find('/'))) != systems.end();
  });
  return chosen;
}

std::vector<std::vector<const SmokeStep*>> smoke_causes(std::span<const SmokeStep> steps) {
  std::map<std::string_view, std::size_t> places;
  std::vector<std::vector<const SmokeStep*>> causes;
  for (const SmokeStep& step : steps) {
    if (step.outcome == Outcome::ok || step.outcome == Outcome::not_declared) continue;
    const auto [place, is_new] = places.emplace(step.cause, causes.size());
    if (is_new) causes.emplace_back();
    causes[place->second].push_back(&step);
  }
  std::ranges::stable_sort(causes, std::ranges::greater{}, &std::vector<const SmokeStep*>::size);
  return causes;
}

std::vector<SmokeStep> smoke(const Project& project, const Adapter& adapter, const Suite& suite,
                             std::span<const std::string> ids, const Limits& limits,
                             const std::function<void(const SmokeStep&)>& tell) {
  const Schema answers(project.protocol("answer.schema.json"));
  Session session(project, adapter, answers, limits);
  Smoke smoke(suite, session, tell);
  if (!smoke.starts()) return smoke.steps();
  smoke.tries(ids);
  const Vector& first = vector_of(suite, ids.front());
  smoke.loads_twice(first);
  for (const std::string& system : adapter.systems) {
    const auto of_system =
        std::ranges::find_if(ids, [&](const std::string& id) { return id.starts_with(system + "/"); });
    if (of_system != ids.end()) smoke.refuses_a_damaged_file(vector_of(suite, *of_system));
  }
  if (session.identity().computes) {
    const json load = first.summary.steps.at(0);
    const json run = first.summary.steps.at(1).at("run");
    json held = run;
    held["hold"] = true;
    const json again{{"reread", {{"step", 1}, {"expect", run.at("expect")}}}};
    smoke.tries_steps("it holds outputs", first, {load, {{"run", held}}, {{"run", run}}, again}, "hold");
    const json runs{{"concurrent", {{"runs", json(std::vector<json>(threads, run))}}}};
    smoke.tries_steps("it runs in four threads at once", first, {load, runs}, "threads");
  }
  smoke.leaves();
  return smoke.steps();
}

}  // namespace ifcert::conformance
