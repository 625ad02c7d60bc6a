// ifcert merge DIR… --out DIR
#include "conformance/certify/merge.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "conformance/certify/overwrite_guard.hpp"
#include "conformance/commands/commands.hpp"
#include "conformance/commands/publish.hpp"
#include "conformance/reproduce/plain_runtime.hpp"
#include "conformance/results/results_file.hpp"
#include "conformance/system/error.hpp"
#include "reference/files/output.hpp"

namespace ifcert::conformance {
namespace {

namespace fs = std::filesystem;

struct MergeOptions {
  std::vector<std::string> folders;
  std::string out;
  bool replace = false;
  std::string sign;
};

Part read_part(const Project& project, const fs::path& folder, const fs::path& out) {
  const fs::path file = folder / "results.jsonl";
  std::error_code ignored;
  if (fs::equivalent(folder, out, ignored)) {
    throw Error(fmt::format("{} is both an input and --out: its results would be lost", folder.string()));
  }
  require_outputs(out, {file});
  if (fs::exists(folder / "results.jsonl.part")) {
    throw Error(fmt::format("the run in {} has not finished (certify --resume finishes it)", folder.string()));
  }
  return {file.string(), read_results(project, file)};
}

int run_merge(const MergeOptions& options) {
  const Project project = find_project();
  std::optional<SigningKey> key;
  if (!options.sign.empty()) key.emplace(options.sign);
  std::vector<Part> parts;
  parts.reserve(options.folders.size());
  for (const std::string& folder : options.folders) parts.push_back(read_part(project, folder, options.out));
  const Suite suite = suite_of(project, parts);
  Certification whole = merge(suite, std::move(parts));
  std::vector<std::string> adapters;
  adapters.reserve(whole.adapters.size());
  for (const AdapterIdentity& adapter : whole.adapters) adapters.push_back(adapter.name);
  const fs::path out = fs::absolute(options.out);
  if (!options.replace) refuse_to_lose_results(suite, whole, out);
  add_breaches_and_rules(suite, read_lists(project, suite, adapters, whole.limits.value("strict", false)), whole);
  whole.program = project.program().string();
  whole.plain_runtimes = plain_runtime_names(project);
  write_reports(whole, out, key ? &*key : nullptr);
  return print_summary(whole, out);
}

}  // namespace

void add_merge(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand(
      "merge", "Combine the shards of a certification (certify --shard I/N), and those of several adapters");
  auto options = std::make_shared<MergeOptions>();
  command->add_option("DIR", options->folders, "folders with the results.jsonl of each shard, in any order")
      ->type_name("")
      ->required();
  command->add_option("--out", options->out, "folder for results.jsonl and the reports of the whole")
      ->type_name("DIR")
      ->required();
  command->add_flag("--replace", options->replace,
                    "replace all results in the --out folder, also those that are in none of the shards");
  command->add_option("--sign", options->sign, "private Ed25519 key, in PEM: also write certificate.json.sig")
      ->type_name("KEY");
  examples(*command, {{"ifcert merge first second --out whole", "combines what certify --shard 1/2 and 2/2 wrote"}},
           "The exit codes are those of certify.");
  command->callback([options, &exit_code] { exit_code = run_merge(*options); });
}

}  // namespace ifcert::conformance
