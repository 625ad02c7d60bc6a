#include "conformance/fuzz/plain_script.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <ifcert/message.hpp>
#include <string_view>
#include <vector>

#include "conformance/protocol_value.hpp"

namespace ifcert::conformance {

using nlohmann::json;

namespace {

constexpr std::array numpy_types{"bool",   "int8",   "int16",  "int32",   "int64",   "uint8",
                                 "uint16", "uint32", "uint64", "float16", "float32", "float64"};

/// The bytes as an array, exactly: `np.frombuffer(bytes.fromhex("…"), "float32").reshape(2)`.
std::optional<std::string> array_text(const json& value) {
  if (value.at("kind") != "tensor") return std::nullopt;
  const auto type = value.at("type").get<std::string>();
  const std::string shape = fmt::format("({})", fmt::join(value.at("shape").get<std::vector<std::int64_t>>(), ", "));
  const std::string reshaped = shape == "()" ? "()" : shape.substr(0, shape.size() - 1) + ",)";
  if (type == "string") {
    std::vector<std::string> texts;
    for (const json& text : value.at("strings"))
      texts.push_back(json(printable(decode_base64(text.get_ref<const std::string&>()).value_or(""))).dump());
    return fmt::format("np.array([{}], object).reshape({})", fmt::join(texts, ", "), reshaped);
  }
  if (std::ranges::find(numpy_types, type) == numpy_types.end()) return std::nullopt;
  const std::string bytes = decode_base64(value.at("data").get_ref<const std::string&>()).value_or("");
  std::string digits;
  for (const char byte : bytes) digits += fmt::format("{:02x}", static_cast<unsigned char>(byte));
  const std::vector<std::string> shown = elements(value, 12);
  return fmt::format("np.frombuffer(bytes.fromhex(\"{}\"), \"{}\").reshape({}),  # {}", digits, type, reshaped,
                     fmt::join(shown, ", "));
}

/// The lines of a dict from names to arrays.
std::optional<std::string> dict_text(const json& named) {
  std::string lines;
  for (const json& each : named) {
    const auto array = array_text(each.at("value"));
    if (!array) return std::nullopt;
    const bool has_comma = array->find(",  # ") != std::string::npos;
    lines += fmt::format("    {}: {}{}\n", json(each.at("name")).dump(), *array, has_comma ? "" : ",");
  }
  return lines.empty() ? "{}" : "{\n" + lines + "}";
}

constexpr std::string_view onnxruntime_part = R"(import onnxruntime
options = onnxruntime.SessionOptions()
{optimisation}session = onnxruntime.InferenceSession({model}, options, providers=["CPUExecutionProvider"])
got = dict(zip([output.name for output in session.get_outputs()], session.run(None, inputs)))
)";

constexpr std::string_view openvino_part = R"(import openvino
core = openvino.Core()
settings = {{"INFERENCE_PRECISION_HINT": "f32"}}
compiled = core.compile_model(core.read_model({model}), "CPU", settings)
got = dict(zip(expected, compiled(inputs).values()))
)";

constexpr std::string_view unoptimised =
    "options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL\n";

std::optional<std::string> runtime_part(const std::string& adapter, const std::string& model) {
  using namespace fmt::literals;
  if (adapter == "onnxruntime" || adapter == "onnxruntime-noopt") {
    return fmt::format(onnxruntime_part, "model"_a = model,
                       "optimisation"_a = adapter == "onnxruntime" ? std::string_view() : unoptimised);
  }
  if (adapter == "openvino-ir" || adapter == "openvino-onnx") return fmt::format(openvino_part, "model"_a = model);
  return std::nullopt;
}

constexpr std::string_view comparison = R"(for name, value in expected.items():
    same = got[name].dtype == value.dtype and got[name].shape == value.shape and got[name].tobytes() == value.tobytes()
    print(name, "as expected" if same else f"WRONG: got {got[name].tolist()}, expected {value.tolist()}")
)";

}  // namespace

std::optional<std::string> plain_script(const Showing& showing, const std::string& adapter) {
  const std::string model =
      fmt::format("str(Path(__file__).with_name({}))", json(showing.model.filename().string()).dump());
  const auto runtime = runtime_part(adapter, model);
  const auto inputs = dict_text(showing.inputs);
  const auto expected = dict_text(showing.expected);
  if (!runtime || !inputs || !expected) return std::nullopt;
  return fmt::format("# {}\nfrom pathlib import Path\nimport numpy as np\n\ninputs = {}\nexpected = {}\n\n{}{}",
                     printable(showing.headline), *inputs, *expected, *runtime, comparison);
}

}  // namespace ifcert::conformance
