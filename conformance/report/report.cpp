#include "conformance/report/report.hpp"

#include <array>
#include <string>
#include <utility>

#include "conformance/file.hpp"
#include "conformance/report/counts.hpp"
#include "conformance/report/formats.hpp"

namespace ifcert::conformance {

void write_report(const Certification& certification, const std::filesystem::path& dir) {
  const Counted counted(certification);
  const nlohmann::json json = report_json(counted);
  const std::array<std::pair<const char*, std::string>, 4> files{{
      {"report.json", as_text(json, 1) + "\n"},
      {"junit.xml", junit_xml(counted)},
      {"report.md", report_markdown(counted)},
      {"report.html", report_html(json)},
  }};
  for (const auto& [name, text] : files) replace_file(dir / name, text);
}

}  // namespace ifcert::conformance
