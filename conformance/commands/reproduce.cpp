// ifcert reproduce VECTOR --runtime NAME
#include <fmt/format.h>

#include <algorithm>
#include <ifcert/reading.hpp>
#include <memory>
#include <string>
#include <vector>

#include "conformance/certify/known_failures.hpp"
#include "conformance/commands/commands.hpp"
#include "conformance/reproduce/reproduction.hpp"
#include "conformance/rewritings/rewriting.hpp"
#include "conformance/suite/main_inputs.hpp"
#include "conformance/suite/model_text.hpp"
#include "conformance/suite/suite.hpp"
#include "conformance/system/error.hpp"
#include "conformance/system/file.hpp"
#include "conformance/system/suggestion.hpp"

namespace ifcert::conformance {
namespace {

struct ReproduceOptions {
  std::string vector, runtime, file;
  std::vector<std::string> rewritings;
};

const Vector& vector_named(const Suite& suite, const std::string& id) {
  if (const Vector* vector = suite.find(id); vector != nullptr) {
    if (vector->unusable.empty()) return *vector;
    throw Error(fmt::format("the vector {} cannot be used: {}", id, vector->unusable));
  }
  std::vector<std::string> ids;
  for (const Vector& each : suite.vectors) ids.push_back(each.summary.id);
  throw Error(fmt::format("there is no vector {}{}", id, did_you_mean(id, ids)));
}

/// The vector's files after these rewritings.
ModelFiles rewritten_files(const Vector& vector, const std::vector<std::string>& names) {
  ModelFiles files = vector.files;
  for (const std::string& name : names) {
    const Rewriting* rewriting = find_rewriting(vector.summary.system, name);
    if (rewriting == nullptr) {
      std::vector<std::string> known;
      for (const Rewriting* each : rewritings_of(vector.summary.system)) known.emplace_back(each->name);
      throw Error(
          fmt::format("there is no rewriting {} of {}{}", name, vector.summary.system, did_you_mean(name, known)));
    }
    try {
      files = rewritten_by(*rewriting, files);
    } catch (const NotMade& reason) {
      throw Error(fmt::format("{} cannot be made of {}: {}", name, vector.summary.id, reason.what()));
    }
  }
  return files;
}

/// The vector's title, and what its file has that the vector's own has not.
std::string title_of(const VectorSummary& vector, const std::vector<std::string>& rewritings) {
  const std::string title = fmt::format("{}: {}", vector.id, vector.title);
  return rewritings.empty() ? title : fmt::format("{}; its file with {}", title, fmt::join(rewritings, ", "));
}

/// Whether a text requires that the model is refused, and which.
std::string note_on(const VectorSummary& vector) {
  if (vector.axis != Axis::diagnoses) return "";
  if (vector.obliged_by.is_null())
    return "The model is illegal. No text obliges a runtime to notice that: computing it is lenient, not wrong.";
  return fmt::format("The model is illegal, and the implementation has to refuse it: {}: {}",
                     vector.obliged_by.at("source").get<std::string>(),
                     vector.obliged_by.at("clause").get<std::string>());
}

/// Whether the runtime is known to crash or hang in the vector, or to do something else each time.
bool may_end_the_process(const KnownFailures& list, const std::string& vector) {
  const auto known = std::ranges::find(list.failures, vector, &KnownFailure::vector);
  if (known == list.failures.end()) return false;
  const Verdict verdict = known->failed_as.value_or(known->verdict);
  return known->fault == Fault::unstable || (verdict != Verdict::fail && verdict != Verdict::lenient);
}

/// Empty for a model that the reference cannot read.
std::vector<SlotInfo> inputs_of(const VectorSummary& vector) {
  try {
    return main_inputs(read_model(vector.model).model);
  } catch (const UnreadableModel&) {
    return {};
  }
}

int run_reproduce(const ReproduceOptions& options) {
  const Project project = find_project();
  const PlainRuntime runtime = read_plain_runtime(project, options.runtime);
  const Suite suite = read_suite(project, [&](const VectorSummary& vector) { return vector.id == options.vector; });
  const Vector& vector = vector_named(suite, options.vector);
  const VectorSummary& summary = vector.summary;
  if (std::ranges::find(runtime.systems, summary.system) == runtime.systems.end()) {
    throw Error(fmt::format("{} does not read {} (it reads {})", runtime.name, summary.system,
                            fmt::join(runtime.systems, ", ")));
  }
  const KnownFailures list = read_known_failures(project, options.runtime, suite);
  const std::string script =
      reproduction({.title = title_of(summary, options.rewritings),
                    .note = note_on(summary),
                    .model_text = text_of_vector(summary),
                    .files = rewritten_files(vector, options.rewritings),
                    .steps = summary.steps,
                    .inputs = inputs_of(summary),
                    .guarded = !options.rewritings.empty() || may_end_the_process(list, summary.id)},
                   runtime);
  if (options.file.empty())
    fmt::print("{}", script);
  else
    replace_file(options.file, script);
  return 0;
}

}  // namespace

void add_reproduce(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand(
      "reproduce",
      "Write a Python script that shows a vector on a runtime, without ifcert: by its plain API and numpy");
  auto options = std::make_shared<ReproduceOptions>();
  command->add_option("VECTOR", options->vector, "the id of a vector (ifcert list vectors)")->type_name("")->required();
  command->add_option("--runtime", options->runtime, "the runtime, by the name of its adapter (ifcert list adapters)")
      ->type_name("ADAPTER")
      ->required();
  command
      ->add_option("--rewriting", options->rewritings,
                   "make this rewriting of the model's file first (ifcert list rewritings); may be repeated")
      ->type_name("NAME");
  command->add_option("-o", options->file, "file to write (default: standard output)")->type_name("FILE");
  examples(*command,
           {{"ifcert reproduce onnx/if/then-when-true/test-cc-if --runtime onnxruntime -o shown.py",
             "a script for a Python that has ONNX Runtime and numpy"},
            {"ifcert reproduce onnx/if/then-when-true/test-cc-if --runtime onnxruntime --rewriting main-into-loop",
             "the same of the model whose nodes are in a Loop's body"}},
           "The script shows the model, the inputs, what is expected and what the runtime returns. It exits with 0 if "
           "all\nis as expected. A refusal that is not expected ends it with the runtime's exception, a crash with a "
           "signal.");
  command->callback([options, &exit_code] { exit_code = run_reproduce(*options); });
}

}  // namespace ifcert::conformance
