"""Values that go in and out of subgraphs: nobody can tell whether they were copied."""

from collections.abc import Iterator

import numpy as np
from ifcert.authoring import Run, Vector
from ifcert.authoring.sources import issue
from ifcert.authoring.tflite import TfliteModel, replaced, tflite
from ifcert.authoring.tflite_quotes import (
    COPIES,
    NOT_LEFT_OUT,
    OPERANDS_IN,
    OPTIONAL_INPUT,
    PASSING_IN,
    PASSING_OUT,
    RESULTS_OUT,
    SUBGRAPH_OUTPUTS,
)
from ifcert.authoring.values import Writable

VALUES, CONSTANTS = "tflite/subgraph/value-semantics/", "tflite/subgraph/constant-outputs/"
REQUIRED = "tflite/subgraph/operand-required/"
A, B = np.int32([7, -8]), np.int32([20, 30])
WHY = [COPIES, PASSING_IN, PASSING_OUT]
BOTH_ENDS = issue("Samsung/ONE", 4535, "an operand that is both input and output of a subgraph was not copied")


def vectors() -> Iterator[Vector]:
    """What passes through, constants, the caller's values, what becomes of the results, operands left out."""
    yield from _through()
    yield from _constants()
    yield from _callers()
    yield from _results()
    yield from _required()


def _choice(then_: str, else_: str, outputs: str = "y, z") -> TfliteModel:
    """Of the operands a and b two subgraphs, `one` and `other`, whose texts these are."""
    made = ", ".join(f"{label}: int32[2]" for label in outputs.split(", "))
    return tflite(f"""
subgraph main (c: bool[], a: int32[2], b: int32[2]) -> ({outputs})
  {made} = IF(c, a, b) then=one else=other
subgraph one (p: int32[2], q: int32[2]) -> {then_}
subgraph other (p: int32[2], q: int32[2]) -> {else_}
""")


def _runs(then_values: dict[str, Writable], else_values: dict[str, Writable], **fed: Writable) -> list[Run]:
    fed = fed or {"a": A, "b": B}
    return [Run({"c": np.True_, **fed}, then_values), Run({"c": np.False_, **fed}, else_values)]


def _two(case: str, title: str, then_: str, else_: str, then_values: tuple, else_values: tuple) -> Vector:
    runs = _runs(dict(zip("yz", then_values, strict=True)), dict(zip("yz", else_values, strict=True)))
    return Vector(case, title, [*WHY, BOTH_ENDS], _choice(then_, else_), runs)


def _through() -> Iterator[Vector]:
    for case, title, then_, else_, then_values, else_values in [
        ("both-pass", "both subgraphs give their inputs", "(p, q)", "(p, q)", (A, B), (A, B)),
        ("swapped", "then gives its inputs, else swaps them", "(p, q)", "(q, p)", (A, B), (B, A)),
        ("swapped-by-both", "both subgraphs swap their inputs", "(q, p)", "(q, p)", (B, A), (B, A)),
        ("duplicated", "then gives its first input twice, else its second", "(p, p)", "(q, q)", (A, A), (B, B)),
        (
            "beside-a-computed-output",
            "then gives its input and its negative, else its sum and its input",
            "(p, m)\n  m: int32[2] = NEG(p)",
            "(s, q)\n  s: int32[2] = ADD(p, q)",
            (A, -A),
            (A + B, B),
        ),
        (
            "computed-value-twice",
            "then gives what it computes twice, else its inputs",
            "(s, s)\n  s: int32[2] = ADD(p, q)",
            "(p, q)",
            (A + B, A + B),
            (A, B),
        ),
        (
            "computed-values-twice-by-both",
            "then gives its sum twice, else its difference twice",
            "(s, s)\n  s: int32[2] = ADD(p, q)",
            "(d, d)\n  d: int32[2] = SUB(p, q)",
            (A + B, A + B),
            (A - B, A - B),
        ),
        (
            "input-used-after-it-is-computed-with",
            "then gives its input beside a chain of operators that begins with it",
            "(t, p)\n  s: int32[2] = ADD(p, q)\n  t: int32[2] = ADD(s, s)",
            "(p, q)",
            (A + B + A + B, A),
            (A, B),
        ),
    ]:
        yield _two(VALUES + case, title, then_, else_, then_values, else_values)
    yield Vector(
        VALUES + "one-passes",
        "then gives its first input, else computes",
        [*WHY, BOTH_ENDS],
        _choice("(p)", "(s)\n  s: int32[2] = SUB(q, p)", "y"),
        _runs({"y": A}, {"y": np.int32([13, 38])}),
    )
    dynamic = _choice("(s, s)\n  s: int32[2] = ADD(p, q)", "(q, q)").edited(lambda text: text.replace("[2]", "[?]"))
    yield Vector(
        VALUES + "computed-value-twice-of-any-length",
        "then gives its sum twice, else its second input twice, of lengths that each run says",
        WHY,
        dynamic,
        [
            *_runs({"y": A + B, "z": A + B}, {"y": B, "z": B}),
            *_runs(
                {"y": np.int32([5, 7, 9]), "z": np.int32([5, 7, 9])},
                {"y": np.int32([4, 5, 6]), "z": np.int32([4, 5, 6])},
                a=np.int32([1, 2, 3]),
                b=np.int32([4, 5, 6]),
            ),
        ],
    )
    yield Vector(
        VALUES + "no-list-of-operators",
        "the subgraphs have no list of operators, not even an empty one",
        [*WHY, BOTH_ENDS],
        _choice("(p, q) {without=operators}", "(q, p) {without=operators}"),
        _runs({"y": A, "z": B}, {"y": B, "z": A}),
    )
    yield Vector(
        VALUES + "through-three-levels",
        "a goes through a subgraph of a subgraph of a subgraph",
        WHY,
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
        _runs({"y": A, "z": B}, {"y": B, "z": A}),
    )


