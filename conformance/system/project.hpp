// Paths: the vectors, the adapters, the schemas, the environments, the executables.
#pragma once

#include <filesystem>
#include <string>

namespace ifcert::conformance {

/// A project root (the folder with vectors/ and conformance/), the folder of this program's executables, and the folder
/// of the adapters' environments.
struct Project {
  std::filesystem::path root;
  std::filesystem::path executables;
  std::filesystem::path environments = root / ".adapters";

  std::filesystem::path program() const { return executables / "ifcert"; }
  std::filesystem::path vectors() const { return root / "vectors"; }
  std::filesystem::path adapters() const { return root / "conformance" / "adapters"; }
  std::filesystem::path deviations() const { return root / "conformance" / "deviations"; }
  std::filesystem::path plain_apis() const { return root / "conformance" / "reproduce" / "plain_apis"; }
  std::filesystem::path environment(const std::string& name) const { return environments / name; }
  std::filesystem::path python_sdk() const { return root / "bindings" / "adapters" / "python"; }
  std::filesystem::path schema(const std::string& name) const { return root / "conformance" / "schemas" / name; }
  std::filesystem::path protocol(const std::string& name) const { return root / "conformance" / "protocol" / name; }
};

/// Whether a folder has vectors/ and conformance/.
bool is_project(const std::filesystem::path& root);

/// The project this program belongs to: the environment variable IFCERT_HOME, else what was installed with the program
/// (../share/ifcert), else the checkout that contains it (build/PRESET/bin), else the folder it was built from. The
/// environments are in IFCERT_ADAPTERS, else in a checkout's .adapters, else, for an installed project, in
/// ifcert/adapters below XDG_DATA_HOME or ~/.local/share. Throws Error when the project has no vectors/ and
/// conformance/.
Project find_project();

}  // namespace ifcert::conformance
