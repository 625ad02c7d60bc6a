// Whole files of the runner and of commands. (Those of models and weights: file_bytes.hpp.)
#pragma once

#include <filesystem>
#include <string>

namespace ifcert::files {

/// The bytes of a plain file. Throws Error when it cannot be read, or is a folder, a pipe, a socket or a device.
std::string read_plain_file(const std::filesystem::path& path);

/// The same, but reads a pipe to its end, and waits for whoever writes to it.
std::string read_plain_file_or_pipe(const std::filesystem::path& path);

}  // namespace ifcert::files
