// One program, eight threads: each run has its own inputs, its own cond and its own observer. Meant for ThreadSanitizer
// (cmake --preset tsan); the results must be right without it too.
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <barrier>
#include <ifcert/reference.hpp>
#include <string>
#include <thread>
#include <vector>

#include "formats/onnx/file_builder.hpp"
#include "formats/tflite/file_builder.hpp"

namespace ifcert::tflite {
namespace {

using namespace file_builder;

/// y = cond ? (x negated in an inner If, whichever subgraph it takes) : x + 3k in a While of three trips, k a constant.
Reading model_of_both() {
  const Tensor pair{TensorType_FLOAT32, {2}};
  const Tensor k{TensorType_FLOAT32, {2}, "k", 1};
  return read(File{
      {{"main", {boolean(), pair, pair}, {0, 1}, {2}, {if_({0, 0, 1}, {2}, 1, 2)}},
       {"then", {boolean(), pair, pair}, {0, 1}, {2}, {if_({0, 1}, {2}, 5, 5)}},
       {"else", {boolean(), pair, ints({}, 2), ints(), pair}, {0, 1}, {4}, {while_({2, 1}, {3, 4}, 3, 4)}},
       {"below", {ints(), pair, ints({}, 3), boolean()}, {0, 1}, {3}, {operation(BuiltinOperator_LESS, {0, 2}, {3})}},
       {"add",
        {ints(), pair, k, pair, ints({}, 4), ints()},
        {0, 1},
        {5, 3},
        {operation(BuiltinOperator_ADD, {1, 2}, {3}), operation(BuiltinOperator_ADD, {0, 4}, {5})}},
       unary("negate", BuiltinOperator_NEG, pair)},
      {{bytes_of<float>({100, 200})},
       {bytes_of<std::int32_t>({0}), true},
       {bytes_of<std::int32_t>({3})},
       {bytes_of<std::int32_t>({1}), true}}});
}

}  // namespace
}  // namespace ifcert::tflite

namespace ifcert {
namespace {

using namespace onnx::file_builder;

constexpr std::size_t thread_count = 8;
constexpr int runs_per_thread = 200;

/// y = cond ? (x negated in an inner If, cond captured through it) : x + 3k in a Loop of three trips, k an initializer
/// of the main graph; through a function that is called in both branches.
std::string model_of_everything() {
  const std::string inner_then = graph("it", {{call("f", {"x"}, {"a"})}, {}, {}, {value_info("a")}});
  const std::string inner_else = graph("ie", {{node("Identity", {"x"}, {"b"})}, {}, {}, {value_info("b")}});
  const std::string inner =
      node("If", {"cond"}, {"t"}, {branch("then_branch", inner_then), branch("else_branch", inner_else)});
  const std::string body =
      graph("body", {{node("Identity", {"again"}, {"more"}), node("Add", {"carried", "k"}, {"sum"})},
                     {},
                     {value_info("trip"), value_info("again"), value_info("carried")},
                     {value_info("more"), value_info("sum")}});
  const std::string trips = node("Constant", {}, {"n"}, {int_attribute("value_int", 3)});
  const std::string loop = node("Loop", {"n", "", "x"}, {"l"}, {branch("body", body)});
  const std::string twice_negated = call("f", {"l"}, {"m"});
  const std::string then_graph = graph("then", {{inner}, {}, {}, {value_info("t")}});
  const std::string else_graph =
      graph("else", {{trips, loop, twice_negated, call("f", {"m"}, {"e"})}, {}, {}, {value_info("e")}});
  const std::string choose =
      node("If", {"cond"}, {"y"}, {branch("then_branch", then_graph), branch("else_branch", else_graph)});
  return with_functions(
      model(graph("main", {{choose},
                           {float_tensor("k", {2}, {100, 200})},
                           {value_info("cond", tensor_type(9, {})), value_info("x", tensor_type(1, {2}))},
                           {value_info("y", tensor_type(1, {2}))}})),
      {function("f", {{"v"}, {"w"}, {node("Neg", {"v"}, {"w"})}})});
}

/// The results of one thread.
struct Seen {
  int wrong = 0;
  int branches = 0;
};

Seen run_often(const Program& program, std::size_t thread) {
  Seen seen;
  for (int i = 0; i < runs_per_thread; ++i) {
    const std::uint8_t cond = (thread + static_cast<std::size_t>(i)) % 2 == 0 ? 1 : 0;
    const std::array<float, 2> x{static_cast<float>(thread), static_cast<float>(i)};
    const std::vector<Value> inputs{make_tensor<std::uint8_t>(ElementType::boolean, {}, {&cond, 1}),
                                    make_tensor<float>(ElementType::float32, {2}, x)};
    int branches = 0;
    const std::vector<Value> outputs = program.run(inputs, [&](const BranchTaken& taken) {
      if (taken.cond != (cond != 0)) ++seen.wrong;
      ++branches;
    });
    const std::array<float, 2> expected = cond != 0 ? std::array{-x[0], -x[1]} : std::array{x[0] + 300, x[1] + 600};
    if (!same_bits(outputs[0], make_tensor<float>(ElementType::float32, {2}, expected))) ++seen.wrong;
    if (branches != (cond != 0 ? 2 : 1)) ++seen.wrong;
    seen.branches += branches;
  }
  return seen;
}

void expect_undisturbed_runs(Reading reading) {
  ASSERT_TRUE(check(reading).empty());
  const Program program(std::move(reading.model));
  std::array<Seen, thread_count> seen;
  std::barrier start(static_cast<std::ptrdiff_t>(thread_count));
  {
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < thread_count; ++i) {
      threads.emplace_back([&, i] {
        start.arrive_and_wait();
        seen[i] = run_often(program, i);
      });
    }
  }
  for (const Seen& one : seen) {
    EXPECT_EQ(one.wrong, 0);
    EXPECT_EQ(one.branches, runs_per_thread / 2 * 3);
  }
}

TEST(Threads, RunOneProgramAtTheSameTimeWithoutDisturbingEachOther) {
  expect_undisturbed_runs(read(model_of_everything()));
  expect_undisturbed_runs(tflite::model_of_both());
}

TEST(Threads, ReadAndCheckAtTheSameTime) {
  const std::string bytes = model_of_everything();
  std::atomic<int> legal = 0;
  {
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < thread_count; ++i) {
      threads.emplace_back([&] {
        if (check(read(bytes)).empty() && check(tflite::model_of_both()).empty()) ++legal;
      });
    }
  }
  EXPECT_EQ(legal, static_cast<int>(thread_count));
}

}  // namespace
}  // namespace ifcert
