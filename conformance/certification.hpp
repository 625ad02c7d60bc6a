// What a certification found: one Result per adapter and vector, and what is needed to read them.
// The runner fills it, results.jsonl stores it, the reports show it. Plain data, no behaviour.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ifcert::conformance {

/// Only `pass` counts as passing; silence is never success (docs/architecture.md, "Verdicts").
enum class Verdict { pass, fail, crash, timeout, memory, unsupported, adapter, harness, not_run };

/// What a `fail` consists of; `none` for every other verdict.
enum class Fault { none, wrong_value, wrong_shape, wrong_type, wrongly_accepted, wrongly_refused, unstable };

/// One vector on one adapter.
struct Result {
  std::string adapter;
  std::string vector;
  std::string rule;  // the vector's first rule
  Verdict verdict = Verdict::not_run;
  Fault fault = Fault::none;
  std::string reason;               // one sentence for a person; empty for a pass
  std::optional<std::size_t> step;  // the step that decided, counted from 0
  std::string phase;                // "load" or "run", where it was refused or went wrong; else empty
  nlohmann::json expected;          // the outcome the vector asks for in that step; null where none applies
  nlohmann::json got;               // what the adapter answered, as it stands in the protocol; null where nothing came
  std::string evidence;             // tail of what the process printed on standard error during the vector
  std::optional<int> signal;        // of a crash
  std::string link;                 // of an unsupported feature or a known failure
  bool known = false;               // the adapter's list of known failures has it, with this verdict and fault
  double milliseconds = 0;          // wall time of the vector, for a person; never judged
  std::optional<double> runtime_milliseconds{};  // of that the runtime's own, where the adapter tells
};

/// What an adapter said in `hello`, and what its manifest pins.
struct AdapterIdentity {
  std::string name;
  std::string runtime, version, language, home;
  bool computes = true;
  nlohmann::json cannot;                // the declared features, as in `hello`
  std::vector<std::string> systems{};   // whose vectors it is certified on; none named: all
  bool threads = false, holds = false;  // one loaded model may be run by several threads; outputs can be held
  std::string digest{};                 // SHA-256 of its adapter.json
  std::string called{};                 // as it was asked for: its name, or the path of its folder
};

/// A vector as the reports need it.
struct VectorSummary {
  std::string id, rule, title, strength;
  std::string twin;        // empty where there is none
  nlohmann::json why;      // as in vector.json
  nlohmann::json steps;    // as in vector.json
  std::string model_text;  // for people
  std::string system{};    // "onnx", …
  /// Absolute; empty where the vector is spoilt. The report draws it.
  std::filesystem::path model{};
};

/// A rule as the reports need it: the name and what holds, from the reference's rule table.
struct RuleSummary {
  std::string name, holds, clause;
};

/// A way in which a run and a known-failure list disagree; any of them fails the run.
struct ListBreach {
  enum class Kind { listed_passes, unlisted_fails, listed_fails_otherwise, listed_unsupported };
  Kind kind;
  std::string adapter, vector, message;
};

/// k of n for one rule and one adapter. n counts the manifest's (or selector's) vectors, never only those that ran.
struct Tally {
  std::size_t passed = 0, failed = 0, unsupported = 0, other = 0, total = 0;
};

struct Certification {
  std::string manifest_digest;  // SHA-256 of vectors/manifest.json
  std::string started, ended;   // ISO 8601, UTC
  std::string selector;         // the --rule and --vector globs, empty for all
  std::string shard{};          // "1/3": this is the first of three; empty for all
  nlohmann::json limits;        // timeout_s, memory_mib, jobs, …
  nlohmann::json isolation{};   // what kept the adapters apart: "network", "memory", … each a short text
  std::vector<AdapterIdentity> adapters;
  std::vector<RuleSummary> rules;
  std::vector<VectorSummary> vectors;
  std::vector<Result> results;       // adapters in order, vectors in the manifest's order
  std::vector<ListBreach> breaches;  // empty: all is as the known-failure lists say
};

/// The words of results.jsonl, report.json and the terminal: "PASS", "FAIL", … and "wrong-value", …
std::string to_string(Verdict verdict);
std::string to_string(Fault fault);
std::string to_string(ListBreach::Kind kind);

/// The way back. Throw Error for another word.
Verdict verdict_from(std::string_view word);
Fault fault_from(std::string_view word);

/// FAIL, CRASH, TIMEOUT, MEMORY or ADAPTER. (HARNESS and NOT-RUN say nothing about a runtime; they fail the run
/// itself.)
bool is_failure(Verdict verdict);

/// Whether the adapter is certified on that vector: its systems name the vector's.
bool in_scope(const AdapterIdentity& adapter, const VectorSummary& vector);

/// PASS, or FAIL (wrong-value), or CRASH (signal 11), …
std::string verdict_line(const Result& result);

/// (adapter, rule) → k of n, for every pair that has a vector in scope.
std::map<std::pair<std::string, std::string>, Tally> tally(const Certification& certification);

}  // namespace ifcert::conformance
