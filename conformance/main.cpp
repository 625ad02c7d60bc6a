// The program ifcert. Exit codes: 0 all is well, 1 it is not, 2 the question could not be answered.
#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <ifcert/message.hpp>
#include <new>
#include <utility>

#include "conformance/commands/commands.hpp"
#include "conformance/commands/held_signals.hpp"
#include "conformance/file.hpp"

namespace {

using namespace ifcert::conformance;
using ifcert::printable;

constexpr std::array<AddCommand*, 10> commands{add_certify, add_merge, add_check,   add_run,    add_show,
                                               add_convert, add_list,  add_explain, add_export, add_adapter};

std::string usage_error(const CLI::App* app, const CLI::Error& fault) {
  return fmt::format("ifcert: {} (see {} --help)\n", printable(fault.what()), app->get_name());
}

/// The exit code of the command that the line names.
int run(int argc, char** argv) {
  int exit_code = 0;
  try {
    CLI::App app("Certifies how runtimes execute If, rule by rule.", "ifcert");
    app.set_version_flag("--version", IFCERT_VERSION);
    app.require_subcommand(1);
    app.failure_message(usage_error);
    for (AddCommand* add : commands) add(app, exit_code);
    // CLI11 would only say that a command is missing.
    const auto is_named = [&](const CLI::App* command) { return command->check_name(argv[1]); };
    if (argc > 1 && argv[1][0] != '-' && std::as_const(app).get_subcommands(is_named).empty()) {
      fmt::print(stderr, "ifcert: there is no command \"{}\" (see ifcert --help)\n", printable(argv[1]));
      return 2;
    }
    try {
      app.parse(argc, argv);
    } catch (const CLI::ParseError& fault) {
      return app.exit(fault) == 0 ? 0 : 2;
    }
  } catch (const std::exception& fault) {
    fmt::print(stderr, "ifcert: {}\n", printable(fault.what()));
    return 2;
  } catch (const Interrupted& interrupted) {
    end_by(interrupted);
  }
  return exit_code;
}

/// Whether all that was printed has got there. The disk may be full, and only the end of the buffer shows it.
bool printed_everything() {
  return std::fflush(stdout) == 0 && std::ferror(stdout) == 0;
}

}  // namespace

int main(int argc, char** argv) {
  int exit_code = 2;
  try {
    exit_code = run(argc, argv);
  } catch (const std::bad_alloc&) {
    std::fputs("ifcert: out of memory\n", stderr);  // not even for a message
  }
  if (printed_everything()) return exit_code;
  fmt::print(stderr, "ifcert: cannot write standard output: {}\n", std::strerror(errno));
  return 2;
}
