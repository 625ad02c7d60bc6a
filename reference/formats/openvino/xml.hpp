// The text of an .xml as a tree, with checks that pugixml does not do: no DTD, no attribute twice, ids that are
// numbers.
#pragma once

#include <cstdint>
#include <optional>
#include <pugixml.hpp>
#include <span>
#include <string>
#include <string_view>

#include "model/place.hpp"

namespace ifcert::openvino {

/// The number that the whole text represents, written as IR's "unsigned int": decimal digits only, at most 32 bits.
std::optional<std::uint32_t> unsigned_number(std::string_view text);

/// The attribute's text; nullopt where the element has no such attribute.
std::optional<std::string_view> attribute_of(const pugi::xml_node& element, const char* name);

/// The id in the attribute. Throws UnreadableModel where it is missing or not a plain number.
std::uint32_t required_id(const pugi::xml_node& element, const char* name, const Place& place);

/// The attribute in messages: `external_port_id="1.5"`, or that it is missing.
std::string attribute_text(const pugi::xml_node& element, const char* name);

/// Parses the bytes and returns the one <net>, which lives as long as the document. Throws UnreadableModel.
pugi::xml_node parse(std::span<const std::byte> xml, pugi::xml_document& document);

}  // namespace ifcert::openvino
