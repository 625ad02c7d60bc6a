// The ONNX messages as decoded from the file, not yet interpreted. Strings and tensor bytes point into the file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <ifcert/diagnostic.hpp>
#include <memory>
#include <memory_resource>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ifcert::onnx::proto {

/// Memory for the lists of a decoded model: short ones, of which each node has several, are packed together and freed
/// together; long ones are allocated separately, so that their memory is freed when they grow.
class Arena : public std::pmr::memory_resource {
 private:
  static constexpr std::size_t longest_short = 1024;  // bytes
  static constexpr std::size_t block = 16 * longest_short;
  static constexpr std::size_t unit = sizeof(std::int64_t);  // sizes of short lists are rounded up to it

  static bool is_short(std::size_t bytes, std::size_t alignment) { return bytes <= longest_short && alignment <= unit; }

  void* do_allocate(std::size_t bytes, std::size_t alignment) override {
    if (!is_short(bytes, alignment)) return ::operator new(bytes, std::align_val_t(alignment));
    if (bytes > left_) {
      blocks_.push_back(std::make_unique_for_overwrite<std::byte[]>(block));
      left_ = block;
    }
    std::byte* memory = blocks_.back().get() + (block - left_);
    left_ -= (bytes + unit - 1) / unit * unit;
    return memory;
  }
  void do_deallocate(void* memory, std::size_t bytes, std::size_t alignment) override {
    if (!is_short(bytes, alignment)) ::operator delete(memory, std::align_val_t(alignment));
  }
  bool do_is_equal(const memory_resource& other) const noexcept override { return this == &other; }

  std::vector<std::unique_ptr<std::byte[]>> blocks_;
  std::size_t left_ = 0;  // bytes at the end of the last block, a multiple of the unit
};

using Allocator = std::pmr::polymorphic_allocator<>;

template <class T>
using List = std::pmr::vector<T>;

/// AttributeProto.AttributeType.
enum class AttributeType : std::int32_t {
  undefined = 0,
  float_ = 1,
  int_ = 2,
  string = 3,
  tensor = 4,
  graph = 5,
  floats = 6,
  ints = 7,
  strings = 8,
  tensors = 9,
  graphs = 10,
  sparse_tensor = 11,
  sparse_tensors = 12,
  type_proto = 13,
  type_protos = 14,
};

struct Entry {
  std::string_view key, value;
};

struct Tensor {
  explicit Tensor(Allocator in) : dims(in), string_data(in), external_data(in) {}

  List<std::int64_t> dims;
  std::int32_t data_type = 0;
  std::string_view name;
  std::vector<float> float_data;
  std::vector<std::int32_t> int32_data;
  std::vector<std::int64_t> int64_data;
  std::vector<double> double_data;
  std::vector<std::uint64_t> uint64_data;
  List<std::string_view> string_data;
  std::optional<std::string_view> raw_data;
  bool external = false;
  bool segmented = false;
  List<Entry> external_data;
};

/// Values at indices, zeros elsewhere. The name of an initializer is that of its values.
struct SparseTensor {
  explicit SparseTensor(Allocator in) : values(in), indices(in), dims(in) {}

  Tensor values, indices;
  List<std::int64_t> dims;
};

struct Dimension {
  std::optional<std::int64_t> value;
  std::string_view param;
};

/// One of the alternatives of TypeProto; `item` holds the element type of a sequence or an optional.
struct Type {
  explicit Type(Allocator in) : item(in) {}

  enum class Kind : std::uint8_t { none, tensor, sequence, optional, map, sparse_tensor, opaque } kind = Kind::none;
  std::int32_t element = 0;
  std::optional<List<Dimension>> shape;
  List<Type> item;
};

struct ValueInfo {
  explicit ValueInfo(Allocator in) : type(in) {}

  std::string_view name;
  Type type;
};

struct Graph;

struct Attribute {
  // Defined where Graph is complete.
  explicit Attribute(Allocator in);
  Attribute(Attribute&& from) noexcept;
  Attribute& operator=(Attribute&& from) noexcept;
  ~Attribute();

  std::string_view name;
  std::string_view reference;  // ref_attr_name; empty where there is none
  std::int32_t type = 0;
  std::uint32_t present = 0;  // a bit 1 << AttributeType for each field that holds a value
  std::optional<float> f;
  std::optional<std::int64_t> i;
  std::optional<std::string_view> s;
  List<Tensor> tensor;  // at most one; `t`
  List<Graph> graph;    // at most one; `g`
  List<Type> type_proto;
  std::vector<float> floats;
  std::vector<std::int64_t> ints;
  List<std::string_view> strings;
  List<Tensor> tensors;
  List<Graph> graphs;
  List<SparseTensor> sparse_tensor;  // at most one

  void add(AttributeType field) { present |= 1U << static_cast<unsigned>(field); }
  bool has(AttributeType field) const { return (present >> static_cast<unsigned>(field) & 1U) != 0; }
};

struct Node {
  explicit Node(Allocator in) : input(in), output(in), attribute(in) {}

  List<std::string_view> input, output;
  std::string_view name, op_type, domain, overload;
  List<Attribute> attribute;
};

struct Graph {
  explicit Graph(Allocator in)
      : node(in), initializer(in), input(in), output(in), value_info(in), sparse_initializer(in) {}

  std::string_view name;
  List<Node> node;
  List<Tensor> initializer;
  List<ValueInfo> input, output, value_info;
  List<SparseTensor> sparse_initializer;
};

inline Attribute::Attribute(Allocator in)
    : tensor(in), graph(in), type_proto(in), strings(in), tensors(in), graphs(in), sparse_tensor(in) {}
inline Attribute::Attribute(Attribute&& from) noexcept = default;
inline Attribute& Attribute::operator=(Attribute&& from) noexcept = default;
inline Attribute::~Attribute() = default;

struct OperatorSet {
  std::string_view domain;
  std::int64_t version = 0;
};

struct Function {
  explicit Function(Allocator in)
      : input(in), output(in), attribute(in), attribute_proto(in), node(in), opset_import(in), value_info(in) {}

  std::string_view name, domain, overload;
  List<std::string_view> input, output, attribute;
  List<Attribute> attribute_proto;
  List<Node> node;
  List<OperatorSet> opset_import;
  List<ValueInfo> value_info;
};

struct Model {
  std::unique_ptr<Arena> arena = std::make_unique<Arena>();
  std::optional<std::int64_t> ir_version;
  std::string_view producer_name, producer_version;
  List<OperatorSet> opset_import{arena.get()};
  List<Graph> graph{arena.get()};  // at most one
  List<Function> functions{arena.get()};
};

/// Decodes a ModelProto. Unknown fields are skipped. Throws UnreadableModel for bytes that are not a protobuf message:
/// truncated, a field of another wire type, a singular message that appears twice, nesting beyond nesting_limit, more
/// messages than budget_limit.
Model decode(std::span<const std::byte> bytes);

}  // namespace ifcert::onnx::proto
