// The part of a vector that an adapter is passed: the model with its data, in a folder whose name reveals nothing about
// the vector.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "conformance/system/temporary_folder.hpp"

namespace ifcert::conformance {

/// A tensor that every run of a vector feeds to one input: its numbers as the protocol has them, row by row,
/// little-endian, none of them smaller than a byte.
struct FedTensor {
  std::string input;
  std::vector<std::int64_t> dims;
  std::string bytes;
};

/// The files of a vector that an adapter may read: the model and the files to which it refers, without the expected
/// outcome. Their digests have been verified.
struct ModelFiles {
  std::string model;                                     // the name of the model's file
  std::map<std::filesystem::path, std::string> bytes{};  // of each file, by path relative to the model's folder
  std::filesystem::path origin{};                        // the model's folder among the vectors
  std::string folder{};                                  // the name of the folder that an adapter sees
  /// The name of the model's file among the vectors, without the extension: that of the case where the model is beside
  /// others. Adapters see "model".
  std::string name = "model";
  std::vector<FedTensor> fed{};  // what all runs of the vector feed alike; rewritings alone read it
};

/// The path of the model among the vectors.
std::filesystem::path original_path(const ModelFiles& files);

/// A folder's name, "3f9c01d2…", that is derived from the files' names and bytes alone, so it reveals nothing more.
std::string opaque_name(const ModelFiles& files);

/// The folder from which one adapter process reads models, one model at a time. It is in memory if the system has a
/// folder for that (/dev/shm).
class ModelFolder {
 public:
  const std::filesystem::path& path() const { return folder_.path(); }
  int lock() const { return folder_.lock(); }

  /// Replaces the model in the folder by this one, and returns its path. Throws Error.
  std::filesystem::path put(const ModelFiles& files);

  /// A text that the adapter printed; in its paths, the folder that the adapter saw is replaced by the model's folder
  /// among the vectors, and the model's name by the one that it has there.
  std::string with_original_paths(std::string text) const;

 private:
  void clear();
  static std::filesystem::path memory_folder();

  TemporaryFolder folder_{memory_folder()};
  std::filesystem::path model_folder_, origin_;  // of the present model
  std::string name_;                             // of its file among the vectors, without the extension
  std::vector<std::filesystem::path> files_;     // the files that were written
};

}  // namespace ifcert::conformance
