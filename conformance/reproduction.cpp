#include "conformance/reproduction.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ifcert/message.hpp>
#include <sstream>
#include <vector>

#include "conformance/packed.hpp"
#include "conformance/python_values.hpp"
#include "conformance/shown.hpp"

namespace ifcert::conformance {
namespace {

using nlohmann::json;

constexpr std::size_t most_packed = 48UL * 1024;  // base64 of files that the script contains; larger ones stay outside
constexpr std::size_t most_lines = 80;            // of the model's text
constexpr std::size_t longest_line = 116;

/// The runs of a step: one, or all of a concurrent step. For a load or a reread, the step's own object, which has the
/// expected outcome.
std::vector<json> parts_of(const json& step) {
  if (step.contains("concurrent")) return step.at("concurrent").at("runs").get<std::vector<json>>();
  return {step.begin().value()};
}

std::vector<json> alternatives_of(const json& expected) {
  if (!expected.contains("either")) return {expected};
  return expected.at("either").get<std::vector<json>>();
}

/// Whether numpy has an array type for every value.
bool is_narrow(const json& steps) {
  const auto all_arrays = [](const json& named) {
    return std::ranges::all_of(named, [](const json& each) { return is_array(each.at("value")); });
  };
  for (const json& step : steps) {
    for (const json& part : parts_of(step)) {
      if (part.contains("inputs") && !all_arrays(part.at("inputs"))) return false;
      for (const json& outcome : alternatives_of(part.at("expect"))) {
        if (outcome.contains("outputs") && !all_arrays(outcome.at("outputs"))) return false;
      }
    }
  }
  return true;
}

std::string commented(const std::string& text) {
  std::istringstream lines(printable_lines(text));
  std::string comment;
  std::size_t count = 0;
  for (std::string line; std::getline(lines, line); ++count) {
    if (count < most_lines) comment += line.empty() ? "#\n" : fmt::format("# {}\n", shown_line(line, longest_line));
  }
  return count <= most_lines ? comment : comment + fmt::format("# … and {} more lines\n", count - most_lines);
}

std::string head_of(const Reproduced& example, const PlainRuntime& runtime, const char* an_exception) {
  std::string head = commented(
      fmt::format("{}\n\nOn {} {}, through its plain API. Needs: {}\n"
                  "Exit code 0: as expected; 1: not as expected{}; 2: this could not be tried.",
                  example.title, runtime.name, runtime.version, fmt::join(runtime.requirements, " "), an_exception));
  if (!example.note.empty()) head += commented(example.note);
  return head + "#\n" + commented(example.model_text);
}

/// A string literal, broken into lines of 100 characters.
std::string long_literal(const std::string& text) {
  std::string lines;
  for (std::size_t at = 0; at < text.size(); at += 100) lines += fmt::format("\n    \"{}\"", text.substr(at, 100));
  return lines;
}

/// Python code that writes the files to a new folder or, if they are too large, refers to them where they are. It
/// sets `path` to the model's path.
std::string files_text(const ModelFiles& files) {
  if (files.bytes.size() == 1 && packed(files.bytes.begin()->second).size() <= most_packed) {
    return fmt::format(
        "path = os.path.join(tempfile.mkdtemp(), {})\n"
        "with open(path, \"wb\") as file:\n"
        "    file.write(zlib.decompress(base64.b64decode({})))\n",
        python_text(files.model), long_literal(packed(files.bytes.begin()->second)));
  }
  std::string entries;
  for (const auto& [name, bytes] : files.bytes)
    entries += fmt::format("files[{}] = ({}\n)\n", python_text(name.string()), long_literal(packed(bytes)));
  if (entries.size() > most_packed)
    return fmt::format("path = {}  # too large for a script\n", python_text((files.origin / files.model).string()));
  return fmt::format(
      "files = {{}}\n{}folder = os.path.join(tempfile.mkdtemp(), \"model\")\n"
      "for name, data in files.items():\n"
      "    os.makedirs(os.path.dirname(os.path.join(folder, name)), exist_ok=True)\n"
      "    with open(os.path.join(folder, name), \"wb\") as file:\n"
      "        file.write(zlib.decompress(base64.b64decode(data)))\n"
      "path = os.path.join(folder, {})\n",
      entries, python_text(files.model));
}

/// An optional is passed as its value, or None: nullptr.
const json* unboxed(const json& value) {
  const json* inner = &value;
  while (inner->at("kind") == "optional") {
    if (!inner->contains("value")) return nullptr;
    inner = &inner->at("value");
  }
  return inner;
}

std::string feeds_text(const json& inputs, bool narrow) {
  std::vector<std::string> entries;
  for (const json& input : inputs) {
    const json* value = unboxed(input.at("value"));
    const std::string text = value == nullptr ? "None" : python_value(*value);
    entries.push_back(fmt::format("{}: {}", python_text(input.at("name").get<std::string>()),
                                  narrow ? text : fmt::format("given({})", text)));
  }
  return fmt::format("{{{}}}", fmt::join(entries, ", "));
}

std::string outcome_text(const json& outcome) {
  if (outcome.contains("loaded")) return "LOADED";
  if (outcome.contains("refused")) return "REFUSED";
  std::vector<std::string> values;
  for (const json& output : outcome.at("outputs")) values.push_back(python_value(output.at("value")));
  return fmt::format("[{}]", fmt::join(values, ", "));
}

/// The steps, one after the other.
class Steps {
 public:
  Steps(const json& steps, bool narrow, bool computes) : steps_(steps), narrow_(narrow), computes_(computes) {}

