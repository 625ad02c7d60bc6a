// numpy's dtypes ↔ element types of the reference.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <ifcert/values.hpp>
#include <string>

namespace ifcert::python {

/// A scalar that has a dtype of its own, such as np.float64(1), which is also a float.
bool is_numpy_scalar(pybind11::handle object);

/// Whether an array's elements already have that type, without a cast.
bool holds(const pybind11::array& array, ElementType type);

/// The bytes of a str (UTF-8, with surrogateescape) or bytes. Throws pybind11::type_error for anything else.
std::string string_of(pybind11::handle item);

/// The dtype of an element type, from ml_dtypes for those that numpy lacks. Strings are objects.
pybind11::dtype dtype_of(ElementType type);

/// The element type of a dtype; undefined where no element type has it.
ElementType element_type_of(const pybind11::dtype& dtype);

/// Whether an array holds strings: objects, str or bytes.
bool holds_strings(const pybind11::array& array);

/// The name of an object's type, for messages.
std::string type_name(pybind11::handle object);

}  // namespace ifcert::python
