// A project of a few tiny vectors and lying adapters, in a temporary folder, for the runner's tests.
#pragma once

#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "conformance/runtimes/adapter.hpp"
#include "conformance/system/project.hpp"
#include "conformance/system/temporary_folder.hpp"

namespace ifcert::conformance {

/// Longer than an answer takes on any machine, however busy: no test waits for it.
inline constexpr std::chrono::milliseconds patience{120'000};

/// The vectors are those of conformance/testing/test_data or of another folder beside it, the adapters those of
/// conformance/testing/faulty_adapters that a test uses, the schemas the real ones. Vector files are copies: a test may
/// damage them. The project is a new folder in `parent`.
class TestProject {
 public:
  explicit TestProject(const std::string& vectors = "test_data",
                       const std::filesystem::path& parent = std::filesystem::temp_directory_path());

  const Project& project() const { return project_; }

  /// Installs an adapter of faulty_adapters, "wrong_id"; its name has '-' for '_'.
  Adapter adapter(const std::string& fault) const;

  /// A word in the command lines of all its adapters, and of no other process.
  std::string mark() const;

  /// Writes the manifest of the files of lines as they are now.
  void write_manifest() const;

  /// Writes the known-failure list of that adapter.
  void list_failures(const std::string& adapter, const nlohmann::json& failures) const;

 private:
  TemporaryFolder folder_;
  Project project_;
};

}  // namespace ifcert::conformance
