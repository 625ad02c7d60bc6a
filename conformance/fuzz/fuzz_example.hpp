// A failure of a runtime on a generated model, and what is kept of it: plain data that the journal stores.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "conformance/certification.hpp"
#include "conformance/model_folder.hpp"
#include "conformance/suite.hpp"

namespace ifcert::conformance {

/// A case that failed, without its values, which the seed determines.
struct FuzzFailure {
  std::uint64_t seed = 0;
  std::string format;   // "onnx", …
  std::string kind;     // as in FuzzCase
  std::string verdict;  // verdict_line()
  std::string cause;
};

/// A model with its runs, and what the runtime did.
struct Shown {
  ModelFiles files;
  nlohmann::json steps;
  Result result;
};

/// A failure that was tried again, alone in a fresh process, and made smaller.
struct FuzzExample {
  FuzzFailure failure;
  std::string unstable;  // how it ended in the fresh process, where that was otherwise; then nothing was made smaller
  Shown original;
  std::optional<Shown> small;
  std::string form;       // of the smallest model
  std::size_t nodes = 0;  // that it has
  std::size_t tries = 0;  // models that were tried on the way
  bool complete = false;  // no single change makes it smaller

  const Shown& smallest() const { return small ? *small : original; }
};

/// A failure of the runtime. ADAPTER, HARNESS and NOT-RUN say nothing of it; LENIENT and UNSUPPORTED are none.
bool is_finding(const Result& result);

/// A text that is equal for failures that probably have the same cause. For a process that died it has the last words
/// of its standard error too.
std::string cause_of_failure(const Result& result);

/// Whether a smaller model still shows the same: the same verdict and fault, and for a refusal or a dead process also
/// the same cause.
bool shows_the_same(const Result& one, const Result& other);

nlohmann::ordered_json json_of(const FuzzFailure& failure);
nlohmann::ordered_json json_of(const FuzzExample& example);
FuzzFailure failure_from(const nlohmann::json& line);
FuzzExample example_from(const nlohmann::json& line);

}  // namespace ifcert::conformance
