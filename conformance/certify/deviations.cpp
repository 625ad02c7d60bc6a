#include "conformance/certify/deviations.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "conformance/system/error.hpp"
#include "conformance/system/file.hpp"

namespace ifcert::conformance {
namespace {

namespace fs = std::filesystem;

/// Only the ids: conformance/adapters/deviation_records_test.py holds the files against their schema.
void add_records(const fs::path& file, DeviationLinks& links) {
  const nlohmann::json document = read_json(file);
  try {
    for (const nlohmann::json& record : document.at("records")) {
      const auto id = record.at("id").get<std::string>();
      links.emplace(id, fmt::format("docs/deviations/{}.md#{}", file.stem().string(), id));
    }
  } catch (const nlohmann::json::exception& error) {
    throw Error(fmt::format("{}: expected \"records\", each with an \"id\": {}", file.string(), error.what()));
  }
}

}  // namespace

DeviationLinks read_deviation_links(const Project& project) {
  DeviationLinks links;
  if (!fs::exists(project.deviations())) return links;
  for (const fs::directory_entry& file : fs::directory_iterator(project.deviations())) {
    if (file.path().extension() == ".json") add_records(file.path(), links);
  }
  return links;
}

}  // namespace ifcert::conformance
