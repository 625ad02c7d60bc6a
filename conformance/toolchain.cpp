#include "conformance/toolchain.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <functional>
#include <regex>
#include <sstream>

#include "conformance/bubblewrap.hpp"
#include "conformance/command.hpp"
#include "conformance/digest.hpp"
#include "conformance/error.hpp"
#include "conformance/file.hpp"

namespace ifcert::conformance {
namespace {

namespace fs = std::filesystem;

struct Program {
  const char* name;
  const char* version;  // the command that prints its version; empty: any version will do
  const char* package;
};

/// How one package manager is used. The first of its files is its manifest, the second one its lock file.
struct Toolchain {
  std::string_view name;
  std::vector<Program> programs;
  std::array<std::string_view, 2> locked;
  std::string_view extension;  // of the sources
  std::string_view sdk;
  const char* minimum;  // where the manifest has the oldest version of the first program
  std::function<void(const fs::path& sources, const fs::path& environment)> run;
};

constexpr const char* debian_rust = "Debian's package cargo, or a newer one by rustup (https://rustup.rs)";

void run_npm(const fs::path& sources, const fs::path& environment) {
  for (const char* name : {"package.json", "package-lock.json"}) fs::copy_file(sources / name, environment / name);
  run_to_end({"npm", "ci", "--prefix", environment.string(), "--ignore-scripts", "--no-audit", "--no-fund",
              "--loglevel=error"});
  fs::copy_file(sources / "ifcert_adapter.js", environment / "node_modules" / "ifcert_adapter.js");
}

/// In the format of sha256sum: the one check of what Maven fetches, which has no lock file of its own.
std::string digests_of(const fs::path& folder) {
  std::vector<std::string> lines;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    lines.push_back(fmt::format("{}  {}\n", sha256(read_file(entry.path())), entry.path().filename().string()));
  }
  std::ranges::sort(lines, {}, [](const std::string& line) { return line.substr(64); });
  return fmt::format("{}", fmt::join(lines, ""));
}

void run_maven(const fs::path& sources, const fs::path& environment) {
  const fs::path jars = environment / "jars";
  run_to_end({"mvn", "--batch-mode", "--quiet", "--file", (sources / "pom.xml").string(),
              "dependency:copy-dependencies", "-DoutputDirectory=" + jars.string()});
  if (const std::string found = digests_of(jars); found != read_file(sources / "jars.sha256")) {
    throw Error(fmt::format("Maven fetched other jars than jars.sha256 lists, namely:\n{}", printable(found)));
  }
  std::vector<std::string> compile{
      "javac",     "-cp",   (jars / "*").string(), "-d", (environment / "classes").string(),
      "-encoding", "UTF-8", "-proc:none"};
  for (const fs::directory_entry& entry : fs::directory_iterator(sources)) {
    if (entry.path().extension() == ".java") compile.push_back(entry.path().string());
  }
  run_to_end(compile);
}

/// The registry of a lock file, as cargo itself writes it.
std::string registry_in(const std::string& lock) {
  std::smatch found;
  if (!std::regex_search(lock, found, std::regex("source = \"([^\"]+)\"")))
    throw Error("cargo generate-lockfile has locked no package of a registry");
  return found[1];
}

/// The committed lock file has no address of a registry: it is the one that cargo uses here.
void run_cargo(const fs::path& sources, const fs::path& environment) {
  const std::string manifest = (sources / "Cargo.toml").string();
  run_to_end({"cargo", "generate-lockfile", "--quiet", "--manifest-path", manifest});
  const std::string registry = registry_in(read_file(sources / "Cargo.lock"));
  std::string lock = read_file(sources / "Cargo.lock.in");
  constexpr std::string_view placeholder = "{registry}";
  for (std::size_t at = 0; (at = lock.find(placeholder, at)) != std::string::npos; at += registry.size())
    lock.replace(at, placeholder.size(), registry);
  replace_file(sources / "Cargo.lock", lock);
  run_to_end({"cargo", "install", "--locked", "--quiet", "--no-track", "--path", sources.string(), "--root",
              environment.string(), "--target-dir", (sources / "target").string()});
}

void run_go(const fs::path& sources, const fs::path& environment) {
  run_to_end(
      {"go", "build", "-C", sources.string(), "-trimpath", "-o", (environment / "bin" / "adapter").string(), "."});
}

const std::vector<Toolchain>& toolchains() {
  static const std::vector<Toolchain> all{
      {.name = "npm",
       .programs = {{"node", "node --version", "Debian's package nodejs, or a newer one from https://nodejs.org"},
                    {"npm", "", "Debian's package npm"}},
       .locked = {"package.json", "package-lock.json"},
       .extension = "",
       .sdk = "javascript/ifcert_adapter.js",
       .minimum = R"re("node": *">=([0-9.]+)")re",
       .run = run_npm},
      {.name = "maven",
       .programs = {{"javac", "javac -version", "Debian's package default-jdk-headless"},
                    {"java", "", "Debian's package default-jre-headless"},
                    {"mvn", "", "Debian's package maven"}},
       .locked = {"pom.xml", "jars.sha256"},
       .extension = ".java",
       .sdk = "java/IfcertAdapter.java",
       .minimum = "<maven.compiler.release>([0-9.]+)<",
       .run = run_maven},
      {.name = "cargo",
       .programs = {{"rustc", "rustc --version", debian_rust}, {"cargo", "", debian_rust}},
       .locked = {"Cargo.toml", "Cargo.lock.in"},
       .extension = ".rs",
       .sdk = "rust/ifcert_adapter.rs",
       .minimum = "rust-version = \"([0-9.]+)\"",
       .run = run_cargo},
      {.name = "go",
       .programs = {{"go", "go version", "Debian's package golang-go, or a newer one from https://go.dev/dl"}},
       .locked = {"go.mod", "go.sum"},
       .extension = ".go",
       .sdk = "go/ifcert_adapter.go",
       .minimum = "(?:^|\n)go ([0-9.]+)",
       .run = run_go}};
  return all;
}

const Toolchain& toolchain(const InstallStep& step) {
  return *std::ranges::find(toolchains(), step.tool, &Toolchain::name);
}

/// The first line that a command of plain words prints.
std::string said_by(const char* command) {
  // NOLINTNEXTLINE(bugprone-command-processor): the words are our own
  std::FILE* stream = ::popen(fmt::format("{} 2>&1", command).c_str(), "re");
  if (stream == nullptr) return {};
  std::array<char, 256> line{};
  const bool any = std::fgets(line.data(), line.size(), stream) != nullptr;
  ::pclose(stream);
  return any ? line.data() : "";
}

/// The numbers of the first version in a text: 1.94.0.
std::string version_in(const std::string& text) {
  std::smatch found;
  return std::regex_search(text, found, std::regex("[0-9]+(\\.[0-9]+)*")) ? found.str() : "";
}

std::vector<int> numbers(const std::string& version) {
  std::vector<int> all;
  std::istringstream parts(version);
  for (std::string part; std::getline(parts, part, '.');) all.push_back(std::stoi(part));
  return all;
}

bool is_in_path(const char* program) {
  try {
    program_of({program});
    return true;
  } catch (const Error&) {
    return false;
  }
}

}  // namespace

