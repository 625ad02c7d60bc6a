// ifcert known-failures init RUN [--adapter NAME] [-o FILE]
#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <string>

#include "conformance/certify/known_failures_draft.hpp"
#include "conformance/commands/commands.hpp"
#include "conformance/results/results_file.hpp"
#include "conformance/system/error.hpp"
#include "conformance/system/file.hpp"

namespace ifcert::conformance {
namespace {

namespace fs = std::filesystem;

struct DraftOptions {
  std::string run, adapter, file;
};

std::string number_of(std::size_t count, std::string_view what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

/// Reports on standard error how to complete the draft: standard output may be the draft itself.
void tell(const KnownFailuresDraft& draft, const std::string& file) {
  if (draft.listed > 0)
    fmt::print(stderr, "{} left out: on the adapter's list already\n", number_of(draft.listed, "result"));
  if (draft.unlistable > 0)
    fmt::print(stderr, "{} left out: the adapter itself failed, which cannot be listed\n",
               number_of(draft.unlistable, "result"));
  if (draft.entries == 0) {
    fmt::print(stderr, "There is nothing to list\n");
  } else {
    fmt::print(stderr,
               "{} for {}, one for each cause; replace each TODO in {} by a link and a note before you use it as "
               "known_failures.json\n",
               draft.entries == 1 ? "1 entry" : fmt::format("{} entries", draft.entries),
               number_of(draft.vectors, "vector"), file.empty() ? "it" : printable(file));
  }
}

int run_draft(const DraftOptions& options) {
  const fs::path run = options.run;
  const fs::path results = fs::is_directory(run) ? run / "results.jsonl" : run;
  const KnownFailuresDraft draft = draft_known_failures(read_results(find_project(), results), options.adapter);
  const std::string text = draft.list.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
  if (options.file.empty()) {
    fmt::print("{}", text);
  } else {
    if (fs::exists(options.file) && fs::is_regular_file(options.file))
      throw Error(fmt::format("{} exists, and a draft does not replace what a person wrote", options.file));
    replace_file(options.file, text, {results});
  }
  tell(draft, options.file);
  return 0;
}

}  // namespace

void add_known_failures(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("known-failures", "Make an adapter's list of known failures");
  command->require_subcommand(1);
  auto options = std::make_shared<DraftOptions>();
  CLI::App* init = command->add_subcommand(
      "init", "Write a draft of an adapter's known_failures.json from its results: one entry for each cause");
  init->add_option("RUN", options->run, "folder of results, or its results.jsonl")->type_name("")->required();
  init->add_option("--adapter", options->adapter, "adapter whose list to draft, if the results are of several")
      ->type_name("ADAPTER");
  init->add_option("-o", options->file, "file to write, which must not exist (default: standard output)")
      ->type_name("FILE");
  examples(
      *init,
      {{"ifcert known-failures init results", "on standard output"},
       {"ifcert known-failures init results -o known_failures.json", "into a new file"}},
      "The draft lists what failed. A person must add the causes: each entry has a TODO as its link and at the\n"
      "beginning of its note, and ifcert refuses a list that still has one. Results that are on the list already are\n"
      "left out; results of certify --strict have none.");
  init->callback([options, &exit_code] { exit_code = run_draft(*options); });
  examples(*command, {{"ifcert known-failures init results", "a draft from results/results.jsonl"}});
}

}  // namespace ifcert::conformance
