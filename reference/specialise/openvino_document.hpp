// An .xml that is edited: all of its text stays, white space and comments too.
#pragma once

#include <cstddef>
#include <pugixml.hpp>
#include <span>
#include <string>

namespace ifcert::openvino {

/// The text was read before. Throws std::bad_alloc.
void load_text(std::span<const std::byte> xml, pugi::xml_document& document);

/// The text of all but that child.
std::string saved_text(const pugi::xml_document& document, const pugi::xml_node& discarded = {});

}  // namespace ifcert::openvino
