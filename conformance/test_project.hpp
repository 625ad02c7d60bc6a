// A project of a few tiny vectors and adapters that lie, in a temporary folder: what the runner's tests run on.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "conformance/adapter.hpp"
#include "conformance/project.hpp"
#include "conformance/temporary_folder.hpp"

namespace ifcert::conformance {

/// The vectors are those of conformance/test_data or of another folder beside it, the adapters those of
/// conformance/lying_adapters that a test asks for, the schemas the real ones. Vector files are copies: a test may
/// spoil them.
class TestProject {
 public:
  explicit TestProject(const std::string& vectors = "test_data");

  const Project& project() const { return project_; }

  /// The adapter of lying_adapters/<script>.py, in place; its name has '-' for '_'.
  Adapter adapter(const std::string& script) const;

  /// Writes the known-failure list of that adapter.
  void list_failures(const std::string& adapter, const nlohmann::json& failures) const;

 private:
  void write_manifest() const;

  TemporaryFolder folder_;
  Project project_;
};

}  // namespace ifcert::conformance
