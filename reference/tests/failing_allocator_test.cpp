// Memory that runs out at the first allocation, the second, the third, …: reading, checking, preparing and running end
// with std::bad_alloc, free all memory, and can be repeated. Replaces operator new and pugixml's memory, so it is a
// separate program.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <ifcert/reference.hpp>
#include <limits>
#include <new>
#include <pugixml.hpp>
#include <string>

#include "formats/zero_inputs.hpp"

namespace {

/// The number of allocations until one fails, and the number of live ones.
long until_failure = std::numeric_limits<long>::max();
bool fails_for_good = false;
bool was_nothrow = false;  // the allocation that failed was a nothrow one, whose caller may continue another way
long alive = 0;
long with_place = 0;  // failures that came with a place in the model

// NOLINTBEGIN(cppcoreguidelines-owning-memory): who owns memory is what these functions are below
void* allocate(std::size_t size, std::size_t alignment) {
  if (until_failure-- <= 0) {
    if (!fails_for_good) until_failure = std::numeric_limits<long>::max();
    return nullptr;
  }
  const std::size_t whole = (size + alignment - 1) / alignment * alignment;
  void* memory = std::aligned_alloc(alignment, whole == 0 ? alignment : whole);
  if (memory != nullptr) ++alive;
  return memory;
}

void* allocate_or_throw(std::size_t size, std::size_t alignment) {
  void* memory = allocate(size, alignment);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

void* allocate_or_not(std::size_t size) {
  void* memory = allocate(size, alignof(std::max_align_t));
  was_nothrow = was_nothrow || memory == nullptr;
  return memory;
}

void release(void* memory) {
  if (memory != nullptr) --alive;
  std::free(memory);
}
// NOLINTEND(cppcoreguidelines-owning-memory)

}  // namespace

// NOLINTBEGIN(misc-new-delete-overloads): every form of the standard's
void* operator new(std::size_t size) {
  return allocate_or_throw(size, alignof(std::max_align_t));
}
void* operator new[](std::size_t size) {
  return allocate_or_throw(size, alignof(std::max_align_t));
}
void* operator new(std::size_t size, std::align_val_t alignment) {
  return allocate_or_throw(size, static_cast<std::size_t>(alignment));
}
void* operator new[](std::size_t size, std::align_val_t alignment) {
  return allocate_or_throw(size, static_cast<std::size_t>(alignment));
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  return allocate_or_not(size);
}
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept {
  return allocate_or_not(size);
}
void operator delete(void* memory) noexcept {
  release(memory);
}
void operator delete[](void* memory) noexcept {
  release(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  release(memory);
}
void operator delete[](void* memory, std::size_t) noexcept {
  release(memory);
}
void operator delete(void* memory, std::align_val_t) noexcept {
  release(memory);
}
void operator delete[](void* memory, std::align_val_t) noexcept {
  release(memory);
}
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
  release(memory);
}
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept {
  release(memory);
}
void operator delete(void* memory, const std::nothrow_t&) noexcept {
  release(memory);
}
void operator delete[](void* memory, const std::nothrow_t&) noexcept {
  release(memory);
}
// NOLINTEND(misc-new-delete-overloads)

namespace ifcert {
namespace {

/// Does `act` with its n-th allocation failing, and all later ones if requested. Returns whether an allocation failed.
template <class Act>
bool fails_at(long n, bool for_good, const Act& act) {
  const long before = alive;
  bool thrown = false;
  was_nothrow = false;
  fails_for_good = for_good;
  until_failure = n;
  try {
    act();
  } catch (const std::bad_alloc& error) {
    thrown = true;
    with_place += dynamic_cast<const OutOfMemory*>(&error) != nullptr ? 1 : 0;
  }
  const bool came_to_it = until_failure < 0 || until_failure > n;
  until_failure = std::numeric_limits<long>::max();
  EXPECT_EQ(alive, before) << "leaked when allocation " << n << " failed";
  EXPECT_TRUE(thrown || was_nothrow || !came_to_it) << "the failure of allocation " << n << " was ignored";
  return came_to_it;
}

/// Returns the number of allocations that `act` makes, each of which failed once.
template <class Act>
long fails_everywhere(const Act& act) {
  long n = 0;
  while (fails_at(n, false, act) && !testing::Test::HasFailure()) ++n;
  for (long at = 0; at < n && !testing::Test::HasFailure(); at += 7) fails_at(at, true, act);
  return n;
}

/// The file of a vector's model, by the vector's id.
std::filesystem::path model_of(const std::string& vector) {
  const std::size_t slash = vector.find('/');
  const std::string system = vector.substr(0, slash);
  const std::string ending = system == "onnx" ? ".onnx" : system == "openvino" ? ".xml" : ".tflite";
  const std::filesystem::path stem =
      std::filesystem::path(IFCERT_VECTORS) / system / "generated" / vector.substr(slash + 1);
  const std::filesystem::path file = stem.string() + ending;
  return std::filesystem::exists(file) ? file : stem / file.filename();  // a folder with external data
}

void* allocate_for_pugixml(std::size_t size) {
  return allocate(size, alignof(std::max_align_t));
}

class FailingAllocator : public testing::TestWithParam<const char*> {
 protected:
  static void SetUpTestSuite() { pugi::set_memory_management_functions(allocate_for_pugixml, release); }

