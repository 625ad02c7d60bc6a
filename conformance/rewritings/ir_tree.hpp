// The .xml of OpenVINO IR as a tree that keeps every character of it: what is not changed is written as it was.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/rewritings/rewriting.hpp"

namespace ifcert::conformance::ir_tree {

/// An element; or, without a name, the text (white space, a comment, the declaration) between elements.
struct Node {
  std::string name{};
  std::string text{};
  std::vector<std::pair<std::string, std::string>> attributes{};  // names and values, these as they are in the file
  std::vector<Node> children{};
};

/// How tags are written: what is around the values of attributes, and what ends an element without children.
struct Style {
  char quote = '"';
  std::string_view end = "/>";  // or " />"
};

/// The style of a text, as far as one can be told.
Style style_of(std::string_view text);

/// The document: a node without a name. Throws NotMade for a text that is not XML, or that would be written otherwise
/// ("<a></a>") in its style.
Node read_tree(std::string_view text);
std::string write_tree(const Node& document, Style style = {});

/// The value of an attribute, or nullptr.
std::string* attribute_of(Node& element, std::string_view name);

/// Whether an element has that attribute with this value, also where the file has character references in it.
bool has_value(Node& element, std::string_view name, std::string_view value);

/// The elements of that name among the children.
std::vector<Node*> children_of(Node& element, std::string_view name);

/// Calls `visit` with each element of that name at any depth, outer ones first; with each element where it is empty.
void for_each(Node& root, std::string_view name, const std::function<void(Node&)>& visit);

/// Reads the model's .xml, changes its tree and writes it in its style, with these quotes.
void change_tree(ModelFiles& files, const std::function<void(Node& document)>& change, char quote = '"');

}  // namespace ifcert::conformance::ir_tree
