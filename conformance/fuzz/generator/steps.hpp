// The steps in which a graph is made. Each adds a node, or a few; it returns false if the visible values do not allow
// that.
#pragma once

#include "conformance/fuzz/generator/maker.hpp"

namespace ifcert::generator {

using Step = bool (*)(Maker& maker, Scope& scope);

// arithmetic.cpp
bool add_pairwise(Maker& maker, Scope& scope);
bool add_comparison(Maker& maker, Scope& scope);
bool add_logic(Maker& maker, Scope& scope);
bool add_single(Maker& maker, Scope& scope);
bool add_cast(Maker& maker, Scope& scope);
bool add_where(Maker& maker, Scope& scope);
bool add_sum(Maker& maker, Scope& scope);

// rearranged_tensors.cpp
bool add_identity(Maker& maker, Scope& scope);
bool add_concat(Maker& maker, Scope& scope);
bool add_transpose(Maker& maker, Scope& scope);
bool add_reshape(Maker& maker, Scope& scope);
bool add_unsqueeze(Maker& maker, Scope& scope);
bool add_slice(Maker& maker, Scope& scope);
bool add_split(Maker& maker, Scope& scope);
bool add_gather(Maker& maker, Scope& scope);
bool add_shape(Maker& maker, Scope& scope);
bool add_fill(Maker& maker, Scope& scope);
bool add_constant(Maker& maker, Scope& scope);

// sequences.cpp
bool add_sequence(Maker& maker, Scope& scope);
bool add_item(Maker& maker, Scope& scope);
bool add_insertion(Maker& maker, Scope& scope);
bool add_length(Maker& maker, Scope& scope);
bool add_optional(Maker& maker, Scope& scope);
bool add_presence(Maker& maker, Scope& scope);

// branches.cpp, loops.cpp, scans.cpp, calls.cpp
bool add_if(Maker& maker, Scope& scope);
bool add_loop(Maker& maker, Scope& scope);
bool add_scan(Maker& maker, Scope& scope);
bool add_sequence_map(Maker& maker, Scope& scope);
bool add_call(Maker& maker, Scope& scope);

// passed_graphs.cpp, partial_calls.cpp, twins.cpp, edge_values.cpp, failing_nodes.cpp
bool add_passing_call(Maker& maker, Scope& scope);
bool add_partial_call(Maker& maker, Scope& scope);
bool add_twins(Maker& maker, Scope& scope);
bool add_edge_comparison(Maker& maker, Scope& scope);
bool add_failing_node(Maker& maker, Scope& scope);

/// Adds the functions that calls may enter, before anything else is made.
void add_passing_functions(Maker& maker);
void add_partial_function(Maker& maker);
void add_functions(Maker& maker);

/// Calls each function that is passed graphs and that nothing calls: without a call its graphs are not known.
void add_missing_calls(Maker& maker, Scope& main);

/// Some call passes "keepdims", or it has a default: otherwise its type is not known.
void finish_partial_function(Model& model);

/// Ends the functions: the attribute of one that is never called gets a default, which shows its type.
void finish_functions(Model& model);

/// A bool of one element: fed, constant, computed from constants, from values, or from shapes.
ScopedValue any_cond(Maker& maker, Scope& scope);

/// A visible value of that kind and element type whose numbers do not exceed `bound`; a constant if there is none.
ScopedValue any_of_type(Maker& maker, Scope& scope, const Facts& type, std::int64_t bound = largest_number);

/// Adds `count` random steps.
void add_steps(Maker& maker, Scope& scope, std::size_t count);

}  // namespace ifcert::generator
