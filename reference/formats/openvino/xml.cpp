#include "formats/openvino/xml.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <ifcert/diagnostic.hpp>
#include <memory>
#include <new>
#include <vector>

#include "formats/openvino/xml_text.hpp"

namespace ifcert::openvino {
namespace {

// Rule: openvino/ir/well-formed.
[[noreturn]] void malformed(const std::string& found, const std::string& expected) {
  throw UnreadableModel({"openvino/ir/well-formed", "model", found, expected});
}

/// Refuses a DTD and elements with an attribute twice, which pugixml accepts.
struct DistinctAttributes : pugi::xml_tree_walker {
  std::vector<std::string_view> names;

  bool for_each(pugi::xml_node& element) override {
    if (element.type() == pugi::node_doctype) malformed("the file has a DOCTYPE", "XML without a DTD and its entities");
    names.clear();
    for (const pugi::xml_attribute& attribute : element.attributes()) names.emplace_back(attribute.name());
    std::ranges::sort(names);
    const auto twice = std::ranges::adjacent_find(names);
    if (twice != names.end()) {
      malformed(fmt::format("<{}> has the attribute {} twice", shortened(element.name(), 200), shortened(*twice, 200)),
                "each attribute of an element appears once");
    }
    return true;
  }
};

}  // namespace

std::optional<std::uint32_t> unsigned_number(std::string_view text) {
  std::uint32_t number = 0;
  const char* end = std::to_address(text.end());
  const auto [rest, error] = std::from_chars(std::to_address(text.begin()), end, number);
  if (error != std::errc() || rest != end) return std::nullopt;
  return number;
}

std::optional<std::string_view> attribute_of(const pugi::xml_node& element, const char* name) {
  const pugi::xml_attribute attribute = element.attribute(name);
  return attribute ? std::optional<std::string_view>(attribute.value()) : std::nullopt;
}

std::string attribute_text(const pugi::xml_node& element, const char* name) {
  const auto text = attribute_of(element, name);
  return text ? fmt::format("{}=\"{}\"", name, shortened(*text, 200)) : fmt::format("{} is missing", name);
}

// Rule: openvino/ir/ids-are-numbers.
std::uint32_t required_id(const pugi::xml_node& element, const char* name, const Place& place) {
  const auto id = unsigned_number(attribute_of(element, name).value_or(""));
  if (id) return *id;
  throw UnreadableModel({"openvino/ir/ids-are-numbers", to_string(place),
                         fmt::format("<{}>: {}", shortened(element.name(), 200), attribute_text(element, name)),
                         "an unsigned number of at most 32 bits"});
}

pugi::xml_node parse(std::span<const std::byte> xml, pugi::xml_document& document) {
  const std::string_view text(reinterpret_cast<const char*>(xml.data()), xml.size());
  expect_legal_characters(text);
  constexpr unsigned options = pugi::parse_default | pugi::parse_doctype;
  const pugi::xml_parse_result result = document.load_buffer(xml.data(), xml.size(), options, pugi::encoding_utf8);
  if (result.status == pugi::status_out_of_memory) throw std::bad_alloc();
  if (!result) malformed(fmt::format("at byte {}: {}", result.offset, result.description()), "well-formed XML");
  DistinctAttributes walker;
  document.traverse(walker);
  expect_legal_content(text);
  std::vector<pugi::xml_node> elements;
  for (const pugi::xml_node& child : document) elements.push_back(child);
  if (elements.size() != 1 || std::string_view(elements.front().name()) != "net") {
    malformed(elements.size() == 1 ? fmt::format("the file holds <{}>", shortened(elements.front().name(), 200))
                                   : fmt::format("the file holds {} elements", elements.size()),
              "one element, <net>");
  }
  return elements.front();
}

}  // namespace ifcert::openvino
