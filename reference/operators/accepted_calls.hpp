// Random calls for the rule that what is known before any run is found before it: what inference accepts of an
// operator's operands, evaluation computes for some values of theirs, or its message names the fault.
#pragma once

#include <algorithm>
#include <cstdint>
#include <ifcert/elements.hpp>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "operators/numeric.hpp"
#include "operators/operands.hpp"
#include "operators/random_operands.hpp"

namespace ifcert::kernels {

/// Other elements for a tensor of integers, which positions, axes and shapes are; the same for any other value.
inline Value with_other_elements(Random& random, const Value& value) {
  const Tensor* tensor = value.tensor();
  if (tensor == nullptr || !is_numeric(tensor->type) || is_floating(tensor->type)) return value;
  const bool ascends = random.one_in(3);
  const bool repeats = random.one_in(3);
  const std::int64_t first = random.between(-1, 3);
  std::vector<std::byte> bytes(tensor->data.size());
  for (std::uint64_t i = 0; i < tensor->count(); ++i) {
    const std::int64_t element = ascends ? static_cast<std::int64_t>(i) : repeats ? first : random.between(-1, 3);
    write_number(bytes, tensor->type, i, element);
  }
  return Tensor{tensor->type, tensor->dims, Buffer::copy_of(bytes), {}};
}

/// What inference is told: the operands' types, and where shapes cannot fit it says so; or no shapes, as for files of
/// TensorFlow Lite, whose declared shapes are hints.
enum class Shapes : std::uint8_t { known, unknown };

/// Whether inference accepts the operands' types, none of whose values is known.
inline bool is_accepted(const Operator& op, const Call& call, std::size_t outputs, Shapes shapes) {
  const Node node = node_of(call);
  std::vector<Type> types;
  for (const Value& value : call.inputs) {
    types.push_back(value.empty() ? Type{} : type_of(value));
    if (shapes == Shapes::unknown) types.back().shape.reset();
  }
  const std::vector<Value> unknown(call.inputs.size());
  std::vector<Type> results(outputs);
  std::string misfit;
  try {
    op.infer({node, pointers_to(types), unknown, nullptr, &misfit}, results);
  } catch (const EvaluationError&) {
    return false;
  }
  return misfit.empty();
}

inline bool names_one(std::span<const std::string_view> faults, std::string_view message) {
  return std::ranges::any_of(faults, [&](std::string_view part) { return message.find(part) != std::string::npos; });
}

/// Why the call cannot be computed, whatever elements its lists and positions have: the first message that names one of
/// `faults`, or the last of all; empty where it can.
inline std::string refusal_whatever_the_values(Random& random, const Operator& op, Call call, std::size_t outputs,
                                               std::span<const std::string_view> faults) {
  const Node node = node_of(call);
  std::vector<Value> results(outputs);
  std::string refusal;
  for (int tries = 0; tries < 60; ++tries) {
    try {
      op.evaluate({node, call.inputs}, results);
      return {};
    } catch (const NotInferred&) {
      return {};  // the specification leaves it open
    } catch (const EvaluationError& error) {
      if (!names_one(faults, refusal)) refusal = error.what();
    }
    for (Value& value : call.inputs) value = with_other_elements(random, value);
  }
  return refusal;
}

inline std::size_t one_output(const Call& /*call*/) {
  return 1;
}

/// `find` returns the operator of a call, `make` makes one, `outputs_of` returns the number of its outputs; a message
/// with one of `faults` names the fault.
template <class Find, class Make, class Outputs>
void expect_computed_or_at_fault(unsigned seed, std::span<const std::string_view> faults, Shapes shapes, Find find,
                                 Make make, Outputs outputs_of) {
  Random random(seed);
  const auto is_well_formed = [](const Value& value) {
    return value.tensor() == nullptr || bytes_fit_shape(*value.tensor());
  };
  std::set<std::string_view> unseen(faults.begin(), faults.end());
  int accepted = 0;
  for (int i = 0; i < 40'000; ++i) {
    Call call = make(random);
    std::erase_if(call.attributes, [](const auto& each) {  // which nothing resolves here
      return std::holds_alternative<AttributeReference>(each.second);
    });
    const Operator* op = find(call);
    const std::size_t outputs = outputs_of(call);
    if (op == nullptr || !std::ranges::all_of(call.inputs, is_well_formed)) continue;
    if (!is_accepted(*op, call, outputs, shapes)) continue;
    ++accepted;
    const std::string refusal = refusal_whatever_the_values(random, *op, call, outputs, faults);
    std::erase_if(unseen, [&](std::string_view part) { return refusal.find(part) != std::string::npos; });
    EXPECT_TRUE(refusal.empty() || names_one(faults, refusal))
        << call.op << " of version " << call.version << ": " << refusal;
  }
  EXPECT_GT(accepted, 10'000);
  EXPECT_THAT(unseen, testing::IsEmpty()) << "entries of the list that no message has";
}

}  // namespace ifcert::kernels
