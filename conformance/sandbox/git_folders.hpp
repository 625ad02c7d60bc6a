// Where git keeps what a folder contains: whoever reads the history of a checkout reads its files.
#pragma once

#include <filesystem>
#include <vector>

namespace ifcert::conformance {

/// The folders that hold the history of the repository around `folder`, wherever they are: .git in it or in a folder
/// above it, the repository that a linked working tree or a submodule refers to, repositories from which it borrows
/// objects, local ones from which it was cloned; and the other working trees of all these that are projects. Without
/// symbolic links. git itself is not started: it may be missing, and it refuses a repository of another user.
std::vector<std::filesystem::path> git_folders(const std::filesystem::path& folder);

}  // namespace ifcert::conformance
