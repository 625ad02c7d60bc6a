// What a script contains of a vector: its steps and values, and the files of its model.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "conformance/suite/model_folder.hpp"

namespace ifcert::conformance {

/// The runs of a step: one, or all of a concurrent step. For a load or a reread, the step's own object, which has the
/// expected outcome.
std::vector<nlohmann::json> parts_of(const nlohmann::json& step);

/// The outcomes of which any is right.
std::vector<nlohmann::json> alternatives_of(const nlohmann::json& expected);

/// All values that the steps feed or expect.
std::vector<nlohmann::json> values_in(const nlohmann::json& steps);

/// Whether numpy has an array type for every value. A refused step does not say what a model would return, so then the
/// model's text must name no type that numpy lacks either.
bool are_all_arrays(const nlohmann::json& steps, const std::string& model_text);

/// The same for strings, sequences and optionals too: whether plain_value() can write every value.
bool are_all_plain(const nlohmann::json& steps, const std::string& model_text);

/// The value of an optional, however deep; nullptr if it has none.
const nlohmann::json* unboxed(const nlohmann::json& value);

/// Whether a script can contain the files.
bool fit_a_script(const ModelFiles& files);

/// Python code that writes the files to a new folder or, if they are too large, refers to them where they are. It
/// sets `path` to the model's path.
std::string files_text(const ModelFiles& files);

/// A Python expression for the content of the model's file.
std::string bytes_text(const std::string& bytes);

}  // namespace ifcert::conformance
