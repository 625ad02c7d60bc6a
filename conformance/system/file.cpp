#include "file.hpp"

#include <fmt/format.h>

#include <utility>

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

}  // namespace ifcert::conformance
