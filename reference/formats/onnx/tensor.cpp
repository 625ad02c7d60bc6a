#include "formats/onnx/tensor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <memory>
#include <mutex>

#include "model/onnx_element_types.hpp"
#include "model/place.hpp"
#include "model/unfilled.hpp"

namespace ifcert::onnx {
namespace {

constexpr std::string_view data_rule = "onnx/model/tensor-data-fits-shape";

BadTensor bad_data(const std::string& found, std::string expected) {
  return {std::string(data_rule), found, std::move(expected)};
}

/// The memory that pieces of external data may take, beyond three times the size of the files.
constexpr std::size_t free_copies = 64 << 20;

/// An alignment sufficient for every element type.
constexpr std::size_t alignment = 16;

/// Misaligned bytes, which are copied to an aligned address when they are first used.
class Misaligned : public DeferredBytes {
 public:
  Misaligned(std::shared_ptr<const void> owner, std::span<const std::byte> bytes)
      : owner_(std::move(owner)), bytes_(bytes) {}

 private:
  const std::byte* fetch() const override {
    std::call_once(once_, [&] { copy_ = Buffer::copy_of(bytes_); });
    return copy_.bytes().data();
  }

  std::shared_ptr<const void> owner_;
  std::span<const std::byte> bytes_;
  mutable std::once_flag once_;
  mutable Buffer copy_;
};

/// A check uses few of the large tensors, so they are copied late.
Buffer copy_or_keep(TensorSource& source, std::span<const std::byte> bytes) {
  if (reinterpret_cast<std::uintptr_t>(bytes.data()) % alignment == 0) return {source.owner, bytes};
  if (bytes.size() < SmallCopies::limit) return source.copies.copy_of(bytes);
  return {std::shared_ptr<const DeferredBytes>(std::make_shared<Misaligned>(source.owner, bytes)), bytes.size()};
}

// Rule: onnx/model/tensor-data-fits-shape.
void expect_size(const proto::Tensor& tensor, ElementType type, std::size_t found, std::size_t expected) {
  if (found == expected) return;
  throw bad_data(
      fmt::format("tensor \"{}\" of type {} holds {} bytes", shortened(tensor.name, 200), name_of(type), found),
      fmt::format("its dims require {} bytes", expected));
}

// Rule: onnx/model/external-data-in-folder.
std::filesystem::path external_path(const proto::Tensor& tensor, const std::string& location, TensorSource& source) {
  namespace fs = std::filesystem;
  const auto outside = [&] {
    return BadTensor("onnx/model/external-data-in-folder",
                     fmt::format("tensor \"{}\" reads its data from \"{}\"", tensor.name, shortened(location, 200)),
                     "a relative path to a file in the model's folder or below it");
  };
  if (source.folder.empty() || location.empty() || fs::path(location).is_absolute()) throw outside();
  // A name with a zero byte names another file for the system than for us.
  if (location.find('\0') != std::string::npos) throw outside();
  for (const fs::path& part : fs::path(location)) {
    if (part == "..") throw outside();
  }
  // A symbolic link may still lead out of the folder: compare the canonical paths.
  if (source.root.empty()) source.root = fs::canonical(source.folder);
  const fs::path& root = source.root;
  fs::path path = fs::canonical(source.folder / location);
  const auto [in_root, in_path] = std::mismatch(root.begin(), root.end(), path.begin(), path.end());
  if (in_root != root.end()) throw outside();
  return path;
}

std::uint64_t offset_or_length(const proto::Tensor& tensor, const proto::Entry& entry) {
  std::uint64_t number = 0;
  const char* end = std::to_address(entry.value.end());
  const auto [rest, error] = std::from_chars(std::to_address(entry.value.begin()), end, number);
  if (error != std::errc() || rest != end) {
    throw bad_data(fmt::format("tensor \"{}\" has the external {} \"{}\"", tensor.name, entry.key, entry.value),
                   "a decimal number of bytes");
  }
  return number;
}

/// The file at that location, which is opened on first use.
WeightsFile& external_file(const proto::Tensor& tensor, const std::string& location, TensorSource& source) {
  const auto known = source.external.find(location);
  if (known != source.external.end()) return known->second;
  WeightsFile file(external_path(tensor, location, source));
  source.external_size += file.size();
  source.external_memory += file.memory();
  return source.external.emplace(location, std::move(file)).first->second;
}

/// A piece of the file. Any number of tensors may use overlapping bytes.
Buffer external_piece(WeightsFile& file, ByteRange range, TensorSource& source) {
  source.external_memory -= file.memory();
  Buffer piece = file.piece(range);
  source.external_memory += file.memory();
  if (source.external_memory > 3 * source.external_size + free_copies)
    throw std::length_error("overlapping external data would be read too often");
  return piece;
}

// Rule: onnx/model/external-data.
Buffer read_external(const proto::Tensor& tensor, std::size_t size, TensorSource& source) {
  std::string location;
  std::uint64_t offset = 0;
  std::uint64_t length = size;
  for (const proto::Entry& entry : tensor.external_data) {
    if (entry.key == "location") location = entry.value;
    if (entry.key == "offset") offset = offset_or_length(tensor, entry);
    if (entry.key == "length") length = offset_or_length(tensor, entry);
  }
  WeightsFile& file = external_file(tensor, location, source);
  if (length != size || offset > file.size() || size > file.size() - offset) {
    throw bad_data(fmt::format("tensor \"{}\" reads {} bytes at {} of \"{}\", which has {}", tensor.name, length,
                               offset, location, file.size()),
                   fmt::format("its dims require {} bytes inside the file", size));
  }
  return external_piece(file, {offset, offset + size}, source);
}

struct Payload {
  std::string_view field;
  std::size_t numbers;
};

/// One field, and none together with external data. `expected` is the field of the data type.
/// Sentence: proto-one-payload.
void expect_one_payload(const proto::Tensor& tensor, std::string_view expected) {
  const Payload payloads[] = {
      {"raw_data", tensor.raw_data.value_or("").size()}, {"float_data", tensor.float_data.size()},
      {"int32_data", tensor.int32_data.size()},          {"int64_data", tensor.int64_data.size()},
      {"double_data", tensor.double_data.size()},        {"uint64_data", tensor.uint64_data.size()},
      {"string_data", tensor.string_data.size()}};
  std::size_t count = tensor.external ? 1 : 0;
  bool fits = true;
  for (const Payload& payload : payloads) {
    if (payload.numbers == 0) continue;
    ++count;
    fits = fits && (payload.field == expected || (payload.field == "raw_data" && expected != "string_data"));
  }
  if (count <= 1 && fits) return;
  std::string used = tensor.external ? "external_data" : "";
  for (const Payload& payload : payloads) {
    if (payload.numbers != 0) used += fmt::format("{}{}", used.empty() ? "" : " and ", payload.field);
  }
  throw bad_data(fmt::format("tensor \"{}\" has its elements in {}", shortened(tensor.name, 200), used),
                 expected == "string_data" ? "string_data only"
                                           : fmt::format("only one of {}, raw_data and external data", expected));
}

/// The numbers of the field as elements of the element type's width, keeping the low bits.
template <class Element, class Number>
Buffer narrow(const std::vector<Number>& numbers) {
  std::byte* to = nullptr;
  Buffer buffer = Buffer::allocate(numbers.size() * sizeof(Element), &to);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const auto element = static_cast<Element>(numbers[i]);
    std::memcpy(to + i * sizeof(Element), &element, sizeof(Element));
  }
  return buffer;
}

Buffer from_int32(const std::vector<std::int32_t>& numbers, ElementType type) {
  const std::size_t bits = bits_of(type);
  if (bits <= 8) return narrow<std::uint8_t>(numbers);  // packed types: each number is a byte with two or four elements
  return bits == 16 ? narrow<std::uint16_t>(numbers) : narrow<std::int32_t>(numbers);
}

/// The typed field that onnx.proto assigns to the element type.
std::string_view field_of(ElementType type) {
  using enum ElementType;
  switch (type) {
    case float32:
    case complex64:
      return "float_data";
    case float64:
    case complex128:
      return "double_data";
    case int64:
      return "int64_data";
    case uint64:
    case uint32:
      return "uint64_data";
    case string:
      return "string_data";
    default:
      return "int32_data";
  }
}

Buffer read_typed(const proto::Tensor& tensor, ElementType type) {
  using enum ElementType;
  switch (type) {
    case float32:
    case complex64:
      return narrow<float>(tensor.float_data);
    case float64:
    case complex128:
      return narrow<double>(tensor.double_data);
    case int64:
      return narrow<std::int64_t>(tensor.int64_data);
    case uint64:
      return narrow<std::uint64_t>(tensor.uint64_data);
    case uint32:
      return narrow<std::uint32_t>(tensor.uint64_data);
    default:
      return from_int32(tensor.int32_data, type);
  }
}

Value read_strings(const proto::Tensor& tensor, std::uint64_t count) {
  if (tensor.external || tensor.raw_data || tensor.string_data.size() != count) {
    throw bad_data(fmt::format("string tensor \"{}\" holds {} strings", tensor.name, tensor.string_data.size()),
                   fmt::format("{} strings in string_data", count));
  }
  return make_strings({tensor.dims.begin(), tensor.dims.end()}, {tensor.string_data.begin(), tensor.string_data.end()});
}

}  // namespace

