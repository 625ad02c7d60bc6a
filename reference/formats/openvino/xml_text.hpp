// What XML asks of a document's text and pugixml lets pass.
#pragma once

#include <string_view>

namespace ifcert::openvino {

/// Char of XML 1.0, 2.2.
bool is_xml_character(char32_t character);

/// Throws UnreadableModel where the text is not UTF-8 or has a character that XML excludes.
void expect_legal_characters(std::string_view text);

/// Throws UnreadableModel where a reference in the text names nothing, a value of an attribute has a `<`, or words
/// stand outside of the one element. The text is one that pugixml parses, without a DTD.
void expect_legal_content(std::string_view text);

}  // namespace ifcert::openvino
