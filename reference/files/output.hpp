// The one place that writes the files of commands and of Python's `save`.
//
// A name that leads to a file is replaced: the new file is written beside it, flushed to the disk and renamed, with the
// mode and, where that is allowed, the owner of the old one. Symbolic links are followed. A file that is not a regular
// one (a device, a pipe) is written in place.
#pragma once

#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reference/files/error.hpp"

namespace ifcert::files {

/// An output that must not be written because it is also an input, or another output.
class OutputClash : public Error {
 public:
  using Error::Error;
};

struct OutputFile {
  std::filesystem::path path;
  std::string_view bytes;
};

using Paths = std::vector<std::filesystem::path>;

/// Throws OutputClash where an output is one of the inputs, or two outputs are the same file, whatever their names and
/// links.
void refuse_clashes(const Paths& outputs, const Paths& inputs);

struct WriteOptions {
  Paths inputs = {};                           // files that no output may be
  bool make_folders = false;                   // missing folders on the way to an output
  std::function<void()> on_interrupt = [] {};  // called where a signal interrupts; may throw
};

/// Writes files that are independent of each other. All are on the disk before the first is replaced; each is replaced
/// in one step. Throws WriteError and OutputClash.
void write_files(std::span<const OutputFile> files, const WriteOptions& options = {});

/// Writes the files of one model, those that others need first: all are replaced or none is. If the process is stopped
/// in between, the last file, by which the model is read, is missing, so that old and new are never mixed. Throws
/// WriteError and OutputClash.
void write_model_files(std::span<const OutputFile> files, const WriteOptions& options = {});

/// Writes a file that does not exist yet and that nobody reads until then: not beside its place, and not flushed to the
/// disk, which is faster. Throws WriteError.
void write_new_file(const std::filesystem::path& path, std::string_view bytes);

/// Removes the temporary files that write_files() of killed processes has left beside a path. No process may be writing
/// it.
void remove_leftovers(const std::filesystem::path& path);

}  // namespace ifcert::files
