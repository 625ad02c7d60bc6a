// Other names of a folder: where its file system is mounted a second time, whole or in part.
#pragma once

#include <filesystem>
#include <string_view>
#include <vector>

namespace ifcert::conformance {

/// Whether a path is that of the folder or of something in it, by its text.
bool is_in(const std::filesystem::path& path, const std::filesystem::path& folder);

/// The paths without symbolic links, other than `folder`, that lead to it or to a part of it, as a table of mounts in
/// the form of /proc/self/mountinfo shows them. They need not exist: something else may be mounted above them.
std::vector<std::filesystem::path> other_names(const std::filesystem::path& folder, std::string_view mounts);

/// The same, by the mounts that this process sees.
std::vector<std::filesystem::path> other_names(const std::filesystem::path& folder);

}  // namespace ifcert::conformance