Buffer SmallCopies::copy_of(std::span<const std::byte> bytes) {
  const std::size_t size = (bytes.size() + alignment - 1) / alignment * alignment;
  if (size > left_ || block_ == nullptr) {
    constexpr std::size_t whole = 4 * limit;
    block_ = std::make_shared<const Buffer>(unfilled_buffer(whole, &next_));
    left_ = whole;
  }
  std::byte* copy = next_;
  std::ranges::copy(bytes, copy);
  next_ += size;
  left_ -= size;
  return {block_, {copy, bytes.size()}};
}

Type type_of(const proto::Type& type) {
  const auto item = [&] { return type.item.empty() ? Type{} : type_of(type.item.front()); };
  switch (type.kind) {
    case proto::Type::Kind::none:
      return {};
    case proto::Type::Kind::tensor: {
      Type tensor = Type::tensor(element_type_of(type.element));
      if (!type.shape) return tensor;
      Shape& shape = tensor.shape.emplace();
      for (const proto::Dimension& dim : *type.shape) {
        // A negative dim_value is read as unknown, as other readers do.
        shape.push_back({dim.value && *dim.value >= 0 ? *dim.value : -1, std::string(dim.param)});
      }
      return tensor;
    }
    case proto::Type::Kind::sequence:
      return Type::sequence_of(item());
    case proto::Type::Kind::optional:
      return Type::optional_of(item());
    case proto::Type::Kind::map:
      return {Type::Kind::map, ElementType::undefined, std::nullopt, {}};
    case proto::Type::Kind::sparse_tensor:
      return {Type::Kind::sparse_tensor, element_type_of(type.element), std::nullopt, {}};
    case proto::Type::Kind::opaque:
      return {Type::Kind::opaque, ElementType::undefined, std::nullopt, {}};
  }
  return {};
}

