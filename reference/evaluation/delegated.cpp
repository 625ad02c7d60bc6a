// Nodes that a delegate computes.
#include <fmt/format.h>

#include <memory>
#include <utility>

#include "evaluation/failure.hpp"
#include "evaluation/run.hpp"
#include "operators/result.hpp"

namespace ifcert {
namespace {

/// Bytes, and the charge for them.
struct Charged {
  Charge charge;
  Buffer bytes;
};

std::uint64_t bytes_of_strings(const std::vector<std::string>& strings) {
  std::uint64_t bytes = strings.size() * sizeof(std::string);
  for (const std::string& text : strings) bytes += text.size();
  return bytes;
}

/// What a runtime returns must at least be what the model says that the node returns.
void expect_declared_kind(const Type& declared, const Value& value, const Place& place) {
  const bool open = !declared.known() || (declared.is_tensor() && declared.element == ElementType::undefined);
  if (open || value.empty() || kind_text(declared) == kind_text(type_of(value))) return;
  fail(place, fmt::format("{} is returned; the model declares {}", to_string(type_of(value)), to_string(declared)));
}

}  // namespace

/// The value, charged to the run as a kernel's result is. A few strings may be long.
Value Run::charged(const Value& value) {
  if (const Sequence* sequence = value.sequence()) {
    Sequence items{sequence->item, {}};
    for (const Value& item : sequence->items) items.items.push_back(charged(item));
    return items;
  }
  if (const Optional* optional = value.optional()) return Optional{optional->item, charged(optional->value)};
  const Tensor* tensor = value.tensor();
  if (tensor == nullptr || (tensor->strings.empty() && kernels::uncharged_bytes(*tensor) > 0)) return value;
  auto held = std::make_shared<Charged>();
  held->bytes = tensor->data;
  meter_.charge(held->charge, tensor->data.size() + bytes_of_strings(tensor->strings),
                [&] { return to_string(type_of(value)); });
  const std::span<const std::byte> bytes = tensor->data.bytes();
  return Tensor{tensor->type, tensor->dims, Buffer(std::move(held), bytes), tensor->strings};
}

/// A kernel may lack a part of its operator, such as an element type.
void Run::evaluate_kernel_or_delegate(const NodeContext& at, const Node& node) {
  try {
    evaluate_kernel(at, node);
  } catch (const EvaluationError& error) {
    if (error.missing_operator.empty() || !prepared_.delegate) throw;
    evaluate_delegated(at, node);
  }
}

void Run::evaluate_delegated(const NodeContext& at, const Node& node) {
  std::vector<Value> inputs;
  for (std::size_t i = 0; i < node.inputs.size(); ++i) inputs.push_back(operand(node, i, at.frame));
  Attributes resolved;
  const Attributes& attributes = *resolved_attributes(node, attributes_of(at.call), resolved);
  std::vector<bool> is_constant;
  for (const Value& input : inputs) {
    const Tensor* tensor = input.tensor();
    is_constant.push_back(tensor != nullptr && prepared_.constants.contains(tensor));
  }
  const RunLimits& limits = meter_.limits();
  std::vector<Value> results = with_place(at.place, [&] {
    return prepared_.delegate({prepared_.model, at.graph, at.node, attributes, inputs, std::move(is_constant),
                               meter_.seconds_left(), limits.memory, limits.interrupt});
  });
  for (std::size_t i = 0; i < results.size(); ++i) {
    const Place here = at.place.numbered("output", i);
    expect_bytes_fit(here, results[i]);
    if (i < node.outputs.size() && node.outputs[i] != no_slot)
      expect_declared_kind(prepared_.model.graphs[at.graph].slots[node.outputs[i]].declared, results[i], here);
    results[i] = with_place(here, [&] { return charged(results[i]); });
  }
  set_outputs(at, node, results, "the delegate");
}

}  // namespace ifcert
