#include "conformance/fuzz/generator/computed.hpp"

#include <span>
#include <utility>

#include "convert/declared_shapes.hpp"

namespace ifcert::generator {
namespace {

/// The limits of a run. A changed model may loop for ever; a generated one needs far less.
RunLimits limits_of_a_run() {
  return {.nodes = 200'000, .seconds = 20, .memory = std::uint64_t{256} << 20U, .interrupt = {}};
}

/// A value of another shape than its declaration is a fault: a runtime may rely on the declaration, and no text says
/// what it must return (docs/doubts.md). The shapes inside a file of TensorFlow Lite are hints.
Program program_of(const Model& model, TripTypes trips, const Delegate& delegate) {
  if (model.format == Format::tflite) return {model, std::move(trips), {}, delegate};
  translation::Watched watched = translation::watching_declared_shapes(model);
  return {std::move(watched.model), std::move(trips), std::move(watched.operators), delegate};
}

void compute(Computed& result, const std::vector<std::vector<Value>>& runs, const Delegate& delegate) {
  const Reading reading = read_back(result.files);
  Checked found = checked(reading);
  const std::vector<Diagnostic> broken = errors_in(found.findings);
  result.model = reading.model;
  result.types = std::move(found.types);
  if (!broken.empty()) {
    result.fault = to_string(broken.front());
    return;
  }
  const Program program = program_of(reading.model, std::move(found.trip_types), delegate);
  for (const std::vector<Value>& run : runs) result.outputs.push_back(program.run(run, {}, limits_of_a_run()));
}

}  // namespace

Reading read_back(const std::shared_ptr<const Files>& files) {
  const auto bytes_of_file = [](const WrittenFile& file) { return std::as_bytes(std::span(file.bytes)); };
  const WrittenFile& last = files->back();
  if (last.path.extension() == ".onnx") return onnx::read_bytes(files, bytes_of_file(last));
  if (last.path.extension() == ".xml")
    return openvino::read_bytes(bytes_of_file(last), files, bytes_of_file(files->front()));
  return tflite::read_bytes(files, bytes_of_file(last));
}

std::set<std::string> broken_rules(const std::shared_ptr<const Files>& files) {
  std::set<std::string> rules;
  try {
    for (const Diagnostic& each : errors_in(check(read_back(files)))) rules.insert(each.rule);
  } catch (const UnreadableModel& error) {
    rules.insert(error.diagnostic().rule);
  }
  return rules;
}

Computed computed(const Model& model, const std::filesystem::path& path, const std::vector<std::vector<Value>>& runs,
                  const Delegate& delegate) {
  const std::string own = model_name(model.format);
  if (std::filesystem::path(own).extension() != path.extension()) {
    Computed itself = computed(model, own, {}, delegate);  // only legal models can be translated
    if (!itself.fault.empty()) return itself;
  }
  return computed(std::make_shared<const Files>(write_model(model, path)), runs, delegate);
}

Computed computed(std::shared_ptr<const Files> files, const std::vector<std::vector<Value>>& runs,
                  const Delegate& delegate) {
  Computed result{.files = std::move(files), .model = {}, .types = {}, .outputs = {}, .fault = {}};
  try {
    compute(result, runs, delegate);
  } catch (const UnreadableModel& error) {
    result.fault = error.what();
  } catch (const EvaluationError& error) {
    result.fault = error.what();
  }
  return result;
}

std::string model_name(Format format) {
  switch (format) {
    case Format::onnx:
      return "model.onnx";
    case Format::openvino:
      return "model.xml";
    case Format::tflite:
      return "model.tflite";
  }
  return "model.onnx";
}

}  // namespace ifcert::generator
