// An adapter as its manifest describes it: what it is certified on, how it is installed, how it is started.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/certification.hpp"
#include "conformance/project.hpp"

namespace ifcert::conformance {

struct Adapter {
  std::string name;
  std::string called;  // as it was asked for: its name, or the path of its folder
  std::vector<std::string> systems;
  std::string version, home;
  std::string environment;                     // empty: nothing to install
  std::vector<std::string> requirements;       // pinned packages of the environment
  std::filesystem::path sources;               // built into the environment; empty: nothing to build
  std::vector<std::string> command;            // placeholders filled in
  std::vector<std::filesystem::path> reads{};  // what it reads: its folder, its environment, what the manifest adds
  std::vector<std::string> variables{};        // of the user's environment, which it is given
  std::string digest;                          // SHA-256 of the manifest
};

/// The names of the adapters there are, sorted: the folders of conformance/adapters that hold an adapter.json.
std::vector<std::string> adapter_names(const Project& project);

/// Where an adapter lies: what has a '/' or is "." is the path of its folder, anything else a name of
/// conformance/adapters. Whether there is one is for read_adapter to say.
std::filesystem::path adapter_folder(const Project& project, std::string_view called);

/// Reads the adapter.json of the adapter that is called so, by name or by path. Throws Error: no such adapter (says
/// which there are), or a manifest that is not as its schema says.
Adapter read_adapter(const Project& project, std::string_view called);

/// What is known of the runtime before hello.
AdapterIdentity identity_in_manifest(const Adapter& adapter);

}  // namespace ifcert::conformance
