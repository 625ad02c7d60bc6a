// The path of the program ifcert: ifcert-confine and the installed project are beside it.
#pragma once

#include <filesystem>

namespace ifcert::conformance {

/// The path of this process's program, unless set_program_path() named another. Throws Error where it cannot be found.
std::filesystem::path program_path();

/// For a process of another program that uses this library (Python): the path of ifcert. Not safe to call while other
/// threads use the library.
void set_program_path(const std::filesystem::path& path);

}  // namespace ifcert::conformance
