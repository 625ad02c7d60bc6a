// New tables for the subgraphs whose Ifs are replaced, in front of the old file. Subgraphs that nothing enters any more
// are left out of the new list, so that the numbers of others change wherever they are named.
#include <algorithm>
#include <iterator>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "specialise/specialise.hpp"
#include "specialise/tflite_entered.hpp"
#include "specialise/tflite_front.hpp"
#include "specialise/tflite_inlining.hpp"

namespace ifcert::tflite::specialisation {
namespace {

using flatbuffers::Offset;

class Specialisation {
 public:
  Specialisation(const Model& model, const File& file, const Decisions& decisions)
      : model_(model), file_(file), read_(*file.model), inliner_(model, read_, decisions), front_(file) {}

  /// The new file; empty where nothing is to be replaced.
  std::string bytes();

 private:
  std::vector<GraphIndex> entered_by(NodeIndex node) const { return subgraphs_entered_by(model_, read_, node); }
  void inline_all();
  void find_kept_tensors();
  Offset<schema::SubGraph> written_subgraph(GraphIndex graph);
  Offset<schema::Tensor> written(const InlinedTensor& tensor);
  Offset<schema::Operator> written(const InlinedOperator& op);
  Offset<schema::Operator> written_copy(const InlinedOperator& op);
  std::optional<std::uint32_t> renumbered_options(const InlinedOperator& op);
  std::uint32_t code_index(schema::BuiltinOperator code);
  std::optional<NewField> written_codes();
  std::optional<NewField> written_signatures();

  template <class T>
  std::uint32_t list(const std::vector<T>& elements) {
    return front_.builder().CreateVector(elements).o;
  }

