"""Memory that a runtime may share between an operand and a result, or reuse for a later value, must not show."""

from collections.abc import Iterator

import numpy as np
from ifcert.authoring import Run, Vector, floats, ints, issue, vectors_of
from ifcert.authoring.tflite import tflite
from ifcert.authoring.tflite_loops import below, step
from ifcert.authoring.tflite_patterns import both, joined, subgraph

RECYCLED = issue(
    "google-ai-edge/LiteRT", 8889, "memory behind a RESHAPE was reused while a value in it was still needed"
)
PLANNED = issue("google-ai-edge/LiteRT", 8928, "without a delegate, a later operator wrote over a value still needed")
FIXED_BESIDE = issue(
    "tensorflow/tensorflow",
    26549,
    "an operator on a value of fixed shape and one whose shape changes between runs failed",
)
LIFETIME = issue("tensorflow/tensorflow", 35121, "a value that several operators read was given up after the first")

no_state_between_runs = vectors_of("tflite/if/no-state-between-runs", "rfc-order", "rfc-propagates-shapes")
value_semantics = vectors_of("tflite/subgraph/value-semantics", "rfc-order", "onert-passing-in", LIFETIME)

X = ints(1, 2, 3, 4, 5, 6, 7, 8)
K = ints(10, 20, 30, 40, 50, 60, 70, 80)
TABLE = X.reshape(2, 4)
WHY = ["rfc-order", "onert-invoked-outputs", RECYCLED, PLANNED]
SHAPES = ("rows: int32[2] = [2, 4]", "flat: int32[1] = [8]", f"k: int32[8] = {K.tolist()}")


def vectors() -> Iterator[Vector]:
    yield reshaped_in_a_loop()


def reshaped() -> Iterator[Vector]:
    """A reshaped value has the same bytes, so runtimes share memory; a sum of it must not overwrite the value."""
    for case, title, *lines in [
        (
            "reshaped-twice-and-read-again",
            "then reshapes a value, reshapes the result back and adds to that, then reads the first result again",
            "value: int32[8] = NEG(p)",
            "table: int32[2,4] = RESHAPE(value, rows)",
            "list: int32[8] = RESHAPE(table, flat)",
            "sum: int32[8] = ADD(list, k)",
            "less: int32[8] = NEG(sum)",
            "again: int32[2,4] = NEG(table)",
        ),
        (
            "input-reshaped-twice-and-read-again",
            "the same, and the value is the subgraph's input",
            "table: int32[2,4] = RESHAPE(p, rows)",
            "list: int32[8] = RESHAPE(table, flat)",
            "sum: int32[8] = SUB(list, k)",
            "none: int32[8] = [0, 0, 0, 0, 0, 0, 0, 0]",
            "less: int32[8] = ADD(sum, none)",
            "again: int32[2,4] = ABS(table)",
        ),
        (
            "reshaped-once-and-read-again",
            "then reshapes a value and adds to the result, then reads the value again",
            "value: int32[2,4] = NEG(q)",
            "list: int32[8] = RESHAPE(value, flat)",
            "sum: int32[8] = ADD(list, k)",
            "less: int32[8] = NEG(sum)",
            "again: int32[2,4] = NEG(value)",
        ),
        (
            "reshaped-value-is-returned",
            "then reshapes a value, returns the result, and adds to what it reshapes back",
            "value: int32[8] = ABS(p)",
            "again: int32[2,4] = RESHAPE(value, rows)",
            "list: int32[8] = RESHAPE(again, flat)",
            "sum: int32[8] = SUB(k, list)",
            "less: int32[8] = NEG(sum)",
        ),
    ]:
        yield value_semantics(
            f"{case}: {title}",
            joined(
                subgraph(
                    "main (c: bool[], x: int32[8], t: int32[2,4]) -> (y, z)",
                    "y: int32[8], z: int32[2,4] = IF(c, x, t) then=reshapes else=doubles",
                ),
                subgraph("reshapes (p: int32[8], q: int32[2,4]) -> (less, again)", *SHAPES, *lines),
                subgraph("doubles (p: int32[8], q: int32[2,4]) -> (twice, q)", "twice: int32[8] = ADD(p, p)"),
            ),
            both({"y": X - K, "z": TABLE}, {"y": X + X, "z": TABLE}, x=X, t=TABLE),
            why=WHY,
        )


