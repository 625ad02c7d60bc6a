// What a drawing's page is made of.
#pragma once

#include <string_view>

namespace ifcert::conformance {

/// The styles of a drawing, in the file and in the page alike.
std::string_view drawing_styles();

/// The page without its model: composed at build time from page/, with the places "@drawing styles@" and "@model@".
std::string_view drawing_page();

}  // namespace ifcert::conformance
