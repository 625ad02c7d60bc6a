// Python's own scalars and lists → tensors: True, 7, [1.5, 2], "text", b"bytes".
#pragma once

#include <pybind11/numpy.h>

#include <ifcert/values.hpp>

namespace ifcert::python {

/// The tensor of a scalar, or of nested lists or tuples of scalars, of the declared element type.
///
/// Nothing is cast: a bool can only be an element of bool; an int one of the integer types in whose range it is, and of
/// the floating-point and complex types that can represent it exactly; a float one of the floating-point and complex
/// types that can represent it exactly; a complex one of the complex types that can; str and bytes are strings. Arrays
/// and numpy's scalars within lists must have the declared dtype. Throws pybind11::type_error, naming what does not
/// fit.
Value value_of_literals(pybind11::handle object, ElementType declared);

}  // namespace ifcert::python
