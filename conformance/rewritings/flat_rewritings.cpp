#include "conformance/rewritings/flat_rewritings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "conformance/rewritings/flat_tree.hpp"

namespace ifcert::conformance::flat_rewritings {
namespace {

using namespace flat_tree;
using namespace flat_tree::slots;

constexpr std::int64_t if_options = 92;
constexpr std::int64_t while_options = 93;
constexpr std::int64_t call_once_options = 103;

/// The new index of each old one.
using Indices = std::vector<std::int32_t>;

/// Writes a list in another order, all but the first `fixed` entries.
Indices permute(Table& table, Slot list, std::size_t fixed, Order order) {
  Child* child = child_at(table, list);
  if (child == nullptr || child->tables.size() <= fixed) throw NotMade("it has no such list");
  std::vector<std::size_t> from;
  for (std::size_t i = 0; i < child->tables.size(); ++i) from.push_back(i);
  const auto begin = from.begin() + static_cast<std::ptrdiff_t>(fixed);
  if (order == Order::reversed) std::reverse(begin, from.end());
  if (order == Order::rotated && child->tables.size() > fixed + 2) std::rotate(begin, begin + 1, from.end());
  Indices to(from.size());
  std::vector<Table> moved;
  for (std::size_t i = 0; i < from.size(); ++i) {
    to[from[i]] = static_cast<std::int32_t>(i);
    moved.push_back(std::move(child->tables[from[i]]));
  }
  child->tables = std::move(moved);
  return to;
}

std::int32_t moved_to(const Indices& to, std::int64_t index) {
  if (index < 0) return static_cast<std::int32_t>(index);  // an omitted operand
  if (static_cast<std::size_t>(index) >= to.size()) throw NotMade("an index of it leads out of its list");
  return to[static_cast<std::size_t>(index)];
}

void renumber(Table& table, Slot slot, const Indices& to) {
  const std::int64_t before = number_at(table, slot, 4);
  if (moved_to(to, before) != before) set_number(table, slot, moved_to(to, before));
}

void for_each_operation(Table& model, const std::function<void(Table& operation)>& visit) {
  for (Table* subgraph : tables_at(model, subgraphs_of_model)) {
    for (Table* operation : tables_at(*subgraph, operations_of_subgraph)) visit(*operation);
  }
}

/// The slots of an operation's options that are indices of subgraphs.
std::vector<Slot> subgraph_slots(const Table& operation) {
  const std::int64_t type = number_at(operation, options_type_of_operation, 1);
  if (type == if_options || type == while_options) return {0, 1};
  return type == call_once_options ? std::vector<Slot>{0} : std::vector<Slot>{};
}

void renumber_tensors_of(Table& subgraph, const Indices& to) {
  const auto change = [&to](std::int32_t index) { return moved_to(to, index); };
  for (const Slot list : {inputs_of_subgraph, outputs_of_subgraph}) change_numbers(subgraph, list, change);
  for (Table* operation : tables_at(subgraph, operations_of_subgraph)) {
    for (const Slot list : {inputs_of_operation, outputs_of_operation, intermediates_of_operation})
      change_numbers(*operation, list, change);
  }
}

std::string name_of(Names names, std::size_t number) {
  if (names == Names::lengthy) return fmt::format("{:x<290}{:010}", "a_long_name_", number);
  if (names == Names::punctuated) return fmt::format("/a:0.b-c d/{}", number);
  return "name";
}

/// A table without fields.
Table empty_table(Kind kind) {
  return {.kind = kind, .bytes = std::string(4, '\0')};
}

}  // namespace

void reorder_tensors(ModelFiles& files, Order order) {
  change_tree(files, [order](Table& model) {
    std::vector<Indices> of_subgraph;
    for (Table* subgraph : tables_at(model, subgraphs_of_model)) {
      of_subgraph.emplace_back();
      if (tables_at(*subgraph, tensors_of_subgraph).empty()) continue;
      of_subgraph.back() = permute(*subgraph, tensors_of_subgraph, 0, order);
      renumber_tensors_of(*subgraph, of_subgraph.back());
    }
    for (Table* signature : tables_at(model, signatures_of_model)) {
      const auto subgraph = static_cast<std::size_t>(number_at(*signature, subgraph_of_signature, 4));
      if (subgraph >= of_subgraph.size()) throw NotMade("a signature is of no subgraph");
      for (const Slot list : {inputs_of_signature, outputs_of_signature}) {
        for (Table* map : tables_at(*signature, list)) renumber(*map, tensor_of_map, of_subgraph[subgraph]);
      }
    }
  });
}

void reorder_buffers(ModelFiles& files, Order order) {
  change_tree(files, [order](Table& model) {
    const Indices to = permute(model, buffers_of_model, 1, order);
    for (Table* subgraph : tables_at(model, subgraphs_of_model)) {
      for (Table* tensor : tables_at(*subgraph, tensors_of_subgraph)) renumber(*tensor, buffer_of_tensor, to);
    }
    for (Table* metadata : tables_at(model, metadata_of_model)) renumber(*metadata, buffer_of_metadata, to);
    change_numbers(model, metadata_buffers_of_model, [&to](std::int32_t index) { return moved_to(to, index); });
  });
}

namespace {

void for_each_tensor(Table& model, const std::function<void(Table& tensor)>& visit) {
  for (Table* subgraph : tables_at(model, subgraphs_of_model)) {
    for (Table* tensor : tables_at(*subgraph, tensors_of_subgraph)) visit(*tensor);
  }
}

/// The data of a tensor's buffer; nullptr where it has none.
const std::string* data_of(Table& model, const Table& tensor) {
  const std::vector<Table*> buffers = tables_at(model, buffers_of_model);
  const std::int64_t index = number_at(tensor, buffer_of_tensor, 4);
  if (index <= 0 || static_cast<std::size_t>(index) >= buffers.size()) return nullptr;
  const Child* data = child_at(*buffers[static_cast<std::size_t>(index)], data_of_buffer);
  return data == nullptr || data->bytes.empty() ? nullptr : &data->bytes;
}

}  // namespace

void share_buffers(ModelFiles& files) {
  change_tree(files, [](Table& model) {
    std::map<std::string, std::int32_t> first;
    for_each_tensor(model, [&](Table& tensor) {
      const std::string* data = data_of(model, tensor);
      if (data == nullptr) return;
      const auto index = static_cast<std::int32_t>(number_at(tensor, buffer_of_tensor, 4));
      const std::int32_t shared = first.try_emplace(*data, index).first->second;
      if (shared != index) set_number(tensor, buffer_of_tensor, shared);
    });
  });
}

void part_buffers(ModelFiles& files) {
  change_tree(files, [](Table& model) {
    std::set<std::int64_t> used;
    for_each_tensor(model, [&](Table& tensor) {
      const std::int64_t index = number_at(tensor, buffer_of_tensor, 4);
      if (data_of(model, tensor) == nullptr || used.insert(index).second) return;
      std::vector<Table>& buffers = child_at(model, buffers_of_model)->tables;
      set_number(tensor, buffer_of_tensor, static_cast<std::int32_t>(buffers.size()));
      buffers.push_back(Table(buffers[static_cast<std::size_t>(index)]));
    });
  });
}

void reorder_operator_codes(ModelFiles& files, Order order) {
  change_tree(files, [order](Table& model) {
    const Indices to = permute(model, codes_of_model, 0, order);
    for_each_operation(model, [&to](Table& operation) { renumber(operation, code_of_operation, to); });
  });
}

void reorder_subgraphs(ModelFiles& files, Order order) {
  change_tree(files, [order](Table& model) {
    const Indices to = permute(model, subgraphs_of_model, 1, order);
    for_each_operation(model, [&to](Table& operation) {
      for (Table* options : tables_at(operation, options_of_operation)) {
        for (const Slot slot : subgraph_slots(operation)) renumber(*options, slot, to);
      }
    });
    for (Table* signature : tables_at(model, signatures_of_model)) renumber(*signature, subgraph_of_signature, to);
  });
}

void rename_tensors(ModelFiles& files, Names names) {
  change_tree(files, [names](Table& model) {
    std::size_t number = 0;
    bool is_main = true;
    for (Table* subgraph : tables_at(model, subgraphs_of_model)) {
      std::set<std::int32_t> kept;
      for (const Slot list : {inputs_of_subgraph, outputs_of_subgraph}) {
        for (const std::int32_t index : numbers_at(*subgraph, list)) kept.insert(index);
      }
      std::int32_t index = 0;
      for (Table* tensor : tables_at(*subgraph, tensors_of_subgraph)) {
        if (is_main && kept.contains(index++)) continue;
        if (names == Names::none)
          remove(*tensor, name_of_tensor);
        else
          set_text(*tensor, name_of_tensor, name_of(names, number++));
      }
      is_main = false;
    }
  });
}

void rename_subgraphs(ModelFiles& files, Names names) {
  change_tree(files, [names](Table& model) {
    std::size_t number = 0;
    for (Table* subgraph : tables_at(model, subgraphs_of_model)) {
      if (names == Names::none)
        remove(*subgraph, name_of_subgraph);
      else
        set_text(*subgraph, name_of_subgraph, name_of(names, number++));
    }
  });
}

void omit_defaults(ModelFiles& files) {
  change_tree(files, [](Table& model) {
    const auto omit = [](Table& table, Slot slot) {
      if (number_at(table, slot, 4) == 0) remove(table, slot);
    };
    for (Table* subgraph : tables_at(model, subgraphs_of_model)) {
      for (Table* tensor : tables_at(*subgraph, tensors_of_subgraph)) omit(*tensor, buffer_of_tensor);
    }
    for_each_operation(model, [&omit](Table& operation) {
      omit(operation, code_of_operation);
      for (Table* options : tables_at(operation, options_of_operation)) {
        for (const Slot slot : subgraph_slots(operation)) omit(*options, slot);
      }
    });
  });
}

void add_metadata(ModelFiles& files) {
  change_tree(files, [](Table& model) {
    Child* buffers = child_at(model, buffers_of_model);
    if (buffers == nullptr) throw NotMade("it has no list of buffers");
    Table buffer = empty_table(Kind::buffer);
    Child& data = add_child(buffer, data_of_buffer);
    data.bytes = "{\"else_subgraph_index\": 0}";
    data.count = static_cast<std::uint32_t>(data.bytes.size());
    Table entry = empty_table(Kind::metadata);
    set_text(entry, name_of_metadata, "org.example.If");
    set_number(entry, buffer_of_metadata, static_cast<std::int32_t>(buffers->tables.size()));
    buffers->tables.push_back(std::move(buffer));
    Child& list = add_child(model, metadata_of_model);
    list.is_list = true;
    list.tables.push_back(std::move(entry));
  });
}

void change_description(ModelFiles& files) {
  change_tree(files, [](Table& model) { set_text(model, description_of_model, "If: then, else\n\xC3\xA9"); });
}

void add_unknown_fields(ModelFiles& files) {
  static constexpr Slot unknown = 60;  // far beyond those in use
  change_tree(files, [](Table& model) { for_each(model, [](Table& table) { set_number(table, unknown, 7); }); });
}

void pad_objects(ModelFiles& files) {
  change_layout(files, Layout::padded);
}

void put_vtables_behind(ModelFiles& files) {
  change_layout(files, Layout::vtables_behind);
}

void put_last_first(ModelFiles& files) {
  change_layout(files, Layout::last_first);
}

}  // namespace ifcert::conformance::flat_rewritings
