#include "conformance/certify/trial.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <deque>
#include <map>
#include <vector>

#include "conformance/suite/judge.hpp"
#include "conformance/suite/kept_words.hpp"
#include "conformance/suite/value_needs.hpp"
#include "conformance/system/json_text.hpp"

namespace ifcert::conformance {

using nlohmann::json;

namespace {

Ruling ruling_of(const Failure& failure) {
  return {failure.verdict, Fault::none, failure.reason};
}

/// Runs one vector. run() returns the ruling, and fills in the details of the trial that a ruling lacks.
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
    for (const auto& needs : {vector_.needs, value_needs(vector_.summary)}) {
      if (const auto ruling = judge_needs(needs, session_.identity())) return *ruling;
    }
    Ruling ruling = run_steps();
    if (!process_ended_) read_remaining_answers(ruling);
    if (ruling.step) record_deciding_step(ruling);
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
    if (answer.failure) {
      Ruling ruling = ruling_on_ended_process(*answer.failure);
      ruling.step = index;
      return ruling;
    }
    trial_.loaded = trial_.loaded || answer.body.contains("loaded");
    if (answer.runtime_milliseconds) add_time(*answer.runtime_milliseconds);
    auto ruling = judge.judge_step(index, answer.body);
    answers_.push_back(kept_answer(answer.body));
    return ruling;
  }

  void record_deciding_step(const Ruling& ruling) {
    const std::size_t step = *ruling.step;
    result_.step = step;
    result_.phase = step == 0 ? "load" : "run";
    if (ruling.verdict != Verdict::pass) result_.expected = expected_outcome(steps_, step, ruling.concurrent_run);
    if (step == answers_.size()) return;  // the process ended instead of answering
    result_.got = ruling.concurrent_run ? answers_[step].at("runs").at(*ruling.concurrent_run) : answers_[step];
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
    Answer answer = session_.answer(request);
    trial_.bytes += answer.bytes;
    const std::size_t most = session_.limits().vector_answers;
    if (answer.failure || trial_.bytes <= most) return answer;
    session_.kill();
    return {.failure = Failure{Verdict::adapter, fmt::format("its answers to this vector have {} bytes by now; the "
                                                             "limit is {}",
                                                             trial_.bytes, most)}};
  }

  void add_time(double runtime_milliseconds) {
    result_.runtime_milliseconds = result_.runtime_milliseconds.value_or(0) + runtime_milliseconds;
  }

  Ruling ruling_on_ended_process(const Failure& failure) {
    process_ended_ = true;
    result_.signal = failure.signal;
    trial_.may_be_due_to_earlier_vectors = failure.may_be_due_to_earlier_vectors;
    return ruling_of(failure);
  }

  /// Reads the answers after the one that ended the vector, including the one to the unload.
  void read_remaining_answers(Ruling& ruling) {
    while (!pending_.empty() && !process_ended_) {
      const bool unloads = pending_.size() == 1;
      // After a load that was not accepted, the adapter answers the remaining runs with `skipped`.
      if (!trial_.loaded && !unloads) pending_.front().kinds.emplace_back("skipped");
      const Answer answer = next_answer();
      if (answer.runtime_milliseconds) add_time(*answer.runtime_milliseconds);
      if (answer.failure)
        add_later_failure(ruling, *answer.failure,
                          unloads ? "while the model was unloaded" : "after the answer that decided the verdict");
    }
  }

  /// Adds a failure of the process that came after the answer that decided the verdict. A ruling that is a failure
  /// keeps its verdict and its step. Any other is replaced by one without a step; the reason mentions it too, unless it
  /// was PASS.
  void add_later_failure(Ruling& ruling, const Failure& failure, const char* when) {
    process_ended_ = true;
    if (is_failure(ruling.verdict)) {
      ruling.reason += fmt::format("; {}: {}", when, failure.reason);
      return;
    }
    const std::string earlier = ruling.verdict == Verdict::pass
                                    ? ""
                                    : fmt::format("; before that, {}: {}", to_string(ruling.verdict), ruling.reason);
    ruling = ruling_on_ended_process(failure);
    ruling.reason = fmt::format("{}: {}{}", when, failure.reason, earlier);
  }

  Session& session_;
  const Vector& vector_;
  const json& steps_;
  Result& result_;
  Trial& trial_;
  std::deque<Request> pending_;                // not answered yet
  bool process_ended_ = false;                 // before it gave a valid answer to every request
  std::vector<json> answers_;                  // kept_answer() of each step, until one ended the vector
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
  result.reason = cut_word(ruling.reason, max_reason);
  result.link = ruling.link;
  trial.by_refusal = ruling.by_refusal;
  result.evidence = session.take_error_output();
  result.milliseconds = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - started).count();
  if (result.runtime_milliseconds)
    result.runtime_milliseconds = std::min(*result.runtime_milliseconds, result.milliseconds);
  keep_within(result, max_words_of_vector);
  return trial;
}

}  // namespace ifcert::conformance
