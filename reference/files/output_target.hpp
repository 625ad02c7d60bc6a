// Where the name of an output leads.
#pragma once

#include <sys/stat.h>

#include <filesystem>
#include <optional>

namespace ifcert::files {

struct OutputTarget {
  std::filesystem::path path;        // with symbolic links followed, so that no link is replaced
  std::optional<struct stat> there;  // nothing: there is no file yet
  bool is_open_already = false;      // /dev/stdout and the like: the file is open already and may have been written to

  bool is_regular() const { return there && S_ISREG(there->st_mode); }

  /// Whether the file is to be replaced or created; otherwise it is written in place.
  bool is_replaced() const { return !is_open_already && (!there || is_regular()); }
};

/// Throws WriteError where the name leads nowhere, to a folder, or to a file that the user may not write.
OutputTarget target_of(const std::filesystem::path& name);

}  // namespace ifcert::files
