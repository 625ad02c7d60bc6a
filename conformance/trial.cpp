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

/// Runs one vector. run() returns the ruling, and fills in the other details of the trial.
class VectorRun {
 public:
  VectorRun(Session& session, const Vector& vector, Trial& trial)
      : session_(session), vector_(vector), steps_(vector.summary.steps), result_(trial.result), trial_(trial) {}

  Ruling run() {
    if (!vector_.unusable.empty()) return {Verdict::harness, Fault::none, vector_.unusable};
    if (const auto failure = session_.start()) return ruling_of(*failure);
    if (std::ranges::find(session_.formats(), vector_.summary.system) == session_.formats().end()) {
      return {Verdict::adapter, Fault::none,
              fmt::format("hello does not declare that it reads {}", vector_.summary.system)};
    }
    if (const auto ruling = judge_needs(vector_.needs, session_.identity())) return *ruling;
    Ruling ruling = run_steps();
    if (!trial_.process_ended) read_remaining_answers(ruling);
    return ruling;
  }

 private:
  Ruling run_steps() {
    send_all_requests();
    Judge judge(vector_.summary, session_.identity());
    for (std::size_t index = 0; index < sent_; ++index) {
      if (auto ruling = judge_answer(judge, index, next_answer())) return *ruling;
    }
    return judge.judge_end();
  }

  /// The ruling, if this answer ends the vector.
  std::optional<Ruling> judge_answer(Judge& judge, std::size_t index, Answer answer) {
    result_.step = index;
    result_.phase = index == 0 ? "load" : "run";
    if (answer.failure) return ruling_on_ended_process(*answer.failure);
    trial_.loaded = trial_.loaded || answer.body.contains("loaded");
    if (answer.runtime_milliseconds) add_time(*answer.runtime_milliseconds);
    auto ruling = judge.judge_step(index, answer.body);
    const bool one_of_several = ruling && ruling->concurrent_run;
    result_.got = one_of_several ? answer.body.at("runs").at(*ruling->concurrent_run) : std::move(answer.body);
    return ruling;
  }

  /// Sends all requests for the model at once, including the unload, for two reasons: waking the adapter for each would
  /// cost more than all the rest of a trial, and a request that is sent only after an expected answer would reveal
  /// which answer was expected. An adapter that runs no models is sent no runs.
  void send_all_requests() {
    while (sent_ < steps_.size() && (session_.identity().runs_models || steps_[sent_].contains("load")))
      pending_.push_back(request_of(sent_++));
    pending_.push_back(session_.unload());
  }

  Request request_of(std::size_t index) {
    const json& step = steps_[index];
    if (step.contains("load")) return session_.load(vector_.summary.system, vector_.files);
    if (step.contains("reread")) return session_.reread(held_.at(step.at("reread").at("step").get<std::size_t>()));
    if (step.contains("concurrent")) return session_.concurrent(step.at("concurrent").at("runs"));
    const json& run = step.at("run");
    Request request = session_.run(run.at("inputs"), run.value("hold", false));
    held_[index] = request.id;
    return request;
  }

  Answer next_answer() {
    const Request request = std::move(pending_.front());
    pending_.pop_front();
    return session_.answer(request);
  }

  void add_time(double runtime_milliseconds) {
    result_.runtime_milliseconds = result_.runtime_milliseconds.value_or(0) + runtime_milliseconds;
  }

  Ruling ruling_on_ended_process(const Failure& failure) {
    trial_.process_ended = true;
    result_.got = nullptr;
    result_.signal = failure.signal;
    trial_.used_up_processor_time = failure.used_up_processor_time;
    return ruling_of(failure);
  }

  /// Reads the answers after the one that ended the vector, including the one to the unload. A failure in one of them
  /// replaces a pass; it is added to the reason of any other ruling.
  void read_remaining_answers(Ruling& ruling) {
    while (!pending_.empty() && !trial_.process_ended) {
      // After a load that was not accepted, the adapter answers the remaining runs with `skipped`.
      if (!trial_.loaded) pending_.front().kinds.emplace_back("skipped");
      const bool unloads = pending_.size() == 1;
      const Answer answer = next_answer();
      if (answer.runtime_milliseconds) add_time(*answer.runtime_milliseconds);
      if (answer.failure)
        add_later_failure(ruling, *answer.failure,
                          unloads ? "while the model was unloaded" : "after the answer that decided");
    }
  }

  void add_later_failure(Ruling& ruling, const Failure& failure, const char* when) {
    trial_.process_ended = true;
    if (ruling.verdict != Verdict::pass) {
      ruling.reason += fmt::format("; {}: {}", when, failure.reason);
      return;
    }
    ruling = ruling_on_ended_process(failure);
    ruling.reason = fmt::format("{}: {}", when, ruling.reason);
  }

  Session& session_;
  const Vector& vector_;
  const json& steps_;
  Result& result_;
  Trial& trial_;
  std::deque<Request> pending_;                // not answered yet
  std::size_t sent_ = 0;                       // the number of steps that were sent
  std::map<std::size_t, std::uint64_t> held_;  // by step: the id of its request, which a reread refers to
};

}  // namespace

Trial try_vector(Session& session, const Vector& vector) {
  const auto started = std::chrono::steady_clock::now();
  Trial trial{.result = {}, .twin = vector.summary.twin};
  Result& result = trial.result;
  result.adapter = session.identity().name;
  result.vector = vector.summary.id;
  result.rule = vector.summary.rule;
  const Ruling ruling = VectorRun(session, vector, trial).run();
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
  result.evidence = session.take_error_output();
  result.milliseconds = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - started).count();
  if (result.runtime_milliseconds)
    result.runtime_milliseconds = std::min(*result.runtime_milliseconds, result.milliseconds);
  return trial;
}

}  // namespace ifcert::conformance
