// ifcert check MODEL --fix -o OUT: the model's file without the breaches that leave it one meaning.
#pragma once

#include <string>

#include "conformance/commands/checked_file.hpp"

namespace ifcert::conformance {

/// Writes the mended file (of IR the .bin beside it, too), and checks it. Every other byte is that of the model's file.
/// Throws Error, also where OUT has another extension or is one of the model's own files, and UnreadableModel.
CheckedFile write_mended(const std::string& model, const std::string& out);

}  // namespace ifcert::conformance
