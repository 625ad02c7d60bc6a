#include "conformance/certify/known_failures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <set>
#include <utility>

#include "conformance/certify/deviations.hpp"
#include "conformance/rewritings/rewriting.hpp"
#include "conformance/runtimes/read_adapter.hpp"
#include "conformance/runtimes/versions.hpp"
#include "conformance/system/error.hpp"
#include "conformance/system/file.hpp"
#include "conformance/system/schema.hpp"

namespace ifcert::conformance {
namespace {

using Kind = ListBreach::Kind;

const KnownFailure* listed(std::span<const KnownFailures> lists, const Result& result) {
  for (const KnownFailures& list : lists) {
    if (list.adapter != result.adapter) continue;
    const auto found = std::ranges::find(list.failures, result.vector, &KnownFailure::vector);
    if (found != list.failures.end()) return &*found;
  }
  return nullptr;
}

std::string words(const KnownFailure& known) {
  if (known.other_limit) return fmt::format("{} or {}", to_string(known.verdict), to_string(*known.other_limit));
  Result result;
  result.verdict = known.verdict;
  result.fault = known.fault;
  result.failed_as = known.failed_as;
  return verdict_line(result);
}

/// Whether the entry is FAIL (unstable) and matches this verdict. It matches any verdict on the runtime, also a pass
/// and UNSUPPORTED: the result of such a vector depends on uninitialised memory.
bool covers(const KnownFailure& known, Verdict verdict) {
  if (known.fault != Fault::unstable) return false;
  return verdict == Verdict::pass || verdict == Verdict::unsupported || verdict == Verdict::not_shown ||
         (is_listable(verdict) && verdict != Verdict::adapter);
}

/// Whether the entry names this failure, whether or not it is the If's.
bool same_failure(const Result& result, const KnownFailure& known) {
  const Verdict verdict = failed_as(result);
  return (verdict == known.failed_as.value_or(known.verdict) && result.fault == known.fault) ||
         verdict == known.other_limit || covers(known, result.verdict);
}

bool is_not_if(Verdict verdict) {
  return verdict == Verdict::not_if;
}

/// The same, and whether it is the If's, where siblings have shown that.
bool same_ruling(const Result& result, const KnownFailure& known) {
  const bool is_shown = result.without_ifs && known.fault != Fault::unstable;
  return same_failure(result, known) && (!is_shown || is_not_if(result.verdict) == is_not_if(known.verdict));
}

/// How a result differs from its entry; nothing when it matches, or when it shows nothing about the runtime.
std::optional<Kind> disagreement(const Result& result, const KnownFailure& known) {
  if (covers(known, result.verdict)) return std::nullopt;
  if (result.verdict == Verdict::pass) return Kind::listed_passes;
  if (result.verdict == Verdict::unsupported) return Kind::listed_unsupported;
  if (result.verdict == Verdict::not_shown) return Kind::listed_not_shown;
  return is_listable(result.verdict) && !same_ruling(result, known) ? std::optional(Kind::listed_fails_otherwise)
                                                                    : std::nullopt;
}

bool is_leniency(const ListBreach& breach) {
  return breach.kind == Kind::unlisted_lenient;
}

Kind unlisted(Verdict verdict) {
  if (is_not_if(verdict)) return Kind::unlisted_not_if;
  return is_failure(verdict) ? Kind::unlisted_fails : Kind::unlisted_lenient;
}

ListBreach breach_of(Kind kind, const Result& result, std::string listed_as) {
  const std::string reason = result.reason.empty() ? "" : fmt::format(": {}", result.reason);
  return {kind, result.adapter, result.vector, fmt::format("{}, {}{}", verdict_line(result), listed_as, reason)};
}

void compare_with_list(const KnownFailure* known, Result& result, std::vector<ListBreach>& breaches) {
  if (known == nullptr) {
    if (!is_listable(result.verdict)) return;
    breaches.push_back(breach_of(unlisted(result.verdict), result, "not listed"));
    return;
  }
  if (const auto kind = disagreement(result, *known)) {
    breaches.push_back(breach_of(*kind, result, fmt::format("listed as {}", words(*known))));
  } else if (is_listable(result.verdict)) {
    result.known = true;
    result.link = known->link;
  }
}

const KnownFailure* listed_rewriting(std::span<const KnownFailures> lists, const Result& result,
                                     const RewritingResult& rewriting) {
  for (const KnownFailures& list : lists) {
    if (list.adapter != result.adapter) continue;
    const auto found = std::ranges::find_if(list.rewritings, [&](const KnownFailure& known) {
      return known.vector == result.vector && known.rewriting == rewriting.name;
    });
    if (found != list.rewritings.end()) return &*found;
  }
  return nullptr;
}

/// Whether a rewriting fails, or is lacking in the runtime, as the entry says.
bool is_same(const RewritingResult& rewriting, const KnownFailure& known) {
  return rewriting.verdict == known.verdict && rewriting.fault == known.fault;
}

void compare_rewriting(const KnownFailure* known, const Result& result, RewritingResult& rewriting,
                       std::vector<ListBreach>& breaches) {
  const auto add = [&](Kind kind, const std::string& listed_as) {
    const std::string reason = rewriting.reason.empty() ? "" : fmt::format(": {}", rewriting.reason);
    breaches.push_back(
        {kind, result.adapter, result.vector,
         fmt::format("rewritten ({}): {}, {}{}", rewriting.name, verdict_line(rewriting), listed_as, reason)});
  };
  if (known == nullptr) {
    if (fails(rewriting)) add(Kind::unlisted_rewriting, "not listed");
  } else if (is_same(rewriting, *known) || covers(*known, rewriting.verdict)) {
    rewriting.known = rewriting.verdict != Verdict::pass;
    if (rewriting.known) rewriting.link = known->link;
  } else if (rewriting.verdict == Verdict::pass) {
    add(Kind::listed_rewriting_passes, fmt::format("listed as {}", words(*known)));
  } else if (fails(rewriting)) {
    add(Kind::listed_rewriting_fails_otherwise, fmt::format("listed as {}", words(*known)));
  }
}

bool is_filled_in(std::string_view text) {
  return !text.starts_with(still_to_do) && text.find_first_not_of(" \t\r\n") != std::string_view::npos;
}

/// The entry's own link, or that of the deviation that it names.
std::string link_of(const nlohmann::json& entry, const std::string& vector, const DeviationLinks& links,
                    const std::filesystem::path& file) {
  if (entry.contains("link")) return entry.at("link");
  const auto id = entry.at("deviation").get<std::string>();
  const auto found = links.find(id);
  if (found != links.end()) return found->second;
  throw Error(fmt::format("{}: the entry of {} names the deviation {}, which has no record in conformance/deviations",
                          file.string(), vector, id));
}

/// One failure for each vector of an entry.
std::vector<KnownFailure> failures_of(const nlohmann::json& entry, const DeviationLinks& links,
                                      const std::filesystem::path& file) {
  const auto vectors = entry.contains("vector") ? std::vector<std::string>{entry.at("vector")}
                                                : entry.at("vectors").get<std::vector<std::string>>();
  const std::string link = link_of(entry, vectors.front(), links, file);
  const auto verdict_in = [&entry](const char* member) {
    return entry.contains(member) ? std::optional(verdict_from(entry.at(member).get<std::string>())) : std::nullopt;
  };
  std::vector<KnownFailure> failures;
  for (const std::string& vector : vectors) {
    failures.push_back({.vector = vector,
                        .verdict = verdict_from(entry.at("verdict").get<std::string>()),
                        .fault = fault_from(entry.value("fault", "")),
                        .link = link,
                        .note = entry.at("note"),
                        .other_limit = verdict_in("or"),
                        .failed_as = verdict_in("was"),
                        .rewriting = entry.value("rewriting", "")});
  }
  for (const char* name : {"link", "note"}) {
    if (const auto text = entry.value(name, link); !is_filled_in(text)) {
      const std::string others = vectors.size() == 1 ? "" : fmt::format(" and {} more", vectors.size() - 1);
      throw Error(fmt::format("{}: the {} of {}{} is still to be filled in: \"{}\"", file.string(), name,
                              vectors.front(), others, text));
    }
  }
  return failures;
}

}  // namespace

KnownFailures read_known_failures(const Project& project, std::string_view name_or_path, const Suite& suite) {
  const std::filesystem::path folder = adapter_folder(project, split_version(name_or_path).name);
  const std::filesystem::path file = folder / "known_failures.json";
  const bool there = std::filesystem::exists(folder / "adapter.json");
  const std::string adapter = there ? read_adapter(project, name_or_path).name : std::string(name_or_path);
  KnownFailures list{adapter, {}, {}};
  const bool is_pinned = adapter.find('@') == std::string::npos;  // the file lists failures of the pinned version only
  if (!is_pinned || !std::filesystem::exists(file)) return list;
  const nlohmann::json document = read_json(file, Schema(project.schema("known_failures.schema.json")));
  if (document.at("adapter") != adapter) {
    throw Error(fmt::format("{} is the list of '{}'", file.string(), document.at("adapter").get<std::string>()));
  }
  const nlohmann::json rewritings = document.value("rewritings", nlohmann::json::array());
  const auto has_deviation = [](const nlohmann::json& entries) {
    return std::ranges::any_of(entries, [](const auto& entry) { return entry.contains("deviation"); });
  };
  const bool needs_links = has_deviation(document.at("failures")) || has_deviation(rewritings);
  const DeviationLinks links = needs_links ? read_deviation_links(project) : DeviationLinks{};
  std::set<std::pair<std::string, std::string>> seen;
  const auto read = [&](const nlohmann::json& entries, std::vector<KnownFailure>& into) {
    for (const nlohmann::json& entry : entries) {
      for (KnownFailure& known : failures_of(entry, links, file)) {
        if (!seen.emplace(known.rewriting, known.vector).second)
          throw Error(fmt::format("{} lists {} twice", file.string(), known.vector));
        const Vector* vector = suite.find(known.vector);
        if (vector == nullptr)
          throw Error(fmt::format("{} lists {}, which is not a vector", file.string(), known.vector));
        if (!known.rewriting.empty() && !names_rewritings(vector->summary.system, known.rewriting))
          throw Error(
              fmt::format("{} lists {}, which is no rewriting of {}", file.string(), known.rewriting, known.vector));
        into.push_back(std::move(known));
      }
    }
  };
  read(document.at("failures"), list.failures);
  read(rewritings, list.rewritings);
  return list;
}

bool is_as_listed(std::span<const KnownFailures> lists, const Result& result) {
  const KnownFailure* known = listed(lists, result);
  return known != nullptr && same_failure(result, *known);
}

bool is_listed_as_unstable(std::span<const KnownFailures> lists, const Result& result) {
  const KnownFailure* known = listed(lists, result);
  return known != nullptr && known->fault == Fault::unstable;
}

void compare_with_lists(std::span<const KnownFailures> lists, Certification& certification) {
  certification.breaches.clear();
  for (Result& result : certification.results) {
    if (std::exchange(result.known, false)) result.link.clear();  // from an older list
    compare_with_list(listed(lists, result), result, certification.breaches);
    for (RewritingResult& rewriting : result.rewritings) {
      if (std::exchange(rewriting.known, false)) rewriting.link.clear();
      compare_rewriting(listed_rewriting(lists, result, rewriting), result, rewriting, certification.breaches);
    }
  }
  if (lists.empty()) std::erase_if(certification.breaches, is_leniency);
}

}  // namespace ifcert::conformance
