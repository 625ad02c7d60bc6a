"""Conds made of the boundary values of each type: fed, and stored in lists, from which each run reads a row."""

from collections.abc import Iterator, Sequence
from itertools import product

import numpy as np
from ifcert.authoring import Run, Vector, Why, ints, strings, vectors_of
from ifcert.authoring.edge_tables import (
    FUNCTIONS,
    PAIRWISE,
    Row,
    applied,
    as_boolean,
    compared,
    computed,
    converted,
    holds,
    of_two,
)
from ifcert.authoring.edges import listed
from ifcert.authoring.elements import ELEMENTS
from ifcert.authoring.tflite import tflite
from ifcert.authoring.tflite_constants import literal
from ifcert.authoring.values import Writable

then_when_true = vectors_of("tflite/if/then-when-true", "rfc-then", "rfc-else")

X = ints(1, -2)
MAIN = ("float32", "int32", "int64")


def _chosen(
    case: str, lines: str, types: Sequence[str], rows: Sequence[tuple[Sequence[Writable], bool]],
    lists: Sequence[Writable], *why: Why, dims: str = "[]",
) -> Vector:  # fmt: skip
    """`lines` make c of m, n, …: once of what is fed, once of the stored lists, of which the fed row is taken.

    Each name in them is followed by {_}, which tells the two apart, and each type by {dims}; what is fed has `dims`.
    """
    names = "mnk"[: len(types)]
    inputs = "".join(f"{name}: {type_}{dims}, " for name, type_ in zip(names, types, strict=True))
    stored = "\n".join(
        f"  {name}_stored: {type_}[{len(rows)}] = {literal(held)}"
        for name, type_, held in zip(names, types, lists, strict=True)
    )
    text = f"""subgraph main ({inputs}row: int32[], x: int32[2]) -> (y, z)
{stored}
  {lines.format(_="", dims=dims)}
  {lines.format(_="_stored", dims=f"[{len(rows)}]")}
  d: bool[] = GATHER(c_stored, row) axis=0
  y: int32[2] = IF(c, x) then=doubled else=negated
  z: int32[2] = IF(d, x) then=doubled else=negated
subgraph doubled (p: int32[2]) -> (q)
  q: int32[2] = ADD(p, p)
subgraph negated (r: int32[2]) -> (s)
  s: int32[2] = NEG(r)
"""
    return then_when_true(
        case,
        tflite(text),
        [
            Run(dict(zip(names, operands, strict=True)) | {"row": np.int32(at), "x": X}, {"y": y, "z": y})
            for at, (operands, truth) in enumerate(rows)
            for y in [X + X if truth else -X]
        ],
        why=["rfc-then", "rfc-else", *why],
        also=["tflite/if/else-when-false"],
    )


def _of_rows(case: str, lines: str, rows: Sequence[Row], *why: Why) -> Vector:
    columns = list(zip(*(row.operands for row in rows), strict=True))
    return _chosen(
        case,
        lines,
        [column[0].element for column in columns],
        [([edge.tensor() for edge in row.operands], row.truth) for row in rows],
        [listed(column) for column in columns],
        *why,
    )


def _comparisons() -> Iterator[Vector]:
    for case, operator in [
        ("less", "LESS"), ("greater", "GREATER"), ("less-or-equal", "LESS_EQUAL"),
        ("greater-or-equal", "GREATER_EQUAL"),
        ("equal", "EQUAL"), ("not-equal", "NOT_EQUAL"),
    ]:  # fmt: skip
        for element in MAIN:
            yield _of_rows(
                f"edges-of-{case}-{element}: cond is {operator} of two boundary values of {element}",
                f"c{{_}}: bool{{dims}} = {operator}(m{{_}}, n{{_}})",
                compared(case, element),
            )


def _logic() -> Iterator[Vector]:
    both = list(product([False, True], repeat=2))
    for case, operator, truth in [
        ("and", "LOGICAL_AND", lambda a, b: a and b),
        ("or", "LOGICAL_OR", lambda a, b: a or b),
        ("equal-bool", "EQUAL", lambda a, b: a is b),
        ("not-equal-bool", "NOT_EQUAL", lambda a, b: a is not b),
    ]:
        yield _chosen(
            f"edges-of-{case}: cond is {operator} of two booleans",
            f"c{{_}}: bool{{dims}} = {operator}(m{{_}}, n{{_}})",
            ["bool", "bool"],
            [([np.bool_(a), np.bool_(b)], truth(a, b)) for a, b in both],
            [np.bool_([a for a, _ in both]), np.bool_([b for _, b in both])],
        )
    yield _chosen(
        "edges-of-not: cond is LOGICAL_NOT of a boolean",
        "c{_}: bool{dims} = LOGICAL_NOT(m{_})",
        ["bool"],
        [([np.True_], False), ([np.False_], True)],
        [np.bool_([True, False])],
    )


