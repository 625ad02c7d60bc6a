// A script of some ten lines that shows a defect with nothing but the runtime's plain Python API.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

namespace ifcert::conformance {

/// What a script shows: the inputs of one run, and what is expected of it, both as [{"name", "value"}…] of the
/// protocol.
struct Showing {
  std::string headline;         // "ONNX Runtime 1.31.1: FAIL (wrong-value): …"
  std::filesystem::path model;  // beside the script
  nlohmann::json inputs = nlohmann::json::array();
  nlohmann::json expected = nlohmann::json::array();
};

/// The script for the runtime of the adapter with that name: ONNX Runtime with and without optimisation, OpenVINO.
/// Nothing for other adapters, and where NumPy lacks the type of a value.
std::optional<std::string> plain_script(const Showing& showing, const std::string& adapter);

}  // namespace ifcert::conformance
