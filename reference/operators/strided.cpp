#include "operators/strided.hpp"

#include <algorithm>

namespace ifcert::kernels {
namespace {

// Removes the last axes along which the walk visits adjacent elements; returns how many elements they span.
std::int64_t take_neighbours(std::vector<Stride>& axes) {
  std::int64_t run = 1;
  while (!axes.empty() && axes.back().step == run) {
    run *= axes.back().count;
    axes.pop_back();
  }
  return run;
}

}  // namespace

Dims steps_of(const Dims& dims) {
  Dims steps(dims.size(), 1);
  for (std::size_t axis = dims.size(); axis-- > 1;) steps[axis - 1] = steps[axis] * dims[axis];
  return steps;
}

void append_strided(const Tensor& source, std::int64_t first, std::vector<Stride> axes, Result& result) {
  if (std::any_of(axes.begin(), axes.end(), [](const Stride& axis) { return axis.count == 0; })) return;
  std::erase_if(axes, [](const Stride& axis) { return axis.count == 1; });
  const auto run = static_cast<std::uint64_t>(take_neighbours(axes));
  std::vector<std::int64_t> at(axes.size(), 0);
  std::int64_t offset = first;
  while (true) {
    result.append(source, static_cast<std::uint64_t>(offset), run);
    std::size_t axis = axes.size();
    for (; axis > 0; --axis) {
      const auto [count, step] = axes[axis - 1];
      if (++at[axis - 1] < count) {
        offset += step;
        break;
      }
      at[axis - 1] = 0;
      offset -= (count - 1) * step;
    }
    if (axis == 0) return;
  }
}

}  // namespace ifcert::kernels
