// usage: consumer MODEL.onnx: prints each rule that the model breaks; for a legal model runs it with cond true, then
// false.
#include <cstdint>
#include <ifcert/reference.hpp>
#include <iostream>
#include <span>

namespace {

ifcert::Value cond(bool taken) {
  const std::uint8_t element = taken ? 1 : 0;
  return ifcert::make_tensor(ifcert::ElementType::boolean, {}, std::span(&element, 1));
}

int look_at(const char* path) {
  ifcert::Reading reading = ifcert::read_model(path);
  const std::vector<ifcert::Diagnostic> broken = ifcert::errors_in(ifcert::check(reading));
  for (const ifcert::Diagnostic& rule : broken) std::cout << rule.rule << '\n';
  if (!broken.empty()) return 1;
  const ifcert::Program program(std::move(reading.model));
  for (const bool taken : {true, false}) {
    const ifcert::Value input = cond(taken);
    for (const ifcert::Value& output : program.run(std::span(&input, 1))) std::cout << to_string(output) << '\n';
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) try { return argc == 2 ? look_at(argv[1]) : 2; } catch (const std::exception& error) {
  std::cerr << error.what() << '\n';
  return 2;
}
