#include "reference/files/output.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <fnmatch.h>
#include <sys/random.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <memory>
#include <ranges>
#include <system_error>
#include <utility>

#include "reference/files/descriptor.hpp"
#include "reference/files/output_target.hpp"

namespace ifcert::files {
namespace {

namespace fs = std::filesystem;

/// A name beside a file that no other file has yet.
fs::path name_beside(const fs::path& file, std::string_view ending) {
  constexpr std::size_t longest = 200;  // 255 bytes with the suffix
  std::uint64_t number = 0;
  while (::getrandom(&number, sizeof number, 0) < 0 && errno == EINTR) {
  }
  return file.parent_path() / fmt::format("{}.{:016x}{}", file.filename().string().substr(0, longest), number, ending);
}

/// Flushes to the disk whatever the file system can flush.
bool synced(int descriptor) {
  return ::fsync(descriptor) == 0 || errno == EINVAL || errno == ENOTSUP;
}

/// One output, from its name to its place.
class Writing {
 public:
  /// A file that replaces another is flushed to the disk first; `of_model` means that this one is flushed in any case.
  Writing(const OutputFile& file, const WriteOptions& options, bool of_model)
      : name_(file.path),
        bytes_(file.bytes),
        target_(target_of(file.path)),
        options_(options),
        is_synced_(of_model || target_.there) {}
  Writing(const Writing&) = delete;
  Writing& operator=(const Writing&) = delete;
  ~Writing() { discard(); }

  const fs::path& name() const { return name_; }
  const OutputTarget& target() const { return target_; }
  const fs::path& aside() const { return aside_; }

  /// Writes the new file beside the old one, or opens the file that is written in place.
  void prepare();

  /// Writes to a file that is not a regular one.
  void write_through();

  /// The steps of a replacement, and how each is undone. Undoing returns whether it succeeded.
  void set_old_aside();
  void put_in_place();
  bool take_from_place() noexcept;
  bool bring_old_back() noexcept;
  void drop_old() noexcept;

 private:
  [[noreturn]] void fail() const { throw WriteError(name_, errno); }
  void write();
  void take_after_old() const;
  void sync_folder() const;
  void discard() noexcept;

