"""Values passed into and out of subgraphs: whether they were copied must not be observable."""

from collections.abc import Iterator

import numpy as np
from ifcert.authoring import Run, Vector, ints, issue, vectors_of
from ifcert.authoring.tflite import tflite
from ifcert.authoring.tflite_patterns import A, B, both, choice

WHY = ["rfc-same-semantic", "onert-passing-in", "onert-passing-out"]
BOTH_ENDS = issue("Samsung/ONE", 4535, "an operand that is both input and output of a subgraph was not copied")

value_semantics = vectors_of("tflite/subgraph/value-semantics", "onert-invoked-inputs", "rfc-same-semantic")


def _two(case: str, then_: str, else_: str, then_values: tuple, else_values: tuple) -> Vector:
    runs = both(dict(zip("yz", then_values, strict=True)), dict(zip("yz", else_values, strict=True)), a=A, b=B)
    return value_semantics(case, choice(then_, else_), runs, why=[*WHY, BOTH_ENDS])


def _through() -> Iterator[Vector]:
    for case, (then_, else_, then_values, else_values) in {
        "both-pass: both subgraphs return their inputs": ("(p, q)", "(p, q)", (A, B), (A, B)),
        "swapped: then returns its inputs, else swaps them": ("(p, q)", "(q, p)", (A, B), (B, A)),
        "swapped-by-both: both subgraphs swap their inputs": ("(q, p)", "(q, p)", (B, A), (B, A)),
        "duplicated: then returns its first input twice, else its second": ("(p, p)", "(q, q)", (A, A), (B, B)),
        "beside-a-computed-output: then returns its input and its negative, else its sum and its input": (
            "(p, m)\n  m: int32[2] = NEG(p)",
            "(s, q)\n  s: int32[2] = ADD(p, q)",
            (A, -A),
            (A + B, B),
        ),
        "computed-value-twice: then returns its result twice, else its inputs": (
            "(s, s)\n  s: int32[2] = ADD(p, q)",
            "(p, q)",
            (A + B, A + B),
            (A, B),
        ),
        "computed-values-twice-by-both: then returns its sum twice, else its difference twice": (
            "(s, s)\n  s: int32[2] = ADD(p, q)",
            "(d, d)\n  d: int32[2] = SUB(p, q)",
            (A + B, A + B),
            (A - B, A - B),
        ),
        (
            "input-used-after-it-is-computed-with: "
            "then returns its input beside a chain of operators that begins with it"
        ): ("(t, p)\n  s: int32[2] = ADD(p, q)\n  t: int32[2] = ADD(s, s)", "(p, q)", (A + B + A + B, A), (A, B)),
    }.items():
        yield _two(case, then_, else_, then_values, else_values)
    yield value_semantics(
        "one-passes: then returns its first input, else computes",
        choice("(p)", "(s)\n  s: int32[2] = SUB(q, p)", "y"),
        both({"y": A}, {"y": ints(13, 38)}, a=A, b=B),
        why=[*WHY, BOTH_ENDS],
    )
    dynamic = choice("(s, s)\n  s: int32[2] = ADD(p, q)", "(q, q)").edited(lambda text: text.replace("[2]", "[?]"))
    yield value_semantics(
        "computed-value-twice-of-any-length: "
        "then returns its sum twice, else its second input twice, with lengths that depend on the run",
        dynamic,
        *both({"y": A + B, "z": A + B}, {"y": B, "z": B}, a=A, b=B),
        *both(
            {"y": ints(5, 7, 9), "z": ints(5, 7, 9)},
            {"y": ints(4, 5, 6), "z": ints(4, 5, 6)},
            a=ints(1, 2, 3),
            b=ints(4, 5, 6),
        ),
        why=WHY,
    )
    yield value_semantics(
        "no-list-of-operators: the subgraphs have no list of operators, not even an empty one",
        choice("(p, q) {without=operators}", "(q, p) {without=operators}"),
        both({"y": A, "z": B}, {"y": B, "z": A}, a=A, b=B),
        why=[*WHY, BOTH_ENDS],
    )
    yield value_semantics(
        "first-and-third-are-one: "
        "then returns its first input, its second and its first again, else its second, first and second",
        choice("(p, q, p)", "(q, p, q)", "y, z, w"),
        both({"y": A, "z": B, "w": A}, {"y": B, "z": A, "w": B}, a=A, b=B),
        why=[*WHY, BOTH_ENDS],
    )
    true, false = np.bool_([True]), np.bool_([False])
    yield value_semantics(
        "condition-of-one-element-through: "
        "the condition, a list of one element, is an operand too; then returns it and d, else d first",
        tflite("""
            subgraph main (c: bool[1], d: bool[1]) -> (y, z)
              y: bool[1], z: bool[1] = IF(c, c, d) then=same else=swaps
            subgraph same (p: bool[1], q: bool[1]) -> (p, q)
            subgraph swaps (p: bool[1], q: bool[1]) -> (q, p)
        """),
        Run({"c": true, "d": false}, {"y": true, "z": false}),
        Run({"c": false, "d": true}, {"y": true, "z": false}),
        Run({"c": true, "d": true}, {"y": true, "z": true}),
        Run({"c": false, "d": false}, {"y": false, "z": false}),
        why=[*WHY, BOTH_ENDS],
    )
    yield value_semantics(
        "through-three-levels: a passes through a subgraph of a subgraph of a subgraph",
        tflite("""
            subgraph main (c: bool[], a: int32[2], b: int32[2]) -> (y, z)
              y: int32[2], z: int32[2] = IF(c, c, a, b) then=one else=swaps
            subgraph one (c: bool[], p: int32[2], q: int32[2]) -> (u, v)
              u: int32[2], v: int32[2] = IF(c, c, p, q) then=two else=swaps
            subgraph two (c: bool[], p: int32[2], q: int32[2]) -> (u, v)
              u: int32[2], v: int32[2] = IF(c, c, p, q) then=same else=swaps
            subgraph same (c: bool[], p: int32[2], q: int32[2]) -> (p, q)
            subgraph swaps (c: bool[], p: int32[2], q: int32[2]) -> (q, p)
        """),
        both({"y": A, "z": B}, {"y": B, "z": A}, a=A, b=B),
        why=WHY,
    )


