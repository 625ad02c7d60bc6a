#include <fmt/format.h>

#include <ifcert/onnx.hpp>
#include <ifcert/openvino.hpp>
#include <ifcert/reading.hpp>
#include <ifcert/tflite.hpp>

namespace ifcert {

Reading read_model(const std::filesystem::path& path, const AllowedRules& allowed) {
  if (path.extension() == ".onnx") return onnx::read_file(path, allowed);
  if (path.extension() == ".xml") return openvino::read_file(path, allowed);
  if (path.extension() == ".tflite" || path.extension() == ".circle") return tflite::read_file(path, allowed);
  throw UnreadableModel({"", path.string(), fmt::format("unknown file extension \"{}\"", path.extension().string()),
                         "a file with the extension .onnx, .xml, .tflite or .circle"});
}

}  // namespace ifcert
