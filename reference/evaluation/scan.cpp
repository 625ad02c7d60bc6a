// Scan, whose trips each take one element of the scanned operands.
#include <fmt/format.h>

#include <optional>
#include <utility>

#include "check/inference/scan_form.hpp"
#include "evaluation/failure.hpp"
#include "evaluation/run.hpp"
#include "evaluation/scan_output.hpp"
#include "operators/operands.hpp"
#include "operators/stack.hpp"

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

/// Sentence: operators-scan-same-shape-in-each-iteration.
void expect_same_state(const Place& place, std::size_t i, const Value& before, const Value& after) {
  if (type_of(before) == type_of(after)) return;
  fail(place, fmt::format("a trip changes the type of state variable {} from {} to {}", i, to_string(type_of(before)),
                          to_string(type_of(after))));
}

}  // namespace

/// Scan (ONNX, "Scan"): a trip takes the state variables and one element of each scanned operand, and returns the state
/// variables and one element of each scan output.
/// Rules: onnx/if/in-scan, onnx/if/loop-in-branch.
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

}  // namespace ifcert
