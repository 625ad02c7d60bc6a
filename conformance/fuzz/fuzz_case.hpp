// The cases that a seed determines: models that are sent to a runtime and judged like vectors.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "conformance/fuzz/generator/computed.hpp"
#include "conformance/fuzz/generator/generate.hpp"
#include "conformance/fuzz/generator/illegal_form.hpp"
#include "conformance/fuzz/rewritten.hpp"
#include "conformance/suite/suite.hpp"

namespace ifcert::conformance {

struct FuzzCase {
  std::uint64_t seed = 0;
  std::string kind;  // "model", "relation negate-conds", "relation rewritten raw-data", "fault no-input"
  std::string rule;  // the rule that the fault breaks; empty for legal models
  Format format = Format::onnx;
  generator::Generated generated;  // the model in the form that shrink() changes; for an illegal one, before its fault
  Vector vector;
  std::optional<generator::IllegalForm> illegal{};  // how candidates get the fault again
  RewritingChain rewritings{};                      // how the files of candidates are written anew
};

struct SeedCases {
  std::vector<FuzzCase> cases;
  std::vector<std::string> troubles;  // cases that are not run, because the reference disagrees with itself
};

struct FuzzKinds {
  bool relations = false;
  unsigned invalid_percent = 20;  // the percentage of seeds that also make an illegal model
};

/// The cases of that seed in that format: the model first, then its relatives, the last of them the model itself in a
/// file that is written otherwise, then a model that breaks a rule.
SeedCases cases_of(std::uint64_t seed, Format format, const FuzzKinds& kinds);

/// The case of that kind. Throws Error if the seed has no such case.
FuzzCase case_of(std::uint64_t seed, Format format, const std::string& kind);

/// The vector of a legal model that computes; it expects what the reference computed. `manner` is that of the runs.
Vector vector_of(const std::string& id, const generator::Computed& computed,
                 const std::vector<std::vector<Value>>& runs, generator::Manner manner = generator::Manner::in_turn);

/// The vector of an illegal model: a refusal is expected. No text obliges a runtime to refuse, so one that computes the
/// model is lenient. `main` names the inputs of the runs.
Vector vector_of_illegal(const std::string& id, Format format, const generator::Files& files, const Graph& main,
                         const std::vector<std::vector<Value>>& runs);

}  // namespace ifcert::conformance
