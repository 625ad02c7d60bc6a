#include <fmt/format.h>

#include <ifcert/onnx.hpp>
#include <ifcert/openvino.hpp>
#include <ifcert/translate.hpp>

namespace ifcert {

std::vector<WrittenFile> write_model(const Model& model, const std::filesystem::path& path) {
  if (path.extension() == ".onnx") {
    return {{path, onnx::write(model.format == Format::onnx ? model : translate(model, Format::onnx))}};
  }
  if (path.extension() != ".xml") {
    throw Inexpressible(path.string(),
                        fmt::format("the ending \"{}\" names no format, .onnx and .xml do", path.extension().string()));
  }
  openvino::Files files =
      openvino::write(model.format == Format::openvino ? model : translate(model, Format::openvino));
  return {{std::filesystem::path(path).replace_extension(".bin"), std::move(files.bin)}, {path, std::move(files.xml)}};
}

}  // namespace ifcert
