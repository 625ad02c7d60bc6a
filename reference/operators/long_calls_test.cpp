// Kernels that may go on for long look at the clock meanwhile, so that a limit of time or an interrupt is noticed.
#include <algorithm>
#include <array>
#include <ctime>
#include <ifcert/run_limits.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "limits/work.hpp"
#include "operators/operator_call.hpp"
#include "operators/result.hpp"

namespace ifcert::kernels {
namespace {

constexpr std::int64_t many = std::int64_t{1} << 21;

/// The limit that ends the call of the kernel; nullopt where none does. Operands and results cost nothing here: what
/// ends a run whose time is over is a tick of the kernel, or of the appending to its result.
std::optional<Limit> limit_of(const Call& call, const RunLimits& limits) {
  Meter meter(limits);
  std::array<Value, 1> outputs;
  const Node node = node_of(call);
  try {
    find_onnx_operator(call.op, call.version)->evaluate({node, call.inputs, nullptr, Work(meter, 0)}, outputs);
  } catch (const LimitExceeded& error) {
    return error.limit;
  }
  return std::nullopt;
}

const RunLimits time_is_over{.seconds = -1};

Value zeros(ElementType type, Dims dims) {
  const Node node;
  return Result({node, {}}, type, std::move(dims)).value();
}

Value zero_floats(Dims dims) {
  return zeros(ElementType::float32, std::move(dims));
}

/// The dims, and then `count` dims of one element.
Dims of_rank(Dims dims, std::size_t count) {
  dims.insert(dims.end(), count, 1);
  return dims;
}

Value number(std::int64_t value) {
  return integers({}, {value});
}

Value text(std::size_t length) {
  return make_strings({1}, {std::string(length, '0')});
}

/// Calls that go on for millions of steps because they have millions of elements, or multiply them.
std::vector<Call> calls_of_many_elements() {
  const Value x = zero_floats({many});
  const Value bytes = zeros(ElementType::uint8, {many});
  const Value flags = zeros(ElementType::boolean, {many});
  const Value indices = zeros(ElementType::int64, {many});
  const Value scale = floats({}, {1});
  const Value matrix = zero_floats({256, 256});
  return {
      {"Add", {x, x}},
      {"ArgMax", {x}},
      {"Cast", {x}, {{"to", std::int64_t{11}}}},
      {"Concat", {x, x}, {{"axis", std::int64_t{0}}}},
      {"ConstantOfShape", {list({many})}},
      {"Conv", {zero_floats({1, 1, 1 << 12}), zero_floats({1, 1, 1 << 10})}},
      {"DequantizeLinear", {bytes, scale}},
      {"Exp", {x}},
      {"Expand", {scale, list({many})}},
      {"Gather", {x, indices}},
      {"GatherElements", {x, indices}},
      {"Gemm", {matrix, matrix}},
      {"LSTM", {zero_floats({1 << 10, 1, 1}), zero_floats({1, 256, 1}), zero_floats({1, 256, 64})}},
      {"MatMul", {matrix, matrix}},
      {"Max", {x, x}},
      {"NonZero", {x}},
      {"Not", {flags}},
      {"OneHot", {indices, number(1), list({0, 1})}},
      {"Pad", {x, list({0, 1})}},
      {"Pow", {x, x}},
      {"QuantizeLinear", {x, scale}},
      {"Range", {number(0), number(many), number(1)}},
      {"ReduceSum", {x}},
      {"Slice", {x, list({0}), list({many}), list({0}), list({1})}},
      {"Softmax", {x}},
      {"Softmax", {zero_floats({many / 2, 2})}},
      {"Split", {x, list({many})}},
      {"Tile", {zero_floats({2}), list({many})}},
      {"Transpose", {zero_floats({many / 2, 2})}},
      {"Where", {flags, x, x}},
  };
}

void expect_looks_at_the_clock(const std::vector<Call>& calls) {
  for (const Call& call : calls) {
    SCOPED_TRACE(call.op + " of " + to_string(type_of(call.inputs.front())).substr(0, 60));
    EXPECT_EQ(limit_of(call, time_is_over), Limit::time);
  }
}

TEST(LongCalls, LookAtTheClock) {
  expect_looks_at_the_clock(calls_of_many_elements());
}

TEST(LongCalls, OfALongStringLookAtTheClock) {
  expect_looks_at_the_clock({
      {"Cast", {text(many)}, {{"to", std::int64_t{11}}}},
      {"Equal", {text(8 * many), text(8 * many)}},
  });
}

/// Few elements, but a walk over all axes for each of them.
TEST(LongCalls, OfHighRankLookAtTheClock) {
  const Dims dims = of_rank({1 << 14}, 1 << 10);
  expect_looks_at_the_clock({
      {"Conv", {zero_floats(of_rank({1, 1, 1 << 13}, 255)), zero_floats(of_rank({1, 1}, 256))}},
      {"GatherElements", {zero_floats(dims), zeros(ElementType::int64, dims)}},
      {"Pad", {zero_floats(dims), zeros(ElementType::int64, {2 * std::ssize(dims)})}},
  });
}

/// Time steps, sequences and operands that have no elements.
TEST(LongCalls, OfNothingLookAtTheClock) {
  const Value nothing = zero_floats({1, 0, 0});
  Call concat{"Concat", std::vector<Value>(1 << 10, zero_floats({1 << 12, 0})), {{"axis", std::int64_t{1}}}};
  concat.inputs.front() = zero_floats({1 << 12, 1});
  expect_looks_at_the_clock({
      concat,
      {"LSTM", {zero_floats({std::int64_t{1} << 50, 1, 0}), nothing, nothing}},
      {"LSTM", {zero_floats({0, many, 0}), nothing, nothing}},
  });
}

TEST(LongCalls, DoNotLookWhereTheyAreShort) {
  EXPECT_EQ(limit_of({"Add", {floats({2}, {1, 2}), floats({2}, {1, 2})}}, time_is_over), std::nullopt);
}

TEST(Result, CountsItsElementsWithTheCostOfTheOperator) {
  const Node node;
  Meter meter(time_is_over);
  Result({node, {}, nullptr, Work(meter)}, ElementType::float32, {many / 4});
  EXPECT_THROW(Result({node, {}, nullptr, Work(meter, 10)}, ElementType::float32, {many / 4}), LimitExceeded);
}

TEST(Walks, DoNotVisitAxesOfOneElement) {
  constexpr std::size_t rank = 1'000'000;
  const std::clock_t begun = std::clock();
  evaluated({"Add", {zero_floats(of_rank({2, 1 << 13}, rank)), zero_floats(of_rank({1, 1 << 13}, rank))}});
  Integers perm(2 + rank);
  for (std::size_t i = 0; i < perm.size(); ++i) perm[i] = static_cast<std::int64_t>(i);
  std::swap(perm.front(), perm.back());
  evaluated({"Transpose", {zero_floats(of_rank({2, 1 << 13}, rank))}, {{"perm", perm}}});
  EXPECT_LT(std::clock() - begun, 2 * CLOCKS_PER_SEC);
}

TEST(LongCalls, CountTheLengthsOfSequencesWithoutElements) {
  const Value nothing = zero_floats({1, 0, 0});
  EXPECT_EQ(limit_of({"LSTM", {zero_floats({0, std::int64_t{1} << 40, 0}), nothing, nothing}}, {}), Limit::memory);
}

}  // namespace
}  // namespace ifcert::kernels
