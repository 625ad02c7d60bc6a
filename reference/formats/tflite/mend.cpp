#include "formats/mend.hpp"

#include <unordered_set>
#include <vector>

#include "formats/tflite/operator_order.hpp"

namespace ifcert::tflite {
namespace {

using Operators = flatbuffers::Vector<flatbuffers::Offset<schema::Operator>>;

/// `entries` are the list's: offsets from themselves, so an operator that moves gets another one.
void sort(const Operators& operators, const std::vector<std::uint32_t>& order, std::uint8_t* entries) {
  std::vector<const schema::Operator*> sorted;
  for (const std::uint32_t i : order) sorted.push_back(operators.Get(i));
  for (std::uint32_t i = 0; i < sorted.size(); ++i) {
    std::uint8_t* entry = entries + i * sizeof(flatbuffers::uoffset_t);
    const auto offset = reinterpret_cast<const std::uint8_t*>(sorted[i]) - entry;
    flatbuffers::WriteScalar(entry, static_cast<flatbuffers::uoffset_t>(offset));
  }
}

}  // namespace

std::string with_sorted_operators(std::span<const std::byte> bytes, const Model& model) {
  std::string mended(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  auto* start = reinterpret_cast<std::uint8_t*>(mended.data());
  const auto& root = *flatbuffers::GetRoot<schema::Model>(start);
  if (order_has_effects(root)) return mended;
  std::unordered_set<const Operators*> seen;  // two subgraphs may share a list
  for (std::uint32_t i = 0; i < root.subgraphs()->size(); ++i) {
    const Operators* operators = root.subgraphs()->Get(i)->operators();
    if (operators == nullptr || !seen.insert(operators).second) continue;
    sort(*operators, operator_order(model.graphs[i]).order, start + (operators->Data() - start));
  }
  return mended;
}

}  // namespace ifcert::tflite
