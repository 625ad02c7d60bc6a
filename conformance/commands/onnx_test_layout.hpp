// A vector as a test of the onnx package's layout: a folder with model.onnx, data.json and a folder of data a run.
#pragma once

#include <filesystem>
#include <string>

#include "conformance/suite.hpp"

namespace ifcert::conformance {

/// "test_onnx_if_then_when_true_test_cc_if".
std::string backend_test_name(const Vector& vector);

/// Why the layout cannot hold the vector, as a clause; empty where it can. It knows runs that give values and nothing
/// else: no refusals, no held outputs, no runs at the same time.
std::string unfit_for_backend_test(const Vector& vector);

/// Writes the test, which fits, into a folder that it makes. Throws Error.
void write_backend_test(const Vector& vector, const std::filesystem::path& folder);

}  // namespace ifcert::conformance