def _strings() -> Iterator[Vector]:
    pairs = [
        (b"", b""), (b"", b"\0"), (b"a", b"A"), (b"a", b"ab"), (b"ab", b"a"), (b"a\0b", b"a\0c"), (b"a\0b", b"a\0b"),
        (b"caf\xc3\xa9", b"caf\xc3\xa9"), (b"caf\xc3\xa9", b"cafe\xcc\x81"), (b"x" * 300, b"x" * 300),
    ]  # fmt: skip
    for case, operator, same in [("equal", "EQUAL", True), ("not-equal", "NOT_EQUAL", False)]:
        yield _chosen(
            f"edges-of-{case}-string: cond is {operator} of two strings",
            f"c{{_}}: bool{{dims}} = {operator}(m{{_}}, n{{_}})",
            ["string", "string"],
            [([strings([1], [a]), strings([1], [b])], (a == b) == same) for a, b in pairs],
            [strings([len(pairs)], [pair[i] for pair in pairs]) for i in (0, 1)],
            dims="[1]",
        )


def _casts() -> Iterator[Vector]:
    for element in ("float16", "float32", "float64", "int8", "int16", "int32", "int64", "uint8"):
        yield _of_rows(
            f"edges-of-cast-{element}-to-bool: cond is a number of {element}, cast to bool",
            "c{_}: bool{dims} = CAST(m{_})",
            [row for row in as_boolean(element) if not row.operands[0].is_nan],
        )
    for source, target in [
        ("float32", "int32"), ("float32", "int64"), ("int32", "float32"), ("int64", "float32"), ("int64", "int32"),
        ("int32", "int64"),
    ]:  # fmt: skip
        yield _of_rows(
            f"edges-of-cast-{source}-to-{target}: cond says whether a {source} is another number, as {target}",
            f"r{{_}}: {target}{{dims}} = CAST(m{{_}})\n  c{{_}}: bool{{dims}} = EQUAL(r{{_}}, n{{_}})",
            [row for row in converted(source, target) if holds(target, row.operands[0].exact)],
        )


def _functions() -> Iterator[Vector]:
    for function, types in {"abs": ("float32", "int32"), "neg": ("float32", "int32", "int64")}.items():
        assert function in FUNCTIONS
        for element in types:
            yield _of_rows(
                f"edges-of-{function}-{element}: cond says whether {function.upper()} of a {element} is another",
                f"r{{_}}: {element}{{dims}} = {function.upper()}(m{{_}})\n"
                "  c{_}: bool{dims} = EQUAL(r{_}, n{_})",
                applied(function, element),
            )
    for function in PAIRWISE:
        for element in MAIN:
            yield _of_rows(
                f"edges-of-{function}imum-{element}: cond says whether the {function}imum of two {element} is a third",
                f"r{{_}}: {element}{{dims}} = {function.upper()}IMUM(m{{_}}, n{{_}})\n"
                "  c{_}: bool{dims} = EQUAL(r{_}, k{_})",
                of_two(function, element),
            )


def _arithmetic() -> Iterator[Vector]:
    for case, operation, operator, types, sentences in [
        ("sum", "sum", "ADD", MAIN, []),
        ("difference", "difference", "SUB", MAIN, []),
        ("product", "product", "MUL", MAIN, []),
        ("quotient", "quotient", "DIV", ("float32",), []),
        ("quotient", "quotient-toward-zero", "DIV", ("int32",), ["kernels-div-toward-zero"]),
    ]:
        for element in types:
            yield _of_rows(
                f"edges-of-{case}-{element}: cond says whether {operator} of two {element} is a third",
                f"r{{_}}: {element}{{dims}} = {operator}(m{{_}}, n{{_}})\n"
                "  c{_}: bool{dims} = EQUAL(r{_}, k{_})",
                computed(operation, element),
                *sentences,
            )


def _gathers() -> Iterator[Vector]:
    for element in ("int32", "int64"):
        index = np.dtype(ELEMENTS[element].numpy).type
        yield then_when_true(
            f"edges-of-gather-{element}: cond is the first or the last element of a list, at an {element}",
            tflite(f"""
                subgraph main (list: bool[3], at: {element}[], x: int32[2]) -> (y)
                  c: bool[] = GATHER(list, at) axis=0
                  y: int32[2] = IF(c, x) then=doubled else=negated
                subgraph doubled (p: int32[2]) -> (q)
                  q: int32[2] = ADD(p, p)
                subgraph negated (r: int32[2]) -> (s)
                  s: int32[2] = NEG(r)
            """),
            [
                Run({"list": flags, "at": index(at), "x": X}, {"y": X + X if flags[at] else -X})
                for at in (0, 2)
                for only in [np.arange(3) == at]
                for flags in (only, ~only)
            ],
            also=["tflite/if/else-when-false"],
        )
