// numpy arrays, lists and None ↔ values of the reference.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <ifcert/values.hpp>
#include <string>

namespace ifcert::python {

/// A value made of a Python object, for an input of type `declared`.
///
/// A C-contiguous, aligned array is shared, not copied: it stays alive as long as the value does, and must not be
/// written to meanwhile. 2- and 4-bit types are packed, arrays of str, bytes or objects hold strings (a str goes as
/// UTF-8, with surrogateescape). Scalars and lists are taken as literals.hpp says. A list or a tuple is a sequence and
/// None an absent optional where `declared` says so. Throws pybind11::type_error: no value of the reference.
Value value_of(pybind11::handle object, const Type& declared);

/// The numpy array, list (a sequence) or None (an absent optional) that a value is. Arrays are read-only and share the
/// value's memory, but for 2- and 4-bit types and strings, which have another form in numpy.
pybind11::object object_of(const Value& value);

/// A scalar that has a dtype of its own, such as np.float64(1), which is a float, too.
bool is_numpy_scalar(pybind11::handle object);

/// Whether an array's elements are of that type as they stand, without a cast.
bool holds(const pybind11::array& array, ElementType type);

/// The bytes of a str (UTF-8, with surrogateescape) or bytes. Throws pybind11::type_error for anything else.
std::string string_of(pybind11::handle item);

/// The dtype of an element type; of those that numpy lacks ml_dtypes'. Strings are objects.
pybind11::dtype dtype_of(ElementType type);

}  // namespace ifcert::python
