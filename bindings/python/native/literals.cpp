#include "literals.hpp"

#include <complex>
#include <cstring>
#include <ifcert/elements.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "dtypes.hpp"

namespace ifcert::python {

namespace py = pybind11;

namespace {

/// The same limit as numpy's, so that a list that contains itself is refused.
constexpr std::size_t deepest = 64;

bool is_list(py::handle object) {
  return py::isinstance<py::list>(object) || py::isinstance<py::tuple>(object);
}

/// The object as Python writes it, shortened if it is long.
std::string shown(py::handle object) {
  constexpr std::size_t longest = 40;
  if (py::isinstance<py::str>(object) || py::isinstance<py::bytes>(object)) {
    const bool is_long = py::len(object) > longest;
    const py::object start = object[py::slice(0, longest, 1)];
    return std::string(py::repr(start)) + (is_long ? "…" : "");
  }
  if (PyLong_CheckExact(object.ptr()) != 0 || PyFloat_CheckExact(object.ptr()) != 0 || PyBool_Check(object.ptr()) ||
      PyComplex_CheckExact(object.ptr()) != 0) {
    // An int may have more digits than Python is willing to write.
    const auto text = py::reinterpret_steal<py::object>(PyObject_Repr(object.ptr()));
    if (!text) PyErr_Clear();
    if (text && py::len(text) <= longest) return py::str(text);
  }
  return "this " + std::string(py::str(py::type::of(object).attr("__name__")));
}

[[noreturn]] void refuse(py::handle leaf, ElementType type, const std::string& why = "") {
  throw py::type_error(shown(leaf) + " is not an element of " + std::string(name_of(type)) + why);
}

bool is_of_numpy(py::handle object) {
  return py::isinstance<py::array>(object) || is_numpy_scalar(object);
}

/// The elements of nested lists, row by row.
class Leaves {
 public:
  explicit Leaves(ElementType type) : type_(type) {}

  void take(py::handle object, std::size_t depth = 0) {
    if (is_of_numpy(object)) {
      const py::array array = py::array::ensure(object);
      if (!array || !holds(array, type_))
        throw py::type_error("an array of " + std::string(py::str(object.attr("dtype"))) + " in a list");
      const py::object items = object.attr("tolist")();
      if (is_of_numpy(items)) refuse(items, type_);  // a scalar that Python has no type for
      take(items, depth);
    } else if (is_list(object)) {
      take_list(object, depth);
    } else {
      settle(depth);
      items_.push_back(py::reinterpret_borrow<py::object>(object));
    }
  }

  const Dims& dims() const { return dims_; }
  const std::vector<py::object>& items() const { return items_; }

 private:
  void take_list(py::handle list, std::size_t depth) {
    if (depth == deepest) throw py::type_error("lists nested more than 64 deep");
    const auto length = static_cast<std::int64_t>(py::len(list));
    if (!settled_ && depth == dims_.size()) dims_.push_back(length);
    if (depth >= dims_.size() || dims_[depth] != length) refuse_ragged();
    if (length == 0) settle(depth + 1);
    for (const py::handle item : list) take(item, depth + 1);
  }

  /// All elements are at the same depth.
  void settle(std::size_t depth) {
    settled_ = true;
    if (depth != dims_.size()) refuse_ragged();
  }

  [[noreturn]] static void refuse_ragged() { throw py::type_error("the lists are ragged"); }

