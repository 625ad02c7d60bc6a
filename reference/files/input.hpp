// Whole files of the runner and of commands, and standard input. (Files of models and weights: file_bytes.hpp. The
// pipes of other processes and what the kernel says in /proc are no files of anybody: those who start or watch a
// process read them.)
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

namespace ifcert::files {

/// The bytes of a plain file. Throws Error when it cannot be read, or is a folder, a pipe, a socket or a device.
std::string read_plain_file(const std::filesystem::path& path);

/// The same, but reads a pipe to its end, and waits for whoever writes to it.
std::string read_plain_file_or_pipe(const std::filesystem::path& path);

/// Standard input to its end. Throws Error where it cannot be read, or has more than `limit` bytes, whole GiB.
std::string read_standard_input(std::size_t limit);

}  // namespace ifcert::files
