// usage: eigen_consumer MODEL.onnx: runs it with cond true, then false, and prints the sum of each output, as Eigen
// adds it up.
#include <cstdint>
#include <ifcert/eigen.hpp>
#include <ifcert/reference.hpp>
#include <iostream>
#include <span>

int main(int argc, char** argv) try {
  if (argc != 2) return 2;
  ifcert::Reading reading = ifcert::read_model(argv[1]);
  const ifcert::Program program(std::move(reading.model));
  for (const std::uint8_t taken : {1, 0}) {
    const ifcert::Value cond = ifcert::make_tensor(ifcert::ElementType::boolean, {}, std::span(&taken, 1));
    for (const ifcert::Value& output : program.run(std::span(&cond, 1))) {
      std::cout << ifcert::vector_map<float>(*output.tensor()).sum() << '\n';
    }
  }
  return 0;
} catch (const std::exception& error) {
  std::cerr << error.what() << '\n';
  return 2;
}
