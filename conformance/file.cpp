#include "file.hpp"

#include <fmt/format.h>
#include <fnmatch.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <vector>

#include "error.hpp"

namespace ifcert::conformance {

std::string read_file(const std::filesystem::path& path) {
  const auto refuse = [&path](int reason) {
    throw Error(fmt::format("cannot read {}: {}", path.string(), std::strerror(reason)));
  };
  if (std::filesystem::is_directory(path)) refuse(EISDIR);
  std::ifstream file(path, std::ios::binary);
  if (!file) refuse(errno);
  std::string bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  if (file.bad()) refuse(EIO);
  return bytes;
}

nlohmann::json read_json(const std::filesystem::path& path) {
  try {
    return nlohmann::json::parse(read_file(path));
  } catch (const nlohmann::json::exception& fault) {
    throw Error(fmt::format("{} is not JSON: {}", path.string(), fault.what()));
  }
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
