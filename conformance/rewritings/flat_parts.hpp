// Parts that rewritings add to a file of TensorFlow Lite or Circle.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "conformance/rewritings/flat_tree.hpp"

namespace ifcert::conformance::flat_parts {

using Tensors = std::vector<std::int32_t>;  // the indices of tensors in their subgraph

void set_numbers(flat_tree::Table& table, flat_tree::Slot slot, const Tensors& numbers);
void set_tables(flat_tree::Table& table, flat_tree::Slot slot, std::vector<flat_tree::Table> tables);
flat_tree::Table table_of(flat_tree::Kind kind);

/// The tensor as a subgraph has it that is given it, or that makes it. Throws NotMade for one that keeps a value.
flat_tree::Table passed(flat_tree::Table& subgraph, std::int32_t index);

/// The index of a new buffer with these bytes.
std::int32_t add_buffer(flat_tree::Table& model, std::string_view bytes);

}  // namespace ifcert::conformance::flat_parts
