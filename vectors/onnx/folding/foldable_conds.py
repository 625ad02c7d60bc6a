"""Conds known before any run without being Constants: computed, algebraic, from loops, sequences, other Ifs."""

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
from ifcert.authoring import Run, Vector, floats, model, says, vectors_of

COND = says("if-cond", note="of one that is known beforehand nothing else is said")

constant_cond_same_result = vectors_of("onnx/if/constant-cond-same-result", COND, "ir-runtime-agnostic")

X = floats(1, -2)
ANY_BOOL = [{"p": np.True_}, {"p": np.False_}]
ANY_NUMBER = [{"n": np.int64(number)} for number in (-3, 0, 7)]


@dataclass(frozen=True)
class Cond:
    """Nodes that compute c, its fixed value, further inputs and initializers, and the values of the inputs."""

    nodes: str
    value: bool
    inputs: str = ""
    stored: str = ""
    fed: list[dict[str, np.generic]] = field(default_factory=lambda: [{}])


CONDS = {
    "not-of-constant: cond is Not of a Constant": Cond("f = Constant <value = bool {0}> ()  c = Not (f)", True),
    "not-of-not: cond is Not of Not of an initializer": Cond(
        "f = Not (no)  c = Not (f)", False, stored="bool no = {0}"
    ),
    "and-with-false: cond is And of an input and false": Cond(
        "c = And (p, no)", False, "bool p, ", "bool no = {0}", ANY_BOOL
    ),
    "or-with-true: cond is Or of an input and true": Cond(
        "c = Or (yes, p)", True, "bool p, ", "bool yes = {1}", ANY_BOOL
    ),
    "or-with-not: cond is an input Or its Not": Cond("f = Not (p)  c = Or (p, f)", True, "bool p, ", fed=ANY_BOOL),
    "xor-with-itself: cond is an input Xor itself": Cond("c = Xor (p, p)", False, "bool p, ", fed=ANY_BOOL),
    "equal-to-itself: cond is an integer Equal to itself": Cond("c = Equal (n, n)", True, "int64 n, ", fed=ANY_NUMBER),
    "less-than-itself: cond is an integer Less than itself": Cond(
        "c = Less (n, n)", False, "int64 n, ", fed=ANY_NUMBER
    ),
    "cast-of-number: cond is a Cast of a Constant": Cond(
        "f = Constant <value_int = 2> ()  c = Cast <to = 9> (f)", True
    ),
    "element-of-constant: cond is an element of an initializer": Cond(
        "c = Gather (flags, at)",
        False,
        stored="bool[3] flags = {1, 0, 1}, int64 at = {1}",
    ),
    "constant-of-shape: cond is ConstantOfShape": Cond(
        "c = ConstantOfShape <value = bool[1] {1}> (one)",
        True,
        stored="int64[1] one = {1}",
    ),
    "where: cond is Where of initializers": Cond(
        "c = Where (yes, no, yes)", False, stored="bool yes = {1}, bool no = {0}"
    ),
    "size-of-initializer: cond is whether an initializer has more than one element": Cond(
        "s = Size (k)  c = Greater (s, one)",
        True,
        stored="float[2] k = {10, 20}, int64 one = {1}",
    ),
    "rank-of-input: cond is whether a declared input has rank 2": Cond(
        "d = Shape (x)  r = Size (d)  c = Equal (r, two)",
        False,
        stored="int64 two = {2}",
    ),
    "dim-of-input: cond is whether a declared dim is 2": Cond(
        "d = Shape (x)  e = Squeeze (d)  c = Equal (e, two)",
        True,
        stored="int64 two = {2}",
    ),
    "sequence-length: cond is whether a sequence of two has two items": Cond(
        "s = SequenceConstruct (x, x)  l = SequenceLength (s)  c = Equal (l, two)",
        True,
        stored="int64 two = {2}",
    ),
    "empty-sequence-length: cond is the length of an empty sequence": Cond(
        "s = SequenceEmpty ()  l = SequenceLength (s)  c = Cast <to = 9> (l)",
        False,
    ),
    "optional-that-holds: cond is whether an Optional of a value holds one": Cond(
        "o = Optional (x)  c = OptionalHasElement (o)",
        True,
    ),
    "optional-that-is-empty: cond is whether an empty Optional holds a value": Cond(
        "o = Optional <type = float[2]> ()  c = OptionalHasElement (o)",
        False,
    ),
    "constant-if: cond is the result of an If under a Constant": Cond(
        """f = Constant <value = bool {0}> ()
            c = If (f) <
                then_branch = first_then () => (d) { d = Identity (p) },
                else_branch = first_else () => (e) { e = Constant <value = bool {1}> () }>""",
        True,
        "bool p, ",
        fed=ANY_BOOL,
    ),
    "if-of-equal-branches: cond is the result of an If whose branches return the same Constant": Cond(
        """c = If (p) <
                then_branch = first_then () => (d) { d = Constant <value = bool {0}> () },
                else_branch = first_else () => (e) { e = Constant <value = bool {0}> () }>""",
        False,
        "bool p, ",
        fed=ANY_BOOL,
    ),
    "loop-of-no-trips: cond is the carried value of a Loop of no trips": Cond(
        """c = Loop (none, yes, no) <
                body = step (int64 i, bool on, bool v) => (bool on_out, bool v_out)
                    { on_out = Identity (on)  v_out = Not (v) }>""",
        False,
        stored="bool yes = {1}, bool no = {0}, int64 none = {0}",
    ),
    "loop-of-constant-trips: cond is the carried value of a Loop that negates it three times": Cond(
        """c = Loop (three, yes, no) <
                body = step (int64 i, bool on, bool v) => (bool on_out, bool v_out)
                    { on_out = Identity (on)  v_out = Not (v) }>""",
        True,
        stored="bool yes = {1}, bool no = {0}, int64 three = {3}",
    ),
}

