#include "conformance/smoke/smoke.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "conformance/certify/causes.hpp"
#include "conformance/certify/trial.hpp"
#include "conformance/certify/twins.hpp"
#include "conformance/suite/selection.hpp"
#include "conformance/system/error.hpp"

namespace ifcert::conformance {
namespace {

using nlohmann::json;
using Outcome = SmokeStep::Outcome;

const Vector& vector_of(const Suite& suite, std::string_view id) {
  const Vector* found = suite.find(id);
  if (found == nullptr) throw Error(fmt::format("there is no vector {}", id));
  if (!found->unusable.empty()) throw Error(fmt::format("the vector {} cannot be used: {}", id, found->unusable));
  return *found;
}

/// A runtime may be lenient, but then it has shown no refusal.
Outcome outcome_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::pass:
      return Outcome::ok;
    case Verdict::adapter:
      return Outcome::adapter;
    case Verdict::unsupported:
    case Verdict::lenient:
    case Verdict::not_shown:
    case Verdict::not_run:
      return Outcome::not_tried;
    default:
      return Outcome::runtime;
  }
}

/// A breach of the protocol is the adapter's fault; a wrong answer counts as the runtime's.
SmokeStep step_of(const Result& result) {
  SmokeStep step{.evidence = result.evidence};
  if (result.verdict == Verdict::pass) return step;
  step.reason = fmt::format("{}: {}", verdict_line(result), result.reason);
  step.cause = cause_of(result);
  step.own = own_line(result);
  if (const std::string message = refusal_message(result); !message.empty())
    step.reason += fmt::format("; the runtime's message: {}", message);
  step.outcome = outcome_of(result.verdict);
  if (result.verdict == Verdict::unsupported) step.reason = result.reason;
  if (result.reason.find("a line that is not JSON") != std::string::npos) {
    step.reason +=
        " (did something print to standard output? Only the protocol may be written there; the SDKs redirect "
        "everything else before the runtime is imported)";
  }
  return step;
}

/// The checks of a smoke test, reported one by one.
class Smoke {
 public:
  Smoke(const Suite& suite, Session& session, const std::function<void(const SmokeStep&)>& tell)
      : suite_(suite), session_(session), tell_(tell) {}

  bool starts() {
    SmokeStep step{"start", "it starts and answers hello"};
    is_running(step);
    return add(std::move(step)) == Outcome::ok;
  }

  void tries(const SmokeCheck& check) {
    const Vector& vector = vector_of(suite_, check.vector);
    const std::string what = check.form == SmokeForm::as_it_is ? vector.summary.title : described(check.form);
    SmokeStep step = outcome(check, vector);
    step.name = check.name;
    step.what = fmt::format("{} ({})", what, check.vector);
    add(std::move(step));
  }

  void ends(const char* name, const char* what, std::string (Session::*end)(), const SmokeCheck* loaded) {
    SmokeStep step{name, what};
    if (is_running(step)) {
      if (loaded != nullptr) {
        const Vector& vector = vector_of(suite_, loaded->vector);
        take(session_.answer(session_.load(vector.summary.system, vector.files)), step);
      }
      if (step.outcome == Outcome::ok) step.reason = (session_.*end)();
    }
    if (!step.reason.empty() && step.outcome == Outcome::ok) step.outcome = Outcome::adapter;
    step.evidence = session_.take_error_output();
    add(std::move(step));
  }

  std::vector<SmokeStep> steps() { return std::move(steps_); }

 private:
  SmokeStep outcome(const SmokeCheck& check, const Vector& vector) {
    switch (check.form) {
      case SmokeForm::as_it_is:
        return tried(vector);
      case SmokeForm::replaces:
        return replaced(vector_of(suite_, check.before), vector);
      case SmokeForm::skipped:
        return skipped(vector);
      case SmokeForm::without_data:
        if (SmokeStep whole = tried(vector); whole.outcome != Outcome::ok) {
          whole.reason = "the same model with its data does not pass: " + whole.reason;
          whole.outcome = Outcome::not_tried;
          return whole;
        }
        break;
      default:
        break;
    }
    return is_damaged(check.form) ? damaged(in_form(vector, check.form), check.form)
                                  : step_of(try_vector(session_, in_form(vector, check.form)).result);
  }

  /// A refusal counts only beside its twin.
  SmokeStep tried(const Vector& vector) {
    if (!vector.summary.twin.empty()) trials_.push_back(try_vector(session_, vector_of(suite_, vector.summary.twin)));
    trials_.push_back(try_vector(session_, vector));
    std::vector<Trial> settled = std::exchange(trials_, {});
    judge_by_twins(settled, session_.identity().runs_models);
    return step_of(settled.back().result);
  }

