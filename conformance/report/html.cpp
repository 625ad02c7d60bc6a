#include <fmt/format.h>

#include <cstdint>
#include <utility>
#include <vector>

#include "conformance/report/formats.hpp"
#include "conformance/system/compressed.hpp"
#include "conformance/system/digest.hpp"
#include "conformance/system/error.hpp"

namespace ifcert::conformance {
namespace {

using Part = std::pair<std::string_view, std::string>;  // a placeholder in report.html, and its replacement

// JSON that no HTML parser can take for markup: "<" occurs only inside JSON strings, where an escape means the same.
std::string as_script(const nlohmann::json& report) {
  std::string script;
  for (const char letter : as_text(report)) {
    if (letter == '<') {
      script += "\\u003c";
    } else {
      script += letter;
    }
  }
  return script;
}

std::string_view between(std::string_view page, std::string_view opening, std::string_view closing) {
  const std::size_t begin = page.find(opening);
  const std::size_t end = page.find(closing, begin);
  if (begin == std::string_view::npos || end == std::string_view::npos) {
    throw Error(fmt::format("report.html: no {} … {}", opening, closing));
  }
  return page.substr(begin + opening.size(), end - begin - opening.size());
}

// SHA-256 in the form of a Content-Security-Policy: the only script and the only styles that the browser runs.
std::string policy_hash(std::string_view text) {
  const std::string digits = sha256(text);
  std::string bytes;
  for (std::size_t i = 0; i < digits.size(); i += 2) {
    bytes += static_cast<char>(std::stoi(digits.substr(i, 2), nullptr, 16));
  }
  return base64(bytes);
}

// Fills the template's placeholders in its order; inserted text is never searched for placeholders.
std::string filled(std::string_view page, const std::vector<Part>& parts) {
  std::string whole;
  for (const auto& [placeholder, text] : parts) {
    const std::size_t at = page.find(placeholder);
    if (at == std::string_view::npos) throw Error(fmt::format("report.html: no {} where it is expected", placeholder));
    whole += page.substr(0, at);
    whole += text;
    page.remove_prefix(at + placeholder.size());
  }
  return whole.append(page);
}

// A path of dots and slashes only, or nothing: the page appends the names of documents to it.
std::string checked(const std::string& project) {
  return project.find_first_not_of("./") == std::string::npos ? project : "";
}

}  // namespace

std::string report_html(const nlohmann::json& report, const PageExtras& extras) {
  const std::string_view page = page_template();
  return filled(page, {{"@project@", checked(extras.project)},
                       {"@style-hash@", policy_hash(between(page, "<style>", "</style>"))},
                       {"@script-hash@", policy_hash(between(page, "<script>", "</script>"))},
                       {"\"@report.json@\"", as_script(report)},
                       {"@drawings@", deflate_base64(as_text(extras.drawings))}});
}

}  // namespace ifcert::conformance
