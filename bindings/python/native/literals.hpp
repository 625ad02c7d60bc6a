// Python's own scalars and lists → tensors: True, 7, [1.5, 2], "text", b"bytes".
#pragma once

#include <pybind11/numpy.h>

#include <ifcert/values.hpp>

namespace ifcert::python {

/// The tensor of a scalar, or of nested lists or tuples of scalars, of the declared element type.
///
/// Nothing is cast: a bool is an element of bool alone; an int of the integer types that have it, and of the
/// floating-point and complex types that have it exactly; a float of the floating-point and complex types that have it
/// exactly, a complex of the complex types; str and bytes are strings. Arrays and numpy's scalars within lists have the
/// declared dtype. Throws pybind11::type_error, naming what does not fit.
Value value_of_literals(pybind11::handle object, ElementType declared);

}  // namespace ifcert::python
