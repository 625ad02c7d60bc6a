"""Values of every element type of the schema pass through an If, bit for bit."""

from collections.abc import Iterator

import numpy as np
from ifcert.authoring import Run, Vector, branches, codes, ints, says, strings
from ifcert.authoring.patterns import pattern
from ifcert.authoring.tflite import tflite
from ifcert.authoring.tflite_constants import literal
from ifcert.authoring.values import Writable

SUBGRAPH_OUTPUTS = says("schema-outputs", "schema-outputs-product")

UNCHANGED, CONSTANTS = "tflite/subgraph/value-unchanged/", "tflite/subgraph/constant-outputs/"

NO_LIST_OF_TYPES = "the schema does not say which element types an operator accepts"
TYPES = (
    *("bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"),
    *("float16", "bfloat16", "float32", "float64", "complex64", "complex128", "string"),
)


def vectors() -> Iterator[Vector]:
    for element in TYPES:
        yield _passed(element)
        yield _constants(element)
    yield _quantized_sum()


def _both(fed: dict[str, Writable], then_value: Writable, else_value: Writable) -> list[Run]:
    return branches(fed, then={"y": then_value}, else_={"y": else_value}, cond="c")


def _passed(element: str) -> Vector:
    """Then returns the first operand, else the second."""
    model = tflite(f"""
        subgraph main (c: bool[], a: {element}[5], b: {element}[5]) -> (y)
          y: {element}[5] = IF(c, a, b) then=first else=second
        subgraph first (p: {element}[5], q: {element}[5]) -> (p)
        subgraph second (p: {element}[5], q: {element}[5]) -> (q)
    """)
    a, b = pattern(element, 0), pattern(element, 1)
    title = f"one of two operands of {element}"
    return Vector(
        UNCHANGED + element,
        title,
        ["onert-invoked-inputs", "onert-invoked-outputs"],
        model,
        _both({"a": a, "b": b}, a, b),
    )


def _constants(element: str) -> Vector:
    """Then returns a constant, else another."""
    one, other = pattern(element, 2), pattern(element, 3)
    model = tflite(f"""
        subgraph main (c: bool[]) -> (y)
          y: {element}[5] = IF(c) then=one else=other
        subgraph one () -> (k)
          k: {element}[5] = {literal(one)}
        subgraph other () -> (k)
          k: {element}[5] = {literal(other)}
    """)
    return Vector(
        CONSTANTS + element,
        f"a constant of {element} from each subgraph",
        [SUBGRAPH_OUTPUTS, "reader-constants"],
        model,
        _both({}, one, other),
    )


def _singular() -> Iterator[Vector]:
    """Values one at a time, as scalars: passed through by then, returned as a constant by else."""
    for case, element, code in [
        ("quiet-nan", "float32", 0x7FC00001),
        ("negative-nan", "float32", 0xFFC12345),
        ("negative-zero", "float32", 0x80000000),
        ("subnormal", "float32", 0x00000001),
        ("infinity", "float32", 0x7F800000),
        ("negative-infinity", "float32", 0xFF800000),
        ("float64-nan", "float64", 0x7FF8000000000123),
        ("float64-subnormal", "float64", 0x800FFFFFFFFFFFFF),
        ("float16-nan", "float16", 0xFE55),
        ("int64-least", "int64", 1 << 63),
        ("uint64-greatest", "uint64", (1 << 64) - 1),
    ]:
        held = codes(element, [], [code])
        zero = codes(element, [], [0])
        yield Vector(
            UNCHANGED + f"scalar-{case}",
            f"{code:#x}, the bits of a scalar of {element}",
            ["onert-invoked-inputs", "onert-invoked-outputs"],
            tflite(f"""
                subgraph main (c: bool[], a: {element}[]) -> (y)
                  y: {element}[] = IF(c, a) then=same else=constant
                subgraph same (p: {element}[]) -> (p)
                subgraph constant (p: {element}[]) -> (k)
                  k: {element}[] = {literal(held)}
            """),
            [Run({"c": np.True_, "a": held}, {"y": held}), Run({"c": np.False_, "a": zero}, {"y": held})],
        )


