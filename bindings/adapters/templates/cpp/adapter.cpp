// An adapter for My Runtime, to be filled in at FILL 1 (CMakeLists.txt) to FILL 5; docs/adapter_guide.md explains each.
#include <ifcert_adapter.hpp>

using namespace ifcert::adapter;

namespace {

// FILL 2: #include <my_runtime.hpp>, above, and your model's type here.
struct Model {};

/// One model at a time. Put the calls of the runtime inside runtime(…), and nothing else.
class MyRuntime : public Adapter {
 public:
  /// `adapter` and `version` are those of adapter.json; ask the runtime for its version, do not copy it.
  Description describe() const override {
    return {.adapter = "my-runtime",  // FILL 3
            .runtime = "My Runtime",
            .version = "1.0",
            .language = "C++",
            .home = "https://example.org/my-runtime",
            .unsupported_features =
                {}};  // {{"kind:sequence", "it has tensors only", "https://example.org/my-runtime/limits"}}
  }

  /// Loads from the path (external data is beside it); returns the outputs in the model's order.
  std::vector<Port> load(const std::filesystem::path& path, std::string_view /*format*/) override {
    unload();
    // FILL 4: model_ = runtime([&] { return my_runtime::Model(path); });
    //         return {{"y", std::nullopt, std::nullopt}}, a port for each output
    throw AdapterError("FILL 4 of the template is still to be filled in: load " + path.filename().string());
  }

  /// Returns every output, in the model's order and exactly as the runtime returned it: a wrong type is a finding.
  std::vector<NamedValue> run(const std::vector<NamedValue>& inputs) override {
    if (!model_) throw AdapterError("no model is loaded");
    // FILL 5: the inputs' tensors (type, shape, bytes) to the runtime's; results = runtime([&] { return …; }); and back
    throw AdapterError("FILL 5 of the template is still to be filled in: run with " + std::to_string(inputs.size()) +
                       " inputs");
  }

  void unload() override { model_.reset(); }

 private:
  std::optional<Model> model_;
};

}  // namespace

int main(int argc, char** argv) {
  MyRuntime adapter;
  return serve(adapter, argc, argv);
}
