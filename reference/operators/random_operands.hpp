// Random operands, valid and hostile, for the tests of every operator of a table.
#pragma once

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <random>
#include <span>
#include <string_view>

#include "model/function_attributes.hpp"
#include "operators/operator_call.hpp"

namespace ifcert::kernels {

struct Signature {
  std::string_view name;
  // t tensor, b tensor(bool), f tensor(float32), m matrix of float32, x, w and g such tensors of rank 3, l list of
  // int64, L such a list of even length, i int64 scalar, n list of int32, s sequence, o optional
  std::string_view operands;
};

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}

  std::int64_t between(std::int64_t low, std::int64_t high) {
    return std::uniform_int_distribution<std::int64_t>(low, high)(engine_);
  }
  bool one_in(std::int64_t n) { return between(1, n) == 1; }

  template <class T, std::size_t n>
  T any_of(const std::array<T, n>& choices) {
    return choices.at(static_cast<std::size_t>(between(0, static_cast<std::int64_t>(n) - 1)));
  }

  std::int64_t small_or_extreme() {
    constexpr std::array<std::int64_t, 4> extremes{std::numeric_limits<std::int64_t>::min(), std::int64_t{1} << 62,
                                                   std::numeric_limits<std::int64_t>::max(), 0};
    return one_in(12) ? any_of(extremes) : between(-3, 3);
  }

  Dims dims() {
    Dims dims;
    for (std::int64_t rank = between(0, 3); rank > 0; --rank) dims.push_back(between(one_in(6) ? 0 : 1, 3));
    return dims;
  }

  Value tensor(ElementType type, const Dims& dims) {
    const std::uint64_t count = element_count(dims);
    if (type == ElementType::string)
      return make_strings(dims, std::vector<std::string>(count, std::to_string(between(-9, 9))));
    if (type == ElementType::int64) {
      std::vector<std::int64_t> elements(count);
      std::generate(elements.begin(), elements.end(), [&] { return small_or_extreme(); });
      return integers(dims, elements);
    }
    std::vector<std::uint8_t> bytes(bytes_of(type, count));
    std::generate(bytes.begin(), bytes.end(), [&] { return static_cast<std::uint8_t>(between(0, 255)); });
    return Tensor{type, dims, Buffer::copy_of(std::as_bytes(std::span(bytes))), {}};
  }

  ElementType type() {
    constexpr std::array<ElementType, 4> often{ElementType::float32, ElementType::int64, ElementType::boolean,
                                               ElementType::int8};
    return one_in(4) ? static_cast<ElementType>(between(1, static_cast<std::int64_t>(ElementType::string)))
                     : any_of(often);
  }

  Value list(std::int64_t size) { return tensor(ElementType::int64, {size}); }

  Value int32_list(std::int64_t size) {
    constexpr std::array<std::int32_t, 2> extremes{std::numeric_limits<std::int32_t>::min(),
                                                   std::numeric_limits<std::int32_t>::max()};
    std::vector<std::int32_t> elements(static_cast<std::size_t>(size));
    std::generate(elements.begin(), elements.end(),
                  [&] { return one_in(12) ? any_of(extremes) : static_cast<std::int32_t>(between(-3, 3)); });
    return kernels::tensor(ElementType::int32, {size}, elements);
  }

  Value sequence(ElementType type) {
    return Sequence{Type::tensor(type), {tensor(type, dims()), tensor(type, dims()), tensor(type, dims())}};
  }

  Value optional(ElementType type) { return Optional{Type::tensor(type), one_in(4) ? Value{} : tensor(type, dims())}; }

  // Anything, malformed tensors too.
  Value value(ElementType type) {
    switch (between(0, 5)) {
      case 0:
        return {};
      case 1:
        return sequence(type);
      case 2:
        return optional(type);
      case 3:  // fewer bytes than the shape needs
        return Tensor{type, {between(2, 9)}, {}, {}};
      case 4:  // dims whose product overflows
        return Tensor{type, {std::int64_t{1} << 62, std::int64_t{1} << 62, between(-1, 1)}, {}, {}};
      default:
        return tensor(type, dims());
    }
  }

  Value operand(char kind, ElementType type, std::int64_t list_size) {
    if (one_in(20)) return value(type);
    switch (kind) {
      case 'b':
        return tensor(ElementType::boolean, dims());
      case 'f':
        return tensor(ElementType::float32, dims());
      case 'm':
        return tensor(ElementType::float32, {between(0, 2), between(1, 2)});
      case 'x':
        return tensor(ElementType::float32, {between(0, 2), between(1, 2), between(1, 3)});
      case 'w':
        return tensor(ElementType::float32, {between(1, 2), between(1, 2), between(1, 3)});
      case 'g':
        return tensor(ElementType::float32, {1, 4, one_in(2) ? 1 : between(1, 3)});
      case 'l':
        return list(list_size);
      case 'L':
        return list(2 * list_size);
      case 'i':
        return tensor(ElementType::int64, {});
      case 'n':
        return int32_list(list_size);
      case 's':
        return sequence(type);
      case 'o':
        return optional(type);
      default:
        return tensor(type, dims());
    }
  }

  AttributeValue attribute() {
    switch (between(0, 9)) {
      case 0:
        return std::vector<std::int64_t>{small_or_extreme(), small_or_extreme()};
      case 1:
        return 0.5F;
      case 2:
        return std::string("FLOAT");
      case 3:
        return AttributeReference{"given"};
      case 4:
        return Type::tensor(type());
      case 5:
        return value(type());
      default:
        return one_in(3) ? between(0, 30) : small_or_extreme();
    }
  }

  /// A call of one of the operators with operands, sometimes too many or too few; without attributes.
  Call call_of_any(std::span<const Signature> signatures) {
    const Signature signature =
        signatures[static_cast<std::size_t>(between(0, static_cast<std::int64_t>(signatures.size()) - 1))];
    Call call{std::string(signature.name)};
    call.version = static_cast<int>(between(1, 25));
    const ElementType common = type();
    const std::int64_t list_size = between(0, 2);
    for (const char kind : signature.operands) {
      call.inputs.push_back(operand(kind, one_in(20) ? type() : common, list_size));
    }
    if (one_in(8)) call.inputs.resize(static_cast<std::size_t>(between(0, 6)));
    return call;
  }

 private:
  std::mt19937 engine_;
};

