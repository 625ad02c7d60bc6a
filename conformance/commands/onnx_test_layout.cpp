#include "conformance/commands/onnx_test_layout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <ifcert/reference.hpp>
#include <nlohmann/json.hpp>
#include <protozero/pbf_writer.hpp>
#include <vector>

#include "conformance/suite/main_inputs.hpp"
#include "conformance/suite/protocol_value.hpp"
#include "conformance/system/error.hpp"
#include "conformance/system/file.hpp"
#include "reference/model/onnx_element_types.hpp"

namespace ifcert::conformance {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

// Fields of onnx.proto's TensorProto, and of SequenceProto and OptionalProto, which use the same numbers.
constexpr int tensor_dims = 1, tensor_type = 2, tensor_strings = 6, tensor_name = 8, tensor_bytes = 9;
constexpr int held_name = 1, held_type = 2, held_tensor = 3, optional_sequence = 5;

// SequenceProto.DataType and OptionalProto.DataType.
constexpr std::int32_t nothing = 0, of_tensors = 1, of_a_sequence = 3;

std::int32_t number_of(const std::string& element) {
  constexpr std::int32_t most = 64;
  const ElementType type = element_type_named(element);
  for (std::int32_t number = 1; number < most; ++number) {
    if (onnx::element_type_of(std::int64_t{number}) == type) return number;
  }
  throw Error(fmt::format("ONNX has no element type {}", element));
}

std::string bytes_of_text(const json& text) {
  return decode_base64(text.get_ref<const std::string&>()).value();
}

std::string tensor_message(const std::string& name, const json& tensor) {
  std::string message;
  protozero::pbf_writer writer(message);
  for (const json& dim : tensor.at("shape")) writer.add_int64(tensor_dims, dim.get<std::int64_t>());
  writer.add_int32(tensor_type, number_of(tensor.at("type").get<std::string>()));
  if (tensor.contains("strings")) {
    for (const json& text : tensor.at("strings")) writer.add_bytes(tensor_strings, bytes_of_text(text));
  }
  if (!name.empty()) writer.add_string(tensor_name, name);
  if (tensor.contains("data")) writer.add_bytes(tensor_bytes, bytes_of_text(tensor.at("data")));
  return message;
}

std::string sequence_message(const std::string& name, const json& sequence) {
  std::string message;
  protozero::pbf_writer writer(message);
  if (!name.empty()) writer.add_string(held_name, name);
  writer.add_int32(held_type, of_tensors);
  for (const json& item : sequence.at("items")) writer.add_message(held_tensor, tensor_message("", item));
  return message;
}

std::string optional_message(const std::string& name, const json& optional) {
  std::string message;
  protozero::pbf_writer writer(message);
  if (!name.empty()) writer.add_string(held_name, name);
  if (!optional.contains("value")) {
    writer.add_int32(held_type, nothing);
    return message;
  }
  const json& value = optional.at("value");
  const bool is_tensor = value.at("kind") == "tensor";
  writer.add_int32(held_type, is_tensor ? of_tensors : of_a_sequence);
  writer.add_message(is_tensor ? held_tensor : optional_sequence,
                     is_tensor ? tensor_message("", value) : sequence_message("", value));
  return message;
}

/// A VALUE of the protocol as a TensorProto, SequenceProto or OptionalProto with that name: the onnx package's form of
/// test data. The VALUE is well-formed and declares its type.
std::string onnx_bytes(const std::string& name, const json& value) {
  const auto& kind = value.at("kind").get_ref<const std::string&>();
  if (kind == "tensor") return tensor_message(name, value);
  return kind == "sequence" ? sequence_message(name, value) : optional_message(name, value);
}

std::string unfit(const json& step) {
  if (step.contains("reread")) return "reads outputs again";
  if (step.contains("concurrent")) return "runs concurrently";
  const json& body = step.contains("load") ? step.at("load") : step.at("run");
  if (body.value("hold", false)) return "holds outputs";
  if (body.at("expect").contains("either")) return "may be refused";
  return body.at("expect").contains("refused") ? "must be refused" : "";
}

void write_values(const fs::path& folder, const char* kind, const std::vector<std::string>& names, const json& values) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto named = std::ranges::find_if(values, [&](const json& each) { return each.at("name") == names[i]; });
    if (named == values.end()) throw Error(fmt::format("{} has no value for {}", folder.string(), names[i]));
    replace_file(folder / fmt::format("{}_{}.pb", kind, i), onnx_bytes(names[i], named->at("value")));
  }
}

std::vector<std::string> input_names_of(const Vector& vector) {
  std::vector<std::string> names;
  for (const SlotInfo& input : main_inputs(read_model(vector.summary.model).model)) names.push_back(input.name);
  return names;
}

}  // namespace

std::string backend_test_name(const Vector& vector) {
  std::string name = "test_" + vector.summary.id;
  std::ranges::replace_if(
      name, [](unsigned char letter) { return std::isalnum(letter) == 0; }, '_');
  return name;
}

std::string unfit_for_backend_test(const Vector& vector) {
  if (vector.summary.system != "onnx") return "has another format";
  for (const json& step : vector.summary.steps) {
    if (std::string why = unfit(step); !why.empty()) return why;
  }
  if (vector.summary.steps.size() == 1) return "is only loaded";
  const std::size_t inputs = input_names_of(vector).size();
  for (const json& step : vector.summary.steps) {
    if (step.contains("run") && step.at("run").at("inputs").size() != inputs) return "leaves an input out";
  }
  return "";
}

void write_backend_test(const Vector& vector, const fs::path& folder) {
  fs::create_directories(folder);
  for (const auto& [name, bytes] : vector.files.bytes) {
    if (*name.begin() != "..") replace_file(folder / name, bytes);
  }
  // The vectors' values are exact; by default the package would tolerate a thousandth.
  replace_file(folder / "data.json", R"({"rtol": 0, "atol": 0})"
                                     "\n");
  const std::vector<std::string> inputs = input_names_of(vector);
  std::size_t run = 0;
  for (const json& step : vector.summary.steps) {
    if (!step.contains("run")) continue;
    const fs::path data = folder / fmt::format("test_data_set_{}", run++);
    const json& outputs = step.at("run").at("expect").at("outputs");
    std::vector<std::string> output_names;
    for (const json& output : outputs) output_names.push_back(output.at("name").get<std::string>());
    write_values(data, "input", inputs, step.at("run").at("inputs"));
    write_values(data, "output", output_names, outputs);
  }
}

}  // namespace ifcert::conformance
