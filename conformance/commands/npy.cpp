#include "conformance/commands/npy.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <regex>

#include "conformance/system/error.hpp"
#include "conformance/system/file.hpp"

namespace ifcert::conformance {
namespace {

struct Descriptor {
  std::string_view text;
  ElementType type;
};

constexpr std::array<Descriptor, 14> descriptors{{
    {"|b1", ElementType::boolean},
    {"|i1", ElementType::int8},
    {"<i2", ElementType::int16},
    {"<i4", ElementType::int32},
    {"<i8", ElementType::int64},
    {"|u1", ElementType::uint8},
    {"<u2", ElementType::uint16},
    {"<u4", ElementType::uint32},
    {"<u8", ElementType::uint64},
    {"<f2", ElementType::float16},
    {"<f4", ElementType::float32},
    {"<f8", ElementType::float64},
    {"<c8", ElementType::complex64},
    {"<c16", ElementType::complex128},
}};

constexpr std::string_view magic("\x93NUMPY", 6);

/// The header's dictionary starts after the magic, two bytes of version and a little-endian length of two or four
/// bytes.
std::pair<std::size_t, std::size_t> header_range(std::string_view bytes, const std::filesystem::path& path) {
  const auto byte = [&](std::size_t i) { return static_cast<std::size_t>(static_cast<unsigned char>(bytes[i])); };
  if (bytes.size() < 12 || !bytes.starts_with(magic))
    throw Error(fmt::format("{}: this is not a .npy file", path.string()));
  const bool first_version = byte(6) == 1;
  const std::size_t start = first_version ? 10 : 12;
  const std::size_t length = byte(8) + (byte(9) << 8U) + (first_version ? 0 : (byte(10) << 16U) + (byte(11) << 24U));
  if (length > bytes.size() - start) throw Error(fmt::format("{}: the .npy header is truncated", path.string()));
  return {start, length};
}

Dims parse_dims(const std::string& text, const std::filesystem::path& path) {
  Dims dims;
  static const std::regex number("[0-9]+");
  for (std::sregex_iterator it(text.begin(), text.end(), number), end; it != end; ++it) {
    const std::string digits = it->str();
    std::int64_t dim = 0;
    if (std::from_chars(digits.data(), digits.data() + digits.size(), dim).ec != std::errc()) {
      throw Error(fmt::format("{}: the .npy shape ({}) is too large", path.string(), text));
    }
    dims.push_back(dim);
  }
  return dims;
}

}  // namespace

bool npy_holds(ElementType type) {
  return std::ranges::find(descriptors, type, &Descriptor::type) != descriptors.end();
}

Tensor read_npy(const std::filesystem::path& path) {
  const std::string bytes = read_file_or_pipe(path);
  const auto [start, length] = header_range(bytes, path);
  const std::string header = bytes.substr(start, length);
  static const std::regex form(R"(.*'descr': *'([^']*)'.*'fortran_order': *(True|False).*'shape': *\(([^)]*)\).*)",
                               std::regex::ECMAScript);
  std::smatch parts;
  std::string line = header;
  std::ranges::replace(line, '\n', ' ');
  if (!std::regex_match(line, parts, form)) throw Error(fmt::format("{}: the .npy header is malformed", path.string()));
  const std::string descr = parts[1].str();
  const auto found = std::ranges::find(descriptors, descr, &Descriptor::text);
  if (found == descriptors.end())
    throw Error(fmt::format("{}: NumPy's type \"{}\" is not supported", path.string(), descr));
  Tensor tensor{found->type, parse_dims(parts[3].str(), path), {}, {}};
  if (parts[2] == "True" && tensor.dims.size() > 1)
    throw Error(fmt::format("{}: the array is in Fortran order; expected C order", path.string()));
  const auto payload = std::as_bytes(std::span(bytes)).subspan(start + length);
  std::size_t expected = 0;
  try {
    expected = bytes_of(tensor.type, tensor.count());
  } catch (const std::length_error& error) {
    throw Error(fmt::format("{}: {}", path.string(), error.what()));
  }
  if (payload.size() != expected)
    throw Error(fmt::format("{}: {} bytes of data; the shape requires {}", path.string(), payload.size(), expected));
  tensor.data = Buffer::copy_of(payload);
  return tensor;
}

std::string npy_bytes(const Tensor& tensor) {
  const auto descr = std::ranges::find(descriptors, tensor.type, &Descriptor::type)->text;
  std::string shape;
  for (const std::int64_t dim : tensor.dims) shape += fmt::format("{},", dim);
  std::string header = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}), }}", descr, shape);
  // The data starts at a multiple of 64 bytes; the header ends in a line feed.
  const std::size_t padding = 63 - (magic.size() + 4 + header.size()) % 64;
  header.append(padding, ' ').push_back('\n');
  std::string bytes(magic);
  bytes += std::string("\x01\x00", 2);
  bytes += static_cast<char>(header.size() & 0xFFU);
  bytes += static_cast<char>(header.size() >> 8U);
  bytes += header;
  const auto data = tensor.data.bytes();
  bytes.append(reinterpret_cast<const char*>(data.data()), data.size());
  return bytes;
}

}  // namespace ifcert::conformance
