// Loops, whose bodies are entered once per trip: Loop, While, Scan, SequenceMap.
#include <fmt/format.h>

#include <limits>
#include <optional>
#include <utility>

#include "evaluation/run.hpp"
#include "evaluation/scan_output.hpp"
#include "inference/scan_form.hpp"
#include "kernels/operands.hpp"
#include "kernels/stack.hpp"

namespace ifcert {
namespace {

/// The operands that a Scan scans, and the axis of each. All have the same length along their axes: the number of
/// trips.
struct Scanned {
  std::vector<const Tensor*> tensors;
  std::vector<std::size_t> axes;
  std::int64_t length = 0;
};

const Tensor& tensor_of(const Node& node, std::size_t number, const Value& value) {
  const Tensor* tensor = value.tensor();
  if (tensor == nullptr)
    kernels::refuse(node, fmt::format("operand {} is {}; a tensor is required", number, kind_text(type_of(value))));
  if (!kernels::bytes_fit_shape(*tensor))
    kernels::refuse(node, fmt::format("operand {} does not have as many bytes as its shape needs", number));
  return *tensor;
}

/// `operands` are those from form.first_operand on.
Scanned scanned_operands(const Node& node, const ScanForm& form, std::span<const Value> operands) {
  Scanned scanned;
  for (std::size_t i = 0; i < form.inputs.size(); ++i) {
    const Tensor* tensor = &tensor_of(node, form.first_operand + form.states + i, operands[form.states + i]);
    scanned.tensors.push_back(tensor);
    scanned.axes.push_back(scan_axis(node, form, i, tensor->dims.size()));
    const std::int64_t length = tensor->dims[scanned.axes.back()];
    if (i > 0 && length != scanned.length) {
      kernels::refuse(node, fmt::format("operand {} has {} elements to scan; operand {} has {}",
                                        form.first_operand + form.states + i, length, form.first_operand + form.states,
                                        scanned.length));
    }
    scanned.length = length;
  }
  return scanned;
}

/// How many elements a Scan of version 8 scans in each batch: the numbers in its first operand (`lengths`), or all
/// elements if that operand is left out. `charge` is for the list.
std::vector<std::int64_t> batch_lengths(const Node& node, const Value& lengths, const Tensor& scanned, Meter& meter,
                                        Charge& charge) {
  if (scanned.dims.size() < 2) kernels::refuse(node, "a scanned operand needs a batch axis and a sequence axis");
  const auto batches = static_cast<std::size_t>(scanned.dims[0]);
  meter.charge(charge, bytes_of(ElementType::int64, batches),
               [&] { return fmt::format("the list of {} sequence lengths", batches); });
  if (lengths.empty()) return std::vector<std::int64_t>(batches, scanned.dims[1]);
  const Tensor& tensor = tensor_of(node, 0, lengths);
  if (tensor.type != ElementType::int64 || tensor.count() != batches)
    kernels::refuse(node, fmt::format("the sequence lengths must be {} int64 values, one for each batch", batches));
  const auto chosen = tensor.elements<std::int64_t>();
  for (const std::int64_t length : chosen) {
    if (length < 0 || length > scanned.dims[1])
      kernels::refuse(node, fmt::format("a sequence length is {}; expected 0 to {}", length, scanned.dims[1]));
  }
  return {chosen.begin(), chosen.end()};
}

bool is_optional(const Graph& body, std::size_t input) {
  return body.slots[body.inputs[input]].declared.kind == Type::Kind::optional;
}

/// Wraps a bare value in an optional where the body declares that input optional. A trip may return the bare content:
/// the onnx package's own test_loop16_seq_none passes optional(seq(float)) and returns seq(float).
std::vector<Value> with_optionals(const Graph& body, std::vector<Value> values) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (is_optional(body, i) && values[i].optional() == nullptr) values[i] = Optional{type_of(values[i]), values[i]};
  }
  return values;
}

/// "All the output tensors (loop state variables as well as scan_output_element tensors) are required to have the same
/// shape in each iteration of the loop" (ONNX, "Scan").
void expect_same_state(const Place& place, std::size_t i, const Value& before, const Value& after) {
  if (type_of(before) == type_of(after)) return;
  fail(place, fmt::format("a trip changes the type of state variable {} from {} to {}", i, to_string(type_of(before)),
                          to_string(type_of(after))));
}

