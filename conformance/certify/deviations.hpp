// The records of deviations, conformance/deviations/NAME.json, which lists of known failures name.
#pragma once

#include <functional>
#include <map>
#include <string>

#include "conformance/system/project.hpp"

namespace ifcert::conformance {

/// Id of a record → where its page explains it: "docs/deviations/openvino.md#openvino-64-bits".
using DeviationLinks = std::map<std::string, std::string, std::less<>>;

/// Those of all records of the project; none where it has no records. Throws Error where a file is not JSON, has no
/// records, or has one without an id.
DeviationLinks read_deviation_links(const Project& project);

}  // namespace ifcert::conformance
