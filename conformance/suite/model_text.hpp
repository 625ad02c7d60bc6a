// A model as text: one line for each node, bodies indented. For people only; no program reads it.
#pragma once

#include <filesystem>
#include <ifcert/graph.hpp>
#include <string>

#include "conformance/results/certification.hpp"

namespace ifcert::conformance {

/// The text of the model: types, names, the first elements of constants, and the captures that have another name in the
/// body.
std::string text_of_model(const Model& model);

/// The text of the model in a file: of OpenVINO IR the .xml itself; of a file that is no model the reason, and its
/// first bytes. Throws Error where the file cannot be read.
std::string text_of_model(const std::filesystem::path& model);

/// The text of a vector's model.
std::string text_of_vector(const VectorSummary& vector);

}  // namespace ifcert::conformance