/// The item type of a sequence: that of the trips' results, or, if there was no trip, the inferred type. Fails unless
/// all results are tensors of one element type; their shapes may differ.
Type item_type(const Place& place, std::span<const Value> items, const Type& inferred) {
  Type item = inferred.is_tensor() ? Type::tensor(inferred.element) : inferred;
  for (const Value& value : items) {
    const Tensor* tensor = value.tensor();
    if (tensor == nullptr || (&value != items.data() && tensor->type != item.element)) {
      fail(place, fmt::format("a trip returns {}; every trip must return a tensor, all of the same element type",
                              to_string(type_of(value))));
    }
    item = Type::tensor(tensor->type);
  }
  return item;
}

}  // namespace

/// Collects the outputs of a trip (or batch). Kernels do not charge small results, but a loop may collect any number of
/// them.
void Run::collect(const NodeContext& at, std::span<Value> results, std::vector<Collected>& outputs) {
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    with_place(at.place.numbered("output", node_of(at).outputs.size() - outputs.size() + i), [&] {
      meter_.charge(outputs[i].charge, uncharged_by_kernels(results[i]), [] { return "the result of one more trip"; });
    });
    outputs[i].values.push_back(std::move(results[i]));
  }
}

/// Loop (ONNX, "Loop"): the operands are the trip count M and cond, either of which may be left out, and the carried
/// values; the outputs are the carried values and the scan outputs. Even if cond is left out, the loop ends when the
/// body returns false. The specification is unclear about this: one passage says that the cond which the body returns
/// is then ignored (docs/doubts.md).
void Run::evaluate_loop(const NodeContext& at, const Node& node) {
  const Body& body = node.bodies[0];
  const Graph& graph = graph_of(body);
  const std::size_t carried = node.inputs.size() < 2 ? 0 : node.inputs.size() - 2;
  if (node.inputs.size() < 2 || graph.inputs.size() != carried + 2 || graph.outputs.size() < carried + 1 ||
      graph.outputs.size() - 1 != node.outputs.size()) {
    fail(at.place,
         fmt::format("a body with {} inputs and {} outputs does not match a node with {} inputs and {} outputs",
                     graph.inputs.size(), graph.outputs.size(), node.inputs.size(), node.outputs.size()));
  }
  const Tensor* limit = operand(node, 0, at.frame).tensor();
  const bool is_single = limit != nullptr && limit->type == ElementType::int64 && limit->count() == 1;
  if (!operand(node, 0, at.frame).empty() && !is_single) fail(at.place, "the trip count must be a single int64");
  expect_bytes_fit(at.place, operand(node, 0, at.frame));
  const std::int64_t trips =
      limit == nullptr ? std::numeric_limits<std::int64_t>::max() : limit->elements<std::int64_t>()[0];
  bool again = operand(node, 1, at.frame).empty() || truth_of(operand(node, 1, at.frame), at.place);
  const std::uint8_t yes = 1;
  std::vector<Value> values{
      {}, make_tensor<std::uint8_t>(ElementType::boolean, {}, {&yes, 1})};  // trip, cond, carried values
  for (std::size_t i = 0; i < carried; ++i) values.push_back(operand(node, i + 2, at.frame));
  bool has_optionals = false;
  for (std::size_t i = 0; i < graph.inputs.size(); ++i) has_optionals = has_optionals || is_optional(graph, i);
  std::vector<Collected> scans(node.outputs.size() - carried);
  for (std::int64_t trip = 0; trip < trips && again; ++trip) {
    spend_node(at.place);
    values[0] = make_tensor<std::int64_t>(ElementType::int64, {}, {&trip, 1});
    std::vector<Value> wrapped;
    if (has_optionals) wrapped = with_optionals(graph, values);
    std::vector<Value> results = enter(at, body, has_optionals ? wrapped : values, trip);
    again = truth_of(results[0], at.place);
    for (std::size_t i = 0; i < carried; ++i) values[i + 2] = std::move(results[i + 1]);
    collect(at, std::span(results).subspan(1 + carried), scans);
  }
  for (std::size_t i = 0; i < scans.size(); ++i) {
    const Type& item = prepared_.trip_types.output(site_of(at), 1 + carried + i);
    values.push_back(with_place(at.place.numbered("output", carried + i),
                                [&] { return stack_trips(kernel_context(at, node), scans[i].values, item, 0); }));
  }
  set_outputs(at, node, std::span(values).subspan(2));
}

