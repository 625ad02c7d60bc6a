// Questions about parts of a model that its features ask.
#pragma once

#include <ifcert/graph.hpp>
#include <optional>

namespace ifcert::generator {

enum class Difference : std::uint8_t { bytes, shape, type, attribute, name };

/// The one thing in which two graphs with the same nodes differ; nullopt where they differ in more, or in none.
std::optional<Difference> only_difference(const Graph& first, const Graph& second);

/// Whether a tensor has an element at the edge of its type: NaN, an infinity, -0, a magnitude of 2^24 - 1 or more, or a
/// float below 1e-30.
bool has_edge(const Value& value);

/// The value that the graph holds in the slot as an initializer or a Constant; nullptr otherwise.
const Value* constant_in(const Graph& graph, Slot slot);

/// Whether the node would fail if a run came to it: its index, or a dim of its shape, is beyond every value.
bool would_fail(const Graph& graph, const Node& node);

/// The value of which the slot is a copy, through the graph's Identities.
Slot source_of(const Graph& graph, Slot slot);

}  // namespace ifcert::generator
