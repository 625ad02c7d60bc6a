// What an adapter is handed of a vector: the model with its data, in a folder whose name tells nothing.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "conformance/temporary_folder.hpp"

namespace ifcert::conformance {

/// The files that an adapter may read of a vector: the model, what it refers to, and nothing that says what is
/// expected. The bytes are those whose digests were verified.
struct ModelFiles {
  std::string model;                                     // the model's name among them
  std::map<std::filesystem::path, std::string> bytes{};  // by path, relative to the model's folder
  std::filesystem::path origin{};                        // that folder among the vectors
  std::string folder{};                                  // what it is called where an adapter sees it
};

/// "3f9c01d2…", a folder's name made of the files' names and bytes: it tells no more than they do.
std::string opaque_name(const ModelFiles& files);

/// The folder from which one adapter process reads models, one model at a time. It lies in memory where the system has
/// a place for that (/dev/shm).
class ModelFolder {
 public:
  const std::filesystem::path& path() const { return folder_.path(); }

  /// Puts the model there, in the place of the one before, and says where it lies. Throws Error.
  std::filesystem::path place(const ModelFiles& files);

  /// A text of the adapter's, with the model's own folder in the place of the one it was handed in.
  std::string explained(std::string text) const;

 private:
  void clear();
  static std::filesystem::path memory();

  TemporaryFolder folder_{memory()};
  std::filesystem::path placed_, origin_;
  std::vector<std::filesystem::path> files_;  // what was written
};

}  // namespace ifcert::conformance
