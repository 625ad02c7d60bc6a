#include "conformance/results/cost.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ifcert::conformance {
namespace {

/// The nearest-rank percentile of sorted values, of which there is at least one.
double percentile(const std::vector<double>& sorted, std::size_t percent) {
  const std::size_t rank = (sorted.size() * percent + 99) / 100;
  return sorted[std::max<std::size_t>(rank, 1) - 1];
}

std::string sibling_text(const Cost& cost) {
  if (!cost.wall_time || cost.wall_time->sibling_seconds == 0) return {};
  return fmt::format(", and {:.1f} s to run siblings of models that fail", cost.wall_time->sibling_seconds);
}

std::string rewriting_text(const Cost& cost) {
  if (!cost.wall_time || cost.wall_time->rewriting_seconds == 0) return {};
  return fmt::format(", and {:.1f} s to run rewritings of models that pass", cost.wall_time->rewriting_seconds);
}

std::string retry_text(const Cost& cost) {
  if (!cost.wall_time || cost.wall_time->retry_seconds == 0) return {};
  return fmt::format(
      ", and {:.1f} s to retry failures that no list names; confirmed: {} alone in a fresh process, {} "
      "after another with the same failure",
      cost.wall_time->retry_seconds, cost.confirmed_alone, cost.confirmed_after_another);
}

Cost cost_of(const AdapterIdentity& adapter, const Certification& certification) {
  Cost cost{.adapter = adapter.name, .wall_time = {}, .overhead = {}};
  const auto wall_time = certification.wall_times.find(adapter.name);
  if (wall_time != certification.wall_times.end()) cost.wall_time = wall_time->second;
  std::vector<double> overheads;
  for (const Result& result : certification.results) {
    if (result.adapter != adapter.name) continue;
    ++cost.vectors;
    cost.milliseconds += result.milliseconds;
    if (result.confirmed_by == result.vector)
      ++cost.confirmed_alone;
    else if (!result.confirmed_by.empty())
      ++cost.confirmed_after_another;
    if (result.runtime_milliseconds)
      overheads.push_back(std::max(0.0, result.milliseconds - *result.runtime_milliseconds));
  }
  std::ranges::sort(overheads);
  if (!overheads.empty()) cost.overhead = {percentile(overheads, 50), percentile(overheads, 95)};
  return cost;
}

}  // namespace

std::vector<Cost> costs_of(const Certification& certification) {
  std::vector<Cost> costs;
  costs.reserve(certification.adapters.size());
  for (const AdapterIdentity& adapter : certification.adapters) costs.push_back(cost_of(adapter, certification));
  return costs;
}

void add_wall_times(const std::map<std::string, WallTime>& more, std::map<std::string, WallTime>& sum) {
  for (const auto& [adapter, wall_time] : more) {
    sum[adapter].seconds += wall_time.seconds;
    sum[adapter].retry_seconds += wall_time.retry_seconds;
    sum[adapter].sibling_seconds += wall_time.sibling_seconds;
    sum[adapter].rewriting_seconds += wall_time.rewriting_seconds;
  }
}

std::string cost_line(const Cost& cost) {
  const double seconds = cost.wall_time ? cost.wall_time->seconds : cost.milliseconds / 1000;
  std::string wall = fmt::format("{}: {} vectors in {:.1f} s{}{}", cost.adapter, cost.vectors, seconds,
                                 retry_text(cost), sibling_text(cost) + rewriting_text(cost));
  if (!cost.overhead) return wall;
  return fmt::format("{}; overhead per vector: median {:.2f} ms, 95th percentile {:.2f} ms", wall,
                     cost.overhead->median, cost.overhead->percentile_95);
}

}  // namespace ifcert::conformance
