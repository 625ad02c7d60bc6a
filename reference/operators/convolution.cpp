// Conv, in any number of spatial axes.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

#include "operators/dot.hpp"
#include "operators/int128.hpp"
#include "operators/onnx_operators.hpp"
#include "operators/result.hpp"

namespace ifcert::kernels {
namespace {

using Integers = std::vector<std::int64_t>;

// One spatial axis: the kernel's element k covers the input position out·stride - before + k·dilation. -1 is an unknown
// dim.
struct Axis {
  std::int64_t in = 0;
  std::int64_t kernel = 0;
  std::int64_t stride = 1;
  std::int64_t dilation = 1;
  std::int64_t before = 0;
  std::int64_t out = 0;
};

// The entries of the attribute, `count` of them, none less than `least`.
template <class Context>
Integers entries(const Context& operands, std::string_view name, std::size_t count, std::int64_t otherwise,
                 std::int64_t least) {
  const auto* written = operands.template attribute<Integers>(name);
  if (written == nullptr) return Integers(count, otherwise);
  if (written->size() != count) {
    refuse(operands.node, fmt::format("attribute {} has {} entries; expected {}", name, written->size(), count));
  }
  for (const std::int64_t entry : *written) {
    if (entry < least) {
      refuse(operands.node, fmt::format("attribute {} has the entry {}; expected at least {}", name, entry, least));
    }
  }
  return *written;
}

enum class Padding : std::uint8_t { written, valid, same_upper, same_lower };

template <class Context>
Padding padding_of(const Context& operands) {
  const auto* padding = operands.template attribute<std::string>("auto_pad");
  if (padding == nullptr || *padding == "NOTSET") return Padding::written;
  if (*padding == "VALID") return Padding::valid;
  if (*padding == "SAME_UPPER") return Padding::same_upper;
  if (*padding == "SAME_LOWER") return Padding::same_lower;
  throw NotInferred(fmt::format("{}: attribute auto_pad is \"{}\"; expected NOTSET, VALID, SAME_UPPER or SAME_LOWER",
                                operands.node.op, *padding));
}

// The longest axis with its padding; positions in it and steps over it fit 64 bits.
constexpr Int128 most = Int128{1} << 62;

// The axis with its padding and its number of kernel positions; `after` is the padding at the end.
Axis completed(const Node& node, Axis axis, Padding padding, Int128 after) {
  if (axis.in < 0 || axis.kernel < 0) {
    axis.out = -1;
    return axis;
  }
  const Int128 span = Int128{axis.kernel - 1} * axis.dilation + 1;
  Int128 before = axis.before;
  if (padding == Padding::same_upper || padding == Padding::same_lower) {
    const Int128 out = (Int128{axis.in} + axis.stride - 1) / axis.stride;
    const Int128 all = std::max<Int128>((out - 1) * axis.stride + span - axis.in, 0);
    before = padding == Padding::same_upper ? all / 2 : all - all / 2;
    after = all - before;
  }
  const Int128 whole = axis.in + before + after;
  if (axis.kernel == 0 || whole < span || whole > most) {
    refuse(node,
           fmt::format("a kernel of size {} with dilation {} does not fit into an axis of size {} with its padding",
                       axis.kernel, axis.dilation, axis.in));
  }
  axis.before = static_cast<std::int64_t>(before);
  axis.out = static_cast<std::int64_t>((whole - span) / axis.stride + 1);
  return axis;
}

// A Conv of operands with those dims.
struct Convolution {
  std::vector<Axis> axes;
  std::int64_t group = 1;
  std::int64_t channels = 0;  // in each group
  std::int64_t maps = 0;      // output channels, in all groups
  Dims result;
};

template <class Context>
std::vector<Axis> axes_of(const Context& operands, const Dims& x, const Dims& w) {
  const std::size_t count = x.size() - 2;
  const Padding padding = padding_of(operands);
  const Integers pads = entries(operands, "pads", 2 * count, 0, 0);
  const Integers strides = entries(operands, "strides", count, 1, 1);
  const Integers dilations = entries(operands, "dilations", count, 1, 1);
  const Integers kernel = entries(operands, "kernel_shape", count, -1, 0);
  const bool padded = std::any_of(pads.begin(), pads.end(), [](std::int64_t pad) { return pad > 0; });
  if (padded && padding != Padding::written)
    throw NotInferred(operands.node.op + ": attributes pads and auto_pad are both given");
  std::vector<Axis> axes;
  for (std::size_t i = 0; i < count; ++i) {
    if (kernel[i] >= 0 && w[i + 2] >= 0 && kernel[i] != w[i + 2]) {
      refuse(operands.node, fmt::format("attribute kernel_shape is {}, but operand 1 has the shape {}",
                                        to_string(static_shape(kernel)), to_string(static_shape(w))));
    }
    const Axis axis{x[i + 2], std::max(kernel[i], w[i + 2]), strides[i], dilations[i], pads[i], 0};
    axes.push_back(completed(operands.node, axis, padding, pads[count + i]));
  }
  return axes;
}

template <class Context>
Convolution convolution_of(const Context& operands, const Dims& x, const Dims& w) {
  const Node& node = operands.node;
  if (x.size() < 2 || w.size() != x.size()) {
    refuse(node, fmt::format("operands have the ranks {} and {}; expected one rank of at least 2", x.size(), w.size()));
  }
  const auto* written = operands.template attribute<std::int64_t>("group");
  const std::int64_t group = written == nullptr ? 1 : *written;
  if (group < 1) refuse(node, fmt::format("attribute group is {}; expected at least 1", group));
  if (x[1] >= 0 && w[1] >= 0 && (x[1] % group != 0 || x[1] / group != w[1])) {
    refuse(node, fmt::format("{} channels in {} groups do not fit a kernel of {} channels", x[1], group, w[1]));
  }
  if (w[0] >= 0 && w[0] % group != 0)
    refuse(node, fmt::format("{} output channels do not divide into {} groups", w[0], group));
  Convolution convolution{axes_of(operands, x, w), group, w[1], w[0], {x[0], w[0]}};
  for (const Axis& axis : convolution.axes) convolution.result.push_back(axis.out);
  return convolution;
}

// `bias` has one element for each map; -1 is an unknown dim.
void expect_bias(const Node& node, const Dims& bias, std::int64_t maps) {
  if (bias.size() == 1 && (bias[0] == maps || bias[0] < 0 || maps < 0)) return;
  refuse(node, fmt::format("operand 2 has the shape {}; expected [{}]", to_string(static_shape(bias)), maps));
}

// Advances to the next index, the last axis fastest; false after the last one.
template <class Size>
bool advance(Dims& at, Size size) {
  for (std::size_t i = at.size(); i-- > 0;) {
    if (++at[i] < size(i)) return true;
    at[i] = 0;
  }
  return false;
}

constexpr std::int64_t padding = -1;

// For each element of the kernel, the index of the element that it covers in one channel, or `padding`.
void find_window(const std::vector<Axis>& axes, const Dims& out, std::vector<std::int64_t>& window) {
  Dims at(axes.size(), 0);
  std::size_t k = 0;
  do {
    std::int64_t offset = 0;
    for (std::size_t i = 0; i < axes.size() && offset != padding; ++i) {
      const std::int64_t position = out[i] * axes[i].stride - axes[i].before + at[i] * axes[i].dilation;
      offset = position < 0 || position >= axes[i].in ? padding : offset * axes[i].in + position;
    }
    window[k++] = offset;
  } while (advance(at, [&](std::size_t i) { return axes[i].kernel; }));
}

std::size_t product(const std::vector<Axis>& axes, std::int64_t Axis::*member) {
  std::size_t result = 1;
  for (const Axis& axis : axes) result *= static_cast<std::size_t>(axis.*member);
  return result;
}

// Writes the elements under the kernel at one position; `first` is the first element of the first channel of a group,
// `plane` the number of elements of a channel.
template <class T>
void gather_window(const T* first, std::size_t channels, std::size_t plane, const std::vector<std::int64_t>& window,
                   double* elements) {
  const bool adjacent =
      std::ranges::adjacent_find(window, [](auto a, auto b) { return a == padding || b != a + 1; }) == window.end();
  if (adjacent && window.front() != padding) {
    for (std::size_t c = 0; c < channels; ++c) {
      const T* from = first + c * plane + static_cast<std::size_t>(window.front());
      for (std::size_t k = 0; k < window.size(); ++k) *elements++ = static_cast<double>(number_of(from[k]));
    }
    return;
  }
  for (std::size_t c = 0; c < channels; ++c) {
    for (const std::int64_t at : window) {
      *elements++ = at == padding ? 0 : static_cast<double>(number_of(first[c * plane + static_cast<std::size_t>(at)]));
    }
  }
}

// One sum of products for each map and position: the elements under the kernel, in the order of the kernel. Up to four
// positions are multiplied by the kernel's numbers at once.
template <class T>
void convolve(const Work& work, const Convolution& convolution, const Tensor& x, const Tensor& w, const Tensor* bias,
              const Result& result) {
  const std::size_t plane = product(convolution.axes, &Axis::in);
  const std::size_t positions = product(convolution.axes, &Axis::out);
  const auto group = static_cast<std::size_t>(convolution.group);
  const auto channels = static_cast<std::size_t>(convolution.channels);
  // Without channels a kernel has no elements, and its axes may be so long that 64 bits cannot count what they span.
  const std::size_t size = channels == 0 ? 0 : product(convolution.axes, &Axis::kernel);
  const std::size_t maps = static_cast<std::size_t>(convolution.maps) / group;
  const std::size_t parts = static_cast<std::size_t>(result.dims()[0]) * group;
  const std::size_t length = channels * size;
  const Rows<T> kernels(work, w.elements<T>().data(), maps * group, length, length, 1);
  const std::size_t at_once = std::min<std::size_t>(positions, 4);
  work.expect_room(at_once * (length + size + maps) * 8, [] { return "the elements under a kernel"; });
  std::vector<std::vector<std::int64_t>> windows(at_once, std::vector<std::int64_t>(size));
  std::vector<double> patches(at_once * length);
  std::vector<double> sums(at_once * maps);
  Dims out(convolution.axes.size(), 0);
  for (std::size_t position = 0; position < positions; position += at_once) {
    const std::size_t count = std::min(at_once, positions - position);
    for (std::size_t i = 0; i < count; ++i) {
      work.tick((1 + size) * (4 + convolution.axes.size()));
      if (size > 0) find_window(convolution.axes, out, windows[i]);
      advance(out, [&](std::size_t axis) { return convolution.axes[axis].out; });
    }
    for (std::size_t part = 0; part < parts; ++part) {  // of the batch
      for (std::size_t i = 0; i < count; ++i) {
        work.tick(1 + length);
        if (size == 0) continue;
        gather_window(x.elements<T>().data() + part * channels * plane, channels, plane, windows[i],
                      patches.data() + i * length);
      }
      const std::size_t first = part % group * maps;
      dots(work, kernels.data() + first * length, maps, patches.data(), count, length, sums.data());
      for (std::size_t m = 0; m < maps; ++m) {
        const double b = bias == nullptr ? 0 : static_cast<double>(number_of(bias->elements<T>()[first + m]));
        for (std::size_t i = 0; i < count; ++i) {
          const double sum = sums[m * count + i];
          result.elements<T>()[(part * maps + m) * positions + position + i] =
              element_of<T>(bias == nullptr ? sum : sum + b);
        }
      }
    }
  }
}

}  // namespace

void evaluate_conv(const Operands& operands, std::span<Value> outputs) {
  expect_operands(operands, outputs, 3);
  expect_same_type(operands, 0, 1);
  const Tensor& x = tensor_operand(operands, 0);
  const Tensor& w = tensor_operand(operands, 1);
  const Convolution convolution = convolution_of(operands, x.dims, w.dims);
  const Tensor* bias = operands.input(2).empty() ? nullptr : &tensor_operand(operands, 2, x.type);
  if (bias != nullptr) expect_bias(operands.node, bias->dims, convolution.maps);
  Result result(operands, x.type, convolution.result);
  const bool done = visit_floating(x.type, [&]<class T>() {
    if (result.count() > 0) convolve<T>(operands.work, convolution, x, w, bias, result);
  });
  if (!done) {
    refuse(operands.node, fmt::format("operands are tensor({}), which it does not accept", name_of(x.type)));
  }
  outputs[0] = std::move(result).value();
}

void infer_conv(const OperandTypes& operands, std::span<Type> outputs) {
  expect_operands(operands, outputs, 2, 3);
  const ElementType element = common_element_type(operands, 0, operands.inputs.size() - 1);
  if (element != ElementType::undefined && !is_floating(element)) {
    refuse(operands.node, fmt::format("operands are tensor({}), which it does not accept", name_of(element)));
  }
  outputs[0] = Type::tensor(element);
  const std::optional<Dims> x = dims_of(operands, 0);
  if (!x || !attributes_known(operands)) return;
  const Dims w = dims_of(operands, 1).value_or(Dims(x->size(), -1));
  outputs[0].shape = shape_if_it_fits(operands, [&] {
    const Convolution convolution = convolution_of(operands, *x, w);
    if (const std::optional<Dims> bias = dims_of(operands, 2)) expect_bias(operands.node, *bias, convolution.maps);
    return convolution.result;
  });
}

}  // namespace ifcert::kernels
