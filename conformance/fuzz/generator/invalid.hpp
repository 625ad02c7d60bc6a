// Models that break exactly one rule, anywhere: in a branch that is taken or not, in a loop, in a function.
#pragma once

#include <cstdint>
#include <ifcert/translate.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/fuzz/generator/faults/fault.hpp"
#include "conformance/fuzz/generator/generate.hpp"

namespace ifcert::generator {

struct Invalid {
  std::vector<WrittenFile> files;
  std::string_view fault;   // the name of the change that was made to a legal model
  std::string_view rule;    // the rule that it breaks
  Generated original = {};  // the legal model
  Random choices{0};        // with which `make` made this model of the legal one
  std::vector<WrittenFile> (*make)(Model model, Random& random) = nullptr;  // the change
};

/// Every fault that a model of that format can get.
std::vector<faults::Fault> faults_of(Format format);

/// The illegal model of that seed, in that format.
Invalid generate_invalid(std::uint64_t seed, Format format = Format::onnx);

}  // namespace ifcert::generator