TWICE_RESHAPED = (
    "table: int32[2,4] = RESHAPE(value, rows)",
    "list: int32[8] = RESHAPE(table, flat)",
    "sum: int32[8] = ADD(list, k)",
    "less: int32[8] = NEG(sum)",
)


def reshaped_around() -> Iterator[Vector]:
    """The same in the primary: an operand of an If or a While, and a result of an If."""
    why = ["rfc-order", "onert-passing-in", RECYCLED, PLANNED]
    bodies = (
        subgraph("negates (q: int32[2,4]) -> (minus)", "minus: int32[2,4] = NEG(q)"),
        subgraph("doubles (q: int32[2,4]) -> (twice)", "twice: int32[2,4] = ADD(q, q)"),
    )
    yield value_semantics(
        "reshaped-value-is-an-operand-later: "
        "a value is reshaped and back, which is added to; the reshaped value is an If's operand after that",
        joined(
            subgraph(
                "main (c: bool[], x: int32[8]) -> (y, less)",
                *SHAPES,
                "value: int32[8] = NEG(x)",
                *TWICE_RESHAPED,
                "y: int32[2,4] = IF(c, table) then=negates else=doubles",
            ),
            *bodies,
        ),
        both({"y": TABLE, "less": X - K}, {"y": -2 * TABLE, "less": X - K}, x=X),
        why=why,
    )
    yield value_semantics(
        "result-reshaped-twice-and-read-again: "
        "an If's result is reshaped and back, which is added to, and the reshaped result is read again",
        joined(
            subgraph(
                "main (c: bool[], t: int32[2,4]) -> (again, less)",
                *SHAPES,
                "y: int32[2,4] = IF(c, t) then=negates else=doubles",
                "value: int32[8] = RESHAPE(y, flat)",
                *TWICE_RESHAPED,
                "again: int32[2,4] = NEG(table)",
            ),
            *bodies,
        ),
        both({"again": TABLE, "less": X - K}, {"again": -2 * TABLE, "less": -2 * X - K}, t=TABLE),
        why=["rfc-order", "onert-passing-out", RECYCLED, PLANNED],
    )
    yield value_semantics(
        "reshaped-value-is-a-loops-operand-later: "
        "a value is reshaped and back, which is added to; the reshaped value is a While's operand after that",
        joined(
            subgraph(
                "main (n: int32[], x: int32[8]) -> (y, less)",
                *SHAPES,
                "zero: int32[] = 0",
                "value: int32[8] = NEG(x)",
                *TWICE_RESHAPED,
                "jt: int32[], nt: int32[], y: int32[2,4] = WHILE(zero, n, table) cond=below body=step",
            ),
            below("t: int32[2,4]"),
            step(["t: int32[2,4]"], "minus", "minus: int32[2,4] = NEG(t)"),
        ),
        [Run({"n": np.int32(n), "x": X}, {"y": y, "less": X - K}) for n, y in [(1, TABLE), (2, -TABLE), (0, -TABLE)]],
        why=why,
    )
    yield value_semantics(
        "value-and-reshaped-value-are-operands: "
        "a value and its reshaped form are operands of an If, whose then adds to one and returns both",
        joined(
            subgraph(
                "main (c: bool[], x: int32[8]) -> (y, z, again)",
                SHAPES[0],
                "minus: int32[8] = NEG(x)",
                "table: int32[2,4] = RESHAPE(minus, rows)",
                "y: int32[8], z: int32[2,4] = IF(c, minus, table) then=adds else=same",
                "again: int32[2,4] = NEG(table)",
            ),
            subgraph("adds (p: int32[8], q: int32[2,4]) -> (sum, q)", SHAPES[2], "sum: int32[8] = ADD(p, k)"),
            subgraph("same (p: int32[8], q: int32[2,4]) -> (p, q)"),
        ),
        both({"y": K - X, "z": -TABLE, "again": TABLE}, {"y": -X, "z": -TABLE, "again": TABLE}, x=X),
        why=["onert-passing-in", "onert-passing-out", RECYCLED],
    )


