// Generates an ONNX model from choices: nested Ifs, Loops and calls, with captures, constants and the operators that
// the translators know, in any of their versions. Most models are legal. The choices are bytes, from a fuzzer, which
// learns their effects, or from anywhere else.
#pragma once

#include <array>
#include <functional>
#include <span>

#include "convert/model_parts.hpp"

namespace ifcert::onnx::model_parts {

class ModelMaker {
 public:
  explicit ModelMaker(std::span<const std::uint8_t> choices) : choices_(choices) {}

  /// The bytes of a model.
  std::string make() {
    constexpr std::array versions{16, 11, 13, 18, 21};
    opset_ = any_of(versions);
    const bool calls = opset_ == 16 && below(2) == 1;
    if (calls) add_functions();
    Scope main{{}, {}, {}, 0};
    const std::uint64_t inputs = 1 + below(3);
    for (std::uint64_t i = 0; i < inputs; ++i) add_input(main);
    add_nodes(main, 2 + below(8));
    for (std::uint64_t i = 0; i <= below(2); ++i) {
      const Known source = last_made(main);
      const Known output = add(main, "Identity", {source.name}, source.type, source.dims);
      main.parts.outputs.push_back(value_info(output.name, tensor_type(output.type, Integers(output.dims.size(), -1))));
    }
    const std::string bytes = model(graph("main", main.parts), opset_, opset_ < 16 ? 7 : 10);
    return functions_.empty() ? bytes : with_functions(bytes, functions_);
  }

 private:
  using Attributes = std::vector<std::string>;

  struct Known {
    std::string name;
    int type;
    Integers dims;
  };

  struct Scope {
    std::vector<Known> visible;  // including outer ones
    Parts parts;
    std::size_t made = 0;
    std::size_t depth;
  };

  std::uint64_t below(std::uint64_t end) { return at_ < choices_.size() ? choices_[at_++] % end : 0; }

  template <class T, std::size_t n>
  T any_of(const std::array<T, n>& some) {
    return some.at(below(n));
  }

  /// Names of one depth are the same in both branches of an If; some have characters that are difficult for a format.
  std::string fresh(Scope& scope) {
    constexpr std::array letters{"", ",", "\\", " ", "\xC3\xA9", "<&\"", "/0"};
    return "v" + std::to_string(scope.depth) + "_" + std::to_string(scope.made++) + any_of(letters);
  }

  void add_input(Scope& scope) {
    constexpr std::array types{boolean, float32, int64, int32};
    const int type = scope.made == 0 ? boolean : any_of(types);
    const Integers dims = type == boolean ? Integers{} : any_dims();
    Known known{fresh(scope), type, dims};
    scope.parts.inputs.push_back(value_info(known.name, tensor_type(type, dims)));
    scope.visible.push_back(std::move(known));
  }

  Integers any_dims() {
    Integers dims;
    for (std::uint64_t rank = below(4); rank > 0; --rank)
      dims.push_back(static_cast<std::int64_t>(below(8) == 7 ? 0 : 1 + below(3)));
    return dims;
  }

  Known add(Scope& scope, const std::string& op, const Names& inputs, int type, Integers dims,
            const Attributes& attributes = {}) {
    Known known{fresh(scope), type, std::move(dims)};
    scope.parts.nodes.push_back(node(op, inputs, {known.name}, attributes));
    scope.visible.push_back(known);
    return known;
  }

  static const Known& last_made(const Scope& scope) { return scope.visible.back(); }

  const Known& any_value(const Scope& scope) {
    return scope.visible.at(scope.visible.size() - 1 - below(scope.visible.size()));
  }

  /// A value of that type, or a constant where there is none.
  Known any_value(Scope& scope, int type) {
    std::vector<Known> fitting;
    for (const Known& known : scope.visible) {
      if (known.type == type) fitting.push_back(known);
    }
    if (fitting.empty() || below(8) == 7) return constant(scope, type, any_dims());
    return fitting.at(below(fitting.size()));
  }

  Known constant(Scope& scope, int type, const Integers& dims) {
    Integers numbers(element_count(dims));
    for (std::int64_t& number : numbers)
      number = type == boolean ? static_cast<std::int64_t>(below(2)) : static_cast<std::int64_t>(below(8)) - 3;
    return constant(scope, type, dims, numbers);
  }

