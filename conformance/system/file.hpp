// Whole files: read at once, written under a temporary name and then renamed.
#pragma once

#include <filesystem>
#include <ifcert/message.hpp>  // what is read is often shown
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "reference/files/output.hpp"

namespace ifcert::conformance {

/// The bytes of a plain file. Throws Error when it cannot be read, or is a folder, a pipe, a socket or a device.
std::string read_file(const std::filesystem::path& path);

/// The same, but reads a pipe to its end, and waits for whoever writes to it.
std::string read_file_or_pipe(const std::filesystem::path& path);

/// The JSON document in the text of a file. Throws Error, naming the file, when it is not JSON or is refused as
/// parse_json() says.
nlohmann::json parsed_json(std::string_view text, const std::filesystem::path& path);

/// The JSON document in a file. Throws Error, naming the file, when it cannot be read, or for its text as above.
nlohmann::json read_json(const std::filesystem::path& path);

/// Writes one file as write_files() does; it must not be one of the inputs. Creates the folder where it is missing.
/// Throws Error.
void replace_file(const std::filesystem::path& path, std::string_view bytes, const files::Paths& inputs = {});

}  // namespace ifcert::conformance
