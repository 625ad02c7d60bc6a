#include <fmt/format.h>

#include <ifcert/onnx.hpp>
#include <ifcert/openvino.hpp>
#include <ifcert/tflite.hpp>
#include <ifcert/translate.hpp>

namespace ifcert {

std::vector<WrittenFile> write_model(const Model& model, const SlotTypes& types, const std::filesystem::path& path) {
  const std::string ending = path.extension().string();
  if (ending == ".onnx") return {{path, onnx::write(translate(model, types, Format::onnx))}};
  if (ending == ".tflite" || ending == ".circle") {
    const auto identifier = ending == ".circle" ? tflite::Identifier::circle : tflite::Identifier::tflite;
    return {{path, tflite::write(translate(model, types, Format::tflite), identifier)}};
  }
  if (ending != ".xml") {
    throw Inexpressible(path.string(),
                        fmt::format("unknown file extension \"{}\"; expected .onnx, .xml, .tflite or .circle", ending));
  }
  openvino::Files files = openvino::write(translate(model, types, Format::openvino));
  return {{std::filesystem::path(path).replace_extension(".bin"), std::move(files.bin)}, {path, std::move(files.xml)}};
}

std::vector<WrittenFile> write_model(const Model& model, const std::filesystem::path& path) {
  return write_model(model, infer_types(model), path);
}

}  // namespace ifcert
