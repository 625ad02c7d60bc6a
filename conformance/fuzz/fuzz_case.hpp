// What a seed makes of a model: cases that are sent to a runtime and judged like vectors.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/suite.hpp"
#include "generator/computed.hpp"
#include "generator/generate.hpp"

namespace ifcert::conformance {

struct FuzzCase {
  std::uint64_t seed = 0;
  std::string kind;  // "model", "relation negate-conds", "fault no-input"
  std::string rule;  // that the fault breaks; empty for legal models
  Format format = Format::onnx;
  generator::Generated generated;  // of a legal model, as the shrinker changes it
  Vector vector;
};

struct SeedCases {
  std::vector<FuzzCase> cases;
  std::vector<std::string> troubles;  // where our own parts disagree, so that the runtime is not asked
};

struct FuzzKinds {
  bool relations = false;
  unsigned invalid_percent = 20;  // so many of a hundred seeds also make an illegal model
};

/// The cases of that seed in that format: the model first, then its relatives, then a model that breaks a rule.
SeedCases cases_of(std::uint64_t seed, Format format, const FuzzKinds& kinds);

/// The case of that kind among them. Throws Error where the seed does not make it.
FuzzCase case_of(std::uint64_t seed, Format format, const std::string& kind);

/// The vector of a legal model that computes: what is expected is what the reference computed.
Vector vector_of(const std::string& id, const generator::Computed& computed,
                 const std::vector<std::vector<Value>>& runs);

/// "onnx", "openvino", "tflite", and the reverse; nothing for an unknown name.
std::string name_of(Format format);
std::optional<Format> format_named(std::string_view name);

}  // namespace ifcert::conformance