def _constants() -> Iterator[Vector]:
    why = [SUBGRAPH_OUTPUTS, RESULTS_OUT]
    k, other = "k: int32[2] = [3, 4]", "l: int32[2] = [5, 6]"
    three, five = np.int32([3, 4]), np.int32([5, 6])
    for case, title, then_, else_, then_values, else_values in [
        (
            "two-of-then",
            "then gives two constants, else its inputs",
            f"(k, l)\n  {k}\n  {other}",
            "(p, q)",
            (three, five),
            (A, B),
        ),
        (
            "one-twice",
            "then gives a constant twice, else its inputs",
            f"(k, k)\n  {k}",
            "(p, q)",
            (three, three),
            (A, B),
        ),
        (
            "beside-a-passed-input",
            "then gives a constant and its input, else the other way round",
            f"(k, q)\n  {k}",
            f"(p, l)\n  {other}",
            (three, B),
            (A, five),
        ),
        (
            "beside-what-is-computed-of-it",
            "then gives a constant and a sum with it",
            f"(k, s)\n  {k}\n  s: int32[2] = ADD(k, p)",
            f"(s, l)\n  {other}\n  s: int32[2] = ADD(l, l)",
            (three, three + A),
            (five + five, five),
        ),
    ]:
        runs = _runs(dict(zip("yz", then_values, strict=True)), dict(zip("yz", else_values, strict=True)))
        yield Vector(CONSTANTS + case, title, why, _choice(then_, else_), [*runs, runs[0]])
    primary = tflite("""
        subgraph main (c: bool[], a: int32[2]) -> (k, y)
          k: int32[2] = [3, 4]
          y: int32[2] = IF(c, k, a) then=one else=other
        subgraph one (p: int32[2], q: int32[2]) -> (p)
        subgraph other (p: int32[2], q: int32[2]) -> (s)
          s: int32[2] = ADD(p, q)
    """)
    yield Vector(
        CONSTANTS + "of-the-primary",
        "the primary gives a constant, which is an operand of the If too",
        why,
        primary,
        _runs({"k": three, "y": three}, {"k": three, "y": three + A}, a=A),
    )
    yield Vector(
        CONSTANTS + "nothing-computed",
        "then gives a constant, else another; neither takes anything",
        why,
        tflite("""
            subgraph main (c: bool[]) -> (y)
              y: float32[2] = IF(c) then=one else=other
            subgraph one () -> (k)
              k: float32[2] = [0.5, -0.25]
            subgraph other () -> (k)
              k: float32[2] = [8, 16]
        """),
        [
            Run({"c": np.bool_(c)}, {"y": np.float32([0.5, -0.25] if c else [8, 16])})
            for c in (True, False, False, True)
        ],
    )
    yield Vector(
        CONSTANTS + "in-one-buffer",
        "both subgraphs' constants share one buffer",
        why,
        tflite("""
            subgraph main (c: bool[]) -> (y)
              y: int32[...] = IF(c) then=one else=other
            subgraph one () -> (k)
              k: int32[4] = [1, 2, 3, 4]
            subgraph other () -> (k)
              k: int32[2,2] {buffer=1}
        """),
        [Run({"c": np.True_}, {"y": np.int32([1, 2, 3, 4])}), Run({"c": np.False_}, {"y": np.int32([[1, 2], [3, 4]])})],
    )


