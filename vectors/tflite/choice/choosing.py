"""Which subgraph runs: cond from every possible source, and the two indices in every order."""

from collections.abc import Iterator

import numpy as np
from ifcert.authoring import Run, Vector, floats, ints, vectors_of
from ifcert.authoring.tflite import TfliteModel, replaced, tflite
from ifcert.authoring.tflite_patterns import ADDS_OR_NEGATES, RUNS

then_when_true = vectors_of("tflite/if/then-when-true", "rfc-then", "onert-if")
else_when_false = vectors_of("tflite/if/else-when-false", "rfc-else", "onert-if")

X = ints(1, -2)

# The double of the int32 x where cond is true, else its negative.
BRANCHES = """
subgraph doubled (p: int32[2]) -> (q)
  q: int32[2] = ADD(p, p)
subgraph negated (r: int32[2]) -> (s)
  s: int32[2] = NEG(r)
"""
DOUBLED, NEGATED = ints(2, -4), ints(-1, 2)
TRUTH = np.True_, np.False_


def _of_x(*lines: str, inputs: str) -> TfliteModel:
    """A primary subgraph whose last line is the If with the cond c."""
    return tflite(f"subgraph main ({inputs}) -> (y)\n" + "\n".join(f"  {line}" for line in lines) + BRANCHES)


CHOICE = "y: int32[2] = IF(c, x) then=doubled else=negated"


def _both(case: str, model: TfliteModel, true: dict, false: dict) -> Iterator[Vector]:
    """The vector of each rule; the inputs under which cond is true, and those under which it is false."""
    yield then_when_true(case, model, Run(true, {"y": DOUBLED}))
    yield else_when_false(case, model, Run(false, {"y": NEGATED}))


def _fed() -> Iterator[Vector]:
    for rule, run, why in [("then-when-true", RUNS[0], "rfc-then"), ("else-when-false", RUNS[1], "rfc-else")]:
        yield Vector(
            f"tflite/if/{rule}/add-or-negate", "x + [10, 20], else -x", [why, "onert-if"], ADDS_OR_NEGATES, [run]
        )
    example = tflite("""
        subgraph main (a: float32[1], b: float32[1]) -> (y)
          less: bool[1] = LESS(a, b)
          y: float32[1] = IF(less, a, b) then=sum else=product
        subgraph sum (a: float32[1], b: float32[1]) -> (y)
          y: float32[1] = ADD(a, b)
        subgraph product (a: float32[1], b: float32[1]) -> (y)
          y: float32[1] = MUL(a, b)
    """)
    two, three = floats(2), floats(3)
    for rule, a, b, y in [("then-when-true", two, three, [5]), ("else-when-false", three, two, [6])]:
        yield Vector(
            f"tflite/if/{rule}/rfc-example",
            "a < b ? a + b : a * b",
            ["rfc-example", "rfc-if"],
            example,
            [Run({"a": a, "b": b}, {"y": np.float32(y)})],
        )


def _constant() -> Iterator[Vector]:
    """A cond that is known before any run."""
    for rule, held, expected, why in [
        ("then-when-true", "true", DOUBLED, "rfc-then"),
        ("else-when-false", "false", NEGATED, "rfc-else"),
    ]:
        for case, dims in [("scalar", ""), ("length-one", "1")]:
            yield Vector(
                f"tflite/if/{rule}/constant-cond-{case}",
                f"cond is a constant of the shape [{dims}], {held}",
                [why],
                _of_x(f"c: bool[{dims}] = {held}", CHOICE, inputs="x: int32[2]"),
                [Run({"x": X}, {"y": expected}), Run({"x": X - X}, {"y": X - X})],
            )


def _computed() -> Iterator[Vector]:
    x = {"x": X}
    model = _of_x("c: bool[] = LOGICAL_AND(n, n)", CHOICE, inputs="n: bool[], x: int32[2]")
    title = "cond is LOGICAL_AND of the input and itself"
    yield from _both(f"cond-of-two: {title}", model, {"n": np.True_, **x}, {"n": np.False_, **x})
    model = _of_x("zero: int32[] = 0", "c: bool[] = GREATER(n, zero)", CHOICE, inputs="n: int32[], x: int32[2]")
    title = "cond is n > 0"
    yield from _both(f"cond-compared: {title}", model, {"n": np.int32(1), **x}, {"n": np.int32(0), **x})


