// Outputs that are appended to the primary subgraph's list and to those of its signatures, in a new front of the file.
#include <vector>

#include "formats/tflite/file.hpp"
#include "specialise/further_outputs.hpp"
#include "specialise/tflite_front.hpp"

namespace ifcert::tflite {
namespace specialisation {
namespace {

using Outputs = std::span<const FurtherOutput>;

template <class T>
std::vector<flatbuffers::Offset<T>> old_ones(const Front& front,
                                             const flatbuffers::Vector<flatbuffers::Offset<T>>* list) {
  std::vector<flatbuffers::Offset<T>> all;
  for (std::uint32_t i = 0; list != nullptr && i < list->size(); ++i) all.push_back(front.old(list->Get(i)));
  return all;
}

flatbuffers::uoffset_t primary_subgraph(Front& front, const File& file, Outputs outputs) {
  const schema::SubGraph& from = *file.model->subgraphs()->Get(0);
  std::vector<std::int32_t> all;
  if (from.outputs() != nullptr) all.assign(from.outputs()->begin(), from.outputs()->end());
  for (const FurtherOutput& output : outputs) all.push_back(static_cast<std::int32_t>(output.slot));
  const auto list = front.builder().CreateVector(all).o;
  const bool is_circle = file.identifier == Identifier::circle;
  return front.copied(&from, is_circle ? circle_subgraph_form : subgraph_form, {{subgraph_outputs, list}});
}

flatbuffers::uoffset_t signature(Front& front, const schema::SignatureDef& from, const Graph& main, Outputs outputs) {
  auto all = old_ones(front, from.outputs());
  for (const FurtherOutput& output : outputs)
    all.push_back(schema::CreateTensorMapDirect(front.builder(), main.slots[output.slot].name.c_str(), output.slot));
  const auto list = front.builder().CreateVector(all).o;
  return front.copied(&from, signature_form, {{signature_outputs, list}});
}

std::string bytes_with_outputs(const Model& model, const File& file, Outputs outputs) {
  Front front(file);
  const schema::Model& read = *file.model;
  auto subgraphs = old_ones(front, read.subgraphs());
  subgraphs.front() = primary_subgraph(front, file, outputs);
  std::vector<NewField> fields{{model_subgraphs, front.builder().CreateVector(subgraphs).o}};
  if (const auto buffers = moved_buffers(front, read)) fields.push_back(*buffers);
  if (read.signature_defs() != nullptr) {
    auto signatures = old_ones(front, read.signature_defs());
    for (std::uint32_t i = 0; i < signatures.size(); ++i) {
      const schema::SignatureDef& from = *read.signature_defs()->Get(i);
      if (from.subgraph_index() == 0) signatures[i] = signature(front, from, model.main(), outputs);
    }
    fields.push_back({model_signature_defs, front.builder().CreateVector(signatures).o});
  }
  return front.finished(front.copied(&read, model_form, fields));
}

}  // namespace
}  // namespace specialisation

std::string with_outputs(const Model& model, std::span<const std::byte> bytes, std::span<const FurtherOutput> outputs) {
  // The bytes that were read may have the file's operators in another order.
  const Buffer read = model.file.bytes().empty() ? Buffer::copy_of(bytes) : model.file;
  return specialisation::bytes_with_outputs(model, verified({}, read.bytes()), outputs);
}

}  // namespace ifcert::tflite
