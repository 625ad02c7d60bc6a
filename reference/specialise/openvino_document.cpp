#include "specialise/openvino_document.hpp"

#include <new>
#include <utility>

namespace ifcert::openvino {
namespace {

/// Appends to a text.
class TextWriter : public pugi::xml_writer {
 public:
  void write(const void* data, std::size_t size) override { text.append(static_cast<const char*>(data), size); }
  std::string text;
};

}  // namespace

void load_text(std::span<const std::byte> xml, pugi::xml_document& document) {
  constexpr unsigned everything = pugi::parse_full | pugi::parse_ws_pcdata | pugi::parse_fragment;
  const auto parsed = document.load_buffer(xml.data(), xml.size(), everything, pugi::encoding_utf8);
  if (parsed.status == pugi::status_out_of_memory) throw std::bad_alloc();
}

std::string saved_text(const pugi::xml_document& document, const pugi::xml_node& discarded) {
  TextWriter written;
  for (const pugi::xml_node& child : document.children()) {
    if (child != discarded) child.print(written, "", pugi::format_raw, pugi::encoding_utf8);
  }
  return std::move(written.text);
}

}  // namespace ifcert::openvino
