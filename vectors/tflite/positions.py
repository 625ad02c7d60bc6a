"""Operands and outputs by position, in the right number."""

from collections.abc import Iterator

import numpy as np
from ifcert.authoring import Run, Vector
from ifcert.authoring.sources import issue
from ifcert.authoring.tflite import replaced, tflite
from ifcert.authoring.tflite_quotes import (
    COUNTS,
    FIRST_INPUT,
    OPERANDS_IN,
    PASSING_IN,
    PASSING_OUT,
    RESULTS_OUT,
    SUBGRAPH_INPUTS,
    SUBGRAPH_OUTPUTS,
)

IN, OUT = "tflite/if/inputs-positional/", "tflite/if/outputs-positional/"
A, B = np.int32([7, -8]), np.int32([20, 30])


def vectors() -> Iterator[Vector]:
    """Order and number of operands, then of outputs."""
    yield from _numbers_of_operands()
    yield from _operand_order()
    yield from _operand_counts()
    yield from _numbers_of_outputs()
    yield from _output_order()
    yield from _output_counts()
    yield from _no_outputs()


def _both(fed: dict, then_values: dict, else_values: dict) -> list[Run]:
    return [Run({"c": np.True_, **fed}, then_values), Run({"c": np.False_, **fed}, else_values)]


def _numbers_of_operands() -> Iterator[Vector]:
    why = [FIRST_INPUT, OPERANDS_IN]
    yield Vector(
        IN + "no-operand",
        "cond alone: the subgraphs take nothing",
        why,
        tflite("""
            subgraph main (c: bool[]) -> (y)
              y: int32[2] = IF(c) then=one else=other
            subgraph one () -> (k)
              k: int32[2] = [1, 2]
            subgraph other () -> (sum)
              k: int32[2] = [3, 4]
              sum: int32[2] = ADD(k, k)
        """),
        _both({}, {"y": np.int32([1, 2])}, {"y": np.int32([6, 8])}),
    )
    yield Vector(
        IN + "one-operand",
        "one operand",
        why,
        tflite("""
            subgraph main (c: bool[], a: int32[2]) -> (y)
              y: int32[2] = IF(c, a) then=negates else=doubles
            subgraph negates (p: int32[2]) -> (q)
              q: int32[2] = NEG(p)
            subgraph doubles (p: int32[2]) -> (q)
              q: int32[2] = ADD(p, p)
        """),
        _both({"a": A}, {"y": np.int32([-7, 8])}, {"y": np.int32([14, -16])}),
    )
    digits = {f"x{i}": np.int32([i]) for i in range(1, 6)}
    yield Vector(
        IN + "five-operands",
        "five operands of which each weighs ten times the next: then reads them forwards, else backwards",
        why,
        tflite("""
            subgraph main (c: bool[], x1: int32[1], x2: int32[1], x3: int32[1], x4: int32[1], x5: int32[1]) -> (y)
              y: int32[5] = IF(c, x1, x2, x3, x4, x5) then=forwards else=backwards
            subgraph forwards (p: int32[1], q: int32[1], r: int32[1], s: int32[1], t: int32[1]) -> (y)
              y: int32[5] = CONCATENATION(p, q, r, s, t) axis=0
            subgraph backwards (p: int32[1], q: int32[1], r: int32[1], s: int32[1], t: int32[1]) -> (y)
              y: int32[5] = CONCATENATION(t, s, r, q, p) axis=0
        """),
        _both(digits, {"y": np.int32([1, 2, 3, 4, 5])}, {"y": np.int32([5, 4, 3, 2, 1])}),
    )


# then gives the first operand less the second, else the second less the first.
DIFFERENCE = tflite("""
    subgraph main (c: bool[], a: int32[2], b: int32[2]) -> (y)
      y: int32[2] = IF(c, a, b) then=first else=second
    subgraph first (p: int32[2], q: int32[2]) -> (y)
      y: int32[2] = SUB(p, q)
    subgraph second (p: int32[2], q: int32[2]) -> (y)
      y: int32[2] = SUB(q, p)
""")
LESS_B, LESS_A = np.int32([-13, -38]), np.int32([13, 38])