def reshaped_in_a_loop() -> Vector:
    """x becomes x - k - 2x, that is -x - k: each trip changes the sign of x and takes k away."""
    return Vector(
        "tflite/while/body-feeds-next-trip/reshaped-twice-and-read-again",
        "the body adds to a value that was reshaped and back, and then reads the reshaped value again",
        ["rfc-order", RECYCLED, PLANNED],
        joined(
            subgraph(
                "main (n: int32[], x: int32[8]) -> (y)",
                "zero: int32[] = 0",
                "jt: int32[], nt: int32[], y: int32[8] = WHILE(zero, n, x) cond=below body=step",
            ),
            below("x: int32[8]"),
            step(
                ["x: int32[8]"],
                "next_x",
                *SHAPES,
                "value: int32[8] = NEG(x)",
                *TWICE_RESHAPED,
                "twice: int32[2,4] = ADD(table, table)",
                "back: int32[8] = RESHAPE(twice, flat)",
                "next_x: int32[8] = ADD(less, back)",
            ),
        ),
        [Run({"n": np.int32(n), "x": X}, {"y": y}) for n, y in [(1, -X - K), (2, X), (3, -X - K), (0, X)]],
    )


def read_before() -> Iterator[Vector]:
    """A computed value that other operators have read already is an operand of an If or a While, or a condition."""
    head = (
        f"k: int32[8] = {K.tolist()}",
        "value: int32[8] = NEG(x)",
        "sum: int32[8] = ADD(value, k)",
        "less: int32[8] = NEG(sum)",
    )
    yield value_semantics(
        "operand-read-before-the-if-too: a computed value is the operand of two operators in a row, then of an If",
        joined(
            subgraph(
                "main (c: bool[], x: int32[8]) -> (y, less)",
                *head,
                "y: int32[8] = IF(c, value) then=negates else=doubles",
            ),
            subgraph("negates (p: int32[8]) -> (minus)", "minus: int32[8] = NEG(p)"),
            subgraph("doubles (p: int32[8]) -> (twice)", "twice: int32[8] = ADD(p, p)"),
        ),
        both({"y": X, "less": X - K}, {"y": -2 * X, "less": X - K}, x=X),
    )
    yield value_semantics(
        "operand-read-before-the-loop-too: a computed value is the operand of two operators in a row, then of a While",
        joined(
            subgraph(
                "main (n: int32[], x: int32[8]) -> (y, less)",
                *head,
                "zero: int32[] = 0",
                "jt: int32[], nt: int32[], y: int32[8] = WHILE(zero, n, value) cond=below body=step",
            ),
            below("p: int32[8]"),
            step(["p: int32[8]"], "minus", "minus: int32[8] = NEG(p)"),
        ),
        [Run({"n": np.int32(n), "x": X}, {"y": y, "less": X - K}) for n, y in [(1, X), (2, -X), (0, -X)]],
    )
    yield value_semantics(
        "condition-read-before-the-if-too: "
        "a computed boolean is negated, the result is negated again, and then it is the condition of an If",
        joined(
            subgraph(
                "main (n: int32[], x: int32[8]) -> (y, no, yes)",
                "zero: int32[] = 0",
                "c: bool[] = GREATER(n, zero)",
                "no: bool[] = LOGICAL_NOT(c)",
                "yes: bool[] = LOGICAL_NOT(no)",
                "y: int32[8] = IF(c, x) then=negates else=doubles",
            ),
            subgraph("negates (p: int32[8]) -> (minus)", "minus: int32[8] = NEG(p)"),
            subgraph("doubles (p: int32[8]) -> (twice)", "twice: int32[8] = ADD(p, p)"),
        ),
        [
            Run(
                {"n": np.int32(n), "x": X},
                {"y": -X if n > 0 else X + X, "no": np.bool_(n <= 0), "yes": np.bool_(n > 0)},
            )
            for n in (3, -3)
        ],
    )


