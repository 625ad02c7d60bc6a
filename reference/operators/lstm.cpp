// LSTM, one layer. The names are those of the specification: X, W, R, B, P, H, C and the gates i, o, f, c.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "operators/dot.hpp"
#include "operators/onnx_operators.hpp"
#include "operators/result.hpp"

namespace ifcert::kernels {
namespace {

enum Operand : std::size_t { x, w, r, b, sequence_lens, initial_h, initial_c, p };

/// An activation function by its name, with the defaults of its alpha and beta.
struct Activation {
  std::string_view name;
  double (*f)(double x, double alpha, double beta);
  std::optional<double> alpha;  // none where the function has no alpha
  std::optional<double> beta;

  double operator()(double value) const { return f(value, alpha.value_or(0), beta.value_or(0)); }
};

double sigmoid(double x, double /*alpha*/, double /*beta*/) {
  return 1 / (1 + std::exp(-x));
}

double hyperbolic_tangent(double x, double /*alpha*/, double /*beta*/) {
  return std::tanh(x);
}

const std::array activations{
    Activation{"Sigmoid", sigmoid, {}, {}},
    Activation{"Tanh", hyperbolic_tangent, {}, {}},
    Activation{"Relu", [](double x, double, double) { return x < 0 ? 0 : x; }, {}, {}},
    Activation{"Affine", [](double x, double alpha, double beta) { return alpha * x + beta; }, 1, 0},
    Activation{"LeakyRelu", [](double x, double alpha, double) { return x >= 0 ? x : alpha * x; }, 0.01F, {}},
    Activation{"ThresholdedRelu", [](double x, double alpha, double) { return x >= alpha ? x : 0; }, 1, {}},
    Activation{"ScaledTanh", [](double x, double alpha, double beta) { return alpha * std::tanh(beta * x); }, 1, 1},
    Activation{"HardSigmoid",
               [](double x, double alpha, double beta) { return std::min(std::max(alpha * x + beta, 0.0), 1.0); }, 0.2F,
               0.5F},
    Activation{"Elu", [](double x, double alpha, double) { return x >= 0 ? x : alpha * std::expm1(x); }, 1, {}},
    Activation{"Softsign", [](double x, double, double) { return x / (1 + std::fabs(x)); }, {}, {}},
    Activation{"Softplus",
               [](double x, double, double) { return std::max(x, 0.0) + std::log1p(std::exp(-std::fabs(x))); },
               {},
               {}},
};

Activation activation_named(const Node& node, std::string_view name) {
  const auto* found =
      std::find_if(activations.begin(), activations.end(), [&](const Activation& a) { return a.name == name; });
  if (found == activations.end())
    refuse(node, fmt::format("attribute activations names \"{}\", which is not a function of LSTM", name));
  return *found;
}

// f, g and h of each direction. activation_alpha has values, in order, for the functions that have an alpha.
std::vector<Activation> activations_of(const Operands& operands, std::size_t directions) {
  static const std::vector<std::string> defaults{"Sigmoid", "Tanh", "Tanh", "Sigmoid", "Tanh", "Tanh"};
  const auto* written = operands.attribute<std::vector<std::string>>("activations");
  if (written != nullptr && written->size() != 3 * directions) {
    refuse(operands.node,
           fmt::format("attribute activations has {} entries; expected {}", written->size(), 3 * directions));
  }
  const auto* alphas = operands.attribute<std::vector<float>>("activation_alpha");
  const auto* betas = operands.attribute<std::vector<float>>("activation_beta");
  std::size_t alpha = 0;
  std::size_t beta = 0;
  std::vector<Activation> functions;
  for (std::size_t i = 0; i < 3 * directions; ++i) {
    Activation function = activation_named(operands.node, (written == nullptr ? defaults : *written)[i]);
    if (function.alpha && alphas != nullptr && alpha < alphas->size()) function.alpha = (*alphas)[alpha++];
    if (function.beta && betas != nullptr && beta < betas->size()) function.beta = (*betas)[beta++];
    functions.push_back(function);
  }
  return functions;
}

enum class Direction : std::uint8_t { forward, reverse, bidirectional };

template <class Context>
Direction direction_of(const Context& operands) {
  const auto* direction = operands.template attribute<std::string>("direction");
  if (direction == nullptr || *direction == "forward") return Direction::forward;
  if (*direction == "reverse") return Direction::reverse;
  if (*direction == "bidirectional") return Direction::bidirectional;
  throw NotInferred(fmt::format("{}: attribute direction is \"{}\"; expected forward, reverse or bidirectional",
                                operands.node.op, *direction));
}

/// The sizes; -1 is an unknown dim.
struct Sizes {
  std::int64_t steps = -1;
  std::int64_t batch = -1;
  std::int64_t input = -1;
  std::int64_t directions = -1;
  std::int64_t hidden = -1;
  bool batch_first = false;  // layout 1

