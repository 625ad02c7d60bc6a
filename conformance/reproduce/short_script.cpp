#include "conformance/reproduce/short_script.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <sstream>
#include <vector>

#include "conformance/reproduce/python_values.hpp"
#include "conformance/reproduce/script_text.hpp"

namespace ifcert::conformance {
namespace {

using nlohmann::json;

bool allows(const json& expected, const char* outcome) {
  return std::ranges::any_of(alternatives_of(expected), [&](const json& one) { return one.contains(outcome); });
}

bool may_refuse(const json& steps) {
  return allows(steps.at(0).at("load").at("expect"), "refused");
}

bool must_refuse(const json& steps) {
  return may_refuse(steps) && !allows(steps.at(0).at("load").at("expect"), "loaded");
}

/// Whether the step is a load or a run that has the outcomes which the load has, and no others.
bool is_plain_step(const json& step, const json& steps) {
  if (!step.contains("load") && !step.contains("run")) return false;
  const json& part = step.begin().value();
  if (part.value("hold", false)) return false;
  const json& expected = part.at("expect");
  const bool computes = allows(expected, step.contains("load") ? "loaded" : "outputs");
  const bool refuses = allows(expected, "refused");
  return computes != must_refuse(steps) && refuses == may_refuse(steps) &&
         alternatives_of(expected).size() == (computes ? 1U : 0U) + (refuses ? 1U : 0U);
}

bool has_empty_tensors(const json& steps) {
  return std::ranges::any_of(values_in(steps), [](const json& value) {
    const auto shape = value.value("shape", std::vector<std::uint64_t>());
    return std::ranges::find(shape, 0U) != shape.end();
  });
}

/// Whether every run feeds all inputs, in the model's order.
bool feeds_are_in_order(const Reproduced& example) {
  return std::ranges::all_of(example.steps, [&](const json& step) {
    if (!step.contains("run")) return true;
    std::vector<std::string> fed;
    for (const json& input : step.at("run").at("inputs")) fed.push_back(input.at("name"));
    return std::ranges::equal(fed, example.inputs, {}, {}, &SlotInfo::name);
  });
}

bool has_shape(const Type& declared, const json& value) {
  if (!declared.shape || !value.contains("shape")) return false;
  return std::ranges::equal(value.at("shape").get<std::vector<std::int64_t>>(), *declared.shape, {}, {}, &Dim::value);
}

/// Whether every run feeds tensors of the shapes that the model declares for its inputs, all of which are known.
bool feeds_have_declared_shapes(const Reproduced& example) {
  const auto fits = [&](const json& fed) {
    const auto declared = std::ranges::find(example.inputs, fed.at("name").get<std::string>(), &SlotInfo::name);
    return declared != example.inputs.end() && has_shape(declared->declared, fed.at("value"));
  };
  return std::ranges::all_of(example.steps, [&](const json& step) {
    return !step.contains("run") || std::ranges::all_of(step.at("run").at("inputs"), fits);
  });
}

std::string section(const PlainRuntime& runtime, const std::string& name) {
  const auto found = runtime.sections.find(name);
  return found == runtime.sections.end() ? "" : found->second;
}

/// The lines, each with four more spaces.
std::string indented(const std::string& text) {
  std::istringstream lines(text);
  std::string all;
  for (std::string line; std::getline(lines, line);) all += line.empty() ? "\n" : fmt::format("    {}\n", line);
  return all;
}

/// The text with the word in one place replaced; empty if the word is not in it exactly once.
std::string with_one(const std::string& text, const std::string& word, const std::string& other) {
  const std::size_t at = text.find(word);
  if (at == std::string::npos || text.find(word, at + 1) != std::string::npos) return "";
  return text.substr(0, at) + other + text.substr(at + word.size());
}

/// The runtime's calls: its short sections where they can do what the steps need, otherwise its functions.
struct Calls {
  std::string functions, load, run;
  bool takes_bytes = false;
};

Calls calls_of(const Reproduced& example, const PlainRuntime& runtime) {
  const bool fixed = feeds_have_declared_shapes(example);
  const bool is_one_run = example.steps.size() <= 2;
  const auto short_section = [&](const std::string& name) {
    const std::string text = fixed ? "" : section(runtime, name + " of open shapes");
    return text.empty() ? section(runtime, name) : text;
  };
  const std::string load = short_section("short load");
  if (!load.empty() && (runtime.short_of_empty || !has_empty_tensors(example.steps)) &&
      (!runtime.short_by_position || (feeds_are_in_order(example) && (fixed || is_one_run))))
    return {.functions = "",
            .load = load,
            .run = short_section("short run"),
            .takes_bytes = load.find("path") == std::string::npos};
  const std::string narrow = section(runtime, "narrow");
  const std::string functions = section(runtime, "plain") + (narrow.empty() ? "" : "\n\n" + narrow);
  const bool computes = functions.find("def run(") != std::string::npos;
  return {
      .functions = functions, .load = "model = load(path)\n", .run = computes ? "returned = run(model, feeds)\n" : ""};
}

std::string feeds_text(const json& inputs) {
  std::vector<std::string> entries;
  for (const json& input : inputs)
    entries.push_back(
        fmt::format("{}: {}", python_text(input.at("name").get<std::string>()), plain_value(input.at("value"))));
  return fmt::format("{{{}}}", fmt::join(entries, ", "));
}

std::string outputs_text(const json& expected) {
  std::vector<std::string> values;
  for (const json& outcome : alternatives_of(expected)) {
    if (!outcome.contains("outputs")) continue;
    for (const json& output : outcome.at("outputs")) values.push_back(plain_value(output.at("value")));
  }
  return fmt::format("[{}]", fmt::join(values, ", "));
}

/// The statements from the version on.
class Statements {
 public:
  Statements(const Reproduced& example, const PlainRuntime& runtime, Calls calls)
      : steps_(example.steps), calls_(std::move(calls)), runtime_(runtime) {
    for (const json& step : steps_) {
      if (step.contains("run") && !calls_.run.empty()) runs_.push_back(step.at("run"));
    }
  }