def beside_others() -> Iterator[Vector]:
    """One operator reads a value of fixed shape, which came first, and one whose shape changes from run to run."""
    x = ints(1, -2)
    chosen = no_state_between_runs(
        "fixed-beside-another-length: a value of two elements is joined to an If's result, which has four or two",
        tflite("""
            subgraph main (c: bool[], x: int32[2]) -> (z, minus)
              minus: int32[2] = NEG(x)
              y: int32[?] = IF(c, x) then=twice else=same
              z: int32[?] = CONCATENATION(minus, y) axis=0
            subgraph twice (p: int32[2]) -> (q)
              q: int32[?] = CONCATENATION(p, p) axis=0
            subgraph same (p: int32[2]) -> (p)
        """),
        [
            Run({"c": np.bool_(c), "x": x * np.int32(k)}, {"z": np.int32(z) * np.int32(k), "minus": -x * np.int32(k)})
            for k, (c, z) in enumerate([(c, [-1, 2, 1, -2] + [1, -2] * c) for c in (0, 1, 0, 1, 1)], start=1)
        ],
        why=["rfc-order", "rfc-propagates-shapes", FIXED_BESIDE],
    )
    yield chosen
    yield from chosen.cold()
    grown = Vector(
        "tflite/while/no-state-between-runs/fixed-beside-another-length",
        "a value of two elements is joined to a While's result, which has as many elements as trips were made, and two",
        ["rfc-order", "rfc-propagates-shapes", FIXED_BESIDE],
        tflite("""
            subgraph main (n: int32[], x: int32[2]) -> (z, minus)
              minus: int32[2] = NEG(x)
              m: int32[], y: int32[?] = WHILE(n, x) cond=positive body=appends
              z: int32[?] = CONCATENATION(minus, y) axis=0
            subgraph positive (n: int32[], x: int32[?]) -> (more)
              zero: int32[] = 0
              more: bool[] = GREATER(n, zero)
            subgraph appends (n: int32[], x: int32[?]) -> (next, longer)
              one: int32[] = 1
              k: int32[1] = [9]
              next: int32[] = SUB(n, one)
              longer: int32[?] = CONCATENATION(x, k) axis=0
        """),
        [
            Run(
                {"n": np.int32(n), "x": x * np.int32(k)},
                {"z": ints(-k, 2 * k, k, -2 * k, *[9] * n), "minus": -x * np.int32(k)},
            )
            for k, n in enumerate([1, 4, 0, 2], start=1)
        ],
    )
    yield grown
    yield from grown.cold()
    yield value_semantics(
        "values-around-an-if-are-read-after-it: "
        "two values that operators compute before an If are read by operators after it and after a second If",
        tflite("""
            subgraph main (c: bool[], x: float32[2]) -> (w, v)
              k: float32[2] = [10, 20]
              a: float32[2] = ADD(x, k)
              b: float32[2] = MUL(x, k)
              y: float32[2] = IF(c, a) then=doubles else=negates
              d: float32[2] = ADD(b, y)
              z: float32[2] = IF(c, d) then=negates else=doubles
              w: float32[2] = SUB(z, a)
              v: float32[2] = SUB(b, d)
            subgraph doubles (p: float32[2]) -> (q)
              q: float32[2] = ADD(p, p)
            subgraph negates (p: float32[2]) -> (q)
              q: float32[2] = NEG(p)
        """),
        # a is [11, 18], b [10, -40]; y is 2a or -a, d is b + y, z is -d or 2d.
        both(
            {"w": floats(-43, -14), "v": floats(-22, -36)},
            {"w": floats(-13, -134), "v": floats(11, 18)},
            x=floats(1, -2),
        ),
        why=["rfc-order", "onert-passing-out", LIFETIME],
    )


