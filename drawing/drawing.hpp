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

/// The same picture as a page of its own, which loads nothing: bodies fold, names are searched, values followed.
/// `title`: what the page calls itself. Holds more than an SVG does before it sums up: 64 levels, 20 000 boxes.
std::string page_of(const Model& model, std::span<const Diagnostic> broken, const std::string& title);

}  // namespace ifcert::conformance
