#include "conformance/reproduce/reproduction.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ifcert/message.hpp>
#include <sstream>
#include <vector>

#include "conformance/reproduce/python_values.hpp"
#include "conformance/reproduce/script_text.hpp"
#include "conformance/reproduce/short_script.hpp"
#include "conformance/system/one_line.hpp"

namespace ifcert::conformance {
namespace {

using nlohmann::json;

constexpr std::size_t most_lines = 80;  // of the model's text
constexpr std::size_t longest_line = 116;

std::string commented(const std::string& text) {
  std::istringstream lines(printable_lines(text));
  std::string comment;
  std::size_t count = 0;
  for (std::string line; std::getline(lines, line); ++count) {
    if (count < most_lines) comment += line.empty() ? "#\n" : fmt::format("# {}\n", one_line(line, longest_line));
  }
  return count <= most_lines ? comment : comment + fmt::format("# … and {} more lines\n", count - most_lines);
}

std::string exit_codes(const Reproduced& example, const PlainRuntime& runtime) {
  if (!is_short(example, runtime)) return "Exit code 0: as expected; 1: not as expected; 2: this could not be tried.";
  return is_legal(example.steps) ? "Ends with 0 if all is as expected; a refusal is an exception, a crash is a signal."
                                 : "Ends with 0 if all is as expected; a crash is a signal.";
}

std::string head_of(const Reproduced& example, const PlainRuntime& runtime) {
  std::string head =
      commented(fmt::format("{}\n\nOn {} {}, through its plain API. Needs: {}\n{}", example.title, runtime.name,
                            runtime.version, fmt::join(runtime.requirements, " "), exit_codes(example, runtime)));
  if (!example.note.empty()) head += commented(example.note);
  return head + "#\n" + commented(example.model_text);
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

std::string long_script(const Reproduced& example, const PlainRuntime& runtime) {
  const bool narrow = are_all_arrays(example.steps, example.model_text);
  const char* width = narrow ? "narrow" : "wide";
  const auto section = [](const Sections& sections, const std::string& name) {
    const auto found = sections.find(name);
    return found == sections.end() || found->second.empty() ? "" : "\n" + found->second;
  };
  const bool concurrent =
      std::ranges::any_of(example.steps, [](const json& step) { return step.contains("concurrent"); });
  const std::string calls = section(runtime.sections, "plain") + section(runtime.sections, width);
  const bool computes = calls.find("def run(") != std::string::npos;
  return section(runtime.frame, "guard") + section(runtime.sections, "import") + "\n" + section(runtime.values, width) +
         "\n" + calls + "\n" + section(runtime.frame, "judge") +
         (concurrent ? "\n" + section(runtime.frame, "threads") : "") + "\n\n" + files_text(example.files) +
         Steps(example.steps, narrow, computes).text();
}

}  // namespace

std::string reproduction(const Reproduced& example, const PlainRuntime& runtime) {
  if (is_short(example, runtime)) return head_of(example, runtime) + "\n" + short_script(example, runtime);
  return head_of(example, runtime) + long_script(example, runtime);
}

}  // namespace ifcert::conformance
