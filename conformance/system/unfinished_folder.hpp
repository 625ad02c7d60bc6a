// A folder that is filled beside its final place and then renamed, so that the final one is complete or does not exist.
#pragma once

#include <filesystem>
#include <optional>

#include "reference/files/descriptor.hpp"

namespace ifcert::conformance {

class UnfinishedFolder {
 public:
  /// Makes a new folder beside `folder`, whose parents it creates, and removes those that killed processes have left
  /// there (abandoned_folders.hpp). Throws files::WriteError.
  explicit UnfinishedFolder(const std::filesystem::path& folder);
  UnfinishedFolder(const UnfinishedFolder&) = delete;
  UnfinishedFolder& operator=(const UnfinishedFolder&) = delete;
  /// Removes the folder where it was not finished.
  ~UnfinishedFolder();

  const std::filesystem::path& path() const { return path_; }

  /// Lets the programs that this one starts inherit the lock: if this process is killed, they may still be writing.
  void share();

  /// Gives the folder its final name, which must be free.
  void finish();

 private:
  std::filesystem::path final_, path_;
  std::optional<files::Descriptor> lock_;
};

}  // namespace ifcert::conformance