def _callers() -> Iterator[Vector]:
    """The caller's values do not change."""
    changes = """
        subgraph changes (p: int32[2]) -> (r)
          q: int32[2] = NEG(p)
          r: int32[2] = ADD(q, q)
        subgraph same (p: int32[2]) -> (p)
    """
    changed = ints(-14, 16)
    yield value_semantics(
        "operand-used-afterwards: a is an operand, and is added to the result",
        tflite(f"""
        subgraph main (c: bool[], a: int32[2]) -> (z)
          y: int32[2] = IF(c, a) then=changes else=same
          z: int32[2] = ADD(a, y)
        {changes}"""),
        both({"z": A + changed}, {"z": A + A}, a=A),
    )
    yield value_semantics(
        "operand-is-an-output-too: a is an operand and an output of the primary",
        tflite(f"""
        subgraph main (c: bool[], a: int32[2]) -> (a, y)
          y: int32[2] = IF(c, a) then=changes else=same
        {changes}"""),
        both({"a": A, "y": changed}, {"a": A, "y": A}, a=A),
    )
    yield value_semantics(
        "computed-operand-is-an-output-too: a computed value is an operand and an output of the primary",
        tflite(f"""
        subgraph main (c: bool[], a: int32[2]) -> (s, y)
          s: int32[2] = ADD(a, a)
          y: int32[2] = IF(c, s) then=changes else=same
        {changes}"""),
        both({"s": A + A, "y": changed + changed}, {"s": A + A, "y": A + A}, a=A),
    )
    yield _read_output()
    yield _condition()
    yield value_semantics(
        "one-value-is-two-operands: a is both operands; then changes one of its inputs and returns the other",
        tflite("""
            subgraph main (c: bool[], a: int32[2]) -> (y, z)
              y: int32[2], z: int32[2] = IF(c, a, a) then=first else=second
            subgraph first (p: int32[2], q: int32[2]) -> (m, q)
              m: int32[2] = NEG(p)
            subgraph second (p: int32[2], q: int32[2]) -> (p, m)
              m: int32[2] = NEG(q)
        """),
        both({"y": -A, "z": A}, {"y": A, "z": -A}, a=A),
    )
    yield value_semantics(
        "two-ifs-of-one-operand: two Ifs read the same value, one after the other",
        tflite(f"""
        subgraph main (c: bool[], a: int32[2]) -> (y, z)
          n: bool[] = LOGICAL_NOT(c)
          y: int32[2] = IF(c, a) then=changes else=same
          z: int32[2] = IF(n, a) then=changes else=same
        {changes}"""),
        both({"y": changed, "z": A}, {"y": A, "z": changed}, a=A),
    )
    yield value_semantics(
        "constant-operand-stays: a constant is an operand in every run",
        tflite(f"""
        subgraph main (c: bool[], a: int32[2]) -> (z)
          k: int32[2] = [3, 4]
          y: int32[2] = IF(c, k) then=changes else=same
          z: int32[2] = ADD(a, y)
        {changes}"""),
        [
            Run({"c": np.bool_(c), "a": A}, {"z": np.int32([1, -16] if c else [10, -4])})
            for c in (True, True, False, True, False)
        ],
    )
    yield value_semantics(
        "untaken-subgraph-would-give-it-too: the If's output is a, passed through, which a later operator changes",
        tflite(f"""
        subgraph main (c: bool[], a: int32[2]) -> (y, m)
          y: int32[2] = IF(c, a) then=same else=changes
          m: int32[2] = NEG(a)
        {changes}"""),
        both({"y": A, "m": -A}, {"y": changed, "m": -A}, a=A),
    )


