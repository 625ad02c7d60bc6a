#include "conformance/fuzz/generator/inputs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <ifcert/elements.hpp>
#include <map>

#include "conformance/fuzz/generator/edge_values.hpp"

namespace ifcert::generator {
namespace {

using Sizes = std::map<AxisSize, std::int64_t>;

constexpr std::int64_t bound_of_inputs = 8;

/// An element type whose values are only moved, never calculated with.
ElementType any_moved_type(Maker& maker) {
  using enum ElementType;
  if (maker.is_for(Format::onnx) && maker.opset >= 16)  // the first in which If lists bfloat16
    return maker.random.any_of({string, string, string, float64, float16, uint8, int8, uint64, bfloat16, complex64});
  return maker.random.any_of({string, string, float64, float16, uint8, int8});
}

Extents any_extents(Maker& maker) {
  Extents extents(maker.random.below(4));
  for (AxisSize& extent : extents) {
    const bool varies = maker.random.percent(35);
    extent = varies ? maker.symbols[maker.random.below(maker.symbols.size())] : maker.random.between(1, 3);
  }
  return extents;
}

/// A dimension variable has the same size everywhere.
Type declared(const Facts& facts) {
  Type type = type_of(facts);
  for (std::size_t i = 0; i < type.shape->size(); ++i) {
    if ((*facts.extents)[i] < 0) (*type.shape)[i].symbol = name_of_symbol((*facts.extents)[i]);
  }
  return type;
}

Facts any_facts(Maker& maker) {
  const std::uint64_t kind = maker.random.below(10);
  if (kind <= 1) {
    const Extents extents = any_extents(maker);
    return tensor_of(kind == 0 ? any_moved_type(maker) : ElementType::float32, extents, {.opaque = true});
  }
  if (kind <= 3 && maker.random.percent(50)) {
    const Extents extents = maker.random.percent(60) ? Extents{} : any_extents(maker);
    const ElementType element = maker.random.any_of({ElementType::float32, ElementType::int64, ElementType::int32});
    return tensor_of(element, extents, {.opaque = true, .edge = true});
  }
  if (kind <= 3) return tensor_of(ElementType::int64, {}, {.bound = 3});
  const ElementType element = any_element(maker);
  return tensor_of(element, any_extents(maker), {.bound = element == ElementType::boolean ? 1 : bound_of_inputs});
}

Dims dims_in(const Extents& extents, const Sizes& sizes) {
  Dims dims;
  for (const AxisSize extent : extents) dims.push_back(extent < 0 ? sizes.at(extent) : extent);
  return dims;
}

Value strings(Maker& maker, Dims dims) {
  std::vector<std::string> texts(element_count(dims));
  for (std::string& text : texts) text = maker.random.any_of({"", "a", "\xC3\xA9", "long enough for the heap"});
  return make_strings(std::move(dims), std::move(texts));
}

/// Bits of every kind: NaN with a payload, infinities, -0, the smallest and the largest numbers.
Value any_bits(Maker& maker, ElementType element, Dims dims) {
  if (element == ElementType::string) return strings(maker, std::move(dims));
  std::byte* bytes = nullptr;
  const std::size_t size = bytes_of(element, element_count(dims));
  Tensor made{element, std::move(dims), Buffer::allocate(size, &bytes), {}};
  constexpr std::array<std::uint32_t, 6> odd{0x7fc01234, 0x7f800000, 0xff800000, 0x80000000, 1, 0x7f7fffff};
  for (std::size_t i = 0; element == ElementType::float32 && i < size / sizeof(float); ++i) {
    const std::uint32_t bits = maker.random.percent(50) ? odd[maker.random.below(odd.size())] : 0x40400000;
    std::copy_n(reinterpret_cast<const std::byte*>(&bits), sizeof bits, bytes + i * sizeof bits);
  }
  for (std::size_t i = 0; element != ElementType::float32 && i < size; ++i)
    bytes[i] = static_cast<std::byte>(maker.random.below(64));
  return made;
}

Value any_tensor(Maker& maker, const Facts& facts, const Sizes& sizes) {
  Dims dims = dims_in(*facts.extents, sizes);
  if (facts.numbers.edge) return edge_value(maker, facts.element, dims);
  if (facts.numbers.opaque) return any_bits(maker, facts.element, std::move(dims));
  std::vector<std::int64_t> numbers(element_count(dims));
  const bool is_bool = facts.is_bool();
  for (std::int64_t& number : numbers)
    number = is_bool ? maker.random.between(0, 1) : maker.random.between(-facts.numbers.bound, facts.numbers.bound);
  return tensor_value(facts.element, dims, numbers);
}

Value negated(const Value& value) {
  const Tensor& tensor = *value.tensor();
  const std::int64_t other = tensor.elements<std::uint8_t>()[0] == 0 ? 1 : 0;
  return tensor_value(ElementType::boolean, tensor.dims, {&other, 1});
}

bool is_cond(const Input& input) {
  return input.held.facts.is_bool() && input.held.facts.is_single();
}

Sizes any_sizes(Maker& maker) {
  Sizes sizes;
  for (const AxisSize symbol : maker.symbols)
    sizes[symbol] = maker.random.percent(10) ? 0 : maker.random.between(1, largest_run_size);
  return sizes;
}

}  // namespace

std::string name_of_symbol(AxisSize symbol) {
  return fmt::format("N{}", -symbol);
}

std::vector<Input> add_inputs(Maker& maker, Scope& main) {
  for (int i = 0; i < 2; ++i) maker.symbols.push_back(maker.sizes.fresh());
  std::vector<Input> inputs;
  const std::uint64_t count = 2 + maker.random.below(4);
  for (std::uint64_t i = 0; i < count; ++i) {
    Facts facts =
        i == 0 ? tensor_of(ElementType::boolean, Extents(maker.random.below(2), 1), {.bound = 1}) : any_facts(maker);
    if (!count_of(*facts.extents)) facts.most = max_input_elements;
    Input input{add_input(maker, main, facts)};
    main.graph.slots[input.held.slot].declared = declared(facts);
    const bool may_have_default = maker.is_for(Format::onnx) && count_of(*facts.extents).has_value();
    if (may_have_default && maker.random.percent(15)) {
      input.initial = any_tensor(maker, facts, {});
      main.graph.constants.push_back({input.held.slot, input.initial});
    }
    inputs.push_back(std::move(input));
  }
  return inputs;
}

std::vector<std::vector<Value>> any_runs(Maker& maker, const std::vector<Input>& inputs) {
  std::vector<std::vector<Value>> runs(3);
  for (std::vector<Value>& run : runs) {
    const Sizes sizes = any_sizes(maker);
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      if (!inputs[i].initial.empty() && maker.random.percent(50)) {
        run.emplace_back();
      } else if (is_cond(inputs[i]) && &run == &runs[1] && !runs[0][i].empty()) {
        run.push_back(negated(runs[0][i]));
      } else {
        run.push_back(any_tensor(maker, inputs[i].held.facts, sizes));
      }
    }
  }
  return runs;
}

}  // namespace ifcert::generator
