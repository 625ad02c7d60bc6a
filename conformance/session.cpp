#include "conformance/session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "conformance/bubblewrap.hpp"
#include "conformance/file.hpp"
#include "conformance/last_words.hpp"
#include "conformance/variables.hpp"
#include "conformance/versions.hpp"

namespace ifcert::conformance {

using nlohmann::json;

namespace {

using std::chrono::milliseconds;

constexpr int max_failed_starts = 3;

/// From bye until the process closes its standard output: a JVM on a busy machine takes more than two seconds.
constexpr milliseconds bye_timeout{5000};
/// From the end of the process's standard output until the end of the process.
constexpr milliseconds exit_timeout{2000};

/// No message of the protocol nests deeper than this; deeper nesting would only use up our stack.
constexpr std::size_t max_nesting = 32;
/// Tensors are strings, so an answer has few JSON values. Each costs the parser time and a few hundred bytes.
constexpr std::size_t max_values = 100'000;

constexpr std::size_t max_quoted_line = 160;
constexpr std::size_t max_quoted_hello = 600;

/// The position of the quote that closes the string opened at `from`; npos if it is not closed.
std::size_t end_of_string(std::string_view text, std::size_t from) {
  for (std::size_t at = text.find('"', from + 1); at != text.npos; at = text.find('"', at + 1)) {
    std::size_t backslashes = 0;
    while (text[at - 1 - backslashes] == '\\') ++backslashes;
    if (backslashes % 2 == 0) return at;
  }
  return text.npos;
}

/// How large a JSON text is.
struct Extent {
  std::size_t values = 1;  // an upper bound
  std::size_t depth = 0;   // of nested lists and objects
};

/// Looks at single characters instead of parsing the text: the parser would store all values, and with a callback it
/// takes quadratic time in the length of a list.
Extent extent_of(std::string_view text) {
  Extent extent;
  std::size_t depth = 0;
  for (std::size_t at = text.find_first_of("\",{}[]"); at != text.npos; at = text.find_first_of("\",{}[]", at + 1)) {
    const char found = text[at];
    if (found == '"') {
      at = end_of_string(text, at);
      if (at == text.npos) break;
    } else if (found == '}' || found == ']') {
      depth -= depth > 0 ? 1 : 0;
    } else {
      ++extent.values;
      if (found != ',') extent.depth = std::max(extent.depth, ++depth);
    }
  }
  return extent;
}

struct ParsedLine {
  json body{};
  std::string fault{};  // why the line has no body; empty if it has one
};

ParsedLine parse_line(const std::string& line) {
  const Extent extent = extent_of(line);
  if (extent.depth > max_nesting) return {.fault = fmt::format("nests deeper than {} levels", max_nesting)};
  if (extent.values > max_values) return {.fault = fmt::format("has more than {} values", max_values)};
  json body = json::parse(line, nullptr, false);
  if (body.is_discarded()) return {.fault = "is not JSON"};
  return {.body = std::move(body)};
}

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
  const std::string words = last_words(printed);
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
  Sandbox sandbox;
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
      python_sdk_(project.python_sdk()),
      vectors_(project.vectors()),
      identity_(identity_in_manifest(adapter)) {}

Session::~Session() {
  if (process_) process_->exchange(R"({"cmd":"bye"})", bye_timeout);
}

std::map<std::string, std::string> Session::environment_variables() const {
  const std::string folder = folder_->path().string();
  std::map<std::string, std::string> all = variables_passed_on(adapter_.variables);
  for (const auto& [name, value] : adapter_.env) all[name] = value;
  all["PYTHONPATH"] = python_sdk_.string();
  all["PYTHONDONTWRITEBYTECODE"] = "1";
  all["HOME"] = all["TMPDIR"] = folder;
  return all;
}

/// Lets the adapter see only its command and a temporary home folder of its own, the files that its manifest lists
/// under `reads`, the SDK and the models.
Sandbox Session::sandbox() const {
  Sandbox sandbox{{}, models_.path()};
  if (!limits_.bubblewrap || bubblewrap().version.empty()) return sandbox;
  View view{.home = folder_->path(),
            .shown = seen_by(adapter_.command),
            .hidden = limits_.hidden,
            .memory_mib = limits_.memory};
  view.shown.insert(view.shown.end(), adapter_.reads.begin(), adapter_.reads.end());
  view.shown.insert(view.shown.end(), {python_sdk_, models_.path()});
  view.hidden.push_back(vectors_);
  for (const std::filesystem::path& home : homes_of_user()) view.hidden.push_back(home);
  sandbox.bubblewrap = bubblewrapped(view, adapter_.command);
  return sandbox;
}

std::optional<Failure> Session::start() {
  if (process_) return std::nullopt;
  if (failed_starts_ >= max_failed_starts) return failed_start_;
  folder_ = std::make_unique<TemporaryFolder>();
  process_ = std::make_unique<Process>(
      adapter_.command, environment_variables(), folder_->path(),
      Allowance{.memory_mib = limits_.memory, .processes = limits_.processes, .seconds = limits_.seconds}, sandbox());
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
  const Ending ending = process_->end(exit_timeout);
  end_process();
  if (reply.kind == Reply::Kind::line) return "it answered bye, which expects no answer: " + quotation(reply.text);
  if (ending.excess) return "the process " + ending_text(ending);
  if (ending.killed) return fmt::format("it was still running {} s after bye", seconds(bye_timeout + exit_timeout));
  if (ending.signal || ending.exit_code != 0) return "the process " + ending_text(ending);
  return {};
}

std::string Session::close_input() {
  const Ending ending = process_->end(bye_timeout + exit_timeout);
  end_process();
  if (ending.excess) return "the process " + ending_text(ending);
  if (ending.killed)
    return fmt::format("it was still running {} s after the end of its standard input",
                       seconds(bye_timeout + exit_timeout));
  if (ending.signal || ending.exit_code != 0) return "the process " + ending_text(ending);
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
  if (reply.kind != Reply::Kind::line) return end_with(failure_of(reply, limit));
  Answer answer = read_answer(reply.text);
  if (answer.failure) return end_with(*answer.failure);
  if (answer.body.contains("id") && answer.body.at("id") != request.id) {
    return end_with(
        adapter_fault(fmt::format("an answer with the wrong id: {}, expected {}", quotation(reply.text), request.id)));
  }
  answer.body.erase("id");
  if (answer.body.contains("runtime_ms")) {
    answer.runtime_milliseconds = answer.body.at("runtime_ms").get<double>();
    answer.body.erase("runtime_ms");
  }
  restore_original_paths(answer.body);
  const std::string kind = answer_kind(answer.body);
  if (kind == "adapter_error") {
    const auto message = answer.body.at("adapter_error").at("message").get<std::string>();
    return end_with(adapter_fault(fmt::format("the adapter itself failed: {}", printable_lines(message))));
  }
  if (std::ranges::find(request.kinds, kind) == request.kinds.end()) {
    return end_with(adapter_fault(fmt::format("an answer of the wrong kind: {}", quotation(reply.text))));
  }
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

Answer Session::read_answer(const std::string& line) const {
  auto [body, fault] = parse_line(line);
  if (!fault.empty()) return {.failure = adapter_fault(fmt::format("a line that {}: {}", fault, quotation(line)))};
  if (const std::string mismatch = answers_.fault(body); !mismatch.empty()) {
    return {.failure = adapter_fault(
                fmt::format("a line that is not an answer of the protocol ({}): {}", mismatch, quotation(line)))};
  }
  return {.body = std::move(body)};
}

void Session::end_process() {
  process_->end(milliseconds(0));
  error_output_ += process_->take_error_output();
  process_.reset();
  folder_.reset();
}

/// After a failure no more requests are sent to the process.
Answer Session::end_with(Failure failure) {
  end_process();
  return {.failure = std::move(failure)};
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
  const Ending ending = process_->end(exit_timeout);
  if (ending.excess) {
    return {verdict_of(ending.excess->kind), fmt::format("the process {}", ending_text(ending)), std::nullopt,
            ending.excess->kind == Excess::Kind::time || ending.excess->kind == Excess::Kind::memory};
  }
  const std::string when = reply.text.empty()
                               ? "before it answered"
                               : fmt::format("after only a part of its answer: {}", quotation(reply.text));
  if (ending.killed)
    return adapter_fault(fmt::format("the process {}, having closed its output {}", ending_text(ending), when));
  return {Verdict::crash, fmt::format("the process {} {}", ending_text(ending), when), ending.signal};
}

std::string Session::take_error_output() {
  std::string all = std::exchange(error_output_, {});
  if (process_) all += process_->take_error_output();
  return models_.with_original_paths(
      all.size() > max_error_output ? printable_lines(all.substr(all.size() - max_error_output)) : std::move(all));
}

}  // namespace ifcert::conformance
