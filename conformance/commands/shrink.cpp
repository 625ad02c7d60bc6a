// ifcert shrink MODEL|FINDING --adapter NAME [--input NAME=FILE.npy|JSON]… [--operators ADAPTER] [--out DIR]
#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <ifcert/reference.hpp>
#include <memory>
#include <string>
#include <vector>

#include "conformance/commands/commands.hpp"
#include "conformance/commands/input_arguments.hpp"
#include "conformance/commands/model_argument.hpp"
#include "conformance/commands/model_messages.hpp"
#include "conformance/commands/operators_option.hpp"
#include "conformance/fuzz/finding_files.hpp"
#include "conformance/fuzz/shrink_input.hpp"
#include "conformance/runtimes/environment.hpp"
#include "conformance/runtimes/read_adapter.hpp"
#include "conformance/system/error.hpp"
#include "conformance/system/file.hpp"

namespace ifcert::conformance {
namespace {

namespace fs = std::filesystem;

struct ShrinkOptions {
  std::string model, adapter, operators, out = "shrunk";
  std::vector<std::string> inputs;
  std::uint64_t seed = 0;
  double seconds = 120, timeout = 10;
  std::size_t tries = 3000;
};

/// The model with its runs: those of a finding, one with the inputs of the command line, or three with random inputs.
ShrinkInput shrink_input(const ShrinkOptions& options) {
  if (is_finding(options.model)) return read_finding(options.model);
  Reading reading = read_model_argument(options.model);
  const Graph& main = reading.model.main();
  std::vector<std::vector<Value>> runs;
  if (options.inputs.empty()) {
    runs = any_runs(main, options.seed);
  } else {
    runs.push_back(read_inputs(main, options.inputs));
    require_inputs(main, runs.front());
  }
  return shrink_input_from(std::move(reading), std::move(runs));
}

std::chrono::milliseconds milliseconds_of(double seconds) {
  return std::chrono::milliseconds(static_cast<long>(seconds * 1000));
}

int run_shrink(const ShrinkOptions& options) {
  const Project project = find_project();
  const Adapter adapter = read_adapter(project, options.adapter);
  require_installed(project, adapter);
  require_finding_folder(options.out);
  Limits limits;
  limits.message = milliseconds_of(options.timeout);
  ShrinkInput input = shrink_input(options);
  const std::unique_ptr<AdapterOperators> operators = operators_of(options.operators, input.format);
  input.delegate = delegate_of(operators);
  const Campaign campaign = shrink_on_adapter(
      project, adapter, limits, {.tries = options.tries, .time = milliseconds_of(options.seconds)}, input);
  say_computed_elsewhere(operators);
  if (campaign.findings.empty()) {
    fmt::print("{} does not fail on {}: {}\n", printable(options.model), adapter.name,
               campaign.verdicts.begin()->first);
    return 0;
  }
  const FuzzFinding& finding = campaign.findings.front();
  write_finding(options.out, finding, campaign.adapter, project);
  const FuzzExample& example = finding.example;
  fmt::print("{}\n", printable(headline(example.smallest())));
  if (input.illegal) fmt::print("The model breaks {}.\n", fmt::join(input.illegal->rules, ", "));
  if (example.small) {
    fmt::print("{} of {} nodes are left after {} tries{}: {}\n", example.nodes,
               generator::count_of_nodes(input.generated.model), example.tries,
               example.complete ? "" : ", and more tries may remove others", printable(options.out));
    fmt::print("{}", read_file(fs::path(options.out) / "model.txt"));
  } else {
    fmt::print("No smaller model fails in the same way, after {} tries: {}\n", example.tries, printable(options.out));
  }
  return 1;
}

const CLI::Validator positive_seconds(
    [](const std::string& text) {
      double seconds = 0;
      const bool fits = CLI::detail::lexical_cast(text, seconds) && seconds >= 0.01 && seconds <= 864'000;
      return fits ? std::string() : fmt::format("{} is not between 0.01 and 864000", text);
    },
    "FLOAT in [0.01 - 864000]");

}  // namespace

void add_shrink(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("shrink", "Make a model on which a runtime fails as small as possible");
  auto options = std::make_shared<ShrinkOptions>();
  command
      ->add_option("MODEL", options->model,
                   fmt::format("a model file {}, or the folder of a finding of ifcert fuzz", model_endings))
      ->type_name("")
      ->required()
      ->transform(model_file);
  command->add_option("--adapter", options->adapter, "adapter of the runtime (see ifcert list adapters)")
      ->type_name("ADAPTER")
      ->required();
  command
      ->add_option(
          "--input", options->inputs,
          "value of an input, as NAME=FILE.npy or NAME=JSON; without this option, three runs with random inputs")
      ->type_name("NAME=VALUE")
      ->expected(1)
      ->take_all();
  add_operators_option(*command, options->operators);
  command->add_option("--seed", options->seed, "determines the random inputs")->type_name("S");
  command->add_option("--tries", options->tries, "number of models to try at most")
      ->type_name("N")
      ->capture_default_str();
  command->add_option("--max-seconds", options->seconds, "time limit for all tries (default 120)")
      ->type_name("SECONDS")
      ->check(positive_seconds);
  command->add_option("--timeout", options->timeout, "time limit for each answer (default 10)")
      ->type_name("SECONDS")
      ->check(positive_seconds);
  command
      ->add_option("--out", options->out,
                   "folder for the smallest model and what shows it; a finding in it is replaced")
      ->type_name("DIR")
      ->capture_default_str();
  examples(*command,
           {{"ifcert shrink model.onnx --adapter reference", "a model that passes is left alone"},
            {"ifcert shrink model.onnx --adapter reference --input cond=true", "with this input"}},
           "Exit code 0: the runtime does not fail; 1: it does, or it computes a model that breaks a rule, and the "
           "smallest\n"
           "model is in the folder; 2: the model could not be tried.");
  command->callback([options, &exit_code] {
    try {
      exit_code = run_shrink(*options);
    } catch (const UnreadableModel& error) {
      throw Error(unreadable(display_name(options->model), error));
    } catch (const Inexpressible& error) {
      throw Error(fmt::format("{}: {}", options->model, error.what()));
    }
  });
}

}  // namespace ifcert::conformance
