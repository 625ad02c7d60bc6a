// The model that `ifcert shrink` makes smaller: from a file, or from a finding of a campaign.
#pragma once

#include <cstdint>
#include <filesystem>
#include <ifcert/delegate.hpp>
#include <ifcert/reading.hpp>
#include <optional>
#include <vector>

#include "conformance/fuzz/campaign.hpp"
#include "conformance/fuzz/generator/generate.hpp"

namespace ifcert::conformance {

/// The model with its runs.
struct ShrinkInput {
  generator::Generated generated;
  Format format = Format::onnx;
  std::optional<generator::IllegalForm> illegal = std::nullopt;  // of a model that breaks rules
  std::uint64_t seed = 0;                                        // of a finding
  std::string kind = "given";                                    // of a finding, as in FuzzCase
  Delegate delegate = {};                                        // computes what the reference lacks
};

/// Throws Error where the model breaks rules and its graph form, written again, does not break the same ones.
ShrinkInput shrink_input_from(Reading reading, std::vector<std::vector<Value>> runs);

/// The model and the runs of a finding. `finding` is its folder, or the finding.json in it. An illegal model whose
/// fault its graph form loses is generated again. Throws Error.
ShrinkInput read_finding(const std::filesystem::path& finding);

/// Whether the path is the folder of a finding, or its finding.json.
bool is_finding(const std::filesystem::path& path);

/// Three runs with random inputs of the declared types; sizes that are not declared are from 1 to 3. Throws Error for
/// an input that is not a tensor of bool, int32, int64, float32 or strings.
std::vector<std::vector<Value>> any_runs(const Graph& main, std::uint64_t seed);

/// Runs the model on the adapter and, if that fails or an illegal model is computed, makes it smaller: the campaign has
/// one finding, or none. Throws Error if a legal model does not compute.
Campaign shrink_on_adapter(const Project& project, const Adapter& adapter, const Limits& limits,
                           const generator::ShrinkLimits& shrinking, const ShrinkInput& input);

}  // namespace ifcert::conformance
