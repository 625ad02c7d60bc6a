// The reference as an adapter, so that it is judged in the same way as every other runtime.
//
// Only the reference's own refusals are answered as refusals: any other exception is an error of ours and is reported
// as one.
//
#include <algorithm>
#include <ifcert/reference.hpp>
#include <ifcert_adapter.hpp>

namespace {

namespace sdk = ifcert::adapter;

/// "seq(tensor(float32))" → the type; unknown for anything else.
ifcert::Type type_named(std::string_view name) {
  const auto inside = [&](std::string_view kind) { return name.substr(kind.size(), name.size() - kind.size() - 1); };
  if (name.starts_with("tensor(")) return ifcert::Type::tensor(ifcert::element_type_named(inside("tensor(")));
  if (name.starts_with("seq(")) return ifcert::Type::sequence_of(type_named(inside("seq(")));
  if (name.starts_with("optional(")) return ifcert::Type::optional_of(type_named(inside("optional(")));
  return {};
}

/// The inverse; nothing where the type is unknown.
std::optional<std::string> name_of(const ifcert::Type& type) {
  return type.known() ? std::optional(ifcert::kind_text(type)) : std::nullopt;
}

ifcert::Value read(const sdk::Tensor& tensor) {
  return ifcert::Tensor{ifcert::element_type_named(tensor.type), tensor.shape, ifcert::Buffer::copy_of(tensor.data),
                        tensor.strings};
}

ifcert::Value read(const sdk::Sequence& sequence) {
  ifcert::Sequence read_sequence{type_named(sequence.of.value_or("")), {}};
  for (const sdk::Tensor& item : sequence.items) read_sequence.items.push_back(read(item));
  return read_sequence;
}

ifcert::Value read(std::monostate /*absent*/) {
  return {};
}

ifcert::Value read(const sdk::Optional& optional) {
  return ifcert::Optional{type_named(optional.of.value_or("")),
                          std::visit([](const auto& held) { return read(held); }, optional.value)};
}

ifcert::Value read(const sdk::Other& other) {
  throw sdk::AdapterError("an input cannot be " + other.description);
}

sdk::Tensor write(const ifcert::Tensor& tensor) {
  const auto bytes = tensor.data.bytes();
  return {std::string(ifcert::name_of(tensor.type)), tensor.dims, {bytes.begin(), bytes.end()}, tensor.strings};
}

sdk::Sequence write(const ifcert::Sequence& sequence) {
  sdk::Sequence written{name_of(sequence.item), {}};
  for (const ifcert::Value& item : sequence.items) {
    if (item.tensor() == nullptr) throw sdk::AdapterError("a sequence holds " + ifcert::to_string(item));
    written.items.push_back(write(*item.tensor()));
  }
  return written;
}

sdk::Optional write(const ifcert::Optional& optional) {
  sdk::Optional written{name_of(optional.item), {}};
  if (const auto* tensor = optional.value.tensor()) written.value = write(*tensor);
  if (const auto* sequence = optional.value.sequence()) written.value = write(*sequence);
  return written;
}

sdk::Value write(const ifcert::Value& value) {
  if (const auto* tensor = value.tensor()) return write(*tensor);
  if (const auto* sequence = value.sequence()) return write(*sequence);
  if (const auto* optional = value.optional()) return write(*optional);
  throw sdk::AdapterError("an output is empty");
}

sdk::Dim write(const ifcert::Dim& dim) {
  if (dim.known()) return dim.value;
  if (!dim.symbol.empty()) return dim.symbol;
  return std::monostate();
}

sdk::Port port_of(const std::string& name, const ifcert::Type& type) {
  sdk::Port port{name, name_of(type), std::nullopt};
  if (!type.shape) return port;
  port.shape.emplace();
  for (const ifcert::Dim& dim : *type.shape) port.shape->push_back(write(dim));
  return port;
}

/// The outputs of the main graph as far as they are known before a run: the inferred types (for an If, the union of
/// both branches); where nothing is certain, the declared ones.
std::vector<sdk::Port> said_of_outputs(const ifcert::Model& model, const std::vector<ifcert::Type>& inferred) {
  const ifcert::Graph& main = model.graphs.front();
  std::vector<sdk::Port> ports;
  for (const ifcert::Slot slot : main.outputs) {
    const ifcert::Type& declared = main.slots[slot].declared;
    ports.push_back(port_of(main.slots[slot].name, inferred[slot].known() ? inferred[slot] : declared));
  }
  return ports;
}

class Reference : public sdk::Adapter {
 public:
  sdk::Description describe() const override {
    return {.adapter = "reference",
            .runtime = "ifcert reference",
            .version = IFCERT_VERSION,
            .language = "C++",
            .home = IFCERT_HOME_PAGE,
            .formats = {"onnx", "openvino", "tflite"},
            .computes = true,
            .threads = true,
            .holds = true,
            .unsupported_features = {}};
  }

