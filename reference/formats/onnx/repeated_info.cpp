#include "formats/onnx/repeated_info.hpp"

#include <algorithm>
#include <numeric>

#include "formats/onnx/names.hpp"
#include "formats/onnx/tensor.hpp"
#include "model/type_agreement.hpp"

namespace ifcert::onnx {
namespace {

std::optional<std::size_t> kept_of(const RepeatedInfo& repeated, const proto::List<proto::ValueInfo>& infos) {
  Type all;
  for (const std::size_t i : repeated.entries) {
    const Type type = type_of(infos[i].type);
    if (!agree(all, type)) return std::nullopt;
    all = completed(std::move(all), type);
  }
  const auto says_all = [&](std::size_t i) { return type_of(infos[i].type) == all; };
  const auto whole = std::ranges::find_if(repeated.entries, says_all);
  return whole == repeated.entries.end() ? repeated.entries.front() : *whole;
}

}  // namespace

std::vector<RepeatedInfo> repeated_infos(const proto::List<proto::ValueInfo>& infos) {
  std::vector<std::size_t> sorted(infos.size());
  std::iota(sorted.begin(), sorted.end(), std::size_t{0});
  const auto name_of = [&](std::size_t i) { return infos[i].name; };
  std::ranges::stable_sort(sorted, {}, name_of);
  std::vector<RepeatedInfo> all;
  for (auto at = sorted.begin(); at != sorted.end();) {
    const auto end = std::find_if(at, sorted.end(), [&](std::size_t i) { return name_of(i) != name_of(*at); });
    if (end - at > 1) {
      all.push_back({name_of(*at), {at, end}});
      all.back().kept = kept_of(all.back(), infos);
    }
    at = end;
  }
  return all;
}

}  // namespace ifcert::onnx
