#include "conformance/commands/cluster.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <vector>

#include "conformance/system/error.hpp"

namespace ifcert::conformance {
namespace {

namespace fs = std::filesystem;

std::string python_of(const Project& project) {
  if (const char* named = std::getenv("IFCERT_PYTHON"); named != nullptr) return named;
  const fs::path own = project.root / ".venv" / "bin" / "python";
  return fs::exists(own) ? own.string() : "python3";
}

/// "--rule" → its words; words without an option by the name that the help shows.
nlohmann::ordered_json options_of(const CLI::App& command) {
  nlohmann::ordered_json words = nlohmann::ordered_json::object();
  for (const CLI::Option* option : command.get_options()) {
    if (option->count() > 0) words[option->get_name()] = option->results();
  }
  return words;
}

const CLI::Validator a_place(
    [](const std::string& text) {
      const std::string place = text.substr(0, text.find('='));
      const bool has_value = place.size() + 1 < text.size();
      if (place == text ? place == "local" || place == "ray" : place == "ray" && has_value) return std::string();
      const std::string number = has_value ? text.substr(place.size() + 1) : "";
      const bool counts = number.size() < 5 && number.find_first_not_of("0123456789") == std::string::npos;
      if (place == "local" && counts && number.find_first_not_of('0') != std::string::npos) return std::string();
      return fmt::format("expected local, local=N, ray or ray=ADDRESS; found {}", text);
    },
    "");

}  // namespace

void add_on_option(CLI::App& command, std::string& on, const std::vector<std::string>& excluded) {
  CLI::Option* option =
      command.add_option("--on", on,
                         "where to run the work in shards: local[=N], with N workers on this machine, "
                         "or ray[=ADDRESS], on a cluster of Ray; --jobs is then for each worker (1)");
  option->type_name("PLACE")->check(a_place);
  for (const std::string& other : excluded) option->excludes(command.get_option(other));
}

void run_in_shards(const Project& project, const CLI::App& command, const nlohmann::ordered_json& more) {
  nlohmann::ordered_json order{{"command", command.get_name()},
                               {"program", project.program().string()},
                               {"root", project.root.string()},
                               {"given", options_of(command)}};
  order.update(more);
  std::string python = python_of(project);
  std::vector<std::string> words{python, "-m", "ifcert.cluster", order.dump()};
  std::vector<char*> arguments;
  arguments.reserve(words.size() + 1);
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  std::fflush(stdout);
  ::execvp(python.c_str(), arguments.data());
  throw Error(
      fmt::format("--on needs Python with the package ifcert; cannot start {}: {}", python, std::strerror(errno)));
}

}  // namespace ifcert::conformance