def _read_output() -> Vector:
    """An If's result is an output of the primary, and another operator reads it."""
    signs = """
        subgraph turned (p: int32[2]) -> (q)
          q: int32[2] = NEG(p)
        subgraph twice (p: int32[2]) -> (q)
          q: int32[2] = ADD(p, p)"""
    return value_semantics(
        "result-is-an-output-and-is-negated: an If's result is an output of the primary and the operand of NEG",
        tflite(f"""
        subgraph main (c: bool[], a: int32[2]) -> (y, z)
          y: int32[2] = IF(c, a) then=turned else=twice
          z: int32[2] = NEG(y)
        {signs}"""),
        both({"y": -A, "z": A}, {"y": A + A, "z": -A - A}, a=A),
        why=["rfc-same-semantic", "onert-passing-out"],
    )


def _condition() -> Vector:
    """A comparison is an output of the primary and an If's condition."""
    return value_semantics(
        "condition-is-an-output-too: a comparison is an output of the primary and the condition of an If",
        tflite("""
            subgraph main (a: int32[1], b: int32[1]) -> (g, y)
              g: bool[1] = GREATER(a, b)
              y: int32[1] = IF(g, a, b) then=first else=sum
            subgraph first (p: int32[1], q: int32[1]) -> (p)
            subgraph sum (p: int32[1], q: int32[1]) -> (s)
              s: int32[1] = ADD(p, q)
        """),
        Run({"a": ints(7), "b": ints(3)}, {"g": np.bool_([True]), "y": ints(7)}),
        Run({"a": ints(3), "b": ints(7)}, {"g": np.bool_([False]), "y": ints(10)}),
        why=["onert-if", "rfc-then", "rfc-else"],
    )
