#include "conformance/suite/vector_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <ifcert/message.hpp>
#include <utility>
#include <vector>

#include "conformance/system/digest.hpp"
#include "conformance/system/error.hpp"
#include "conformance/system/file.hpp"
#include "conformance/system/json_text.hpp"

namespace ifcert::conformance {

using nlohmann::json;

namespace {

constexpr std::size_t max_named = 20;
constexpr std::size_t max_line = std::size_t{1} << 20U;

/// Throws Error when the bytes of a file have another digest than the one `where` says.
void verify(const std::filesystem::path& file, std::string_view bytes, const std::string& digest, const char* where) {
  if (const std::string found = sha256(bytes); digest != found)
    throw Error(fmt::format("{} has the digest {}; {} has {}", file.string(), found, where, digest));
}

std::string named(const std::vector<std::string>& faults) {
  const std::size_t shown = std::min(faults.size(), max_named);
  const std::string more = shown < faults.size() ? fmt::format("; and {} more", faults.size() - shown) : "";
  return fmt::format("{}{}", fmt::join(faults.begin(), faults.begin() + static_cast<std::ptrdiff_t>(shown), "; "),
                     more);
}

/// Throws Error for an absolute path, and for one with a part that leads elsewhere or is empty.
void require_inside(const std::filesystem::path& path) {
  const bool inside =
      path.is_relative() && path.has_filename() && path == path.lexically_normal() && *path.begin() != "..";
  if (!inside)
    throw Error(fmt::format("{} is not the path of a file in the folder of the rule", printable(path.string())));
}

}  // namespace

std::filesystem::path manifest_file(const Project& project) {
  return project.vectors() / "manifest.json";
}

std::string rule_of_lines(const std::string& file) {
  const std::size_t system = file.find('/');
  const std::size_t subject = file.find('/', system + 1);
  return file.substr(0, system) + file.substr(subject, file.rfind('/') - subject);
}

json VectorLine::members(std::span<const std::string_view> names) const {
  ParsedJson parsed = parse_json(text, {.members = names});
  if (!parsed.fault.empty())
    throw Error(fmt::format("{} {}{}{}", where, parsed.fault, parsed.detail.empty() ? "" : ": ", parsed.detail));
  if (!parsed.document.is_object()) throw Error(fmt::format("{} is not an object", where));
  return std::move(parsed.document);
}

std::vector<VectorLine> read_lines(const std::filesystem::path& file, const std::string& digest) {
  const std::string bytes = read_file(file);
  verify(file, bytes, digest, "the manifest");
  std::vector<VectorLine> lines;
  for (std::size_t at = 0; at < bytes.size();) {
    const std::size_t end = std::min(bytes.find('\n', at), bytes.size());
    const std::string where = fmt::format("{}:{}", file.string(), lines.size() + 1);
    if (end - at > max_line)
      throw Error(fmt::format("{} has {} bytes; expected at most {}", where, end - at, max_line));
    lines.push_back({bytes.substr(at, end - at), where});
    at = end + 1;
  }
  return lines;
}

std::map<std::filesystem::path, std::string> verified_files(const std::filesystem::path& folder, const json& files) {
  std::map<std::filesystem::path, std::string> all;
  for (const auto& [name, digest] : files.items()) {
    require_inside(name);
    std::string bytes = read_file(folder / name);
    verify(folder / name, bytes, digest.get<std::string>(), "its line");
    all.emplace(name, std::move(bytes));
  }
  return all;
}

namespace {

/// Whether one of the vectors belongs to the rule.
bool has_one_of(const std::set<std::string_view>& ids, const std::string& rule) {
  const auto first = ids.lower_bound(rule + "/");
  return first != ids.end() && first->starts_with(rule + "/");
}

/// Adds what is wrong with the files of a vector, if it is one of those.
void add_changed(const VectorLine& line, const std::filesystem::path& folder, const std::set<std::string_view>& ids,
                 std::vector<std::string>& faults) {
  const json members = line.members(std::array<std::string_view, 2>{"id", "files"});
  const auto& id = members.at("id").get_ref<const std::string&>();
  if (!ids.contains(id)) return;
  try {
    verified_files(folder, members.at("files"));
  } catch (const Error& fault) {
    faults.push_back(fmt::format("{}: {}", id, fault.what()));
  }
}

}  // namespace

std::string changed_since(const Project& project, const std::string& manifest_digest,
                          const std::set<std::string_view>& ids) {
  const std::filesystem::path file = manifest_file(project);
  const std::string text = read_file(file);
  if (sha256(text) != manifest_digest) return fmt::format("{} was changed", file.string());
  std::vector<std::string> faults;
  const json manifest = parsed_json(text, file);
  for (const auto& [name, digest] : manifest.at("files").items()) {
    if (!has_one_of(ids, rule_of_lines(name))) continue;
    const std::filesystem::path lines = project.vectors() / name;
    try {
      for (const VectorLine& line : read_lines(lines, digest.get<std::string>()))
        add_changed(line, lines.parent_path(), ids, faults);
    } catch (const Error& fault) {
      faults.emplace_back(fault.what());
    }
  }
  return named(faults);
}

}  // namespace ifcert::conformance
