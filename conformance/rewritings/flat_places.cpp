// The main subgraph, or the If of each place, put into both subgraphs of another If.
#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "conformance/rewritings/flat_parts.hpp"
#include "conformance/rewritings/flat_rewritings.hpp"
#include "conformance/rewritings/flat_tree.hpp"

namespace ifcert::conformance::flat_rewritings {
namespace {

using namespace flat_parts;
using namespace flat_tree;
using namespace flat_tree::slots;

constexpr std::int64_t options_of_if = 92, options_of_call_once = 103;  // BuiltinOptions
constexpr std::int32_t bool_type = 6;                                   // TensorType

bool is_if(const Table& operation) {
  return number_at(operation, options_type_of_operation, 1) == options_of_if;
}

/// 0, 1, …, as the tensors of a subgraph that has no others before them.
Tensors counted(std::size_t from, std::size_t count) {
  Tensors numbers;
  for (std::size_t i = 0; i < count; ++i) numbers.push_back(static_cast<std::int32_t>(from + i));
  return numbers;
}

/// Operands and results of an operation, or a subgraph's inputs and outputs, as the first tensors of another subgraph.
std::vector<Table> passed_tensors(Table& subgraph, const Tensors& taken, const Tensors& made) {
  std::vector<Table> tensors;
  for (const std::int32_t index : taken) tensors.push_back(passed(subgraph, index));
  for (const std::int32_t index : made) tensors.push_back(passed(subgraph, index));
  return tensors;
}

void set_branches(Table& operation, std::size_t then, std::size_t otherwise) {
  const std::vector<Table*> options = tables_at(operation, options_of_operation);
  if (options.size() != 1) throw NotMade("an If has no options");
  set_number(*options.front(), 0, static_cast<std::int32_t>(then));
  set_number(*options.front(), 1, static_cast<std::int32_t>(otherwise));
}

/// A subgraph that computes the If alone, of all its operands and cond among them.
Table subgraph_with(Table& subgraph, const Table& operation) {
  const Tensors taken = numbers_at(operation, inputs_of_operation), made = numbers_at(operation, outputs_of_operation);
  const Tensors inputs = counted(0, taken.size()), outputs = counted(taken.size(), made.size());
  Table inside = operation;
  set_numbers(inside, inputs_of_operation, inputs);
  set_numbers(inside, outputs_of_operation, outputs);
  Table around = table_of(Kind::subgraph);
  set_tables(around, tensors_of_subgraph, passed_tensors(subgraph, taken, made));
  set_numbers(around, inputs_of_subgraph, inputs);
  set_numbers(around, outputs_of_subgraph, outputs);
  set_tables(around, operations_of_subgraph, {std::move(inside)});
  set_text(around, name_of_subgraph, "around_an_if");
  return around;
}

Child& subgraphs_in(Table& model) {
  Child* subgraphs = child_at(model, subgraphs_of_model);
  if (subgraphs == nullptr || subgraphs->tables.empty()) throw NotMade("it has no subgraphs");
  return *subgraphs;
}

/// Throws NotMade where what a subgraph keeps, or when it ran, may matter.
void require_no_state(Table& model) {
  for_each(model, [](Table& table) {
    if (table.kind == Kind::operation && number_at(table, options_type_of_operation, 1) == options_of_call_once)
      throw NotMade("it calls a subgraph once");
    if (table.kind == Kind::tensor && number_at(table, is_variable_of_tensor, 1) != 0)
      throw NotMade("a tensor of it is variable");
  });
}

Table first_if(Table& model) {
  for (Table* subgraph : tables_at(model, subgraphs_of_model)) {
    for (Table* operation : tables_at(*subgraph, operations_of_subgraph)) {
      if (is_if(*operation)) return *operation;
    }
  }
  throw NotMade("it has no If");
}

/// Throws NotMade unless operations make the outputs, each another one.
void require_made(Table& subgraph, const Tensors& outputs) {
  std::set<std::int32_t> made;
  for (Table* operation : tables_at(subgraph, operations_of_subgraph)) {
    for (const std::int32_t index : numbers_at(*operation, outputs_of_operation)) made.insert(index);
  }
  for (const std::int32_t index : outputs) {
    if (made.erase(index) == 0) throw NotMade("it returns what no operation makes, or twice");
  }
}

/// Signatures of the main subgraph name the tensors that it has now.
void renumber_signatures(Table& model, const Tensors& before) {
  for (Table* signature : tables_at(model, signatures_of_model)) {
    if (number_at(*signature, subgraph_of_signature, 4) != 0) continue;
    for (const Slot list : {inputs_of_signature, outputs_of_signature}) {
      for (Table* map : tables_at(*signature, list)) {
        const auto found = std::ranges::find(before, number_at(*map, tensor_of_map, 4));
        if (found == before.end()) throw NotMade("a signature names a tensor that is neither taken nor returned");
        set_number(*map, tensor_of_map, static_cast<std::int32_t>(found - before.begin()));
      }
    }
  }
}

}  // namespace

void put_ifs_into_ifs(ModelFiles& files) {
  change_tree(files, [](Table& model) {
    require_no_state(model);
    std::vector<Table> added;
    const std::size_t before = subgraphs_in(model).tables.size();
    for (Table* subgraph : tables_at(model, subgraphs_of_model)) {
      for (Table* operation : tables_at(*subgraph, operations_of_subgraph)) {
        if (!is_if(*operation)) continue;
        added.push_back(subgraph_with(*subgraph, *operation));
        added.push_back(added.back());
        Tensors operands = numbers_at(*operation, inputs_of_operation);
        operands.insert(operands.begin(), operands.front());
        set_numbers(*operation, inputs_of_operation, operands);
        set_branches(*operation, before + added.size() - 2, before + added.size() - 1);
      }
    }
    for (Table& subgraph : added) subgraphs_in(model).tables.push_back(std::move(subgraph));
  });
}

void put_main_into_ifs(ModelFiles& files) {
  change_tree(files, [](Table& model) {
    require_no_state(model);
    Table operation = first_if(model);
    std::vector<Table>& subgraphs = subgraphs_in(model).tables;
    Table& main = subgraphs.front();
    const Tensors taken = numbers_at(main, inputs_of_subgraph), made = numbers_at(main, outputs_of_subgraph);
    require_made(main, made);
    if (std::set<std::int32_t>(taken.begin(), taken.end()).size() != taken.size())
      throw NotMade("it takes a tensor twice");
    std::vector<Table> tensors = passed_tensors(main, taken, made);
    const auto cond = static_cast<std::int32_t>(tensors.size());
    Table held = table_of(Kind::tensor);
    set_number(held, type_of_tensor, bool_type);
    set_text(held, name_of_tensor, "always");
    set_number(held, buffer_of_tensor, add_buffer(model, "\1"));
    tensors.push_back(std::move(held));

    Tensors operands = counted(0, taken.size());
    operands.insert(operands.begin(), cond);
    set_numbers(operation, inputs_of_operation, operands);
    set_numbers(operation, outputs_of_operation, counted(taken.size(), made.size()));
    set_branches(operation, subgraphs.size(), subgraphs.size() + 1);
    Table around = table_of(Kind::subgraph);
    set_tables(around, tensors_of_subgraph, std::move(tensors));
    set_numbers(around, inputs_of_subgraph, counted(0, taken.size()));
    set_numbers(around, outputs_of_subgraph, counted(taken.size(), made.size()));
    set_tables(around, operations_of_subgraph, {std::move(operation)});
    if (const std::string name = text_at(main, name_of_subgraph); !name.empty())
      set_text(around, name_of_subgraph, name);

    Tensors interface = taken;
    interface.insert(interface.end(), made.begin(), made.end());
    renumber_signatures(model, interface);
    Table moved = std::exchange(main, std::move(around));
    subgraphs.push_back(moved);
    subgraphs.push_back(std::move(moved));
  });
}

}  // namespace ifcert::conformance::flat_rewritings
