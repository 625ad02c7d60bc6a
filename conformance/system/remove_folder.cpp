#include "conformance/system/remove_folder.hpp"

#include <sys/mount.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace ifcert::conformance {
namespace {

namespace fs = std::filesystem;

/// Spaces and the like are written as \040 in the kernel's lists.
std::string unescaped(std::string_view text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool escape = text[i] == '\\' && i + 3 < text.size();
    plain += escape ? static_cast<char>(std::stoi(std::string(text.substr(i + 1, 3)), nullptr, 8)) : text[i];
    i += escape ? 3 : 0;
  }
  return plain;
}

/// The mount points at or below `folder`, the latest first.
std::vector<std::string> mounted_in(const fs::path& folder) {
  std::vector<std::string> found;
  std::ifstream mounts("/proc/self/mountinfo");
  for (std::string line; std::getline(mounts, line);) {
    std::istringstream fields(line);
    std::string id, parent, device, root, point;
    fields >> id >> parent >> device >> root >> point;
    point = unescaped(point);
    if (point == folder.string() || point.starts_with(folder.string() + "/")) found.push_back(point);
  }
  std::ranges::reverse(found);
  return found;
}

}  // namespace

bool remove_tree(const fs::path& folder) {
  std::error_code fault;
  const fs::path real = fs::canonical(folder, fault);
  if (fault) return !fs::exists(folder, fault);
  for (const std::string& point : mounted_in(real)) ::umount2(point.c_str(), MNT_DETACH | UMOUNT_NOFOLLOW);
  if (!mounted_in(real).empty()) return false;
  fs::remove_all(real, fault);
  return !fault;
}

}  // namespace ifcert::conformance
