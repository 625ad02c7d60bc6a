// Judges an adapter's answers to a vector, which are JSON, without ever asking the reference.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "conformance/certification.hpp"

namespace ifcert::conformance {

/// A verdict that ends a vector, and the details that a Result reports.
struct Ruling {
  Verdict verdict = Verdict::pass;
  Fault fault = Fault::none;
  std::string reason{};
  std::string link{};
  bool by_refusal = false;  // a pass that consists of a refusal: it counts only if the twin is accepted
  std::optional<std::size_t> concurrent_run{};  // which of a step's concurrent runs it is about
};

/// UNSUPPORTED when the vector needs a feature that `hello` declared missing, or needs `hold` or `threads` and `hello`
/// did not declare them (docs/vectors.md, "needs"); otherwise nothing.
std::optional<Ruling> judge_needs(const nlohmann::json& needs, const AdapterIdentity& adapter);

/// The judge of one vector on one adapter: receives the answers step by step until one ends the vector.
///
/// A load that expects `refused` and is answered `loaded` does not end it: a refusal in any later step passes, and a
/// runtime that computes every step has accepted an illegal model. That is LENIENT, or FAIL (wrongly-accepted) where a
/// text obliges the implementation to refuse. Where the load expects `loaded`, each run is judged by itself.
class Judge {
 public:
  /// The vector's summary must outlive the judge.
  Judge(const VectorSummary& vector, const AdapterIdentity& adapter);

  /// The ruling on the answer to step `index`, or nothing when the vector continues. The answer matches the schema and
  /// is one of loaded (load only), outputs (run and reread), runs (concurrent only), refused, unsupported. Concurrent
  /// runs are judged one by one, in order.
  std::optional<Ruling> judge_step(std::size_t index, const nlohmann::json& answer);

  /// The ruling when every step was answered and none ended the vector.
  Ruling judge_end() const;

 private:
  std::optional<Ruling> judge_load(const nlohmann::json& expected, const nlohmann::json& answer);
  std::optional<Ruling> judge_run(const nlohmann::json& expected, const nlohmann::json& answer);
  std::optional<Ruling> judge_concurrent(const nlohmann::json& expected_runs, const nlohmann::json& answer);
  Ruling judge_unsupported(const nlohmann::json& unsupported) const;
  std::optional<Ruling> judge_checked_only() const;
  Ruling accepted(std::string reason) const;

  const VectorSummary& vector_;
  const nlohmann::json& steps_;
  const AdapterIdentity& adapter_;
  nlohmann::json declared_ = nlohmann::json::array();  // the types of the outputs, as the load declared them
  bool refusal_awaited_ = false;
  bool refused_a_run_ = false;
};

/// The outcome that step `index` expects; for concurrent runs, that of run number `concurrent_run`.
const nlohmann::json& expected_outcome(const nlohmann::json& steps, std::size_t index, std::size_t concurrent_run = 0);

}  // namespace ifcert::conformance