def _callers() -> Iterator[Vector]:
    """What the caller has stays what it is."""
    why = [OPERANDS_IN, COPIES]
    changes = """
        subgraph changes (p: int32[2]) -> (r)
          q: int32[2] = NEG(p)
          r: int32[2] = ADD(q, q)
        subgraph same (p: int32[2]) -> (p)
    """
    changed = np.int32([-14, 16])
    yield Vector(
        VALUES + "operand-used-afterwards",
        "a is an operand, and is added to what comes out",
        why,
        tflite(f"""
        subgraph main (c: bool[], a: int32[2]) -> (z)
          y: int32[2] = IF(c, a) then=changes else=same
          z: int32[2] = ADD(a, y)
        {changes}"""),
        _runs({"z": A + changed}, {"z": A + A}, a=A),
    )
    yield Vector(
        VALUES + "operand-is-an-output-too",
        "a is an operand and an output of the primary",
        why,
        tflite(f"""
        subgraph main (c: bool[], a: int32[2]) -> (a, y)
          y: int32[2] = IF(c, a) then=changes else=same
        {changes}"""),
        _runs({"a": A, "y": changed}, {"a": A, "y": A}, a=A),
    )
    yield Vector(
        VALUES + "computed-operand-is-an-output-too",
        "what is computed is an operand and an output of the primary",
        why,
        tflite(f"""
        subgraph main (c: bool[], a: int32[2]) -> (s, y)
          s: int32[2] = ADD(a, a)
          y: int32[2] = IF(c, s) then=changes else=same
        {changes}"""),
        _runs({"s": A + A, "y": changed + changed}, {"s": A + A, "y": A + A}, a=A),
    )
    yield Vector(
        VALUES + "one-value-is-two-operands",
        "a is both operands; then changes one of its inputs and gives the other",
        why,
        tflite("""
            subgraph main (c: bool[], a: int32[2]) -> (y, z)
              y: int32[2], z: int32[2] = IF(c, a, a) then=first else=second
            subgraph first (p: int32[2], q: int32[2]) -> (m, q)
              m: int32[2] = NEG(p)
            subgraph second (p: int32[2], q: int32[2]) -> (p, m)
              m: int32[2] = NEG(q)
        """),
        _runs({"y": -A, "z": A}, {"y": A, "z": -A}, a=A),
    )
    yield Vector(
        VALUES + "two-ifs-of-one-operand",
        "two Ifs take the same value, one after the other",
        why,
        tflite(f"""
        subgraph main (c: bool[], a: int32[2]) -> (y, z)
          n: bool[] = LOGICAL_NOT(c)
          y: int32[2] = IF(c, a) then=changes else=same
          z: int32[2] = IF(n, a) then=changes else=same
        {changes}"""),
        _runs({"y": changed, "z": A}, {"y": A, "z": changed}, a=A),
    )
    yield Vector(
        VALUES + "constant-operand-stays",
        "a constant is an operand in every run",
        why,
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
    yield Vector(
        VALUES + "untaken-subgraph-would-give-it-too",
        "the If's output passes a, which a later operator changes",
        why,
        tflite(f"""
        subgraph main (c: bool[], a: int32[2]) -> (y, m)
          y: int32[2] = IF(c, a) then=same else=changes
          m: int32[2] = NEG(a)
        {changes}"""),
        _runs({"y": A, "m": -A}, {"y": changed, "m": -A}, a=A),
    )


def _results() -> Iterator[Vector]:
    """What an If gives is a value like others."""
    why = [RESULTS_OUT, PASSING_OUT]
    bodies = """
        subgraph doubles (p: int32[2]) -> (q)
          q: int32[2] = ADD(p, p)
        subgraph negates (p: int32[2]) -> (q)
          q: int32[2] = NEG(p)
    """
    yield Vector(
        VALUES + "many-consumers",
        "three operators and an output take what the If gives",
        why,
        tflite(f"""
        subgraph main (c: bool[], a: int32[2]) -> (y, s, m, d)
          y: int32[2] = IF(c, a) then=doubles else=negates
          s: int32[2] = ADD(y, a)
          m: int32[2] = NEG(y)
          d: int32[2] = SUB(y, y)
        {bodies}"""),
        _runs(
            {"y": 2 * A, "s": 3 * A, "m": -2 * A, "d": 0 * A},
            {"y": -A, "s": 0 * A, "m": A, "d": 0 * A},
            a=A,
        ),
    )
    for case, first, second, values in [
        ("two-in-a-row", "c", "c", (4 * A, A)),
        ("two-in-a-row-of-other-conds", "c", "n", (-2 * A, -2 * A)),
    ]:
        yield Vector(
            VALUES + case,
            "what one If gives is the operand of the next",
            why,
            tflite(f"""
        subgraph main (c: bool[], a: int32[2]) -> (z)
          n: bool[] = LOGICAL_NOT(c)
          y: int32[2] = IF({first}, a) then=doubles else=negates
          z: int32[2] = IF({second}, y) then=doubles else=negates
        {bodies}"""),
            _runs({"z": values[0]}, {"z": values[1]}, a=A),
        )
    yield Vector(
        VALUES + "eight-in-a-row",
        "eight Ifs in a row, each of which takes what the one before gives",
        why,
        tflite(
            "subgraph main (c: bool[], a: int32[2]) -> (y8)\n"
            + "".join(
                f"  y{i}: int32[2] = IF(c, {f'y{i - 1}' if i > 1 else 'a'}) then=doubles else=negates\n"
                for i in range(1, 9)
            )
            + bodies
        ),
        _runs({"y8": 256 * A}, {"y8": A}, a=A),
    )
    yield Vector(
        VALUES + "its-own-operands-again",
        "an If takes the outputs of another in the other order",
        why,
        tflite("""
            subgraph main (c: bool[], a: int32[2], b: int32[2]) -> (u, v)
              y: int32[2], z: int32[2] = IF(c, a, b) then=same else=swaps
              u: int32[2], v: int32[2] = IF(c, z, y) then=same else=swaps
            subgraph same (p: int32[2], q: int32[2]) -> (p, q)
            subgraph swaps (p: int32[2], q: int32[2]) -> (q, p)
        """),
        _runs({"u": B, "v": A}, {"u": B, "v": A}),
    )
    yield Vector(
        VALUES + "as-index-and-as-shape",
        "what an If gives is the indices of GATHER and the shape of RESHAPE",
        why,
        tflite("""
            subgraph main (c: bool[], a: int32[4]) -> (g, r)
              y: int32[?] = IF(c) then=one else=other
              g: int32[?] = GATHER(a, y) axis=0
              r: int32[...] = RESHAPE(a, y)
            subgraph one () -> (k)
              k: int32[2] = [2, 2]
            subgraph other () -> (k)
              k: int32[3] = [1, 2, 2]
        """),
        _runs(
            {"g": np.int32([30, 30]), "r": np.int32([[10, 20], [30, 40]])},
            {"g": np.int32([20, 30, 30]), "r": np.int32([[[10, 20], [30, 40]]])},
            a=np.int32([10, 20, 30, 40]),
        ),
    )


def _required() -> Iterator[Vector]:
    """Operands that are left out by the index -1."""
    sound = Vector(
        REQUIRED + "of-if",
        "an If has both its operands",
        [OPTIONAL_INPUT, NOT_LEFT_OUT],
        _choice("(s)\n  s: int32[2] = ADD(p, q)", "(s)\n  s: int32[2] = SUB(p, q)", "y"),
        _runs({"y": A + B}, {"y": A - B}),
    )
    yield sound
    for case, title, operands in [
        ("first-of-if", "the If's first operand after cond is left out", "c, -, b"),
        ("last-of-if", "the If's last operand is left out", "c, a, -"),
        ("both-of-if", "the If's operands are left out, cond is there", "c, -, -"),
    ]:
        yield sound.broken(REQUIRED + case, title, replaced("IF(c, a, b)", f"IF({operands})"))
    yield sound.broken(REQUIRED + "in-then", "ADD in then has one operand", replaced("ADD(p, q)", "ADD(p, -)"))
    yield sound.broken(REQUIRED + "in-else", "SUB in else has one operand", replaced("SUB(p, q)", "SUB(-, q)"))
