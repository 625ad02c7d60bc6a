// A new front for a file of TensorFlow Lite. FlatBuffers refer forward, from a table to its parts, so that tables in
// front of a whole file can refer to whatever of it stays as it is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "formats/tflite/file.hpp"

namespace ifcert::tflite::specialisation {

/// A table's name in the full schemas of TensorFlow Lite 2.20 and Circle 0.9, and a letter for each of its fields,
/// which are identified by their position: o for an offset, b for a byte, n for a number of four bytes, l for one of
/// eight. In Circle the last position of two tables may be another field.
struct TableForm {
  std::string_view name, fields;
};

inline constexpr TableForm model_form{"Model", "nooooooooo"};
inline constexpr TableForm subgraph_form{"SubGraph", "ooooon"};
inline constexpr TableForm circle_subgraph_form{"SubGraph", "ooooo"};
inline constexpr TableForm tensor_form{"Tensor", "obnooboobon"};
inline constexpr TableForm circle_tensor_form{"Tensor", "obnooboobo"};
inline constexpr TableForm operator_form{"Operator", "noobooboollbon"};
inline constexpr TableForm signature_form{"SignatureDef", "oooon"};
inline constexpr TableForm buffer_form{"Buffer", "oll"};
inline constexpr TableForm options_form{"of options", "nn"};

inline constexpr std::size_t model_operator_codes = 1;
inline constexpr std::size_t model_subgraphs = 2;
inline constexpr std::size_t model_buffers = 4;
inline constexpr std::size_t model_signature_defs = 7;
inline constexpr std::size_t subgraph_tensors = 0;
inline constexpr std::size_t subgraph_outputs = 2;
inline constexpr std::size_t subgraph_operators = 3;
inline constexpr std::size_t tensor_name = 3;
inline constexpr std::size_t operator_inputs = 1;
inline constexpr std::size_t operator_outputs = 2;
inline constexpr std::size_t operator_builtin_options = 4;
inline constexpr std::size_t operator_intermediates = 8;
inline constexpr std::size_t signature_outputs = 1;
inline constexpr std::size_t signature_subgraph_index = 4;

/// The new value of a field: a number of four bytes, or an offset in the builder.
struct NewField {
  std::size_t position;
  std::uint32_t value;
};

class Front {
 public:
  /// The bytes of the file must stay where they are. Throws Inexpressible where they leave no room for a front.
  explicit Front(const File& file);

  flatbuffers::FlatBufferBuilder& builder() { return builder_; }

  /// A part of the file, to be referred to.
  template <class T>
  flatbuffers::Offset<T> old(const T* part) const {
    return offset_of(part);
  }

  /// A copy of a table of the file with other values of these fields; it refers to the same parts. Throws Inexpressible
  /// where the table has a field that its form lacks, because it might refer to what has moved.
  flatbuffers::uoffset_t copied(const void* table, const TableForm& form, std::initializer_list<NewField> fields) {
    return copied(table, form, std::span(fields.begin(), fields.size()));
  }
  flatbuffers::uoffset_t copied(const void* table, const TableForm& form, std::span<const NewField> fields);

  /// The front and the file. Data behind the tables of the file lie further back by the length of the front, and the
  /// buffers, which must be copies, say so.
  std::string finished(flatbuffers::Offset<schema::Model> model);

 private:
  flatbuffers::uoffset_t offset_of(const void* part) const;
  void copy_field(const flatbuffers::Table& table, flatbuffers::voffset_t field, char kind);

  const File& file_;
  std::size_t padded_size_;
  flatbuffers::FlatBufferBuilder builder_;
};

/// The model's buffers; nothing where they stay as they are. Data behind the tables move, so that their buffers get
/// tables of which Front::finished changes the offsets.
std::optional<NewField> moved_buffers(Front& front, const schema::Model& read);

}  // namespace ifcert::tflite::specialisation
