// A model's file with other contents, beside the same data: what `check --fix` and `specialise` write.
#pragma once

#include <ifcert/reading.hpp>
#include <string>

namespace ifcert::conformance {

/// Throws Error where OUT has another extension than the model, or its folder does not exist.
void require_edited_name(const std::string& model, const std::string& out);

/// Writes these bytes (of IR the .bin beside them, too). `reading` is that of the model. Throws Error, also where OUT
/// is one of the model's own files, and where external data would not be found from there.
void write_edited(const Reading& reading, const std::string& model, const std::string& out, const std::string& bytes);

}  // namespace ifcert::conformance
