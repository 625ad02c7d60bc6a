// OpenVINO IR (.xml and .bin, versions 10 and 11) → graph form, and back.
#pragma once

#include <filesystem>
#include <ifcert/inexpressible.hpp>
#include <ifcert/reading.hpp>
#include <memory>
#include <span>
#include <string>

namespace ifcert::openvino {

/// Reads an .xml; its constants lie in the .bin of the same name in the same folder, of which the large ones stay
/// mapped. A model without constants needs no .bin. Throws UnreadableModel.
Reading read_file(const std::filesystem::path& path);

/// Reads the text of an .xml. `weights` are the bytes of its .bin, which `owner` keeps alive; constants may refer to
/// them. Throws UnreadableModel.
Reading read_bytes(std::span<const std::byte> xml, std::shared_ptr<const void> owner = {},
                   std::span<const std::byte> weights = {});

/// An .xml, and the .bin that lies beside it.
struct Files {
  std::string xml, bin;
};

/// Files of IR version 11 that read as this model, a legal one in IR's own graph form. Layers are numbered anew; ports
/// say the types that their slots declare. Throws Inexpressible.
Files write(const Model& model);

}  // namespace ifcert::openvino
