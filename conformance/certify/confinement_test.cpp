// Adapters that attack their confinement, exceed their limits, or leave things behind: in the namespaces that
// bubblewrap makes, and without. Attacks that only namespaces prevent are tested there alone (docs/security.md).
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <linux/keyctl.h>
#include <sys/shm.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "conformance/certify/certify.hpp"
#include "conformance/runtimes/session.hpp"
#include "conformance/sandbox/bubblewrap.hpp"
#include "conformance/system/command.hpp"
#include "conformance/system/file.hpp"
#include "conformance/system/schema.hpp"
#include "conformance/testing/test_project.hpp"
#include "conformance/testing/test_runner.hpp"

namespace ifcert::conformance {
namespace {

namespace fs = std::filesystem;
using testing::EndsWith;
using testing::HasSubstr;

enum class Within { name_spaces, nothing };

/// The number of processes whose command line contains `text`.
std::size_t processes_with(std::string_view text) {
  std::size_t count = 0;
  for (const auto& entry : fs::directory_iterator("/proc")) {
    std::ifstream file(entry.path() / "cmdline");
    const std::string command{std::istreambuf_iterator<char>(file), {}};
    if (command.find(text) != std::string::npos) ++count;
  }
  return count;
}

class Confined : public testing::TestWithParam<Within> {
 protected:
  void SetUp() override {
    if (within_name_spaces() && bubblewrap().version.empty()) GTEST_SKIP() << bubblewrap().why_not;
  }

  static bool within_name_spaces() { return GetParam() == Within::name_spaces; }

  Certification certified(const std::string& script, CertificationOptions options = {}) const {
    options.limits = {.message = patience, .start = patience, .memory = 256, .processes = 64};
    options.limits.seconds = script.starts_with("eats_cpu") ? 1 : script == "busy" ? 3 : 60;
    options.limits.bubblewrap = within_name_spaces();
    const Adapter adapter = project.adapter(script);
    return certify(project.project(), read_suite(project.project()), std::span(&adapter, 1), options);
  }

  /// The trap's result, once the others were seen to pass.
  Result trapped(const std::string& script) const {
    Result found;
    for (const Result& result : certified(script).results) {
      if (result.vector == trap)
        found = result;
      else
        EXPECT_EQ(verdict_line(result), "PASS") << result.vector << ": " << result.reason;
    }
    return found;
  }

  TestProject project;
};

INSTANTIATE_TEST_SUITE_P(Within, Confined, testing::Values(Within::name_spaces, Within::nothing),
                         [](const auto& within) {
                           return within.param == Within::nothing ? "nothing" : "name_spaces";
                         });

TEST_P(Confined, IsRecordedInTheResults) {
  const Certification certification = certified("honest", {.selection = {.vectors = {trap}}});
  EXPECT_EQ(certification.results.at(0).verdict, Verdict::pass) << certification.results.at(0).reason;
  EXPECT_THAT(certification.isolation.at("confined_by").get<std::string>(),
              testing::StartsWith(within_name_spaces() ? "bubblewrap " : "ifcert-confine alone: "));
}

TEST_P(Confined, FindsTheModelButNoAnswerBesideIt) {
  const Certification certification = certified("reads_the_answer");
  for (const Result& result : certification.results) {
    if (result.verdict == Verdict::not_shown || result.vector == "onnx/test/refuse/faulty") continue;
    EXPECT_EQ(verdict_line(result), "ADAPTER") << result.vector;
    EXPECT_THAT(result.reason, HasSubstr("nothing but model.onnx beside "));
    EXPECT_THAT(result.reason, HasSubstr("/vectors/onnx/generated/test/")) << "the report has the vector's own path";
  }
}

/// The checkout lies in a folder that the adapter sees, as it sees /opt.
TEST_P(Confined, FindsNoAnswerInTheFilesOrTheHistoryOfTheCheckout) {
  const TemporaryFolder shown;
  const TestProject checkout("test_data", shown.path());
  const std::string root = checkout.project().root.string();
  Adapter adapter = checkout.adapter("answers_from_the_checkout");
  adapter.reads.push_back(shown.path());
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"init", "--quiet"},
        {"add", "vectors"},
        {"-c", "user.name=u", "-c", "user.email=u@example.org", "commit", "--quiet", "--message", "m"}}) {
    std::vector<std::string> command{"git", "-C", root};
    command.insert(command.end(), words.begin(), words.end());
    run_to_end(command);
  }
  ::setenv("IFCERT_VICTIMS", root.c_str(), 1);
  CertificationOptions options{.selection = {.vectors = {trap}}};
  options.limits.bubblewrap = within_name_spaces();
  const auto result = [&] {
    return certify(checkout.project(), read_suite(checkout.project()), std::span(&adapter, 1), options).results.at(0);
  };
  const auto is_as_promised = [](const Result& found) {
    if (!within_name_spaces()) return verdict_line(found) == "PASS";
    return verdict_line(found) == "ADAPTER" && found.reason.ends_with("no answer is visible");
  };
  EXPECT_TRUE(is_as_promised(result())) << result().reason;
  const fs::path hidden = shown.path() / "not-found-by-the-adapter";
  fs::rename(checkout.project().vectors(), hidden);
  fs::create_directory_symlink(hidden, checkout.project().vectors());
  EXPECT_TRUE(is_as_promised(result())) << "from the history alone: " << result().reason;
}

