#include <algorithm>
#include <ifcert/content.hpp>
#include <ifcert/onnx.hpp>
#include <ifcert/openvino.hpp>
#include <ifcert/tflite.hpp>
#include <string_view>
#include <utility>

namespace ifcert {

Format format_of(std::span<const std::byte> bytes) {
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  const std::string_view identifier = text.substr(std::min<std::size_t>(4, text.size()), 4);
  // An ONNX file may have these bytes there, too, as the name of its producer: behind the fields ir_version and the
  // length of producer_name. In a FlatBuffer, these four bytes would place the root 64 MiB or more behind the start.
  const bool is_producer = text.size() > 4 && text[0] == '\x08' && text[2] == '\x12';
  if (!is_producer && (identifier == "TFL3" || identifier == "CIR0")) return Format::tflite;
  const std::string_view unmarked = text.starts_with("\xEF\xBB\xBF") ? text.substr(3) : text;
  const std::size_t first = unmarked.find_first_not_of(" \t\r\n");
  const bool is_xml = first != std::string_view::npos && unmarked[first] == '<';
  return is_xml ? Format::openvino : Format::onnx;
}

namespace {

/// Where the model's data is in another file, and the caller did not say where that file is, the model is not at fault:
/// the reading is refused instead.
void refuse_missing(const Reading& reading, std::string_view broken, const Diagnostic& refusal) {
  const auto finding = std::ranges::find(reading.broken, broken, &Diagnostic::rule);
  if (finding == reading.broken.end()) return;
  throw UnreadableModel({refusal.rule, finding->place, refusal.found, refusal.expected});
}

// Rules: openvino/ir/constant-in-weights, openvino/ir/weights-are-readable.
Reading read_ir(std::span<const std::byte> xml, const ExternalData& external, const AllowedRules& allowed) {
  Reading reading =
      openvino::read_bytes(xml, external.owner, external.weights.value_or(std::span<const std::byte>()), allowed);
  if (!external.weights) {
    refuse_missing(reading, "openvino/ir/constant-in-weights",
                   {"openvino/ir/weights-are-readable", "",
                    "the constant is stored in a .bin, and only the bytes of the .xml are given",
                    "the path of the .xml, with its .bin beside it, or a model without constants"});
  }
  return reading;
}

// Rules: onnx/model/external-data, onnx/model/external-data-in-folder.
Reading read_onnx(std::shared_ptr<const void> owner, std::span<const std::byte> bytes, const ExternalData& external,
                  const AllowedRules& allowed) {
  Reading reading = onnx::read_bytes(std::move(owner), bytes, external.folder, allowed);
  if (external.folder.empty()) {
    refuse_missing(reading, "onnx/model/external-data-in-folder",
                   {"onnx/model/external-data", "",
                    "its data is stored in another file, and only the bytes of the model are given",
                    "the path of the model's file, with its data beside it, or a model without external data"});
  }
  return reading;
}

}  // namespace

Reading read_content(std::shared_ptr<const void> owner, std::span<const std::byte> bytes, const ExternalData& external,
                     const AllowedRules& allowed) {
  switch (format_of(bytes)) {
    case Format::openvino:
      return read_ir(bytes, external, allowed);
    case Format::tflite:
      return tflite::read_bytes(std::move(owner), bytes, allowed);
    case Format::onnx:
      break;
  }
  return read_onnx(std::move(owner), bytes, external, allowed);
}

}  // namespace ifcert