THREE = ints(11, 12, 13)
NINE = ints(11, 12, 13, 14, 15, 16, 17, 18, 19)
THRICE_OR_THREE = (
    subgraph("thrice (p: int32[?]) -> (q)", "q: int32[?] = CONCATENATION(p, p, p) axis=0"),
    subgraph("fixed (p: int32[?]) -> (k)", f"k: int32[3] = {THREE.tolist()}"),
)


def no_longer_fixed() -> Iterator[Vector]:
    """Where x has one element, both subgraphs return three; in other runs the shape depends on c."""
    steps = [(0, [4]), (0, [5, 6]), (1, [7]), (0, [8, 9, 1]), (1, [2, 3])]
    of_an_input = no_state_between_runs(
        "as-long-as-a-constant-then-not: "
        "a value made before the If is an output; else's result is three times as long as x, and then's has three",
        joined(
            subgraph(
                "main (c: bool[], x: int32[?]) -> (y, pair)",
                "minus: int32[?] = NEG(x)",
                "pair: int32[?] = CONCATENATION(x, x) axis=0",
                "y: int32[?] = IF(c, minus) then=fixed else=thrice",
            ),
            *THRICE_OR_THREE,
        ),
        [
            Run({"c": np.bool_(c), "x": np.int32(x)}, {"y": THREE if c else -np.int32(x * 3), "pair": np.int32(x * 2)})
            for c, x in steps
        ],
    )
    yield of_an_input
    yield from of_an_input.cold()
    of_a_value = no_state_between_runs(
        "as-long-as-a-constant-then-not-by-a-value: "
        "the same, and x has n elements, which are v; then's result has nine",
        tflite(f"""
            subgraph main (c: bool[], n: int32[1], v: int32[]) -> (y, pair)
              x: int32[?] = FILL(n, v)
              minus: int32[?] = NEG(x)
              pair: int32[2] = PACK(v, v) axis=0
              y: int32[?] = IF(c, minus) then=fixed else=thrice
            subgraph fixed (p: int32[?]) -> (k)
              k: int32[9] = {NINE.tolist()}
            subgraph thrice (p: int32[?]) -> (q)
              q: int32[?] = CONCATENATION(p, p, p) axis=0
        """),
        [
            Run(
                {"c": np.bool_(c), "n": ints(n), "v": np.int32(v)},
                {"y": NINE if c else np.int32([-v] * 3 * n), "pair": ints(v, v)},
            )
            for c, n, v in [(0, 3, 4), (0, 2, 5), (0, 1, 7), (1, 2, 2), (0, 4, 6)]
        ],
    )
    yield of_a_value
    yield from of_a_value.cold()
    from_nothing = no_state_between_runs(
        "as-empty-as-the-other-then-not: "
        "then returns x twice as long, else its negative, and both its double; x has no elements, then two",
        tflite("""
            subgraph main (c: bool[], n: int32[1], v: int32[]) -> (y, z)
              x: int32[?] = FILL(n, v)
              y: int32[?], z: int32[?] = IF(c, x) then=longer else=negates
            subgraph longer (p: int32[?]) -> (q, r)
              q: int32[?] = CONCATENATION(p, p) axis=0
              r: int32[?] = ADD(p, p)
            subgraph negates (p: int32[?]) -> (q, r)
              q: int32[?] = NEG(p)
              r: int32[?] = ADD(p, p)
        """),
        [
            Run(
                {"c": np.bool_(c), "n": ints(n), "v": np.int32(3)},
                {"y": np.int32([3] * 2 * n if c else [-3] * n), "z": np.int32([6] * n)},
            )
            for c, n in [(1, 0), (1, 2), (0, 1)]
        ],
    )
    yield from_nothing
    yield from from_nothing.cold()
