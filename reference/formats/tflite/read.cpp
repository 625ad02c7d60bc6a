// Bytes → graphs: tensors become slots, subgraphs that operators name become bodies, and broken rules are reported.
#include <fmt/format.h>

#include <algorithm>
#include <ifcert/tflite.hpp>
#include <string_view>
#include <system_error>
#include <vector>

#include "files/file_bytes.hpp"
#include "formats/mend.hpp"
#include "formats/tflite/buffers.hpp"
#include "formats/tflite/control_flow.hpp"
#include "formats/tflite/file.hpp"
#include "formats/tflite/operator_order.hpp"
#include "formats/tflite/options.hpp"
#include "formats/tflite/subgraph_rules.hpp"
#include "formats/tflite/types.hpp"
#include "limits/budget.hpp"
#include "limits/out_of_memory.hpp"
#include "model/allowed.hpp"
#include "model/findings.hpp"
#include "model/node_place.hpp"
#include "model/utf8.hpp"

namespace ifcert::tflite {
namespace {

constexpr std::string_view limit_rule = "tflite/file/size-limit";

const Place whole{.what = "model"};

/// The limit on tensors, operators, and inputs and outputs of both, of a file of that many bytes. Each takes four bytes
/// or more, unless a part of the file is used several times: several subgraphs may share one table.
std::size_t most_values(std::size_t bytes) {
  constexpr std::size_t shared = 200'000;
  return std::min(budget_limit, shared + bytes / sizeof(std::int32_t));
}

/// The limit on bytes in the names of a file of that many bytes, which several tensors may share.
std::size_t most_name_bytes(std::size_t bytes) {
  constexpr std::size_t shared = std::size_t{16} << 20;
  return shared + bytes;
}

using Indices = flatbuffers::Vector<std::int32_t>;

/// The elements of an optional vector.
template <class T>
std::span<const T> all_of(const flatbuffers::Vector<T>* vector) {
  return vector == nullptr ? std::span<const T>() : std::span<const T>(vector->data(), vector->size());
}

template <class T>
std::uint32_t size_of(const flatbuffers::Vector<flatbuffers::Offset<T>>* vector) {
  return vector == nullptr ? 0 : vector->size();
}

/// A FlatBuffers "string" is UTF-8, which its verifier does not check; names are for people.
std::string text_of(const flatbuffers::String* text) {
  return text == nullptr ? std::string() : utf8_text(text->string_view());
}

/// A subgraph while it is read. Indices of tensors that do not exist get extra slots after those of its tensors.
struct Subgraph {
  const schema::SubGraph& from;
  Graph& graph;
  Place place;
  std::uint32_t tensors;
};

class Reader {
 public:
  explicit Reader(const File& file) : file_(file), buffers_(file_) {}

  Reading read();

 private:
  void read_version();
  void read_tensors(const Subgraph& subgraph);
  Type type_of_tensor(const schema::Tensor& from, const Place& place);
  Shape shape_of(const schema::Tensor& from, const Place& place);
  std::vector<bool> read_constants(const Subgraph& subgraph);
  bool read_constant(const schema::Tensor& from, bool is_input, Slot slot, Graph& graph, const Place& place);
  void read_operators(const Subgraph& subgraph);
  Node read_operator(const schema::Operator& from, const Subgraph& subgraph, std::size_t number);
  std::optional<schema::BuiltinOperator> read_code(const schema::Operator& from, Node& node, const Place& place);
  schema::BuiltinOperator code_of(const schema::OperatorCode& from) const;
  std::vector<Slot> read_slots(const Indices* indices, const Subgraph& subgraph, std::string_view what,
                               const Place& place, bool may_be_absent = false);
  Slot read_slot(std::int32_t index, const Subgraph& subgraph, const Place& place);
  Subgraph subgraph(std::uint32_t index) {
    const schema::SubGraph& from = *file_.model->subgraphs()->Get(index);
    Graph& graph = reading_.model.graphs[index];
    return {from, graph, place_of(graph), size_of(from.tensors())};
  }

