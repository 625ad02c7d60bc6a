// What the generator knows of a value in every run of the model that it makes.
#pragma once

#include <cstdint>
#include <ifcert/types.hpp>
#include <optional>
#include <vector>

namespace ifcert::generator {

/// The size of one axis: a number, or a negative id of a size that is known only in a run. Equal ids are equal sizes.
using Extent = std::int64_t;
using Extents = std::vector<Extent>;

/// The largest magnitude of a number: integers up to it are exact in float32, and so are their sums.
inline constexpr std::int64_t largest_number = 1 << 22;

/// The most elements of a tensor.
inline constexpr std::int64_t most_elements = 4096;

/// The largest size of an axis that the runs vary, and the most elements of an input.
inline constexpr std::int64_t largest_run_size = 3;
inline constexpr std::int64_t most_of_an_input = 27;

/// What is known of the elements. All numbers are integers, so that every operation on them is exact.
struct Numbers {
  std::int64_t bound = 0;      // no element has a larger magnitude
  bool negative_zero = false;  // a float may be -0, which not every sum keeps
  bool opaque = false;         // bits that are only moved: NaN, infinities, types without arithmetic
};

/// Of a tensor, of the items of a sequence, or of the content of an optional.
struct Known {
  Type::Kind kind = Type::Kind::tensor;
  ElementType element = ElementType::undefined;
  std::optional<Extents> extents = Extents{};  // nullopt: the rank is known only in a run
  Numbers numbers = {};
  std::int64_t most = 1;                     // no tensor has more elements
  std::int64_t length = 0;                   // a sequence has at least so many items
  bool present = false;                      // an optional holds something in every run
  std::optional<bool> truth = std::nullopt;  // a bool of one element that is the same in every run

  bool is_tensor() const { return kind == Type::Kind::tensor; }
  bool has_rank() const { return is_tensor() && extents.has_value(); }

  /// A tensor with which the generator calculates.
  bool is_number() const { return is_tensor() && !numbers.opaque && element != ElementType::boolean; }
  bool is_bool() const { return is_tensor() && element == ElementType::boolean; }

  /// A tensor that has one element in every run.
  bool is_single() const;
};

/// A tensor of that element type and shape, without numbers.
Known tensor_of(ElementType element, Extents extents, Numbers numbers = {});

/// The number of elements where every extent is a number.
std::optional<std::int64_t> count_of(const Extents& extents);

/// The declared type that says as much as is known.
Type type_of(const Known& known);

/// Numbers that either may be.
Numbers either(const Numbers& a, const Numbers& b);

/// The ids of sizes that are known only in a run.
class RunSizes {
 public:
  Extent fresh() { return --last_; }

  /// Sizes that are made from now on are smaller than this.
  Extent mark() const { return last_; }

 private:
  Extent last_ = 0;
};

/// What is known of an extent outside of a body: a size that was made inside of it, after `mark`, gets a new id.
Extents outside(const Extents& extents, Extent mark, RunSizes& sizes);

/// What is known of a value that is `a` or `b`, made in bodies that were entered after `mark`.
Known either(const Known& a, const Known& b, Extent mark, RunSizes& sizes);

/// What is known of a body's value around the body.
Known outside(Known known, Extent mark, RunSizes& sizes);

}  // namespace ifcert::generator
