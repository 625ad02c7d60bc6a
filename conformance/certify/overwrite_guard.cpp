#include "conformance/certify/overwrite_guard.hpp"

#include <fmt/format.h>

#include <ifcert/message.hpp>
#include <map>
#include <set>
#include <sstream>
#include <utility>

#include "conformance/system/error.hpp"
#include "conformance/system/file.hpp"

namespace ifcert::conformance {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using Name = std::pair<std::string, std::string>;  // adapter, vector

/// The results that the lines name, whatever their format and even if the file is damaged: protecting too many results
/// is better than too few. A line of a journal has its result in the member `result`.
std::set<Name> results_named_in(const fs::path& file) {
  std::set<Name> names;
  if (!fs::is_regular_file(file)) return names;
  std::istringstream lines(read_file(file));
  for (std::string text; std::getline(lines, text);) {
    const json line = json::parse(text, nullptr, false);  // parse_json() would refuse more
    const json& result = line.is_object() && line.contains("result") ? line["result"] : line;
    if (!result.is_object() || !result.contains("adapter") || !result.contains("vector")) continue;
    if (result["adapter"].is_string() && result["vector"].is_string())
      names.emplace(result["adapter"].get<std::string>(), result["vector"].get<std::string>());
  }
  return names;
}

std::set<Name> results_of(const Certification& plan) {
  std::set<Name> names;
  for (const AdapterIdentity& adapter : plan.adapters) {
    for (const VectorSummary& vector : plan.vectors) {
      if (in_scope(adapter, vector)) names.emplace(adapter.name, vector.id);
    }
  }
  return names;
}

/// Results that a journal of the plan may have besides: those of twins, which are run even where they are not selected.
std::set<Name> twins_of(const Certification& plan) {
  std::set<Name> names;
  for (const AdapterIdentity& adapter : plan.adapters) {
    for (const VectorSummary& vector : plan.vectors) {
      if (in_scope(adapter, vector) && !vector.twin.empty()) names.emplace(adapter.name, vector.twin);
    }
  }
  return names;
}

}  // namespace

std::string lost_results(const Suite& suite, const Certification& plan, const fs::path& folder) {
  const std::set<Name> kept = results_of(plan);
  std::map<std::string, std::size_t> lost;
  std::set<Name> there = results_named_in(folder / "results.jsonl.part");
  for (const Name& twin : twins_of(plan)) there.erase(twin);
  there.merge(results_named_in(folder / "results.jsonl"));
  for (const Name& name : there) {
    if (!kept.contains(name) && suite.find(name.second) != nullptr) ++lost[name.first];
  }
  std::string text;
  for (const auto& [adapter, count] : lost)
    text += fmt::format("{}{} of {}", text.empty() ? "" : ", ", count, printable(adapter));
  return text;
}

void refuse_to_lose_results(const Suite& suite, const Certification& plan, const fs::path& folder) {
  const std::string lost = lost_results(suite, plan, folder);
  if (lost.empty()) return;
  throw Error(
      fmt::format("{} has results that would be removed, not replaced: {}. Choose another folder with --out, or remove "
                  "them with --replace",
                  folder.string(), lost));
}

}  // namespace ifcert::conformance
