#include "specialise/further_outputs.hpp"

#include <fmt/format.h>

#include <set>
#include <string_view>
#include <utility>

#include "model/place.hpp"
#include "specialise/specialise.hpp"

namespace ifcert {
namespace {

std::string bytes_with_outputs(const Model& model, std::span<const std::byte> bytes,
                               std::span<const FurtherOutput> outputs) {
  switch (model.format) {
    case Format::onnx:
      return onnx::with_outputs(model, bytes, outputs);
    case Format::openvino:
      return openvino::with_outputs(model, bytes, outputs);
    default:
      return tflite::with_outputs(model, bytes, outputs);
  }
}

/// Outputs are told apart by their names.
void expect_own_names(const Graph& main, std::span<const FurtherOutput> outputs) {
  std::set<std::string_view> names{""};
  for (const Slot slot : main.outputs) names.insert(main.slots[slot].name);
  for (const FurtherOutput& output : outputs) {
    const std::string& name = main.slots[output.slot].name;
    if (!names.insert(name).second)
      throw Inexpressible("model", fmt::format("it has an output \"{}\" already", shortened(name, 200)));
  }
}

}  // namespace

Specialised with_outputs(const Model& model, std::span<const std::byte> bytes, std::span<const FurtherOutput> outputs) {
  expect_own_names(model.main(), outputs);
  Specialised made = legal_file(model, bytes_with_outputs(model, bytes, outputs), "with further outputs");
  made.reading.model.path = model.path;
  return made;
}

}  // namespace ifcert
