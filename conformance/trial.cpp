#include "conformance/trial.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <deque>
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
    if (!broken_) leave(ruling);
    return ruling;
  }

 private:
  /// Steps are asked at once: to wake an adapter for each message costs more than all the rest. Only where the model
  /// may rightly be refused there may be nothing to run.
  Ruling rule_on_steps() {
    Judge judge(steps_, session_.identity());
    asked_.push_back(session_.load(vector_.summary.system, vector_.model));
    const bool sure = session_.identity().computes && steps_[0].at("load").at("expect").contains("loaded");
    if (sure) ask_the_rest();
    if (auto ruling = rule_on(judge, 0, next_answer())) return *ruling;
    if (!sure) ask_the_rest();
    for (std::size_t index = 1; index < steps_.size(); ++index) {
      if (auto ruling = rule_on(judge, index, next_answer())) return *ruling;
    }
    return judge.judge_end();
  }

  /// The ruling, where this answer ends the matter.
  std::optional<Ruling> rule_on(Judge& judge, std::size_t index, Answer answer) {
    result_.step = index;
    result_.phase = index == 0 ? "load" : "run";
    if (answer.failure) return broken(*answer.failure);
    trial_.loaded = trial_.loaded || answer.body.contains("loaded");
    if (answer.runtime_milliseconds) add_time(*answer.runtime_milliseconds);
    auto ruling = judge.judge_step(index, answer.body);
    const bool one_of_several = ruling && ruling->concurrent_run;
    result_.got = one_of_several ? answer.body.at("runs").at(*ruling->concurrent_run) : std::move(answer.body);
    return ruling;
  }

  void ask_the_rest() {
    std::map<std::size_t, std::uint64_t> held;  // the ids of the runs that hold, by step
    for (std::size_t index = 1; index < steps_.size(); ++index) {
      const json& step = steps_[index];
      if (step.contains("reread")) {
        asked_.push_back(session_.reread(held.at(step.at("reread").at("step").get<std::size_t>())));
      } else if (step.contains("concurrent")) {
        asked_.push_back(session_.concurrent(step.at("concurrent").at("runs")));
      } else {
        const json& run = step.at("run");
        asked_.push_back(session_.run(run.at("inputs"), run.value("hold", false)));
        held[index] = asked_.back().id;
      }
    }
    asked_.push_back(session_.unload());
  }

  Answer next_answer() {
    const Request request = std::move(asked_.front());
    asked_.pop_front();
    return session_.answer(request);
  }

  void add_time(double runtime_milliseconds) {
    result_.runtime_milliseconds = result_.runtime_milliseconds.value_or(0) + runtime_milliseconds;
  }

  Ruling broken(const Failure& failure) {
    broken_ = true;
    result_.got = nullptr;
    result_.signal = failure.signal;
    return ruling_of(failure);
  }

  /// Takes the answers that nobody waits for any more, and that to the unload. What was found before stands, unless
  /// nothing was wrong until then.
  void leave(Ruling& ruling) {
    if (asked_.empty() && trial_.loaded) asked_.push_back(session_.unload());
    while (!asked_.empty() && !broken_) {
      if (!trial_.loaded) asked_.front().kinds.emplace_back("skipped");
      const Answer answer = next_answer();
      if (answer.runtime_milliseconds) add_time(*answer.runtime_milliseconds);
      if (!answer.failure) continue;
      broken_ = true;
      if (ruling.verdict != Verdict::pass) continue;
      ruling = broken(*answer.failure);
      ruling.reason = fmt::format("while the model was unloaded: {}", ruling.reason);
    }
  }

  Session& session_;
  const Vector& vector_;
  const json& steps_;
  Result& result_;
  Trial& trial_;
  std::deque<Request> asked_;  // and not yet answered
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
  if (result.runtime_milliseconds)
    result.runtime_milliseconds = std::min(*result.runtime_milliseconds, result.milliseconds);
  return trial;
}

}  // namespace ifcert::conformance