def _moved() -> Iterator[Vector]:
    """Cond is one of two booleans, selected by an operator that computes nothing."""
    for case, title, line, true, false in [
        ("selected", "one of the two, by SELECT", "c: bool[] = SELECT(m, n, m)", (True, True), (True, False)),
    ]:
        model = _of_x(line, CHOICE, inputs="m: bool[], n: bool[], x: int32[2]")
        fed = [{"m": np.bool_(m), "n": np.bool_(n), "x": X} for m, n in (true, false)]
        yield from _both(f"cond-{case}: cond is {title}", model, *fed)
    packed = _of_x("c: bool[1] = PACK(n) axis=0", CHOICE, inputs="n: bool[], x: int32[2]")
    yield from _both("cond-packed: cond is a boolean in a list, by PACK", packed, *({"n": n, "x": X} for n in TRUTH))
    for case, title, *lines in [
        ("gathered", "by GATHER", "at: int32[] = 1", "c: bool[] = GATHER(n, at) axis=0"),
        ("sliced", "by SLICE", "one: int32[1] = [1]", "c: bool[1] = SLICE(n, one, one)"),
    ]:
        model = _of_x(*lines, CHOICE, inputs="n: bool[2], x: int32[2]")
        fed = [{"n": np.bool_([not cond, cond]), "x": X} for cond in (True, False)]
        yield from _both(f"cond-{case}: cond is the second of two booleans, {title}", model, *fed)


def _from_another_if() -> Iterator[Vector]:
    """The first If returns n or its negation, which is the second one's cond."""
    model = tflite(f"""
        subgraph main (a: bool[], n: bool[], x: int32[2]) -> (y)
          c: bool[] = IF(a, n) then=same else=contrary
          {CHOICE}
        subgraph same (p: bool[]) -> (p)
        subgraph contrary (p: bool[]) -> (q)
          q: bool[] = LOGICAL_NOT(p)
        {BRANCHES.replace(chr(10), chr(10) + "        ")}
    """)
    for rule, why, a, n, expected in [
        ("then-when-true", "rfc-then", True, True, DOUBLED),
        ("then-when-true", "rfc-then", False, False, DOUBLED),
        ("else-when-false", "rfc-else", True, False, NEGATED),
        ("else-when-false", "rfc-else", False, True, NEGATED),
    ]:
        yield Vector(
            f"tflite/if/{rule}/cond-of-another-if-{str(a).lower()}",
            f"cond is the result of another If, whose own is {a}",
            [why],
            model,
            [Run({"a": np.bool_(a), "n": np.bool_(n), "x": X}, {"y": expected})],
        )


def _from_a_while() -> Iterator[Vector]:
    """A loop computes cond: it negates a boolean n times."""
    model = _of_x(
        "no: bool[] = false",
        "left: int32[], c: bool[] = WHILE(n, no) cond=more body=turns",
        CHOICE,
        inputs="n: int32[], x: int32[2]",
    )
    loop = """
subgraph more (k: int32[], b: bool[]) -> (some)
  zero: int32[] = 0
  some: bool[] = GREATER(k, zero)
subgraph turns (k: int32[], b: bool[]) -> (fewer, other)
  one: int32[] = 1
  fewer: int32[] = SUB(k, one)
  other: bool[] = LOGICAL_NOT(b)
"""
    fed = {"n": np.int32(3), "x": X}, {"n": np.int32(2), "x": X}
    yield from _both("cond-of-a-while: cond is the result of a While", model.edited(lambda text: text + loop), *fed)


def _orders() -> Iterator[Vector]:
    """The order of the subgraphs in the file does not determine which of them is then."""
    fed = {"c": np.True_, "x": X}, {"c": np.False_, "x": X}
    then_last = tflite("""
        subgraph main (c: bool[], x: int32[2]) -> (y)
          y: int32[2] = IF(c, x) then=doubled else=negated
        subgraph negated (r: int32[2]) -> (s)
          s: int32[2] = NEG(r)
        subgraph doubled (p: int32[2]) -> (q)
          q: int32[2] = ADD(p, p)
    """)
    yield from _both("then-subgraph-after-else: then is subgraph 2, else subgraph 1", then_last, *fed)
    unused = "subgraph unused{} (p: int32[2]) -> (p)\n"
    apart = then_last.edited(
        replaced("subgraph negated (r", unused.format(1) + unused.format(2) + "subgraph negated (r"),
        replaced("subgraph doubled (p", unused.format(3) + "subgraph doubled (p"),
    )
    yield from _both(
        "unused-subgraphs-between: subgraphs that no operator invokes come between the others", apart, *fed
    )
    misleading = then_last.edited(lambda text: text.replace("doubled", "else_branch").replace("negated", "then_branch"))
    yield from _both("names-of-the-other: then's subgraph is called else_branch, else's then_branch", misleading, *fed)
    data = tflite("""
        subgraph main (c: bool[], x: int32[2]) -> (y)
          y: int32[2] = IF(c, x, c) then=doubled else=negated
        subgraph doubled (p: int32[2], d: bool[]) -> (q)
          z: int32[2] = [9, 9]
          twice: int32[2] = ADD(p, p)
          q: int32[2] = SELECT(d, twice, z)
        subgraph negated (r: int32[2], d: bool[]) -> (s)
          z: int32[2] = [9, 9]
          minus: int32[2] = NEG(r)
          s: int32[2] = SELECT(d, z, minus)
    """)
    why = ["rfc-first-input-is-condition"]
    for vector in _both("cond-as-data-too: cond is an operand of the subgraphs too", data, *fed):
        yield vector.varied(f"{vector.id}: {vector.title}", why=[*vector.why, *why])