  Dims y() const {
    return batch_first ? Dims{batch, steps, directions, hidden} : Dims{steps, directions, batch, hidden};
  }
  Dims state() const { return batch_first ? Dims{batch, directions, hidden} : Dims{directions, batch, hidden}; }
};

template <class Context>
Sizes sizes_of(const Context& operands, const Dims& x_dims, const Dims& r_dims) {
  if (x_dims.size() != 3 || r_dims.size() != 3) {
    refuse(operands.node, fmt::format("X and R have the ranks {} and {}; expected 3", x_dims.size(), r_dims.size()));
  }
  Sizes sizes;
  sizes.batch_first = flag(operands, "layout");
  sizes.steps = x_dims[sizes.batch_first ? 1 : 0];
  sizes.batch = x_dims[sizes.batch_first ? 0 : 1];
  sizes.input = x_dims[2];
  sizes.directions = direction_of(operands) == Direction::bidirectional ? 2 : 1;
  const auto* hidden = operands.template attribute<std::int64_t>("hidden_size");
  if (hidden != nullptr && (*hidden < 0 || (r_dims[2] >= 0 && *hidden != r_dims[2]))) {
    refuse(operands.node, fmt::format("attribute hidden_size is {}, but R has the shape {}", *hidden,
                                      to_string(static_shape(r_dims))));
  }
  sizes.hidden = hidden == nullptr ? r_dims[2] : *hidden;
  return sizes;
}

std::optional<Dims> found_dims(const Operands& operands, std::size_t i) {
  if (operands.input(i).empty()) return std::nullopt;
  return tensor_operand(operands, i).dims;
}

std::optional<Dims> found_dims(const OperandTypes& operands, std::size_t i) {
  return dims_of(operands, i);
}

// A negative dim is unknown.
template <class Context>
void expect_dims(const Context& operands, std::size_t i, std::string_view name, const Dims& expected) {
  const std::optional<Dims> found = found_dims(operands, i);
  if (!found) return;
  const bool fits = std::ranges::equal(*found, expected, [](auto x, auto y) { return x == y || x < 0 || y < 0; });
  if (fits) return;
  refuse(operands.node, fmt::format("{} has the shape {}; expected {}", name, to_string(static_shape(*found)),
                                    to_string(static_shape(expected))));
}

template <class Context>
void expect_shapes(const Context& operands, const Sizes& sizes) {
  const auto [steps, batch, input, directions, hidden, batch_first] = sizes;
  if (hidden > std::int64_t{1} << 32) refuse(operands.node, fmt::format("the hidden size {} is too large", hidden));
  expect_dims(operands, w, "W", {directions, 4 * hidden, input});
  expect_dims(operands, r, "R", {directions, 4 * hidden, hidden});
  expect_dims(operands, b, "B", {directions, 8 * hidden});
  expect_dims(operands, sequence_lens, "sequence_lens", {batch});
  expect_dims(operands, initial_h, "initial_h", sizes.state());
  expect_dims(operands, initial_c, "initial_c", sizes.state());
  expect_dims(operands, p, "P", {directions, 3 * hidden});
}

/// The memory that all time steps share.
template <class N>
struct Scratch {
  std::vector<double> gates;      // 4·hidden numbers
  std::vector<double> recurrent;  // the same number
  WideRow<N> x;
  WideRow<N> h;
};

/// The work of a time step on one unit of the hidden state, besides its products.
constexpr std::uint64_t steps_per_unit = 100;

/// One direction: its weights and how its gates are computed.
template <class N>
struct Layer {
  const N* w;  // 4·hidden rows of `input` numbers
  const N* r;  // 4·hidden rows of `hidden` numbers
  Row<N> b;    // no elements: no bias
  Row<N> p;    // no elements: no peepholes
  Eigen::Index input;
  Eigen::Index hidden;
  std::span<const Activation> functions;  // f, g, h
  double clip;                            // infinite: none
  bool input_forget;
  const Work& work;

  double activated(const Activation& function, double value) const { return function(std::clamp(value, -clip, clip)); }