def _operand_order() -> Iterator[Vector]:
    fed = {"a": A, "b": B}
    why = [FIRST_INPUT, PASSING_IN, SUBGRAPH_INPUTS]
    yield Vector(IN + "two-operands", "a - b, else b - a", why, DIFFERENCE, _both(fed, {"y": LESS_B}, {"y": LESS_A}))
    for case, title, edits, first in [
        ("swapped-operands", "the If takes b, then a", [replaced("IF(c, a, b)", "IF(c, b, a)")], False),
        (
            "names-of-the-other",
            "the subgraphs' inputs are called b and a, and are a and b",
            [
                lambda text: text.replace("(p: int32[2], q: int32[2])", "(b: int32[2], a: int32[2])"),
                replaced("SUB(p, q)", "SUB(b, a)"),
                replaced("SUB(q, p)", "SUB(a, b)"),
            ],
            True,
        ),
        (
            "tensors-in-another-order",
            "the subgraphs' second input has the lower index",
            [
                replaced("(y)\n", "(y)\n  tensors y, q, p\n", within="first"),
                replaced("(y)\n", "(y)\n  tensors q, y, p\n", within="second"),
            ],
            True,
        ),
        (
            "callers-tensors-in-another-order",
            "b's index is less than a's, which is less than cond's",
            [replaced("(y)\n", "(y)\n  tensors b, y, a, c\n", within="main")],
            True,
        ),
        (
            "one-swaps-in-its-list",
            "then's list of inputs names q before p",
            [replaced("(p: int32[2], q: int32[2])", "(q: int32[2], p: int32[2])", within="first")],
            None,
        ),
    ]:
        then_value, else_value = {True: (LESS_B, LESS_A), False: (LESS_A, LESS_B), None: (LESS_A, LESS_A)}[first]
        yield Vector(IN + case, title, why, DIFFERENCE.edited(*edits), _both(fed, {"y": then_value}, {"y": else_value}))
    yield Vector(
        IN + "one-operand-twice",
        "a is both operands",
        why,
        DIFFERENCE.edited(replaced("IF(c, a, b)", "IF(c, a, a)")),
        _both(fed, {"y": np.int32([0, 0])}, {"y": np.int32([0, 0])}),
    )
    yield Vector(
        IN + "unused-inputs",
        "then uses the second operand alone, else none",
        why,
        tflite("""
            subgraph main (c: bool[], a: int32[2], b: int32[2]) -> (y)
              y: int32[2] = IF(c, a, b) then=second else=none
            subgraph second (p: int32[2], q: int32[2]) -> (y)
              y: int32[2] = NEG(q)
            subgraph none (p: int32[2], q: int32[2]) -> (k)
              k: int32[2] = [5, 6]
        """),
        _both(fed, {"y": -B}, {"y": np.int32([5, 6])}),
    )


def _operand_counts() -> Iterator[Vector]:
    """Each direction of disagreement, for each subgraph and both; the subgraphs do not use what is too much."""
    sound = Vector(
        IN + "counts-agree",
        "one operand, and one input in each subgraph",
        [COUNTS, FIRST_INPUT],
        tflite("""
            subgraph main (c: bool[], a: int32[2], b: int32[2]) -> (y)
              y: int32[2] = IF(c, a) then=one else=other
            subgraph one (p: int32[2]) -> (q)
              q: int32[2] = NEG(p)
            subgraph other (p: int32[2]) -> (q)
              q: int32[2] = ABS(p)
        """),
        _both({"a": A, "b": B}, {"y": -A}, {"y": abs(A)}),
    )
    yield sound
    more = "(p: int32[2])", "(p: int32[2], o: int32[2])"
    for case, title, *edits in [
        ("operand-too-many", "two operands, one input each", replaced("IF(c, a)", "IF(c, a, b)")),
        ("then-takes-more", "then has a second input", replaced(*more, within="one")),
        ("else-takes-more", "else has a second input", replaced(*more, within="other")),
        ("both-take-more", "both have a second input", replaced(*more, within="one"), replaced(*more, within="other")),
    ]:
        yield sound.broken(IN + case, title, *edits)
    two = sound.varied(
        IN + "counts-agree-of-two",
        "two operands, and two inputs in each subgraph",
        replaced("IF(c, a)", "IF(c, a, b)"),
        replaced(*more, within="one"),
        replaced(*more, within="other"),
    )
    yield two
    for case, title, *edits in [
        ("operand-missing", "one operand, two inputs each", replaced("IF(c, a, b)", "IF(c, a)")),
        ("no-operand-for-two", "cond alone, two inputs each", replaced("IF(c, a, b)", "IF(c)")),
        ("then-takes-fewer", "then has one input for two operands", replaced(*more[::-1], within="one")),
        ("else-takes-fewer", "else has one input for two operands", replaced(*more[::-1], within="other")),
    ]:
        yield two.broken(IN + case, title, *edits)


