// The results of a certification, one for each adapter and vector, and the data that explains them. certify() fills in
// a Certification, results.jsonl stores it, and the reports show it. Plain data, no behaviour.
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

/// Only `pass` counts as passing (docs/runner.md, "Verdicts").
enum class Verdict {
  pass,
  fail,         // the runtime behaved wrongly, as Fault says
  not_if,       // it fails, and so does the same model without its Ifs (Result::failed_as): not a failure of the If
  lenient,      // it accepted an illegal model that no text obliges it to refuse
  not_shown,    // it refused as expected, but the vector's twin was not accepted (twins.hpp)
  crash,        // the process ended before it answered, or had too many processes or threads
  timeout,      // no answer in time, or the process used up its processor time
  memory,       // the process used more memory than allowed
  unsupported,  // hello or the runtime's own status says that a needed feature is missing
  adapter,      // the adapter, not the runtime, is at fault
  harness,      // the files of the vector, or of its twin, are damaged
  not_run       // the run was interrupted before the vector was tried or retried, or its twin was not run
};

/// The fault of a `fail`, also of one that is `not_if`; `none` for every other verdict.
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

/// The purpose of a vector. Counts are never added up across axes.
enum class Axis {
  computes,   // tests that a runtime computes a legal model right
  diagnoses,  // tests that a runtime refuses an illegal model
  open        // shows how a runtime behaves where the texts (the specifications) do not determine the outcome
};
inline constexpr std::array all_axes{Axis::computes, Axis::diagnoses, Axis::open};

/// What a runtime makes of a sibling of a vector's model (conformance/certify/siblings.hpp).
enum class SiblingOutcome {
  not_made,        // there is no sibling, or nothing could be judged
  computes,        // what the vector expects
  fails_alike,     // with the cause of the vector's failure
  fails_otherwise  // with another
};

/// What became of one kind of sibling.
struct SiblingResult {
  SiblingOutcome outcome = SiblingOutcome::not_made;
  /// Why it was not made, how else it fails, or that it fails alike only where it also returns its conds; otherwise
  /// empty.
  std::string detail{};
};

/// What a runtime makes of a model that it computes when its file is written otherwise (conformance/rewritings/).
struct RewritingResult {
  std::string name{};  // of the rewriting: "initializers-reversed"
  Verdict verdict = Verdict::pass;
  Fault fault = Fault::none;
  std::string reason{};   // as in Result
  std::string message{};  // the most informative line of the runtime's own message; empty where there is none
  std::string link{};     // to the description of a known failure
  bool known = false;     // listed in the adapter's known failures, with this verdict and fault
};

/// The result of one vector on one adapter.
struct Result {
  std::string adapter;
  std::string vector;
  std::string rule;  // the rule for which the vector counts
  Verdict verdict = Verdict::not_run;
  Fault fault = Fault::none;
  std::optional<Verdict> failed_as{};  // for NOT-IF: the verdict that the failure has
  std::string reason;                  // one sentence for a person; empty for a pass
  std::optional<std::size_t> step;     // the step that decided the verdict, counted from 0
  std::string phase;                   // "load" or "run": the kind of that step; empty where no step decided
  /// The outcome that the vector expects in that step. Null if the verdict is a pass, if the twin decided it, if no
  /// step did, or if concurrent runs failed as a whole.
  nlohmann::json expected;
  /// The adapter's answer, as in the protocol. Null if there was none, and for a pass that is not by refusal.
  nlohmann::json got;
  std::string evidence;       // the end of what the process printed on standard error during the vector
  std::optional<int> signal;  // the one that ended the process, for a crash
  std::string link;           // to the description of an unsupported feature or a known failure
  bool known = false;         // listed in the adapter's known failures, with this verdict and fault
  double milliseconds = 0;    // wall time of the vector, for a person; never judged
  std::optional<double> runtime_milliseconds{};  // the part that the runtime used, where the adapter reports it
  /// The vector that confirmed this failure. Equal to `vector` if this vector failed again as the first one of a fresh
  /// process. The id of another vector if that one was the first of its process, and this one failed again after it in
  /// the same batch (retries.hpp). Empty if nothing confirmed it, for example because a list names the failure, so
  /// that it was not retried.
  std::string confirmed_by{};
  /// For a failure, where siblings of the model were run: the same model without its Ifs, and as ifcert writes it.
  std::optional<SiblingResult> without_ifs{}, rewritten{};
  /// For a pass, where rewritings were run: what became of each of those chosen for the vector.
  std::vector<RewritingResult> rewritings{};
  /// Of the vector as it was then (conformance/certify/kept_results.hpp); empty in older files.
  std::string vector_digest{};
};

/// An adapter as its hello and its manifest declare it.
struct AdapterIdentity {
  std::string name;
  std::string runtime, version, language, home;  // home: the address of its web page
  bool runs_models = true;                       // false: it only loads (checks) models
  nlohmann::json unsupported_features;           // as in hello
  std::vector<std::string> systems{};            // the systems (model formats: "onnx", …) of its vectors; empty: all
  bool threads = false;                          // several threads may run one loaded model
  bool holds = false;                            // it can keep outputs until the next unload or load
  std::string digest{};                          // SHA-256 of its adapter.json
  std::string files{};   // digest of the installed files of its environment; empty where it has none
  std::string folder{};  // the adapter's folder, on the machine that certified it; absolute
};

