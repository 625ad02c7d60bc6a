// A vector as a test in the onnx package's layout: a folder with model.onnx, data.json and a folder of data for each
// run.
#pragma once

#include <filesystem>
#include <string>

#include "conformance/suite/suite.hpp"

namespace ifcert::conformance {

/// "test_onnx_if_then_when_true_test_cc_if".
std::string backend_test_name(const Vector& vector);

/// Why the layout cannot hold the vector, as a clause; empty where it can. It has only runs that return values: no
/// refusals, no held outputs, no concurrent runs.
std::string unfit_for_backend_test(const Vector& vector);

/// Writes the test, which the layout can hold, into a folder that it creates. Throws Error.
void write_backend_test(const Vector& vector, const std::filesystem::path& folder);

}  // namespace ifcert::conformance
