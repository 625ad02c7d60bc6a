// A message that is written from pieces of another one: a nested message costs no copy at each level around it.
#pragma once

#include <cstdint>
#include <deque>
#include <protozero/pbf_reader.hpp>
#include <protozero/pbf_writer.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "formats/onnx/wire.hpp"

namespace ifcert::onnx::proto {

/// A field of a message as it stands in the file; `content` where it is of a length.
struct Field {
  std::uint32_t number;
  std::string_view whole, content;
};

/// The fields of a message that was decoded before.
inline std::vector<Field> fields_of(std::string_view message) {
  Budget uncounted("messages");
  Message reader(protozero::pbf_reader(message.data(), message.size()), uncounted);
  std::vector<Field> fields;
  for (const char* start = message.data(); reader.next();) {
    Field field{reader.tag(), {}, {}};
    if (reader.wire_type() == pbf_wire_type::length_delimited) {
      const auto content = reader.get_view();
      field.content = {content.data(), content.size()};
    } else {
      reader.skip();
    }
    const char* end = reader.data().data();
    field.whole = {start, static_cast<std::size_t>(end - start)};
    start = end;
    fields.push_back(field);
  }
  return fields;
}

/// The contents of those with this number, in the file's order.
inline std::vector<std::string_view> contents_of(const std::vector<Field>& fields, std::uint32_t number) {
  std::vector<std::string_view> contents;
  for (const Field& field : fields) {
    if (field.number == number) contents.push_back(field.content);
  }
  return contents;
}

class Pieces {
 public:
  /// Bytes that live as long as these pieces.
  void add(std::string_view bytes) {
    pieces_.push_back(bytes);
    size_ += bytes.size();
  }

  /// Fields that `write` adds to a protozero::pbf_writer.
  template <class Write>
  void add_made(const Write& write) {
    std::string& bytes = made_.emplace_back();
    protozero::pbf_writer writer(bytes);
    write(writer);
    add(bytes);
  }

  /// A field that is a message, whose fields `write` adds to these pieces.
  template <class Write>
  void add_message(std::uint32_t number, const Write& write) {
    const std::size_t at = pieces_.size();
    pieces_.emplace_back();
    const std::size_t before = size_;
    write();
    std::string& head = made_.emplace_back();
    protozero::add_varint_to_buffer(&head, number << 3U | static_cast<unsigned>(pbf_wire_type::length_delimited));
    protozero::add_varint_to_buffer(&head, size_ - before);
    pieces_[at] = head;
    size_ += head.size();
  }

  std::string text() const {
    std::string all;
    all.reserve(size_);
    for (const std::string_view piece : pieces_) all += piece;
    return all;
  }

 private:
  std::vector<std::string_view> pieces_;
  std::deque<std::string> made_;  // what the pieces that are not in the file point to
  std::size_t size_ = 0;
};

}  // namespace ifcert::onnx::proto
