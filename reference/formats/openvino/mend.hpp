// An .xml without the repetitions that leave it one meaning: every other element stays as it is.
#pragma once

#include <ifcert/reading.hpp>
#include <span>
#include <string>

namespace ifcert::openvino {

/// The text of an .xml that was read, with the allowable breaches of these rules mended.
std::string mended(std::span<const std::byte> xml, const AllowedRules& allowed);

}  // namespace ifcert::openvino
