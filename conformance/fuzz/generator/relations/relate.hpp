// Each relation is one file; relations.cpp lists them.
#pragma once

#include <optional>

#include "conformance/fuzz/generator/generate.hpp"
#include "conformance/fuzz/generator/random.hpp"
#include "conformance/fuzz/generator/relations/related.hpp"

namespace ifcert::generator::relations {

/// Every cond is negated, and the branches are exchanged.
std::optional<Related> negate_conds(const Generated& generated, Random& random);

/// The bools of one element that are fed become initializers with the values of one run.
std::optional<Related> fix_conds(const Generated& generated, Random& random);

/// The bools of one element that are constants of the main graph become inputs.
std::optional<Related> feed_conds(const Generated& generated, Random& random);

/// The nodes of the main graph move into both branches of an If whose cond is true.
std::optional<Related> wrap_in_if(const Generated& generated, Random& random);

/// Captured values go through an Identity first.
std::optional<Related> copy_captures(const Generated& generated, Random& random);

/// Calls become the nodes of the functions.
std::optional<Related> inline_calls(const Generated& generated, Random& random);

/// Values, nodes, graphs, functions and dimension variables get other names.
std::optional<Related> rename_everything(const Generated& generated, Random& random);

/// The nodes of each graph get another order in which they can be evaluated.
std::optional<Related> permute_nodes(const Generated& generated, Random& random);

/// To OpenVINO IR and back, to TensorFlow Lite and back.
std::optional<Related> through_openvino(const Generated& generated, Random& random);
std::optional<Related> through_tflite(const Generated& generated, Random& random);

/// The model is the same; the runs come in the opposite order, or one of them comes alone.
std::optional<Related> reverse_runs(const Generated& generated, Random& random);
std::optional<Related> run_once(const Generated& generated, Random& random);

/// Runs of the changed model with the same inputs as the original.
Related with_same_inputs(const Generated& generated, Model model);

/// Runs with the same inputs, without the one at that position.
void remove_input(Related& related, std::size_t position);

}  // namespace ifcert::generator::relations
