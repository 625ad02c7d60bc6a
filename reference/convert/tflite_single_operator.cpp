// FlatBuffers refer forward, from a table to its parts. So a new front (a model, a subgraph, an operator and its
// tensors) can be put before a whole file and refer to the file's own operator codes, buffers, options and scales.
#include "convert/tflite_single_operator.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <ifcert/evaluation_error.hpp>
#include <optional>
#include <span>

#include "formats/tflite/file.hpp"

namespace ifcert::tflite {
namespace {

/// What an offset leads to: a part of the front, by number, or a byte of the file.
struct Target {
  enum class In : std::uint8_t { front, file } in;
  std::size_t at;
};

/// A field of a table, by its position in the schema: a number of at most four bytes, or an offset.
struct Field {
  std::uint16_t id;
  std::variant<std::uint32_t, Target> value;
};

constexpr std::size_t cell = sizeof(std::uint32_t);

/// The parts of a front. A part may refer only to later ones.
class Front {
 public:
  void add_table(const std::vector<Field>& fields);
  void add_list(const std::vector<std::int32_t>& numbers);
  void add_list(const std::vector<Target>& targets);
  void add_name(const std::string& name);

  /// The front and the file behind it.
  std::string before(std::span<const std::byte> file) const;

 private:
  struct Part {
    std::string bytes;      // whole cells
    std::size_t start = 0;  // where offsets lead
    std::vector<std::pair<std::size_t, Target>> offsets = {};
  };

  static void append(std::string& bytes, std::uint32_t number) {
    bytes.append(reinterpret_cast<const char*>(&number), cell);
  }
  static void set(std::string& bytes, std::size_t at, std::uint32_t number) {
    std::memcpy(bytes.data() + at, &number, cell);
  }

  std::vector<Part> parts_;
};

/// A vtable, with the place of each field in the table, and the table, with a cell for each field.
void Front::add_table(const std::vector<Field>& fields) {
  std::uint16_t last = 0;
  for (const Field& field : fields) last = std::max(last, field.id);
  std::vector<std::uint16_t> places(last + 3U);
  places[0] = static_cast<std::uint16_t>(places.size() * sizeof(std::uint16_t));
  places[1] = static_cast<std::uint16_t>((fields.size() + 1) * cell);
  for (std::size_t i = 0; i < fields.size(); ++i)
    places[fields[i].id + 2U] = static_cast<std::uint16_t>((i + 1) * cell);
  Part part;
  part.bytes.assign(reinterpret_cast<const char*>(places.data()), places[0]);
  part.bytes.resize((part.bytes.size() + cell - 1) / cell * cell);
  part.start = part.bytes.size();
  append(part.bytes, static_cast<std::uint32_t>(part.start));  // from the table back to its vtable
  for (const Field& field : fields) {
    const auto* target = std::get_if<Target>(&field.value);
    if (target != nullptr) part.offsets.emplace_back(part.bytes.size(), *target);
    append(part.bytes, target == nullptr ? std::get<std::uint32_t>(field.value) : 0);
  }
  parts_.push_back(std::move(part));
}

void Front::add_list(const std::vector<std::int32_t>& numbers) {
  Part& part = parts_.emplace_back();
  append(part.bytes, static_cast<std::uint32_t>(numbers.size()));
  for (const std::int32_t number : numbers) append(part.bytes, static_cast<std::uint32_t>(number));
}

void Front::add_list(const std::vector<Target>& targets) {
  Part& part = parts_.emplace_back();
  append(part.bytes, static_cast<std::uint32_t>(targets.size()));
  for (const Target& target : targets) {
    part.offsets.emplace_back(part.bytes.size(), target);
    append(part.bytes, 0);
  }
}

void Front::add_name(const std::string& name) {
  Part& part = parts_.emplace_back();
  append(part.bytes, static_cast<std::uint32_t>(name.size()));
  part.bytes += name;
  part.bytes.resize((part.bytes.size() / cell + 1) * cell);  // with a NUL
}

std::string Front::before(std::span<const std::byte> file) const {
  constexpr std::size_t alignment = 16;
  constexpr std::size_t head = 2 * cell;  // the offset of the model, and the identifier
  std::vector<std::size_t> begin;
  std::size_t size = head;
  for (const Part& part : parts_) {
    begin.push_back(size);
    size += part.bytes.size();
  }
  const std::size_t length = (size + alignment - 1) / alignment * alignment;
  std::string bytes(head, '\0');
  set(bytes, 0, static_cast<std::uint32_t>(begin[0] + parts_[0].start));
  std::memcpy(bytes.data() + cell, file.data() + cell, cell);
  for (const Part& part : parts_) bytes += part.bytes;
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    for (const auto& [at, target] : parts_[i].offsets) {
      const std::size_t to =
          target.in == Target::In::file ? length + target.at : begin[target.at] + parts_[target.at].start;
      set(bytes, begin[i] + at, static_cast<std::uint32_t>(to - (begin[i] + at)));
    }
  }
  bytes.resize(length);
  bytes.append(reinterpret_cast<const char*>(file.data()), file.size());
  return bytes;
}

// Fields of an operator, by their position in the schema; schema.fbs leaves out the last two.
constexpr std::uint16_t custom_options = 5;
constexpr std::uint16_t custom_options_format = 6;
constexpr std::uint16_t mutating_variable_inputs = 7;
constexpr std::uint16_t builtin_options_2_type = 11;
constexpr std::uint16_t builtin_options_2 = 12;

constexpr flatbuffers::voffset_t in_vtable(std::uint16_t id) {
  return static_cast<flatbuffers::voffset_t>((id + 2U) * sizeof(flatbuffers::voffset_t));
}

const flatbuffers::Table& table_of(const void* table) {
  return *static_cast<const flatbuffers::Table*>(table);
}

class SingleOperator {
 public:
  explicit SingleOperator(const DelegatedNode& from)
      : from_(from), file_(from.model.file.bytes()), graph_(from.model.graphs[from.graph]) {
    if (file_.empty()) refuse("the model was not read from a file, which has the options of its operators");
    model_ = schema::GetModel(file_.data());
    const std::uint32_t subgraph = graph_.subgraph.value_or(0);
    if (subgraph >= model_->subgraphs()->size()) refuse(changed);
    subgraph_ = model_->subgraphs()->Get(subgraph);
    if (subgraph_->operators() == nullptr || from.node >= subgraph_->operators()->size()) refuse(changed);
    operator_ = subgraph_->operators()->Get(static_cast<std::uint32_t>(from.node));
    expect_same(from.described().inputs, operator_->inputs());
    expect_same(from.described().outputs, operator_->outputs());
    if (works_on_state()) refuse("variables and resources have values that live between operators");
  }