/// While (TensorFlow Lite): "Invoke the condition subgraph. Break out the loop if the result is false. Invoke the body
/// subgraph, use the output as the input of the next iteration." (onert: control flow)
void Run::evaluate_while(const NodeContext& at, const Node& node) {
  const Body& cond = node.bodies[0];
  const Body& body = node.bodies[1];
  std::vector<Value> variables;
  for (std::size_t i = 0; i < node.inputs.size(); ++i) variables.push_back(operand(node, i, at.frame));
  for (const Body* each : {&cond, &body}) {
    if (graph_of(*each).inputs.size() == variables.size()) continue;
    fail(at.place, fmt::format("{} has {} inputs; there are {} loop variables", each->role,
                               graph_of(*each).inputs.size(), variables.size()));
  }
  for (std::int64_t trip = 0;; ++trip) {
    spend_node(at.place);
    const std::vector<Value> again = enter(at, cond, variables, trip);
    if (again.size() != 1) fail(at.place, fmt::format("{} returns {} outputs, not 1", cond.role, again.size()));
    if (!truth_of(again[0], at.place)) break;
    variables = enter(at, body, variables, trip);
    if (variables.size() != node.inputs.size())
      fail(at.place, fmt::format("{} returns {} outputs, not {}", body.role, variables.size(), node.inputs.size()));
  }
  set_outputs(at, node, variables);
}

/// Scan (ONNX, "Scan"): a trip takes the state variables and one element of each scanned operand, and returns the state
/// variables and one element of each scan output.
void Run::evaluate_scan(const NodeContext& at, const Node& node) {
  const ScanForm form =
      with_place(at.place, [&] { return scan_form(node, graph_of(node.bodies[0]), attributes_of(at.call)); });
  std::vector<Value> operands;
  for (std::size_t i = form.first_operand; i < node.inputs.size(); ++i) operands.push_back(operand(node, i, at.frame));
  std::vector<Value> results =
      node.version < 9 ? scan_batches(at, node, form, operands) : scan(at, node, form, operands, std::nullopt);
  set_outputs(at, node, results);
}

/// Version 8: the first axis of every operand and output is the batch axis, and each batch is scanned on its own. Later
/// versions have no batches.
std::vector<Value> Run::scan_batches(const NodeContext& at, const Node& node, const ScanForm& form,
                                     std::span<const Value> operands) {
  std::vector<const Tensor*> tensors;
  Charge charge;  // for the lengths
  const std::vector<std::int64_t> lengths = with_place(at.place, [&] {
    for (std::size_t i = 0; i < operands.size(); ++i)
      tensors.push_back(&tensor_of(node, form.first_operand + i, operands[i]));
    std::vector<std::int64_t> each =
        batch_lengths(node, operand(node, 0, at.frame), *tensors[form.states], meter_, charge);
    for (std::size_t i = 0; i < tensors.size(); ++i) {
      if (tensors[i]->dims.empty() || tensors[i]->dims[0] != static_cast<std::int64_t>(each.size()))
        kernels::refuse(node, fmt::format("operand {} must have {} batches", form.first_operand + i, each.size()));
    }
    return each;
  });
  std::vector<Collected> outputs(node.outputs.size());  // outputs[i].values[batch]
  for (std::size_t batch = 0; batch < lengths.size(); ++batch) {
    spend_node(at.place);
    std::vector<Value> elements;
    for (std::size_t i = 0; i < tensors.size(); ++i) {
      elements.push_back(with_place(at.place, [&] {
        return kernels::element_along(kernel_context(at, node), *tensors[i], 0, static_cast<std::int64_t>(batch));
      }));
    }
    std::vector<Value> results = scan(at, node, form, elements, lengths[batch]);
    collect(at, results, outputs);
  }
  const std::int64_t padded_length = tensors[form.states]->dims[1];
  for (std::size_t i = form.states; i < outputs.size(); ++i) {
    with_place(at.place.numbered("output", i),
               [&] { pad_batches(kernel_context(at, node), outputs[i].values, padded_length, outputs[i].charge); });
  }
  std::vector<Value> results;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (lengths.empty() && i < form.states) {  // no batches at all: the state is unchanged
      results.push_back(operands[i]);
      continue;
    }
    Type batch_type = prepared_.trip_types.output(site_of(at), i);
    // If there are no batches at all, stack_trips() needs the type that a batch would have: that of an element, with
    // the sequence axis in front.
    if (i >= form.states && batch_type.shape)
      batch_type.shape->insert(batch_type.shape->begin(), Dim{padded_length, {}});
    results.push_back(with_place(at.place.numbered("output", i), [&] {
      return stack_trips(kernel_context(at, node), outputs[i].values, batch_type, 0);
    }));
  }
  return results;
}

