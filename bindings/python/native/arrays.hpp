// numpy arrays, lists and None ↔ values of the reference.
#pragma once

#include <pybind11/pybind11.h>

#include <ifcert/values.hpp>

namespace ifcert::python {

/// A value made from a Python object, for an input of type `declared`.
///
/// A C-contiguous, aligned array is shared, not copied: it stays alive as long as the value does, and must not be
/// written to meanwhile. 2- and 4-bit types are packed; arrays of str, bytes or objects hold strings (a str is encoded
/// as UTF-8, with surrogateescape). Scalars and lists are handled by literals.hpp. A list or a tuple is a sequence, and
/// None an absent optional, where `declared` is one. Throws pybind11::type_error where the object is not a value of the
/// reference.
Value value_of(pybind11::handle object, const Type& declared);

/// A value as a numpy array, a list (a sequence) or None (an absent optional). Arrays are read-only and share the
/// value's memory, except for 2- and 4-bit types and strings, which have another form in numpy.
pybind11::object object_of(const Value& value);

}  // namespace ifcert::python