  /// An initializer or a Constant, which may have another attribute before or after its value.
  Known constant(Scope& scope, int type, const Integers& dims, const Integers& numbers) {
    const std::string value = tensor("", type, dims, numbers);
    const Attributes own{tensor_attribute("value", value)};
    const std::string other = ints_attribute(below(2) == 0 ? "a_first" : "z_last", {7, 7});
    switch (scope.depth == in_function ? 1 + below(2) : below(3)) {
      case 1:
        return add(scope, "Constant", {}, type, dims, own);
      case 2:
        return add(scope, "Constant", {}, type, dims,
                   below(2) == 0 ? Attributes{other, own[0]} : Attributes{own[0], other});
      default:
        Known known{fresh(scope), type, dims};
        scope.parts.initializers.push_back(tensor(known.name, type, dims, numbers));
        scope.visible.push_back(known);
        return known;
    }
  }

  std::string list(Scope& scope, const Integers& numbers) {
    return constant(scope, int64, {static_cast<std::int64_t>(numbers.size())}, numbers).name;
  }

  void add_nodes(Scope& scope, std::uint64_t count) {
    for (std::uint64_t i = 0; i < count && nodes_++ < most_nodes; ++i) add_node(scope);
  }

  void add_node(Scope& scope) {
    using Make = void (ModelMaker::*)(Scope&);
    constexpr std::array<Make, 19> makes{
        &ModelMaker::add_if,      &ModelMaker::add_pairwise, &ModelMaker::add_single,   &ModelMaker::add_loop,
        &ModelMaker::add_call,    &ModelMaker::add_cast,     &ModelMaker::add_concat,   &ModelMaker::add_transpose,
        &ModelMaker::add_reshape, &ModelMaker::add_slice,    &ModelMaker::add_gather,   &ModelMaker::add_squeeze,
        &ModelMaker::add_sum,     &ModelMaker::add_shape,    &ModelMaker::add_where,    &ModelMaker::add_fill,
        &ModelMaker::add_split,   &ModelMaker::add_expand,   &ModelMaker::add_constant,
    };
    (this->*any_of(makes))(scope);
  }

  void add_constant(Scope& scope) { constant(scope, any_type(), any_dims()); }

  int any_type() {
    constexpr std::array types{float32, int64, boolean, int32};
    return any_of(types);
  }

  void add_single(Scope& scope) {
    constexpr std::array ops{"Neg", "Abs", "Relu", "Identity"};
    const Known x = any_value(scope);
    const std::string op = any_of(ops);
    const bool relu = op == "Relu" && x.type != float32;
    add(scope, x.type == boolean ? "Not" : relu ? "Neg" : op, {x.name}, x.type, x.dims);
  }

  /// The other operand is the value itself, a scalar, or a value of the same shape.
  void add_pairwise(Scope& scope) {
    constexpr std::array ops{"Add", "Sub", "Mul", "Less", "Greater", "Equal"};
    constexpr std::array logical{"And", "Or", "Xor"};
    const Known x = any_value(scope);
    Known y = x;
    for (const Known& other : scope.visible) {
      if (other.type == x.type && other.dims == x.dims && below(2) == 1) y = other;
    }
    if (below(4) == 3) y = constant(scope, x.type, {});
    const std::string op = x.type == boolean ? any_of(logical) : any_of(ops);
    const bool compares = op == "Less" || op == "Greater" || op == "Equal";
    const bool exchanged = below(2) == 1;
    add(scope, op, exchanged ? Names{y.name, x.name} : Names{x.name, y.name}, compares ? boolean : x.type, x.dims);
  }

  void add_where(Scope& scope) {
    const Known x = any_value(scope);
    const Known cond = below(2) == 0 ? constant(scope, boolean, x.dims) : constant(scope, boolean, {});
    const Known y = constant(scope, x.type, x.dims);
    add(scope, "Where", {cond.name, x.name, y.name}, x.type, x.dims);
  }

  void add_cast(Scope& scope) {
    const Known x = any_value(scope);
    const int to = any_type();
    add(scope, "Cast", {x.name}, to, x.dims, {int_attribute("to", to)});
  }

  /// An axis of the value, counted from either end.
  std::int64_t axis_of(const Integers& dims) {
    const auto rank = static_cast<std::int64_t>(dims.size());
    const auto axis = static_cast<std::int64_t>(below(dims.size()));
    return below(2) == 0 ? axis : axis - rank;
  }

  static std::size_t from_front(std::int64_t axis, std::size_t rank) {
    return static_cast<std::size_t>(axis < 0 ? axis + static_cast<std::int64_t>(rank) : axis);
  }