  ElementType type_;
  Dims dims_;
  bool settled_ = false;
  std::vector<py::object> items_;
};

bool is_floating(ElementType type) {
  return type == ElementType::float32 || type == ElementType::float64 || is_small_float(type);
}

/// The same number as a double; nullopt if a double cannot represent it exactly.
std::optional<double> exact_double(py::handle integer) {
  const double number = PyLong_AsDouble(integer.ptr());
  const bool is_held = PyErr_Occurred() == nullptr;
  if (is_held && py::reinterpret_steal<py::object>(PyLong_FromDouble(number)).equal(integer)) return number;
  PyErr_Clear();
  return std::nullopt;
}

Number integer(py::handle leaf, ElementType type) {
  int overflow = 0;
  const long long number = PyLong_AsLongLongAndOverflow(leaf.ptr(), &overflow);
  if (overflow == 0) return std::int64_t{number};
  const unsigned long long large = PyLong_AsUnsignedLongLong(leaf.ptr());
  if (PyErr_Occurred() == nullptr) return std::uint64_t{large};
  PyErr_Clear();
  const std::optional<double> exact = is_floating(type) ? exact_double(leaf) : std::nullopt;
  if (!exact) refuse(leaf, type);
  return *exact;
}

/// The leaf as a number of the type's kind.
Number number_of(py::handle leaf, ElementType type) {
  const bool is_bool = PyBool_Check(leaf.ptr());
  if (is_bool != (type == ElementType::boolean)) refuse(leaf, type);
  if (is_bool) return std::uint64_t{leaf.ptr() == Py_True};
  if (PyLong_Check(leaf.ptr()) != 0) return integer(leaf, type);
  if (PyFloat_Check(leaf.ptr()) != 0 && is_floating(type)) return PyFloat_AS_DOUBLE(leaf.ptr());
  refuse(leaf, type);
}

/// Exactly equal; NaN is NaN.
bool is_same(const Number& literal, const Number& held) {
  return std::visit(
      [](auto one, auto other) {
        const auto a = static_cast<long double>(one);
        const auto b = static_cast<long double>(other);
        return a == b || (a != a && b != b);
      },
      literal, held);
}

constexpr const char* inexact = " without loss; expected such an element, or an array of that dtype";

Tensor numbers(const Leaves& leaves, ElementType type) {
  std::byte* bytes = nullptr;
  const std::size_t size = bytes_of(type, leaves.items().size());
  Tensor tensor{type, leaves.dims(), Buffer::allocate(size, &bytes), {}};
  for (std::size_t i = 0; i < leaves.items().size(); ++i) {
    const py::object& leaf = leaves.items()[i];
    const Number number = number_of(leaf, type);
    write_number({bytes, size}, type, i, number, {.saturate = false});
    if (!is_same(number, read_number(tensor, i))) refuse(leaf, type, is_floating(type) ? inexact : "");
  }
  return tensor;
}

std::complex<double> complex_of(py::handle leaf, ElementType type) {
  if (PyComplex_Check(leaf.ptr()) != 0) return {PyComplex_RealAsDouble(leaf.ptr()), PyComplex_ImagAsDouble(leaf.ptr())};
  const Number number = number_of(leaf, ElementType::float64);
  const double real = std::visit([](auto literal) { return static_cast<double>(literal); }, number);
  if (!is_same(number, real)) refuse(leaf, type, inexact);
  return real;
}

template <class Part>
Tensor complex_numbers(const Leaves& leaves, ElementType type) {
  std::byte* bytes = nullptr;
  const std::size_t size = bytes_of(type, leaves.items().size());
  Tensor tensor{type, leaves.dims(), Buffer::allocate(size, &bytes), {}};
  for (const py::object& leaf : leaves.items()) {
    const std::complex<double> literal = complex_of(leaf, type);
    const std::complex<Part> held(literal);
    if (!is_same(literal.real(), double{held.real()}) || !is_same(literal.imag(), double{held.imag()}))
      refuse(leaf, type, inexact);
    std::memcpy(bytes, &held, sizeof held);
    bytes += sizeof held;
  }
  return tensor;
}

Value strings(const Leaves& leaves) {
  std::vector<std::string> texts;
  for (const py::object& leaf : leaves.items()) {
    if (!py::isinstance<py::str>(leaf) && !py::isinstance<py::bytes>(leaf)) refuse(leaf, ElementType::string);
    texts.push_back(string_of(leaf));
  }
  return make_strings(leaves.dims(), std::move(texts));
}

}  // namespace

Value value_of_literals(py::handle object, ElementType declared) {
  Leaves leaves(declared);
  leaves.take(object);
  if (declared == ElementType::string) return strings(leaves);
  if (declared == ElementType::complex64) return complex_numbers<float>(leaves, declared);
  if (declared == ElementType::complex128) return complex_numbers<double>(leaves, declared);
  return numbers(leaves, declared);
}

}  // namespace ifcert::python