  std::string text() const {
    if (must_refuse(steps_)) return announced("a refusal") + refused();
    if (!may_refuse(steps_)) return computed() + "print(\"as expected\")\n";
    return fmt::format(
        "try:\n{}except Exception as error:\n    print(f\"refused: {{error!r}}\")\nprint(\"as expected\")\n",
        indented(computed()));
  }

 private:
  /// Prints the runtime's version, if that is known before a model is loaded, and what is expected.
  std::string announced(const std::string& expected) const {
    const std::string version = version_of(runtime_);
    const std::string shown = version.empty() ? "" : fmt::format("{} {{{}}}\\n", runtime_.package, version);
    return fmt::format("print(f\"{}expected: {}\", flush=True)\n", shown, expected);
  }

  std::string load() const {
    return calls_.load +
           (version_of(runtime_).empty() ? fmt::format("print(\"{}\", model.version)\n", runtime_.name) : "");
  }

  std::string refused() const {
    std::string tried = load();
    const std::string shown = "print(\"returned:\", returned, flush=True)\n";
    if (runs_.size() == 1) tried += single_run() + shown;
    if (runs_.size() > 1) {
      tried += "for feeds in [\n";
      for (const json& run : runs_) tried += fmt::format("    {},\n", feeds_text(run.at("inputs")));
      tried += "]:\n" + indented(calls_.run + shown);
    }
    return fmt::format(
        "try:\n{}except Exception as error:\n    print(f\"refused: {{error!r}}\\nas expected\")\n"
        "else:\n    sys.exit(\"not as expected: nothing was refused\")\n",
        indented(tried));
  }