  std::string text() {
    std::string text;
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      if (computes_ || steps_[i].contains("load")) text += step(i);
    }
    return text + fmt::format("\nmodel = returned = None  # unloads it\nsettle({})\n", due_ ? "False" : "True");
  }

 private:
  std::string step(std::size_t index) {
    const json& step = steps_[index];
    const std::string name = fmt::format("\"{}. {}\"", index + 1, step.begin().key());
    if (step.contains("load")) {
      const json& expected = step.at("load").at("expect");
      due_ = !allows(expected, "loaded");
      return fmt::format("\nmodel = attempt(load, path)\n{}", see(name, "model", expected));
    }
    if (step.contains("reread")) {
      const json& reread = step.at("reread");
      return "\n" + see(name, fmt::format("held_{}", reread.at("step").get<std::size_t>() + 1), reread.at("expect"));
    }
    if (step.contains("concurrent")) return concurrent(name, step.at("concurrent").at("runs"));
    const json& run = step.at("run");
    std::string text = fmt::format("\nreturned = attempt(run, model, {})\n", feeds_text(run.at("inputs"), narrow_));
    if (run.value("hold", false)) text += fmt::format("held_{} = returned\n", index + 1);
    return text + see(name, "returned", run.at("expect"));
  }

  std::string concurrent(const std::string& name, const json& runs) {
    std::string text = "\nreturned = at_once(model, [\n";
    for (const json& run : runs) text += fmt::format("    {},\n", feeds_text(run.at("inputs"), narrow_));
    text += "])\n";
    for (std::size_t i = 0; i < runs.size(); ++i)
      text += see(name, fmt::format("returned[{}]", i), runs[i].at("expect"));
    return text;
  }

  std::string see(const std::string& name, const std::string& what, const json& expected) const {
    std::vector<std::string> right;
    for (const json& outcome : alternatives_of(expected)) right.push_back(outcome_text(outcome));
    return fmt::format("see({}, {}, {}{})\n", name, what, fmt::join(right, ", "), due_ ? ", due=True" : "");
  }

  static bool allows(const json& expected, const char* outcome) {
    return std::ranges::any_of(alternatives_of(expected), [&](const json& one) { return one.contains(outcome); });
  }