  SingleNodeModel model();

 private:
  static constexpr const char* changed = "the model is no longer the one that was read from the file";

  [[noreturn]] static void refuse(const std::string& reason) { throw EvaluationError(reason); }

  void expect_same(const std::vector<Slot>& slots, const flatbuffers::Vector<std::int32_t>* indices) const {
    const std::size_t count = indices == nullptr ? 0 : indices->size();
    if (slots.size() != count) refuse(changed);
    for (std::size_t i = 0; i < count; ++i) {
      const std::int32_t index = indices->Get(static_cast<std::uint32_t>(i));
      if (slots[i] != (index == -1 ? no_slot : static_cast<Slot>(index))) refuse(changed);
    }
  }

  bool is_state(Slot slot) const {
    if (slot == no_slot) return false;
    const schema::TensorType type = subgraph_->tensors()->Get(slot)->type();
    return type == schema::TensorType_RESOURCE || type == schema::TensorType_VARIANT;
  }

  /// CALL_ONCE sets variables without having them as operands.
  bool works_on_state() const {
    const Node& node = from_.described();
    const auto is_state_here = [this](Slot slot) { return is_state(slot); };
    return (node.domain.empty() && node.op == "CALL_ONCE") || std::ranges::any_of(node.inputs, is_state_here) ||
           std::ranges::any_of(node.outputs, is_state_here);
  }

  /// Where in the file a part is. Fields that schema.fbs leaves out were not verified.
  Target in_file(const void* part) const {
    const auto at = static_cast<std::size_t>(static_cast<const std::byte*>(part) - file_.data());
    if (at >= file_.size()) refuse("an option of the operator lies outside of the file");
    return {Target::In::file, at};
  }

  void add_offset(std::vector<Field>& fields, std::uint16_t id, const void* part) const {
    if (part != nullptr) fields.push_back({id, in_file(part)});
  }

  bool is_constant(Slot slot) const;
  std::vector<Field> operator_fields(std::size_t inputs, std::size_t outputs) const;
  std::vector<Field> tensor_fields(Slot slot, std::size_t shape, std::size_t name) const;

