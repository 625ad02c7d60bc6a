// Judges an adapter's answers to a vector, without the reference.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "conformance/results/certification.hpp"

namespace ifcert::conformance {

/// A verdict that ends a vector, and the details that its Result reports.
struct Ruling {
  Verdict verdict = Verdict::pass;
  Fault fault = Fault::none;
  std::string reason{};
  std::string link{};
  bool by_refusal = false;            // it passed because it was refused: that counts only if the twin is accepted
  std::optional<std::size_t> step{};  // the step that decided (the refused one, for a refusal), counted from 0
  std::optional<std::size_t> concurrent_run{};  // the run that decided, if the step has concurrent runs
};

/// UNSUPPORTED when the vector needs a feature that hello declared as missing, or needs `hold` or `threads` and hello
/// did not declare them (docs/vectors.md, "needs"); otherwise nothing.
std::optional<Ruling> judge_needs(const nlohmann::json& needs, const AdapterIdentity& adapter);

/// Judges one vector on one adapter: receives the answers step by step until one ends the vector.
///
/// Where the load expects `loaded`, each run is judged by itself. Where it expects `refused`, the answer `loaded` does
/// not end the vector: a refusal in any later step passes. A runtime that computes every step has accepted an illegal
/// model: that is LENIENT, or FAIL (wrongly-accepted) where a text obliges the implementation to refuse it. The same
/// holds where a legal model computes a run that should have been refused. If that is LENIENT, the later runs are
/// judged too, and if one of them fails, its failure is the ruling.
class Judge {
 public:
  /// The vector's summary must outlive the judge.
  Judge(const VectorSummary& vector, const AdapterIdentity& adapter);

  /// The ruling on the answer to step `index`, or nothing when the vector continues. The answer must match the schema,
  /// and be one of loaded (to a load), outputs (to a run or reread), runs (to concurrent runs), refused, unsupported.
  /// Concurrent runs are judged one by one, in order.
  std::optional<Ruling> judge_step(std::size_t index, const nlohmann::json& answer);

  /// The ruling when every step was answered and no answer ended the vector. Its step: the last one if an illegal model
  /// was accepted; otherwise the first run that was accepted although it should have been refused, or the first one
  /// that was refused, as the vector allows; otherwise none.
  Ruling judge_end() const;

 private:
  std::optional<Ruling> ruling_on_step(std::size_t index, const nlohmann::json& answer);
  std::optional<Ruling> judge_load(const nlohmann::json& expected, const nlohmann::json& answer);
  std::optional<Ruling> judge_run(const nlohmann::json& answer, std::size_t step,
                                  std::optional<std::size_t> concurrent_run = {});
  std::optional<Ruling> judge_concurrent(std::size_t index, const nlohmann::json& answer);
  Ruling judge_unsupported(const nlohmann::json& unsupported) const;
  std::optional<Ruling> judge_load_by_checker() const;  // of an adapter that runs no models
  Ruling ruling_on_wrong_acceptance(std::string reason) const;

  const VectorSummary& vector_;
  const nlohmann::json& steps_;
  const AdapterIdentity& adapter_;
  nlohmann::json declared_ = nlohmann::json::array();  // the types of the outputs, from the answer to the load
  bool wrongly_loaded_ = false;                        // the model was loaded, although its load expects `refused`
  std::optional<Ruling> first_refused_run_;            // of a legal model; the vector allows these refusals
  std::optional<Ruling> first_lenient_run_;            // of a legal model; should have been refused
};

/// The outcome that step `index` expects. In a step with concurrent runs, that of run number `concurrent_run`; null
/// where no run is singled out.
const nlohmann::json& expected_outcome(const nlohmann::json& steps, std::size_t index,
                                       std::optional<std::size_t> concurrent_run = {});

}  // namespace ifcert::conformance
