// What all runs feed alike, as constants of the main subgraph.
#include <algorithm>
#include <cstdint>
#include <vector>

#include "conformance/rewritings/flat_parts.hpp"
#include "conformance/rewritings/flat_rewritings.hpp"
#include "conformance/rewritings/flat_tree.hpp"

namespace ifcert::conformance::flat_rewritings {
namespace {

using namespace flat_parts;
using namespace flat_tree;
using namespace flat_tree::slots;

/// The input that a run calls by that name; none where a signature may call it otherwise.
std::int32_t input_named(Table& main, std::string_view name) {
  const std::vector<Table*> tensors = tables_at(main, tensors_of_subgraph);
  for (const std::int32_t index : numbers_at(main, inputs_of_subgraph)) {
    if (text_at(*tensors[static_cast<std::size_t>(index)], name_of_tensor) == name) return index;
  }
  throw NotMade("an input has another name in the file than for its callers");
}

/// The tensor of an input, as a constant.
Table constant_of(Table& model, Table& main, std::int32_t input, const FedTensor& fed) {
  Table tensor = passed(main, input);
  Tensors dims;
  for (const std::int64_t dim : fed.dims) dims.push_back(static_cast<std::int32_t>(dim));
  set_numbers(tensor, shape_of_tensor, dims);
  remove(tensor, shape_signature_of_tensor);
  set_text(tensor, name_of_tensor, "always_" + fed.input);
  set_number(tensor, buffer_of_tensor, add_buffer(model, fed.bytes));
  return tensor;
}

void read_instead(Table& main, std::int32_t from, std::int32_t to) {
  for (Table* operation : tables_at(main, operations_of_subgraph)) {
    if (child_at(*operation, inputs_of_operation) == nullptr) continue;
    change_numbers(*operation, inputs_of_operation, [&](std::int32_t index) { return index == from ? to : index; });
  }
}

bool is_read(Table& main, std::int32_t input) {
  return std::ranges::any_of(tables_at(main, operations_of_subgraph), [input](const Table* operation) {
    const Tensors operands = numbers_at(*operation, inputs_of_operation);
    return std::ranges::find(operands, input) != operands.end();
  });
}

}  // namespace

void fix_inputs(ModelFiles& files) {
  if (files.fed.empty()) throw NotMade("its runs feed no input alike");
  change_tree(files, [&files](Table& model) {
    Child* subgraphs = child_at(model, subgraphs_of_model);
    if (subgraphs == nullptr || subgraphs->tables.empty()) throw NotMade("it has no subgraphs");
    Table& main = subgraphs->tables.front();
    for (const FedTensor& fed : files.fed) {
      const std::int32_t input = input_named(main, fed.input);
      if (!is_read(main, input)) continue;
      Table constant = constant_of(model, main, input, fed);
      Child* tensors = child_at(main, tensors_of_subgraph);
      const auto added = static_cast<std::int32_t>(tensors->tables.size());
      tensors->tables.push_back(std::move(constant));
      read_instead(main, input, added);
    }
  });
}

}  // namespace ifcert::conformance::flat_rewritings
