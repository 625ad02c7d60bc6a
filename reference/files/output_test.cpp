// The writer, with each of its system calls failing in turn, and the process ending before each.
#include "reference/files/output.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdarg>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <optional>
#include <string>

namespace {

/// The fault of the writer's system calls: the one with that number, counted from 1, or all from it on.
struct Fault {
  enum class Kind : std::uint8_t { fail_once, fail_from, end_process };
  Kind kind = Kind::fail_once;
  int at = 0;
  int error = 0;
};

std::optional<Fault> fault;
int calls = 0;

/// Whether this call should fail.
bool befallen() {
  if (!fault) return false;
  ++calls;
  if (fault->kind == Fault::Kind::end_process && calls == fault->at) ::_exit(0);
  errno = fault->error;
  return fault->kind == Fault::Kind::fail_from ? calls >= fault->at : calls == fault->at;
}

}  // namespace

// NOLINTBEGIN(bugprone-reserved-identifier): the linker's names
extern "C" {
int __real_open(const char* path, int flags, ...);
ssize_t __real_write(int file, const void* bytes, size_t size);
int __real_fsync(int file);
int __real_fchown(int file, uid_t user, gid_t group);
int __real_fchmod(int file, mode_t mode);
int __real_rename(const char* from, const char* to);
int __real_unlink(const char* path);

int __wrap_open(const char* path, int flags, ...) {
  std::va_list more;
  va_start(more, flags);
  const mode_t mode = (flags & O_CREAT) != 0 ? va_arg(more, mode_t) : 0;
  va_end(more);
  return befallen() ? -1 : __real_open(path, flags, mode);
}

/// Where a write fails, half of it was written.
ssize_t __wrap_write(int file, const void* bytes, size_t size) {
  if (!befallen()) return __real_write(file, bytes, size);
  const int error = errno;
  if (__real_write(file, bytes, size / 2) < 0) return -1;
  errno = error;
  return -1;
}

int __wrap_fsync(int file) {
  return befallen() ? -1 : __real_fsync(file);
}

int __wrap_fchown(int file, uid_t user, gid_t group) {
  return befallen() ? -1 : __real_fchown(file, user, group);
}

int __wrap_fchmod(int file, mode_t mode) {
  return befallen() ? -1 : __real_fchmod(file, mode);
}

int __wrap_rename(const char* from, const char* to) {
  return befallen() ? -1 : __real_rename(from, to);
}

int __wrap_unlink(const char* path) {
  return befallen() ? -1 : __real_unlink(path);
}
}
// NOLINTEND(bugprone-reserved-identifier)

namespace ifcert::files {
namespace {

namespace fs = std::filesystem;
using testing::AnyOf;
using testing::Contains;
using testing::Pair;
using testing::UnorderedElementsAre;

using Folder = std::map<std::string, std::string>;  // name → content

const Folder old_model{{"m.bin", "old weights"}, {"m.xml", "old text"}};
const Folder new_model{{"m.bin", "new, longer weights"}, {"m.xml", "new, longer text"}};

class Output : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "ifcert_output_test_XXXXXX").string();
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    root_ = name;
  }
  void TearDown() override {
    fault.reset();
    fs::remove_all(root_);
  }

  /// Empties the folder and puts files there.
  void put(const Folder& files) const {
    fs::remove_all(root_);
    fs::create_directory(root_);
    for (const auto& [name, content] : files) std::ofstream(root_ / name, std::ios::binary) << content;
  }

  Folder found() const {
    Folder files;
    for (const auto& entry : fs::directory_iterator(root_)) {
      std::ifstream file(entry.path(), std::ios::binary);
      files[entry.path().filename().string()] = {std::istreambuf_iterator<char>(file), {}};
    }
    return files;
  }

  void write_new_model() const {
    const std::vector<OutputFile> files{{root_ / "m.bin", new_model.at("m.bin")},
                                        {root_ / "m.xml", new_model.at("m.xml")}};
    write_model_files(files);
  }

  void write_new_file() const {
    const OutputFile file{root_ / "f", "new, longer text"};
    write_files({&file, 1});
  }

  /// The files after the write, with that fault; nothing where the fault never occurred.
  std::optional<Folder> after(const Fault& injected, const Folder& before, const std::function<void()>& write) const {
    put(before);
    fault = injected;
    calls = 0;
    try {
      write();
      EXPECT_LT(calls, injected.at) << "the failure of call " << injected.at << " was not reported";
    } catch (const WriteError& error) {
      EXPECT_EQ(error.reason(), injected.error);
    }
    const bool came = calls >= injected.at;
    fault.reset();
    return came ? std::optional(found()) : std::nullopt;
  }

  fs::path root_;
};

