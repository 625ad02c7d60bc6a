#include "conformance/sandbox/git_folders.hpp"

#include <algorithm>
#include <regex>
#include <sstream>
#include <string>

#include "conformance/system/project.hpp"
#include "reference/files/error.hpp"
#include "reference/files/input.hpp"

namespace ifcert::conformance {
namespace {

namespace fs = std::filesystem;

/// The lines of a file; none where it cannot be read.
std::vector<std::string> lines_of(const fs::path& file) {
  std::vector<std::string> lines;
  try {
    std::istringstream text(files::read_plain_file(file));
    for (std::string line; std::getline(text, line);) lines.push_back(line);
  } catch (const files::Error&) {
    return {};
  }
  return lines;
}

std::string first_line(const fs::path& file) {
  const std::vector<std::string> lines = lines_of(file);
  return lines.empty() ? "" : lines.front();
}

bool is_repository(const fs::path& folder) {
  std::error_code missing;
  return fs::is_directory(folder / "objects", missing) && fs::exists(folder / "HEAD", missing);
}

/// Follows the references from one repository to the next.
class Search {
 public:
  /// `path` is a repository, or the file .git of a linked working tree or a submodule, which names one.
  void add_repository(const fs::path& path) {
    std::error_code missing;
    if (fs::is_regular_file(path, missing)) {
      constexpr std::string_view key = "gitdir: ";
      if (const std::string line = first_line(path); line.starts_with(key))
        add_repository(path.parent_path() / line.substr(key.size()));
      return;
    }
    const fs::path folder = fs::canonical(path, missing);
    if (missing || !add(folder)) return;
    if (folder.filename() == ".git") add_working_tree(folder.parent_path());
    if (const std::string common = first_line(folder / "commondir"); !common.empty()) add_repository(folder / common);
    for (const fs::directory_entry& tree : fs::directory_iterator(folder / "worktrees", missing))
      add_working_tree(fs::path(first_line(tree.path() / "gitdir")).parent_path());
    for (const std::string& objects : lines_of(folder / "objects" / "info" / "alternates"))
      add_objects(folder / "objects" / objects);
    for (const std::string& line : lines_of(folder / "config")) add_configured(line);
  }

  std::vector<fs::path> found() && { return std::move(found_); }

 private:
  /// Whether it is new.
  bool add(const fs::path& folder) {
    if (std::ranges::find(found_, folder) != found_.end()) return false;
    found_.push_back(folder);
    return true;
  }

  /// A user's home or /etc may be a working tree too, of something else.
  void add_working_tree(const fs::path& tree) {
    std::error_code missing;
    const fs::path folder = fs::canonical(tree, missing);
    if (!missing && is_project(folder)) add(folder);
  }

  void add_objects(const fs::path& objects) {
    std::error_code missing;
    const fs::path folder = fs::canonical(objects, missing);
    if (missing) return;
    if (is_repository(folder.parent_path()))
      add_repository(folder.parent_path());
    else
      add(folder);
  }

  /// A working tree elsewhere, or the repository on this machine from which this one was cloned.
  void add_configured(const std::string& line) {
    static const std::regex tree(R"(\s*worktree\s*=\s*(/.*))"), origin(R"(\s*url\s*=\s*(?:file://)?(/.*))");
    std::smatch found;
    if (std::regex_match(line, found, tree)) add_working_tree(found.str(1));
    if (!std::regex_match(line, found, origin)) return;
    const fs::path folder = found.str(1);
    std::error_code missing;
    if (is_repository(folder))
      add_repository(folder);
    else if (fs::exists(folder / ".git", missing))
      add_repository(folder / ".git");
  }

  std::vector<fs::path> found_;
};

}  // namespace

std::vector<fs::path> git_folders(const fs::path& folder) {
  std::error_code missing;
  Search search;
  for (fs::path above = fs::canonical(folder, missing); !missing && above.has_relative_path();
       above = above.parent_path()) {
    if (fs::exists(above / ".git", missing)) search.add_repository(above / ".git");
    missing.clear();
  }
  return std::move(search).found();
}

}  // namespace ifcert::conformance
