// Alone in its file, so that a program with less patience (the fuzzer) can be linked with a limit of its own.
#include <cstdint>

#include "kernels/result.hpp"

namespace ifcert::kernels {

const std::uint64_t tensor_byte_limit = std::uint64_t{4} << 30;

}  // namespace ifcert::kernels
