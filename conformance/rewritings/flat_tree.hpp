// A file of TensorFlow Lite or Circle as a tree of FlatBuffers tables. Each table keeps its bytes and its field slots,
// also those that nobody knows the meaning of, as long as they hold no offset; so what is not changed stays as it was.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/rewritings/rewriting.hpp"

namespace ifcert::conformance::flat_tree {

/// The tables that rewritings look into.
enum class Kind : std::uint8_t {
  model,
  operator_code,
  subgraph,
  tensor,
  quantization,
  operation,  // Operator
  options,    // of an operation, whatever its type
  buffer,
  metadata,
  signature,
  tensor_map
};

/// The number of a field in its table, from 0.
using Slot = std::size_t;

struct Table;

/// What a field with an offset leads to: a table, a list of tables, or bytes (numbers or a string) with their count.
struct Child {
  std::vector<Table> tables;
  bool is_list = false;       // of tables; otherwise there is one, or none
  std::string bytes{};        // of numbers or a string, without the zero behind it
  std::uint32_t count = 0;    // of the numbers
  std::size_t alignment = 0;  // of the first number in the file, modulo 16
};

struct Table {
  Kind kind = Kind::model;
  std::vector<std::uint16_t> slots{};  // where each field is in `bytes`; 0: it is absent
  std::string bytes{};                 // of the table in its place, its first four bytes included
  std::size_t alignment = 0;           // of its first byte in the file, modulo 16
  std::map<Slot, Child> children{};    // the fields that are offsets
};

/// Throws NotMade for bytes that are no such file, and for one with sparse tensors, data outside the FlatBuffer or
/// other tables that are not looked into.
Table read_tree(std::string_view file);

/// Where things are in a file: as close as their alignment lets them be, each table behind its vtable and before what
/// it leads to; or with 36 other bytes before each; or each vtable behind its table; or what the last field leads to
/// before what the first one does.
enum class Layout : std::uint8_t { close, padded, vtables_behind, last_first };

/// The file with that identifier, "TFL3".
std::string write_tree(const Table& model, std::string_view identifier, Layout layout = Layout::close);

/// A number of four bytes, or of one; its default where it is absent.
std::int64_t number_at(const Table& table, Slot slot, std::size_t size, std::int64_t otherwise = 0);
/// Sets one of four bytes, also where it was absent.
void set_number(Table& table, Slot slot, std::int32_t value);

/// The tables of a list; none where it is absent.
std::vector<Table*> tables_at(Table& table, Slot slot);
/// What a field leads to, or nullptr.
Child* child_at(Table& table, Slot slot);

/// What a field leads to, also where it was absent.
Child& add_child(Table& table, Slot slot);

/// The int32 numbers of a list, changed in their place.
void change_numbers(Table& table, Slot slot, const std::function<std::int32_t(std::int32_t)>& change);
std::vector<std::int32_t> numbers_at(const Table& table, Slot slot);

/// A string; "" where it is absent.
std::string text_at(const Table& table, Slot slot);
void set_text(Table& table, Slot slot, std::string_view text);
void remove(Table& table, Slot slot);

/// Calls `visit` with a table and all that it leads to, outer ones first.
void for_each(Table& root, const std::function<void(Table& table)>& visit);

void change_tree(ModelFiles& files, const std::function<void(Table& model)>& change);
void change_layout(ModelFiles& files, Layout layout);

// The slots that rewritings use, by table.
namespace slots {
inline constexpr Slot codes_of_model = 1, subgraphs_of_model = 2, description_of_model = 3, buffers_of_model = 4,
                      metadata_buffers_of_model = 5, metadata_of_model = 6, signatures_of_model = 7;
inline constexpr Slot tensors_of_subgraph = 0, inputs_of_subgraph = 1, outputs_of_subgraph = 2,
                      operations_of_subgraph = 3, name_of_subgraph = 4;
inline constexpr Slot shape_of_tensor = 0, type_of_tensor = 1, buffer_of_tensor = 2, name_of_tensor = 3,
                      is_variable_of_tensor = 5, shape_signature_of_tensor = 7;
inline constexpr Slot code_of_operation = 0, inputs_of_operation = 1, outputs_of_operation = 2,
                      options_type_of_operation = 3, options_of_operation = 4, intermediates_of_operation = 8;
inline constexpr Slot data_of_buffer = 0;
inline constexpr Slot name_of_metadata = 0, buffer_of_metadata = 1;
inline constexpr Slot inputs_of_signature = 0, outputs_of_signature = 1, subgraph_of_signature = 4;
inline constexpr Slot tensor_of_map = 1;
}  // namespace slots

}  // namespace ifcert::conformance::flat_tree