  std::filesystem::path path_ = model_of(GetParam());
};

TEST_P(FailingAllocator, ReadingGivesTheWholeModelOrNone) {
  const long n = fails_everywhere([&] { const Reading reading = read_model(path_); });
  EXPECT_GT(n, 20);
}

TEST_P(FailingAllocator, CheckingLeavesTheModelAsItWas) {
  const Reading reading = read_model(path_);
  with_place = 0;
  fails_everywhere([&] { const auto broken = check(reading); });
  EXPECT_TRUE(check(reading).empty());
  const bool infers_node_by_node = reading.model.format != Format::tflite;
  EXPECT_TRUE(with_place > 0 || !infers_node_by_node);
}

TEST_P(FailingAllocator, TheMessageSaysWhereInTheModelThereWasNoMemory) {
  with_place = 0;
  fails_everywhere([&] { const Reading reading = read_model(path_); });
  EXPECT_GT(with_place, 0);
  const Model model = read_model(path_).model;
  with_place = 0;
  bool expressible = true;
  fails_everywhere([&] {
    try {
      const Model made = translate(model, Format::onnx);
    } catch (const Inexpressible&) {
      expressible = false;
    }
  });
  const bool translated = expressible && model.format != Format::onnx;
  EXPECT_TRUE(with_place > 0 || !translated);
}

TEST_P(FailingAllocator, PreparingGivesAProgramOrNone) {
  const Reading reading = read_model(path_);
  const long n = fails_everywhere([&] { const Program program(Model(reading.model)); });
  EXPECT_GT(n, 5);
}

TEST_P(FailingAllocator, ARunThatFailedCanBeRepeated) {
  const Program program(read_model(path_).model);
  const auto inputs = zero_inputs(program.model().main());
  ASSERT_TRUE(inputs);
  const std::vector<Value> expected = program.run(*inputs);
  fails_everywhere([&] { const auto outputs = program.run(*inputs); });
  const std::vector<Value> again = program.run(*inputs);
  ASSERT_EQ(again.size(), expected.size());
  for (std::size_t i = 0; i < again.size(); ++i) EXPECT_TRUE(same_bits(again[i], expected[i])) << i;
}

// Nests, captures, a Loop, functions with attributes, external data; port maps, constants off every alignment; Ifs and
// Whiles of TensorFlow Lite, strings, buffers after the table.
INSTANTIATE_TEST_SUITE_P(
    Vectors, FailingAllocator,
    testing::Values("onnx/if/nesting/depth-8", "onnx/if/outer-scope-capture/through-3-levels",
                    "onnx/if/in-loop/carried-value-captured", "onnx/if/loop-in-branch/loop-in-then",
                    "onnx/if/in-function/attribute-reference-in-branch",
                    "onnx/if/in-function/branch-is-attribute-reference",
                    "onnx/model/external-data-in-folder/beside-the-model", "openvino/if/nesting/tower-16",
                    "openvino/ir/constant-in-weights/at-an-odd-offset", "openvino/ir/no-cycles/in-another-order",
                    "tflite/nested/deep/in-turn-8", "tflite/nested/if-in-while/collatz",
                    "tflite/subgraph/constant-outputs/string", "tflite/file/buffer-in-file/behind-the-table"),
    [](const auto& vector) {
      std::string name = vector.param;
      for (char& letter : name) {
        if (std::isalnum(static_cast<unsigned char>(letter)) == 0) letter = '_';
      }
      return name;
    });

}  // namespace
}  // namespace ifcert
