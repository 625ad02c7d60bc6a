// What inference accepts of an operator's operands, evaluation computes for some values of theirs, or it says which
// value is at fault: what is known before any run is found before it.
#include <array>
#include <string_view>

#include "kernels/operands.hpp"
#include "kernels/random_onnx_calls.hpp"

namespace ifcert::kernels {
namespace {

/// Parts of messages that name a value of an operand as the fault, which no type shows; and what the reference lacks.
constexpr std::array<std::string_view, 14> faults_of_values{
    "index ",              // of Gather: outside of the axis
    "axis ",               // of a list of axes: outside, given twice, not of size 1
    "is empty",            // the optional of OptionalGetElement
    "the step of axis ",   // of Slice: 0
    "the lengths add up",  // of Split
    "a length is ",
    "new shape ",  // of Reshape
    "depth is ",   // of OneHot: negative
    "the mean of no integers",
    "a quotient is NaN",
    "division by zero",
    "takes more than",  // more memory than a tensor may
    "which is not supported",
    "the reference does not evaluate",
};

/// Other elements for a tensor of int64 or int32, which positions, axes and shapes are; the same for any other value.
Value with_other_elements(Random& random, const Value& value) {
  const Tensor* tensor = value.tensor();
  if (tensor == nullptr || (tensor->type != ElementType::int64 && tensor->type != ElementType::int32)) return value;
  const bool ascends = random.one_in(3);
  const bool repeats = random.one_in(3);
  const std::int64_t first = random.between(-1, 3);
  std::vector<std::int64_t> elements(tensor->count());
  for (std::size_t i = 0; i < elements.size(); ++i)
    elements[i] = ascends ? static_cast<std::int64_t>(i) : repeats ? first : random.between(-1, 3);
  if (tensor->type == ElementType::int64) return integers(tensor->dims, elements);
  return kernels::tensor(ElementType::int32, tensor->dims, std::vector<std::int32_t>(elements.begin(), elements.end()));
}

bool is_well_formed(const Value& value) {
  return value.tensor() == nullptr || bytes_fit_shape(*value.tensor());
}

/// Whether inference accepts the operands' types, which are all known, and none of their values is.
bool is_accepted(const Operator& op, const Call& call) {
  const Node node = node_of(call);
  std::vector<Type> types;
  for (const Value& value : call.inputs) types.push_back(value.empty() ? Type{} : type_of(value));
  const std::vector<Value> unknown(call.inputs.size());
  std::vector<Type> outputs(1);
  std::string misfit;
  try {
    op.infer({node, pointers_to(types), unknown, nullptr, &misfit}, outputs);
  } catch (const EvaluationError&) {
    return false;
  }
  return misfit.empty();
}

/// Why the call cannot be computed, whatever elements its lists and positions have; empty where it can.
std::string refusal_whatever_the_values(Random& random, const Operator& op, Call call) {
  const Node node = node_of(call);
  std::vector<Value> outputs(1);
  std::string refusal;
  for (int tries = 0; tries < 60; ++tries) {
    try {
      op.evaluate({node, call.inputs}, outputs);
      return {};
    } catch (const NotInferred&) {
      return {};  // the specification leaves it open
    } catch (const EvaluationError& error) {
      refusal = error.what();
    }
    for (Value& value : call.inputs) value = with_other_elements(random, value);
  }
  return refusal;
}

/// `find` returns the operator of a call, `make` makes one.
template <class Find, class Make>
void expect_computed_for_some_values(unsigned seed, Find find, Make make) {
  Random random(seed);
  int accepted = 0;
  for (int i = 0; i < 40'000; ++i) {
    Call call = make(random);
    std::erase_if(call.attributes, [](const auto& each) {  // which nothing resolves here
      return std::holds_alternative<AttributeReference>(each.second);
    });
    const Operator* op = find(call);
    if (op == nullptr || !std::ranges::all_of(call.inputs, is_well_formed) || !is_accepted(*op, call)) continue;
    ++accepted;
    const std::string refusal = refusal_whatever_the_values(random, *op, call);
    const bool is_of_a_value = std::ranges::any_of(
        faults_of_values, [&](std::string_view part) { return refusal.find(part) != std::string::npos; });
    EXPECT_TRUE(refusal.empty() || is_of_a_value) << call.op << " of version " << call.version << ": " << refusal;
  }
  EXPECT_GT(accepted, 10'000);
}

TEST(AcceptedCalls, AreComputedForSomeValuesOrTheFaultIsAValue) {
  expect_computed_for_some_values(
      20261128, [](const Call& call) { return find_onnx_operator(call.op, call.version); }, random_onnx_call);
}

}  // namespace
}  // namespace ifcert::kernels
