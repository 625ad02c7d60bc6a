#include "file.hpp"

#include <fmt/format.h>
#include <fnmatch.h>

#include <cerrno>
#include <cstring>
#include <fstream>
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
  std::error_code unknown;  // the size of anything but a regular file
  const std::uintmax_t size = std::filesystem::file_size(path, unknown);
  const std::size_t piece = unknown || size == 0 ? 1 << 16 : size + 1;
  std::string bytes;
  do {
    const std::size_t before = bytes.size();
    bytes.resize(before + piece);
    file.read(bytes.data() + before, static_cast<std::streamsize>(piece));
    bytes.resize(before + static_cast<std::size_t>(file.gcount()));
  } while (file);
  if (file.bad()) refuse(EIO);
  return bytes;
}

nlohmann::json parsed_json(std::string_view text, const std::filesystem::path& path) {
  try {
    return nlohmann::json::parse(text);
  } catch (const nlohmann::json::exception& fault) {
    throw Error(fmt::format("{} is not JSON: {}", path.string(), fault.what()));
  }
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
