// The cost of passing a value: a run on 64 MB makes the same allocations as a run on 64 bytes, byte for byte, however
// many Ifs, While trips and subgraphs the value passes through. Counts operator new and, by the linker's --wrap, the
// malloc and calloc of values' bytes, so it is a separate program.
#include <gtest/gtest.h>

#include <cstdlib>
#include <ifcert/reference.hpp>
#include <new>
#include <string>

#include "formats/tflite/file_builder.hpp"

namespace {

/// All allocations since the program began; deallocations are not subtracted.
std::size_t bytes_asked = 0;
std::size_t times_asked = 0;

void count(std::size_t size) {
  bytes_asked += size;
  ++times_asked;
}

}  // namespace

// NOLINTBEGIN: names that the linker and the standard give; who owns memory is what these functions are below
extern "C" {
void* __real_malloc(std::size_t size);
void* __real_calloc(std::size_t number, std::size_t size);

void* __wrap_malloc(std::size_t size) {
  count(size);
  return __real_malloc(size);
}

void* __wrap_calloc(std::size_t number, std::size_t size) {
  count(number * size);
  return __real_calloc(number, size);
}
}

void* operator new(std::size_t size) {
  count(size);
  void* memory = __real_malloc(size == 0 ? 1 : size);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}
void* operator new[](std::size_t size) {
  return operator new(size);
}
void operator delete(void* memory) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}
void operator delete[](void* memory) noexcept {
  std::free(memory);
}
void operator delete[](void* memory, std::size_t) noexcept {
  std::free(memory);
}
// NOLINTEND

namespace ifcert::tflite {
namespace {

using namespace file_builder;

struct Cost {
  std::size_t bytes, times;
  bool operator==(const Cost&) const = default;
};

void PrintTo(const Cost& cost, std::ostream* out) {
  *out << cost.bytes << " bytes in " << cost.times << " allocations";
}

template <class Act>
Cost cost_of(const Act& act) {
  const Cost before{bytes_asked, times_asked};
  act();
  return {bytes_asked - before.bytes, times_asked - before.times};
}

constexpr std::size_t small = 64;
constexpr std::size_t large = std::size_t{64} << 20;

/// A float32 tensor of that many bytes.
Value floats(std::size_t bytes) {
  std::byte* data = nullptr;
  Buffer buffer = Buffer::allocate(bytes, &data);
  return ifcert::Tensor{ElementType::float32, {static_cast<std::int64_t>(bytes / 4)}, std::move(buffer), {}};
}

Value truth() {
  const std::uint8_t yes = 1;
  return make_tensor<std::uint8_t>(ElementType::boolean, {}, {&yes, 1});
}

Value zero() {
  const std::int32_t none = 0;
  return make_tensor<std::int32_t>(ElementType::int32, {}, {&none, 1});
}

const Tensor value{TensorType_FLOAT32, {-1}};

/// cond and the value pass through that many nested Ifs.
File nest(std::int32_t levels) {
  File file;
  for (std::int32_t i = 0; i < levels; ++i)
    file.subgraphs.push_back({"level", {boolean(), value, value}, {0, 1}, {2}, {if_({0, 0, 1}, {2}, i + 1, levels)}});
  file.subgraphs.push_back({"leaf", {boolean(), value}, {0, 1}, {1}});
  return file;
}

/// The value passes through that many trips of a While that counts them.
File loop(std::int32_t trips) {
  return {
      {{"main", {ints(), value, ints(), value}, {0, 1}, {3}, {while_({0, 1}, {2, 3}, 1, 2)}},
       {"below", {ints(), value, ints({}, 1), boolean()}, {0, 1}, {3}, {operation(BuiltinOperator_LESS, {0, 2}, {3})}},
       {"step", {ints(), value, ints({}, 2), ints()}, {0, 1}, {3, 1}, {operation(BuiltinOperator_ADD, {0, 2}, {3})}}},
      {{bytes_of<std::int32_t>({trips})}, {bytes_of<std::int32_t>({1})}}};
}

/// The cost of a run whose result must be the last input itself, with the caller's bytes.
Cost cost_of_passing(const Program& program, const std::vector<Value>& inputs) {
  std::vector<Value> outputs;
  const Cost cost = cost_of([&] { outputs = program.run(inputs); });
  EXPECT_EQ(outputs[0].tensor()->data.bytes().data(), inputs.back().tensor()->data.bytes().data());
  return cost;
}

TEST(Allocations, AreCounted) {
  std::string text;
  EXPECT_EQ(cost_of([&] { text = std::string(1000, 'x'); }).bytes, 1001U);
  EXPECT_GE(cost_of([] { floats(large); }).bytes, large);
  EXPECT_GE(cost_of([] { (void)Buffer::copy_of(floats(1000).tensor()->data.bytes()); }).bytes, 2000U);
}

TEST(Allocations, OfARunThroughAHundredNestedIfsAreThoseOfASmallValue) {
  const Program program(read(nest(100)).model);
  const Cost cost = cost_of_passing(program, {truth(), floats(small)});
  EXPECT_GT(cost.times, 100U);
  EXPECT_EQ(cost_of_passing(program, {truth(), floats(large)}), cost);
}

TEST(Allocations, OfARunThroughAThousandTripsAreThoseOfASmallValue) {
  const Program program(read(loop(1000)).model);
  const Cost cost = cost_of_passing(program, {zero(), floats(small)});
  EXPECT_GT(cost.times, 1000U);
  EXPECT_EQ(cost_of_passing(program, {zero(), floats(large)}), cost);
}

TEST(Allocations, OfATripAreTheSameInEachTrip) {
  const auto trips = [](std::int32_t count) {
    return cost_of_passing(Program(read(loop(count)).model), {zero(), floats(small)});
  };
  const Cost ten = trips(10);
  const Cost twenty = trips(20);
  const Cost thirty = trips(30);
  EXPECT_EQ(thirty.bytes - twenty.bytes, twenty.bytes - ten.bytes);
  EXPECT_EQ(thirty.times - twenty.times, twenty.times - ten.times);
}

/// A constant of that many bytes, which a subgraph returns.
File giving_a_constant(std::size_t bytes) {
  Tensor constant{TensorType_FLOAT32, {static_cast<std::int32_t>(bytes / 4)}, "", 1};
  return {{{"main", {boolean(), value}, {0}, {1}, {if_({0}, {1}, 1, 1)}}, {"constant", {constant}, {}, {0}}},
          {{std::string(bytes, '\0'), true}}};
}

TEST(Allocations, OfAConstantAreNoneForItsBytes) {
  const auto reading_and_running = [](std::size_t bytes) {
    const auto owner = std::make_shared<const std::string>(written(giving_a_constant(bytes)));
    return cost_of([&] {
      const Program program(read_bytes(owner, std::as_bytes(std::span(*owner))).model);
      EXPECT_EQ(program.run(std::vector{truth()})[0].tensor()->data.bytes().size(), bytes);
    });
  };
  EXPECT_EQ(reading_and_running(large), reading_and_running(small));
}

TEST(Allocations, OfReadingCheckingAndPreparingGrowWithTheDepthOfANest) {
  const auto depth = [](std::int32_t levels) {
    const std::string bytes = written(nest(levels));
    return cost_of([&] {
      Reading reading = read(bytes);
      EXPECT_TRUE(check(reading).empty());
      const Program program(std::move(reading.model));
    });
  };
  EXPECT_LT(depth(800).bytes, depth(400).bytes * 9 / 4);
  EXPECT_LT(depth(800).times, depth(400).times * 9 / 4);
}

}  // namespace
}  // namespace ifcert::tflite
