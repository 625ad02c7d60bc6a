// A running adapter: its process, started when needed and again after a failure, and the protocol spoken with it.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/adapter.hpp"
#include "conformance/certification.hpp"
#include "conformance/hello.hpp"
#include "conformance/model_folder.hpp"
#include "conformance/process.hpp"
#include "conformance/schema.hpp"
#include "conformance/temporary_folder.hpp"

namespace ifcert::conformance {

/// How long an adapter may take to answer, and how much of the machine it may use.
struct Limits {
  std::chrono::milliseconds message{30'000};      // each load, run and unload
  std::chrono::milliseconds start{60'000};        // hello, which waits for the runtime to be loaded
  std::size_t memory = Allowance{}.memory_mib;    // MiB resident, for the adapter and all that it starts
  std::size_t processes = Allowance{}.processes;  // at a time
  std::size_t seconds = Allowance{}.seconds;      // of processor time, for one process and all that it starts
  bool bubblewrap = true;                         // namespaces of its own, where this system permits them
  std::vector<std::filesystem::path> hidden{};    // folders that no adapter may see, besides the vectors and the home
};

/// How adapters are isolated from the machine and from each other on this system, each a short text: "confined_by",
/// "files", "memory", "processes", "processor_time", "open_files", "network", "home". Starts a process that does
/// nothing, and throws Error where it cannot.
nlohmann::json isolation(const Limits& limits);

/// A failed exchange: its verdict (CRASH, TIMEOUT, MEMORY or ADAPTER) and reason.
struct Failure {
  Verdict verdict;
  std::string reason;
  std::optional<int> signal{};
  bool over_lifetime_limit = false;  // the limit on its processor time was reached; earlier vectors may have caused it
};

/// An answer that matches the schema and is of a kind that the request allows; or why there is none.
struct Answer {
  nlohmann::json body{};  // without its id and time
  std::optional<Failure> failure{};
  std::optional<double> runtime_milliseconds{};  // the runtime's own part of it, as the adapter reports it
};

/// A sent request, and the kinds of answers that it may have.
struct Request {
  std::uint64_t id;
  std::vector<std::string_view> kinds;
};

class Session {
 public:
  /// Does not start the process yet. The adapter, the schema and the first hello must outlive the session. If there
  /// is a first hello, each process must declare the same.
  Session(const Project& project, const Adapter& adapter, const Schema& answers, const Limits& limits,
          FirstHello* first_hello = nullptr);
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
  /// Sends bye; a process that does not end then is killed.
  ~Session();

  /// Starts the process and sends hello, unless it is already running. Returns the failure if that did not succeed;
  /// after three failures in a row it returns the last one and does not try again. Throws Error if the command cannot
  /// be started.
  std::optional<Failure> start();

  /// Each of these queues a request; all queued requests are sent when an answer is next awaited, so that the adapter
  /// is not woken for each. Answers are read in the order of the requests.
  ///
  /// load() puts the model in a folder of this process that has no other model.
  Request load(std::string_view format, const ModelFiles& model);
  /// With `hold` the adapter keeps the outputs until it unloads or loads; reread() takes the id of that request.
  Request run(const nlohmann::json& inputs, bool hold = false);
  Request reread(std::uint64_t held);
  /// `runs` are those of a vector's step; the expected outputs are not sent.
  Request concurrent(const nlohmann::json& runs);
  Request unload();

  /// Waits for the answer to `request`, which must be the oldest one without an answer. After a failure the process is
  /// gone, and with it the answers to all other requests; start() makes a new process.
  Answer answer(const Request& request);

  /// Sends bye to the process, which must be running; start() makes another. Returns what was wrong with its end (it
  /// answered, kept running, was killed by a signal, or had an exit code other than 0); empty if nothing was.
  std::string leave();

  /// The same, with the end of its standard input instead of bye.
  std::string end_input();

  /// As hello declared it; before that as the manifest does.
  const AdapterIdentity& identity() const { return identity_; }

  /// The formats that hello declared; empty before.
  const std::vector<std::string>& formats() const { return formats_; }

  /// The end of the process's standard error since the last call.
  std::string take_evidence();

 private:
  std::optional<Failure> greet();
  Request ask(std::string_view command_and_arguments, std::vector<std::string_view> kinds);
  Answer read_answer(const std::string& line) const;
  Answer give_up(Failure failure);
  Failure failure_of(const Reply& reply, std::chrono::milliseconds limit);
  std::map<std::string, std::string> environment() const;
  Surroundings surroundings() const;
  void explain(nlohmann::json& answer) const;

  const Adapter& adapter_;
  const Schema& answers_;
  Limits limits_;
  FirstHello* first_hello_;
  std::filesystem::path python_sdk_, vectors_;
  ModelFolder models_;
  std::unique_ptr<TemporaryFolder> folder_;
  std::unique_ptr<Process> process_;
  AdapterIdentity identity_;
  std::vector<std::string> formats_;
  std::uint64_t next_id_ = 1;
  std::optional<Failure> failed_start_;
  int failed_starts_ = 0;
  std::string evidence_;  // of processes that are gone
};

}  // namespace ifcert::conformance
