// The text of an .xml as a tree, and what IR asks of it beyond what pugixml does: no DTD, no attribute twice, ids that
// are numbers.
#pragma once

#include <cstdint>
#include <optional>
#include <pugixml.hpp>
#include <span>
#include <string>
#include <string_view>

#include "place.hpp"

namespace ifcert::openvino {

/// The number that the whole text is, as IR writes "unsigned int": decimal digits alone, at most 32 bits.
std::optional<std::uint32_t> unsigned_number(std::string_view text);

/// The attribute's text; nullopt where the element has none of that name.
std::optional<std::string_view> attribute_of(const pugi::xml_node& element, const char* name);

/// The id that the attribute gives. Throws UnreadableModel where it is missing or no plain number.
std::uint32_t required_id(const pugi::xml_node& element, const char* name, const Place& place);

/// `external_port_id="1.5"`, or that the attribute is missing: how messages speak of it.
std::string attribute_text(const pugi::xml_node& element, const char* name);

/// Parses the bytes and returns the one <net>, which lives as long as the document. Throws UnreadableModel.
pugi::xml_node parse(std::span<const std::byte> xml, pugi::xml_document& document);

}  // namespace ifcert::openvino
