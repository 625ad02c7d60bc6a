"""Clauses of Cast: between numbers and texts, as far as they decide a value, and to the narrow floating-point types."""

from collections.abc import Iterator, Sequence

import numpy as np
from ifcert.authoring import Vector, says, strings
from ifcert.authoring.elements import ELEMENTS
from ifcert.authoring.onnx_clauses import Call, clauses_of
from ifcert.authoring.values import Writable

INF = np.inf

# Texts of numbers that each type has, so that none is rounded; a "+" is said of "+INF" alone.
PLAIN = {
    "0": 0, "7": 7, "-12": -12, "3.5": 3.5, "-0.25": -0.25, "1000": 1000, "314.125": 314.125, "0.0625": 0.0625,
    "16777216": 16777216, "100.5": 100.5,
}  # fmt: skip
SCIENTIFIC = {"1E8": 1e8, "25e-2": 0.25, "-5E-1": -0.5, "1e3": 1e3, "1.5e2": 150, "2.5E0": 2.5}
INFINITE = {"INF": INF, "+INF": INF, "-INF": -INF, "inf": INF, "Inf": INF, "+inf": INF, "+InF": INF}
NOT_NUMBERS = ("NaN", "nan", "NAN", "nAn")
WHOLE = {"0": 0, "7": 7, "-12": -12, "1000": 1000, "2147483647": 2**31 - 1, "-2147483648": -(2**31)}
LONG = {"9223372036854775807": 2**63 - 1, "-9223372036854775808": -(2**63), "9007199254740993": 2**53 + 1}


def _texts(texts: Sequence[str]) -> Writable:
    return strings([len(texts)], [text.encode() for text in texts])


def _equals(name: str, element: str, wanted: Sequence[float]) -> tuple[dict[str, Writable], list[Call]]:
    """What is fed and the call that says whether texts, cast to the type, are these numbers, and other ones."""
    dtype = ELEMENTS[element].numpy
    right = np.array(wanted, dtype)
    other = right.copy()
    other[::2] = 1
    calls = [
        Call(
            f"{{t}}n = Cast <to = {ELEMENTS[element].onnx}> ({name}{{_}}) "
            f"{{r}} = Equal ({{t}}n, {name}_{word}_{element}{{_}})",
            right == numbers,
        )
        for word, numbers in (("right", right), ("other", other))
    ]
    return {f"{name}_right_{element}": right, f"{name}_other_{element}": other}, calls


def _of_texts() -> Iterator[Vector]:
    sentences = says("operators-cast-of-text", "operators-cast-infinite", "operators-cast-case")
    for case, tables, elements in [
        ("text", {"plain": PLAIN, "scientific": SCIENTIFIC}, ("float32", "float64")),
        ("infinite-text", {"infinite": INFINITE}, ("float32", "float64")),
        ("whole-text", {"whole": WHOLE, "long": LONG}, ("int64",)),
    ]:
        fed: dict[str, Writable] = {}
        calls = []
        for name, table in tables.items():
            fed[name] = _texts([*table])
            for element in elements:
                more, made = _equals(name, element, [*table.values()])
                fed |= more
                calls += made
        if "infinite" in tables:
            fed["none"] = _texts(NOT_NUMBERS)
            calls += [_is_no_number("none", element) for element in elements]
        yield clauses_of(
            f"clauses-of-cast-of-{case}: conds say which numbers texts are, by Cast to {' and '.join(elements)}",
            fed,
            calls,
            says("operators-cast-fraction-to-int", note="of a whole number it is defined")
            if "whole" in tables
            else sentences,
        )


def _is_no_number(name: str, element: str) -> Call:
    """NaN is not equal to itself."""
    number = f"{{t}}n = Cast <to = {ELEMENTS[element].onnx}> ({name}{{_}})"
    return Call(f"{number} {{r}} = Equal ({{t}}n, {{t}}n)", np.zeros(len(NOT_NUMBERS), np.bool_))


