#include "conformance/suite/sentences.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "conformance/system/schema.hpp"

namespace ifcert::conformance {
namespace {

using nlohmann::json;

Sentence sentence_of(const json& entry, const json& documents) {
  const json& document = documents.at(entry.at("document").get<std::string>());
  return {entry.at("id"),
          document.at("title"),
          document.at("url"),
          entry.at("place"),
          entry.at("quote"),
          entry.at("status"),
          entry.value("why", ""),
          entry.value("versions", std::vector<int>()),
          entry.value("rules", std::vector<std::string>())};
}

/// What vectors cite of a text whose sentences are not all listed.
Sentence quoted(const json& entry, const json& documents) {
  const json& document = documents.at(entry.at("document").get<std::string>());
  return {.id = entry.at("id"),
          .document = document.at("title"),
          .url = document.at("url"),
          .place = entry.at("place"),
          .quote = entry.value("quote", ""),
          .status = "quoted",
          .why = "its text is not listed sentence by sentence",
          .versions = {},
          .rules = {},
          .fact = entry.value("fact", "")};
}

void read_table(const json& table, SentenceTable& into) {
  for (const json& entry : table.at("sentences")) {
    into.sentences.push_back(sentence_of(entry, table.at("documents")));
  }
  for (const json& entry : table.at("quotes")) into.sentences.push_back(quoted(entry, table.at("documents")));
  for (const json& entry : table.at("without")) {
    into.without.push_back({entry.at("rule"), entry.at("vectors"), entry.at("why")});
  }
}

}  // namespace

SentenceTable read_sentences(const Project& project) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(project.vectors())) {
    if (const auto file = entry.path() / "sentences.json"; std::filesystem::exists(file)) files.push_back(file);
  }
  std::ranges::sort(files);
  SentenceTable all;
  if (files.empty()) return all;
  const Schema schema(project.vectors() / "schemas" / "sentences.schema.json");
  for (const std::filesystem::path& file : files) read_table(read_json(file, schema), all);
  return all;
}

}  // namespace ifcert::conformance