def _texts() -> Iterator[Vector]:
    """Strings of every length, and in shapes that are not vectors."""
    for case, dims, texts in [
        ("empty", [1], [b""]),
        ("with-nul", [2], [b"a\0b", b"\0"]),
        ("not-ascii", [2], [b"caf\xc3\xa9", b"\xe6\x9d\xa1"]),
        ("no-utf-8", [1], [b"\xff\xfe"]),
        ("long", [2], [b"x" * 1000, b"y"]),
        ("matrix", [2, 2], [b"a", b"bb", b"", b"dddd"]),
        ("scalar", [], [b"one"]),
    ]:
        given = strings(dims, texts)
        other = strings(dims, [text[::-1] + b"!" for text in texts])
        yield Vector(
            UNCHANGED + f"strings-{case}",
            f"strings: {case}",
            ["onert-invoked-inputs", "onert-invoked-outputs"],
            tflite(f"""
                subgraph main (c: bool[], a: string{dims}) -> (y)
                  y: string{dims} = IF(c, a) then=same else=constant
                subgraph same (p: string{dims}) -> (p)
                subgraph constant (p: string{dims}) -> (k)
                  k: string{dims} = {literal(other)}
            """),
            _both({"a": given}, given, other),
        )


def _quantized() -> Iterator[Vector]:
    """The numbers of a quantized tensor, whose scale and zero point are the same everywhere."""
    for element, a, b in [
        ("int8", np.int8([-128, 0, 127]), np.int8([1, 2, 3])),
        ("uint8", np.uint8([0, 128, 255]), np.uint8([1, 2, 3])),
        ("int16", np.int16([-32768, 0, 32767]), np.int16([1, 2, 3])),
    ]:
        zero = 0 if element == "int16" else 3
        type_ = f"{element}[3] {{scale=[0.5] zero_point=[{zero}]}}"
        yield Vector(
            UNCHANGED + f"quantized-{element}",
            f"{element} with a scale and a zero point",
            ["onert-invoked-inputs", "onert-invoked-outputs"],
            tflite(f"""
                subgraph main (c: bool[], a: {type_}, b: {type_}) -> (y)
                  y: {type_} = IF(c, a, b) then=first else=second
                subgraph first (p: {type_}, q: {type_}) -> (p)
                subgraph second (p: {type_}, q: {type_}) -> (q)
            """),
            _both({"a": a, "b": b}, a, b),
        )


def _quantized_sum() -> Vector:
    """1 + 3, 2 - 1 and 0 + 0 in then, 1 - 3, 2 + 1 and 0 - 0 in else, by codes of halves that begin at 3."""
    type_ = "int8[3] {scale=[0.5] zero_point=[3]}"
    return Vector(
        "tflite/if/then-when-true/quantized-sum",
        "then adds and else subtracts int8 with a scale and a zero point",
        ["rfc-then", "schema-quantization"],
        tflite(f"""
            subgraph main (c: bool[], a: {type_}, b: {type_}) -> (y)
              y: {type_} = IF(c, a, b) then=sums else=differences
            subgraph sums (p: {type_}, q: {type_}) -> (s)
              s: {type_} = ADD(p, q)
            subgraph differences (p: {type_}, q: {type_}) -> (d)
              d: {type_} = SUB(p, q)
        """),
        _both({"a": np.int8([5, 7, 3]), "b": np.int8([9, 1, 3])}, np.int8([11, 5, 3]), np.int8([-1, 9, 3])),
        doubt="the schema says which number a code stands for, but not which operators compute with these numbers",
    )


