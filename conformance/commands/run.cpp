// ifcert run MODEL [--input NAME=FILE.npy|JSON]… [--output DIR] [--operators ADAPTER] [--trace] [--max-seconds S]
// [--max-memory BYTES] [--allow RULE]…
#include <fmt/format.h>

#include <algorithm>
#include <ifcert/reference.hpp>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "conformance/commands/allowed_rules.hpp"
#include "conformance/commands/commands.hpp"
#include "conformance/commands/held_signals.hpp"
#include "conformance/commands/input_arguments.hpp"
#include "conformance/commands/json_value.hpp"
#include "conformance/commands/model_argument.hpp"
#include "conformance/commands/model_messages.hpp"
#include "conformance/commands/npy.hpp"
#include "conformance/commands/operators_option.hpp"
#include "conformance/system/error.hpp"
#include "conformance/system/file.hpp"

namespace ifcert::conformance {
namespace {

namespace fs = std::filesystem;

struct RunOptions {
  std::string model;
  std::vector<std::string> inputs, allow;
  std::string output, operators;
  bool trace = false;
  double seconds = default_seconds_limit;
  std::uint64_t memory = default_memory_limit;
};

/// File names without folders that differ from each other, whatever the model's outputs are named.
std::vector<std::string> file_names(const Graph& main) {
  constexpr std::size_t longest = 200;
  std::vector<std::string> names;
  std::map<std::string, int> uses;
  for (std::size_t i = 0; i < main.outputs.size(); ++i) {
    std::string name = main.slots[main.outputs[i]].name.substr(0, longest);
    if (name.empty()) name = "output";
    for (char& letter : name) {
      const bool plain = std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '_' || letter == '-';
      if (!plain) letter = '_';
    }
    ++uses[name];
    names.push_back(std::move(name));
  }
  // No name has a dot so far, so a name with its index differs from all others.
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (uses[names[i]] > 1) names[i] += fmt::format(".{}", i);
  }
  return names;
}

/// The files that a run reads: the model's, and those of its inputs.
files::Paths files_read(files::Paths files, const std::vector<std::string>& inputs) {
  for (const std::string& option : inputs) {
    if (is_npy(option)) files.emplace_back(option.substr(option.find('=') + 1));
  }
  return files;
}

WrittenFile output_file(const fs::path& folder, const std::string& name, const Value& value) {
  const Tensor* tensor = value.tensor();
  if (tensor != nullptr && npy_holds(tensor->type)) return {folder / (name + ".npy"), npy_bytes(*tensor)};
  return {folder / (name + ".json"), json_from_value(value).dump() + "\n"};
}

void write_outputs(const fs::path& folder, const Graph& main, const std::vector<Value>& outputs,
                   const files::Paths& read) {
  const std::vector<std::string> names = file_names(main);
  std::vector<WrittenFile> written;
  for (std::size_t i = 0; i < outputs.size(); ++i) written.push_back(output_file(folder, names[i], outputs[i]));
  std::vector<files::OutputFile> files;
  for (const WrittenFile& file : written) files.push_back({file.path, file.bytes});
  files::write_files(files, {.inputs = read, .make_folders = true, .on_interrupt = HeldSignals::end_if_any});
}

const CLI::Validator positive(
    [](const std::string& text) {
      double seconds = 0;
      const bool fits = CLI::detail::lexical_cast(text, seconds) && seconds > 0;
      return fits ? std::string() : fmt::format("{} is not greater than 0", text);
    },
    "FLOAT > 0");

int run_model(const RunOptions& options) {
  Reading reading = read_model_argument(options.model, allowed_rules(options.allow));
  Checked found = checked(reading);
  const std::vector<Diagnostic> broken = errors_in(found.findings);
  if (!broken.empty()) return report_broken(display_name(options.model), broken);
  report_allowed(display_name(options.model), reading.allowed);
  const files::Paths read = files_read(reading.files, options.inputs);
  const std::vector<Value> inputs = read_inputs(reading.model.main(), options.inputs);
  const std::unique_ptr<AdapterOperators> operators = operators_of(options.operators, reading.model.format);
  const Program program(std::move(reading.model), std::move(found.trip_types), {}, delegate_of(operators));
  require_inputs(program.model().main(), inputs);
  const std::string_view kind = branch_word(program.model().format);
  const BranchObserver trace = [kind](const BranchTaken& taken) {
    fmt::print(stderr, "{}: {}_{}\n", printable(taken.place), taken.cond ? "then" : "else", kind);
  };
  const HeldSignals signals;
  const RunLimits limits{.seconds = options.seconds, .memory = options.memory, .interrupt = HeldSignals::end_if_any};
  const std::vector<Value> outputs = program.run(inputs, options.trace ? trace : BranchObserver{}, limits);
  const Graph& main = program.model().main();
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const std::string& name = main.slots[main.outputs[i]].name;
    fmt::print("{}: {}\n", printable(name), printable(to_string(outputs[i])));
    HeldSignals::end_if_any();
  }
  say_computed_elsewhere(operators);
  if (!options.output.empty()) write_outputs(options.output, main, outputs, read);
  return 0;
}

}  // namespace

void add_run(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("run", "Evaluate a model with the reference");
  auto options = std::make_shared<RunOptions>();
  command->add_option("MODEL", options->model, fmt::format("a model file {}", model_endings))
      ->type_name("")
      ->required()
      ->transform(model_file);
  command
      ->add_option(
          "--input", options->inputs,
          "value of an input, as NAME=FILE.npy or NAME=JSON; repeat it for each input; #0 names the first input")
      ->type_name("NAME=VALUE")
      ->expected(1)
      ->take_all();
  command
      ->add_option("--output", options->output, "folder for the outputs, as .npy (or .json for types that NumPy lacks)")
      ->type_name("DIR");
  command
      ->add_option("--max-seconds", options->seconds,
                   fmt::format("time limit of the run (default {}; inf: none)", default_seconds_limit))
      ->type_name("SECONDS")
      ->check(positive);
  command
      ->add_option("--max-memory", options->memory,
                   "memory limit for the values of the run, such as 500M or 8G (default 4G)")
      ->type_name("BYTES")
      ->transform(CLI::AsSizeValue(false));
  add_allow(*command, options->allow);
  add_operators_option(*command, options->operators);
  command->add_flag("--trace", options->trace, "print on standard error which branch each If took");
  examples(
      *command,
      {{"ifcert run model.onnx --input cond=true --trace", "the outputs, and which branch each If took"},
       {"ifcert run model.onnx --input cond=cond.npy --output outputs", "reads and writes arrays in files"},
       {"ifcert run model.onnx --input cond=true --allow onnx/model/no-cycles", "nodes in any order"},
       {"ifcert run - --input '#0=true' <model.onnx", "reads the model from standard input; #0 is its first input"}},
      "Exit code 1: the model breaks a rule (see ifcert check); 2: it could not be run.");
  command->callback([options, &exit_code] {
    try {
      exit_code = run_model(*options);
    } catch (const UnreadableModel& error) {
      throw Error(unreadable(display_name(options->model), error));
    } catch (const LimitExceeded& error) {
      throw Error(fmt::format("{}: {} ({} raises the limit)", display_name(options->model), error.what(),
                              error.limit == Limit::time ? "--max-seconds" : "--max-memory"));
    } catch (const std::runtime_error& error) {
      throw Error(fmt::format("{}: {}", display_name(options->model), error.what()));
    } catch (const std::bad_alloc& error) {
      throw Error(without_memory(display_name(options->model), error));
    }
  });
}

}  // namespace ifcert::conformance