def _numbers_of_outputs() -> Iterator[Vector]:
    yield Vector(
        OUT + "three-outputs",
        "three outputs of other types and shapes",
        [RESULTS_OUT, PASSING_OUT],
        tflite("""
            subgraph main (c: bool[], a: int32[2]) -> (x, y, z)
              x: int32[2], y: float32[1], z: bool[] = IF(c, a) then=one else=other
            subgraph one (p: int32[2]) -> (u, v, w)
              u: int32[2] = NEG(p)
              v: float32[1] = [0.5]
              w: bool[] = true
            subgraph other (p: int32[2]) -> (u, v, w)
              u: int32[2] = ABS(p)
              v: float32[1] = [0.25]
              w: bool[] = false
        """),
        _both(
            {"a": A},
            {"x": -A, "y": np.float32([0.5]), "z": np.True_},
            {"x": abs(A), "y": np.float32([0.25]), "z": np.False_},
        ),
    )


# Two outputs: then gives a + b and a - b, else a - b and a + b.
TWO = tflite("""
    subgraph main (c: bool[], a: int32[2], b: int32[2]) -> (y, z)
      y: int32[2], z: int32[2] = IF(c, a, b) then=one else=other
    subgraph one (p: int32[2], q: int32[2]) -> (u, v)
      u: int32[2] = ADD(p, q)
      v: int32[2] = SUB(p, q)
    subgraph other (p: int32[2], q: int32[2]) -> (u, v)
      u: int32[2] = SUB(p, q)
      v: int32[2] = ADD(p, q)
""")
SUM, DIFFERENCES = np.int32([27, 22]), np.int32([-13, -38])


def _output_order() -> Iterator[Vector]:
    fed = {"a": A, "b": B}
    right = {"y": SUM, "z": DIFFERENCES}, {"y": DIFFERENCES, "z": SUM}
    why = [RESULTS_OUT, SUBGRAPH_OUTPUTS]
    yield Vector(OUT + "two-outputs", "a + b and a - b, else the other way round", why, TWO, _both(fed, *right))
    swapped = {"y": DIFFERENCES, "z": SUM}
    for case, title, *edits in [
        (
            "operators-in-another-order",
            "what comes last of the operators is the first output",
            replaced(
                "  u: int32[2] = ADD(p, q)\n  v: int32[2] = SUB(p, q)\n",
                "  v: int32[2] = SUB(p, q)\n  u: int32[2] = ADD(p, q)\n",
                within="one",
            ),
        ),
        (
            "tensors-in-another-order",
            "the second output's index is the lowest",
            replaced("(u, v)\n", "(u, v)\n  tensors v, u, q, p\n", within="one"),
            replaced("(u, v)\n", "(u, v)\n  tensors v, p, u, q\n", within="other"),
        ),
        (
            "callers-tensors-in-another-order",
            "z's index is less than y's",
            replaced("(y, z)\n", "(y, z)\n  tensors z, y\n", within="main"),
        ),
        (
            "names-of-the-other",
            "the subgraphs' first output is called z, the second y",
            lambda text: text.replace("u: int32[2]", 'u: int32[2] {name="z"}').replace(
                "v: int32[2]", 'v: int32[2] {name="y"}'
            ),
        ),
    ]:
        yield Vector(OUT + case, title, why, TWO.edited(*edits), _both(fed, *right))
    yield Vector(
        OUT + "one-lists-them-the-other-way",
        "then's list of outputs names v before u",
        why,
        TWO.edited(replaced("(u, v)", "(v, u)", within="one")),
        _both(fed, swapped, right[1]),
    )
    yield Vector(
        OUT + "operator-lists-them-the-other-way",
        "the If's list of outputs names z before y",
        why,
        TWO.edited(
            replaced("y: int32[2], z: int32[2] = IF", "z: int32[2], y: int32[2] = IF"),
        ),
        _both(fed, swapped, {"y": SUM, "z": DIFFERENCES}),
    )
    yield Vector(
        OUT + "one-output-unused",
        "nothing uses the If's first output",
        why,
        TWO.edited(replaced("-> (y, z)", "-> (z)")),
        _both(fed, {"z": DIFFERENCES}, {"z": SUM}),
    )
    yield Vector(
        OUT + "empty-else-subgraph",
        "else has no operators and gives its input",
        [
            *why,
            issue(
                "tensorflow/tflite-micro",
                1575,
                "the buffer of an output of a subgraph without operators was never planned",
            ),
        ],
        tflite("""
            subgraph main (c: bool[], a: float32[2], b: float32[2]) -> (y)
              y: float32[2] = IF(c, a, b) then=sum else=first
            subgraph sum (p: float32[2], q: float32[2]) -> (y)
              y: float32[2] = ADD(p, q)
            subgraph first (p: float32[2], q: float32[2]) -> (p)
        """),
        _both(
            {"a": np.float32([1, 2]), "b": np.float32([0.5, 8])},
            {"y": np.float32([1.5, 10])},
            {"y": np.float32([1, 2])},
        ),
    )


