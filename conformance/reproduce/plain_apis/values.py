"""Compares a vector's values with a runtime's, for the scripts of `ifcert reproduce` and for scripts/plain_runtimes.

A tensor is an array of numpy or, if it has strings or a type that numpy lacks, (type, shape, bytes or texts); a
sequence is a list; an optional is ("optional", value or None).
"""

#: wide
OPTIONALS = True


def given(value):
    return value


def object_array(items, shape):
    flat = np.empty(len(items), object)
    flat[:] = items
    return flat.reshape(shape)


def parts(value):
    """Type, shape and bytes, or the texts of strings: values are equal if all of these are."""
    if value is None or isinstance(value, tuple):
        return value
    if isinstance(value, list):
        return [parts(item) for item in value]
    array = np.asarray(value)
    if array.dtype.kind in "OUS":
        texts = array.ravel().tolist()
        texts = [text.encode(errors="surrogateescape") if isinstance(text, str) else text for text in texts]
        return "string", list(array.shape), texts
    return array.dtype.name, list(array.shape), array.tobytes()


def unboxed(found, inner):
    """The value of an optional, which a runtime may return in a list of one."""
    is_box = isinstance(found, list) and len(found) == 1 and (not isinstance(inner, list) or isinstance(found[0], list))
    return found[0] if is_box else found


def same(found, wanted):
    """Whether the values are equal, bit for bit."""
    if isinstance(wanted, tuple) and wanted[0] == "optional":
        inner = wanted[1]
        found = unboxed(found, inner)
        return OPTIONALS and (found is None) == (inner is None) and same(found, inner)
    if isinstance(wanted, list):
        return isinstance(found, list) and len(found) == len(wanted) and all(map(same, found, wanted))
    return parts(found) == parts(wanted)
