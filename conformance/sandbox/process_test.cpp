#include "conformance/sandbox/process.hpp"

#include <gmock/gmock.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <fstream>
#include <memory>
#include <thread>

#include "conformance/system/error.hpp"
#include "conformance/system/program_path.hpp"
#include "conformance/system/temporary_folder.hpp"

namespace ifcert::conformance {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;
using testing::HasSubstr;
using testing::ThrowsMessage;

constexpr milliseconds patience{120'000};  // longer than anything takes on any machine: no test waits for it

class Shell : public testing::Test {
 protected:
  std::unique_ptr<Process> started(const char* script) const {
    return std::make_unique<Process>(std::vector<std::string>{"sh", "-c", script},
                                     std::map<std::string, std::string>{{"GREETING", "hello"}}, folder.path());
  }

  TemporaryFolder folder;
};

TEST_F(Shell, AnswersLineByLine) {
  const auto cat = started("cat");
  EXPECT_EQ(cat->exchange("one", patience).text, "one");
  const std::string long_line(1U << 22U, 'x');
  EXPECT_EQ(cat->exchange(long_line, patience).text, long_line) << "longer than any pipe";
  EXPECT_EQ(cat->end(patience).exit_code, 0);
}

TEST_F(Shell, RunsInItsFolderWithItsEnvironment) {
  const auto shell = started("read line; echo $GREETING $(pwd)");
  EXPECT_EQ(shell->exchange("", patience).text, "hello " + folder.path().string());
}

TEST_F(Shell, ReportsHowItEnded) {
  const auto exits = started("read line; exit 3");
  EXPECT_EQ(exits->exchange("", patience).kind, Reply::Kind::ended);
  EXPECT_EQ(exit_status_text(exits->end(patience)), "ended with exit code 3");
  const auto dies = started("read line; kill -SEGV $$");
  EXPECT_EQ(dies->exchange("", patience).kind, Reply::Kind::ended);
  EXPECT_EQ(dies->end(patience).signal, SIGSEGV);
}

/// Whether a process exists and is not just an entry that waits to be collected.
bool is_running(pid_t id) {
  std::ifstream file("/proc/" + std::to_string(id) + "/stat");
  std::string number;
  std::string name;
  std::string state;
  return file >> number >> name >> state && state != "Z";
}

TEST_F(Shell, IsKilledWithItsWholeGroup) {
  const auto shell = started("sleep 1000 & echo $!; wait");
  const pid_t child = std::stoi(shell->exchange("", patience).text);
  EXPECT_TRUE(is_running(child));
  EXPECT_EQ(exit_status_text(shell->end(milliseconds(0))), "had to be killed");
  const auto deadline = steady_clock::now() + patience;
  while (is_running(child) && steady_clock::now() < deadline) std::this_thread::sleep_for(milliseconds(5));
  EXPECT_FALSE(is_running(child));
}

TEST_F(Shell, IsKilledWithProcessesThatLeftItsSession) {
  const auto shell = started("setsid sh -c 'sleep 1000 & echo $!; wait' & wait");
  const pid_t child = std::stoi(shell->exchange("", patience).text);
  EXPECT_TRUE(is_running(child));
  shell->end(milliseconds(0));
  EXPECT_FALSE(is_running(child));
}

TEST_F(Shell, DoesNotKillOrphansOfAnotherProcess) {
  const auto one = started("(setsid sleep 1000 & echo $!) ; cat");
  const auto other = started("(setsid sleep 1000 & echo $!) ; cat");
  const pid_t first = std::stoi(one->exchange("", patience).text);
  const pid_t second = std::stoi(other->exchange("", patience).text);
  one->end(milliseconds(0));
  EXPECT_FALSE(is_running(first));
  EXPECT_TRUE(is_running(second));
}

TEST_F(Shell, DoesNotOutliveARunnerThatIsKilled) {
  std::array<int, 2> ends{};
  ASSERT_EQ(::pipe(ends.data()), 0);
  const TemporaryFolder home;
  const pid_t runner = ::fork();
  if (runner == 0) {
    Process adapter({"sh", "-c", "setsid sleep 1000 & echo $!; cat"}, {}, home.path());
    const std::string child = adapter.exchange("", patience).text + "\n";
    if (::write(ends[1], child.data(), child.size()) < 0) ::_exit(1);
    ::pause();
  }
  ::close(ends[1]);
  std::array<char, 32> text{};
  ASSERT_GT(::read(ends[0], text.data(), text.size() - 1), 0);
  ::close(ends[0]);
  const pid_t child = std::stoi(text.data());
  EXPECT_TRUE(is_running(child));
  ::kill(runner, SIGKILL);
  ::waitpid(runner, nullptr, 0);
  const auto deadline = steady_clock::now() + patience;
  const auto left = [&] { return is_running(child) || std::filesystem::exists(home.path()); };
  while (left() && steady_clock::now() < deadline) std::this_thread::sleep_for(milliseconds(5));
  EXPECT_FALSE(left());
}

/// A runner that is killed before the adapter has started: nobody reads what ifcert-confine reports.
TEST_F(Shell, DoesNotOutliveARunnerThatIsKilledBeforeItHasStarted) {
  const std::string confine = (program_path().parent_path() / "ifcert-confine").string();
  const TemporaryFolder home;
  const pid_t started = ::fork();
  if (started == 0) {
    std::array<int, 2> ends{};
    if (::pipe(ends.data()) != 0) ::_exit(1);
    ::close(ends[0]);
    const std::string report = std::to_string(ends[1]);
    ::execl(confine.c_str(), confine.c_str(), report.c_str(), "nothing", "64", "8", "64", "1000", "0",
            home.path().c_str(), home.path().c_str(), "sleep", "1000", nullptr);
    ::_exit(1);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(started, &status, 0), started);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << "status " << status;
  EXPECT_FALSE(std::filesystem::exists(home.path()));
}

TEST_F(Shell, IsKnownToBeDeadAlthoughAChildKeepsItsOutputOpen) {
  const auto shell = started("sleep 1000 & read line; exit 4");
  const auto begin = steady_clock::now();
  EXPECT_EQ(shell->exchange("", patience).kind, Reply::Kind::ended);
  EXPECT_LT(steady_clock::now() - begin, patience / 2);
  EXPECT_EQ(shell->end(patience).exit_code, 4);
}

TEST_F(Shell, ThatDoesNotReadDoesNotBlockUs) {
  const auto shell = started("sleep 1000");
  EXPECT_EQ(shell->exchange(std::string(1U << 22U, 'x'), milliseconds(100)).kind, Reply::Kind::silent);
}

TEST_F(Shell, ThatClosedItsInputDoesNotEndUs) {
  const auto shell = started("exec 0<&-; echo closed; sleep 0.3; echo gone");
  EXPECT_EQ(shell->exchange("", patience).text, "closed");
  EXPECT_EQ(shell->exchange("more", patience).text, "gone");
}

TEST_F(Shell, LeavesTheEndOfItsStandardError) {
  const auto shell =
      started("head -c 100000 /dev/zero | tr '\\0' a >&2; printf 'the end\\377' >&2; read line; echo done");
  EXPECT_EQ(shell->exchange("", patience).text, "done");
  const std::string errors = shell->take_error_output();
  EXPECT_THAT(errors, HasSubstr("athe end\xef\xbf\xbd"));
  EXPECT_LE(errors.size(), max_error_output + 2);
  EXPECT_EQ(shell->take_error_output(), "");
}

TEST(Process, ThatCannotBeStartedIsAnError) {
  const TemporaryFolder folder;
  EXPECT_THAT([&] { Process({"no-such-program-anywhere"}, {}, folder.path()); },
              ThrowsMessage<Error>(HasSubstr("cannot start")));
}

}  // namespace
}  // namespace ifcert::conformance
