// A model as a picture: boxes within boxes, branches side by side, captures as dashed arrows, broken rules in red.
#pragma once

#include <ifcert/reference.hpp>
#include <span>
#include <string>

namespace ifcert::conformance {

/// An SVG document, one element, without scripts, links or ids: it may stand in a file, an <img> or a page, whose
/// colours (--ink, --paper, --line, --quiet, --accent, --fail) it takes where they are set. Any names are escaped. What
/// would make it too large to read (see PictureLimits) is summed up in words.
std::string svg_of(const Model& model, std::span<const Diagnostic> broken);

}  // namespace ifcert::conformance
