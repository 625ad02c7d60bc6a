#include "conformance/fuzz/finding_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ifcert/reference.hpp>

#include "conformance/drawing/drawing.hpp"
#include "conformance/fuzz/generator/computed.hpp"
#include "conformance/reproduce/plain_runtime.hpp"
#include "conformance/reproduce/reproduction.hpp"
#include "conformance/suite/main_inputs.hpp"
#include "conformance/suite/model_text.hpp"
#include "conformance/system/error.hpp"
#include "conformance/system/file.hpp"
#include "conformance/system/unfinished_folder.hpp"

namespace ifcert::conformance {

using nlohmann::json;
using nlohmann::ordered_json;

namespace {

namespace fs = std::filesystem;

void write_model_of(const fs::path& folder, const ModelFiles& files) {
  for (const auto& [name, bytes] : files.bytes) replace_file(folder / name, bytes);
}

/// The files in the order that read_back() expects: the model's own file last.
std::shared_ptr<const generator::Files> as_written(const ModelFiles& files) {
  generator::Files all;
  for (const auto& [name, bytes] : files.bytes) {
    if (name != files.model) all.push_back({name, bytes});
  }
  all.push_back({files.model, files.bytes.at(files.model)});
  return std::make_shared<const generator::Files>(std::move(all));
}

/// Pictures and text; for a model that cannot be read, the reason. Returns the model's inputs.
std::vector<SlotInfo> write_pictures(const fs::path& folder, const ModelFiles& files, const std::string& title) {
  try {
    const Reading reading = generator::read_back(as_written(files));
    const Checked found = checked(reading);
    const std::vector<Diagnostic> broken = errors_in(found.findings);
    replace_file(folder / "model.txt", text_of_model(reading.model));
    replace_file(folder / "model.svg", drawing::svg_of(reading.model, found.types, broken));
    replace_file(folder / "model.html", drawing::page_of(reading.model, found.types, broken, title));
    return main_inputs(reading.model);
  } catch (const UnreadableModel& error) {
    replace_file(folder / "model.txt", fmt::format("{}\n", error.what()));
    return {};
  }
}

/// Writes a script that runs the smallest model on the runtime, if the runtime's plain API is known.
void write_script(const fs::path& folder, const FuzzFinding& finding, const std::vector<SlotInfo>& inputs,
                  const AdapterIdentity& adapter, const Project& project) {
  const Shown& shown = finding.example.smallest();
  const bool is_unstable = !finding.example.unstable.empty();
  const std::vector<std::string> known = plain_runtime_names(project);
  if (std::ranges::find(known, adapter.name) == known.end()) return;
  const Reproduced example{
      .title = fmt::format("{} {}: {}", adapter.runtime, adapter.version, headline(shown)),
      .note = "Found by ifcert fuzz: only a suspicion until somebody has read the sentence of the text that decides.",
      .model_text = read_file(folder / "model.txt"),
      .files = shown.files,
      .steps = shown.steps,
      .inputs = inputs,
      .guarded = is_unstable || (shown.result.verdict != Verdict::fail && shown.result.verdict != Verdict::lenient)};
  replace_file(folder / "show.py", reproduction(example, read_plain_runtime(project, adapter.name)));
}

bool expects_refusal(const Shown& shown) {
  return shown.steps.at(0).at("load").at("expect").contains("refused");
}

ordered_json draft_of(const FuzzFinding& finding) {
  const Shown& shown = finding.example.smallest();
  return {{"format", 2},
          {"id", nullptr},
          {"system", finding.example.failure.format},
          {"title", nullptr},
          {"why", json::array()},
          {"axis", expects_refusal(shown) ? "diagnoses" : "computes"},
          {"model", shown.files.model},
          {"steps", shown.steps}};
}

}  // namespace

std::string headline(const Shown& shown) {
  const std::string message = refusal_message(shown.result);
  return fmt::format("{}: {}{}", verdict_line(shown.result), shown.result.reason,
                     message.empty() ? "" : ": " + printable(message));
}

ordered_json json_of(const FuzzFinding& finding, const AdapterIdentity& adapter, const std::string& folder) {
  const FuzzExample& example = finding.example;
  const Result& result = example.smallest().result;
  ordered_json line{{"adapter", adapter.name},
                    {"runtime", adapter.runtime},
                    {"version", adapter.version},
                    {"verdict", example.unstable.empty() ? verdict_line(result) : "FAIL (unstable)"},
                    {"reason", result.reason},
                    {"message", refusal_message(result)},
                    {"evidence", result.evidence},
                    {"cause", example.failure.cause},
                    {"format", example.failure.format},
                    {"seed", example.failure.seed},
                    {"kind", example.failure.kind},
                    {"seeds", finding.seeds},
                    {"failures", finding.failures},
                    {"form", example.form},
                    {"nodes", example.nodes},
                    {"tries", example.tries},
                    {"smallest", example.complete},
                    {"folder", folder}};
  if (expects_refusal(example.smallest()))
    line["breaks"] = generator::broken_rules(as_written(example.smallest().files));
  if (result.step) line["step"] = *result.step;
  if (!result.expected.is_null()) line["expected"] = result.expected;
  if (!result.got.is_null()) line["got"] = result.got;
  if (!example.unstable.empty())
    line["unstable"] =
        fmt::format("in one process {}; alone in a fresh one {}", example.failure.verdict, example.unstable);
  return line;
}

void require_finding_folder(const fs::path& folder) {
  std::error_code ignored;
  const bool is_free = !fs::exists(folder, ignored) || fs::is_empty(folder, ignored);
  if (!is_free && !fs::is_regular_file(folder / "finding.json", ignored))
    throw Error(fmt::format("{} is not the folder of a finding, and is not replaced", folder.string()));
}

void write_finding(const fs::path& folder, const FuzzFinding& finding, const AdapterIdentity& adapter,
                   const Project& project) {
  require_finding_folder(folder);
  const std::string name = folder.filename().string();
  UnfinishedFolder unfinished(folder);
  const fs::path& fresh = unfinished.path();
  const Shown& shown = finding.example.smallest();
  write_model_of(fresh, shown.files);
  if (finding.example.small) write_model_of(fresh / "original", finding.example.original.files);
  const std::vector<SlotInfo> inputs = write_pictures(fresh, shown.files, name);
  replace_file(fresh / "vector.json", draft_of(finding).dump(2) + "\n");
  write_script(fresh, finding, inputs, adapter, project);
  replace_file(fresh / "finding.json", json_of(finding, adapter, name).dump(2) + "\n");
  fs::remove_all(folder);
  unfinished.finish();
}

}  // namespace ifcert::conformance
