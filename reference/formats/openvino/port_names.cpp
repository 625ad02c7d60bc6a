#include "formats/openvino/port_names.hpp"

namespace ifcert::openvino {

std::vector<std::string> names_in(std::string_view list) {
  std::vector<std::string> names(1);
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (list[i] == ',') {
      names.emplace_back();
      continue;
    }
    if (list.substr(i).starts_with("\\,")) ++i;
    names.back() += list[i];
  }
  std::erase(names, std::string());
  return names;
}

std::string in_list(std::string_view name) {
  std::string text;
  for (const char letter : name) text += letter == ',' ? std::string("\\,") : std::string(1, letter);
  return text;
}

}  // namespace ifcert::openvino
