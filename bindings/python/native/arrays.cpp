#include "arrays.hpp"

#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <ifcert/elements.hpp>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "dtypes.hpp"
#include "literals.hpp"

namespace ifcert::python {

namespace py = pybind11;

namespace {

/// Releases an object from any thread, whether or not it holds the interpreter's lock.
struct Release {
  py::handle held;
  void operator()(const void*) const {
    const py::gil_scoped_acquire lock;
    held.dec_ref();
  }
};

Dims dims_of(const py::array& array) {
  return {array.shape(), array.shape() + array.ndim()};
}

/// The elements of the array one after another, as ml_dtypes stores 2- and 4-bit types: a byte each.
Value packed_value(const py::array& array, ElementType type) {
  const auto* codes = static_cast<const std::uint8_t*>(array.data());
  const std::uint8_t mask = bits_of(type) == 4 ? 0x0F : 0x03;
  std::vector<std::uint8_t> unsigned_codes(static_cast<std::size_t>(array.size()));
  for (std::size_t i = 0; i < unsigned_codes.size(); ++i) unsigned_codes[i] = codes[i] & mask;
  return pack(type, dims_of(array), unsigned_codes);
}

Value strings_value(const py::array& array) {
  std::vector<std::string> strings;
  for (const py::handle item : array.attr("ravel")().attr("tolist")()) strings.push_back(string_of(item));
  return make_strings(dims_of(array), std::move(strings));
}

/// The array itself, where the reference can read it in place; else a copy of it.
py::array readable(py::array array) {
  constexpr int aligned = py::detail::npy_api::NPY_ARRAY_ALIGNED_;
  constexpr int needed = py::array::c_style | aligned;
  const bool native = array.dtype().byteorder() != '>';
  if (native && (array.flags() & needed) == needed) return array;
  if (!native) array = array.attr("astype")(array.dtype().attr("newbyteorder")("="));
  return py::array::ensure(array, needed);
}

Value value_of_array(const py::array& original) {
  if (holds_strings(original)) return strings_value(original);
  const py::array array = readable(original);
  const ElementType type = element_type_of(array.dtype());
  if (type == ElementType::undefined)
    throw py::type_error("an array of " + std::string(py::str(original.dtype())) + " is not a tensor");
  if (is_packed(type)) return packed_value(array, type);
  const std::span bytes{static_cast<const std::byte*>(array.data()), static_cast<std::size_t>(array.nbytes())};
  const std::shared_ptr<const void> owner(array.data(), Release{array.inc_ref()});
  return Tensor{type, dims_of(array), Buffer(owner, bytes), {}};
}

bool is_literal(py::handle object) {
  return py::isinstance<py::bool_>(object) || py::isinstance<py::int_>(object) || py::isinstance<py::float_>(object) ||
         PyComplex_Check(object.ptr()) != 0 || py::isinstance<py::str>(object) || py::isinstance<py::bytes>(object);
}

bool is_list(py::handle object) {
  return py::isinstance<py::list>(object) || py::isinstance<py::tuple>(object);
}

/// An object with numpy's protocols has a dtype of its own.
bool is_like_an_array(py::handle object) {
  return py::hasattr(object, "__array__") || py::hasattr(object, "__array_interface__") ||
         PyObject_CheckBuffer(object.ptr()) != 0;
}

/// Where no element type is declared (as for the result of an operator supplied from Python), numpy chooses it.
Value tensor_of(py::handle object, const Type& declared) {
  const bool is_declared = declared.is_tensor() && declared.element != ElementType::undefined;
  if (is_declared && !is_numpy_scalar(object) && (is_literal(object) || is_list(object)))
    return value_of_literals(object, declared.element);
  if (is_declared && !is_like_an_array(object))
    throw py::type_error(object.is_none() ? "None is not a tensor" : "a " + type_name(object) + " is not a tensor");
  if (object.is_none()) throw py::type_error("None is not a tensor");
  return value_of_array(py::module_::import("numpy").attr("asarray")(object));
}

Type item_of(const Type& declared) {
  return declared.item.empty() ? Type{} : declared.item.front();
}

Value sequence_of(py::handle object, const Type& declared) {
  if (!is_list(object)) throw py::type_error("a " + type_name(object) + " is not a list of the sequence's items");
  Sequence sequence{item_of(declared), {}};
  for (const py::handle item : object) sequence.items.push_back(value_of(item, sequence.item));
  if (!sequence.items.empty()) sequence.item = type_of(sequence.items.front());
  if (sequence.item.is_tensor()) sequence.item.shape.reset();
  return sequence;
}

Value optional_of(py::handle object, const Type& declared) {
  Optional optional{item_of(declared), {}};
  if (!object.is_none()) optional.value = value_of(object, optional.item);
  return optional;
}

/// Shares the tensor's memory and keeps it alive.
py::object shared_array(const Value& value, const Tensor& tensor) {
  auto kept = std::make_unique<Value>(value);
  const py::capsule keeper(kept.get(), [](void* held) { std::unique_ptr<Value>(static_cast<Value*>(held)).reset(); });
  (void)kept.release();  // the capsule owns it
  py::array array(dtype_of(tensor.type), std::vector<py::ssize_t>(tensor.dims.begin(), tensor.dims.end()),
                  tensor.data.bytes().data(), keeper);
  py::detail::array_proxy(array.ptr())->flags &= ~py::detail::npy_api::NPY_ARRAY_WRITEABLE_;
  return array;
}

py::object read_only(const py::array& array) {
  array.attr("setflags")(py::arg("write") = false);
  return array;
}

/// A byte each, sign-extended for the signed types, as ml_dtypes stores them.
py::object unpacked_array(const Tensor& tensor) {
  std::vector<std::uint8_t> codes = unpack(tensor);
  const bool is_signed = tensor.type == ElementType::int4 || tensor.type == ElementType::int2;
  const unsigned sign = 1U << (bits_of(tensor.type) - 1);
  if (is_signed) {
    for (std::uint8_t& code : codes) code = static_cast<std::uint8_t>((code ^ sign) - sign);
  }
  const py::array_t<std::uint8_t> bytes(static_cast<py::ssize_t>(codes.size()), codes.data());
  const py::array shaped = bytes.attr("view")(dtype_of(tensor.type)).attr("reshape")(py::cast(tensor.dims));
  return read_only(shaped);
}

py::object strings_array(const Tensor& tensor) {
  py::list items;
  for (const std::string& text : tensor.strings)
    items.append(py::bytes(text).attr("decode")("utf-8", "surrogateescape"));
  const py::object numpy = py::module_::import("numpy");
  const py::object array = numpy.attr("empty")(items.size(), py::dtype("O"));
  array.attr("__setitem__")(py::slice(py::none(), py::none(), py::none()), items);
  return read_only(array.attr("reshape")(py::cast(tensor.dims)));
}

py::object array_of(const Value& value, const Tensor& tensor) {
  if (tensor.type == ElementType::string) return strings_array(tensor);
  return is_packed(tensor.type) ? unpacked_array(tensor) : shared_array(value, tensor);
}

}  // namespace

Value value_of(py::handle object, const Type& declared) {
  if (py::isinstance<py::array>(object) && declared.kind != Type::Kind::optional)
    return value_of_array(py::reinterpret_borrow<py::array>(object));
  if (declared.kind == Type::Kind::sequence) return sequence_of(object, declared);
  if (declared.kind == Type::Kind::optional) return optional_of(object, declared);
  return tensor_of(object, declared);
}

py::object object_of(const Value& value) {
  if (const Tensor* tensor = value.tensor()) return array_of(value, *tensor);
  if (const Optional* optional = value.optional()) return object_of(optional->value);
  const Sequence* sequence = value.sequence();
  if (sequence == nullptr) return py::none();
  py::list items;
  for (const Value& item : sequence->items) items.append(object_of(item));
  return items;
}

}  // namespace ifcert::python
