"""What all parts of a model of ONNX's cross share: the values that are fed, the names, and the smallest nodes."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from ifcert.authoring.crosses.dimensions import Row
from ifcert.authoring.crosses.onnx_pieces import Array, Env, Function, Piece, array_of, constant, node

COND = "c"

# Of each element type, what is fed (two lengths), and constants: no two results of the branches are equal.
NUMBERS = {"x": [7, 9], "long": [11, 5, 8], "k": [2], "other k": [3], "one": [1], "ten": [10], "eight": [8]}
BOOLS = {"x": [True, False], "long": [False, True, True], "k": [True], "other k": [False], "one": [True], "ten": [True]}
STRINGS = {
    "x": [b"ab", b"c"],
    "long": [b"d", b"", b"ef"],
    "k": [b"k"],
    "other k": [b"o"],
    "one": [b"1"],
    "ten": [b"10"],
}
# The type whose values have as many bytes.
AS_WIDE = {
    "float32": "int32",
    "float64": "int64",
    "float16": "int16",
    "int64": "float64",
    "int32": "float32",
    "int8": "uint8",
    "uint8": "int8",
}
ONNX_NUMBER = {
    "float32": 1,
    "uint8": 2,
    "int8": 3,
    "int16": 5,
    "int32": 6,
    "int64": 7,
    "bool": 9,
    "float16": 10,
    "float64": 11,
}


def sample(element: str, name: str) -> Array:
    """A value of this type."""
    table = {"bool": BOOLS, "string": STRINGS}.get(element, NUMBERS)
    return array_of(element, table[name])


def _within(element: str, found: Array) -> Array:
    """A sum or difference that has its value in the type: overflow is not specified."""
    limits = np.iinfo(element) if np.issubdtype(np.dtype(element), np.integer) else None
    assert limits is None or ((limits.min <= found).all() and (found <= limits.max).all()), found
    return found.astype(element)


def plus(out: str, left: str, right: str, element: str) -> Piece:
    """What the then branches compute: a sum, exclusive or, or two texts one after the other."""
    if element == "bool":
        return node(out, "Xor", [left, right], np.logical_xor)
    if element == "string":
        return node(out, "Concat", [left, right], lambda a, b: np.concatenate([a, b]), "axis = 0")
    return node(out, "Add", [left, right], lambda a, b: _within(element, _wide(a) + _wide(b)))


def minus(out: str, left: str, right: str, element: str) -> Piece:
    """What the else branches compute: a difference, or, or the other way round."""
    if element == "bool":
        return node(out, "Or", [left, right], np.logical_or)
    if element == "string":
        return plus(out, right, left, element)
    return node(out, "Sub", [left, right], lambda a, b: _within(element, _wide(a) - _wide(b)))


def _wide(array: Array) -> Array:
    return array.astype(np.int64) if array.dtype.kind in "iu" else array


@dataclass
class Site:
    """The row of which a model is made, and the names that it has used."""

    row: Row
    element: str
    number: int = 0
    graphs: int = 0
    functions: list[Function] = field(default_factory=list)
    files: dict[str, bytes] = field(default_factory=dict)

    def fresh(self, word: str) -> str:
        """A value's name: branches of one If, and Ifs that are alike, begin again at the same number."""
        self.number += 1
        return f"{word}{self.number}"

    def graph(self, word: str) -> str:
        """A graph's name, which no other has."""
        self.graphs += 1
        return f"{word}_{self.graphs}"

    def function(self, function: Function) -> Function:
        """The function, of which the model has one of its name."""
        if function.name not in [each.name for each in self.functions]:
            self.functions.append(function)
        return function

    def is_(self, **wanted: str) -> bool:
        """Whether the row has, for each of these dimensions, one of the values named, with spaces between them."""
        return all(self.row[name] in values.split() for name, values in wanted.items())

    @property
    def in_function(self) -> bool:
        """Whether the If lies in a function whose operands a call may leave out."""
        return self.is_(place="function call")


def identity(out: str, data: str) -> Piece:
    """An Identity."""
    return node(out, "Identity", [data], lambda held: held)


def negated(out: str, data: str) -> Piece:
    """A Not."""
    return node(out, "Not", [data], np.logical_not)


def compared(cond: str) -> list[Piece]:
    """cond is true where the number n that is fed is greater than zero."""
    return [constant("zero", np.array(0)), node(cond, "Greater", ["n", "zero"], np.greater)]


def reshaped(site: Site, out: str, data: str, to: Sequence[int]) -> list[Piece]:
    """A Reshape."""
    dims = site.fresh("d")
    return [constant(dims, np.array(to)), node(out, "Reshape", [data, dims], lambda held, dims: held.reshape(dims))]


def first_values(site: Site) -> Env:
    """The values that nodes can read from outside."""
    x = sample(site.element, "x")
    first = np.array(site.is_(first="true"))
    return {
        "x": x,
        "v": x,
        COND: first,
        "other": ~first,
        "n": np.array(1 if first else -1),
        "k": sample(site.element, "k"),
        "axes": np.array([0]),
        "steps": np.array([-1]),
        "@lo": [-1],
        "@hi": [-100],
    }
