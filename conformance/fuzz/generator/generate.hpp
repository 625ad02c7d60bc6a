// Typed random models, determined by a seed, and inputs on which every one of them computes.
//
// A model is made as an ONNX model in graph form: Ifs, Loops, Scans, SequenceMaps and calls within each other, captures
// of every level, and operators whose results are exact. The generator tracks what is certain about each value in
// every run (facts.hpp), and adds only nodes that are legal and can be evaluated.
#pragma once

#include <cstdint>
#include <ifcert/graph.hpp>
#include <vector>

#include "conformance/fuzz/generator/random.hpp"
#include "conformance/fuzz/generator/settings.hpp"

namespace ifcert::generator {

/// How the runs follow each other: each after the one before; then the results of the first ones are read again, which
/// were held meanwhile; or all at once.
enum class Manner : std::uint8_t { in_turn, held, concurrent };

struct Generated {
  Model model;
  std::vector<std::vector<Value>> runs;  // the inputs of each; empty where an input keeps its default
  Manner manner = Manner::in_turn;
};

/// The model of that seed. It can be expressed in the format of the settings.
Generated generate(std::uint64_t seed, const Settings& settings = {});

/// The model of these choices. It was made for the format of the settings, which may still be unable to express it.
Generated generate(Random random, const Settings& settings);

}  // namespace ifcert::generator
