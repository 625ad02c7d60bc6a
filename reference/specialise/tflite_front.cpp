#include "specialise/tflite_front.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ifcert/inexpressible.hpp>
#include <vector>

namespace ifcert::tflite::specialisation {
namespace {

constexpr std::size_t alignment = 16;  // of the data in buffers

/// Offsets are signed in places and have 32 bits; a front takes far less than what is left.
constexpr std::size_t longest_file = (std::size_t{1} << 31) - (std::size_t{1} << 28);
constexpr std::size_t room_for_front = 4096;

constexpr flatbuffers::voffset_t in_vtable(std::size_t position) {
  return static_cast<flatbuffers::voffset_t>((position + 2) * sizeof(flatbuffers::voffset_t));
}

std::size_t checked_size(const File& file) {
  if (file.bytes.size() > longest_file) throw Inexpressible("model", "a FlatBuffer has at most 2 GiB");
  return (file.bytes.size() + alignment - 1) / alignment * alignment;
}

/// Whether a buffer's data lie behind the tables of its file.
bool is_behind(const schema::Buffer& buffer) {
  constexpr std::uint64_t first_real_offset = 2;  // while a file is written, 1 means "to be filled in"
  return buffer.offset() >= first_real_offset && buffer.size() > 0;
}

}  // namespace

Front::Front(const File& file)
    : file_(file), padded_size_(checked_size(file)), builder_(padded_size_ + room_for_front) {
  builder_.ForceVectorAlignment(padded_size_, 1, alignment);
  builder_.Pad(padded_size_ - file.bytes.size());
  builder_.PushBytes(reinterpret_cast<const std::uint8_t*>(file.bytes.data()), file.bytes.size());
}

/// The builder counts from the end. Fields that schema.fbs leaves out were not verified.
flatbuffers::uoffset_t Front::offset_of(const void* part) const {
  const auto at = reinterpret_cast<std::uintptr_t>(part) - reinterpret_cast<std::uintptr_t>(file_.bytes.data());
  if (at >= file_.bytes.size()) throw Inexpressible("model", "a part of a table lies outside of the file");
  return static_cast<flatbuffers::uoffset_t>(padded_size_ - at);
}

void Front::copy_field(const flatbuffers::Table& table, flatbuffers::voffset_t field, char kind) {
  const std::uint8_t* at = table.GetAddressOf(field);
  const std::size_t size = kind == 'b' ? 1 : kind == 'l' ? sizeof(std::uint64_t) : sizeof(std::uint32_t);
  if (offset_of(at) < size) throw Inexpressible("model", "a field of a table lies outside of the file");
  switch (kind) {
    case 'o':
      builder_.AddOffset(field, flatbuffers::Offset<void>(offset_of(at + flatbuffers::ReadScalar<std::uint32_t>(at))));
      break;
    case 'b':
      builder_.AddElement(field, *at);
      break;
    case 'n':
      builder_.AddElement(field, flatbuffers::ReadScalar<std::uint32_t>(at));
      break;
    default:
      builder_.AddElement(field, flatbuffers::ReadScalar<std::uint64_t>(at));
  }
}

flatbuffers::uoffset_t Front::copied(const void* table, const TableForm& form, std::span<const NewField> fields) {
  const auto& from = *static_cast<const flatbuffers::Table*>(table);
  const std::uint32_t start = builder_.StartTable();
  for (const auto& [position, value] : fields) {
    if (form.fields[position] == 'o') {
      builder_.AddOffset(in_vtable(position), flatbuffers::Offset<void>(value));
    } else {
      builder_.AddElement(in_vtable(position), value);
    }
  }
  const std::size_t count = flatbuffers::ReadScalar<flatbuffers::voffset_t>(from.GetVTable()) / sizeof(std::uint16_t);
  for (std::size_t position = 0; position + 2 < count; ++position) {
    if (!from.CheckField(in_vtable(position))) continue;
    if (std::ranges::find(fields, position, &NewField::position) != fields.end()) continue;
    if (position >= form.fields.size())
      throw Inexpressible("model", fmt::format("field {} of a table {} is not known", position, form.name));
    copy_field(from, in_vtable(position), form.fields[position]);
  }
  return builder_.EndTable(start);
}

std::string Front::finished(flatbuffers::Offset<schema::Model> model) {
  builder_.Finish(model, file_.identifier == Identifier::circle ? "CIR0" : "TFL3");
  std::string bytes(reinterpret_cast<const char*>(builder_.GetBufferPointer()), builder_.GetSize());
  const auto* buffers = flatbuffers::GetRoot<schema::Model>(bytes.data())->buffers();
  for (std::uint32_t i = 0; buffers != nullptr && i < buffers->size(); ++i) {
    const schema::Buffer& buffer = *buffers->Get(i);
    if (!is_behind(buffer)) continue;
    const auto* field = reinterpret_cast<const flatbuffers::Table&>(buffer).GetAddressOf(schema::Buffer::VT_OFFSET);
    auto* at = bytes.data() + (field - reinterpret_cast<const std::uint8_t*>(bytes.data()));
    flatbuffers::WriteScalar(at, buffer.offset() + bytes.size() - padded_size_);
  }
  return bytes;
}

std::optional<NewField> moved_buffers(Front& front, const schema::Model& read) {
  const auto* old = read.buffers();
  if (old == nullptr || std::none_of(old->begin(), old->end(), [](const auto* it) { return is_behind(*it); }))
    return std::nullopt;
  std::vector<flatbuffers::Offset<schema::Buffer>> buffers;
  for (const schema::Buffer* buffer : *old)
    buffers.push_back(is_behind(*buffer) ? flatbuffers::Offset<schema::Buffer>(front.copied(buffer, buffer_form, {}))
                                         : front.old(buffer));
  return NewField{model_buffers, front.builder().CreateVector(buffers).o};
}

}  // namespace ifcert::tflite::specialisation
