#include "conformance/results/results_file.hpp"

#include <fmt/format.h>

#include <set>
#include <string_view>
#include <vector>

#include "conformance/results/line_digests.hpp"
#include "conformance/results/result_json.hpp"
#include "conformance/system/error.hpp"
#include "conformance/system/file.hpp"
#include "conformance/system/json_text.hpp"
#include "conformance/system/schema.hpp"

namespace ifcert::conformance {

using nlohmann::json;
using nlohmann::ordered_json;

namespace {

constexpr int results_format = 3;

ordered_json header_line(const Certification& certification) {
  ordered_json adapters = ordered_json::array();
  for (const AdapterIdentity& adapter : certification.adapters) adapters.push_back(json_of(adapter));
  ordered_json line{{"ifcert", results_format},
                    {"version", certification.version},
                    {"manifest", certification.manifest_digest},
                    {"started", certification.started},
                    {"selector", certification.selector}};
  if (certification.kept.results > 0) line["kept"] = json_of(certification.kept);
  if (!certification.shard.empty()) line["shard"] = certification.shard;
  line["limits"] = certification.limits;
  if (!certification.isolation.is_null()) line["isolation"] = certification.isolation;
  line["adapters"] = std::move(adapters);
  return line;
}

std::map<std::string, std::size_t> counts_of(const std::vector<Result>& results) {
  std::map<std::string, std::size_t> counts;
  for (const Result& result : results) ++counts[to_string(result.verdict)];
  return counts;
}

ordered_json footer_line(const Certification& certification) {
  ordered_json wall_times = ordered_json::object();
  for (const auto& [adapter, wall_time] : certification.wall_times) wall_times[adapter] = json_of(wall_time);
  return {{"footer", true},
          {"ended", certification.ended},
          {"results", certification.results.size()},
          {"counts", counts_of(certification.results)},
          {"efforts", std::move(wall_times)}};
}

void read_header(const json& line, Certification& certification) {
  certification.version = line.value("version", "");
  line.at("manifest").get_to(certification.manifest_digest);
  line.at("started").get_to(certification.started);
  line.at("selector").get_to(certification.selector);
  if (line.contains("kept"))
    certification.kept = {line.at("kept").at("results").get<std::size_t>(), line.at("kept").at("since")};
  certification.shard = line.value("shard", "");
  certification.limits = line.at("limits");
  if (line.contains("isolation")) certification.isolation = line.at("isolation");
  for (const json& adapter : line.at("adapters")) certification.adapters.push_back(adapter_from(adapter));
}

void read_footer(const json& line, Certification& certification) {
  line.at("ended").get_to(certification.ended);
  for (const auto& [adapter, wall_time] : line.at("efforts").items())
    certification.wall_times[adapter] = wall_time_from(wall_time);
  if (line.at("results") != certification.results.size()) {
    throw Error(fmt::format("its footer counts {} results, it has {}", line.at("results").dump(),
                            certification.results.size()));
  }
  if (const json counts = counts_of(certification.results); line.at("counts") != counts) {
    throw Error(fmt::format("its footer counts {}, its lines {}", line.at("counts").dump(), counts.dump()));
  }
}

/// Throws Error where the file was written by an ifcert whose lines had no digests.
void require_format(std::string_view first_line) {
  const json header = parse_json(first_line).document;
  if (!header.is_object() || !header.contains("ifcert") || header.contains("sha256")) return;
  if (header.at("ifcert") == results_format) return;
  throw Error(fmt::format("its format is {}; this ifcert reads format {}", header.at("ifcert").dump(), results_format));
}

/// The lines as JSON. Throws Error where a line is cut off, has the wrong digest, or does not match the schema.
std::vector<json> read_lines(std::string_view text, const Schema& schema) {
  std::vector<json> lines;
  LineDigests digests;
  while (!text.empty()) {
    const std::size_t number = lines.size() + 1;
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) throw Error(fmt::format("its line {} is cut off", number));
    const std::string_view line = text.substr(0, end);
    if (number == 1) require_format(line);
    if (!digests.accept(line)) {
      throw Error(fmt::format(
          "its line {} was changed, or does not follow the line before it (its digest does not match)", number));
    }
    ParsedJson parsed = parse_json(line);
    if (!parsed.fault.empty()) throw Error(fmt::format("its line {} {}", number, parsed.fault));
    lines.push_back(std::move(parsed.document));
    schema.require(lines.back(), fmt::format("its line {}", number));
    text.remove_prefix(end + 1);
  }
  return lines;
}

Certification read_certification(std::string_view text, const Schema& schema) {
  const std::vector<json> lines = read_lines(text, schema);
  if (lines.empty() || !lines.front().contains("ifcert")) throw Error("it has no header");
  if (!lines.back().contains("footer")) {
    throw Error(fmt::format("it has no footer: the run that wrote it did not end (its last line is its line {})",
                            lines.size()));
  }
  Certification certification;
  read_header(lines.front(), certification);
  std::set<std::pair<std::string, std::string>> seen;
  for (std::size_t i = 1; i + 1 < lines.size(); ++i) {
    if (!lines[i].contains("verdict")) throw Error(fmt::format("its line {} is not a result", i + 1));
    certification.results.push_back(result_from(lines[i]));
    const Result& result = certification.results.back();
    if (!seen.emplace(result.adapter, result.vector).second) {
      throw Error(fmt::format("it has two results of {} on {}", result.adapter, result.vector));
    }
  }
  read_footer(lines.back(), certification);
  return certification;
}

}  // namespace

std::string results_text(const Certification& certification) {
  LineDigests digests;
  std::string text;
  const auto add = [&](const ordered_json& line) { text += digests.with_digest(line) + "\n"; };
  add(header_line(certification));
  for (const Result& result : certification.results) add(json_of(result));
  add(footer_line(certification));
  return text;
}

void write_results(const Certification& certification, const std::filesystem::path& file) {
  replace_file(file, results_text(certification));
}

Certification read_results(const Project& project, const std::filesystem::path& file) {
  const Schema schema(project.schema("results.schema.json"));
  const std::string text = read_file(file);
  try {
    return read_certification(text, schema);
  } catch (const Error& fault) {
    throw Error(fmt::format("{} is not a result: {}", file.string(), fault.what()));
  }
}

}  // namespace ifcert::conformance
