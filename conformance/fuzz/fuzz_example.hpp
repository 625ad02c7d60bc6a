// A failure of a runtime on a generated model: plain data that the journal stores.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "conformance/results/certification.hpp"
#include "conformance/suite/model_folder.hpp"
#include "conformance/suite/suite.hpp"

namespace ifcert::conformance {

/// A case that failed. Its model and values are not stored, because the seed determines them.
struct FuzzFailure {
  std::uint64_t seed = 0;
  std::string format;   // "onnx", …
  std::string kind;     // as in FuzzCase
  std::string verdict;  // verdict_line()
  std::string cause;
};

/// A model with its runs, and the runtime's result.
struct Shown {
  ModelFiles files;
  nlohmann::json steps;
  Result result;
};

/// A failure that was tried again, alone in a fresh process, and made smaller.
struct FuzzExample {
  FuzzFailure failure;
  std::string unstable;  // the other result in the fresh process, if it was not a failure; then nothing is made smaller
  Shown original;
  std::optional<Shown> small;
  std::string form;       // of the smallest model
  std::size_t nodes = 0;  // of the smallest model
  std::size_t tries = 0;  // how many models were tried to find it
  bool complete = false;  // no single change makes it smaller

  const Shown& smallest() const { return small ? *small : original; }
};

/// Whether the result is a failure of the runtime. ADAPTER, HARNESS and NOT-RUN show nothing about the runtime; LENIENT
/// and UNSUPPORTED are not failures.
bool is_finding(const Result& result);

/// A text that is equal for failures that probably have the same cause. For a process that crashed it includes the last
/// line of its standard error.
std::string cause_of_failure(const Result& result);

/// Whether a smaller model still shows the same failure: the same verdict and fault and, unless the failure is about
/// values, the same cause.
bool shows_the_same(const Result& one, const Result& other);

nlohmann::ordered_json json_of(const FuzzFailure& failure);
nlohmann::ordered_json json_of(const FuzzExample& example);
FuzzFailure failure_from(const nlohmann::json& line);
FuzzExample example_from(const nlohmann::json& line);

}  // namespace ifcert::conformance
