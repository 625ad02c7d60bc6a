"""Operands by position, in the right number."""

from collections.abc import Iterator

from ifcert.authoring import Vector, ints, says, vectors_of
from ifcert.authoring.tflite import replaced, tflite
from ifcert.authoring.tflite_patterns import A, B, both

inputs_positional = vectors_of(
    "tflite/if/inputs-positional",
    "rfc-first-input-is-condition",
    "onert-passing-in",
    says("schema-inputs", "schema-inputs-not-static"),
)


def _numbers() -> Iterator[Vector]:
    why = ["rfc-first-input-is-condition", "onert-invoked-inputs"]
    yield inputs_positional(
        "no-operand: only cond: the subgraphs have no inputs",
        tflite("""
            subgraph main (c: bool[]) -> (y)
              y: int32[2] = IF(c) then=one else=other
            subgraph one () -> (k)
              k: int32[2] = [1, 2]
            subgraph other () -> (sum)
              k: int32[2] = [3, 4]
              sum: int32[2] = ADD(k, k)
        """),
        both({"y": ints(1, 2)}, {"y": ints(6, 8)}),
        why=why,
    )
    yield inputs_positional(
        "one-operand: one operand",
        tflite("""
            subgraph main (c: bool[], a: int32[2]) -> (y)
              y: int32[2] = IF(c, a) then=negates else=doubles
            subgraph negates (p: int32[2]) -> (q)
              q: int32[2] = NEG(p)
            subgraph doubles (p: int32[2]) -> (q)
              q: int32[2] = ADD(p, p)
        """),
        both({"y": ints(-7, 8)}, {"y": ints(14, -16)}, a=A),
        why=why,
    )
    digits = {f"x{i}": ints(i) for i in range(1, 6)}
    yield inputs_positional(
        "five-operands: five operands, each weighted ten times the next: then reads them forwards, else backwards",
        tflite("""
            subgraph main (c: bool[], x1: int32[1], x2: int32[1], x3: int32[1], x4: int32[1], x5: int32[1]) -> (y)
              y: int32[5] = IF(c, x1, x2, x3, x4, x5) then=forwards else=backwards
            subgraph forwards (p: int32[1], q: int32[1], r: int32[1], s: int32[1], t: int32[1]) -> (y)
              y: int32[5] = CONCATENATION(p, q, r, s, t) axis=0
            subgraph backwards (p: int32[1], q: int32[1], r: int32[1], s: int32[1], t: int32[1]) -> (y)
              y: int32[5] = CONCATENATION(t, s, r, q, p) axis=0
        """),
        both({"y": ints(1, 2, 3, 4, 5)}, {"y": ints(5, 4, 3, 2, 1)}, **digits),
        why=why,
    )


# then returns the first operand minus the second, else the second minus the first.
DIFFERENCE = tflite("""
    subgraph main (c: bool[], a: int32[2], b: int32[2]) -> (y)
      y: int32[2] = IF(c, a, b) then=first else=second
    subgraph first (p: int32[2], q: int32[2]) -> (y)
      y: int32[2] = SUB(p, q)
    subgraph second (p: int32[2], q: int32[2]) -> (y)
      y: int32[2] = SUB(q, p)
""")
LESS_B, LESS_A = ints(-13, -38), ints(13, 38)


