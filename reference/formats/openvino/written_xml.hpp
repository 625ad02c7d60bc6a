// The text of a written .xml. Each element is built, turned into text and forgotten, because the elements of a whole
// model would take eight times the memory of their text.
#pragma once

#include <cstddef>
#include <pugixml.hpp>
#include <string>
#include <utility>

namespace ifcert::openvino {

class WrittenXml {
 public:
  explicit WrittenXml(bool is_indented) : indent_(is_indented ? "\t" : "") {}

  /// A new element, to be filled and handed to one of the functions below, which forget it.
  pugi::xml_node element(const char* name) { return scratch_.append_child(name); }

  /// Appends an element inside those that are open.
  void add(pugi::xml_node element);

  /// Appends an element that stays open.
  void open(pugi::xml_node element);
  void open(const char* name) { open(element(name)); }

  /// Closes the innermost element that is open.
  void close(const char* name);

  /// The text of an element that will be inside `levels` more elements than are open now.
  std::string text_of(pugi::xml_node element, std::size_t levels);
  void add_text(const std::string& text) { text_ += text; }

  std::string take() { return std::move(text_); }

 private:
  std::string indentation() const;

  const char* indent_;
  pugi::xml_document scratch_;
  std::string text_ = "<?xml version=\"1.0\"?>\n";
  std::size_t depth_ = 0;
};

}  // namespace ifcert::openvino
