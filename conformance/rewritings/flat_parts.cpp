#include "conformance/rewritings/flat_parts.hpp"

#include <string>
#include <utility>

namespace ifcert::conformance::flat_parts {

using namespace flat_tree;
using namespace flat_tree::slots;

void set_numbers(Table& table, Slot slot, const Tensors& numbers) {
  Child& child = add_child(table, slot);
  child.bytes.assign(4 * numbers.size(), '\0');
  child.count = static_cast<std::uint32_t>(numbers.size());
  std::size_t next = 0;
  change_numbers(table, slot, [&](std::int32_t) { return numbers[next++]; });
}

void set_tables(Table& table, Slot slot, std::vector<Table> tables) {
  Child& child = add_child(table, slot);
  child.is_list = true;
  child.tables = std::move(tables);
}

Table table_of(Kind kind) {
  return {.kind = kind, .bytes = std::string(4, '\0')};
}

Table passed(Table& subgraph, std::int32_t index) {
  const std::vector<Table*> tensors = tables_at(subgraph, tensors_of_subgraph);
  if (index < 0 || static_cast<std::size_t>(index) >= tensors.size()) throw NotMade("an operand is left out");
  Table tensor = *tensors[static_cast<std::size_t>(index)];
  if (number_at(tensor, is_variable_of_tensor, 1) != 0) throw NotMade("a tensor of it is variable");
  set_number(tensor, buffer_of_tensor, 0);
  return tensor;
}

std::int32_t add_buffer(Table& model, std::string_view bytes) {
  Child* buffers = child_at(model, buffers_of_model);
  if (buffers == nullptr) throw NotMade("it has no list of buffers");
  Table buffer = table_of(Kind::buffer);
  Child& data = add_child(buffer, data_of_buffer);
  data.bytes = bytes;
  data.count = static_cast<std::uint32_t>(bytes.size());
  buffers->tables.push_back(std::move(buffer));
  return static_cast<std::int32_t>(buffers->tables.size() - 1);
}

}  // namespace ifcert::conformance::flat_parts