  Known any_with_axes(Scope& scope) {
    const Known x = any_value(scope);
    return x.dims.empty() ? constant(scope, any_type(), {2, 1 + static_cast<std::int64_t>(below(3))}) : x;
  }

  void add_concat(Scope& scope) {
    const Known x = any_with_axes(scope);
    const std::int64_t axis = axis_of(x.dims);
    const Known other = below(2) == 0 ? x : constant(scope, x.type, x.dims);
    Integers dims = x.dims;
    dims[from_front(axis, dims.size())] *= 2;
    add(scope, "Concat", {x.name, other.name}, x.type, dims, {int_attribute("axis", axis)});
  }

  void add_transpose(Scope& scope) {
    const Known x = any_value(scope);
    Integers order(x.dims.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<std::int64_t>(order.size() - 1 - i);
    Attributes attributes;
    if (below(2) == 1 && order.size() > 1) {
      std::swap(order.front(), order.back());
      std::swap(order[below(order.size())], order[0]);
      attributes.push_back(ints_attribute("perm", order));
    }
    Integers dims;
    for (const std::int64_t axis : order) dims.push_back(x.dims[static_cast<std::size_t>(axis)]);
    add(scope, "Transpose", {x.name}, x.type, dims, attributes);
  }

  void add_reshape(Scope& scope) {
    const Known x = any_value(scope);
    const auto count = static_cast<std::int64_t>(element_count(x.dims));
    if (count == 0) return;
    Integers shape = x.dims;
    Integers dims = x.dims;
    switch (below(3)) {
      case 0:
        shape = dims = {count};
        break;
      case 1:
        shape = {-1, 1};
        dims = {count, 1};
        break;
      default:
        for (std::int64_t& dim : shape) dim = below(2) == 0 ? 0 : dim;
    }
    const bool asks = opset_ >= 14 && below(4) == 3 && !std::ranges::count(shape, 0);
    const Attributes attributes = asks ? Attributes{int_attribute("allowzero", 1)} : Attributes{};
    add(scope, "Reshape", {x.name, list(scope, shape)}, x.type, dims, attributes);
  }

  /// Slices along one axis, or all, from the front, from the end, and beyond both.
  void add_slice(Scope& scope) {
    const Known x = any_with_axes(scope);
    const std::int64_t axis = axis_of(x.dims);
    const std::size_t at = from_front(axis, x.dims.size());
    const auto start = static_cast<std::int64_t>(below(6)) - 3;
    const auto end = below(4) == 3 ? std::numeric_limits<std::int64_t>::max() : static_cast<std::int64_t>(below(6)) - 3;
    const auto within = [&](std::int64_t number) {
      return std::clamp<std::int64_t>(number < 0 ? number + x.dims[at] : number, 0, x.dims[at]);
    };
    Integers dims = x.dims;
    dims[at] = std::max<std::int64_t>(within(end) - within(start), 0);
    Names inputs{x.name, list(scope, {start}), list(scope, {end})};
    if (at != 0 || below(2) == 1) inputs.push_back(list(scope, {axis}));
    if (inputs.size() == 4 && below(3) == 2) inputs.push_back(list(scope, {1}));
    add(scope, "Slice", inputs, x.type, dims);
  }

  void add_gather(Scope& scope) {
    const Known x = any_with_axes(scope);
    const std::int64_t axis = axis_of(x.dims);
    const std::size_t at = from_front(axis, x.dims.size());
    if (x.dims[at] == 0) return;
    const auto index = static_cast<std::int64_t>(below(static_cast<std::uint64_t>(x.dims[at])));
    const bool is_list = below(2) == 1;
    const int type = below(2) == 0 ? int64 : int32;
    const Known indices = constant(scope, type, is_list ? Integers{2} : Integers{},
                                   is_list ? Integers{index, -1} : Integers{below(2) == 0 ? index : -1});
    Integers dims = x.dims;
    dims.erase(dims.begin() + static_cast<std::ptrdiff_t>(at));
    if (is_list) dims.insert(dims.begin() + static_cast<std::ptrdiff_t>(at), 2);
    add(scope, "Gather", {x.name, indices.name}, x.type, dims, {int_attribute("axis", axis)});
  }

  /// The list as an attribute or, from version `since` on, as an operand.
  void add_listed(Scope& scope, const std::string& op, const Known& x, const Integers& axes, Integers dims, int since,
                  Attributes attributes = {}) {
    Names inputs{x.name};
    if (opset_ < since) {
      attributes.push_back(ints_attribute("axes", axes));
    } else {
      inputs.push_back(list(scope, axes));
    }
    add(scope, op, inputs, x.type, std::move(dims), attributes);
  }

  /// Adds an axis of size 1, or removes it again.
  void add_squeeze(Scope& scope) {
    const Known x = any_value(scope);
    Integers dims = x.dims;
    const std::uint64_t at = below(dims.size() + 1);
    const bool from_end = below(2) == 1;
    const auto axis = static_cast<std::int64_t>(at);
    dims.insert(dims.begin() + axis, 1);
    const Integers axes{from_end ? axis - static_cast<std::int64_t>(dims.size()) : axis};
    add_listed(scope, "Unsqueeze", x, axes, dims, 13);
    const Known wider = last_made(scope);
    if (below(2) == 0) return;
    add_listed(scope, "Squeeze", wider, axes, x.dims, 13);
  }

  void add_sum(Scope& scope) {
    const Known x = any_value(scope);
    if (x.type == boolean || x.dims.empty()) return;
    const std::int64_t axis = axis_of(x.dims);
    const bool keeps = below(2) == 0;
    Integers dims = x.dims;
    dims[from_front(axis, dims.size())] = 1;
    if (!keeps) dims.erase(dims.begin() + static_cast<std::ptrdiff_t>(from_front(axis, x.dims.size())));
    Attributes attributes{int_attribute("keepdims", keeps ? 1 : 0)};
    if (below(3) == 2) attributes.push_back(int_attribute("noop_with_empty_axes", 1));
    add_listed(scope, "ReduceSum", x, {axis}, dims, 13, attributes);
  }

  void add_shape(Scope& scope) {
    const Known x = any_value(scope);
    add(scope, "Shape", {x.name}, int64, {static_cast<std::int64_t>(x.dims.size())});
  }

  void add_fill(Scope& scope) {
    const Known x = any_value(scope);
    const Known shape = add(scope, "Shape", {x.name}, int64, {static_cast<std::int64_t>(x.dims.size())});
    const int type = any_type();
    const std::string value = tensor("", type, {1}, {static_cast<std::int64_t>(below(2))});
    add(scope, "ConstantOfShape", {shape.name}, type, x.dims, {tensor_attribute("value", value)});
  }

  void add_expand(Scope& scope) {
    const Known x = any_value(scope);
    const Known scalar = constant(scope, any_type(), {});
    const Known shape = add(scope, "Shape", {x.name}, int64, {static_cast<std::int64_t>(x.dims.size())});
    add(scope, "Expand", {scalar.name, shape.name}, scalar.type, x.dims);
  }

  void add_split(Scope& scope) {
    const Known x = constant(scope, any_type(), {2, 2});
    const std::int64_t axis = axis_of(x.dims);
    Integers dims = x.dims;
    dims[from_front(axis, 2)] = 1;
    Known first{fresh(scope), x.type, dims};
    Known second{fresh(scope), x.type, dims};
    Attributes attributes{int_attribute("axis", axis)};
    if (opset_ >= 18) attributes.push_back(int_attribute("num_outputs", 2));
    scope.parts.nodes.push_back(node("Split", {x.name}, {first.name, second.name}, attributes));
    scope.visible.push_back(std::move(first));
    scope.visible.push_back(std::move(second));
  }

  /// An inner scope, which captures the outer values that it uses.
  Scope inside(const Scope& scope) { return {scope.visible, {}, 0, scope.depth + 1}; }

  /// Adds an output of that type and, if specified, of that shape.
  void add_output(Scope& scope, int type, const std::optional<Integers>& dims) {
    std::optional<Known> found;
    for (const Known& known : scope.visible) {
      const bool fits = known.type == type && (!dims || known.dims == *dims);
      if (fits && (!found || below(2) == 1)) found = known;
    }
    const Known source = found ? *found : constant(scope, type, dims.value_or(Integers{}));
    const Known output = add(scope, "Identity", {source.name}, type, source.dims);
    scope.parts.outputs.push_back(
        value_info(output.name, below(2) == 0 ? tensor_type(type, output.dims) : std::string()));
  }

  void add_if(Scope& scope) {
    if (scope.depth >= deepest) return;
    const Known x = any_value(scope);
    const bool same_shape = below(4) != 3;
    const std::optional<Integers> dims = same_shape ? std::optional(x.dims) : std::nullopt;
    const Known cond = cond_of(scope);
    Attributes branches;
    for (const char* role : {"then_branch", "else_branch"}) {
      Scope inner = inside(scope);
      add_nodes(inner, 1 + below(4));
      add_output(inner, x.type, dims);
      branches.push_back(branch(role, graph(role, inner.parts)));
    }
    if (below(2) == 1) std::swap(branches[0], branches[1]);
    const std::string name = fresh(scope);
    scope.parts.nodes.push_back(node("If", {cond.name}, {name}, branches));
    if (same_shape) scope.visible.push_back({name, x.type, x.dims});
  }

  /// A boolean of one element.
  Known cond_of(Scope& scope) {
    std::vector<Known> fitting;
    for (const Known& known : scope.visible) {
      if (known.type == boolean && element_count(known.dims) == 1) fitting.push_back(known);
    }
    return fitting.empty() ? constant(scope, boolean, {}) : fitting.at(below(fitting.size()));
  }

  /// A Loop of up to three trips that carries one value, sometimes with a scan output.
  void add_loop(Scope& scope) {
    if (scope.depth >= deepest) return;
    const Known x = any_value(scope);
    const auto trips = static_cast<std::int64_t>(below(4));
    const std::string limit = constant(scope, int64, {}, {trips}).name;
    const std::string start = below(3) == 2 ? cond_of(scope).name : std::string();
    Scope body = inside(scope);
    const Known trip{fresh(body), int64, {}}, again{fresh(body), boolean, {}}, carried{fresh(body), x.type, x.dims};
    for (const Known& known : {trip, again, carried}) {
      body.parts.inputs.push_back(value_info(known.name, tensor_type(known.type, known.dims)));
      body.visible.push_back(known);
    }
    add_nodes(body, 1 + below(3));
    const Known next = below(4) == 3 ? cond_of(body) : again;
    const Known kept = add(body, "Identity", {next.name}, boolean, {});
    body.parts.outputs.push_back(value_info(kept.name, {}));
    add_output(body, x.type, x.dims);
    const bool scans = below(2) == 1;
    if (scans) add_output(body, int64, Integers{});
    Names outputs{fresh(scope)};
    if (scans) outputs.push_back(fresh(scope));
    scope.parts.nodes.push_back(
        node("Loop", {limit, start, x.name}, outputs, {branch("body", graph("body", body.parts))}));
    scope.visible.push_back({outputs[0], x.type, x.dims});
  }

  /// f(x, y), whose calls leave out y and sometimes the attribute k, and g, which calls f and may pass k on.
  void add_functions() {
    Scope scope{{{"x", float32, {2}}}, {}, 0, in_function};
    const std::string k = reference_attribute("keepdims", of_int, "k");
    const Known sum = add(scope, "ReduceSum", {"x"}, float32, {}, below(2) == 0 ? Attributes{k} : Attributes{});
    scope.visible.pop_back();
    add_nodes(scope, below(4));
    const Known added = add(scope, "Add", {"x", sum.name}, float32, {});
    const bool has_default = below(2) == 1;
    const Attributes defaults = has_default ? Attributes{int_attribute("k", 0)} : Attributes{};
    functions_.push_back(
        function("f", {{"x", "y"}, {added.name}, scope.parts.nodes, has_default ? Names{} : Names{"k"}, defaults}));
    Attributes handed;
    if (below(2) == 0) handed.push_back(reference_attribute("k", of_int, "outer_k"));
    functions_.push_back(function("g", {{"x"}, {"out"}, {call("f", {"x"}, {"out"}, handed)}, {"outer_k"}}));
  }

  void add_call(Scope& scope) {
    if (functions_.empty() || scope.depth == in_function) return;
    const Known x = constant(scope, float32, {2});
    const bool inner = below(2) == 0;
    Attributes attributes;
    if (below(2) == 0)
      attributes.push_back(int_attribute(inner ? "k" : "outer_k", static_cast<std::int64_t>(below(2))));
    const std::string name = fresh(scope);
    scope.parts.nodes.push_back(call(inner ? "f" : "g", {x.name}, {name}, attributes));
    add(scope, "Reshape", {name, list(scope, {2})}, float32, {2});
  }

  static constexpr std::size_t deepest = 4, in_function = 3, most_nodes = 60;

  std::span<const std::uint8_t> choices_;
  std::size_t at_ = 0;
  std::size_t nodes_ = 0;
  int opset_ = 0;
  std::vector<std::string> functions_;
};

}  // namespace ifcert::onnx::model_parts
