// The generator's knowledge about a value: what holds in every run of the model that it makes.
#pragma once

#include <cstdint>
#include <ifcert/types.hpp>
#include <optional>
#include <vector>

namespace ifcert::generator {

/// The size of one axis: a number, or a negative id of a size that is known only in a run. Equal ids are equal sizes.
using AxisSize = std::int64_t;
using Extents = std::vector<AxisSize>;

/// The largest magnitude of a number: integers up to it are exact in float32, and so are their sums.
inline constexpr std::int64_t largest_number = 1 << 22;

/// The most elements of a tensor.
inline constexpr std::int64_t most_elements = 4096;

/// The largest size of an axis that the runs vary, and the most elements of an input.
inline constexpr std::int64_t largest_run_size = 3;
inline constexpr std::int64_t max_input_elements = 27;

/// The knowledge about the elements of a value. All numbers are integers, so that every operation on them is exact.
struct Numbers {
  std::int64_t bound = 0;      // no element has a larger magnitude
  bool negative_zero = false;  // a float may be -0, which not every sum keeps
  bool opaque = false;         // bits that are only moved: NaN, infinities, types without arithmetic
  bool edge = false;           // opaque, but for comparisons: values at the edges of float32, int32 or int64
};

/// The knowledge about a tensor, about the items of a sequence, or about the content of an optional.
struct Facts {
  Type::Kind kind = Type::Kind::tensor;
  ElementType element = ElementType::undefined;
  std::optional<Extents> extents = Extents{};  // nullopt: the rank is known only in a run
  Numbers numbers = {};
  std::int64_t most = 1;                     // the most elements that a tensor may have
  std::int64_t length = 0;                   // the fewest items that a sequence may have
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
Facts tensor_of(ElementType element, Extents extents, Numbers numbers = {});

/// The number of elements where every extent is a number.
std::optional<std::int64_t> count_of(const Extents& extents);

/// The most precise type that can be declared.
Type type_of(const Facts& facts);

/// The bounds of a sum and of a product of numbers, or the largest int64 where a bound would be larger.
std::int64_t bound_of_sum(std::int64_t a, std::int64_t b);
std::int64_t bound_of_product(std::int64_t a, std::int64_t b);

/// Numbers that may be `a` or `b`.
Numbers either(const Numbers& a, const Numbers& b);

/// The ids of sizes that are known only in a run.
class RunSizes {
 public:
  AxisSize fresh() { return --last_; }

  /// Sizes that are made from now on are smaller than this.
  AxisSize mark() const { return last_; }

 private:
  AxisSize last_ = 0;
};

/// The extents of a body's value as seen outside the body: a size that was made in the body, after `mark`, gets a new
/// id.
Extents outside(const Extents& extents, AxisSize mark, RunSizes& sizes);

/// The knowledge about a value that is `a` or `b`, which were made in bodies that were entered after `mark`.
Facts either(const Facts& a, const Facts& b, AxisSize mark, RunSizes& sizes);

/// The knowledge about a body's value, as seen outside the body.
Facts outside(Facts facts, AxisSize mark, RunSizes& sizes);

}  // namespace ifcert::generator