  std::vector<sdk::Port> load(const std::filesystem::path& model, std::string_view /*format*/) override {
    unload();
    std::vector<sdk::Port> ports;
    {
      const sdk::Stopwatch stopwatch;
      ifcert::Reading reading = readable(model);
      ifcert::Checked found = ifcert::checked(reading);
      const std::vector<ifcert::Diagnostic> broken = ifcert::errors_in(found.findings);
      if (!broken.empty()) throw sdk::Refused(message(broken));
      ports = said_of_outputs(reading.model, found.types.front());
      program_ = prepared(std::move(reading.model), std::move(found.trip_types));
    }
    return ports;
  }

  std::vector<sdk::NamedValue> run(const std::vector<sdk::NamedValue>& inputs) override { return hold(inputs)(); }

  /// The values of a run are shared and immutable; the reader shares ownership of them.
  sdk::Reader hold(const std::vector<sdk::NamedValue>& inputs) override {
    if (!program_) throw sdk::AdapterError("no model is loaded");
    return [this, values = evaluated(in_order(inputs))] { return named_outputs(values); };
  }

  void unload() override { program_.reset(); }

 private:
  static ifcert::Reading readable(const std::filesystem::path& model) {
    try {
      return ifcert::read_model(model);
    } catch (const ifcert::UnreadableModel& error) {
      throw sdk::Refused(error.what());
    }
  }

  /// An unknown operator and one that the reference lacks look the same to it: both are refused.
  static ifcert::Program prepared(ifcert::Model model, ifcert::TripTypes trips) {
    try {
      return ifcert::Program(std::move(model), std::move(trips));
    } catch (const ifcert::EvaluationError& error) {
      throw sdk::Refused(error.what());
    }
  }

  std::vector<ifcert::Value> evaluated(const std::vector<ifcert::Value>& inputs) const {
    const sdk::Stopwatch stopwatch;
    try {
      return program_->run(inputs);
    } catch (const ifcert::EvaluationError& error) {
      throw sdk::Refused(error.what());
    }
  }

  std::vector<sdk::NamedValue> named_outputs(const std::vector<ifcert::Value>& values) const {
    std::vector<sdk::NamedValue> outputs;
    for (std::size_t i = 0; i < values.size(); ++i)
      outputs.push_back({main_graph().slots[main_graph().outputs[i]].name, write(values[i])});
    return outputs;
  }

  static std::string message(const std::vector<ifcert::Diagnostic>& broken) {
    std::string text;
    for (const ifcert::Diagnostic& diagnostic : broken)
      text += (text.empty() ? "" : "\n") + ifcert::to_string(diagnostic);
    return text;
  }

  /// The values in the order of the main graph's inputs; empty where there is none.
  std::vector<ifcert::Value> in_order(const std::vector<sdk::NamedValue>& inputs) const {
    const ifcert::Graph& graph = main_graph();
    std::vector<ifcert::Value> values(graph.inputs.size());
    for (const sdk::NamedValue& input : inputs) {
      const auto found = std::find_if(graph.inputs.begin(), graph.inputs.end(),
                                      [&](ifcert::Slot slot) { return graph.slots[slot].name == input.name; });
      if (found == graph.inputs.end()) throw sdk::Refused("the model has no input \"" + input.name + "\"");
      values[static_cast<std::size_t>(found - graph.inputs.begin())] =
          std::visit([](const auto& held) { return read(held); }, input.value);
    }
    return values;
  }

  const ifcert::Graph& main_graph() const { return program_->model().main(); }

  std::optional<ifcert::Program> program_;
};

}  // namespace

int main(int argc, char** argv) {
  Reference reference;
  return sdk::serve(reference, argc, argv);
}