def _order() -> Iterator[Vector]:
    fed = {"a": A, "b": B}
    yield inputs_positional("two-operands: a - b, else b - a", DIFFERENCE, both({"y": LESS_B}, {"y": LESS_A}, **fed))
    for case, (edits, first) in {
        "swapped-operands: the If's operands are b, then a": ([replaced("IF(c, a, b)", "IF(c, b, a)")], False),
        "names-of-the-other: the subgraphs' inputs are called b and a, but are a and b": (
            [
                lambda text: text.replace("(p: int32[2], q: int32[2])", "(b: int32[2], a: int32[2])"),
                replaced("SUB(p, q)", "SUB(b, a)"),
                replaced("SUB(q, p)", "SUB(a, b)"),
            ],
            True,
        ),
        "tensors-in-another-order: the subgraphs' second input has the lower index": (
            [
                replaced("(y)\n", "(y)\n  tensors y, q, p\n", within="first"),
                replaced("(y)\n", "(y)\n  tensors q, y, p\n", within="second"),
            ],
            True,
        ),
        "callers-tensors-in-another-order: b's index is less than a's, which is less than cond's": (
            [replaced("(y)\n", "(y)\n  tensors b, y, a, c\n", within="main")],
            True,
        ),
        "one-swaps-in-its-list: then's list of inputs names q before p": (
            [replaced("(p: int32[2], q: int32[2])", "(q: int32[2], p: int32[2])", within="first")],
            None,
        ),
    }.items():
        then_value, else_value = {True: (LESS_B, LESS_A), False: (LESS_A, LESS_B), None: (LESS_A, LESS_A)}[first]
        yield inputs_positional(case, DIFFERENCE.edited(*edits), both({"y": then_value}, {"y": else_value}, **fed))
    yield inputs_positional(
        "one-operand-twice: a is both operands",
        DIFFERENCE.edited(
            replaced(", b: int32[2]) -> (y)", ") -> (y)"),
            replaced("IF(c, a, b)", "IF(c, a, a)"),
            replaced("SUB(q, p)", "ADD(q, p)"),
        ),
        both({"y": ints(0, 0)}, {"y": A + A}, a=A),
    )
    yield inputs_positional(
        "unused-inputs: then uses only the second operand, else neither",
        tflite("""
            subgraph main (c: bool[], a: int32[2], b: int32[2]) -> (y)
              y: int32[2] = IF(c, a, b) then=second else=none
            subgraph second (p: int32[2], q: int32[2]) -> (y)
              y: int32[2] = NEG(q)
            subgraph none (p: int32[2], q: int32[2]) -> (k)
              k: int32[2] = [5, 6]
        """),
        both({"y": -B}, {"y": ints(5, 6)}, **fed),
    )


def _counts() -> Iterator[Vector]:
    """Each direction of disagreement, for each subgraph and both; the subgraphs do not use the surplus."""
    sound = inputs_positional(
        "counts-agree: one operand, and one input in each subgraph",
        tflite("""
            subgraph main (c: bool[], a: int32[2], b: int32[2]) -> (y, z)
              y: int32[2] = IF(c, a) then=one else=other
              z: int32[2] = NEG(b)
            subgraph one (p: int32[2]) -> (q)
              q: int32[2] = NEG(p)
            subgraph other (p: int32[2]) -> (q)
              q: int32[2] = ABS(p)
        """),
        both({"y": -A, "z": -B}, {"y": abs(A), "z": -B}, a=A, b=B),
        why=["reader-if-counts", "rfc-first-input-is-condition"],
    )
    more = "(p: int32[2])", "(p: int32[2], o: int32[2])"
    for case, title, *edits in [
        ("operand-too-many", "two operands, one input each", replaced("IF(c, a)", "IF(c, a, b)")),
        ("then-takes-more", "then has a second input", replaced(*more, within="one")),
        ("else-takes-more", "else has a second input", replaced(*more, within="other")),
        ("both-take-more", "both have a second input", replaced(*more, within="one"), replaced(*more, within="other")),
    ]:
        yield sound.broken(f"{case}: {title}", *edits)
    two = sound.varied(
        "counts-agree-of-two: two operands, and two inputs in each subgraph",
        replaced("IF(c, a)", "IF(c, a, b)"),
        replaced(*more, within="one"),
        replaced(*more, within="other"),
    )
    for case, *edits in [
        ("operand-missing: one operand, two inputs each", replaced("IF(c, a, b)", "IF(c, a)")),
        ("no-operand-for-two: only cond, two inputs each", replaced("IF(c, a, b)", "IF(c)")),
        ("then-takes-fewer: then has one input for two operands", replaced(*more[::-1], within="one")),
        ("else-takes-fewer: else has one input for two operands", replaced(*more[::-1], within="other")),
    ]:
        yield two.broken(case, *edits)