  /// Nothing in a damaged file is unsupported: an adapter that says so would hide refusals. An empty file is a message
  /// of ONNX in which every field is absent, so accepting one is leniency.
  SmokeStep damaged(const Vector& vector, SmokeForm form) {
    const Result result = try_vector(session_, vector).result;
    SmokeStep step = step_of(result);
    if (result.got.is_object() && result.got.contains("unsupported")) {
      step.outcome = Outcome::adapter;
      step.reason = fmt::format(
          "a damaged file was answered unsupported ({}), expected refused: unsupported is for what the runtime itself "
          "says it lacks",
          result.got.at("unsupported").dump());
    } else if (result.fault == Fault::wrongly_accepted && form == SmokeForm::empty && vector.summary.system == "onnx") {
      step.outcome = Outcome::not_tried;
      step.reason = "the runtime reads an empty file as an empty model";
    } else if (result.fault == Fault::wrongly_accepted) {
      step.reason =
          session_.identity().runs_models ? "a damaged model was loaded and run" : "a damaged model was loaded";
    }
    return step;
  }

  SmokeStep replaced(const Vector& before, const Vector& vector) {
    SmokeStep step;
    if (!is_running(step)) return step;
    take(session_.answer(session_.load(before.summary.system, before.files)), step);
    return step.outcome == Outcome::ok ? tried(vector) : step;
  }

  SmokeStep skipped(const Vector& vector) {
    SmokeStep step;
    if (!is_running(step)) return step;
    const Vector junk = in_form(vector, SmokeForm::junk);
    const Request load = session_.load(junk.summary.system, junk.files);
    Request run = session_.run(junk.summary.steps.at(1).at("run").at("inputs"));
    run.kinds.emplace_back("skipped");
    const Request unload = session_.unload();
    const Answer loaded = session_.answer(load);
    const Answer ran = loaded.failure ? Answer{} : session_.answer(run);
    const Answer unloaded = loaded.failure || ran.failure ? Answer{} : session_.answer(unload);
    for (const Answer* answer : {&loaded, &ran, &unloaded}) take(*answer, step);
    if (step.outcome == Outcome::ok && !loaded.body.contains("refused")) {
      step.outcome = Outcome::not_tried;
      step.reason = "the adapter accepted a file that is not a model";
    } else if (step.outcome == Outcome::ok && !ran.body.contains("skipped")) {
      step.outcome = Outcome::adapter;
      step.reason =
          fmt::format("a run after a refused load was answered '{}', expected skipped", ran.body.begin().key());
    }
    step.evidence = session_.take_error_output();
    return step;
  }

  bool is_running(SmokeStep& step) {
    if (const auto failure = session_.start()) {
      step.outcome = Outcome::adapter;
      step.reason = failure->reason;
    }
    step.evidence = session_.take_error_output();
    return step.outcome == Outcome::ok;
  }

  /// The failure, if there was no answer.
  static void take(const Answer& answer, SmokeStep& step) {
    if (!answer.failure) return;
    step.outcome = answer.failure->verdict == Verdict::adapter ? Outcome::adapter : Outcome::runtime;
    step.reason = answer.failure->reason;
  }

  Outcome add(SmokeStep step) {
    if (step.cause.empty()) step.cause = step.reason;
    if (step.own.empty()) step.own = step.reason;
    if (tell_) tell_(step);
    steps_.push_back(std::move(step));
    return steps_.back().outcome;
  }

  const Suite& suite_;
  Session& session_;
  const std::function<void(const SmokeStep&)>& tell_;
  std::vector<Trial> trials_;
  std::vector<SmokeStep> steps_;
};

}  // namespace

std::vector<std::string> smoke_checks_without_vector() {
  return {"start", "bye", "end-of-input"};
}

std::vector<std::vector<const SmokeStep*>> smoke_causes(std::span<const SmokeStep> steps) {
  std::map<std::string_view, std::size_t> indices;
  std::vector<std::vector<const SmokeStep*>> causes;
  for (const SmokeStep& step : steps) {
    if (step.outcome == Outcome::ok || step.outcome == Outcome::not_tried) continue;
    const auto [entry, is_new] = indices.emplace(step.cause, causes.size());
    if (is_new) causes.emplace_back();
    causes[entry->second].push_back(&step);
  }
  std::ranges::stable_sort(causes, std::ranges::greater{}, &std::vector<const SmokeStep*>::size);
  return causes;
}

std::vector<SmokeStep> smoke(const Project& project, const Adapter& adapter, const Suite& suite,
                             std::span<const SmokeCheck> checks, const Limits& limits,
                             const std::function<void(const SmokeStep&)>& tell, const std::string& glob) {
  const Schema answers(project.protocol("answer.schema.json"));
  Session session(project, adapter, answers, limits);
  Smoke smoke(suite, session, tell);
  if (!smoke.starts()) return smoke.steps();
  for (const SmokeCheck& check : checks) smoke.tries(check);
  const SmokeCheck* loaded = checks.empty() ? nullptr : &checks.front();
  if (glob_matches(glob, "bye"))
    smoke.ends("bye", "bye ends it with exit code 0, while a model is loaded", &Session::say_bye, loaded);
  if (glob_matches(glob, "end-of-input"))
    smoke.ends("end-of-input", "the end of its standard input ends it with exit code 0", &Session::close_input, loaded);
  return smoke.steps();
}

}  // namespace ifcert::conformance