  File file_;
  Buffers buffers_;
  Reading reading_;
  Findings findings_;
  bool has_effects_ = order_has_effects(*file_.model);
  Budget value_budget_{"tensors, operators, and their inputs and outputs", most_values(file_.bytes.size()), limit_rule};
  Budget dim_budget_{"sizes in shape and new_shape", budget_limit, limit_rule};
  Budget name_budget_{"bytes in names", most_name_bytes(file_.bytes.size()), limit_rule};
};

/// 3 in every file of TensorFlow Lite; Circle has its own numbering.
/// Sentence: schema-model-version.
/// Rule: tflite/file/version.
void Reader::read_version() {
  const std::uint32_t version = file_.model->version();
  reading_.model.ir_version = version;
  if (file_.identifier == Identifier::circle || version == schema_version) return;
  findings_.report("tflite/file/version", whole, fmt::format("version is {}", version),
                   fmt::format("version {}", schema_version));
}

// Rules: tflite/file/primary-required, tflite/file/size-limit.
Reading Reader::read() {
  Model& model = reading_.model;
  model.format = Format::tflite;
  model.file = Buffer(file_.owner, file_.bytes);
  model.producer = shortened(text_of(file_.model->description()), 200);
  read_version();
  const std::uint32_t count = size_of(file_.model->subgraphs());
  if (count == 0)
    throw UnreadableModel(
        {"tflite/file/primary-required", "model", "subgraphs is empty", "subgraph 0, the main model"});
  value_budget_.spend(count, whole);
  model.graphs.resize(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    model.graphs[i].subgraph = i;
    model.graphs[i].name = text_of(file_.model->subgraphs()->Get(i)->name());
    name_budget_.spend(model.graphs[i].name.size(), whole);
    read_tensors(subgraph(i));
  }
  for (std::uint32_t i = 0; i < count; ++i) read_operators(subgraph(i));
  check_nesting(model, findings_);
  reading_.broken = findings_.take();
  return std::move(reading_);
}

/// A negative size in the signature means that the size is known only in a run; without a signature, one in the shape
/// does.
/// Rule: tflite/file/buffer-fits-shape.
Shape Reader::shape_of(const schema::Tensor& from, const Place& place) {
  const auto dims = all_of(from.shape());
  const auto signature = all_of(from.shape_signature());
  dim_budget_.spend(dims.size(), place);
  Shape shape;
  for (std::size_t i = 0; i < dims.size(); ++i) {
    const std::int32_t dim = signature.size() == dims.size() ? signature[i] : dims[i];
    if (dim < -1 || dims[i] < -1) {
      const bool in_shape = dims[i] < -1;
      findings_.report("tflite/file/buffer-fits-shape", place,
                       fmt::format("{}[{}] is {}", in_shape ? "shape" : "shape_signature", i, in_shape ? dims[i] : dim),
                       "sizes, or -1 for an unknown one");
    }
    shape.push_back(dim < 0 ? Dim{} : Dim{dim, {}});
  }
  return shape;
}

/// Where "has_rank" is false and there are no dims, old files mean a scalar and new ones an unknown rank.
/// Rule: tflite/file/known-types.
Type Reader::type_of_tensor(const schema::Tensor& from, const Place& place) {
  const auto element = element_type_of(from.type());
  if (!element) {
    findings_.report("tflite/file/known-types", place, fmt::format("type {}", static_cast<int>(from.type())),
                     "a TensorType of the schema");
    return {};
  }
  Shape shape = shape_of(from, place);
  if (*element == ElementType::undefined) {
    Type opaque;
    opaque.kind = Type::Kind::opaque;
    return opaque;
  }
  if (shape.empty() && !from.has_rank()) return Type::tensor(*element);
  return Type::tensor(*element, std::move(shape));
}

/// Reads the parts that other subgraphs refer to: tensors, inputs and outputs.
/// Rule: tflite/subgraph/primary-order.
void Reader::read_tensors(const Subgraph& subgraph) {
  const auto& [from, graph, place, count] = subgraph;
  value_budget_.spend(count, place);
  graph.slots.reserve(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    const schema::Tensor& tensor = *from.tensors()->Get(i);
    std::string name = text_of(tensor.name());  // may be longer than in the file: U+FFFD takes three bytes
    name_budget_.spend(name.size(), place);
    graph.add_slot(std::move(name), type_of_tensor(tensor, place.numbered("tensor", i)));
  }
  graph.inputs = read_slots(from.inputs(), subgraph, "input", place);
  graph.outputs = read_slots(from.outputs(), subgraph, "output", place);
}

/// The slot of a tensor; an extra slot for one that does not exist.
/// Rule: tflite/file/tensor-index.
Slot Reader::read_slot(std::int32_t index, const Subgraph& subgraph, const Place& place) {
  if (index >= 0 && static_cast<std::uint32_t>(index) < subgraph.tensors) return static_cast<Slot>(index);
  findings_.report("tflite/file/tensor-index", place, fmt::format("tensor {} of {}", index, subgraph.tensors),
                   "the index of one of the subgraph's tensors");
  return subgraph.graph.add_slot("");
}

/// Sentence: schema-optional-input.
std::vector<Slot> Reader::read_slots(const Indices* indices, const Subgraph& subgraph, std::string_view what,
                                     const Place& place, bool may_be_absent) {
  const auto all = all_of(indices);
  value_budget_.spend(all.size(), place);
  std::vector<Slot> slots;
  slots.reserve(all.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    const bool absent = may_be_absent && all[i] == -1;
    slots.push_back(absent ? no_slot : read_slot(all[i], subgraph, place.numbered(what, i)));
  }
  return slots;
}

/// Reads the tensor's buffer as a constant, if there is one; a tensor without elements has an empty buffer. False where
/// a fault of the constant was reported.
bool Reader::read_constant(const schema::Tensor& from, bool is_input, Slot slot, Graph& graph, const Place& place) {
  const auto bytes = buffers_.bytes(from.buffer(), place, findings_);
  const Type& type = graph.slots[slot].declared;
  if (!bytes || !type.is_tensor()) return bytes.has_value() && bytes->empty();
  const auto dims = all_of(from.shape());
  const bool no_elements = std::ranges::find(dims, 0) != dims.end();
  if (from.external_buffer() != 0) {
    graph.unevaluated.push_back(slot);
    return true;
  }
  if (bytes->empty() && (!no_elements || is_input || from.is_variable())) return true;
  if (std::ranges::any_of(dims, [](std::int32_t dim) { return dim < 0; })) {
    findings_.report("tflite/file/buffer-fits-shape", place, "shape has an unknown size, and the buffer has data",
                     "known sizes");
    return false;
  }
  if (from.sparsity() != nullptr) {
    graph.unevaluated.push_back(slot);
    return true;
  }
  Value value = buffers_.constant(type.element, Dims(dims.begin(), dims.end()), *bytes, place, findings_);
  if (value.empty()) return false;
  graph.constants.push_back({slot, std::move(value)});
  return true;
}

/// Reads the constants; results of operators that have no elements are not constants. Returns for each tensor whether
/// it needs no source: variables, which keep their value from run to run, and tensors with a reported fault.
std::vector<bool> Reader::read_constants(const Subgraph& subgraph) {
  const auto& [from, graph, place, count] = subgraph;
  std::vector<bool> has_source(graph.slots.size());
  for (const Slot slot : graph.inputs) has_source[slot] = true;
  for (const Node& node : graph.nodes) {
    for (const Slot slot : node.outputs) has_source[slot] = true;
  }
  std::vector<bool> unmade;
  for (std::uint32_t i = 0; i < count; ++i) {
    const schema::Tensor& tensor = *from.tensors()->Get(i);
    const Place here = place.numbered("tensor", i);
    const bool refused =
        naming_out_of_memory(here, [&] { return !read_constant(tensor, has_source[i], i, graph, here); });
    unmade.push_back(tensor.is_variable() || refused);
  }
  return unmade;
}

/// Finds, in the order of a run, the values that are read before an operator computes them, and that the reference does
/// not evaluate: variables, which keep their value from run to run, and resources.
class Unevaluated {
 public:
  Unevaluated(Graph& graph, const std::vector<bool>& unmade)
      : graph_(graph), unmade_(unmade), made_(graph.slots.size()), listed_(graph.slots.size()) {
    for (const Slot slot : graph.unevaluated) made_[slot] = listed_[slot] = true;
  }

