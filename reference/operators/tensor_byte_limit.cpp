// In a file of its own, so that the fuzzer can be linked with a smaller limit.
#include <cstdint>

#include "operators/result.hpp"

namespace ifcert::kernels {

const std::uint64_t tensor_byte_limit = std::uint64_t{4} << 30;

}  // namespace ifcert::kernels
