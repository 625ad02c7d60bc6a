// Reads the adapters of the project and of users: their manifests (adapter.json), and backends of the onnx package.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/runtimes/adapter.hpp"
#include "conformance/system/project.hpp"

namespace ifcert::conformance {

/// The names of the project's adapters, sorted: the folders of conformance/adapters that have an adapter.json.
std::vector<std::string> adapter_names(const Project& project);

/// The folder of an adapter: a text with a '/', or ".", is the path of its folder; anything else is the name of a
/// folder in conformance/adapters. The folder may not exist: read_adapter() checks that.
std::filesystem::path adapter_folder(const Project& project, std::string_view name_or_path);

/// Reads the adapter.json of the adapter with this name or path. Throws Error where there is no such adapter (the
/// message lists the available ones), or where the manifest does not match its schema.
///
/// NAME@VERSION is the adapter with another version of its runtime than the pinned one, in a separate environment; pip,
/// npm, Maven or cargo must be able to install it. onnx-backend:MODULE is a backend of the onnx package's interface
/// (onnx_backend.hpp).
Adapter read_adapter(const Project& project, std::string_view name_path_or_version);

}  // namespace ifcert::conformance
