// ifcert export --layout onnx-backend-test DIR
#include <fmt/format.h>

#include <filesystem>
#include <ifcert/message.hpp>
#include <map>
#include <memory>
#include <set>
#include <string>

#include "conformance/commands/commands.hpp"
#include "conformance/commands/onnx_test_layout.hpp"
#include "conformance/suite/selection.hpp"
#include "conformance/system/error.hpp"
#include "conformance/system/unfinished_folder.hpp"

namespace ifcert::conformance {
namespace {

namespace fs = std::filesystem;

struct ExportOptions {
  std::string layout, folder;
  Selection selection;
};

/// The onnx package looks for tests of a kind; "simple" are those whose models are in files.
constexpr const char* kind = "simple";

int run_export(const ExportOptions& options) {
  const Suite suite =
      read_suite(find_project(), [&](const VectorSummary& vector) { return options.selection.selects(vector); });
  const fs::path folder = fs::absolute(options.folder).lexically_normal();
  if (fs::exists(folder)) throw Error(fmt::format("{} already exists", folder.string()));
  UnfinishedFolder unfinished(folder);
  std::map<std::string, std::size_t> left_out;
  std::set<std::string> names;
  for (const VectorSummary& summary : selected(summaries(suite), options.selection)) {
    const Vector& vector = *suite.find(summary.id);
    if (!vector.unusable.empty())
      throw Error(fmt::format("the vector {} cannot be used: {}", summary.id, vector.unusable));
    if (const std::string why = unfit_for_backend_test(vector); !why.empty()) {
      ++left_out[why];
      continue;
    }
    const std::string name = backend_test_name(vector);
    if (!names.insert(name).second) throw Error(fmt::format("two vectors would be named {}", name));
    write_backend_test(vector, unfinished.path() / kind / name);
  }
  if (names.empty()) throw Error("the layout can hold none of these vectors: it has only runs that return values");
  unfinished.finish();
  fmt::print("{} tests in {}\n", names.size(), printable((fs::path(options.folder) / kind).string()));
  for (const auto& [why, count] : left_out) fmt::print("{} vectors left out, each one that {}\n", count, why);
  return 0;
}

}  // namespace

void add_export(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("export", "Write the vectors as tests for an existing test runner");
  auto options = std::make_shared<ExportOptions>();
  one_of(command->add_option("--layout", options->layout, "the onnx package's layout of test folders")->required(),
         {"onnx-backend-test"});
  command->add_option("DIR", options->folder, "folder to create")->type_name("")->required();
  examples(*command,
           {{"ifcert export --layout onnx-backend-test --rule onnx/if/nesting tests", "the tests of a rule"}});
  command->add_option("--rule", options->selection.rules, "only vectors of rules that match this glob")
      ->type_name("RULE");
  command->add_option("--vector", options->selection.vectors, "only vectors whose id matches this glob")
      ->type_name("VECTOR");
  for (const char* repeatable : {"--rule", "--vector"}) command->get_option(repeatable)->expected(1)->take_all();
  command->callback([options, &exit_code] { exit_code = run_export(*options); });
}

}  // namespace ifcert::conformance
