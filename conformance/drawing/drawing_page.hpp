// The parts of a drawing's page.
#pragma once

#include <string_view>

namespace ifcert::drawing {

/// The styles of a drawing, for the file and the page.
std::string_view drawing_styles();

/// The page without its model: composed at build time from page/, with the placeholders "@drawing styles@" and
/// "@model@".
std::string_view drawing_page();

}  // namespace ifcert::drawing
