// Values keep their way. The operator that makes a result of a branch writes the If's output; where there is none,
// because the branch returns one of its inputs or a value twice, the operators behind the If read that value. If the
// output is one of the subgraph, which has a name, the value is copied there, or becomes a second constant.
#include "specialise/tflite_inlining.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "model/node_kind.hpp"
#include "model/node_place.hpp"
#include "specialise/tflite_tensors.hpp"

namespace ifcert::tflite::specialisation {
namespace {

constexpr std::size_t most_copied_bytes = std::size_t{32} << 20;
constexpr std::size_t bytes_of_table = 128;

std::string text_of(const Model& model, NodeIndex node) {
  const Graph& graph = model.graphs[node.graph];
  const Place outer = place_of(graph);
  return to_string(place_of(graph, node.node, outer));
}

bool same_list(const std::vector<std::int32_t>& one, const flatbuffers::Vector<std::int32_t>* other) {
  return other == nullptr ? one.empty() : std::equal(one.begin(), one.end(), other->begin(), other->end());
}

bool is_common(schema::TensorType type) {
  constexpr std::array types{schema::TensorType_BOOL, schema::TensorType_INT32, schema::TensorType_INT64,
                             schema::TensorType_FLOAT32};
  return std::ranges::find(types, type) != types.end();
}

/// The declared rank. No dims mean a scalar, or an unknown rank.
std::optional<std::int32_t> rank_of(const schema::Tensor& tensor) {
  const bool has_dims = tensor.shape() != nullptr && tensor.shape()->size() > 0;
  if (has_dims) return static_cast<std::int32_t>(tensor.shape()->size());
  return tensor.has_rank() ? std::optional(0) : std::nullopt;
}

/// A subgraph of the file whose operators are being taken over: the subgraph itself, or a branch.
struct Scope {
  GraphIndex index;
  bool outermost;
  /// The new indices of its tensors. In the outermost: of those that are read elsewhere than at their own index.
  std::unordered_map<Slot, std::int32_t> tensors = {};
};

class Inlining {
 public:
  Inlining(Inliner& inliner, std::set<std::int32_t> kept) : inliner_(inliner), kept_(std::move(kept)) {}

  InlinedSubgraph result(GraphIndex graph);

 private:
  using Index = std::int32_t;

  const schema::SubGraph& from(const Scope& scope) const { return *inliner_.read().subgraphs()->Get(scope.index); }
  const schema::Tensor& tensor_of(const Scope& scope, Slot slot) const { return *from(scope).tensors()->Get(slot); }
  const Graph& graph(const Scope& scope) const { return inliner_.model().graphs[scope.index]; }
  [[noreturn]] void refuse(const std::string& reason) const {
    throw Inexpressible(text_of(inliner_.model(), if_), reason);
  }
  void spend(std::size_t bytes) { inliner_.spend(bytes, if_); }

  void add_tensors(const Scope& scope);
  void take_over(Scope& scope);
  void take_over(Scope& scope, std::size_t node);
  void inline_branch(Scope& outer, std::size_t node, bool taken);
  void refuse_variables(const Scope& branch) const;
  std::optional<Index> place_of_output(const Scope& outer, Slot output) const;
  void place_results(const Scope& outer, Scope& branch, const Node& replaced);
  void place_result(Scope& branch, Slot result, Index place);
  void hand_over(Scope& outer, Slot output, Index value);
  void copy(Index from, Index to);
  Index index_of(Scope& scope, Slot slot);
  std::vector<Index> indices_of(Scope& scope, const flatbuffers::Vector<std::int32_t>* slots);
  bool is_constant(const Scope& scope, Slot slot);
  void define(Index index, const schema::Tensor& as, bool constant);
  void expect_same_meaning(const schema::Tensor& outer, const schema::Tensor& inner);

