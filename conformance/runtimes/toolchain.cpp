#include "conformance/runtimes/toolchain.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <functional>
#include <regex>
#include <sstream>

#include "conformance/runtimes/registry_client.hpp"
#include "conformance/sandbox/bubblewrap.hpp"
#include "conformance/system/command.hpp"
#include "conformance/system/digest.hpp"
#include "conformance/system/error.hpp"
#include "conformance/system/file.hpp"
#include "conformance/system/schema.hpp"

namespace ifcert::conformance {
namespace {

namespace fs = std::filesystem;

struct Program {
  const char* name;
  const char* version;  // the command that prints its version; empty: every version is accepted
  const char* package;
};

/// How one package manager is used. The first of its files is its manifest, the second one its lock file, which a
/// command writes.
struct Toolchain {
  std::string_view name;
  std::vector<Program> programs;
  std::array<std::string_view, 2> locked;
  std::string_view locks;
  std::string_view extension;  // of the sources
  std::string_view sdk;
  const char* minimum;   // where the manifest has the oldest version of the first program
  std::string_view pin;  // how the manifest pins a package, as {}, at a version; empty: no other one can be installed
  const char* any_version;  // the form of all versions
  std::function<void(const fs::path& sources, const fs::path& environment, const std::string& version)> run;
};

constexpr const char* three_numbers = "[0-9]+\\.[0-9]+\\.[0-9]+([-+][0-9A-Za-z.+-]+)?";
constexpr const char* debian_rust = "Debian's package cargo, or a newer one by rustup (https://rustup.rs)";

void run_npm(const fs::path& sources, const fs::path& environment, const std::string& version) {
  fs::copy_file(sources / "package.json", environment / "package.json");
  if (version.empty()) fs::copy_file(sources / "package-lock.json", environment / "package-lock.json");
  run_client("npm", version,
             {"npm", version.empty() ? "ci" : "install", "--prefix", environment.string(), "--ignore-scripts",
              "--no-audit", "--no-fund", "--loglevel=error"});
  fs::create_directories(environment / "node_modules");  // which npm leaves out where there are no packages
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

void run_maven(const fs::path& sources, const fs::path& environment, const std::string& version) {
  const fs::path jars = environment / "jars";
  run_client("maven", version,
             {"mvn", "--batch-mode", "--quiet", "--file", (sources / "pom.xml").string(),
              "dependency:copy-dependencies", "-DoutputDirectory=" + jars.string()});
  fs::create_directories(jars);  // which Maven leaves out where there are no dependencies
  const std::string found = digests_of(jars);
  if (version.empty() && found != read_file(sources / "jars.sha256")) {
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

std::string with_all(std::string text, std::string_view word, const std::string& other) {
  for (std::size_t at = 0; (at = text.find(word, at)) != std::string::npos; at += other.size())
    text.replace(at, word.size(), other);
  return text;
}

/// The registry of a lock file, as cargo itself writes it.
std::string registry_in(const std::string& lock) {
  std::smatch found;
  if (!std::regex_search(lock, found, std::regex("source = \"([^\"]+)\"")))
    throw Error("cargo generate-lockfile has locked no package of a registry");
  return found[1];
}

/// The committed lock file has no address of a registry: it is the one that cargo uses here. Without packages of a
/// registry there is nothing to fill in.
void run_cargo(const fs::path& sources, const fs::path& environment, const std::string& version) {
  const std::string manifest = (sources / "Cargo.toml").string();
  run_client("cargo", version, {"cargo", "generate-lockfile", "--quiet", "--manifest-path", manifest});
  if (version.empty()) {
    std::string lock = read_file(sources / "Cargo.lock.in");
    if (lock.find("{registry}") != std::string::npos)
      lock = with_all(lock, "{registry}", registry_in(read_file(sources / "Cargo.lock")));
    replace_file(sources / "Cargo.lock", lock);
  }
  run_to_end({"cargo", "install", "--locked", "--quiet", "--no-track", "--path", sources.string(), "--root",
              environment.string(), "--target-dir", (sources / "target").string()});
}

void run_go(const fs::path& sources, const fs::path& environment, const std::string& /*version*/) {
  run_to_end(
      {"go", "build", "-C", sources.string(), "-trimpath", "-o", (environment / "bin" / "adapter").string(), "."});
}

const std::vector<Toolchain>& toolchains() {
  static const std::vector<Toolchain> all{
      {.name = "npm",
       .programs = {{"node", "node --version", "Debian's package nodejs, or a newer one from https://nodejs.org"},
                    {"npm", "", "Debian's package npm"}},
       .locked = {"package.json", "package-lock.json"},
       .locks = "npm install --package-lock-only",
       .extension = "",
       .sdk = "javascript/ifcert_adapter.js",
       .minimum = R"re("node": *">=([0-9.]+)")re",
       .pin = R"("{}")",
       .any_version = three_numbers,
       .run = run_npm},
      {.name = "maven",
       .programs = {{"javac", "javac -version", "Debian's package default-jdk-headless"},
                    {"java", "", "Debian's package default-jre-headless"},
                    {"mvn", "", "Debian's package maven"}},
       .locked = {"pom.xml", "jars.sha256"},
       .locks = "mvn --quiet dependency:copy-dependencies -DoutputDirectory=jars; (cd jars && sha256sum *.jar) > "
                "jars.sha256",
       .extension = ".java",
       .sdk = "java/IfcertAdapter.java",
       .minimum = "<maven.compiler.release>([0-9.]+)<",
       .pin = "<version>{}</version>",
       .any_version = "[0-9A-Za-z][0-9A-Za-z.+_-]*",
       .run = run_maven},
      {.name = "cargo",
       .programs = {{"rustc", "rustc --version", debian_rust}, {"cargo", "", debian_rust}},
       .locked = {"Cargo.toml", "Cargo.lock.in"},
       .locks = "cargo generate-lockfile; sed 's/source = \"registry[^\"]*\"/source = \"{registry}\"/' Cargo.lock > "
                "Cargo.lock.in",
       .extension = ".rs",
       .sdk = "rust/ifcert_adapter.rs",
       .minimum = "rust-version = \"([0-9.]+)\"",
       .pin = R"("={}")",
       .any_version = three_numbers,
       .run = run_cargo},
      {.name = "go",
       .programs = {{"go", "go version", "Debian's package golang-go, or a newer one from https://go.dev/dl"}},
       .locked = {"go.mod", "go.sum"},
       .locks = "go mod tidy && touch go.sum",
       .extension = ".go",
       .sdk = "go/ifcert_adapter.go",
       .minimum = "(?:^|\n)go ([0-9.]+)",
       .pin = "",
       .any_version = "",
       .run = run_go}};
  return all;
}

const Toolchain& toolchain(const InstallStep& step) {
  return *std::ranges::find(toolchains(), step.tool, &Toolchain::name);
}

/// `"={}"` with the version in it.
std::string pin_at(const Toolchain& tool, const std::string& version) {
  return with_all(std::string(tool.pin), "{}", version);
}

/// The first line that a command of plain words prints.
std::string first_line_of(const char* command) {
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

bool is_in_path(const std::string& program) {
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

/// The folder may have a copy of the SDK, to build by hand; ours is used.
std::vector<fs::path> sources_of(const InstallStep& step, const fs::path& sdks) {
  const Toolchain& tool = toolchain(step);
  std::vector<fs::path> files;
  for (const std::string_view name : tool.locked) {
    files.push_back(step.folder / name);
    if (fs::exists(files.back())) continue;
    const bool is_lock = name == tool.locked.back();
    throw Error(fmt::format("{} is missing{}", files.back().string(),
                            is_lock ? fmt::format("; in its folder this writes it: {}", tool.locks) : ""));
  }
  const fs::path sdk = sdks / tool.sdk;
  for (const fs::directory_entry& entry : fs::directory_iterator(step.folder)) {
    const bool is_source = !tool.extension.empty() && entry.path().extension() == tool.extension;
    if (is_source && entry.path().filename() != sdk.filename()) files.push_back(entry.path());
  }
  files.push_back(sdk);
  std::ranges::sort(files, {}, [](const fs::path& file) { return file.filename(); });
  return files;
}

InstallStep with_version(InstallStep step, const std::string& pinned, const std::string& version) {
  const Toolchain& tool = toolchain(step);
  if (tool.pin.empty())
    throw Error(
        fmt::format("only its pinned version {} can be installed: NAME@VERSION is for what pip, npm, Maven and "
                    "cargo install",
                    pinned));
  if (read_file(step.folder / tool.locked.front()).find(pin_at(tool, pinned)) == std::string::npos)
    throw Error(fmt::format("only its pinned version {0} can be installed: {1} has no package with {2}", pinned,
                            tool.locked.front(), pin_at(tool, pinned)));
  if (!std::regex_match(version, std::regex(tool.any_version)))
    throw Error(fmt::format("{} has no version '{}' of any package; expected a whole version, such as {}",
                            client_name(step.tool), version, pinned));
  step.pinned = pinned;
  step.version = version;
  return step;
}

std::vector<std::string> released_versions(const InstallStep& step, const std::string& pinned) {
  if (step.tool != "npm")
    throw Error(
        fmt::format("{} has no command that lists the released versions of a package, so there is no range to "
                    "go through; ifcert certify NAME@VERSION certifies one",
                    client_name(step.tool)));
  const nlohmann::json manifest = read_json(step.folder / "package.json");
  const nlohmann::json packages = manifest.value("dependencies", nlohmann::json::object());
  for (const auto& [package, version] : packages.items()) {
    if (version == pinned) return versions_on_npm(package);
  }
  throw Error(fmt::format("package.json has no package with \"{}\"", pinned));
}

void require_programs(const std::vector<NeededProgram>& programs) {
  for (const NeededProgram& program : programs) {
    if (is_in_path(program.name)) continue;
    throw Error(fmt::format("{} is needed and is not in PATH: it is in {}", program.name, program.package));
  }
}

void require_toolchain(const InstallStep& step) {
  const Toolchain& tool = toolchain(step);
  for (const Program& program : tool.programs) require_programs({{program.name, program.package}});
  const std::string manifest = read_file(step.folder / tool.locked.front());
  std::smatch found;
  if (!std::regex_search(manifest, found, std::regex(tool.minimum))) return;
  const Program& first = tool.programs.front();
  const std::string version = version_in(first_line_of(first.version));
  if (numbers(version) >= numbers(found[1])) return;
  throw Error(fmt::format("{} {} or newer is needed, and {} is in PATH: it is in {}", first.name, found[1].str(),
                          version.empty() ? "one that does not report its version" : version, first.package));
}

void run_step(const InstallStep& step, const fs::path& sdks, const fs::path& environment) {
  const fs::path sources = environment / "sources";
  fs::create_directories(sources);
  for (const fs::path& file : sources_of(step, sdks)) fs::copy_file(file, sources / file.filename());
  const Toolchain& tool = toolchain(step);
  if (!step.version.empty()) {
    const fs::path manifest = sources / tool.locked.front();
    replace_file(manifest, with_all(read_file(manifest), pin_at(tool, step.pinned), pin_at(tool, step.version)));
  }
  tool.run(sources, environment, step.version);
  fs::remove_all(sources);
}

}  // namespace ifcert::conformance