TEST_P(Confined, IsStoppedWhenItUsesMemoryWithoutLimit) {
  for (const char* script : {"grows", "grows_in_a_child"}) {
    const Result result = trapped(script);
    EXPECT_EQ(verdict_line(result), "MEMORY") << script << ": " << result.reason;
    EXPECT_THAT(result.reason, testing::MatchesRegex("the process was killed because it used [0-9]+ MiB of memory; the "
                                                     "limit is 256 MiB"));
  }
}

TEST_P(Confined, IsNotBlamedForMemoryWhereItRefusesTheModelOnceItGetsNoMore) {
  const CertificationOptions options{.selection = {.vectors = {faulty, trap}}};
  for (const Result& result : certified("takes_what_it_gets", options).results)
    EXPECT_EQ(verdict_line(result), result.vector == faulty ? "PASS" : "MEMORY") << result.vector << result.reason;
}

TEST_P(Confined, IsNotBlamedForMemoryThatEarlierModelsLeaked) {
  for (const Result& result : certified("leaks", {.jobs = 1}).results)
    EXPECT_EQ(verdict_line(result), "PASS") << result.vector << ": " << result.reason;
}

TEST_P(Confined, IsStoppedAfterTheLastAnswerToo) {
  const Adapter adapter = project.adapter("grows_after_bye");
  const Schema answers(project.project().protocol("answer.schema.json"));
  const Limits limits{.memory = 256, .bubblewrap = within_name_spaces()};
  for (const auto farewell : {&Session::say_bye, &Session::close_input}) {
    Session session(project.project(), adapter, answers, limits);
    ASSERT_FALSE(session.start()) << "there was no failure";
    EXPECT_THAT((session.*farewell)(), HasSubstr("it used "));
  }
}

TEST_P(Confined, MayShareMemoryBetweenProcesses) {
  const Certification certification = certified("shares_memory", {.selection = {.vectors = {trap}}});
  EXPECT_EQ(certification.results.at(0).verdict, Verdict::pass) << certification.results.at(0).reason;
}

TEST_P(Confined, IsStoppedWhenItStartsProcessesWithoutLimit) {
  const Result result = trapped("fork_bomb");
  EXPECT_EQ(verdict_line(result), "CRASH");
  EXPECT_THAT(result.reason, HasSubstr("processes; the limit is 64"));
}

TEST_P(Confined, IsStoppedWhenItStartsThreadsWithoutLimit) {
  const Result result = trapped("starts_threads");
  EXPECT_EQ(verdict_line(result), "CRASH");
  EXPECT_THAT(result.reason, HasSubstr("threads; the limit is 4096"));
}

TEST_P(Confined, IsStoppedWhenItUsesProcessorTimeWithoutLimit) {
  for (const char* script : {"eats_cpu", "eats_cpu_in_short_lives"}) {
    const Result result = trapped(script);
    EXPECT_EQ(verdict_line(result), "TIMEOUT") << script;
    EXPECT_THAT(result.reason, HasSubstr("s of processor time; the limit is 1 s")) << script;
  }
}

TEST_P(Confined, IsNotChargedForTheProcessorTimeOfOtherVectors) {
  for (const Result& result : certified("busy").results) {
    EXPECT_EQ(verdict_line(result), "PASS") << result.vector << ": " << result.reason;
  }
}

TEST_P(Confined, CanOpenOnlyALimitedNumberOfFiles) {
  EXPECT_THAT(trapped("opens_files").reason, HasSubstr("Too many open files"));
}

TEST_P(Confined, HasANetworkOfItsOwnWherePermitted) {
  const Certification certification = certified("calls_home", {.selection = {.vectors = {trap}}});
  if (certification.isolation.at("network") != "a namespace of its own") GTEST_SKIP() << certification.isolation;
  EXPECT_THAT(certification.results.at(0).reason, EndsWith("networks: lo"));
}

TEST_P(Confined, LeavesNoFileBehind) {
  const std::string reason = trapped("writes_files").reason;
  const fs::path home = reason.substr(reason.rfind(' ') + 1);
  EXPECT_THAT(home.string(), HasSubstr("ifcert-"));
  EXPECT_FALSE(fs::exists(home)) << home;
}

