#include "conformance/reproduce/reproduction.hpp"

#include <fmt/format.h>

#include <ifcert/message.hpp>
#include <sstream>
#include <vector>

#include "conformance/reproduce/calls.hpp"
#include "conformance/reproduce/script_text.hpp"
#include "conformance/reproduce/statements.hpp"
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

std::string exit_codes(const json& steps) {
  return is_legal(steps) ? "Ends with 0 if all is as expected; a refusal is an exception, a crash is a signal."
                         : "Ends with 0 if all is as expected; a crash is a signal.";
}

std::string head_of(const Reproduced& example, const PlainRuntime& runtime) {
  std::string head =
      commented(fmt::format("{}\n\nOn {} {}, through its plain API. Needs: {}\n{}", example.title, runtime.name,
                            runtime.version, fmt::join(runtime.requirements, " "), exit_codes(example.steps)));
  if (!example.note.empty()) head += commented(example.note);
  return head + "#\n" + commented(example.model_text);
}

/// "import base64, sys": the modules of Python whose names are in the text.
std::string modules_of(const std::string& text) {
  std::vector<std::string> used;
  for (const char* module :
       {"base64", "concurrent.futures", "importlib.metadata", "os", "signal", "sys", "tempfile", "threading", "zlib"}) {
    if (text.find(fmt::format("{}.", module)) != std::string::npos) used.emplace_back(module);
  }
  return fmt::format("import {}\n\n", fmt::join(used, ", "));
}

/// Python code that sets what a load takes: the model's bytes, or its path.
std::string model_code(const ModelFiles& files, bool takes_bytes) {
  if (takes_bytes && files.bytes.size() == 1 && fit_a_script(files))
    return fmt::format("model = {}\n", bytes_text(files.bytes.begin()->second));
  return files_text(files) + (takes_bytes ? "model = path\n" : "");
}

/// Functions, each after two blank lines.
std::string apart(const std::string& functions) {
  return functions.empty() ? "" : "\n\n" + functions;
}

std::string straight_script(const Reproduced& example, const PlainRuntime& runtime) {
  const Calls calls = short_calls(example, runtime);
  const std::string statements = straight_statements(example, runtime, calls);
  const bool compares = statements.find("bits(") != std::string::npos;
  const bool has_lists = !are_all_arrays(example.steps, example.model_text);
  const std::string functions =
      apart(calls.functions) + apart(compares ? section(runtime.frame, has_lists ? "bits of lists" : "bits") : "");
  return functions + (functions.empty() ? "\n" : "\n\n") + model_code(example.files, calls.takes_bytes) + statements;
}

std::string script_of_steps(const Reproduced& example, const PlainRuntime& runtime) {
  const Calls calls = all_calls(runtime);
  const std::string statements = step_statements(example, runtime, calls);
  const bool at_once = statements.find("at_once(") != std::string::npos;
  return apart(section(runtime.values, "wide")) + apart(calls.functions) +
         apart(at_once ? section(runtime.frame, "at once") : "") + "\n\n" + model_code(example.files, false) +
         statements;
}

}  // namespace

std::string reproduction(const Reproduced& example, const PlainRuntime& runtime) {
  const std::string body =
      is_straight(example, runtime) ? straight_script(example, runtime) : script_of_steps(example, runtime);
  const std::string imports =
      (body.find("np.") == std::string::npos ? "" : "import numpy as np\n") + section(runtime.sections, "import");
  const std::string guard = example.guarded ? "signal.alarm(60)  # so that a hang ends too\n" : "";
  const std::string code = imports + guard + body;
  return head_of(example, runtime) + "\n" + modules_of(code) + code;
}

}  // namespace ifcert::conformance
