#include <fmt/format.h>

#include <ifcert/message.hpp>

#include "conformance/report/formats.hpp"
#include "conformance/results/result_json.hpp"

namespace ifcert::conformance {
namespace {

std::string escaped_letter(char letter) {
  switch (letter) {
    case '&':
      return "&amp;";
    case '<':
      return "&lt;";
    case '>':
      return "&gt;";
    case '"':
      return "&quot;";
    case '\n':
      return "&#10;";
    case '\t':
      return "&#9;";
    default:
      return {letter};
  }
}

// For attributes and text alike. XML 1.0 cannot hold most control characters and two more, not even as references:
// `printable_lines` has replaced them.
std::string escaped(const std::string& bytes) {
  std::string xml;
  for (const char letter : printable_lines(bytes)) xml += escaped_letter(letter);
  return xml;
}

std::string seen_again(const Result& result) {
  if (result.confirmed_by == result.vector) return "alone in a fresh process";
  return fmt::format("after {}, which fails in the same way alone in a fresh process", result.confirmed_by);
}

std::string detail(std::string_view program, const AdapterIdentity& adapter, const Result& result) {
  std::string text = result.reason + "\n";
  if (result.known) text += fmt::format("known failure: {}\n", result.link);
  if (!result.confirmed_by.empty()) text += fmt::format("failed again: {}\n", seen_again(result));
  if (result.without_ifs) text += fmt::format("without the If: {}\n", as_text(json_of(*result.without_ifs)));
  if (result.rewritten) text += fmt::format("rewritten: {}\n", as_text(json_of(*result.rewritten)));
  if (!result.phase.empty()) text += fmt::format("phase: {}\n", result.phase);
  if (result.step) text += fmt::format("step: {}, counted from 0\n", *result.step);
  if (!result.expected.is_null()) text += fmt::format("expected: {}\n", as_text(result.expected));
  if (!result.got.is_null()) text += fmt::format("got: {}\n", as_text(result.got));
  return text + fmt::format("reproduce: {}\n", reproduce(program, adapter, result.vector));
}

std::string finding(std::string_view element, std::string_view type, const std::string& detail, const Result& result) {
  const std::string message = verdict_line(result) + (result.reason.empty() ? "" : ": " + result.reason);
  return fmt::format("      <{0} type=\"{1}\" message=\"{2}\">{3}</{0}>\n", element, type, escaped(message),
                     escaped(detail));
}

std::string skipped(const Result& result) {
  std::string message = verdict_line(result);
  for (const std::string& more : {result.reason, result.link}) {
    if (!more.empty()) message += ": " + more;
  }
  return fmt::format("      <skipped message=\"{}\"/>\n", escaped(message));
}

std::string outcome(std::string_view program, const AdapterIdentity& adapter, const Result& result) {
  switch (result.verdict) {
    case Verdict::pass:
      return "";
    case Verdict::fail:
      return finding("failure", to_string(result.fault), detail(program, adapter, result), result);
    case Verdict::lenient:
    case Verdict::not_if:
    case Verdict::not_shown:
    case Verdict::unsupported:
    case Verdict::not_run:
      return skipped(result);
    default:
      return finding("error", to_string(result.verdict), detail(program, adapter, result), result);
  }
}

std::string test_case(std::string_view program, const AdapterIdentity& adapter, const VectorSummary& vector,
                      const Result* found) {
  Result absent;
  absent.adapter = adapter.name;
  absent.vector = vector.id;
  absent.reason = "no result";
  const Result& result = found != nullptr ? *found : absent;
  std::string xml = fmt::format("    <testcase classname=\"{}\" name=\"{}\" time=\"{:.6f}\">\n", escaped(vector.rule),
                                escaped(vector.id), result.milliseconds / 1000);
  xml += outcome(program, adapter, result);
  if (!result.evidence.empty()) xml += fmt::format("      <system-err>{}</system-err>\n", escaped(result.evidence));
  return xml + "    </testcase>\n";
}

struct Sums {
  std::size_t tests = 0, failures = 0, errors = 0, skipped = 0;
  double seconds = 0;

  void add(const Sums& other) {
    tests += other.tests;
    failures += other.failures;
    errors += other.errors;
    skipped += other.skipped;
    seconds += other.seconds;
  }