def _to_texts() -> Iterator[Vector]:
    """How many digits a text has is not said: it is cast back, and is the number."""
    numbers = {
        "float32": [0, 7, -12, 0.5, -0.25, 314.125, 65536, INF, -INF],
        "float64": [0, 7, -12, 0.5, -0.25, 314.125, 65536, INF, -INF],
        "int32": [0, 7, -12, 2**31 - 1, -(2**31)],
        "int64": [0, 7, -12, 2**53, -(2**53)],
        "uint8": [0, 7, 255],
    }
    fed: dict[str, Writable] = {}
    calls = []
    for element, held in numbers.items():
        fed[element] = np.array(held, ELEMENTS[element].numpy)
        fed[f"as_{element}"] = np.array(held, np.float64)
        calls.append(
            Call(
                f"{{t}}s = Cast <to = 8> ({element}{{_}}) {{t}}n = Cast <to = 11> ({{t}}s) "
                f"{{r}} = Equal ({{t}}n, as_{element}{{_}})",
                np.ones(len(held), np.bool_),
            )
        )
    yield clauses_of(
        "clauses-of-cast-to-text: conds say whether numbers of several types, cast to text and back, are the same",
        fed,
        calls,
        says("operators-cast-plain-text", "operators-cast-of-text", "operators-cast-infinite"),
    )


# Numbers, and what Cast to a type makes of them: with `saturate`, and without it.
GREATEST = {"float8e4m3fn": 448.0, "float8e4m3fnuz": 240.0, "float8e5m2": 57344.0, "float8e5m2fnuz": 57344.0}
NUMBERS = [0, 1, -2, 0.5, 1.25, 1e6, -1e6, np.nan]


def _to_narrow() -> Iterator[Vector]:
    """The numbers are cast back to float32, which has them all."""
    numbers = np.array(NUMBERS, np.float32)
    fed: dict[str, Writable] = {"n": numbers}
    calls = []
    for element, greatest in GREATEST.items():
        inf = INF if element == "float8e5m2" else np.nan
        for saturate, bound in ((None, greatest), (1, greatest), (0, inf)):
            want = np.where(np.abs(numbers) > greatest, np.copysign(np.float32(bound), numbers), numbers)
            name = f"{element}_{saturate}".lower()
            fed[name] = want.astype(np.float32)
            option = "" if saturate is None else f", saturate = {saturate}"
            calls.append(
                Call(
                    f"{{t}}s = Cast <to = {ELEMENTS[element].onnx}{option}> (n{{_}}) {{t}}n = Cast <to = 1> ({{t}}s) "
                    f"{{r}} = Equal ({{t}}n, {name}{{_}})",
                    ~np.isnan(want),
                )
            )
    yield clauses_of(
        "clauses-of-cast-to-float8: conds say which numbers Cast makes of numbers that float8 does not have",
        fed,
        calls,
        says("operators-cast-saturate", "operators-cast-float8"),
        opset=21,
    )
    e8m0 = np.array([1, 1.25, 1.5, 1.75, 2, 3, 0.375, 2.0**-126], np.float32)
    rounded = {
        "up": [1, 2, 2, 2, 2, 4, 0.5, 2.0**-126],
        "down": [1, 1, 1, 1, 2, 2, 0.25, 2.0**-126],
        "nearest": [1, 1, 2, 2, 2, 4, 0.5, 2.0**-126],
    }
    fed = {"n": e8m0} | {f"want_{mode}": np.array(wanted, np.float32) for mode, wanted in rounded.items()}
    yield clauses_of(
        "clauses-of-cast-to-float8e8m0: conds say which powers of two Cast makes of numbers, by each way of rounding",
        fed,
        [
            Call(
                f"{{t}}s = Cast <to = 24{option}> (n{{_}}) {{t}}n = Cast <to = 1> ({{t}}s) "
                f"{{r}} = Equal ({{t}}n, want_{mode}{{_}})",
                np.ones(len(e8m0), np.bool_),
            )
            for option, mode in [
                ("", "up"),
                (', round_mode = "up"', "up"),
                (', round_mode = "down"', "down"),
                (', round_mode = "nearest"', "nearest"),
                (', round_mode = "nearest", saturate = 0', "nearest"),
            ]
        ],
        "operators-cast-round-mode",
        opset=24,
    )