/// Except for the last two calls, which remove the old files: the new ones are in place by then.
TEST_F(Output, WithTwoFilesLeavesTheOldPairWhereOneCallFails) {
  for (const int error : {ENOSPC, EIO}) {
    put(old_model);
    fault = Fault{Fault::Kind::fail_once, -1, error};
    calls = 0;
    write_new_model();
    const int needed = calls - 2;  // the two unlinks
    fault.reset();
    ASSERT_EQ(found(), new_model);
    for (int at = 1; at <= needed; ++at) {
      const auto left = after({Fault::Kind::fail_once, at, error}, old_model, [&] { write_new_model(); });
      ASSERT_TRUE(left);
      EXPECT_EQ(*left, old_model) << "call " << at;
    }
  }
}

TEST_F(Output, WithTwoNewFilesLeavesNothingWhereOneCallFails) {
  for (int at = 1;; ++at) {
    put({});
    fault = Fault{Fault::Kind::fail_once, at, ENOSPC};
    calls = 0;
    bool failed = false;
    try {
      write_new_model();
    } catch (const WriteError&) {
      failed = true;
    }
    const bool came = calls >= at;
    fault.reset();
    if (!came) break;
    EXPECT_TRUE(failed) << "call " << at;
    EXPECT_EQ(found(), Folder{}) << "call " << at;
  }
}

/// Never a new .bin beside an old .xml, or the reverse.
void expect_no_mixture(const Folder& left, const std::string& when) {
  const auto xml = left.find("m.xml");
  if (xml == left.end()) return;
  const Folder pair{*xml, {"m.bin", left.contains("m.bin") ? left.at("m.bin") : ""}};
  EXPECT_THAT(pair, AnyOf(old_model, new_model)) << when;
}

TEST_F(Output, WithTwoFilesLeavesNoMixtureWhereTheDiskFailsForGood) {
  for (int at = 1;; ++at) {
    put(old_model);
    fault = Fault{Fault::Kind::fail_from, at, EIO};
    calls = 0;
    std::string message;
    try {
      write_new_model();
    } catch (const WriteError& error) {
      message = error.what();
    }
    const bool came = calls >= at;
    fault.reset();
    if (!came) break;
    const Folder left = found();
    expect_no_mixture(left, "call " + std::to_string(at));
    EXPECT_THAT(left, Contains(Pair(testing::_, AnyOf("old text", "new, longer text"))));
    // The old files are there, or where the message says.
    for (const auto& [name, content] : left) {
      const bool is_said = !name.ends_with(".old") || left.contains("m.xml") || message.find(name) != std::string::npos;
      EXPECT_TRUE(is_said) << name;
    }
  }
}

TEST_F(Output, WithTwoFilesLeavesNoMixtureWhereTheProcessEnds) {
  bool without_xml = false;
  for (int at = 1;; ++at) {
    put(old_model);
    calls = 0;
    const pid_t child = ::fork();
    if (child == 0) {
      fault = Fault{Fault::Kind::end_process, at, 0};
      write_new_model();
      ::_exit(1);
    }
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    const Folder left = found();
    expect_no_mixture(left, "before call " + std::to_string(at));
    without_xml = without_xml || !left.contains("m.xml");
    if (WEXITSTATUS(status) == 1) {
      EXPECT_EQ(left, new_model);
      break;
    }
    EXPECT_THAT(left, Contains(Pair(testing::_, AnyOf("old text", "new, longer text"))));
  }
  EXPECT_TRUE(without_xml) << "the moment between the two was not seen";
}

TEST_F(Output, WithOneFileLeavesTheOldOneWhereACallFailsAndNeverNone) {
  const Folder before{{"f", "old"}};
  const Folder whole{{"f", "new, longer text"}};
  put(before);
  fault = Fault{Fault::Kind::fail_once, -1, ENOSPC};
  calls = 0;
  write_new_file();
  const int needed = calls;
  fault.reset();
  ASSERT_EQ(found(), whole);
  for (int at = 1; at <= needed; ++at) {
    const auto left = after({Fault::Kind::fail_once, at, ENOSPC}, before, [&] { write_new_file(); });
    ASSERT_TRUE(left);
    // Once renamed it is replaced, although its folder may not be on the disk yet.
    EXPECT_THAT(*left, AnyOf(before, whole)) << "call " << at;
  }
}

TEST_F(Output, WithSeveralFilesWritesAllBeforeReplacingOne) {
  put({{"a", "old"}, {"b", "old"}});
  fs::create_directory(root_ / "c");
  const std::vector<OutputFile> files{{root_ / "a", "new"}, {root_ / "b", "new"}, {root_ / "c", "new"}};
  EXPECT_THROW(write_files(files), WriteError);
  fs::remove(root_ / "c");
  EXPECT_THAT(found(), UnorderedElementsAre(Pair("a", "old"), Pair("b", "old")));
}

TEST_F(Output, KeepsAWriteProtectedFile) {
  put({{"f", "old"}});
  fs::permissions(root_ / "f", fs::perms(0400));
  if (::geteuid() == 0) {  // root may write in any case
    write_new_file();
    EXPECT_EQ(found().at("f"), "new, longer text");
  } else {
    EXPECT_THROW(write_new_file(), WriteError);
    EXPECT_EQ(found().at("f"), "old");
  }
}

}  // namespace
}  // namespace ifcert::files