/// Returns the final state variables and the scan outputs. `length` is the number of trips; nullopt: one for every
/// element.
std::vector<Value> Run::scan(const NodeContext& at, const Node& node, const ScanForm& form,
                             std::span<const Value> operands, std::optional<std::int64_t> length) {
  const Body& body = node.bodies[0];
  Scanned scanned = with_place(at.place, [&] { return scanned_operands(node, form, operands); });
  scanned.length = length.value_or(scanned.length);
  // The body's inputs: state variables, then the scanned operands, each replaced by one element in every trip.
  std::vector<Value> values(operands.begin(), operands.end());
  std::vector<Collected> scans(form.outputs.size());
  for (std::int64_t trip = 0; trip < scanned.length; ++trip) {
    spend_node(at.place);
    for (std::size_t i = 0; i < scanned.tensors.size(); ++i) {
      const std::int64_t position = form.inputs[i].backward ? scanned.length - 1 - trip : trip;
      with_place(at.place, [&] {
        values[form.states + i] =
            kernels::element_along(kernel_context(at, node), *scanned.tensors[i], scanned.axes[i], position);
      });
    }
    std::vector<Value> results = enter(at, body, values, trip);
    for (std::size_t i = 0; i < form.states; ++i) {
      expect_same_state(at.place, i, values[i], results[i]);
      values[i] = std::move(results[i]);
    }
    collect(at, std::span(results).subspan(form.states), scans);
  }
  values.resize(form.states);
  for (std::size_t i = 0; i < scans.size(); ++i) {
    if (form.outputs[i].backward)
      scans[i].values = std::vector<Value>(scans[i].values.rbegin(), scans[i].values.rend());
    const Type& item = prepared_.trip_types.output(site_of(at), form.states + i);
    values.push_back(with_place(at.place.numbered("output", form.states + i), [&] {
      return stack_trips(kernel_context(at, node), scans[i].values, item, form.outputs[i].axis);
    }));
  }
  return values;
}

/// SequenceMap (ONNX, "SequenceMap"): a trip for each item of the first operand. The body gets one item of each
/// sequence operand, and tensor operands whole.
void Run::evaluate_sequence_map(const NodeContext& at, const Node& node) {
  const Body& body = node.bodies[0];
  const Graph& graph = graph_of(body);
  const Sequence* first = operand(node, 0, at.frame).sequence();
  if (first == nullptr) fail(at.place, "operand 0 is not a sequence");
  if (graph.inputs.size() != node.inputs.size() || graph.outputs.size() != node.outputs.size()) {
    fail(at.place,
         fmt::format("a body with {} inputs and {} outputs does not match a node with {} inputs and {} outputs",
                     graph.inputs.size(), graph.outputs.size(), node.inputs.size(), node.outputs.size()));
  }
  for (std::size_t i = 1; i < node.inputs.size(); ++i) {
    const Sequence* other = operand(node, i, at.frame).sequence();
    if (other == nullptr || other->items.size() == first->items.size()) continue;
    fail(at.place,
         fmt::format("operand {} has {} items; operand 0 has {}", i, other->items.size(), first->items.size()));
  }
  std::vector<Collected> items(node.outputs.size());
  std::vector<Value> values(node.inputs.size());
  for (std::size_t trip = 0; trip < first->items.size(); ++trip) {
    spend_node(at.place);
    for (std::size_t i = 0; i < values.size(); ++i) {
      const Value& whole = operand(node, i, at.frame);
      values[i] = whole.sequence() == nullptr ? whole : whole.sequence()->items[trip];
    }
    std::vector<Value> results = enter(at, body, values, static_cast<std::int64_t>(trip));
    collect(at, results, items);
  }
  std::vector<Value> sequences;
  for (std::size_t i = 0; i < items.size(); ++i) {
    Type item = item_type(at.place.numbered("output", i), items[i].values, prepared_.trip_types.output(site_of(at), i));
    sequences.emplace_back(Sequence{std::move(item), std::move(items[i].values)});
  }
  set_outputs(at, node, sequences);
}

}  // namespace ifcert