  const DelegatedNode& from_;
  std::span<const std::byte> file_;
  const Graph& graph_;
  const schema::Model* model_ = nullptr;
  const schema::SubGraph* subgraph_ = nullptr;
  const schema::Operator* operator_ = nullptr;
};

/// Whether the file has the tensor's elements in a buffer.
bool SingleOperator::is_constant(Slot slot) const {
  const schema::Tensor& tensor = *subgraph_->tensors()->Get(slot);
  const auto* buffers = model_->buffers();
  if (buffers == nullptr || tensor.buffer() >= buffers->size()) return false;
  const schema::Buffer& buffer = *buffers->Get(tensor.buffer());
  if (buffer.offset() > 1) refuse("the file has buffers behind its tables");
  return buffer.data() != nullptr && buffer.data()->size() > 0;
}

/// `inputs` and `outputs` are numbers of parts.
std::vector<Field> SingleOperator::operator_fields(std::size_t inputs, std::size_t outputs) const {
  const flatbuffers::Table& table = table_of(operator_);
  const auto* extra = operator_->intermediates();
  if (extra != nullptr && extra->size() > 0) refuse("the operator has intermediate tensors");
  if (operator_->large_custom_options_offset() > 1) refuse("the operator has options behind the tables of the file");
  std::vector<Field> fields{{0, operator_->opcode_index()},
                            {1, Target{Target::In::front, inputs}},
                            {2, Target{Target::In::front, outputs}},
                            {3, table.GetField<std::uint8_t>(in_vtable(3), 0)}};
  add_offset(fields, 4, table.GetPointer<const void*>(in_vtable(4)));
  add_offset(fields, custom_options, operator_->custom_options());
  fields.push_back({custom_options_format, static_cast<std::uint8_t>(operator_->custom_options_format())});
  add_offset(fields, mutating_variable_inputs, operator_->mutating_variable_inputs());
  fields.push_back({builtin_options_2_type, table.GetField<std::uint8_t>(in_vtable(builtin_options_2_type), 0)});
  add_offset(fields, builtin_options_2, table.GetPointer<const void*>(in_vtable(builtin_options_2)));
  return fields;
}

/// `shape` and `name` are numbers of parts.
std::vector<Field> SingleOperator::tensor_fields(Slot slot, std::size_t shape, std::size_t name) const {
  const schema::Tensor& tensor = *subgraph_->tensors()->Get(slot);
  std::vector<Field> fields{{0, Target{Target::In::front, shape}},
                            {1, static_cast<std::uint8_t>(tensor.type())},
                            {2, is_constant(slot) ? tensor.buffer() : 0},
                            {3, Target{Target::In::front, name}}};
  add_offset(fields, 4, tensor.quantization());
  if (is_constant(slot)) add_offset(fields, 6, tensor.sparsity());
  fields.push_back({8, 1U});
  return fields;
}

/// Parts, in this order: the model, its list of subgraphs, the subgraph, its four lists, the operator, its two lists,
/// and for each tensor a table, a shape and a name.
SingleNodeModel SingleOperator::model() {
  const Node& node = from_.described();
  SingleNodeModel made;
  std::vector<std::int32_t> passed, operands, results;
  std::vector<Slot> slots;
  std::vector<std::string> names;
  std::vector<std::vector<std::int32_t>> shapes;
  const auto add_tensor = [&](Slot slot, std::string name, std::vector<std::int32_t> shape) {
    slots.push_back(slot);
    names.push_back(std::move(name));
    shapes.push_back(std::move(shape));
    return static_cast<std::int32_t>(slots.size() - 1);
  };
  for (std::size_t i = 0; i < node.inputs.size(); ++i) {
    made.inputs.emplace_back();
    const Tensor* tensor = from_.inputs[i].tensor();
    if (tensor == nullptr) {
      operands.push_back(-1);
      continue;
    }
    operands.push_back(add_tensor(node.inputs[i], fmt::format("x{}", i), {tensor->dims.begin(), tensor->dims.end()}));
    if (is_constant(node.inputs[i])) continue;
    passed.push_back(operands.back());
    made.inputs.back() = names.back();
  }
  for (std::size_t i = 0; i < node.outputs.size(); ++i) {
    const auto* shape = subgraph_->tensors()->Get(node.outputs[i])->shape();
    results.push_back(
        add_tensor(node.outputs[i], fmt::format("y{}", i),
                   shape == nullptr ? std::vector<std::int32_t>{} : std::vector(shape->begin(), shape->end())));
    made.outputs.push_back(names.back());
  }
  constexpr std::size_t first_tensor = 10;
  const auto part = [](std::size_t number) { return Target{Target::In::front, number}; };
  std::vector<Target> tensors;
  for (std::size_t i = 0; i < slots.size(); ++i) tensors.push_back(part(first_tensor + 3 * i));
  Front front;
  std::vector<Field> fields{{0, model_->version()}, {2, part(1)}};
  add_offset(fields, 1, model_->operator_codes());
  add_offset(fields, 4, model_->buffers());
  front.add_table(fields);
  front.add_list(std::vector{part(2)});
  front.add_table({{0, part(3)}, {1, part(4)}, {2, part(5)}, {3, part(6)}});
  front.add_list(tensors);
  front.add_list(passed);
  front.add_list(results);
  front.add_list(std::vector{part(7)});
  front.add_table(operator_fields(8, 9));
  front.add_list(operands);
  front.add_list(results);
  for (std::size_t i = 0; i < slots.size(); ++i) {
    front.add_table(tensor_fields(slots[i], first_tensor + 3 * i + 1, first_tensor + 3 * i + 2));
    front.add_list(shapes[i]);
    front.add_name(names[i]);
  }
  made.files = {{"model.tflite", front.before(file_)}};
  return made;
}

}  // namespace

SingleNodeModel single_operator(const DelegatedNode& node) {
  return SingleOperator(node).model();
}

}  // namespace ifcert::tflite
