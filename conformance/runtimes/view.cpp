#include "conformance/runtimes/view.hpp"

#include <link.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <set>
#include <string_view>

#include "conformance/sandbox/git_folders.hpp"
#include "conformance/sandbox/other_mounts.hpp"

namespace ifcert::conformance {
namespace {

namespace fs = std::filesystem;

/// A folder with one of these was written by `certify`; a report may have been copied from there.
constexpr std::array result_files{"results.jsonl", "results.jsonl.part"};
constexpr std::array report_files{"report.json", "report.html"};

/// A folder with one of these was made by a build: of CMake, of cargo.
constexpr std::array build_files{"CMakeCache.txt", ".rustc_info.json"};

bool is_one_of(std::string_view name, std::span<const char* const> names) {
  return std::ranges::find(names, name) != names.end();
}

bool is_in_one(const fs::path& path, std::span<const fs::path> folders) {
  return std::ranges::any_of(folders, [&path](const fs::path& folder) { return is_in(path, folder); });
}

void append(std::vector<fs::path>& list, std::span<const fs::path> more) {
  list.insert(list.end(), more.begin(), more.end());
}

void add_other_names(std::vector<fs::path>& folders) {
  const std::vector<fs::path> first = folders;
  for (const fs::path& folder : first) append(folders, other_names(folder));
}

/// Without symbolic links, as far as it exists.
fs::path real(const fs::path& path) {
  std::error_code fault;
  const fs::path found = fs::weakly_canonical(path, fault);
  return fault ? path : found;
}

std::vector<fs::path> real(std::span<const fs::path> paths) {
  std::vector<fs::path> all;
  for (const fs::path& path : paths) all.push_back(real(path));
  return all;
}

/// The parts of an adapter's folder that are not the adapter.
struct Remains {
  std::vector<fs::path> answers;  // earlier results, and the history, which may have such results
  std::vector<fs::path> builds;
};

/// The adapter's folder itself is never one of them: of results that lie in it directly, the files are.
Remains remains_in(const fs::path& folder) {
  Remains remains;
  std::error_code missing;
  for (fs::recursive_directory_iterator at(folder, fs::directory_options::skip_permission_denied, missing), end;
       !missing && at != end; at.increment(missing)) {
    const std::string name = at->path().filename();
    const fs::path around = at->path().parent_path();
    if (name == ".git" || is_one_of(name, report_files) || (is_one_of(name, result_files) && around == folder)) {
      remains.answers.push_back(at->path());
      if (at->is_directory(missing)) at.disable_recursion_pending();
    } else if (is_one_of(name, result_files)) {
      remains.answers.push_back(around);
    } else if (is_one_of(name, build_files) && around != folder) {
      remains.builds.push_back(around);
    }
  }
  return remains;
}

/// The projects that were installed with a prefix: by CMake, or by pip from a wheel.
std::vector<fs::path> installed_projects(const fs::path& prefix) {
  std::vector<fs::path> candidates{prefix / "share" / "ifcert"};
  for (const char* lib : {"lib", "lib64"}) {
    std::error_code missing;
    for (const fs::directory_entry& python : fs::directory_iterator(prefix / lib, missing)) {
      if (!python.path().filename().string().starts_with("python")) continue;
      for (const char* packages : {"site-packages", "dist-packages"})
        candidates.push_back(python.path() / packages / "ifcert" / "installed" / "share" / "ifcert");
    }
  }
  std::erase_if(candidates, [](const fs::path& candidate) { return !is_project(candidate); });
  return candidates;
}

/// The project and its copies, and where else answers are.
struct Closed {
  std::vector<fs::path> projects;  // may have parts that an adapter needs
  std::vector<fs::path> answers{};
};

/// `prefixes` are folders in which the project may be installed, too.
Closed closed_folders(const Project& project, const fs::path& adapter, std::span<const fs::path> prefixes) {
  Closed closed{.projects = {project.root}};
  for (const fs::path& versioned : {project.root, adapter}) {
    for (const fs::path& folder : git_folders(versioned))
      (is_project(folder) ? closed.projects : closed.answers).push_back(folder);
  }
  for (const fs::path& prefix : prefixes) append(closed.projects, installed_projects(prefix));
  for (const char* prefix : {"/usr", "/usr/local"}) append(closed.projects, installed_projects(prefix));
  closed.projects = real(closed.projects);
  for (const fs::path& copy : closed.projects) closed.answers.push_back(real(copy / "vectors"));
  closed.projects.push_back(real(project.environments));
  add_other_names(closed.projects);
  add_other_names(closed.answers);
  return closed;
}

/// The parts of the project that have no answers: an adapter may have files there that its command or its manifest
/// names.
std::vector<fs::path> parts_for_adapters(const Project& project, const Adapter& adapter) {
  std::vector<fs::path> parts{project.root / "conformance", project.root / "bindings", project.root / ".venv",
                              project.executables, project.executables.parent_path() / "python"};
  if (!adapter.folder.empty()) parts.push_back(adapter.folder);
  if (!adapter.environment.empty()) parts.push_back(project.environment(adapter.environment));
  return real(parts);
}

bool is_program(const fs::path& path) {
  std::error_code missing;
  return fs::is_regular_file(path, missing) && ::access(path.c_str(), X_OK) == 0;
}

/// The folders of the shared libraries that this program has loaded: a wheel brings its own, beside the package.
std::vector<fs::path> own_libraries() {
  std::set<fs::path> folders;
  const auto note = [](dl_phdr_info* library, std::size_t /*size*/, void* into) {
    if (const fs::path file = library->dlpi_name; file.is_absolute())
      static_cast<std::set<fs::path>*>(into)->insert(file.parent_path());
    return 0;
  };
  ::dl_iterate_phdr(note, &folders);
  return {folders.begin(), folders.end()};
}

}  // namespace

View view_of(const Project& project, const Adapter& adapter, std::span<const fs::path> results) {
  std::vector<fs::path> named = seen_by(adapter.command);
  append(named, adapter.reads);
  named.push_back(project.python_sdk());
  const fs::path program = real(program_of(adapter.command));
  const fs::path own = adapter.folder.empty() ? program : real(adapter.folder);
  const Remains remains = remains_in(own);
  auto [projects, answers] = closed_folders(project, own, named);
  append(answers, remains.answers);
  View view;
  for (const fs::path& folder : real(results)) {
    if (folder == own) continue;  // its files are among the remains
    (is_in(own, folder) || is_in(program, folder) ? view.hidden : answers).push_back(folder);
  }
  const std::vector<fs::path> parts = parts_for_adapters(project, adapter);
  const auto may_be_shown = [&](const fs::path& path) {
    return !is_in_one(path, answers) && !is_one_of(path.filename().string(), result_files) &&
           (is_in_one(path, parts) || is_program(path) || !is_in_one(path, projects));
  };
  for (const fs::path& path : named) {
    if (may_be_shown(real(path))) view.shown.push_back(path);
  }
  const fs::path ours = real(project.executables);
  if (std::ranges::any_of(view.shown, [&](const fs::path& path) { return is_in(real(path), ours); }))
    append(view.shown, own_libraries());
  for (const fs::path& build : remains.builds) {
    if (std::ranges::none_of(view.shown, [&](const fs::path& path) { return is_in(real(path), build); }))
      view.hidden.push_back(build);
  }
  append(view.hidden, answers);
  append(view.hidden, projects);
  append(view.hidden, homes_of_user());
  return view;
}

}  // namespace ifcert::conformance
