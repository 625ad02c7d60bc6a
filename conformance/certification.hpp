// The results of a certification: one Result per adapter and vector, and what is needed to read them. The runner fills
// it, results.jsonl stores it, the reports show it. Plain data, no behaviour.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ifcert::conformance {

/// Only `pass` counts as passing; silence is never success (docs/runner.md, "Verdicts").
enum class Verdict { pass, fail, lenient, not_shown, crash, timeout, memory, unsupported, adapter, harness, not_run };

/// The fault of a `fail`; `none` for every other verdict.
enum class Fault {
  none,
  wrong_value,
  wrong_shape,
  wrong_type,
  wrong_name,
  wrongly_accepted,
  wrongly_refused,
  unstable
};

/// The purpose of a vector: to test that a runtime computes a legal model right; that it diagnoses an illegal one; or
/// how it behaves where the texts leave the outcome open. Counts are never added up across axes.
enum class Axis { computes, diagnoses, open };
inline constexpr std::array all_axes{Axis::computes, Axis::diagnoses, Axis::open};

/// One vector on one adapter.
struct Result {
  std::string adapter;
  std::string vector;
  std::string rule;  // the vector's first rule
  Verdict verdict = Verdict::not_run;
  Fault fault = Fault::none;
  std::string reason;               // one sentence for a person; empty for a pass
  std::optional<std::size_t> step;  // the step that decided, counted from 0
  std::string phase;                // "load" or "run", where the model was refused or failed; else empty
  nlohmann::json expected;          // the outcome that the vector expects in that step; null where none applies
  nlohmann::json got;               // the adapter's answer, as in the protocol; null where there was none
  std::string evidence;             // the end of what the process printed on standard error during the vector
  std::optional<int> signal;        // of a crash
  std::string link;                 // of an unsupported feature or a known failure
  bool known = false;               // listed in the adapter's known failures, with this verdict and fault
  double milliseconds = 0;          // wall time of the vector, for a person; never judged
  std::optional<double> runtime_milliseconds{};  // the runtime's own part of it, where the adapter reports it
  /// For a failure that no list names: the vector that failed again, alone in a fresh process. If that is not
  /// this vector, it was retried for several that fail alike, and this one failed again after it in the same process.
  std::string confirmed_by{};
};

/// An adapter's own declarations in `hello`, and the pinned ones of its manifest.
struct AdapterIdentity {
  std::string name;
  std::string runtime, version, language, home;
  bool computes = true;
  nlohmann::json cannot;                // the declared features, as in `hello`
  std::vector<std::string> systems{};   // the systems on whose vectors it is certified; empty: all
  bool threads = false, holds = false;  // one loaded model may be run by several threads; outputs can be held
  std::string digest{};                 // SHA-256 of its adapter.json
  std::string files{};                  // digest of the installed files of its environment; empty where it has none
  std::string folder{};                 // absolute, where it was certified
};

/// The wall time of one adapter; for a run that was resumed, that of its parts together.
struct Effort {
  double seconds = 0;             // from the first vector's start to the last one's end
  double confirming_seconds = 0;  // to retry failures that no list names; comes on top
};

/// A vector as the reports need it.
struct VectorSummary {
  std::string id, rule, title;
  Axis axis = Axis::computes;
  std::string twin;                     // empty where there is none
  nlohmann::json why;                   // as in vector.json
  nlohmann::json steps;                 // as in vector.json
  std::string model_text;               // for people
  std::string system{};                 // "onnx", …
  std::vector<std::string> profiles{};  // "onnx", "onnx-16", …
  std::string source{};                 // the file that declares it, as "vectors/onnx/nesting.py"
  nlohmann::json obliged_by{};  // the sentence that obliges an implementation to refuse; null where no text does
  /// Absolute; empty where the vector's files are damaged. The report draws it.
  std::filesystem::path model{};
  std::string model_path{};  // from the project's folder, for people: "vectors/onnx/…/model.onnx"
};

/// A rule as the reports need it: its name and what it requires, from the reference's rule table.
struct RuleSummary {
  std::string name, holds, clause;
};

/// A difference between a run and a known-failure list; any of them fails the run.
struct ListBreach {
  enum class Kind {
    listed_passes,
    unlisted_fails,
    unlisted_lenient,
    listed_fails_otherwise,
    listed_unsupported,
    listed_not_shown
  };
  Kind kind;
  std::string adapter, vector, message;
};

struct Certification {
  std::string version{};                      // of the ifcert that ran it
  std::string manifest_digest;                // SHA-256 of vectors/manifest.json
  std::string started, ended;                 // ISO 8601, UTC
  std::string selector;                       // the --rule and --vector globs, empty for all
  std::string shard{};                        // "1/3": this is the first of three; empty for all
  nlohmann::json limits;                      // timeout_s, memory_mib, jobs, …
  std::string program{};                      // the path of ifcert, for commands that reproduce a result
  std::vector<std::string> plain_runtimes{};  // adapters on which `ifcert reproduce` can show a result
  nlohmann::json isolation{};                 // what separated the adapters: "network", "memory", … each a short text
  std::vector<AdapterIdentity> adapters;
  std::map<std::string, Effort> efforts{};  // by adapter; for merged shards the sum
  std::vector<RuleSummary> rules;
  std::vector<VectorSummary> vectors;
  std::vector<Result> results;       // adapters in order, vectors in the manifest's order
  std::vector<ListBreach> breaches;  // empty: all results match the known-failure lists
};

/// The words of results.jsonl, report.json and the terminal: "PASS", "FAIL", …, "wrong-value", … and "computes", …
std::string to_string(Verdict verdict);
std::string to_string(Fault fault);
std::string to_string(Axis axis);
std::string to_string(ListBreach::Kind kind);

/// The reverse. Throws Error for an unknown word.
Verdict verdict_from(std::string_view word);
Fault fault_from(std::string_view word);
Axis axis_from(std::string_view word);

/// FAIL, CRASH, TIMEOUT, MEMORY or ADAPTER. (HARNESS and NOT-RUN show nothing about a runtime; they fail the run
/// itself.) LENIENT is not a failure: no text obliges a runtime to notice that the model is illegal.
bool is_failure(Verdict verdict);

/// A failure, or LENIENT: what a list of known failures has to name.
bool is_listable(Verdict verdict);

/// ADAPTER, HARNESS or NOT-RUN: it can neither confirm a runtime's failure nor clear the runtime of it.
bool says_nothing_of_the_runtime(Verdict verdict);

/// The runtime's own message, where its refusal decided the vector; otherwise empty.
std::string refusal_message(const Result& result);

/// Whether the adapter is certified on that vector: its systems include the vector's.
bool in_scope(const AdapterIdentity& adapter, const VectorSummary& vector);

/// PASS, or FAIL (wrong-value), or CRASH (signal 11), …
std::string verdict_line(const Result& result);

}  // namespace ifcert::conformance
