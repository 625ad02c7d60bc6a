#include "conformance/certify/known_failures_draft.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <vector>

#include "conformance/certify/causes.hpp"
#include "conformance/certify/known_failures.hpp"
#include "conformance/runtimes/onnx_backend.hpp"
#include "conformance/system/error.hpp"
#include "conformance/system/one_line.hpp"

namespace ifcert::conformance {
namespace {

using nlohmann::ordered_json;

constexpr std::size_t longest_message = 200;

const std::string& only_adapter(const Certification& certification) {
  if (certification.adapters.size() == 1) return certification.adapters.front().name;
  std::vector<std::string> names;
  for (const AdapterIdentity& adapter : certification.adapters) names.push_back(adapter.name);
  throw Error(fmt::format("the results are of {} adapters ({}); --adapter must name one of them", names.size(),
                          fmt::join(names, ", ")));
}

const AdapterIdentity& whose(const Certification& certification, const std::string& adapter) {
  const std::string& name = adapter.empty() ? only_adapter(certification) : adapter;
  const auto found = std::ranges::find(certification.adapters, name, &AdapterIdentity::name);
  if (found == certification.adapters.end()) throw Error(fmt::format("there are no results of the adapter {}", name));
  if (is_onnx_backend(name)) throw Error(fmt::format("{} is not an adapter with a folder: it can have no list", name));
  if (name.find('@') != std::string::npos)
    throw Error(fmt::format("{} is another version than the pinned one, whose list it would be", name));
  return *found;
}

/// "TODO: 12 refused, in load: Unsupported model IR version"
std::string note_of(const Cause& cause, std::size_t vectors) {
  const Result& example = cause.example();
  const std::string own = own_line(example);
  return fmt::format("{}: {} x {}{}: {}", still_to_do, vectors, to_string(cause.kind),
                     example.phase.empty() ? "" : ", in " + example.phase,
                     one_line(own.empty() ? example.reason : own, longest_message));
}

ordered_json entry_of(const Cause& cause, std::vector<std::string> vectors) {
  const Result& example = cause.example();
  ordered_json entry;
  const std::string note = note_of(cause, vectors.size());
  if (vectors.size() == 1)
    entry["vector"] = vectors.front();
  else
    entry["vectors"] = std::move(vectors);
  entry["verdict"] = to_string(example.verdict);
  if (example.failed_as) entry["was"] = to_string(*example.failed_as);
  if (example.fault != Fault::none) entry["fault"] = to_string(example.fault);
  entry["link"] = still_to_do;
  entry["note"] = note;
  return entry;
}

/// What rewritings with one name and one cause have in common.
struct RewritingCause {
  const RewritingResult* example;
  std::vector<std::string> vectors;
};

/// Rewritings that fail and that no list names, by name and cause.
std::vector<RewritingCause> rewriting_causes(const Certification& certification, const std::string& adapter) {
  std::vector<RewritingCause> causes;
  std::map<std::string, std::size_t> places;  // by name and cause
  for (const Result& result : certification.results) {
    if (result.adapter != adapter) continue;
    for (const RewritingResult& rewriting : result.rewritings) {
      if (!fails(rewriting) || rewriting.known) continue;
      Result alike;
      alike.verdict = rewriting.verdict;
      alike.fault = rewriting.fault;
      alike.reason = rewriting.message.empty() ? rewriting.reason : rewriting.message;
      const auto [place, is_new] = places.emplace(rewriting.name + ' ' + cause_of(alike), causes.size());
      if (is_new) causes.push_back({&rewriting, {}});
      causes[place->second].vectors.push_back(result.vector);
    }
  }
  return causes;
}

ordered_json entry_of(const RewritingCause& cause) {
  const RewritingResult& example = *cause.example;
  ordered_json entry{{"rewriting", example.name}, {"vectors", cause.vectors}, {"verdict", to_string(example.verdict)}};
  if (example.fault != Fault::none) entry["fault"] = to_string(example.fault);
  entry["link"] = still_to_do;
  entry["note"] = fmt::format("{}: {} x {}: {}", still_to_do, cause.vectors.size(), example.name,
                              one_line(example.message.empty() ? example.reason : example.message, longest_message));
  return entry;
}

}  // namespace

KnownFailuresDraft draft_known_failures(const Certification& certification, const std::string& adapter) {
  KnownFailuresDraft draft;
  const std::string& name = whose(certification, adapter).name;
  ordered_json failures = ordered_json::array();
  for (const Cause& cause : causes_of(certification)) {
    if (cause.adapter != name || !is_listable(cause.example().verdict)) continue;
    if (cause.example().verdict == Verdict::adapter) {
      draft.unlistable += cause.results.size();
      continue;
    }
    draft.listed += cause.known;
    std::vector<std::string> vectors;
    for (const Result* result : cause.results) {
      if (!result->known) vectors.push_back(result->vector);
    }
    if (vectors.empty()) continue;
    ++draft.entries;
    draft.vectors += vectors.size();
    failures.push_back(entry_of(cause, std::move(vectors)));
  }
  ordered_json rewritings = ordered_json::array();
  for (const RewritingCause& cause : rewriting_causes(certification, name)) {
    ++draft.entries;
    draft.vectors += cause.vectors.size();
    rewritings.push_back(entry_of(cause));
  }
  draft.list = {{"adapter", name}, {"failures", std::move(failures)}};
  if (!rewritings.empty()) draft.list["rewritings"] = std::move(rewritings);
  return draft;
}

}  // namespace ifcert::conformance