  /// One time step: `h` and `c` become those after it.
  void step(const Row<N>& xt, std::span<N> h, std::span<N> c, Scratch<N>& scratch) const {
    work.tick(steps_per_unit * (1 + h.size()) + static_cast<std::size_t>(input));
    scratch.x.assign(xt);
    scratch.h.assign({h.data(), hidden});
    dots(work, w, scratch.gates.size(), scratch.x.data(), 1, static_cast<std::size_t>(input), scratch.gates.data());
    dots(work, r, scratch.gates.size(), scratch.h.data(), 1, h.size(), scratch.recurrent.data());
    WritableRow<double> gates(scratch.gates.data(), 4 * hidden);
    gates += Row<double>(scratch.recurrent.data(), 4 * hidden);
    if (b.size() > 0) gates += widened(b.head(4 * hidden)) + widened(b.tail(4 * hidden));
    const auto [f, g, last] = std::array{functions[0], functions[1], functions[2]};
    for (Eigen::Index j = 0; j < hidden; ++j) {
      const auto peephole = [&](Eigen::Index gate, double cell) {
        return p.size() == 0 ? 0 : p[gate * hidden + j] * cell;
      };
      const auto at = static_cast<std::size_t>(j);
      const double before = c[at];
      const double it = activated(f, gates[j] + peephole(0, before));
      const double ft = input_forget ? 1 - it : activated(f, gates[2 * hidden + j] + peephole(2, before));
      const double ct = activated(g, gates[3 * hidden + j]);
      const double cell = ft * before + it * ct;
      const double ot = activated(f, gates[hidden + j] + peephole(1, cell));
      c[at] = static_cast<N>(cell);
      h[at] = static_cast<N>(ot * activated(last, cell));
    }
  }
};

// The elements of an operand; none where it is left out.
template <class T>
std::span<const T> elements(const Operands& operands, std::size_t i) {
  return operands.input(i).empty() ? std::span<const T>() : operands.input(i).tensor()->elements<T>();
}

// Row numbers in the operands and results, in either of the two layouts.
struct Layout {
  std::size_t steps, batch, directions;
  bool batch_first;

