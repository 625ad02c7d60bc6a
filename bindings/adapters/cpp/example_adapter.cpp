// A complete adapter, for a runtime of a few lines whose models are text files with "negative" or "positive" in them.
#include <fstream>

#include "ifcert_adapter.hpp"

using namespace ifcert::adapter;

namespace {

/// The runtime: it flips the sign bit of float32 elements, or leaves it alone.
class SignRuntime {
 public:
  explicit SignRuntime(const std::string& model) : flip_(model == "negative") {
    if (model != "negative" && model != "positive") throw std::runtime_error("unknown model: " + model);
  }

  void run(std::vector<std::byte>& elements) const {
    for (std::size_t i = 3; flip_ && i < elements.size(); i += 4) elements[i] ^= std::byte{0x80};
  }

 private:
  bool flip_;
};

/// Its models have one input and one output, y.
class SignAdapter : public Adapter {
 public:
  Description describe() const override {
    return {.adapter = "example", .runtime = "sign", .version = "1", .language = "C++", .home = "https://example.org"};
  }

  std::vector<Port> load(const std::filesystem::path& model, std::string_view /*format*/) override {
    std::ifstream file(model);
    if (!file) throw AdapterError("cannot read " + model.string());  // this is not the runtime's fault
    std::string text;
    file >> text;  // nothing of an empty file, which the runtime refuses
    model_ = runtime([&] { return SignRuntime(text); });
    return {{"y", "tensor(float32)", std::nullopt}};
  }

  std::vector<NamedValue> run(const std::vector<NamedValue>& inputs) override {
    auto tensor = std::get<Tensor>(inputs.at(0).value);
    if (tensor.type != "float32") throw Refused("only float32 is supported");
    runtime([&] { model_.value().run(tensor.data); });
    return {{"y", tensor}};
  }

 private:
  std::optional<SignRuntime> model_;
};

}  // namespace

int main(int argc, char** argv) {
  SignAdapter adapter;
  return serve(adapter, argc, argv);
}
