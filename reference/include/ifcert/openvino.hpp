// OpenVINO IR (.xml and .bin, versions 10 and 11) → graph form, and back.
#pragma once

#include <filesystem>
#include <ifcert/inexpressible.hpp>
#include <ifcert/reading.hpp>
#include <memory>
#include <span>
#include <string>

namespace ifcert::openvino {

/// Reads an .xml; its constants are in the .bin of the same name in the same folder, and the bytes of large ones are
/// read when they are first used. A model without constants needs no .bin. Throws UnreadableModel.
Reading read_file(const std::filesystem::path& path, const AllowedRules& allowed = {});

/// Reads the text of an .xml. `weights` are the bytes of its .bin, which `owner` keeps alive; constants may refer to
/// them. Throws UnreadableModel.
Reading read_bytes(std::span<const std::byte> xml, std::shared_ptr<const void> owner = {},
                   std::span<const std::byte> weights = {}, const AllowedRules& allowed = {});

/// An .xml and its .bin.
struct Files {
  std::string xml, bin;
};

/// Files of IR version 11 that read as this model, which must be legal and in IR's graph form. Layers are renumbered;
/// ports have the types that their slots declare. Throws Inexpressible.
Files write(const Model& model);

}  // namespace ifcert::openvino