/// The wall time of one adapter's vectors; for a run that was resumed, the sum over its parts.
struct WallTime {
  double seconds = 0;            // from the first vector's start to the last one's end
  double retry_seconds = 0;      // in addition, to retry failures that no list names
  double sibling_seconds = 0;    // in addition, to run siblings of the models that fail
  double rewriting_seconds = 0;  // in addition, to run rewritings of the models that pass
};

/// How many results of a certification are of earlier runs (certify --update), and since when.
struct KeptCount {
  std::size_t results = 0;
  std::string since{};  // when the first of these runs began; ISO 8601, UTC
};

/// A vector as the reports need it.
struct VectorSummary {
  std::string id, rule, title;
  Axis axis = Axis::computes;
  /// The id of the legal vector that differs from this illegal one only in what makes it illegal; empty where there is
  /// none.
  std::string twin;
  nlohmann::json why;                   // as in its line
  nlohmann::json steps;                 // as in its line
  std::string model_text;               // for people, where there is no file of the model
  std::string system{};                 // the format of its model, such as "onnx"; the protocol calls it `format`
  std::vector<std::string> profiles{};  // "onnx", "onnx-16", …
  std::map<std::string, std::string> coordinates{};  // of a cross: its value in each dimension (docs/coverage.md)
  std::string source{};                              // the family that declares it: "vectors/onnx/loops/scan.py"
  nlohmann::json obliged_by{};  // the sentence that obliges an implementation to refuse; null where no text does
  /// The model's file, which the report draws. Absolute; empty where the vector's files are damaged.
  std::filesystem::path model{};
  std::string model_path{};  // the same, relative to the project's folder: "vectors/onnx/…/deep.onnx"
};

/// What a rule is about, as ifcert::RuleGroup has it.
enum class RuleGroup { operation, around, file };
inline constexpr std::array all_rule_groups{RuleGroup::operation, RuleGroup::around, RuleGroup::file};

/// A rule as the reports need it: its name and what it requires, from the reference's rule table.
struct RuleSummary {
  std::string name, requirement, clause;
  RuleGroup group = RuleGroup::operation;
};

/// A difference between a run and a known-failure list; any of them fails the run.
struct ListBreach {
  enum class Kind {
    listed_passes,
    unlisted_fails,
    unlisted_lenient,
    unlisted_not_if,
    listed_fails_otherwise,
    listed_unsupported,
    listed_not_shown,
    unlisted_rewriting,
    listed_rewriting_passes,
    listed_rewriting_fails_otherwise
  };
  Kind kind;
  std::string adapter, vector, message;
};

struct Certification {
  std::string version{};                      // of the ifcert that ran the certification
  std::string manifest_digest;                // SHA-256 of vectors/manifest.json
  std::string started, ended;                 // ISO 8601, UTC
  KeptCount kept{};                           // of its results; the others were run from `started` to `ended`
  std::string selector;                       // the --rule and --vector globs, empty for all
  std::string shard{};                        // "1/3" for the first of three; empty for all
  nlohmann::json limits;                      // timeout_s, memory_mib, jobs, …
  std::string program{};                      // the path of ifcert, for commands that reproduce a result
  std::vector<std::string> plain_runtimes{};  // adapters on which `ifcert reproduce` can show a result
  nlohmann::json isolation{};                 // how the adapters were isolated, as isolation() describes it
  std::vector<AdapterIdentity> adapters;
  std::map<std::string, WallTime> wall_times{};  // by adapter; of shards and of kept results, the sum
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
std::string to_string(SiblingOutcome outcome);  // "computes", "fails alike", …
std::string to_string(RuleGroup group);         // "If", "around If", "file"

/// The reverse. Throws Error for an unknown word.
Verdict verdict_from(std::string_view word);
Fault fault_from(std::string_view word);
Axis axis_from(std::string_view word);
SiblingOutcome sibling_outcome_from(std::string_view word);

/// FAIL, CRASH, TIMEOUT, MEMORY or ADAPTER. HARNESS and NOT-RUN are failures of the run, not of the adapter. LENIENT is
/// not a failure: no text obliges a runtime to notice that the model is illegal. NOT-IF is none of the If.
bool is_failure(Verdict verdict);

/// A failure or NOT-IF: the runtime fails, because of the If or not.
bool fails(Verdict verdict);

/// The verdict, but for NOT-IF that of the failure: FAIL, CRASH, …
Verdict failed_as(const Result& result);

/// A failure, NOT-IF or LENIENT: a list of known failures must name these.
bool is_listable(Verdict verdict);

/// ADAPTER, HARNESS or NOT-RUN: the verdict shows nothing about the runtime.
bool is_inconclusive(Verdict verdict);

/// The runtime's message, where a refusal decided the verdict; otherwise empty.
std::string refusal_message(const Result& result);

/// Whether the adapter is certified on this vector: whether its systems include the vector's.
bool in_scope(const AdapterIdentity& adapter, const VectorSummary& vector);

/// The same of a rewriting, and whether it fails. UNSUPPORTED is no failure, nor is what shows nothing about the
/// runtime.
std::string verdict_line(const RewritingResult& result);
bool fails(const RewritingResult& result);

/// "8600 of 8649 results are of earlier runs, since 2026-11-20T12:00:00Z"; empty where none is.
std::string kept_text(const Certification& certification);

/// PASS, or FAIL (wrong-value), or CRASH (signal 11), or NOT-IF (wrong-value), or NOT-IF (CRASH, signal 11), …
std::string verdict_line(const Result& result);

}  // namespace ifcert::conformance
