"""The forms of cond, and its presence."""

from collections.abc import Iterator

import numpy as np
from ifcert.authoring import Run, Vector, branches, codes, ints, strings
from ifcert.authoring.tflite import replaced, tflite
from ifcert.authoring.values import Writable

FORM, REQUIRED = "tflite/if/cond-form/", "tflite/if/cond-required/"
X = ints(1, -2)

# y is -x where c is true, else 2x.
CHOICE = tflite("""
    subgraph main (c: bool[], x: int32[2]) -> (y)
      y: int32[2] = IF(c, x) then=negates else=doubles
    subgraph negates (a: int32[2]) -> (minus)
      minus: int32[2] = NEG(a)
    subgraph doubles (a: int32[2]) -> (sum)
      sum: int32[2] = ADD(a, a)
""")
NEGATED, DOUBLED = ints(-1, 2), ints(2, -4)


def _runs(*pairs: tuple[Writable, bool]) -> list[Run]:
    """Runs with these conds, each with its truth value."""
    return [Run({"c": cond, "x": X}, {"y": NEGATED if true else DOUBLED}) for cond, true in pairs]


def _one_boolean() -> Iterator[Vector]:
    yield Vector(
        FORM + "scalar",
        "cond has no dims",
        ["rfc-first-input-is-condition"],
        CHOICE,
        _runs((np.True_, True), (np.False_, False)),
    )
    both = (np.bool_([True]), True), (np.bool_([False]), False)
    one = CHOICE.edited(replaced("bool[]", "bool[1]"))
    yield Vector(FORM + "length-one", "cond has one dim of 1", ["rfc-first-input-is-condition"], one, _runs(*both))
    dynamic = CHOICE.edited(replaced("bool[]", "bool[?]"))
    yield Vector(
        FORM + "dynamic-length-one",
        "cond is of [?] and fed as [1]",
        ["rfc-first-input-is-condition"],
        dynamic,
        _runs(*both),
    )
    reshaped = tflite("""
        subgraph main (n: bool[1], d: int32[?], x: int32[2]) -> (y)
          c: bool[...] = RESHAPE(n, d)
          y: int32[2] = IF(c, x) then=negates else=doubles
        subgraph negates (a: int32[2]) -> (minus)
          minus: int32[2] = NEG(a)
        subgraph doubles (a: int32[2]) -> (sum)
          sum: int32[2] = ADD(a, a)
    """)
    fed = [(np.bool_([True]), NEGATED), (np.bool_([False]), DOUBLED)]
    yield Vector(
        FORM + "reshaped-when-it-runs",
        "cond is reshaped to [1], as an input specifies",
        ["rfc-first-input-is-condition"],
        reshaped,
        [Run({"n": n, "d": ints(1), "x": X}, {"y": y}) for n, y in fed],
    )


def _several() -> Iterator[Vector]:
    """Neither a scalar nor [1]: only kernels say that they accept one element."""
    doubt = (
        "TensorFlow's If, whose semantics are adopted, tests whether there are elements; kernels require one element"
    )
    for case, cond, true in [
        ("one-by-one", np.bool_([[True]]), True),
        ("one-by-one-by-one", np.bool_([[[True]]]), True),
        ("length-two-true", np.bool_([True, True]), True),
        ("length-zero", np.bool_([]), False),
        ("two-by-zero", np.full((2, 0), True), False),
    ]:
        dims = ",".join(map(str, cond.shape))
        yield Vector(
            FORM + case,
            f"cond is {cond.tolist()}, of the shape [{dims}]",
            ["if-cond-emptiness", "rfc-if-definition"],
            CHOICE.edited(replaced("bool[]", f"bool[{dims}]")),
            _runs((cond, true)),
            doubt=doubt,
        )


def _converted() -> Iterator[Vector]:
    """Scalars of other types."""
    doubt = "TensorFlow's If, whose semantics are adopted, converts a scalar; kernels require a boolean"
    for case, yes, no in [
        ("int8", np.int8(-1), np.int8(0)),
        ("int16", np.int16(256), np.int16(0)),
        ("int32", np.int32(7), np.int32(0)),
        ("int64", np.int64(2**32), np.int64(0)),
        ("uint8", np.uint8(128), np.uint8(0)),
        ("float16", np.float16(0.5), np.float16(0)),
        ("float32", np.float32(0.25), np.float32(0)),
        ("float64", np.float64(1e-300), np.float64(0)),
        ("string", strings([], [b"false"]), strings([], [b""])),
    ]:
        yield Vector(
            f"{FORM}scalar-{case}",
            f"cond is a scalar of {case}",
            ["if-cond-scalar", "rfc-if-definition"],
            CHOICE.edited(replaced("bool[]", f"{case}[]")),
            _runs((yes, True), (no, False)),
            doubt=doubt,
        )
    yield Vector(
        FORM + "scalar-negative-zero",
        "cond is -0.0, which is equal to zero",
        ["if-cond-scalar", "rfc-if-definition"],
        CHOICE.edited(replaced("bool[]", "float32[]")),
        _runs((codes("float32", [], [0x80000000]), False)),
        doubt=doubt,
    )


def _required() -> Iterator[Vector]:
    alone = Vector(
        REQUIRED + "cond-alone",
        "cond is the only operand",
        ["rfc-first-input-is-condition", "onert-if"],
        tflite("""
            subgraph main (c: bool[]) -> (y)
              y: int32[2] = IF(c) then=one else=other
            subgraph one () -> (k)
              k: int32[2] = [1, 2]
            subgraph other () -> (k)
              k: int32[2] = [3, 4]
        """),
        branches({}, then={"y": ints(1, 2)}, else_={"y": ints(3, 4)}, cond="c"),
    )
    why = ["rfc-first-input-is-condition", "reader-absent"]
    yield alone.broken("no-operand: the If has no operands at all", replaced("IF(c)", "IF()"), why=why)
    yield alone.broken("absent: cond is index -1", replaced("IF(c)", "IF(-)"), why=why)
    yield alone.broken("no-list: the If has no list of operands", replaced("IF(c)", "IF(c) without=inputs"), why=why)
    beside = Vector(
        REQUIRED + "beside-an-operand",
        "cond comes before another operand",
        ["rfc-first-input-is-condition", "onert-if"],
        CHOICE,
        _runs((np.True_, True), (np.False_, False)),
    )
    yield beside.broken(
        "absent-beside-an-operand: cond is index -1, x follows", replaced("IF(c, x)", "IF(-, x)"), why=why
    )
