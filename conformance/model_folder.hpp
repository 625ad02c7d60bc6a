// The part of a vector that an adapter is passed: the model with its data, in a folder whose name reveals nothing.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "conformance/temporary_folder.hpp"

namespace ifcert::conformance {

/// The files of a vector that an adapter may read: the model, the files that it refers to, and nothing that shows what
/// is expected. The bytes are those whose digests were verified.
struct ModelFiles {
  std::string model;                                     // the model's name among them
  std::map<std::filesystem::path, std::string> bytes{};  // by path, relative to the model's folder
  std::filesystem::path origin{};                        // that folder among the vectors
  std::string folder{};                                  // the folder's name as an adapter sees it
};

/// "3f9c01d2…", a folder's name derived from the files' names and bytes: it reveals no more than they do.
std::string opaque_name(const ModelFiles& files);

/// The folder from which one adapter process reads models, one model at a time. It is in memory where the system has a
/// place for that (/dev/shm).
class ModelFolder {
 public:
  const std::filesystem::path& path() const { return folder_.path(); }

  /// Puts the model there in place of the one before, and returns its path. Throws Error.
  std::filesystem::path put(const ModelFiles& files);

  /// A text of the adapter's in which the model's folder among the vectors replaces the one that the adapter saw.
  std::string explained(std::string text) const;

 private:
  void clear();
  static std::filesystem::path memory();

  TemporaryFolder folder_{memory()};
  std::filesystem::path model_folder_, origin_;  // of the model that is there now
  std::vector<std::filesystem::path> files_;     // the files that were written
};

}  // namespace ifcert::conformance
