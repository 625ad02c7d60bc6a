#include "conformance/report/rewritings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ifcert/message.hpp>
#include <map>
#include <utility>

#include "conformance/rewritings/rewriting.hpp"
#include "conformance/system/one_line.hpp"
#include "conformance/system/terminal.hpp"

namespace ifcert::conformance {
namespace {

constexpr std::size_t longest_message = 160;

/// By name; "" for one that this version does not know.
std::string what_of(const std::string& name) {
  if (name.find(between_rewritings) != std::string::npos) return "each alone passes";
  const auto found = std::ranges::find(all_rewritings(), name, &Rewriting::name);
  return found == all_rewritings().end() ? std::string() : std::string(found->what);
}

std::size_t place_of(const std::string& name) {
  return static_cast<std::size_t>(std::ranges::find(all_rewritings(), name, &Rewriting::name) -
                                  all_rewritings().begin());
}

}  // namespace

std::vector<RewritingFindings> rewriting_findings(const Certification& certification) {
  std::vector<RewritingFindings> all;
  for (const AdapterIdentity& adapter : certification.adapters) {
    std::map<std::pair<std::size_t, std::string>, RewritingFindings> by_place;
    for (const Result& result : certification.results) {
      if (result.adapter != adapter.name) continue;
      for (const RewritingResult& rewriting : result.rewritings) {
        RewritingFindings& of_it = by_place[{place_of(rewriting.name), rewriting.name}];
        ++of_it.run;
        if (rewriting.verdict != Verdict::pass) of_it.findings.push_back({&result, &rewriting});
      }
    }
    for (auto& [place, findings] : by_place) {
      if (findings.findings.empty()) continue;
      findings.adapter = adapter.name;
      findings.name = place.second;
      findings.what = what_of(findings.name);
      std::ranges::stable_sort(findings.findings, {},
                               [](const RewritingFinding& each) { return !fails(*each.rewriting); });
      all.push_back(std::move(findings));
    }
  }
  return all;
}

bool has_rewritings(const Certification& certification) {
  return std::ranges::any_of(certification.results, [](const Result& result) { return !result.rewritings.empty(); });
}

std::string rewriting_counts(const Certification& certification, const std::string& adapter) {
  std::size_t run = 0, failing = 0;
  for (const Result& result : certification.results) {
    if (result.adapter != adapter) continue;
    run += result.rewritings.size();
    failing += static_cast<std::size_t>(
        std::ranges::count_if(result.rewritings, [](const RewritingResult& each) { return fails(each); }));
  }
  return fmt::format("{} of {} rewritings of models that pass fail", failing, run);
}

std::string finding_line(const RewritingFindings& findings) {
  const auto& [pass, rewriting] = findings.findings.front();
  return fmt::format("differs with {} ({}): {} of {}, {}, such as {}: {}", findings.name, findings.what,
                     findings.findings.size(), findings.run, verdict_line(*rewriting), pass->vector,
                     one_line(message_of(*rewriting), longest_message));
}

std::string rewritings_text(const Certification& certification) {
  if (!has_rewritings(certification)) return {};
  const std::vector<RewritingFindings> all = rewriting_findings(certification);
  std::string text = "\n";
  for (const AdapterIdentity& adapter : certification.adapters) {
    text += fmt::format("{}: {}\n", printable(adapter.name), rewriting_counts(certification, adapter.name));
    for (const RewritingFindings& findings : all) {
      if (findings.adapter == adapter.name) text += fmt::format("  {}\n", printable(finding_line(findings)));
    }
  }
  return text;
}

std::string message_of(const RewritingResult& rewriting) {
  return rewriting.message.empty() ? rewriting.reason : rewriting.message;
}

}  // namespace ifcert::conformance