  Inliner& inliner_;
  std::set<Index> kept_;
  NodeIndex if_ = {};  // the one that is being replaced, for messages
  TensorNames names_;
  InlinedSubgraph made_;
};

InlinedSubgraph Inlining::result(GraphIndex index) {
  Scope scope{index, true};
  const std::vector<Node>& nodes = graph(scope).nodes;
  for (std::size_t i = 0; i < nodes.size(); ++i)
    made_.changed = made_.changed || (is_if(nodes[i]) && inliner_.decisions().contains({index, i}));
  if (made_.changed) add_tensors(scope);
  take_over(scope);
  return std::move(made_);
}

void Inlining::add_tensors(const Scope& scope) {
  const auto count = static_cast<Slot>(graph(scope).slots.size());
  for (Slot slot = 0; slot < count; ++slot) {
    const schema::Tensor& tensor = tensor_of(scope, slot);
    made_.tensors.push_back({.from = &tensor, .constant = is_constant(scope, slot)});
    names_.add(name_of(tensor));
  }
}

void Inlining::take_over(Scope& scope) {
  for (std::size_t i = 0; i < graph(scope).nodes.size(); ++i) {
    const auto decided = inliner_.decisions().find({scope.index, i});
    if (decided != inliner_.decisions().end() && is_if(graph(scope).nodes[i])) {
      inline_branch(scope, i, decided->second);
    } else {
      take_over(scope, i);
    }
  }
}

void Inlining::take_over(Scope& scope, std::size_t node) {
  const schema::Operator& op = *from(scope).operators()->Get(static_cast<std::uint32_t>(node));
  InlinedOperator taken{.from = &op, .node = {scope.index, node}};
  if (!scope.outermost) spend(bytes_of_table);
  if (!scope.tensors.empty() || !scope.outermost) {
    taken.inputs = indices_of(scope, op.inputs());
    taken.outputs = indices_of(scope, op.outputs());
    taken.intermediates = indices_of(scope, op.intermediates());
    taken.moved = !same_list(taken.inputs, op.inputs()) || !same_list(taken.outputs, op.outputs()) ||
                  !same_list(taken.intermediates, op.intermediates());
  }
  for (std::size_t i = 0; !scope.outermost && i < taken.outputs.size(); ++i) {
    const auto slot = static_cast<std::uint32_t>(op.outputs()->Get(static_cast<std::uint32_t>(i)));
    define(taken.outputs[i], tensor_of(scope, slot), false);
  }
  made_.operators.push_back(std::move(taken));
}

void Inlining::inline_branch(Scope& outer, std::size_t node, bool taken) {
  const NodeIndex around = std::exchange(if_, {outer.index, node});
  const Node& replaced = graph(outer).nodes[node];
  Scope branch{replaced.bodies[taken ? 0 : 1].graph, false};
  const Graph& inner = graph(branch);
  const std::size_t looked_at = replaced.inputs.size() + replaced.outputs.size() + inner.unevaluated.size();
  spend(bytes_of_table + looked_at * sizeof(Index));
  refuse_variables(branch);
  for (std::size_t i = 0; i < inner.inputs.size(); ++i) {
    expect_same_meaning(tensor_of(outer, replaced.inputs[i + 1]), tensor_of(branch, inner.inputs[i]));
    branch.tensors.emplace(inner.inputs[i], index_of(outer, replaced.inputs[i + 1]));
  }
  for (std::size_t i = 0; i < inner.outputs.size(); ++i)
    expect_same_meaning(tensor_of(outer, replaced.outputs[i]), tensor_of(branch, inner.outputs[i]));
  place_results(outer, branch, replaced);
  take_over(branch);
  for (std::size_t i = 0; i < inner.outputs.size(); ++i)
    hand_over(outer, replaced.outputs[i], index_of(branch, inner.outputs[i]));
  if_ = around;
}

/// A variable keeps its value from one entry of its subgraph to the next, from wherever.
void Inlining::refuse_variables(const Scope& branch) const {
  for (const Slot slot : graph(branch).unevaluated) {
    if (tensor_of(branch, slot).is_variable())
      refuse(fmt::format("subgraph {} has a variable, tensor {}, which belongs to the subgraph", branch.index, slot));
  }
}

/// The tensor that the output of an If is, if there is one already.
std::optional<Inlining::Index> Inlining::place_of_output(const Scope& outer, Slot output) const {
  const auto found = outer.tensors.find(output);
  if (found != outer.tensors.end()) return found->second;
  return outer.outermost ? std::optional(static_cast<Index>(output)) : std::nullopt;
}

/// Each result that the branch computes, or has as a constant, is the If's output from the beginning; a result that is
/// returned twice is rather the one that keeps its name.
void Inlining::place_results(const Scope& outer, Scope& branch, const Node& replaced) {
  const std::vector<Slot>& results = graph(branch).outputs;
  for (const bool kept : {true, false}) {
    for (std::size_t i = 0; i < results.size(); ++i) {
      const auto place = place_of_output(outer, replaced.outputs[i]);
      if (place && kept_.contains(*place) == kept) place_result(branch, results[i], *place);
    }
  }
}

void Inlining::place_result(Scope& branch, Slot result, Index place) {
  if (branch.tensors.contains(result)) return;
  const bool constant = is_constant(branch, result);
  if (!constant && inliner_.source(branch.index, result) != Source::computed) return;
  branch.tensors.emplace(result, place);
  if (constant) define(place, tensor_of(branch, result), true);
}

/// Makes the output of an If that value.
void Inlining::hand_over(Scope& outer, Slot output, Index value) {
  const auto place = place_of_output(outer, output);
  if (place == value) return;
  const InlinedTensor& tensor = made_.tensors[static_cast<std::size_t>(value)];
  if (tensor.from != nullptr && tensor.from->is_variable())
    refuse(fmt::format("tensor {} is a variable, and may have another value later", value));
  if (!place || !kept_.contains(*place)) {
    outer.tensors.insert_or_assign(output, value);
  } else if (tensor.constant) {
    define(*place, *tensor.from, true);
  } else {
    copy(value, *place);
  }
}

/// No operator is made for copying. Runtimes can CAST the common types to themselves; RESHAPE takes every type, and the
/// tensor's own shape.
void Inlining::copy(Index from, Index to) {
  const InlinedTensor target = made_.tensors[static_cast<std::size_t>(to)];
  const schema::Tensor& source = *made_.tensors[static_cast<std::size_t>(from)].from;
  if (source.type() == schema::TensorType_RESOURCE || source.type() == schema::TensorType_VARIANT)
    refuse("its output is an output of the subgraph, and no operator copies a resource or a list");
  if (is_quantized_tensor(source))
    refuse("its output is an output of the subgraph, and the reference has no operator that copies a quantized value");
  spend(4 * bytes_of_table);
  if (is_common(source.type())) {
    made_.operators.push_back(
        {.added = schema::BuiltinOperator_CAST, .type = source.type(), .inputs = {from}, .outputs = {to}});
    return;
  }
  const auto shape = static_cast<Index>(made_.tensors.size());
  std::string name = fmt::format("{}_shape", name_of(*target.from));
  if (auto fresh = names_.joined(name)) name = std::move(*fresh);
  spend(name.size());
  made_.tensors.push_back({.name = std::move(name), .length = rank_of(source)});
  made_.operators.push_back({.added = schema::BuiltinOperator_SHAPE, .inputs = {from}, .outputs = {shape}});
  made_.operators.push_back({.added = schema::BuiltinOperator_RESHAPE, .inputs = {from, shape}, .outputs = {to}});
}

/// The new index of a tensor, which a tensor of a branch gets at its first use.
Inlining::Index Inlining::index_of(Scope& scope, Slot slot) {
  const auto found = scope.tensors.find(slot);
  if (found != scope.tensors.end()) return found->second;
  if (scope.outermost) return static_cast<Index>(slot);
  const schema::Tensor& tensor = tensor_of(scope, slot);
  const auto index = static_cast<Index>(made_.tensors.size());
  auto name = names_.joined(name_of(tensor));
  spend(bytes_of_table + name_of(tensor).size());
  made_.tensors.push_back({&tensor, std::move(name), is_constant(scope, slot)});
  scope.tensors.emplace(slot, index);
  return index;
}

std::vector<Inlining::Index> Inlining::indices_of(Scope& scope, const flatbuffers::Vector<std::int32_t>* slots) {
  std::vector<Index> indices;
  if (slots == nullptr) return indices;
  if (!scope.outermost) spend(slots->size() * sizeof(Index));
  indices.reserve(slots->size());
  for (const std::int32_t slot : *slots) indices.push_back(slot < 0 ? slot : index_of(scope, static_cast<Slot>(slot)));
  return indices;
}

bool Inlining::is_constant(const Scope& scope, Slot slot) {
  return inliner_.source(scope.index, slot) == Source::buffer && !tensor_of(scope, slot).is_variable();
}

/// The tensor at that index becomes this one, unless it keeps its name and type.
void Inlining::define(Index index, const schema::Tensor& as, bool constant) {
  InlinedTensor& tensor = made_.tensors[static_cast<std::size_t>(index)];
  if (tensor.from == &as) return;
  const std::string_view name = name_of(*tensor.from);
  if (kept_.contains(index)) {
    if (constant) tensor = {&as, tensor.name ? tensor.name : std::string(name), true};
    return;
  }
  spend(name_of(as).size());
  names_.remove(tensor.name ? *tensor.name : name);
  tensor = {&as, names_.joined(name_of(as)), constant};
}

/// A value passed from one to the other is the same numbers in both.
void Inlining::expect_same_meaning(const schema::Tensor& outer, const schema::Tensor& inner) {
  if (outer.quantization() != inner.quantization()) spend(bytes_in_scales(outer));
  if (!same_meaning(outer, inner))
    refuse("a value that it passes to its branch, or gets from it, is quantized otherwise there");
  if (outer.is_variable() || inner.is_variable()) refuse("a value that it passes is a variable");
}

}  // namespace

Inliner::Inliner(const Model& model, const schema::Model& read, const Decisions& decisions)
    : model_(model), read_(read), decisions_(decisions), sources_(model.graphs.size()) {}

InlinedSubgraph Inliner::inlined(GraphIndex graph, std::set<std::int32_t> kept) {
  return Inlining(*this, std::move(kept)).result(graph);
}

Source Inliner::source(GraphIndex index, Slot slot) {
  const Graph& graph = model_.graphs[index];
  std::vector<Source>& sources = sources_[index];
  if (sources.empty()) {
    sources.resize(graph.slots.size());
    for (const Slot input : graph.inputs) sources[input] = Source::input;
    for (const Node& node : graph.nodes) {
      for (const Slot output : node.outputs) sources[output] = Source::computed;
    }
  }
  return sources[slot];
}

void Inliner::spend(std::size_t bytes, NodeIndex node) {
  copied_bytes_ += bytes;
  if (copied_bytes_ > most_copied_bytes)
    throw Inexpressible(text_of(model_, node),
                        fmt::format("copies of branches would take more than {} bytes", most_copied_bytes));
}

}  // namespace ifcert::tflite::specialisation
