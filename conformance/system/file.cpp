#include "file.hpp"

#include <fmt/format.h>
#include <fnmatch.h>

#include <utility>
#include <vector>

#include "conformance/system/json_text.hpp"
#include "error.hpp"
#include "reference/files/input.hpp"

namespace ifcert::conformance {

std::string read_file(const std::filesystem::path& path) {
  return files::read_plain_file(path);
}

std::string read_file_or_pipe(const std::filesystem::path& path) {
  return files::read_plain_file_or_pipe(path);
}

nlohmann::json parsed_json(std::string_view text, const std::filesystem::path& path) {
  ParsedJson parsed = parse_json(text);
  if (parsed.fault.empty()) return std::move(parsed.document);
  throw Error(fmt::format("{} {}{}{}", path.string(), parsed.fault, parsed.detail.empty() ? "" : ": ", parsed.detail));
}

nlohmann::json read_json(const std::filesystem::path& path) {
  return parsed_json(read_file(path), path);
}

void replace_file(const std::filesystem::path& path, std::string_view bytes, const files::Paths& inputs) {
  const files::OutputFile file{path, bytes};
  files::write_files({&file, 1}, {.inputs = inputs, .make_folders = true});
}

void remove_leftovers(const std::filesystem::path& path) {
  const std::string pattern = path.filename().string() + ".*.tmp";
  std::error_code ignored;
  std::vector<std::filesystem::path> leftovers;
  for (const auto& entry : std::filesystem::directory_iterator(path.parent_path(), ignored)) {
    if (::fnmatch(pattern.c_str(), entry.path().filename().c_str(), 0) == 0) leftovers.push_back(entry.path());
  }
  for (const std::filesystem::path& leftover : leftovers) std::filesystem::remove(leftover, ignored);
}

}  // namespace ifcert::conformance
