// Folders that a process makes for its own use. A process that is killed cannot remove them, so it holds a lock on each
// while it lives, and whoever starts next removes those on which nobody holds one.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "reference/files/descriptor.hpp"

namespace ifcert::conformance {

/// A word for the names of such folders that is the same for all processes that see each other's locks: those of one
/// boot of one kernel, in whatever container, but not those of other machines that share a file system.
const std::string& boot_word();

/// Locks a new folder until the descriptor, and each copy that another process has inherited, is closed. Nothing where
/// the folder was taken for an abandoned one and removed, between its making and this call: then make another. Where
/// the file system has no locks the descriptor has none either, and nobody takes the folder for abandoned. Throws Error
/// where the folder cannot be opened.
std::optional<files::Descriptor> hold(const std::filesystem::path& folder);

/// Removes this user's folders in `parent` whose names begin and end like this, and on which nobody holds a lock.
/// `prefix` must contain boot_word(). What cannot be removed is left.
void remove_abandoned(const std::filesystem::path& parent, std::string_view prefix, std::string_view suffix = "");

}  // namespace ifcert::conformance
