#include "conformance/report/report.hpp"

#include <string>
#include <utility>

#include "conformance/report/drawings.hpp"
#include "conformance/report/formats.hpp"
#include "conformance/results/counts.hpp"
#include "reference/files/output.hpp"

namespace ifcert::conformance {

namespace {

// The path from the folder to the project that contains it, "../../"; empty where there is none.
std::string way_to_project(const std::filesystem::path& dir) {
  std::string way;
  for (std::filesystem::path at = std::filesystem::weakly_canonical(dir); at.has_relative_path();
       at = at.parent_path()) {
    if (std::filesystem::exists(at / "vectors" / "manifest.json")) return way.empty() ? "./" : way;
    way += "../";
  }
  return "";
}

}  // namespace

std::vector<std::pair<std::string, std::string>> report_files(const Certification& certification,
                                                              const std::filesystem::path& dir) {
  const Counted counted(certification);
  const nlohmann::json json = report_json(counted);
  return {
      {"report.json", as_text(json, 1) + "\n"},
      {"junit.xml", junit_xml(counted)},
      {"report.md", report_markdown(counted)},
      {"report.html", report_html(json, {.project = way_to_project(dir), .drawings = drawings_of(certification)})},
  };
}

void write_report(const Certification& certification, const std::filesystem::path& dir) {
  const auto files = report_files(certification, dir);
  std::vector<files::OutputFile> outputs;
  for (const auto& [name, text] : files) outputs.push_back({dir / name, text});
  files::write_files(outputs, {.make_folders = true});
}

}  // namespace ifcert::conformance
