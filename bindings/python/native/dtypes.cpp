#include "dtypes.hpp"

#include <array>
#include <utility>
#include <vector>

namespace ifcert::python {

namespace py = pybind11;

namespace {

struct NamedType {
  ElementType type;
  const char* module;
  const char* name;
};

constexpr std::array<NamedType, 25> named_types{{
    {ElementType::boolean, "numpy", "bool"},
    {ElementType::int8, "numpy", "int8"},
    {ElementType::int16, "numpy", "int16"},
    {ElementType::int32, "numpy", "int32"},
    {ElementType::int64, "numpy", "int64"},
    {ElementType::uint8, "numpy", "uint8"},
    {ElementType::uint16, "numpy", "uint16"},
    {ElementType::uint32, "numpy", "uint32"},
    {ElementType::uint64, "numpy", "uint64"},
    {ElementType::float16, "numpy", "float16"},
    {ElementType::float32, "numpy", "float32"},
    {ElementType::float64, "numpy", "float64"},
    {ElementType::complex64, "numpy", "complex64"},
    {ElementType::complex128, "numpy", "complex128"},
    {ElementType::bfloat16, "ml_dtypes", "bfloat16"},
    {ElementType::float8e4m3fn, "ml_dtypes", "float8_e4m3fn"},
    {ElementType::float8e4m3fnuz, "ml_dtypes", "float8_e4m3fnuz"},
    {ElementType::float8e5m2, "ml_dtypes", "float8_e5m2"},
    {ElementType::float8e5m2fnuz, "ml_dtypes", "float8_e5m2fnuz"},
    {ElementType::float8e8m0, "ml_dtypes", "float8_e8m0fnu"},
    {ElementType::float4e2m1, "ml_dtypes", "float4_e2m1fn"},
    {ElementType::int4, "ml_dtypes", "int4"},
    {ElementType::uint4, "ml_dtypes", "uint4"},
    {ElementType::int2, "ml_dtypes", "int2"},
    {ElementType::uint2, "ml_dtypes", "uint2"},
}};

/// The dtypes of the element types, by number. Created once and never destroyed: the interpreter may be gone by then.
struct Dtypes {
  std::array<py::object, 32> of_type;
  std::vector<std::pair<int, ElementType>> by_number;

  Dtypes() {
    for (const NamedType& named : named_types) {
      py::dtype dtype = py::dtype::from_args(py::module_::import(named.module).attr(named.name));
      by_number.emplace_back(dtype.num(), named.type);
      of_type[static_cast<std::size_t>(named.type)] = std::move(dtype);
    }
    of_type[static_cast<std::size_t>(ElementType::string)] = py::dtype("O");
  }
};

const Dtypes& dtypes() {
  static const Dtypes* const all = new Dtypes;
  return *all;
}

}  // namespace

std::string type_name(py::handle object) {
  return py::str(py::type::of(object).attr("__name__"));
}

ElementType element_type_of(const py::dtype& dtype) {
  // By number first: numpy has one number for each of its types except longlong's; ml_dtypes' types get theirs when
  // imported.
  for (const auto& [number, type] : dtypes().by_number) {
    if (number == dtype.num()) return type;
  }
  for (const auto& [number, type] : dtypes().by_number) {
    if (dtypes().of_type[static_cast<std::size_t>(type)].equal(dtype)) return type;
  }
  return ElementType::undefined;
}

bool holds_strings(const py::array& array) {
  const char kind = array.dtype().kind();
  return kind == 'O' || kind == 'U' || kind == 'S' || kind == 'T';
}

bool is_numpy_scalar(py::handle object) {
  static const py::handle generic = py::object(py::module_::import("numpy").attr("generic")).release();
  return py::isinstance(object, generic);
}

bool holds(const py::array& array, ElementType type) {
  return type == ElementType::string ? holds_strings(array) : element_type_of(array.dtype()) == type;
}

std::string string_of(py::handle item) {
  if (py::isinstance<py::bytes>(item)) return py::reinterpret_borrow<py::bytes>(item);
  if (!py::isinstance<py::str>(item))
    throw py::type_error("an array of objects holds a " + type_name(item) + "; only str and bytes are strings");
  return py::bytes(item.attr("encode")("utf-8", "surrogateescape"));
}

py::dtype dtype_of(ElementType type) {
  return py::reinterpret_borrow<py::dtype>(dtypes().of_type[static_cast<std::size_t>(type)]);
}

}  // namespace ifcert::python