  fs::path name_;
  std::string_view bytes_;
  OutputTarget target_;
  const WriteOptions& options_;
  bool is_synced_;
  Descriptor open_;
  fs::path beside_;  // the new file, until it is in place
  fs::path aside_;   // the old file, where it was moved aside
};

void Writing::prepare() {
  if (!target_.is_replaced()) {
    const int flags = O_WRONLY | O_CLOEXEC | O_NOCTTY | (target_.is_open_already ? O_APPEND : 0);
    int descriptor = -1;
    while ((descriptor = ::open(target_.path.c_str(), flags)) < 0 && errno == EINTR) options_.on_interrupt();
    open_ = Descriptor(descriptor);
    if (!open_.is_open()) fail();
    return;
  }
  std::error_code ignored;  // open() will report it
  if (options_.make_folders && target_.path.has_parent_path())
    fs::create_directories(target_.path.parent_path(), ignored);
  const fs::path beside = name_beside(target_.path, ".tmp");
  const mode_t mode = target_.there ? 0600 : 0666;  // until it has the old file's mode, nobody else can read it
  open_ = Descriptor(::open(beside.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode));
  if (!open_.is_open()) fail();
  beside_ = beside;
  write();
  if (target_.there) take_after_old();
  if (is_synced_ && !synced(open_.number())) fail();
  open_.close();
}

void Writing::write_through() {
  if (!target_.is_replaced()) write();
}

void Writing::write() {
  for (std::string_view rest = bytes_; !rest.empty();) {
    const ssize_t count = ::write(open_.number(), rest.data(), rest.size());
    if (count < 0 && errno == EINTR) {
      options_.on_interrupt();
      continue;
    }
    if (count < 0) fail();
    rest.remove_prefix(static_cast<std::size_t>(count));
  }
}

/// Only root can give files to other users; the group may be one of the user's.
void Writing::take_after_old() const {
  const struct stat& old = *target_.there;
  constexpr auto as_it_is = static_cast<uid_t>(-1);
  int changed = ::fchown(open_.number(), old.st_uid, old.st_gid);
  if (changed != 0 && errno == EPERM) changed = ::fchown(open_.number(), as_it_is, old.st_gid);
  if (changed != 0 && errno != EPERM) fail();
  constexpr mode_t permissions = 0777;
  if (::fchmod(open_.number(), old.st_mode & permissions) != 0) fail();
}

void Writing::set_old_aside() {
  if (!target_.is_replaced() || !target_.there) return;
  const fs::path aside = name_beside(target_.path, ".old");
  if (::rename(target_.path.c_str(), aside.c_str()) != 0) fail();
  aside_ = aside;
  sync_folder();
}

void Writing::put_in_place() {
  if (!target_.is_replaced()) return;
  if (::rename(beside_.c_str(), target_.path.c_str()) != 0) fail();
  beside_.clear();
  sync_folder();
}

bool Writing::take_from_place() noexcept {
  const bool is_in_place = target_.is_replaced() && beside_.empty();
  return !is_in_place || ::unlink(target_.path.c_str()) == 0;
}

bool Writing::bring_old_back() noexcept {
  if (!aside_.empty() && ::rename(aside_.c_str(), target_.path.c_str()) != 0) return false;
  aside_.clear();
  return true;
}

void Writing::drop_old() noexcept {
  if (!aside_.empty()) ::unlink(aside_.c_str());
  aside_.clear();
}

void Writing::sync_folder() const {
  if (!is_synced_) return;
  const fs::path parent = target_.path.parent_path();
  const Descriptor folder(::open(parent.empty() ? "." : parent.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!folder.is_open() && errno == EACCES) return;  // it can be written but not read
  if (!folder.is_open() || !synced(folder.number())) fail();
}

void Writing::discard() noexcept {
  if (!beside_.empty()) ::unlink(beside_.c_str());
}

bool is_one_file(const OutputTarget& a, const OutputTarget& b) {
  if (a.is_regular() && b.is_regular()) return a.there->st_dev == b.there->st_dev && a.there->st_ino == b.there->st_ino;
  return !a.there && !b.there && a.path.lexically_normal() == b.path.lexically_normal();
}

void refuse_clashes(const std::vector<std::pair<fs::path, OutputTarget>>& outputs, const Paths& inputs) {
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const auto& [name, target] = outputs[i];
    for (std::size_t j = 0; j < i; ++j) {
      if (is_one_file(target, outputs[j].second))
        throw OutputClash(
            fmt::format("cannot write {}: it and {} are the same file", name.string(), outputs[j].first.string()));
    }
    for (const fs::path& input : inputs) {
      struct stat read {};
      if (!target.is_regular() || ::stat(input.c_str(), &read) != 0) continue;
      if (read.st_dev == target.there->st_dev && read.st_ino == target.there->st_ino)
        throw OutputClash(fmt::format("cannot write {}: {} is also an input", name.string(), name.string()));
    }
  }
}

using Writings = std::vector<std::unique_ptr<Writing>>;

/// Everything but the replacements: whatever can fail for lack of space has succeeded by then.
Writings prepared(std::span<const OutputFile> files, const WriteOptions& options, bool of_model) {
  Writings writings;
  std::vector<std::pair<fs::path, OutputTarget>> targets;
  for (const OutputFile& file : files) {
    writings.push_back(std::make_unique<Writing>(file, options, of_model));
    targets.emplace_back(file.path, writings.back()->target());
  }
  refuse_clashes(targets, options.inputs);
  for (const auto& writing : writings) writing->prepare();
  for (const auto& writing : writings) writing->write_through();
  return writings;
}

/// Where old files are saved that could not be restored.
std::string left_aside(const Writings& writings) {
  std::string text;
  for (const auto& writing : writings) {
    if (!writing->aside().empty())
      text += fmt::format("; the old {} is saved as {}", writing->name().string(), writing->aside().string());
  }
  return text;
}

/// Removes new files, dependent ones first, then restores the old ones in reverse order. Where that fails the rest is
/// left alone: no model is better than a mixture.
bool undone(const Writings& writings) noexcept {
  for (const auto& writing : std::views::reverse(writings)) {
    if (!writing->take_from_place()) return false;
  }
  for (const auto& writing : writings) {
    if (!writing->bring_old_back()) return false;
  }
  return true;
}

}  // namespace

void refuse_clashes(const Paths& outputs, const Paths& inputs) {
  std::vector<std::pair<fs::path, OutputTarget>> targets;
  for (const fs::path& output : outputs) targets.emplace_back(output, target_of(output));
  refuse_clashes(targets, inputs);
}

void write_files(std::span<const OutputFile> files, const WriteOptions& options) {
  for (const auto& writing : prepared(files, options, false)) writing->put_in_place();
}

void write_model_files(std::span<const OutputFile> files, const WriteOptions& options) {
  const Writings writings = prepared(files, options, true);
  if (writings.size() == 1) return writings.front()->put_in_place();
  try {
    for (const auto& writing : std::views::reverse(writings)) writing->set_old_aside();
    for (const auto& writing : writings) writing->put_in_place();
  } catch (const WriteError& error) {
    if (undone(writings)) throw;
    throw WriteError(error.path(), error.reason(), left_aside(writings));
  }
  for (const auto& writing : writings) writing->drop_old();
}

void write_new_file(const fs::path& path, std::string_view bytes) {
  const Descriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644));
  if (!file.is_open()) throw WriteError(path, errno);
  while (!bytes.empty()) {
    const ssize_t written = ::write(file.number(), bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) throw WriteError(path, errno);
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

void remove_leftovers(const fs::path& path) {
  const std::string pattern = path.filename().string() + ".*.tmp";
  std::error_code ignored;
  std::vector<fs::path> leftovers;
  for (const auto& entry : fs::directory_iterator(path.parent_path(), ignored)) {
    if (::fnmatch(pattern.c_str(), entry.path().filename().c_str(), 0) == 0) leftovers.push_back(entry.path());
  }
  for (const fs::path& leftover : leftovers) fs::remove(leftover, ignored);
}

}  // namespace ifcert::files