# The branches have initializers and values of the same names; one reads an initializer of the main graph.
CHOICE = """
        y = If (c) <
            then_branch = then_graph () => (a) <float[2] w = {1, 5}> { t = Add (x, w)  a = Neg (t) },
            else_branch = else_graph () => (b) <float[2] w = {3, 5}> { t = Mul (x, w)  b = Sub (t, bias) }>"""

# Row 1 sums to five and column 1 to six. Slice would take axis 0 if there were no list of axes.
SLICED = """
    sliced (int64[1] axes, float[2] x) => (float[2] y)
    <float[2] bias = {100, 200}, int64[2,2] k = {0, 1, 0, 5}, int64[1] from = {1}, int64[1] to = {2}, int64 five = {5}>
    {
        part = Slice (k, from, to, axes)
        sum = ReduceSum <keepdims = 0> (part)
        c = Equal (sum, five) CHOICE
    }"""

GATHERED = """
    g (float[2] x) => (float[?] y, float[2] z)
    <int64[3] k = {4, 5, 6}, int64[1] at = {2}, int64[1] six = {6}> {
        last = GatherElements <axis = 0> (k, at)
        equal = Equal (last, six)
        c = Squeeze (equal)
        y = If (c) <
            then_branch = then_graph () => (float[3] a) { a = Constant <value = float[3] {10, 20, 30}> () },
            else_branch = else_graph () => (float[1] b) { b = Constant <value = float[1] {7}> () }>
        z = Neg (x)
    }"""


def vectors() -> Iterator[Vector]:
    """A cond each; whatever is fed, the same branch is taken."""
    result = {True: floats(-2, -3), False: floats(-97, -210)}
    for case, cond in CONDS.items():
        stored = ", ".join(filter(None, [cond.stored, "float[2] bias = {100, 200}"]))
        folded = model(f"g ({cond.inputs}float[2] x) => (float[2] y) <{stored}> {{ {cond.nodes} {CHOICE} }}", 18)
        yield constant_cond_same_result(
            f"{case}, hence always {str(cond.value).lower()}",
            folded,
            [Run({**fed, "x": X}, {"y": result[cond.value]}) for fed in cond.fed],
        )
    yield constant_cond_same_result(
        "gathered-and-two-lengths: "
        "cond compares what GatherElements makes of initializers; the branches hold constants of two lengths",
        model(GATHERED, 18),
        [Run({"x": x}, {"y": floats(10, 20, 30), "z": -x}) for x in (X, -X)],
    )
    yield Vector(
        "onnx/if/cond-source/slice-along-fed-axis",
        "cond depends on a part of an initializer, which is cut out along the axis that is fed",
        ["if-cond"],
        model(SLICED.replace("CHOICE", CHOICE), 18),
        [
            Run({"axes": np.int64([0]), "x": X}, {"y": result[True]}),
            Run({"axes": np.int64([1]), "x": X}, {"y": result[False]}),
        ],
    )
