// The names of a port's value: a list in one attribute.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ifcert::openvino {

/// A list of names, separated by commas; a comma after a backslash is part of a name.
std::vector<std::string> names_in(std::string_view list);

/// A name in a list of names: commas are escaped with a backslash.
std::string in_list(std::string_view name);

}  // namespace ifcert::openvino
