#include "conformance/rewritings/ir_tree.hpp"

#include <algorithm>
#include <pugixml.hpp>

namespace ifcert::conformance::ir_tree {
namespace {

constexpr int deepest_element = 5000;  // ours

/// Entities and line ends stay as they are in the file.
constexpr unsigned as_written = pugi::parse_minimal | pugi::parse_pi | pugi::parse_comments | pugi::parse_cdata |
                                pugi::parse_ws_pcdata | pugi::parse_declaration;

std::string text_of(const pugi::xml_node& node) {
  switch (node.type()) {
    case pugi::node_pcdata:
      return node.value();
    case pugi::node_comment:
      return std::string("<!--") + node.value() + "-->";
    case pugi::node_cdata:
      return std::string("<![CDATA[") + node.value() + "]]>";
    case pugi::node_pi:
      return std::string("<?") + node.name() + " " + node.value() + "?>";
    case pugi::node_declaration: {
      std::string text = std::string("<?") + node.name();
      for (const pugi::xml_attribute& each : node.attributes())
        text += std::string(" ") + each.name() + "=\"" + each.value() + "\"";
      return text + "?>";
    }
    default:
      throw NotMade("its .xml has a DOCTYPE");
  }
}

Node node_of(const pugi::xml_node& read, int depth) {
  if (depth > deepest_element) throw NotMade("its elements nest too deep");
  Node node;
  if (read.type() != pugi::node_element && read.type() != pugi::node_document) {
    node.text = text_of(read);
    return node;
  }
  node.name = read.name();
  for (const pugi::xml_attribute& each : read.attributes()) node.attributes.emplace_back(each.name(), each.value());
  for (const pugi::xml_node& child : read.children()) node.children.push_back(node_of(child, depth + 1));
  return node;
}

void write_node(std::string& to, const Node& node, const Style& style) {
  if (node.name.empty() && node.children.empty()) {
    to += node.text;
    return;
  }
  if (!node.name.empty()) {
    to += '<' + node.name;
    for (const auto& [name, value] : node.attributes)
      to.append(1, ' ').append(name).append(1, '=').append(1, style.quote).append(value).append(1, style.quote);
    to += node.children.empty() ? style.end : ">";
  }
  for (const Node& child : node.children) write_node(to, child, style);
  if (!node.name.empty() && !node.children.empty()) to += "</" + node.name + '>';
}

}  // namespace

Node read_tree(std::string_view text) {
  // pugixml drops white space around the root element.
  const std::size_t begin = std::min(text.find("<net"), text.size());
  const std::string_view root = text.substr(begin, std::min(text.rfind('>'), text.size() - 1) + 1 - begin);
  pugi::xml_document document;
  if (!document.load_buffer(root.data(), root.size(), as_written, pugi::encoding_utf8))
    throw NotMade("its .xml is not well-formed");
  Node tree = node_of(document, 0);
  tree.children.insert(tree.children.begin(), Node{.text = std::string(text.substr(0, begin))});
  tree.children.push_back(Node{.text = std::string(text.substr(begin + root.size()))});
  if (write_tree(tree, style_of(text)) != text) throw NotMade("its .xml is written in another style than ours");
  return tree;
}

Style style_of(std::string_view text) {
  return {.quote = '"', .end = text.find(" />") == std::string_view::npos ? "/>" : " />"};
}

std::string write_tree(const Node& document, Style style) {
  std::string text;
  write_node(text, document, style);
  return text;
}

std::string* attribute_of(Node& element, std::string_view name) {
  for (auto& [each, value] : element.attributes) {
    if (each == name) return &value;
  }
  return nullptr;
}

bool has_value(Node& element, std::string_view name, std::string_view value) {
  const std::string* written = attribute_of(element, name);
  if (written == nullptr) return false;
  if (written->find('&') == std::string::npos) return *written == value;
  pugi::xml_document document;
  const std::string text = "<a a=\"" + *written + "\"/>";
  return document.load_buffer(text.data(), text.size(), pugi::parse_default, pugi::encoding_utf8) &&
         document.first_child().attribute("a").value() == value;
}

std::vector<Node*> children_of(Node& element, std::string_view name) {
  std::vector<Node*> found;
  for (Node& child : element.children) {
    if (child.name == name) found.push_back(&child);
  }
  return found;
}

void for_each(Node& root, std::string_view name, const std::function<void(Node&)>& visit) {
  if (!root.name.empty() && (name.empty() || root.name == name)) visit(root);
  for (Node& child : root.children) for_each(child, name, visit);
}

void change_tree(ModelFiles& files, const std::function<void(Node& document)>& change, char quote) {
  std::string& text = files.bytes.at(files.model);
  Node document = read_tree(text);
  change(document);
  text = write_tree(document, {.quote = quote, .end = style_of(text).end});
}

}  // namespace ifcert::conformance::ir_tree
