// Checks of an XML document's text that pugixml does not do.
#pragma once

#include <string_view>

namespace ifcert::openvino {

/// Whether the character is a Char of XML 1.0, 2.2.
bool is_xml_character(char32_t character);

/// Throws UnreadableModel where the text is not UTF-8 or has a character that XML excludes.
void expect_legal_characters(std::string_view text);

/// Throws UnreadableModel where a reference in the text is undefined, the value of an attribute has a `<`, a comment
/// two hyphens in a row, or there is text outside of the root element, `]]>` where no CDATA section ends, or an XML
/// declaration that is in another form or not at the beginning. pugixml must accept the text, which has no DTD.
void expect_legal_content(std::string_view text);

}  // namespace ifcert::openvino