std::vector<std::string_view> tool_names() {
  std::vector<std::string_view> names;
  for (const Toolchain& each : toolchains()) names.push_back(each.name);
  return names;
}

std::vector<fs::path> sources_of(const InstallStep& step, const fs::path& sdks) {
  const Toolchain& tool = toolchain(step);
  std::vector<fs::path> files;
  for (const std::string_view name : tool.locked) {
    files.push_back(step.folder / name);
    if (!fs::exists(files.back())) throw Error(fmt::format("{} is missing", files.back().string()));
  }
  for (const fs::directory_entry& entry : fs::directory_iterator(step.folder)) {
    if (!tool.extension.empty() && entry.path().extension() == tool.extension) files.push_back(entry.path());
  }
  files.push_back(sdks / tool.sdk);
  std::ranges::sort(files, {}, [](const fs::path& file) { return file.filename(); });
  return files;
}

void require_programs(std::initializer_list<NeededProgram> programs) {
  for (const NeededProgram& program : programs) {
    if (is_in_path(program.name)) continue;
    throw Error(fmt::format("{} is needed and is not in PATH: it is in {}", program.name, program.package));
  }
}

void require_programs(const InstallStep& step) {
  const Toolchain& tool = toolchain(step);
  for (const Program& program : tool.programs) require_programs({{program.name, program.package}});
  const std::string manifest = read_file(step.folder / tool.locked.front());
  std::smatch found;
  if (!std::regex_search(manifest, found, std::regex(tool.minimum))) return;
  const Program& first = tool.programs.front();
  const std::string version = version_in(said_by(first.version));
  if (numbers(version) >= numbers(found[1])) return;
  throw Error(fmt::format("{} {} or newer is needed, and {} is in PATH: it is in {}", first.name, found[1].str(),
                          version.empty() ? "one that does not report its version" : version, first.package));
}

void run_step(const InstallStep& step, const fs::path& sdks, const fs::path& environment) {
  const fs::path sources = environment / "sources";
  fs::create_directories(sources);
  for (const fs::path& file : sources_of(step, sdks)) fs::copy_file(file, sources / file.filename());
  toolchain(step).run(sources, environment);
  fs::remove_all(sources);
}

}  // namespace ifcert::conformance
