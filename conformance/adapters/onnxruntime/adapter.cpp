// ONNX Runtime through its C API: CPU, one thread. With --no-optimization no graph rewriting takes place. With
// --openvino its OpenVINO execution provider takes what it can, on the CPU, and ONNX Runtime's own provider the rest.
#include <array>
#include <ifcert_adapter.hpp>
#include <memory>

#include "api.hpp"
#include "types.hpp"
#include "values.hpp"

namespace {

namespace sdk = ifcert::adapter;
using namespace ifcert::onnxruntime;

using RuntimeValues = std::vector<RuntimeValue>;

constexpr const char* c_api = "https://onnxruntime.ai/docs/api/c/group___global.html";
constexpr const char* no_complex = "ONNXTensorElementDataType: 'Currently, Ort doesn't support complex64, complex128'";
constexpr const char* versions = "https://onnxruntime.ai/docs/reference/compatibility.html";
constexpr const char* no_opset = "the runtime itself: 'Current official support for domain ai.onnx is till opset 26'";

void no_optimization(OrtSessionOptions* options) {
  require(api().SetSessionGraphOptimizationLevel(options, ORT_DISABLE_ALL));
}

void openvino(OrtSessionOptions* options) {
  constexpr std::array keys{"device_type", "precision", "num_of_threads"};
  constexpr std::array values{"CPU", "ACCURACY", "1"};
  require(api().SessionOptionsAppendExecutionProvider_OpenVINO_V2(options, keys.data(), values.data(), keys.size()));
}

/// A way to use the runtime, which is an adapter of its own.
struct Variant {
  std::string_view option;
  const char* adapter;
  void (*configure)(OrtSessionOptions*);
};

constexpr std::array<Variant, 3> variants{{
    {"", "onnxruntime", [](OrtSessionOptions*) {}},
    {"--no-optimization", "onnxruntime-noopt", no_optimization},
    {"--openvino", "onnxruntime-openvino", openvino},
}};

/// The ports of a session's outputs, in order.
std::vector<sdk::Port> outputs_of(const OrtSession* session) {
  auto* const allocator = told<OrtAllocator*>(api().GetAllocatorWithDefaultOptions);
  const auto count = told<std::size_t>(api().SessionGetOutputCount, session);
  std::vector<sdk::Port> ports;
  for (std::size_t i = 0; i < count; ++i) {
    auto* const name = told<char*>(api().SessionGetOutputName, session, i, allocator);
    ports.push_back({name, std::nullopt, std::nullopt});
    require(api().AllocatorFree(allocator, name));
    const auto type = made<TypeInfo>(api().SessionGetOutputTypeInfo, session, i);
    ports.back().type = name_of(type.get());
    ports.back().shape = shape_of(type.get());
  }
  return ports;
}

/// One session at a time.
class OnnxRuntime : public sdk::Adapter {
 public:
  explicit OnnxRuntime(const Variant& variant) : variant_(variant) {}

  sdk::Description describe() const override {
    return {.adapter = variant_.adapter,
            .runtime = "ONNX Runtime",
            .version = version(),
            .language = "C++",
            .home = "https://onnxruntime.ai",
            .threads = true,
            .holds = true,
            .cannot = {{"type:complex64", no_complex, c_api},
                       {"type:complex128", no_complex, c_api},
                       {"opset:28", no_opset, versions}}};
  }

  /// A session made from the path, so that external data is found.
  std::vector<sdk::Port> load(const std::filesystem::path& model, std::string_view /*format*/) override {
    unload();
    const OrtEnv* const log = environment();  // there before an execution provider is added, which logs
    const auto settings = options();
    sdk::runtime([&] {
      session_ =
          made<Session>(api().CreateSession, log, model.c_str(), static_cast<const OrtSessionOptions*>(settings.get()));
    });
    outputs_ = outputs_of(session_.get());
    return outputs_;
  }

  std::vector<sdk::NamedValue> run(const std::vector<sdk::NamedValue>& inputs) override {
    return named(returned_for(inputs));
  }

  /// Keeps what the run returned, the runtime's own memory.
  sdk::Reader hold(const std::vector<sdk::NamedValue>& inputs) override {
    return [this, kept = std::make_shared<const RuntimeValues>(returned_for(inputs))] { return named(*kept); };
  }

  /// The end of a session is the runtime's work, and takes its time.
  void unload() override {
    sdk::runtime([&] { session_.reset(); });
  }

 private:
  Options options() const {
    auto made_anew = made<Options>(api().CreateSessionOptions);
    require(api().SetIntraOpNumThreads(made_anew.get(), 1));
    require(api().SetInterOpNumThreads(made_anew.get(), 1));
    variant_.configure(made_anew.get());
    return made_anew;
  }

  /// What the runtime returns for these inputs.
  RuntimeValues returned_for(const std::vector<sdk::NamedValue>& inputs) {
    RuntimeValues fed;
    std::vector<const OrtValue*> feeds;
    std::vector<const char*> fed_names;
    for (const sdk::NamedValue& input : inputs) {
      fed.push_back(written(input.value));
      if (!fed.back()) continue;
      feeds.push_back(fed.back().get());
      fed_names.push_back(input.name.c_str());
    }
    std::vector<const char*> names;
    for (const sdk::Port& output : outputs_) names.push_back(output.name.c_str());
    std::vector<OrtValue*> results(names.size());
    sdk::runtime([&] {
      require(api().Run(session_.get(), nullptr, fed_names.data(), feeds.data(), feeds.size(), names.data(),
                        names.size(), results.data()));
    });
    return {results.begin(), results.end()};
  }

  std::vector<sdk::NamedValue> named(const RuntimeValues& values) const {
    std::vector<sdk::NamedValue> outputs;
    for (std::size_t i = 0; i < values.size(); ++i)
      outputs.push_back({outputs_[i].name, read(values[i].get(), outputs_[i].type)});
    return outputs;
  }

  const Variant& variant_;
  Session session_;
  std::vector<sdk::Port> outputs_;
};

}  // namespace

int main(int argc, char** argv) {
  const std::string_view option = argc == 2 ? argv[1] : "";
  const auto* const asked = std::ranges::find(variants, option, &Variant::option);
  const bool known = asked != variants.end();
  OnnxRuntime adapter(known ? *asked : variants.front());
  return sdk::serve(adapter, known && argc == 2 ? 1 : argc, argv);  // an option that is not known is for it to refuse
}
