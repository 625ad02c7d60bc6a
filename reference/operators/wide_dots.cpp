#include "operators/wide_dots.hpp"

#include <vector>

namespace ifcert::kernels {

std::span<const WideDots> wide_dots() {
  static const std::vector<WideDots> supported = [] {
    std::vector<WideDots> all;
#ifdef __x86_64__
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl")) all.push_back(dots_avx512);
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) all.push_back(dots_avx2);
#endif
    return all;
  }();
  return supported;
}

}  // namespace ifcert::kernels
