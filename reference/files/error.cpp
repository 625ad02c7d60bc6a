#include "reference/files/error.hpp"

#include <fmt/format.h>

#include <cstring>

namespace ifcert::files {

WriteError::WriteError(const std::filesystem::path& path, int reason, const std::string& more)
    : Error(fmt::format("cannot write {}: {}{}", path.string(), std::strerror(reason), more)),
      path_(path),
      reason_(reason) {}

}  // namespace ifcert::files
