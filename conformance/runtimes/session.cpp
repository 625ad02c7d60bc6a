#include "conformance/runtimes/session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "conformance/runtimes/versions.hpp"
#include "conformance/runtimes/view.hpp"
#include "conformance/sandbox/bubblewrap.hpp"
#include "conformance/sandbox/crash_message.hpp"
#include "conformance/sandbox/environment_variables.hpp"
#include "conformance/suite/kept_words.hpp"
#include "conformance/system/file.hpp"
#include "conformance/system/json_text.hpp"

namespace ifcert::conformance {

using nlohmann::json;

namespace {

using std::chrono::milliseconds;

constexpr int max_failed_starts = 3;

/// From bye until the process closes its standard output: a JVM on a busy machine takes more than two seconds.
constexpr milliseconds bye_timeout{5000};
/// From the end of the process's standard output until the end of the process.
constexpr milliseconds exit_timeout{2000};

/// What an answer may cost. No message of the protocol nests deeper. Tensors are strings, so an answer has few JSON
/// values; each costs the parser time and a few hundred bytes. Strings other than tensors are cut.
constexpr std::array<std::string_view, 2> tensors{"data", "strings"};
constexpr JsonLimits answer_limits{.depth = 32, .values = 100'000, .word = max_word, .whole = tensors};

constexpr std::size_t max_quoted_line = 160;
constexpr std::size_t max_quoted_hello = 600;

std::string quotation(const std::string& line) {
  return fmt::format("'{}{}'", printable(line.substr(0, max_quoted_line)), line.size() > max_quoted_line ? "…" : "");
}

Failure adapter_fault(std::string reason) {
  return {Verdict::adapter, std::move(reason)};
}

std::string answer_kind(const json& answer) {
  for (const auto& [name, value] : answer.items()) {
    if (name != "id" && name != "runtime_ms") return name;
  }
  return "nothing";
}

/// For the end of a message about a process: "; its last words: …"; empty if it printed nothing.
std::string last_words_suffix(std::string_view printed) {
  const std::string words = crash_message(printed);
  return words.empty() ? "" : fmt::format("; its last words: {}", quotation(words));
}

Verdict verdict_of(Excess::Kind excess) {
  if (excess == Excess::Kind::memory) return Verdict::memory;
  return excess == Excess::Kind::time ? Verdict::timeout : Verdict::crash;
}

double seconds(milliseconds time) {
  return std::chrono::duration<double>(time).count();
}

}  // namespace

json isolation(const Limits& limits) {
  const TemporaryFolder folder;
  const bool has_bubblewrap = limits.bubblewrap && !bubblewrap().version.empty();
  Sandbox sandbox{{}, {}, {folder.lock()}};
  if (has_bubblewrap)
    sandbox.bubblewrap = bubblewrapped({.home = folder.path(), .memory_mib = limits.memory}, {"true"});
  const Process probe({"true"}, variables_passed_on({}), folder.path(), {}, sandbox);
  const std::string why_not = limits.bubblewrap ? bubblewrap().why_not : "it was switched off";
  const std::string namespaces =
      bubblewrap().version + (bubblewrap().nests ? ", which cannot forbid nested namespaces" : "");
  return {{"confined_by", has_bubblewrap ? namespaces : "ifcert-confine alone: " + why_not},
          {"files", has_bubblewrap ? "the system's and its own, read-only; one model at a time"
                                   : "shared: all that the user can reach"},
          {"memory", fmt::format("killed above {} MiB resident, with all that it started", limits.memory)},
          {"processes", fmt::format("killed above {} processes or {} threads at a time; none outlives the adapter",
                                    limits.processes, Allowance{}.threads)},
          {"processor_time", fmt::format("killed above {} s, with all that it started", limits.seconds)},
          {"open_files", "at most 1024"},
          {"network", probe.network()},
          {"home", has_bubblewrap ? "a HOME and a TMPDIR of its own, in memory"
                                  : "a HOME and a TMPDIR of its own, removed afterwards"}};
}

Session::Session(const Project& project, const Adapter& adapter, const Schema& answers, const Limits& limits,
                 FirstHello* first_hello)
    : adapter_(adapter),
      answers_(answers),
      limits_(limits),
      first_hello_(first_hello),
      project_(project),
      identity_(identity_in_manifest(adapter)) {}

Session::~Session() {
  if (process_) process_->exchange(R"({"cmd":"bye"})", bye_timeout);
}

std::map<std::string, std::string> Session::environment_variables() const {
  const std::string folder = folder_->path().string();
  std::map<std::string, std::string> all = variables_passed_on(adapter_.variables);
  for (const auto& [name, value] : adapter_.env) all[name] = value;
  all["PYTHONPATH"] = project_.python_sdk().string();
  all["PYTHONDONTWRITEBYTECODE"] = "1";
  all["HOME"] = all["TMPDIR"] = folder;
  return all;
}

/// Lets the adapter see only what it needs, a temporary home folder of its own, and the models.
Sandbox Session::sandbox() const {
  Sandbox sandbox{{}, models_.path(), {folder_->lock(), models_.lock()}};
  if (!limits_.bubblewrap || bubblewrap().version.empty()) return sandbox;
  View view = view_of(project_, adapter_, limits_.hidden);
  view.home = folder_->path();
  view.memory_mib = limits_.memory;
  view.shown.push_back(models_.path());
  sandbox.bubblewrap = bubblewrapped(view, adapter_.command);
  return sandbox;
}

std::optional<Failure> Session::start() {
  if (process_) return std::nullopt;
  if (failed_starts_ >= max_failed_starts) return failed_start_;
  folder_ = std::make_unique<TemporaryFolder>();
  process_ = std::make_unique<Process>(adapter_.command, environment_variables(), folder_->path(),
                                       Allowance{.memory_mib = limits_.memory,
                                                 .processes = limits_.processes,
                                                 .seconds = limits_.seconds,
                                                 .addresses_mib = limits_.addresses},
                                       sandbox());
  has_loaded_ = false;
  failed_start_ = exchange_hello();
  failed_starts_ = failed_start_ ? failed_starts_ + 1 : 0;
  if (failed_start_) end_process();
  return failed_start_;
}

/// Every failure here is the adapter's fault: the runtime may have been loaded, but has not been given a model yet.
std::optional<Failure> Session::exchange_hello() {
  const Reply reply = process_->exchange(R"({"cmd":"hello","protocol":1})", limits_.start);
  if (reply.kind != Reply::Kind::line) {
    const std::string reason = failure_of(reply, limits_.start).reason;
    error_output_ += process_->take_error_output();
    return adapter_fault(fmt::format("no answer to hello: {}{}", reason, last_words_suffix(error_output_)));
  }
  if (reply.text.size() > max_hello_bytes) {
    return adapter_fault(fmt::format("hello is {} bytes long; the limit is {}: {}", reply.text.size(), max_hello_bytes,
                                     quotation(reply.text)));
  }
  Answer answer = read_answer(reply.text);
  if (answer.failure) return answer.failure;
  if (!answer.body.contains("hello")) {
    return adapter_fault(fmt::format("hello was answered with '{}'", answer_kind(answer.body)));
  }
  const json& hello = answer.body.at("hello");
  const json& runtime = hello.at("runtime");
  const std::string manifest_name = split_version(adapter_.name).name;
  if (hello.at("adapter") != manifest_name) {
    return adapter_fault(fmt::format("hello names the adapter '{}'; the manifest names '{}'",
                                     hello.at("adapter").get<std::string>(), manifest_name));
  }
  if (runtime.at("version") != adapter_.version) {
    return adapter_fault(fmt::format("hello reports version '{}' of the runtime; the manifest pins '{}'",
                                     runtime.at("version").get<std::string>(), adapter_.version));
  }
  if (first_hello_ != nullptr) {
    first_hello_->store_if_first(hello);
    const std::string difference = first_hello_->difference_from(hello);
    if (!difference.empty()) {
      return adapter_fault(fmt::format("hello differs from that of the adapter's first process in this run: {}",
                                       printable(difference.substr(0, max_quoted_hello))));
    }
  }
  copy_declarations(hello, identity_);
  hello.at("formats").get_to(formats_);
  keeps_ = hello.value("keeps", false);
  return std::nullopt;
}

Request Session::load(std::string_view format, const ModelFiles& files) {
  const std::filesystem::path model = models_.put(files);
  has_loaded_ = true;
  return ask(fmt::format(R"("load","format":{},"model":{})", json(format).dump(), json(model.string()).dump()),
             {"loaded", "refused", "unsupported"});
}

Request Session::load_kept(std::string_view format, const ModelFiles& files) {
  const std::filesystem::path model = models_.put(files);
  has_loaded_ = true;
  return ask(
      fmt::format(R"("load","format":{},"model":{},"keep":true)", json(format).dump(), json(model.string()).dump()),
      {"loaded", "refused", "unsupported"});
}

Request Session::run_kept(std::uint64_t load, const json& inputs) {
  return ask(fmt::format(R"("run","kept":{},"inputs":{})", load, inputs.dump()), {"outputs", "refused", "unsupported"});
}

Request Session::unload_kept(std::uint64_t load) {
  return ask(fmt::format(R"("unload","kept":{})", load), {"unloaded"});
}

Request Session::run(const json& inputs, bool hold) {
  return ask(fmt::format(R"("run","inputs":{}{})", inputs.dump(), hold ? R"(,"hold":true)" : ""),
             {"outputs", "refused", "unsupported"});
}

Request Session::reread(std::uint64_t held) {
  return ask(fmt::format(R"("reread","held":{})", held), {"outputs", "refused"});
}

Request Session::concurrent(const json& runs) {
  json sent = json::array();
  for (const json& run : runs) sent.push_back({{"inputs", run.at("inputs")}});
  return ask(fmt::format(R"("concurrent","runs":{})", sent.dump()), {"runs"});
}

Request Session::unload() {
  return ask(R"("unload")", {"unloaded"});
}

std::string Session::say_bye() {
  const Reply reply = process_->exchange(R"({"cmd":"bye"})", bye_timeout);
  const ExitStatus ending = process_->end(exit_timeout);
  end_process();
  if (reply.kind == Reply::Kind::line) return "it answered bye, which expects no answer: " + quotation(reply.text);
  if (ending.excess) return "the process " + exit_status_text(ending);
  if (ending.killed) return fmt::format("it was still running {} s after bye", seconds(bye_timeout + exit_timeout));
  if (ending.signal || ending.exit_code != 0) return "the process " + exit_status_text(ending);
  return {};
}

std::string Session::close_input() {
  const ExitStatus ending = process_->end(bye_timeout + exit_timeout);
  end_process();
  if (ending.excess) return "the process " + exit_status_text(ending);
  if (ending.killed)
    return fmt::format("it was still running {} s after the end of its standard input",
                       seconds(bye_timeout + exit_timeout));
  if (ending.signal || ending.exit_code != 0) return "the process " + exit_status_text(ending);
  return {};
}

Request Session::ask(std::string_view command_and_arguments, std::vector<std::string_view> kinds) {
  Request request{next_id_++, std::move(kinds)};
  process_->send(fmt::format(R"({{"id":{},"cmd":{}}})", request.id, command_and_arguments));
  return request;
}

Answer Session::answer(const Request& request, milliseconds limit, const std::function<void()>& meanwhile) {
  Reply reply{};
  try {
    reply = process_->receive(limit, meanwhile);
  } catch (...) {
    end_process();
    throw;
  }
  const std::size_t bytes = reply.text.size();
  Answer answer = reply.kind == Reply::Kind::line ? judged_answer(request, std::move(reply.text))
                                                  : Answer{.failure = failure_of(reply, limit)};
  answer.bytes = bytes;
  if (answer.failure) end_process();  // and no more requests are sent to it
  return answer;
}

/// The answer in a line, or why the line is not an answer to the request.
Answer Session::judged_answer(const Request& request, std::string line) const {
  const std::string quoted = quotation(line);
  Answer answer = read_answer(std::move(line));
  if (answer.failure) return answer;
  const auto refuse = [](std::string reason) { return Answer{.failure = adapter_fault(std::move(reason))}; };
  if (answer.body.contains("id") && answer.body.at("id") != request.id)
    return refuse(fmt::format("an answer with the wrong id: {}, expected {}", quoted, request.id));
  answer.body.erase("id");
  if (answer.body.contains("runtime_ms")) {
    answer.runtime_milliseconds = answer.body.at("runtime_ms").get<double>();
    answer.body.erase("runtime_ms");
  }
  restore_original_paths(answer.body);
  const std::string kind = answer_kind(answer.body);
  if (kind == "adapter_error") {
    const auto message = answer.body.at("adapter_error").at("message").get<std::string>();
    return refuse(fmt::format("the adapter itself failed: {}", printable_lines(message)));
  }
  if (std::ranges::find(request.kinds, kind) == request.kinds.end())
    return refuse(fmt::format("an answer of the wrong kind: {}", quoted));
  return answer;
}

/// In the messages of an answer, replaces the path of the model's copy by that of the vector.
void Session::restore_original_paths(json& answer) const {
  if (answer.contains("runs")) {
    for (json& run : answer.at("runs")) restore_original_paths(run);
  }
  for (const char* kind : {"refused", "unsupported", "adapter_error"}) {
    if (!answer.contains(kind)) continue;
    json& message = answer.at(kind).at("message");
    message = models_.with_original_paths(message.get<std::string>());
  }
}

/// Takes the line, so that its memory is free while the answer is judged.
Answer Session::read_answer(std::string line) const {
  const std::string quoted = quotation(line);
  auto [body, fault, detail] = parse_json(line, answer_limits);
  line = {};
  if (!fault.empty()) return {.failure = adapter_fault(fmt::format("a line that {}: {}", fault, quoted))};
  if (const std::string mismatch = answers_.fault(body); !mismatch.empty()) {
    return {.failure =
                adapter_fault(fmt::format("a line that is not an answer of the protocol ({}): {}", mismatch, quoted))};
  }
  return {.body = std::move(body)};
}

void Session::end_process() {
  process_->end(milliseconds(0));
  error_output_ += process_->take_error_output();
  process_.reset();
  folder_.reset();
}

Failure Session::failure_of(const Reply& reply, milliseconds limit) {
  switch (reply.kind) {
    case Reply::Kind::silent:
      return {Verdict::timeout, fmt::format("no answer within {} s", seconds(limit))};
    case Reply::Kind::flood:
      return adapter_fault(fmt::format("a line longer than {} bytes: {}", max_line_bytes, quotation(reply.text)));
    default:
      break;
  }
  const ExitStatus ending = process_->end(exit_timeout);
  if (ending.excess) {
    return {verdict_of(ending.excess->kind), fmt::format("the process {}", exit_status_text(ending)), std::nullopt,
            ending.excess->kind == Excess::Kind::time || ending.excess->kind == Excess::Kind::memory};
  }
  const std::string when = reply.text.empty()
                               ? "before it answered"
                               : fmt::format("after only a part of its answer: {}", quotation(reply.text));
  if (ending.killed)
    return adapter_fault(fmt::format("the process {}, having closed its output {}", exit_status_text(ending), when));
  return {Verdict::crash, fmt::format("the process {} {}", exit_status_text(ending), when), ending.signal};
}

std::string Session::take_error_output() {
  std::string all = std::exchange(error_output_, {});
  if (process_) all += process_->take_error_output();
  return models_.with_original_paths(
      all.size() > max_error_output ? printable_lines(all.substr(all.size() - max_error_output)) : std::move(all));
}

}  // namespace ifcert::conformance
