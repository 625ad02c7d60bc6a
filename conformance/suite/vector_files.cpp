#include "conformance/suite/vector_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "conformance/system/digest.hpp"
#include "conformance/system/error.hpp"
#include "conformance/system/file.hpp"

namespace ifcert::conformance {

using nlohmann::json;

namespace {

constexpr std::size_t max_named = 20;

std::string named(const std::vector<std::string>& faults) {
  const std::size_t shown = std::min(faults.size(), max_named);
  const std::string more = shown < faults.size() ? fmt::format("; and {} more", faults.size() - shown) : "";
  return fmt::format("{}{}", fmt::join(faults.begin(), faults.begin() + static_cast<std::ptrdiff_t>(shown), "; "),
                     more);
}

}  // namespace

std::map<std::filesystem::path, std::string> verified_files(const std::filesystem::path& folder, const json& files) {
  std::map<std::filesystem::path, std::string> all;
  for (const auto& [name, digest] : files.items()) {
    std::string bytes = read_file(folder / name);
    if (const std::string found = sha256(bytes); digest != found) {
      throw Error(fmt::format("{} has the digest {}; the manifest has {}", (folder / name).string(), found,
                              digest.get<std::string>()));
    }
    all.emplace(name, std::move(bytes));
  }
  return all;
}

std::string changed_since(const Project& project, const std::string& manifest_digest,
                          const std::set<std::string_view>& ids) {
  const std::filesystem::path file = project.vectors() / "manifest.json";
  const std::string text = read_file(file);
  if (sha256(text) != manifest_digest) return fmt::format("{} was changed", file.string());
  std::vector<std::string> faults;
  const json manifest = parsed_json(text, file);
  for (const json& entry : manifest.at("vectors")) {
    const auto& id = entry.at("id").get_ref<const std::string&>();
    if (!ids.contains(id)) continue;
    try {
      verified_files(project.vectors() / entry.at("path").get<std::string>(), entry.at("files"));
    } catch (const Error& fault) {
      faults.push_back(fmt::format("{}: {}", id, fault.what()));
    }
  }
  return named(faults);
}

}  // namespace ifcert::conformance