// Rule: onnx/model/tensor-data-fits-shape.
Value read_tensor(const proto::Tensor& tensor, TensorSource& source) {
  const ElementType type = element_type_of(tensor.data_type);
  if (type == ElementType::undefined) {
    throw bad_data(fmt::format("tensor \"{}\" has data_type {}", tensor.name, tensor.data_type),
                   "a TensorProto.DataType");
  }
  if (tensor.segmented)
    throw bad_data(fmt::format("tensor \"{}\" is a segment of another", tensor.name), "a whole tensor");
  std::size_t size = 0;
  std::uint64_t count = 0;
  Dims dims(tensor.dims.begin(), tensor.dims.end());
  try {
    count = element_count(dims);
    size = bytes_of(type, count);
  } catch (const std::length_error& error) {
    throw bad_data(fmt::format("tensor \"{}\": {}", tensor.name, error.what()), "dims that fit a payload");
  }
  expect_one_payload(tensor, field_of(type));
  if (type == ElementType::string) return read_strings(tensor, count);
  if (tensor.external) return Tensor{type, std::move(dims), read_external(tensor, size, source), {}};
  if (tensor.raw_data) {
    const auto raw = std::as_bytes(std::span(*tensor.raw_data));
    expect_size(tensor, type, raw.size(), size);
    return Tensor{type, std::move(dims), copy_or_keep(source, raw), {}};
  }
  Buffer typed = read_typed(tensor, type);
  expect_size(tensor, type, typed.bytes().size(), size);
  return Tensor{type, std::move(dims), std::move(typed), {}};
}

}  // namespace ifcert::onnx
