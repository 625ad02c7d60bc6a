"""The cross of what cannot run in ONNX: nodes that fail whenever they run, at places that no run enters."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ifcert.authoring.crosses.dimensions import Cross, Dimension, without
from ifcert.authoring.values import Writable, floats


@dataclass(frozen=True)
class Operand:
    """An operand of a failing node: its type where it is fed, its type where it is a constant, and its value.

    The type of a fed one is not so exact that the node is known to fail.
    """

    fed: str
    constant: str
    value: Writable

    @property
    def text(self) -> str:
        """The value as ONNX text: {1, 2}."""
        return "{" + ", ".join(str(each) for each in np.asarray(self.value).flat) + "}"


def integers(*items: int) -> Operand:
    """A list of int64 of known length."""
    return Operand(f"int64[{len(items)}]", f"int64[{len(items)}]", np.array(items, np.int64))


def of_type(type_: str, *items: int) -> Operand:
    """A list of known length of another integer type: int32, uint8."""
    return Operand(f"{type_}[{len(items)}]", f"{type_}[{len(items)}]", np.array(items, type_))


def number(item: int) -> Operand:
    """A scalar of int64."""
    return Operand("int64", "int64", np.int64(item))


def of_variable(dims: str, *items: Sequence[float] | float) -> Operand:
    """Floats whose dims are variables where they are fed."""
    value = floats(*items)
    return Operand(f"float[{dims}]", f"float[{','.join(map(str, value.shape))}]", value)


@dataclass(frozen=True)
class RunFault:
    """What fails whenever it runs: in words, its sentence, its operands by name, and the nodes that make f."""

    words: str
    why: str
    operands: Mapping[str, Operand]
    nodes: str


THREE = integers(1, 2, 3)
FAULTS: Mapping[str, RunFault] = {
    "reshape": RunFault(
        "six numbers are reshaped to four",
        "operators-reshape-elements",
        {"k": integers(1, 2, 3, 4, 5, 6), "to": integers(2, 2)},
        "f = Reshape (k, to)",
    ),
    "gather": RunFault(
        "element 99 of three is gathered",
        "operators-gather-index-out-of-bounds",
        {"k": THREE, "at": integers(99)},
        "f = Gather (k, at)",
    ),
    "divide": RunFault(
        "integers are divided by zero",
        "operators-div-by-zero-unspecified",
        {"k": integers(6, -8), "by": integers(0, 0)},
        "f = Div (k, by)",
    ),
    "gather-before": RunFault(
        "element -4 of three is gathered",
        "operators-gather-index-range",
        {"k": THREE, "at": integers(-4)},
        "f = Gather (k, at)",
    ),
    "divide-narrow": RunFault(
        "int32 are divided by zero",
        "operators-div-by-zero-unspecified",
        {"k": of_type("int32", 6, -8), "by": of_type("int32", 0, 0)},
        "f = Div (k, by)",
    ),
    "divide-unsigned": RunFault(
        "unsigned bytes are divided by zero",
        "operators-div-by-zero-unspecified",
        {"k": of_type("uint8", 6, 8), "by": of_type("uint8", 0, 0)},
        "f = Div (k, by)",
    ),
    "divide-least": RunFault(
        "the least int64 is divided by -1, and the quotient is no int64",
        "operators-div-unrepresentable-unspecified",
        {"k": integers(-(2**63)), "by": integers(-1)},
        "f = Div (k, by)",
    ),
    "add": RunFault(
        "two numbers are added to three",
        "operators-add-broadcasting",
        {"k": of_variable("j", 1, 2), "l": of_variable("i", 1, 2, 3)},
        "f = Add (k, l)",
    ),
    "concat": RunFault(
        "rows of two and of three are joined, one below the other",
        "operators-concat-same-shape",
        {"k": of_variable("1,j", [1, 2]), "l": of_variable("1,i", [1, 2, 3])},
        "f = Concat <axis = 0> (k, l)",
    ),
    "multiply": RunFault(
        "a row of two is multiplied by a column of three",
        "operators-matmul",
        {"k": of_variable("1,j", [1, 2]), "l": of_variable("i,1", [1], [2], [3])},
        "f = MatMul (k, l)",
    ),
    "squeeze": RunFault(
        "a dim that is 2 is squeezed",
        "operators-squeeze-axis",
        {"k": of_variable("j", 1, 2), "axes": integers(0)},
        "f = Squeeze (k, axes)",
    ),
    "expand": RunFault(
        "two numbers are expanded to three",
        "operators-expand-dims",
        {"k": integers(1, 2), "to": integers(3)},
        "f = Expand (k, to)",
    ),
    "slice": RunFault(
        "a list is sliced with a step of 0",
        "operators-slice-no-zero-step",
        {"k": THREE, "at": integers(0), "to": integers(3), "axes": integers(0), "by": integers(0)},
        "f = Slice (k, at, to, axes, by)",
    ),
    "create": RunFault(
        "a tensor of -2 elements is created",
        "operators-constantofshape-not-negative",
        {"to": integers(-2)},
        "f = ConstantOfShape (to)",
    ),
    "count": RunFault(
        "numbers are counted from 0 to 5 in steps of 0",
        "operators-range-length",
        {"at": number(0), "to": number(5), "by": number(0)},
        "f = Range (at, to, by)",
    ),
    "pick": RunFault(
        "item 5 of a sequence of one is picked",
        "operators-sequenceat-range",
        {"k": THREE, "at": number(5)},
        "all = SequenceConstruct (k)  f = SequenceAt (all, at)",
    ),
}

FAILING = Dimension(
    "failing", "what fails whenever it runs", {name: each.words for name, each in FAULTS.items()}, always=True
)
OPERANDS = Dimension(
    "operands",
    "what its operands are",
    {
        "fed": "fed, so that nothing is known before the run",
        "initializers": "initializers of the graph that it is in",
        "constants": "Constants beside it",
    },
)
UNENTERED = Dimension(
    "unentered",
    "what no run enters, and holds it",
    {
        "then": "a then branch, whose cond is false",
        "else": "an else branch, whose cond is true",
        "loop-of-no-trips": "a Loop whose trip count is 0",
        "loop-of-false": "a Loop whose cond is false",
        "scan": "a Scan over no elements",
        "map": "a SequenceMap over no items",
        "function": "a function that nothing calls",
    },
)
KNOWN = Dimension(
    "known",
    "how it is known that none enters: what the cond, the trip count or the nothing is",
    {"fed": "fed", "initializer": "an initializer", "constant": "a Constant", "folded": "computed from a Constant"},
)
WITHIN = Dimension(
    "within",
    "what holds the node there, and would be entered",
    {
        "itself": "nothing else",
        "then": "a then branch, whose cond is fed",
        "then-of-true": "a then branch, whose cond is a Constant that selects it",
        "else-of-false": "an else branch, whose cond is a Constant that selects it",
        "loop": "a Loop of one trip, which is fed",
        "loop-of-one": "a Loop of one trip, which is a Constant",
        "scan": "a Scan over one element",
        "call": "a function that is called there",
    },
)

NO_INITIALIZERS = "a function has no initializers"
EXCLUSIONS = [
    without(
        "nothing is given to a function that nothing calls", unentered="function", known="initializer constant folded"
    ),
    without("an initializer is a tensor", unentered="map", known="initializer"),
    without("a Constant is a tensor", unentered="map", known="constant"),
    without(NO_INITIALIZERS, operands="initializers", within="call"),
    without(NO_INITIALIZERS, operands="initializers", unentered="function", within="itself"),
]

ONNX_UNREACHED = Cross(
    "onnx",
    [FAILING, OPERANDS, UNENTERED, KNOWN, WITHIN],
    EXCLUSIONS,
    ("operands", "unentered", "within"),
    part="run-faults",
)