  const Model& model_;
  const File& file_;
  const schema::Model& read_;
  Inliner inliner_;
  Front front_;
  std::vector<std::optional<InlinedSubgraph>> subgraphs_;  // by old number; those that stay
  std::vector<std::set<std::int32_t>> kept_tensors_;       // by old number
  std::vector<std::uint32_t> new_number_;                  // by old number
  std::vector<schema::BuiltinOperator> added_codes_;
};

/// The tensors to which outputs of subgraphs and of signatures refer.
void Specialisation::find_kept_tensors() {
  kept_tensors_.resize(model_.graphs.size());
  for (GraphIndex graph = 0; graph < model_.graphs.size(); ++graph) {
    for (const Slot slot : model_.graphs[graph].outputs) kept_tensors_[graph].insert(static_cast<std::int32_t>(slot));
  }
  const auto* signatures = read_.signature_defs();
  for (std::uint32_t i = 0; signatures != nullptr && i < signatures->size(); ++i) {
    const schema::SignatureDef& signature = *signatures->Get(i);
    if (signature.subgraph_index() >= kept_tensors_.size() || signature.outputs() == nullptr) continue;
    for (const schema::TensorMap* named : *signature.outputs())
      kept_tensors_[signature.subgraph_index()].insert(static_cast<std::int32_t>(named->tensor_index()));
  }
}

/// Inlines in the subgraphs that stay, and numbers them.
void Specialisation::inline_all() {
  subgraphs_.resize(model_.graphs.size());
  std::vector<GraphIndex> waiting = subgraphs_that_stay(model_, read_);
  while (!waiting.empty()) {
    const GraphIndex graph = waiting.back();
    waiting.pop_back();
    if (subgraphs_[graph]) continue;
    subgraphs_[graph] = inliner_.inlined(graph, std::move(kept_tensors_[graph]));
    for (const InlinedOperator& op : subgraphs_[graph]->operators) {
      if (op.from == nullptr) continue;
      if (op.from->large_custom_options_offset() > 1)
        throw Inexpressible("model", "an operator has options behind the tables of the file");
      std::ranges::copy(entered_by(op.node), std::back_inserter(waiting));
    }
  }
  std::uint32_t number = 0;
  for (const auto& subgraph : subgraphs_) {
    new_number_.push_back(number);
    if (subgraph) ++number;
  }
}

std::string Specialisation::bytes() {
  find_kept_tensors();
  inline_all();
  const auto changed = [](const auto& subgraph) { return subgraph && subgraph->changed; };
  if (std::ranges::none_of(subgraphs_, changed)) return {};
  std::vector<Offset<schema::SubGraph>> written;
  for (GraphIndex graph = 0; graph < subgraphs_.size(); ++graph) {
    if (subgraphs_[graph]) written.push_back(written_subgraph(graph));
  }
  std::vector<NewField> fields{{model_subgraphs, list(written)}};
  for (const auto& field : {written_codes(), moved_buffers(front_, read_), written_signatures()}) {
    if (field) fields.push_back(*field);
  }
  return front_.finished(front_.copied(&read_, model_form, fields));
}

Offset<schema::SubGraph> Specialisation::written_subgraph(GraphIndex graph) {
  const schema::SubGraph& from = *read_.subgraphs()->Get(graph);
  const InlinedSubgraph& made = *subgraphs_[graph];
  std::vector<Offset<schema::Operator>> new_operators;
  bool same = !made.changed;
  for (const InlinedOperator& op : made.operators) {
    new_operators.push_back(written(op));
    same = same && new_operators.back().o == front_.old(op.from).o;
  }
  if (same) return front_.old(&from);
  std::vector<NewField> fields{{subgraph_operators, list(new_operators)}};
  if (made.changed) {
    std::vector<Offset<schema::Tensor>> new_tensors;
    for (const InlinedTensor& tensor : made.tensors) new_tensors.push_back(written(tensor));
    fields.push_back({subgraph_tensors, list(new_tensors)});
  }
  const bool is_circle = file_.identifier == Identifier::circle;
  return front_.copied(&from, is_circle ? circle_subgraph_form : subgraph_form, fields);
}

Offset<schema::Tensor> Specialisation::written(const InlinedTensor& tensor) {
  auto& builder = front_.builder();
  if (tensor.from == nullptr) {
    const std::vector<std::int32_t> shape{tensor.length.value_or(1)};
    const std::vector<std::int32_t> signature{-1};
    return schema::CreateTensorDirect(builder, &shape, schema::TensorType_INT32, 0, tensor.name->c_str(), 0, false, 0,
                                      tensor.length ? nullptr : &signature, true);
  }
  if (!tensor.name) return front_.old(tensor.from);
  const auto new_name = builder.CreateString(*tensor.name).o;
  const bool is_circle = file_.identifier == Identifier::circle;
  return front_.copied(tensor.from, is_circle ? circle_tensor_form : tensor_form, {{tensor_name, new_name}});
}

/// An operator that was added to copy a tensor.
Offset<schema::Operator> Specialisation::written_copy(const InlinedOperator& op) {
  auto& builder = front_.builder();
  const auto made = [&](schema::BuiltinOptions type, Offset<void> options) {
    return schema::CreateOperatorDirect(builder, code_index(op.added), &op.inputs, &op.outputs, type, options);
  };
  switch (op.added) {
    case schema::BuiltinOperator_CAST:
      return made(schema::BuiltinOptions_CastOptions, schema::CreateCastOptions(builder, op.type, op.type).Union());
    case schema::BuiltinOperator_SHAPE:
      return made(schema::BuiltinOptions_ShapeOptions,
                  schema::CreateShapeOptions(builder, schema::TensorType_INT32).Union());
    default:
      return made(schema::BuiltinOptions_ReshapeOptions, schema::CreateReshapeOptions(builder).Union());
  }
}

Offset<schema::Operator> Specialisation::written(const InlinedOperator& op) {
  if (op.from == nullptr) return written_copy(op);
  std::vector<NewField> fields;
  if (const auto options = renumbered_options(op)) fields.push_back({operator_builtin_options, *options});
  if (op.moved) {
    fields.push_back({operator_inputs, list(op.inputs)});
    fields.push_back({operator_outputs, list(op.outputs)});
    if (op.from->intermediates() != nullptr) fields.push_back({operator_intermediates, list(op.intermediates)});
  }
  return fields.empty() ? front_.old(op.from) : Offset<schema::Operator>(front_.copied(op.from, operator_form, fields));
}

/// The options of an operator that enters subgraphs whose numbers have changed.
std::optional<std::uint32_t> Specialisation::renumbered_options(const InlinedOperator& op) {
  std::vector<NewField> fields;
  bool same = true;
  for (const GraphIndex entered : entered_by(op.node)) {
    fields.push_back({fields.size(), new_number_[entered]});
    same = same && new_number_[entered] == entered;
  }
  if (same) return std::nullopt;
  return front_.copied(op.from->builtin_options(), options_form, fields);
}

/// The index of a builtin operator among the model's operator codes, to which it is added where it is missing.
std::uint32_t Specialisation::code_index(schema::BuiltinOperator code) {
  const auto* codes = read_.operator_codes();
  for (std::uint32_t i = 0; i < codes->size(); ++i) {
    const schema::OperatorCode& entry = *codes->Get(i);
    if (entry.deprecated_builtin_code() == code && entry.builtin_code() == code) return i;
  }
  const auto found = std::ranges::find(added_codes_, code);
  const auto index = static_cast<std::uint32_t>(codes->size() + (found - added_codes_.begin()));
  if (found == added_codes_.end()) added_codes_.push_back(code);
  return index;
}

std::optional<NewField> Specialisation::written_codes() {
  if (added_codes_.empty()) return std::nullopt;
  std::vector<Offset<schema::OperatorCode>> codes;
  for (const schema::OperatorCode* code : *read_.operator_codes()) codes.push_back(front_.old(code));
  for (const schema::BuiltinOperator code : added_codes_)
    codes.push_back(schema::CreateOperatorCode(front_.builder(), static_cast<std::int8_t>(code), 0, 1, code));
  return NewField{model_operator_codes, list(codes)};
}

std::optional<NewField> Specialisation::written_signatures() {
  const auto* old = read_.signature_defs();
  if (old == nullptr) return std::nullopt;
  std::vector<Offset<schema::SignatureDef>> written;
  for (const schema::SignatureDef* signature : *old) {
    const std::uint32_t graph = signature->subgraph_index();
    const bool same = graph >= new_number_.size() || new_number_[graph] == graph;
    written.push_back(same ? front_.old(signature)
                           : Offset<schema::SignatureDef>(front_.copied(
                                 signature, signature_form, {{signature_subgraph_index, new_number_[graph]}})));
  }
  return NewField{model_signature_defs, list(written)};
}

}  // namespace
}  // namespace ifcert::tflite::specialisation

namespace ifcert::tflite {

std::string specialised(const Model& model, std::span<const std::byte> bytes, const Decisions& decisions) {
  // The bytes that were read may have the file's operators in another order.
  const Buffer read = model.file.bytes().empty() ? Buffer::copy_of(bytes) : model.file;
  const File file = verified({}, read.bytes());
  std::string made = specialisation::Specialisation(model, file, decisions).bytes();
  return made.empty() ? std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()) : made;
}

}  // namespace ifcert::tflite
