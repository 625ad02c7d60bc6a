// OpenVINO IR (.xml and .bin, versions 10 and 11) → graph form.
#pragma once

#include <filesystem>
#include <ifcert/reading.hpp>
#include <memory>
#include <span>

namespace ifcert::openvino {

/// Reads an .xml; its constants lie in the .bin of the same name in the same folder, of which the large ones stay
/// mapped. A model without constants needs no .bin. Throws UnreadableModel.
Reading read_file(const std::filesystem::path& path);

/// Reads the text of an .xml. `weights` are the bytes of its .bin, which `owner` keeps alive; constants may refer to
/// them. Throws UnreadableModel.
Reading read_bytes(std::span<const std::byte> xml, std::shared_ptr<const void> owner = {},
                   std::span<const std::byte> weights = {});

}  // namespace ifcert::openvino
