// An adapter that prints, refuses and fails on purpose, for the SDK's tests. Its models name what to do.
#include <barrier>
#include <fstream>
#include <iterator>
#include <memory>

#include "ifcert_adapter.hpp"

using namespace ifcert::adapter;

namespace {

/// Returns its inputs, unless the model names something else.
class Toy : public Adapter {
 public:
  Description describe() const override {
    return {.adapter = "toy",
            .runtime = "toy",
            .version = "1",
            .language = "C++",
            .home = "https://example.org",
            .threads = true,
            .holds = true,
            .unsupported_features = {{"type:complex64", "it has no complex numbers", "https://example.org/types"}}};
  }

  std::vector<Port> load(const std::filesystem::path& model, std::string_view /*format*/) override {
    std::ifstream file(model);
    if (!file) throw AdapterError("cannot read the model");
    std::getline(file, model_);
    if (model_ == "adapter fails") throw std::out_of_range("outside the runtime");
    if (model_ == "throws a number") throw 7;  // NOLINT: what a careless adapter may do
    runtime([&] {
      if (model_ == "refused") throw std::invalid_argument("an If needs a cond");
      if (model_ == "not UTF-8") throw std::invalid_argument("byte \xff");
      if (model_ == "not built") throw Unsupported("runtime", "If is not built in", "NOT_BUILT");
    });
    if (model_ == "declared lack") throw Unsupported("type:complex64", "no complex numbers");
    if (model_ == "undeclared lack") throw Unsupported("type:float64", "no doubles");
    return {{"y", "tensor(float32)", std::vector<Dim>{std::int64_t{1}, "N", std::monostate()}},
            {"z", std::nullopt, std::nullopt}};
  }

  /// Uses one buffer for all runs where the model names that: a later run overwrites an earlier one's output.
  Reader hold(const std::vector<NamedValue>& inputs) override {
    auto values = std::make_shared<std::vector<NamedValue>>(run(inputs));
    if (model_ == "one memory") {
      *memory_ = *values;
      values = memory_;
    }
    return [values] { return *values; };
  }

  std::vector<NamedValue> run(const std::vector<NamedValue>& inputs) override {
    if (model_ == "fails to run") throw std::out_of_range("outside the runtime");
    if (model_ == "waits for three") runtime([&] { meeting_.arrive_and_wait(); });
    if (model_ == "refuses the empty") {
      runtime([&] {
        if (std::get<Tensor>(inputs.at(0).value).data.empty()) throw std::invalid_argument("nothing in it");
      });
    }
    if (model_ == "prints") {
      std::cout << R"({"id":0,"outputs":[]})" << '\n';
      std::puts("by C");
      if (std::system("echo by a child") != 0) throw AdapterError("no shell");  // NOLINT: what a runtime may do
      std::cerr << "an error\n";
    }
    if (model_ == "reads") {
      const std::string read{std::istreambuf_iterator<char>(std::cin), {}};
      return {{"y", Other{"read \"" + read + "\""}}};
    }
    if (model_ == "half a tensor") return {{"y", Tensor{"float32", {2}, std::vector<std::byte>(3), {}}}};
    return inputs;
  }

 private:
  std::string model_;
  std::shared_ptr<std::vector<NamedValue>> memory_ = std::make_shared<std::vector<NamedValue>>();
  std::barrier<> meeting_{3};
};

}  // namespace

int main(int argc, char** argv) {
  Toy toy;
  return serve(toy, argc, argv);
}
