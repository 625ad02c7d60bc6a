// Outputs that are appended to the list of an ONNX file's main graph; they are no longer in value_info.
#include <set>
#include <string_view>

#include "formats/onnx/fields.hpp"
#include "formats/onnx/pieces.hpp"
#include "formats/onnx/write_tensor.hpp"
#include "model/node_place.hpp"
#include "specialise/further_outputs.hpp"

namespace ifcert::onnx {
namespace {

/// The name in a ValueInfoProto.
std::string_view name_in_info(std::string_view info) {
  for (const proto::Field& field : proto::fields_of(info)) {
    if (field.number == fields::ValueInfoProto::name) return field.content;
  }
  return {};
}

void write_graph(const Graph& main, std::string_view content, std::span<const FurtherOutput> outputs,
                 proto::Pieces& to) {
  std::set<std::string_view> names;
  for (const FurtherOutput& output : outputs) names.insert(main.slots[output.slot].name);
  for (const proto::Field& field : proto::fields_of(content)) {
    const bool is_info = field.number == fields::GraphProto::value_info;
    if (!is_info || !names.contains(name_in_info(field.content))) to.add(field.whole);
  }
  for (const FurtherOutput& output : outputs) {
    to.add_message(fields::GraphProto::output, [&] {
      to.add_made([&](protozero::pbf_writer& w) {
        w.add_string(fields::ValueInfoProto::name, main.slots[output.slot].name);
        w.add_message(fields::ValueInfoProto::type, type_message(output.type, place_of(main)));
      });
    });
  }
}

}  // namespace

std::string with_outputs(const Model& model, std::span<const std::byte> bytes, std::span<const FurtherOutput> outputs) {
  proto::Pieces to;
  for (const proto::Field& field : proto::fields_of({reinterpret_cast<const char*>(bytes.data()), bytes.size()})) {
    if (field.number != fields::ModelProto::graph)
      to.add(field.whole);
    else
      to.add_message(field.number, [&] { write_graph(model.main(), field.content, outputs, to); });
  }
  return to.text();
}

}  // namespace ifcert::onnx
