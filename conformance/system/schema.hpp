// JSON schemas (draft 7), compiled once and used from several threads.
#pragma once

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace ifcert::conformance {

class Schema {
 public:
  /// Reads and compiles a schema; a `$ref` to another file means the file of that name in the same folder. Throws
  /// Error.
  explicit Schema(const std::filesystem::path& file);
  Schema(Schema&&) noexcept;
  Schema& operator=(Schema&&) noexcept;
  ~Schema();

  /// How the document differs from the schema, as one phrase; empty when it matches. Safe to call from several threads.
  std::string fault(const nlohmann::json& document) const;

  /// Throws Error, beginning with `where`, when the document does not match the schema.
  void require(const nlohmann::json& document, std::string_view where) const;

 private:
  struct Compiled;
  std::unique_ptr<const Compiled> compiled_;
};

/// The document in a file, or in a file's text, that matches the schema. Throws Error.
nlohmann::json parsed_json(std::string_view text, const std::filesystem::path& path, const Schema& schema);
nlohmann::json read_json(const std::filesystem::path& path, const Schema& schema);

}  // namespace ifcert::conformance
