// The one place that writes the files of commands and of Python's `save`.
//
// A name that leads to a file is replaced: the new file is written beside it, brought to the disk and renamed, with the
// mode and, where that is allowed, the owner of the old one. Symbolic links are followed. What is not a regular file (a
// device, a pipe) is written to.
#pragma once

#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "files/error.hpp"

namespace ifcert::files {

/// A file that the operating system does not let us write.
class WriteError : public Error {
 public:
  WriteError(const std::filesystem::path& path, int reason, const std::string& more = "");
  const std::filesystem::path& path() const { return path_; }
  int reason() const { return reason_; }  // an errno

 private:
  std::filesystem::path path_;
  int reason_;
};

/// An output that must not be written: it is an input too, or another output.
class OutputClash : public Error {
 public:
  using Error::Error;
};

struct OutputFile {
  std::filesystem::path path;
  std::string_view bytes;
};

using Paths = std::vector<std::filesystem::path>;

/// Throws OutputClash where an output is one of the inputs, or two outputs are one file, by whatever names and links.
void refuse_clashes(const Paths& outputs, const Paths& inputs);

struct WriteOptions {
  Paths inputs = {};                           // what no output may be
  bool make_folders = false;                   // those that are missing on the way to an output
  std::function<void()> on_interrupt = [] {};  // called where a signal interrupts; may throw
};

/// Writes files that have nothing to do with each other. All are on the disk before the first is replaced, each is
/// replaced in one step. Throws WriteError and OutputClash.
void write_files(std::span<const OutputFile> files, const WriteOptions& options = {});

/// Writes the files of one model, those first that others need: all are replaced or none is. Whoever is stopped in
/// between leaves the last one, by which the model is read, not there, and so no mixture of old and new. Throws
/// WriteError and OutputClash.
void write_model_files(std::span<const OutputFile> files, const WriteOptions& options = {});

}  // namespace ifcert::files