  std::size_t of_x(std::size_t t, std::size_t k) const { return batch_first ? k * steps + t : t * batch + k; }
  std::size_t of_state(std::size_t d, std::size_t k) const { return batch_first ? k * directions + d : d * batch + k; }
  std::size_t of_y(std::size_t t, std::size_t d, std::size_t k) const {
    return batch_first ? of_x(t, k) * directions + d : (t * directions + d) * batch + k;
  }
};

std::size_t size_of(std::int64_t dim) {
  return static_cast<std::size_t>(dim);
}

/// The lengths of the sequences in the batch.
std::vector<std::size_t> lengths_of(const Operands& operands, const Sizes& sizes) {
  auto lengths = scratch<std::size_t>(operands.work, size_of(sizes.batch), [] { return "the lengths of sequences"; });
  if (operands.input(sequence_lens).empty()) {
    std::ranges::fill(lengths, size_of(sizes.steps));
    return lengths;
  }
  tensor_operand(operands, sequence_lens, ElementType::int32);
  std::ranges::transform(integer_elements(operands, sequence_lens), lengths.begin(), [&](std::int64_t length) {
    if (length < 0 || length > sizes.steps)
      refuse(operands.node, fmt::format("a sequence has length {}, but X has {} steps", length, sizes.steps));
    return size_of(length);
  });
  return lengths;
}

/// Y, Y_h and Y_c.
struct Results {
  Result y, y_h, y_c;
};

// After the end of a sequence that is shorter than the others, Y is zero; Y_h and Y_c are the states at its end.
template <class T>
void recur(const Operands& operands, const Sizes& sizes, const Results& results) {
  using N = Product<T>;
  const Layout layout{size_of(sizes.steps), size_of(sizes.batch), size_of(sizes.directions), sizes.batch_first};
  const std::size_t input = size_of(sizes.input);
  const std::size_t hidden = size_of(sizes.hidden);
  const Rows<T> xs(operands.work, elements<T>(operands, x));
  const Rows<T> ws(operands.work, elements<T>(operands, w));
  const Rows<T> rs(operands.work, elements<T>(operands, r));
  const Rows<T> bs(operands.work, elements<T>(operands, b));
  const Rows<T> ps(operands.work, elements<T>(operands, p));
  const auto functions = activations_of(operands, layout.directions);
  const auto* clip = operands.attribute<float>("clip");
  const std::vector<std::size_t> lengths = lengths_of(operands, sizes);
  const auto first_state = [&](std::size_t i, std::size_t row) {
    std::vector<N> state(hidden);
    const auto initial = elements<T>(operands, i);
    for (std::size_t j = 0; j < hidden && !initial.empty(); ++j) {
      state[j] = static_cast<N>(number_of(initial[row * hidden + j]));
    }
    return state;
  };
  const auto write = [&](const std::vector<N>& state, const Result& result, std::size_t row) {
    std::transform(state.begin(), state.end(), result.elements<T>().begin() + static_cast<std::ptrdiff_t>(row * hidden),
                   [](N number) { return element_of<T>(number); });
  };
  Scratch<N> scratch{std::vector<double>(4 * hidden), std::vector<double>(4 * hidden), WideRow<N>(operands.work, input),
                     WideRow<N>(operands.work, hidden)};
  const auto row_of = [](const Rows<T>& all, std::size_t direction, std::size_t length) {
    return all.length() == 0 ? all[0] : Row<N>(all.data() + direction * length, index_of(length));
  };
  for (std::size_t d = 0; d < layout.directions; ++d) {
    const bool backwards = d == 1 || direction_of(operands) == Direction::reverse;
    const Layer<N> layer{ws.data() + d * 4 * hidden * input,
                         rs.data() + d * 4 * hidden * hidden,
                         row_of(bs, d, 8 * hidden),
                         row_of(ps, d, 3 * hidden),
                         index_of(input),
                         index_of(hidden),
                         std::span(functions).subspan(3 * d, 3),
                         clip == nullptr ? HUGE_VAL : std::fabs(static_cast<double>(*clip)),
                         flag(operands, "input_forget"),
                         operands.work};
    for (std::size_t k = 0; k < layout.batch; ++k) {
      operands.work.tick(steps_per_unit + hidden);
      std::vector<N> h = first_state(initial_h, layout.of_state(d, k));
      std::vector<N> c = first_state(initial_c, layout.of_state(d, k));
      for (std::size_t i = 0; i < lengths[k]; ++i) {
        const std::size_t t = backwards ? lengths[k] - 1 - i : i;
        layer.step({xs.data() + layout.of_x(t, k) * input, index_of(input)}, h, c, scratch);
        write(h, results.y, layout.of_y(t, d, k));
      }
      write(h, results.y_h, layout.of_state(d, k));
      write(c, results.y_c, layout.of_state(d, k));
    }
  }
}

void expect_outputs(const Node& node, std::size_t count) {
  if (count == 0 || count > 3) refuse(node, fmt::format("the node has {} outputs; expected 1 to 3", count));
}

}  // namespace

void evaluate_lstm(const Operands& operands, std::span<Value> outputs) {
  const Node& node = operands.node;
  expect_outputs(node, outputs.size());
  if (operands.inputs.size() > 8)
    refuse(node, fmt::format("{} operands given; expected at most 8", operands.inputs.size()));
  const Tensor& xs = tensor_operand(operands, x);
  for (const std::size_t i : {w, r, b, initial_h, initial_c, p}) {
    const bool required = i == w || i == r;
    if (required || !operands.input(i).empty()) tensor_operand(operands, i, xs.type);
  }
  const Sizes sizes = sizes_of(operands, xs.dims, tensor_operand(operands, r).dims);
  expect_shapes(operands, sizes);
  Results results{
      {operands, xs.type, sizes.y()}, {operands, xs.type, sizes.state()}, {operands, xs.type, sizes.state()}};
  const bool done = visit_floating(xs.type, [&]<class T>() { recur<T>(operands, sizes, results); });
  if (!done) refuse(node, fmt::format("operands are tensor({}), which it does not accept", name_of(xs.type)));
  std::array<Value, 3> values{std::move(results.y).value(), std::move(results.y_h).value(),
                              std::move(results.y_c).value()};
  std::move(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(outputs.size()), outputs.begin());
}

void infer_lstm(const OperandTypes& operands, std::span<Type> outputs) {
  expect_outputs(operands.node, outputs.size());
  if (operands.inputs.size() < 3 || operands.inputs.size() > 8) {
    refuse(operands.node, fmt::format("{} operands given; expected 3 to 8", operands.inputs.size()));
  }
  for (const std::size_t i : {x, w, r}) {
    if (is_left_out(operands, i)) refuse(operands.node, fmt::format("operand {} is left out; expected a tensor", i));
  }
  const ElementType element = common_element_type(operands, x, r);
  if (element != ElementType::undefined && !is_floating(element)) {
    refuse(operands.node, fmt::format("operands are tensor({}), which it does not accept", name_of(element)));
  }
  for (Type& output : outputs) output = Type::tensor(element);
  if (!attributes_known(operands)) return;
  const Dims unknown(3, -1);
  const auto sizes = [&] {
    const Sizes found =
        sizes_of(operands, dims_of(operands, x).value_or(unknown), dims_of(operands, r).value_or(unknown));
    expect_shapes(operands, found);
    return found;
  };
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    outputs[i].shape = shape_if_it_fits(operands, [&] { return i == 0 ? sizes().y() : sizes().state(); });
  }
}

}  // namespace ifcert::kernels
