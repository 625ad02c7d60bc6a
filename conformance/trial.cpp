#include "conformance/trial.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>

#include "conformance/judge.hpp"

namespace ifcert::conformance {

using nlohmann::json;

namespace {

Ruling ruling_of(const Failure& failure) {
  return {failure.verdict, Fault::none, failure.reason};
}

/// The course of one trial: fills in the result.
class Course {
 public:
  Course(Session& session, const Vector& vector, Trial& trial)
      : session_(session), vector_(vector), steps_(vector.summary.steps), result_(trial.result), trial_(trial) {}

  Ruling rule() {
    if (!vector_.spoilt.empty()) return {Verdict::harness, Fault::none, vector_.spoilt};
    if (const auto failure = session_.start()) return ruling_of(*failure);
    if (std::ranges::find(session_.formats(), vector_.summary.system) == session_.formats().end()) {
      return {Verdict::adapter, Fault::none,
              fmt::format("hello does not say that it reads {}", vector_.summary.system)};
    }
    if (const auto ruling = judge_needs(vector_.needs, session_.identity())) return *ruling;
    Ruling ruling = rule_on_steps();
    if (trial_.loaded && !broken_) unload(ruling);
    return ruling;
  }

 private:
  Ruling rule_on_steps() {
    Judge judge(steps_, session_.identity());
    for (std::size_t index = 0; index < steps_.size(); ++index) {
      Answer answer = send(index);
      result_.step = index;
      result_.phase = index == 0 ? "load" : "run";
      if (answer.failure) return broken(*answer.failure);
      trial_.loaded = trial_.loaded || answer.body.contains("loaded");
      if (answer.runtime_milliseconds) {
        result_.runtime_milliseconds = result_.runtime_milliseconds.value_or(0) + *answer.runtime_milliseconds;
      }
      auto ruling = judge.judge_step(index, answer.body);
      const bool one_of_several = ruling && ruling->concurrent_run;
      result_.got = one_of_several ? answer.body.at("runs").at(*ruling->concurrent_run) : std::move(answer.body);
      if (ruling) return *ruling;
    }
    return judge.judge_end();
  }

  Answer send(std::size_t index) {
    const json& step = steps_[index];
    if (step.contains("load")) return session_.load(vector_.summary.system, vector_.model);
    if (step.contains("reread")) return session_.reread(held_.at(step.at("reread").at("step").get<std::size_t>()));
    if (step.contains("concurrent")) return session_.concurrent(step.at("concurrent").at("runs"));
    const json& run = step.at("run");
    const bool hold = run.value("hold", false);
    Answer answer = session_.run(run.at("inputs"), hold);
    if (hold) held_[index] = answer.id;
    return answer;
  }

  Ruling broken(const Failure& failure) {
    broken_ = true;
    result_.got = nullptr;
    result_.signal = failure.signal;
    return ruling_of(failure);
  }

  /// What was found before stands, unless nothing was wrong until then.
  void unload(Ruling& ruling) {
    const Answer answer = session_.unload();
    if (!answer.failure || ruling.verdict != Verdict::pass) return;
    ruling = broken(*answer.failure);
    ruling.reason = fmt::format("while the model was unloaded: {}", ruling.reason);
  }

  Session& session_;
  const Vector& vector_;
  const json& steps_;
  Result& result_;
  Trial& trial_;
  std::map<std::size_t, std::uint64_t> held_;  // the ids of the runs that hold, by step
  bool broken_ = false;
};

}  // namespace

Trial try_vector(Session& session, const Vector& vector) {
  const auto started = std::chrono::steady_clock::now();
  Trial trial{.result = {}, .twin = vector.summary.twin};
  Result& result = trial.result;
  result.adapter = session.identity().name;
  result.vector = vector.summary.id;
  result.rule = vector.summary.rule;
  const Ruling ruling = Course(session, vector, trial).rule();
  result.verdict = ruling.verdict;
  result.fault = ruling.fault;
  result.reason = ruling.reason;
  result.link = ruling.link;
  trial.by_refusal = ruling.by_refusal;
  if (result.step && result.verdict != Verdict::pass) {
    result.expected = expected_outcome(vector.summary.steps, *result.step, ruling.concurrent_run.value_or(0));
  } else if (!ruling.by_refusal) {
    result.got = nullptr;
  }
  if (result.verdict == Verdict::pass && !ruling.by_refusal) {
    result.phase.clear();
    result.step.reset();
  }
  result.evidence = session.take_evidence();
  result.milliseconds = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - started).count();
  return trial;
}

}  // namespace ifcert::conformance