def _without_a_scale() -> Iterator[Vector]:
    """Numbers of 8 bits that are not codes, since no scale says what else they would stand for."""
    for case, title, type_, one, other, one_value, other_value in [
        ("sum-of-int8", "then adds and else subtracts int8", "int8", "ADD", "SUB", [12, 3], [2, -7]),
        ("sum-of-uint8", "then adds and else subtracts uint8", "uint8", "ADD", "SUB", [12, 14], [2, 4]),
        (
            "product-of-int8",
            "then multiplies int8, else takes the greater",
            "int8",
            "MUL",
            "MAXIMUM",
            [35, -10],
            [7, 5],
        ),
    ]:
        a, b = ([7, -2], [5, 5]) if type_ == "int8" else ([7, 9], [5, 5])
        yield Vector(
            f"tflite/if/then-when-true/{case}-without-a-scale",
            f"{title} that have no scale",
            ["rfc-then", "schema-tensor-type"],
            tflite(f"""
                subgraph main (c: bool[], a: {type_}[2], b: {type_}[2]) -> (y)
                  y: {type_}[2] = IF(c, a, b) then=one else=other
                subgraph one (p: {type_}[2], q: {type_}[2]) -> (r)
                  r: {type_}[2] = {one}(p, q)
                subgraph other (p: {type_}[2], q: {type_}[2]) -> (r)
                  r: {type_}[2] = {other}(p, q)
            """),
            _both(
                {"a": np.array(a, type_), "b": np.array(b, type_)},
                np.array(one_value, type_),
                np.array(other_value, type_),
            ),
            doubt=NO_LIST_OF_TYPES,
        )
    yield Vector(
        "tflite/if/then-when-true/cond-of-equal-uint8-without-a-scale",
        "the condition compares two uint8 that have no scale",
        ["rfc-then", "rfc-else", "schema-tensor-type"],
        tflite("""
            subgraph main (a: uint8[], b: uint8[], x: int32[2]) -> (y)
              c: bool[] = EQUAL(a, b)
              y: int32[2] = IF(c, x) then=same else=minus
            subgraph same (p: int32[2]) -> (p)
            subgraph minus (p: int32[2]) -> (q)
              q: int32[2] = NEG(p)
        """),
        [
            Run({"a": np.uint8(7), "b": np.uint8(b), "x": ints(1, -2)}, {"y": np.int32(y)})
            for b, y in [(7, [1, -2]), (5, [-1, 2])]
        ],
        doubt=NO_LIST_OF_TYPES,
    )


def _of_seven_dims() -> Iterator[Vector]:
    """No text of the format says how many dims a shape may have at most; a reader's own documentation may."""
    doubt = "a reader's own documentation may limit the number of dims, as nnfw.h does: 'Maximum rank is 6'"
    type_ = "int32[1,1,1,1,1,1,2]"
    a, b = (np.int32(each).reshape(1, 1, 1, 1, 1, 1, 2) for each in ([1, -2], [30, 40]))
    yield Vector(
        UNCHANGED + "seven-dims",
        "one of two operands of seven dims",
        ["onert-invoked-inputs", "onert-invoked-outputs"],
        tflite(f"""
            subgraph main (c: bool[], a: {type_}, b: {type_}) -> (y)
              y: {type_} = IF(c, a, b) then=first else=second
            subgraph first (p: {type_}, q: {type_}) -> (p)
            subgraph second (p: {type_}, q: {type_}) -> (q)
        """),
        _both({"a": a, "b": b}, a, b),
        doubt=doubt,
    )
    yield Vector(
        CONSTANTS + "seven-dims",
        "a constant of seven dims from each subgraph",
        [SUBGRAPH_OUTPUTS, "reader-constants"],
        tflite(f"""
            subgraph main (c: bool[]) -> (y)
              y: {type_} = IF(c) then=one else=other
            subgraph one () -> (k)
              k: {type_} = [1, -2]
            subgraph other () -> (k)
              k: {type_} = [30, 40]
        """),
        _both({}, a, b),
        doubt=doubt,
    )
