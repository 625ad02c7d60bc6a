#include "conformance/suite/model_folder.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "conformance/system/digest.hpp"
#include "conformance/system/error.hpp"
#include "conformance/system/remove_folder.hpp"
#include "reference/files/output.hpp"

namespace ifcert::conformance {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t opaque_length = 16;

[[noreturn]] void fail(const fs::path& path) {
  throw Error(fmt::format("cannot place a model for an adapter at {}: {}", path.string(), std::strerror(errno)));
}

void make_folder(const fs::path& path) {
  if (::mkdir(path.c_str(), 0755) != 0 && errno != EEXIST) fail(path);
}

std::string replaced(std::string text, const std::string& old, const std::string& by) {
  for (std::size_t at = 0; (at = text.find(old, at)) != std::string::npos; at += by.size()) {
    text.replace(at, old.size(), by);
  }
  return text;
}

}  // namespace

fs::path original_path(const ModelFiles& files) {
  return files.origin / fs::path(files.name + fs::path(files.model).extension().string());
}

std::string opaque_name(const ModelFiles& files) {
  std::string all;
  for (const auto& [name, bytes] : files.bytes) all += fmt::format("{} {}\n", name.string(), sha256(bytes));
  return sha256(all).substr(0, opaque_length);
}

fs::path ModelFolder::memory_folder() {
  const fs::path shared = "/dev/shm";
  return ::access(shared.c_str(), R_OK | W_OK | X_OK) == 0 ? shared : folder_for_temporary_files();
}

fs::path ModelFolder::put(const ModelFiles& files) {
  clear();
  origin_ = files.origin;
  name_ = files.name;
  model_folder_ = path() / files.folder;
  make_folder(model_folder_);
  for (const auto& [name, bytes] : files.bytes) {
    files_.push_back(model_folder_ / name);
    if (name.has_parent_path()) {
      files_.back() = files_.back().lexically_normal();
      make_folder(files_.back().parent_path());
    }
    files::write_new_file(files_.back(), bytes);
  }
  return model_folder_ / files.model;
}

/// Keeps folder_ itself, which is mounted in the adapter's namespace. Unlinks files instead of overwriting them,
/// because a runtime may still have them mapped.
void ModelFolder::clear() {
  if (files_.empty()) return;
  for (const fs::path& file : files_) {
    ::unlink(file.c_str());
    if (file.parent_path() != model_folder_) ::rmdir(file.parent_path().c_str());
  }
  files_.clear();
  if (::rmdir(model_folder_.c_str()) != 0) remove_tree(model_folder_);  // the adapter wrote something there
}

std::string ModelFolder::with_original_paths(std::string text) const {
  if (model_folder_.empty()) return text;
  text = replaced(std::move(text), (model_folder_ / "model.").native(), (origin_ / (name_ + ".")).native());
  return replaced(std::move(text), model_folder_.native(), origin_.native());
}

}  // namespace ifcert::conformance
