// A model as a picture: boxes within boxes, branches side by side, captures as dashed arrows, broken rules in red.
#pragma once

#include <ifcert/reference.hpp>
#include <span>
#include <string>

namespace ifcert::drawing {

/// An SVG document, one element, without scripts, links or ids: it can be used in a file, an <img> or a page, whose
/// colours (--ink, --paper, --line, --quiet, --accent, --fail) it uses where they are defined. All names are escaped.
/// Parts that would make it too large to read (see PictureLimits) are summarized in words. `types` and `broken` come
/// from checked().
std::string svg_of(const Model& model, const SlotTypes& types, std::span<const Diagnostic> broken);

/// The same picture as a page of its own, which loads nothing: bodies can be folded, names searched, values followed.
/// `title` is the page's title. It shows more than an SVG before it summarizes: 64 levels, 20 000 boxes.
std::string page_of(const Model& model, const SlotTypes& types, std::span<const Diagnostic> broken,
                    const std::string& title);

/// The same as DOT text for Graphviz: a cluster for each graph, the branches of an If side by side inside it, captures
/// as dashed arrows into the body, broken rules in red at the node they name. All names are escaped. `types` and
/// `broken` come from checked().
std::string dot_of(const Model& model, const SlotTypes& types, std::span<const Diagnostic> broken);

}  // namespace ifcert::drawing
