// A running adapter: its process, which is started when needed and again after a failure, and the messages exchanged
// with it.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/results/certification.hpp"
#include "conformance/runtimes/adapter.hpp"
#include "conformance/runtimes/hello.hpp"
#include "conformance/sandbox/process.hpp"
#include "conformance/suite/model_folder.hpp"
#include "conformance/system/schema.hpp"
#include "conformance/system/temporary_folder.hpp"

namespace ifcert::conformance {

/// How long an adapter may take to answer, and how much of the machine it may use.
struct Limits {
  std::chrono::milliseconds message{30'000};            // for each load, run and unload
  std::chrono::milliseconds start{60'000};              // for hello, which is answered once the runtime has been loaded
  std::size_t memory = Allowance{}.memory_mib;          // MiB resident, for the adapter and all that it starts
  std::size_t processes = Allowance{}.processes;        // that exist at the same time
  std::size_t seconds = Allowance{}.seconds;            // of processor time, for one process and all that it starts
  std::size_t addresses = 0;                            // MiB of address space of each process; 0: no limit
  bool bubblewrap = true;                               // run it in its own namespaces, where this system permits that
  std::vector<std::filesystem::path> hidden{};          // the folders of the results, which no adapter may see
  std::size_t vector_answers = std::size_t{64} << 20U;  // bytes of all the answers to one vector
  std::size_t run_answers = std::size_t{4} << 30U;      // bytes of all the answers of one adapter in a certification
  std::size_t run_words = std::size_t{16} << 20U;       // bytes of its words that a certification keeps
};

/// A description of how adapters are isolated from the machine and from each other on this system, one short text for
/// each aspect: "confined_by", "files", "memory", "processes", "processor_time", "open_files", "network", "home".
/// Starts a process to find out, and throws Error where it cannot be started.
nlohmann::json isolation(const Limits& limits);

/// A failed exchange: its verdict (CRASH, TIMEOUT, MEMORY or ADAPTER) and reason.
struct Failure {
  Verdict verdict;
  std::string reason;
  std::optional<int> signal{};
  /// The process exceeded its memory or processor time, which accumulate over the vectors that a process runs.
  bool may_be_due_to_earlier_vectors = false;
};

/// An answer that matches the schema and is of a kind that the request allows, or the failure that occurred instead.
struct Answer {
  nlohmann::json body{};  // without its members "id" and "runtime_ms"
  std::optional<Failure> failure{};
  std::optional<double> runtime_milliseconds{};  // the time that the runtime took, as the adapter reports it
  std::size_t bytes = 0;                         // of the line, or of the part of it that arrived
};

struct Request {
  std::uint64_t id;
  std::vector<std::string_view> kinds;  // of answers that are allowed: "loaded", "refused", …
};

class Session {
 public:
  /// Does not start the process yet. The adapter, the schema and the first hello must outlive the session.
  /// `first_hello`, if it is passed, stores the first hello of all sessions that share it; the hello of any later
  /// process must be equal.
  Session(const Project& project, const Adapter& adapter, const Schema& answers, const Limits& limits,
          FirstHello* first_hello = nullptr);
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
  /// Sends bye, and kills the process if it does not end.
  ~Session();

  /// Starts the process and sends hello, unless it is already running. Returns the failure, if there was one; after
  /// three failures in a row, start() returns the last one and does not try again. Throws Error if the command cannot
  /// be started.
  std::optional<Failure> start();

  // The following functions queue a request. All queued requests are sent together by the next answer(), so that the
  // adapter is not woken for each. Answers are read in the order of the requests.

  /// Puts the model in the folder from which this process reads models, in place of the one before. `format` is the
  /// vector's `system`.
  Request load(std::string_view format, const ModelFiles& model);
  /// The same, but the adapter keeps the model, besides others, until unload_kept(); requests about it have the id of
  /// this one. Only where keeps().
  Request load_kept(std::string_view format, const ModelFiles& model);
  Request run_kept(std::uint64_t load, const nlohmann::json& inputs);
  Request unload_kept(std::uint64_t load);
  /// With `hold`, the adapter keeps the outputs until the next unload or load; reread() takes the id of this request.
  Request run(const nlohmann::json& inputs, bool hold = false);
  Request reread(std::uint64_t held);
  /// `runs` are those of a vector's step; only their inputs are sent.
  Request concurrent(const nlohmann::json& runs);
  Request unload();

  /// Waits for the answer to `request`, which must be the oldest one without an answer. A failure ends the process, and
  /// the other requests are not answered; start() starts a new process.
  Answer answer(const Request& request) { return answer(request, limits_.message); }
  /// With this time limit instead of the session's. Calls `meanwhile` about twenty times a second; an exception that it
  /// throws ends the process and passes through.
  Answer answer(const Request& request, std::chrono::milliseconds limit, const std::function<void()>& meanwhile = {});

  /// Ends the process, which must be running, with bye; start() starts another. Returns what was wrong with how it
  /// ended (it answered bye, which has no answer; kept running; was killed by a signal; or had an exit code other than
  /// 0), or an empty string.
  std::string say_bye();

  /// Ends the process like say_bye(), but by closing its standard input instead of sending bye.
  std::string close_input();

  /// Kills the process, which must be running; start() starts another.
  void kill() { end_process(); }

  const Limits& limits() const { return limits_; }

  /// Whether the next model will be the first of its process.
  bool is_fresh() const { return !process_ || !has_loaded_; }

  /// As declared by hello; before hello, as declared by the manifest.
  const AdapterIdentity& identity() const { return identity_; }

  /// Whether hello declared that several models can be loaded at once.
  bool keeps() const { return keeps_; }

  /// The formats that hello declared; empty before hello.
  const std::vector<std::string>& formats() const { return formats_; }

  /// The end of the text that processes of this session have printed on standard error since the last call.
  std::string take_error_output();

 private:
  std::optional<Failure> exchange_hello();
  Request ask(std::string_view command_and_arguments, std::vector<std::string_view> kinds);
  Answer read_answer(std::string line) const;
  void end_process();
  Answer judged_answer(const Request& request, std::string line) const;
  Failure failure_of(const Reply& reply, std::chrono::milliseconds limit);
  std::map<std::string, std::string> environment_variables() const;
  Sandbox sandbox() const;
  void restore_original_paths(nlohmann::json& answer) const;

  const Adapter& adapter_;
  const Schema& answers_;
  Limits limits_;
  FirstHello* first_hello_;
  Project project_;
  ModelFolder models_;
  std::unique_ptr<TemporaryFolder> folder_;
  std::unique_ptr<Process> process_;
  bool has_loaded_ = false;  // the process was sent a model
  AdapterIdentity identity_;
  std::vector<std::string> formats_;
  bool keeps_ = false;
  std::uint64_t next_id_ = 1;
  std::optional<Failure> failed_start_;
  int failed_starts_ = 0;
  std::string error_output_;  // of processes that have ended
};

}  // namespace ifcert::conformance