/// The type with some of its parts made unknown, as before a run.
inline Type partly_known(Random& random, Type type) {
  if (random.one_in(8)) return {};
  if (!type.is_tensor()) return type;
  if (random.one_in(8)) type.element = ElementType::undefined;
  if (random.one_in(6)) type.shape.reset();
  for (std::size_t i = 0; type.shape && i < type.shape->size(); ++i) {
    if (random.one_in(3)) (*type.shape)[i] = {};
  }
  return type;
}

inline bool agrees(const Type& claimed, const Type& actual) {
  if (!claimed.known()) return true;
  if (claimed.kind != actual.kind) return false;
  if (!claimed.item.empty()) return agrees(claimed.item.front(), actual.item.front());
  if (claimed.element != ElementType::undefined && claimed.element != actual.element) return false;
  if (!claimed.shape || !actual.shape) return true;
  return std::equal(claimed.shape->begin(), claimed.shape->end(), actual.shape->begin(), actual.shape->end(),
                    [](const Dim& dim, const Dim& other) { return !dim.known() || dim.value == other.value; });
}

/// Evaluates calls and infers their types. Every operator must compute some of them, and every inferred type must hold.
/// `find` returns the operator of a call, `make` a call.
template <class Find, class Make>
void expect_computed_or_refused(Random& random, std::span<const Signature> signatures, int calls, Find find,
                                Make make) {
  std::map<std::string, int> computed;
  for (int i = 0; i < calls; ++i) {
    const Call call = make(random);
    const Operator* op = find(call);
    if (op == nullptr) continue;
    const Node node = node_of(call);
    std::vector<Type> types;
    std::vector<Value> constants;
    for (const Value& value : call.inputs) {
      types.push_back(value.empty() ? Type{} : partly_known(random, type_of(value)));
      constants.push_back(random.one_in(2) ? value : Value{});
    }
    Function caller;
    caller.defaults = {{"given", std::int64_t{1}}};
    const Node without_attributes;
    const CallAttributes passed(without_attributes, &caller, nullptr);
    const bool called = random.one_in(2);
    std::vector<Value> outputs(1);
    std::vector<Type> inferred_types(1);
    std::string misfit;
    std::string refused;
    try {
      op->infer({node, pointers_to(types), constants, called ? &passed : nullptr, &misfit}, inferred_types);
    } catch (const EvaluationError& error) {
      refused = error.what();
    }
    try {
      op->evaluate({node, call.inputs, &passed}, outputs);
    } catch (const EvaluationError&) {
      continue;
    }
    ++computed[call.op];
    EXPECT_EQ(refused, "") << call.op << " " << call.version << " returned " << to_string(outputs[0]);
    EXPECT_EQ(misfit, "") << "of a call that computes";
    EXPECT_TRUE(agrees(inferred_types[0], type_of(outputs[0])))
        << call.op << " " << call.version << ": " << to_string(inferred_types[0]) << " inferred, "
        << to_string(outputs[0]);
  }
  for (const Signature& signature : signatures) {
    EXPECT_GE(computed[std::string(signature.name)], 20) << signature.name;
  }
}

/// The operator refuses a node without outputs, and one with two.
inline void expect_exactly_one_output(Random& random, const Operator& op) {
  const Call call{std::string(op.name), {random.value(ElementType::float32)}};
  const Node node = node_of(call);
  for (const std::size_t count : {0U, 2U}) {
    std::vector<Value> outputs(count);
    std::vector<Type> types(count);
    EXPECT_THROW(op.evaluate({node, call.inputs}, outputs), EvaluationError) << op.name;
    EXPECT_THROW(op.infer({node, {}, {}}, types), EvaluationError) << op.name;
  }
}

}  // namespace ifcert::kernels
