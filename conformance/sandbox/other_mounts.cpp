#include "conformance/sandbox/other_mounts.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>

namespace ifcert::conformance {
namespace {

namespace fs = std::filesystem;

/// The part `root` of the file system `device` is at `point`.
struct Mount {
  std::string device;
  fs::path root, point;
};

/// `inner`, which is in `folder`, as a part of `other`.
fs::path moved(const fs::path& inner, const fs::path& folder, const fs::path& other) {
  return inner == folder ? other : other / inner.lexically_relative(folder);
}

/// The table writes spaces, tabs, line feeds and backslashes as \ and three octal digits.
std::string unescaped(const std::string& word) {
  std::string text;
  for (std::size_t at = 0; at < word.size(); ++at) {
    if (word[at] == '\\' && word.find_first_not_of("01234567", at + 1) >= at + 4 && at + 3 < word.size()) {
      text += static_cast<char>(std::stoi(word.substr(at + 1, 3), nullptr, 8));
      at += 3;
    } else {
      text += word[at];
    }
  }
  return text;
}

std::vector<Mount> mounts_in(std::string_view table) {
  std::vector<Mount> mounts;
  std::istringstream lines{std::string(table)};
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string number, parent, device, root, point;
    if (words >> number >> parent >> device >> root >> point)
      mounts.push_back({device, unescaped(root), unescaped(point)});
  }
  return mounts;
}

}  // namespace

bool is_in(const fs::path& path, const fs::path& folder) {
  return std::ranges::mismatch(folder, path).in1 == folder.end();
}

std::vector<fs::path> other_names(const fs::path& folder, std::string_view table) {
  const std::vector<Mount> mounts = mounts_in(table);
  const Mount* own = nullptr;  // the last one covers those before it at the same point
  for (const Mount& each : mounts) {
    if (is_in(folder, each.point) && (own == nullptr || is_in(each.point, own->point))) own = &each;
  }
  std::vector<fs::path> names;
  if (own == nullptr) return names;
  const fs::path inside = moved(folder, own->point, own->root);
  for (const Mount& each : mounts) {
    if (each.device != own->device) continue;
    if (is_in(inside, each.root))
      names.push_back(moved(inside, each.root, each.point));
    else if (is_in(each.root, inside))
      names.push_back(each.point);
  }
  std::erase(names, folder);
  return names;
}

std::vector<fs::path> other_names(const fs::path& folder) {
  std::ifstream table("/proc/self/mountinfo");
  return other_names(folder, std::string(std::istreambuf_iterator<char>(table), {}));
}

}  // namespace ifcert::conformance