  void add() {
    std::ranges::for_each(graph_.inputs, [&](Slot slot) { make(slot); });
    for (const Constant& constant : graph_.constants) make(constant.slot);
    for (const Node& node : graph_.nodes) {
      std::ranges::for_each(node.inputs, [&](Slot slot) { read(slot); });
      std::ranges::for_each(node.outputs, [&](Slot slot) { make(slot); });
    }
    std::ranges::for_each(graph_.outputs, [&](Slot slot) { read(slot); });
  }

 private:
  bool may_be_unmade(Slot slot) const { return slot < unmade_.size() && unmade_[slot]; }

  void make(Slot slot) {
    if (slot == no_slot) return;
    if (made_[slot] && may_be_unmade(slot)) list(slot);
    made_[slot] = true;
  }

  void read(Slot slot) {
    if (may_be_unmade(slot) && !made_[slot]) list(slot);
  }

  void list(Slot slot) {
    if (!listed_[slot]) graph_.unevaluated.push_back(slot);
    listed_[slot] = true;
  }

  Graph& graph_;
  const std::vector<bool>& unmade_;
  std::vector<bool> made_, listed_;
};

void Reader::read_operators(const Subgraph& subgraph) {
  const auto& [from, graph, place, _] = subgraph;
  const std::uint32_t count = size_of(from.operators());
  value_budget_.spend(count, place);
  graph.nodes.reserve(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    naming_out_of_memory(place.operation("?", i),
                         [&] { graph.nodes.push_back(read_operator(*from.operators()->Get(i), subgraph, i)); });
  }
  const std::vector<bool> unmade = read_constants(subgraph);
  check_definitions(graph, unmade, has_effects_, place, findings_);
  Unevaluated(graph, unmade).add();
}

/// The larger of the two fields, of which the older is a byte. Circle has negative codes, so there the older one counts
/// unless it indicates that it cannot hold the code (docs/tflite.md).
/// Rule: tflite/file/operator-is-known.
schema::BuiltinOperator Reader::code_of(const schema::OperatorCode& from) const {
  const auto old_code = static_cast<schema::BuiltinOperator>(from.deprecated_builtin_code());
  const schema::BuiltinOperator code = from.builtin_code();
  if (file_.identifier == Identifier::tflite) return std::max(old_code, code);
  return old_code == schema::BuiltinOperator_PLACEHOLDER_FOR_GREATER_OP_CODES ? code : old_code;
}

/// Sets the operator's name; nullopt where a fault was reported.
/// Rules: tflite/file/operator-code-index, tflite/file/operator-is-known.
std::optional<schema::BuiltinOperator> Reader::read_code(const schema::Operator& from, Node& node, const Place& place) {
  const std::uint32_t count = size_of(file_.model->operator_codes());
  if (from.opcode_index() >= count) {
    findings_.report("tflite/file/operator-code-index", place,
                     fmt::format("opcode_index is {}, with {} operator_codes", from.opcode_index(), count),
                     "the index of one of the model's operator_codes");
    return std::nullopt;
  }
  const schema::OperatorCode& entry = *file_.model->operator_codes()->Get(from.opcode_index());
  const schema::BuiltinOperator code = code_of(entry);
  node.version = entry.version();
  const bool of_circle = code < 0;
  if (code != schema::BuiltinOperator_PLACEHOLDER_FOR_GREATER_OP_CODES &&
      !(of_circle && file_.identifier == Identifier::tflite))
    node.op = schema::EnumNameBuiltinOperator(code);
  if (code == schema::BuiltinOperator_IF) node.op = "If";
  if (code == schema::BuiltinOperator_WHILE) node.op = "While";
  if (code == schema::BuiltinOperator_CUSTOM) {
    node.domain = "custom";
    node.op = text_of(entry.custom_code());
    name_budget_.spend(node.op.size(), place);
  }
  if (!node.op.empty()) return code;
  findings_.report("tflite/file/operator-is-known", place, fmt::format("builtin_code is {}", static_cast<int>(code)),
                   "a BuiltinOperator of the schema, or CUSTOM with a custom_code");
  return std::nullopt;
}

/// The elements of such a tensor are codes of other numbers.
bool is_quantized(const schema::Tensor& tensor) {
  return tensor.quantization() != nullptr && !all_of(tensor.quantization()->scale()).empty();
}

Node Reader::read_operator(const schema::Operator& from, const Subgraph& subgraph, std::size_t number) {
  Node node;
  const auto code = read_code(from, node, subgraph.place.operation("?", number));
  const Place place = subgraph.place.operation(node.op, number);
  node.inputs = read_slots(from.inputs(), subgraph, "input", place, true);
  node.outputs = read_slots(from.outputs(), subgraph, "output", place);
  if (!code) return node;
  if (*code == schema::BuiltinOperator_IF) {
    read_if(from, reading_.model, node, place, findings_);
    return node;
  }
  if (*code == schema::BuiltinOperator_WHILE) {
    read_while(from, reading_.model, node, place, findings_);
    return node;
  }
  // Operators may share the shape in their options; each gets a copy.
  if (const auto* options = from.builtin_options_as_ReshapeOptions())
    dim_budget_.spend(all_of(options->new_shape()).size(), place);
  node.attributes = attributes_of(from, *code);
  // CAST converts to the type of its output, whatever its options specify.
  if (*code == schema::BuiltinOperator_CAST && node.outputs.size() == 1)
    node.attributes["out_data_type"] = std::string(name_of(subgraph.graph.slots[node.outputs[0]].declared.element));
  const auto quantized = [&](Slot slot) {
    return slot < subgraph.tensors && is_quantized(*subgraph.from.tensors()->Get(slot));
  };
  const bool computes_on_codes =
      std::ranges::any_of(node.inputs, quantized) || std::ranges::any_of(node.outputs, quantized);
  if (computes_on_codes && node.domain.empty()) node.domain = "quantized";
  return node;
}

Reading read_aligned(std::shared_ptr<const void> owner, std::span<const std::byte> bytes) {
  const File file = verified(std::move(owner), bytes);
  return Reader(file).read();
}

}  // namespace

namespace {

Reading read_strictly(std::shared_ptr<const void> owner, std::span<const std::byte> bytes) {
  constexpr std::size_t alignment = 16;
  if (reinterpret_cast<std::uintptr_t>(bytes.data()) % alignment == 0) return read_aligned(std::move(owner), bytes);
  const auto copy = std::make_shared<Buffer>(Buffer::copy_of(bytes));
  return read_aligned(copy, copy->bytes());
}

}  // namespace

Reading read_bytes(std::shared_ptr<const void> owner, std::span<const std::byte> bytes, const AllowedRules& allowed) {
  return with_allowed(
      read_strictly(std::move(owner), bytes), allowed,
      [&](const Reading& strict) { return with_sorted_operators(bytes, strict.model); }, read_strictly);
}

// Rule: tflite/file/well-formed.
Reading read_file(const std::filesystem::path& path, const AllowedRules& allowed) {
  const auto file = std::make_shared<Buffer>();
  try {
    *file = read_whole(path);
  } catch (const std::system_error& error) {
    const bool irregular = error.code() == std::errc::invalid_argument;
    throw UnreadableModel({"tflite/file/well-formed", path.string(),
                           irregular ? "not a regular file" : error.code().message(), "a readable file"});
  }
  Reading reading = read_bytes(file, file->bytes(), allowed);
  reading.model.path = path.string();
  reading.files.push_back(std::filesystem::absolute(path));
  return reading;
}

}  // namespace ifcert::tflite
