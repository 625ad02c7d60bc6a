#include "model/topological_order.hpp"

#include <functional>
#include <queue>

namespace ifcert {

TopologicalOrder topological_order(std::uint32_t count, std::span<const Precedence> precedences) {
  std::vector<std::size_t> end(count + std::size_t{1});  // of each one's successors, in one list for all
  std::vector<std::size_t> waits_for(count);
  for (const auto& [first, then] : precedences) {
    ++end[first + std::size_t{1}];
    ++waits_for[then];
  }
  for (std::size_t i = 1; i < end.size(); ++i) end[i] += end[i - 1];
  std::vector<std::size_t> next = end;
  std::vector<std::uint32_t> successors(precedences.size());
  for (const auto& [first, then] : precedences) successors[next[first]++] = then;

  std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, std::greater<>> ready;
  for (std::uint32_t i = 0; i < count; ++i) {
    if (waits_for[i] == 0) ready.push(i);
  }
  TopologicalOrder sorted{{}, std::vector<bool>(count)};
  sorted.order.reserve(count);
  while (!ready.empty()) {
    const std::uint32_t one = ready.top();
    ready.pop();
    sorted.order.push_back(one);
    sorted.placed[one] = true;
    for (std::size_t i = end[one]; i < end[one + std::size_t{1}]; ++i) {
      if (--waits_for[successors[i]] == 0) ready.push(successors[i]);
    }
  }
  for (std::uint32_t i = 0; i < count; ++i) {
    if (!sorted.placed[i]) sorted.order.push_back(i);
  }
  return sorted;
}

}  // namespace ifcert
