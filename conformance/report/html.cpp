#include "conformance/error.hpp"
#include "conformance/report/formats.hpp"

namespace ifcert::conformance {
namespace {

// Where report.html wants the report.
constexpr std::string_view place = "\"@report.json@\"";

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

}  // namespace

std::string report_html(const nlohmann::json& report) {
  std::string page(page_template());
  const std::size_t at = page.find(place);
  if (at == std::string::npos) throw Error("report.html: no place for the report, expected \"@report.json@\"");
  return page.replace(at, place.size(), as_script(report));
}

}  // namespace ifcert::conformance