def _output_counts() -> Iterator[Vector]:
    """Each direction of disagreement, for each subgraph and both."""
    two = Vector(
        OUT + "counts-agree",
        "two outputs, and two of each subgraph",
        [COUNTS, RESULTS_OUT],
        TWO,
        _both({"a": A, "b": B}, {"y": SUM, "z": DIFFERENCES}, {"y": DIFFERENCES, "z": SUM}),
    )
    yield two
    fewer, more = ("-> (u, v)", "-> (u)"), ("-> (u, v)", "-> (u, v, u)")
    for case, title, *edits in [
        ("then-gives-fewer", "then gives one output for two", replaced(*fewer, within="one")),
        ("else-gives-fewer", "else gives one output for two", replaced(*fewer, within="other")),
        (
            "both-give-fewer",
            "both give one output for two",
            replaced(*fewer, within="one"),
            replaced(*fewer, within="other"),
        ),
        ("then-gives-more", "then gives three outputs for two", replaced(*more, within="one")),
        ("else-gives-more", "else gives three outputs for two", replaced(*more, within="other")),
        (
            "both-give-more",
            "both give three outputs for two",
            replaced(*more, within="one"),
            replaced(*more, within="other"),
        ),
        ("then-gives-none", "then gives no output for two", replaced("-> (u, v)", "-> ()", within="one")),
        (
            "operator-has-more",
            "the If has a third output, the subgraphs two",
            replaced("z: int32[2] = IF", "z: int32[2], t: int32[2] = IF"),
        ),
    ]:
        yield two.broken(OUT + case, title, *edits)
    one = two.varied(
        OUT + "counts-agree-of-one",
        "one output, and one of each subgraph",
        replaced("-> (y, z)", "-> (y)"),
        replaced("y: int32[2], z: int32[2] = IF", "y: int32[2] = IF"),
        replaced(*fewer, within="one"),
        replaced(*fewer, within="other"),
        runs=_both({"a": A, "b": B}, {"y": SUM}, {"y": DIFFERENCES}),
    )
    yield one
    yield one.broken(
        OUT + "operator-has-fewer",
        "the If has one output, the subgraphs two",
        replaced(*fewer[::-1], within="one"),
        replaced(*fewer[::-1], within="other"),
    )


def _no_outputs() -> Iterator[Vector]:
    yield Vector(
        OUT + "no-output",
        "an If and its subgraphs give nothing; the primary gives its input",
        [COUNTS],
        tflite("""
            subgraph main (c: bool[], a: int32[2]) -> (y)
              () = IF(c, a) then=one else=other
              y: int32[2] = NEG(a)
            subgraph one (p: int32[2]) -> ()
            subgraph other (p: int32[2]) -> ()
        """),
        _both({"a": A}, {"y": -A}, {"y": -A}),
        doubt="no text says that an If gives something; the lists may be empty by the schema",
    )