  const json& steps_;
  bool narrow_, computes_;
  bool due_ = false;  // the model is illegal: this step or a later one must refuse it
};

/// Whether the model must load.
bool is_legal(const json& steps) {
  return steps.at(0).at("load").at("expect").contains("loaded");
}

/// Whether a short script can show the steps: all have the outcome of a legal model, or all are refused.
bool is_short(const json& steps) {
  const bool legal = is_legal(steps);
  return std::ranges::all_of(steps, [&](const json& step) {
    if (step.contains("load")) return step.at("load").at("expect").contains(legal ? "loaded" : "refused");
    if (!step.contains("run") || step.at("run").value("hold", false)) return false;
    return step.at("run").at("expect").contains(legal ? "outputs" : "refused");
  });
}

/// The lines, each with four more spaces.
std::string indented(const std::string& text) {
  std::istringstream lines(text);
  std::string all;
  for (std::string line; std::getline(lines, line);) all += line.empty() ? "\n" : fmt::format("    {}\n", line);
  return all;
}

/// The imports of the runtime; without it, the script cannot do its work. A program in another language stays as it is.
std::string short_imports(const std::string& section) {
  const std::size_t end = section.find("\"\"\"") == std::string::npos ? section.size() : section.find("\n\n") + 1;
  return fmt::format(
      "try:\n    import numpy as np\n{}except ImportError as missing:\n    print(missing)\n    sys.exit(2)\n{}",
      indented(section.substr(0, end)), section.substr(end));
}

/// The runs in a loop, behind the load.
std::string short_steps(const json& steps, bool computes) {
  const bool legal = is_legal(steps);
  std::string runs;
  for (const json& step : steps) {
    if (!computes || !step.contains("run")) continue;
    const json& run = step.at("run");
    const std::string feeds = feeds_text(run.at("inputs"), true);
    runs +=
        legal ? fmt::format("    ({}, {}),\n", feeds, outcome_text(run.at("expect"))) : fmt::format("    {},\n", feeds);
  }
  const std::string load = "model = load(path)\n";
  if (legal) {
    const std::string judged =
        "    returned = run(model, feeds)\n"
        "    print(f\"fed:      {feeds}\\nreturned: {returned}\\nexpected: {expected}\", flush=True)\n"
        "    if bits(returned) != bits(expected):\n"
        "        print(\"not as expected:\", bits(returned))\n"
        "        sys.exit(1)\n";
    return load + (runs.empty() ? "" : fmt::format("for feeds, expected in [\n{}]:\n{}", runs, judged)) +
           "print(\"as expected\")\n";
  }
  const std::string tried =
      runs.empty() ? load
                   : fmt::format("{}for feeds in [\n{}]:\n    print(\"returned:\", run(model, feeds), flush=True)\n",
                                 load, runs);
  return fmt::format(
      "try:\n{}except Exception as error:\n    print(f\"refused: {{error!r}}\\nas expected\")\n"
      "else:\n    print(\"not as expected: nothing was refused\")\n    sys.exit(1)\n",
      indented(tried));
}

}  // namespace

std::string reproduction(const Reproduced& example, const PlainRuntime& runtime) {
  const bool narrow = is_narrow(example.steps);
  const char* width = narrow ? "narrow" : "wide";
  const auto section = [](const Sections& sections, const std::string& name) {
    const auto found = sections.find(name);
    return found == sections.end() || found->second.empty() ? "" : "\n" + found->second;
  };
  const bool concurrent =
      std::ranges::any_of(example.steps, [](const json& step) { return step.contains("concurrent"); });
  const std::string calls = section(runtime.sections, "plain") + section(runtime.sections, width);
  const bool computes = calls.find("def run(") != std::string::npos;
  if (narrow && !example.guarded && is_short(example.steps)) {
    const auto imports = runtime.sections.find("import");
    const char* refuses = is_legal(example.steps) ? " (an exception: the runtime refuses the model)" : "";
    return head_of(example, runtime, refuses) + section(runtime.frame, "short") + "\n" +
           short_imports(imports == runtime.sections.end() ? "" : imports->second) + "\n" + calls + "\n" +
           section(runtime.frame, "bits") + "\n\n" + files_text(example.files) + short_steps(example.steps, computes);
  }
  return head_of(example, runtime, "") + section(runtime.frame, "guard") + section(runtime.sections, "import") + "\n" +
         section(runtime.values, width) + "\n" + calls + "\n" + section(runtime.frame, "judge") +
         (concurrent ? "\n" + section(runtime.frame, "threads") : "") + "\n\n" + files_text(example.files) +
         Steps(example.steps, narrow, computes).text();
}

}  // namespace ifcert::conformance
