// The badge of a certified runtime, as READMEs show them: "If · computes 61 of 61 · diagnoses 44 of 61".
#pragma once

#include <string>
#include <string_view>

#include "conformance/results/counts.hpp"

namespace ifcert::conformance {

/// SVG: how many of the rules on each axis hold, of those that the adapter was certified on.
std::string badge_svg(const Counted& counted, std::string_view adapter);

}  // namespace ifcert::conformance