  [[nodiscard]] std::string attributes() const {
    return fmt::format("tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\" time=\"{:.6f}\"", tests, failures,
                       errors, skipped, seconds);
  }
};

Sums sums_of(const Counted& counted, const AdapterIdentity& adapter, Axis axis) {
  const Counts counts = counted.total(adapter.name, axis).vectors;
  Sums sums;
  sums.tests = counts.total;
  sums.failures = counts.of(Verdict::fail);
  sums.skipped = counts.of(Verdict::lenient) + counts.of(Verdict::not_if) + counts.of(Verdict::not_shown) +
                 counts.of(Verdict::unsupported) + counts.of(Verdict::not_run);
  sums.errors = sums.tests - counts.of(Verdict::pass) - sums.failures - sums.skipped;
  for (const VectorSummary& vector : counted.certification().vectors) {
    const Result* result = vector.axis == axis ? counted.result(adapter.name, vector.id) : nullptr;
    if (result != nullptr) sums.seconds += result->milliseconds / 1000;
  }
  return sums;
}

std::string test_suite(const Counted& counted, const AdapterIdentity& adapter, Axis axis, const Sums& sums) {
  const Certification& certification = counted.certification();
  std::string xml = fmt::format("  <testsuite name=\"{}, {}\" {} timestamp=\"{}\">\n", escaped(adapter.name),
                                to_string(axis), sums.attributes(), escaped(certification.started));
  const auto property = [&xml](std::string_view name, const std::string& value) {
    xml += fmt::format("      <property name=\"{}\" value=\"{}\"/>\n", name, escaped(value));
  };
  xml += "    <properties>\n";
  property("runtime", adapter.runtime);
  property("version", adapter.version);
  property("manifest", certification.manifest_digest);
  if (!certification.selector.empty()) property("selector", certification.selector);
  if (!certification.shard.empty()) property("shard", certification.shard);
  for (const Verdict verdict : all_verdicts) {
    property(to_string(verdict), std::to_string(counted.total(adapter.name, axis).vectors.of(verdict)));
  }
  xml += "    </properties>\n";
  for (const VectorSummary& vector : certification.vectors) {
    if (vector.axis == axis && in_scope(adapter, vector))
      xml += test_case(counted.certification().program, adapter, vector, counted.result(adapter.name, vector.id));
  }
  return xml + "  </testsuite>\n";
}

std::string rewritten_case(const Result& pass, const RewritingResult& rewriting) {
  std::string xml = fmt::format("    <testcase classname=\"{}\" name=\"{}\" time=\"0\">\n", escaped(rewriting.name),
                                escaped(pass.vector));
  const std::string message = escaped(fmt::format("{}: {}", verdict_line(rewriting), rewriting.reason));
  if (fails(rewriting))
    xml += fmt::format("      <failure type=\"{}\" message=\"{}\"/>\n", to_string(rewriting.verdict), message);
  else if (rewriting.verdict != Verdict::pass)
    xml += fmt::format("      <skipped message=\"{}\"/>\n", message);
  return xml + "    </testcase>\n";
}

/// The rewritings of models that the adapter computes; empty where none was run.
std::string rewritings_suite(const Certification& certification, const AdapterIdentity& adapter, Sums& all) {
  std::string cases;
  Sums sums;
  for (const Result& result : certification.results) {
    if (result.adapter != adapter.name) continue;
    for (const RewritingResult& rewriting : result.rewritings) {
      cases += rewritten_case(result, rewriting);
      ++sums.tests;
      sums.failures += fails(rewriting) ? 1 : 0;
      sums.skipped += !fails(rewriting) && rewriting.verdict != Verdict::pass ? 1 : 0;
    }
  }
  all.add(sums);
  if (sums.tests == 0) return {};
  return fmt::format("  <testsuite name=\"{}, rewritings\" {} timestamp=\"{}\">\n{}  </testsuite>\n",
                     escaped(adapter.name), sums.attributes(), escaped(certification.started), cases);
}

}  // namespace

std::string junit_xml(const Counted& counted) {
  Sums all;
  std::string suites;
  for (const AdapterIdentity& adapter : counted.certification().adapters) {
    for (const Axis axis : all_axes) {
      const Sums sums = sums_of(counted, adapter, axis);
      if (sums.tests == 0) continue;
      all.add(sums);
      suites += test_suite(counted, adapter, axis, sums);
    }
    suites += rewritings_suite(counted.certification(), adapter, all);
  }
  return fmt::format("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"ifcert\" {}>\n{}</testsuites>\n",
                     all.attributes(), suites);
}

}  // namespace ifcert::conformance
