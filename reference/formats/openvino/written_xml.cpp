#include "formats/openvino/written_xml.hpp"

#include <string_view>

namespace ifcert::openvino {
namespace {

class Appender final : public pugi::xml_writer {
 public:
  explicit Appender(std::string& text) : text_(text) {}
  void write(const void* data, std::size_t size) override { text_.append(static_cast<const char*>(data), size); }

 private:
  std::string& text_;
};

}  // namespace

std::string WrittenXml::text_of(pugi::xml_node element, std::size_t levels) {
  std::string text;
  Appender appender(text);
  element.print(appender, indent_, pugi::format_default, pugi::encoding_utf8, static_cast<unsigned>(depth_ + levels));
  scratch_.remove_child(element);
  return text;
}

void WrittenXml::add(pugi::xml_node element) {
  text_ += text_of(element, 0);
}

std::string WrittenXml::indentation() const {
  std::string text;
  for (std::size_t level = 0; level < depth_; ++level) text += indent_;
  return text;
}

void WrittenXml::open(pugi::xml_node element) {
  const bool is_empty = !element.first_child();
  const std::string end = is_empty ? " />\n" : indentation() + "</" + element.name() + ">\n";
  std::string text = text_of(element, 0);
  text.resize(text.size() - end.size());
  text_ += text;
  if (is_empty) text_ += ">\n";
  ++depth_;
}

void WrittenXml::close(const char* name) {
  --depth_;
  text_ += indentation() + "</" + name + ">\n";
}

}  // namespace ifcert::openvino
