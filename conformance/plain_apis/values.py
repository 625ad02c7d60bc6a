"""Values of a vector beside those of a runtime, for the scripts of `ifcert reproduce` and for scripts/plain_runtimes.

A value is an array of numpy; or, of a type that numpy lacks or of strings, (type, shape, bytes or texts); a list for a
sequence; ("optional", value or None) for an optional.
"""


#: narrow
def parts(value):
    """Type, shape and bytes: two values are equal where every bit is."""
    array = np.asarray(value)
    return array.dtype.name, list(array.shape), array.tobytes()


def same(found, wanted):
    return parts(found) == parts(wanted)


#: wide
OPTIONALS = True


def given(value):
    return value


def object_array(items, shape):
    flat = np.empty(len(items), object)
    flat[:] = items
    return flat.reshape(shape)


def parts(value):
    """Type, shape and bytes, or the texts of strings: two values are equal where all of them are."""
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
    """An optional's value may come in a list of one."""
    is_box = isinstance(found, list) and len(found) == 1 and (not isinstance(inner, list) or isinstance(found[0], list))
    return found[0] if is_box else found


def same(found, wanted):
    """Equal to the bit."""
    if isinstance(wanted, tuple) and wanted[0] == "optional":
        inner = wanted[1]
        found = unboxed(found, inner)
        return OPTIONALS and (found is None) == (inner is None) and same(found, inner)
    if isinstance(wanted, list):
        return isinstance(found, list) and len(found) == len(wanted) and all(map(same, found, wanted))
    return parts(found) == parts(wanted)