  std::string computed() const {
    const char* refusal = may_refuse(steps_) ? ", or a refusal" : "";
    const std::string compared =
        "print(\"returned:\", returned)\n"
        "if bits(returned) != bits(expected):\n    sys.exit(f\"not as expected: {bits(returned)}\")\n";
    if (runs_.empty()) return announced(fmt::format("that the model loads{}", refusal)) + load();
    if (runs_.size() == 1) {
      return fmt::format("expected = {}\n", outputs_text(runs_[0].at("expect"))) +
             announced(fmt::format("{{expected}}{}", refusal)) + load() + single_run() + compared;
    }
    std::string text =
        announced(fmt::format("that the model loads{}", refusal)) + load() + "for feeds, expected in [\n";
    for (const json& run : runs_)
      text += fmt::format("    ({}, {}),\n", feeds_text(run.at("inputs")), outputs_text(run.at("expect")));
    return text + "]:\n" + indented("print(\"expected:\", expected, flush=True)\n" + calls_.run + compared);
  }

  /// The run of the only feeds, which are written where they are used if that is one place.
  std::string single_run() const {
    const std::string feeds = feeds_text(runs_[0].at("inputs"));
    const std::string text = with_one(calls_.run, "feeds", feeds);
    return text.empty() ? fmt::format("feeds = {}\n{}", feeds, calls_.run) : text;
  }

  static std::string version_of(const PlainRuntime& runtime) {
    const std::string version = section(runtime, "version");
    if (!version.empty()) return version.substr(0, version.find('\n'));
    return runtime.package.empty() ? "" : fmt::format("importlib.metadata.version('{}')", runtime.package);
  }

  const json& steps_;
  Calls calls_;
  const PlainRuntime& runtime_;
  std::vector<json> runs_;
};

/// The imports of numpy, if it is needed, and of the runtime. A program in another language is part of them.
std::string imports_of(const PlainRuntime& runtime, bool needs_numpy) {
  return (needs_numpy ? "import numpy as np\n" : "") + section(runtime, "import");
}

/// "import base64, sys": the modules of Python whose names are in the text.
std::string modules_of(const std::string& text) {
  std::vector<std::string> used;
  for (const char* module : {"base64", "importlib.metadata", "os", "signal", "sys", "tempfile", "zlib"}) {
    if (text.find(fmt::format("{}.", module)) != std::string::npos) used.emplace_back(module);
  }
  return fmt::format("import {}\n\n", fmt::join(used, ", "));
}

/// Python code that sets what a short load takes: the model's bytes, or its path.
std::string model_text(const ModelFiles& files, bool takes_bytes) {
  if (takes_bytes && files.bytes.size() == 1 && fit_a_script(files))
    return fmt::format("model = {}\n", bytes_text(files.bytes.begin()->second));
  return files_text(files) + (takes_bytes ? "model = path\n" : "");
}

}  // namespace

bool is_legal(const json& steps) {
  return !may_refuse(steps);
}

bool is_short(const Reproduced& example, const PlainRuntime& runtime) {
  const json& steps = example.steps;
  const bool has_values =
      runtime.short_lists ? are_all_plain(steps, example.model_text) : are_all_arrays(steps, example.model_text);
  return has_values && std::ranges::all_of(steps, [&](const json& step) { return is_plain_step(step, steps); });
}

std::string short_script(const Reproduced& example, const PlainRuntime& runtime) {
  const Calls calls = calls_of(example, runtime);
  const std::string statements =
      model_text(example.files, calls.takes_bytes) + Statements(example, runtime, calls).text();
  const bool compares = statements.find("bits(") != std::string::npos;
  const std::string bits =
      runtime.frame.at(are_all_arrays(example.steps, example.model_text) ? "bits" : "bits of lists");
  std::string body = calls.functions.empty() ? "" : "\n\n" + calls.functions;
  if (compares) body += "\n\n" + bits;
  body += (body.empty() ? "\n" : "\n\n") + statements;
  const std::string imports = imports_of(runtime, body.find("np.") != std::string::npos);
  const std::string guard = example.guarded ? "signal.alarm(60)  # so that a hang ends too\n" : "";
  return modules_of(imports + guard + body) + imports + guard + body;
}

}  // namespace ifcert::conformance