TEST_P(Confined, LeavesNoProcessBehind) {
  EXPECT_EQ(verdict_line(trapped("forks")), "CRASH");
  for (const Result& result : certified("leaves_a_child", {.jobs = 2}).results)
    EXPECT_EQ(verdict_line(result), "PASS") << result.vector << ": " << result.reason;
  EXPECT_EQ(processes_with(project.mark()), 0U);
}

TEST_P(Confined, DoesNotGetItsUsersEnvironment) {
  ::setenv("IFCERT_SECRET", "token", 1);
  const std::string reason = trapped("tells_the_environment").reason;
  EXPECT_THAT(reason, HasSubstr("in its own: False"));
  if (within_name_spaces()) {
    EXPECT_THAT(reason, EndsWith("in all: 0"));
  }
}

TEST_P(Confined, NeitherFindsNorLeavesKeysInTheSessionsKeyring) {
  if (::syscall(SYS_keyctl, KEYCTL_JOIN_SESSION_KEYRING, nullptr) < 0) GTEST_SKIP() << "this system has no keyrings";
  const auto key_in_session = [](const char* name) {
    return ::syscall(SYS_keyctl, KEYCTL_SEARCH, KEY_SPEC_SESSION_KEYRING, "user", name, 0) > 0;
  };
  ::syscall(SYS_add_key, "user", "ifcert-secret", "x", 1, KEY_SPEC_SESSION_KEYRING);
  ASSERT_TRUE(key_in_session("ifcert-secret"));
  EXPECT_THAT(trapped("finds_keys").reason, EndsWith("key found: False"));
  EXPECT_FALSE(key_in_session("ifcert-liar"));
}

TEST_P(Confined, CannotCauseAMountedFolderToBeRemoved) {
  const TemporaryFolder victim;
  std::ofstream(victim.path() / "kept") << "x";
  ::setenv("IFCERT_VICTIMS", victim.path().c_str(), 1);
  EXPECT_THAT(trapped("mounts_a_folder").reason, EndsWith("mounted: False"));
  EXPECT_TRUE(fs::exists(victim.path() / "kept"));
}

/// Attacks that only namespaces prevent: elsewhere an adapter may do to its user's processes and files whatever its
/// user may.
class ConfinedInNameSpaces : public Confined {};

INSTANTIATE_TEST_SUITE_P(Within, ConfinedInNameSpaces, testing::Values(Within::name_spaces),
                         [](const auto& /*within*/) { return "name_spaces"; });

TEST_P(ConfinedInNameSpaces, SeesNoneOfTheProcessesThatWatchIt) {
  for (const char* script : {"kills_its_guard", "stops_its_guard"}) {
    EXPECT_THAT(trapped(script).reason, EndsWith("guards seen: 0")) << script;
    EXPECT_EQ(processes_with(std::string("sleep\0001000.25", 13)), 0U) << script;
  }
}

TEST_P(ConfinedInNameSpaces, CannotForgeReportsAboutItself) {
  const Result result = trapped("forges_its_end");
  EXPECT_EQ(verdict_line(result), "ADAPTER");
  EXPECT_THAT(result.reason, EndsWith("reports forged: 0"));
}

TEST_P(ConfinedInNameSpaces, NeitherSeesNorWritesVectorsResultsAndItsOwnProgram) {
  const TemporaryFolder out;
  ::setenv("IFCERT_VICTIMS", (project.project().vectors().string() + ":" + out.path().string()).c_str(), 1);
  EXPECT_THAT(trapped("writes_where_it_may_not").reason, EndsWith("seen: 0, written: 0"));
  EXPECT_TRUE(fs::is_empty(out.path()));
}

TEST_P(ConfinedInNameSpaces, LeavesNoSharedMemoryBehind) {
  EXPECT_THAT(trapped("leaves_shared_memory").reason, EndsWith("shared memory made: True"));
  EXPECT_FALSE(fs::exists("/dev/shm/ifcert-liar"));
  EXPECT_EQ(::shmget(0x1FCE27, 0, 0), -1);
}

TEST_P(ConfinedInNameSpaces, HasTheFilesInItsFoldersCounted) {
  const Result result = trapped("fills_its_folders");
  EXPECT_EQ(verdict_line(result), "MEMORY") << result.reason;
}

TEST_P(ConfinedInNameSpaces, HasTheNamesOfEmptyFilesCountedToo) {
  const Result result = trapped("makes_empty_files");
  EXPECT_EQ(verdict_line(result), "MEMORY") << result.reason;
}

}  // namespace
}  // namespace ifcert::conformance
