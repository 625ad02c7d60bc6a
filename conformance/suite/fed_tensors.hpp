// What the runs of a vector feed.
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "conformance/suite/model_folder.hpp"

namespace ifcert::conformance {

/// The tensors that all runs of a vector feed alike, by input, in the first run's order; those of types smaller than a
/// byte and strings are left out. Empty where a run is to be refused, or there is none. `steps` are those of a vector's
/// line, which match their schema.
std::vector<FedTensor> fed_alike(const nlohmann::json& steps);

}  // namespace ifcert::conformance
