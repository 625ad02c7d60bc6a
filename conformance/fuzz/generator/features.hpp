// The constructs that a generated model contains, found by looking at the model itself.
#pragma once

#include <array>
#include <bitset>
#include <string_view>

#include "conformance/fuzz/generator/generate.hpp"

namespace ifcert::generator {

// Sorted by subject. A model is walked as it was made, in ONNX: in TensorFlow Lite, each Loop becomes a While.
inline constexpr auto feature_names = std::to_array<std::string_view>({
    "If in a branch of If",
    "If in a branch, three deep",
    "Loop",
    "Scan",
    "SequenceMap",
    "call of a function",
    "If in a function",
    "If in a Loop",
    "If in a Scan",
    "If in a SequenceMap",
    "loop in a branch",
    "loop in a loop",
    "call in a branch",
    "attribute passed by a call",
    "attribute with a default",
    "cond is fed",
    "cond is an overridable initializer",
    "cond is constant",
    "cond is computed from constants",
    "cond is computed from values",
    "cond is the output of an If",
    "cond has an axis",
    "cond differs between runs",
    "one cond for several Ifs",
    "capture of the graph around",
    "capture through one graph",
    "capture through two graphs or more",
    "capture of an input",
    "capture of an initializer",
    "capture of the output of an If",
    "branches of different shapes",
    "branches of different ranks",
    "branch with an initializer",
    "branch with a Constant",
    "branch returns an outer value",
    "branch returns an initializer or Constant",
    "branch cannot run",
    "siblings share a name",
    "several outputs of an If",
    "output of an If without a use",
    "sequence out of an If",
    "optional out of an If",
    "strings out of an If",
    "bits of another type out of an If",
    "OptionalHasElement as cond",
    "input with a default",
    "run that overrides a default",
    "run that keeps a default",
    "run without elements",
    "size that runs vary",
    "trip count is left out",
    "trip count is fed",
    "scan output",
    "loop changes a shape",
    "sequence carried by a Loop",
});

using Features = std::bitset<feature_names.size()>;

Features features_of(const Generated& generated);

}  // namespace ifcert::generator
