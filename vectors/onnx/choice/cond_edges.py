"""Conds made of the boundary values of each type: fed, and stored in lists, from which each run reads a row."""

from collections.abc import Iterator, Sequence
from itertools import product

import numpy as np
from ifcert.authoring import Run, Vector, Why, add_initializer, codes, edited, floats, model, says, strings, vectors_of
from ifcert.authoring.edge_tables import (
    FUNCTIONS,
    PAIRWISE,
    Row,
    applied,
    as_boolean,
    compared,
    computed,
    converted,
    of_two,
    raised,
)
from ifcert.authoring.edges import FLOATS, INTEGERS, listed
from ifcert.authoring.elements import ELEMENTS
from ifcert.authoring.values import Writable
from onnx import ModelProto

cond_source = vectors_of("onnx/if/cond-source")

X = floats(1, -2)

EVERY = (*FLOATS, *INTEGERS)
NAMES = ("m", "n", "k")
MAIN = ("float16", "float32", "float64", "int64")


def _chosen(
    case: str,
    nodes: str,
    types: Sequence[str],
    rows: Sequence[tuple[Sequence[Writable], bool]],
    lists: Sequence[Writable],
    *why: Why,
    opset: int = 16,
) -> Vector:
    """`nodes` make c of m, n, …: once of what is fed, once of the stored lists, of which the fed row is taken.

    Each name in `nodes` is followed by {_}, which tells the two apart.
    """
    names = NAMES[: len(types)]
    inputs = "".join(f"{ELEMENTS[type_].text} {name}, " for type_, name in zip(types, names, strict=True))
    text = f"""
        g ({inputs}int64 row, float[2] x) => (float[2] y, float[2] z) {{
            {nodes.format(_="")}
            {nodes.format(_="_stored")}
            d = Gather (c_stored, row)
            y = If (c) <
                then_branch = then_of_fed () => (float[2] p) {{ p = Add (x, x) }},
                else_branch = else_of_fed () => (float[2] q) {{ q = Neg (x) }}>
            z = If (d) <
                then_branch = then_of_stored () => (float[2] s) {{ s = Add (x, x) }},
                else_branch = else_of_stored () => (float[2] t) {{ t = Neg (x) }}>
        }}"""

    def store(m: ModelProto) -> None:
        for name, held in zip(names, lists, strict=True):
            add_initializer(m.graph, f"{name}_stored", held)

    return cond_source(
        case,
        edited(model(text, opset), store),
        [
            Run(dict(zip(names, operands, strict=True)) | {"row": np.int64(at), "x": X}, {"y": y, "z": y})
            for at, (operands, truth) in enumerate(rows)
            for y in [X + X if truth else -X]
        ],
        why=["if-cond", *why],
    )


def _of_rows(case: str, nodes: str, rows: Sequence[Row], *why: Why, opset: int = 16) -> Vector:
    columns = list(zip(*(row.operands for row in rows), strict=True))
    return _chosen(
        case,
        nodes,
        [column[0].element for column in columns],
        [([edge.tensor() for edge in row.operands], row.truth) for row in rows],
        [listed(column) for column in columns],
        *why,
        opset=opset,
    )


def _comparisons() -> Iterator[Vector]:
    for case, operator, sentence, types in [
        ("less", "Less", "operators-less", EVERY),
        ("equal", "Equal", "operators-equal", EVERY),
        ("greater", "Greater", "operators-greater", MAIN),
        ("less-or-equal", "LessOrEqual", "operators-lessorequal", MAIN),
        ("greater-or-equal", "GreaterOrEqual", "operators-greaterorequal", MAIN),
    ]:
        for element in types:
            yield _of_rows(
                f"edges-of-{case}-{element}: cond is {operator} of two boundary values of {element}",
                f"c{{_}} = {operator} (m{{_}}, n{{_}})",
                compared(case, element),
                sentence,
            )


def _logic() -> Iterator[Vector]:
    both = list(product([False, True], repeat=2))
    for case, operator, sentence, truth in [
        ("and", "And", "operators-and", lambda a, b: a and b),
        ("or", "Or", "operators-or", lambda a, b: a or b),
        ("xor", "Xor", "operators-xor", lambda a, b: a is not b),
        ("equal-bool", "Equal", "operators-equal", lambda a, b: a is b),
    ]:
        yield _chosen(
            f"edges-of-{case}: cond is {operator} of two booleans",
            f"c{{_}} = {operator} (m{{_}}, n{{_}})",
            ["bool", "bool"],
            [([np.bool_(a), np.bool_(b)], truth(a, b)) for a, b in both],
            [np.bool_([a for a, _ in both]), np.bool_([b for _, b in both])],
            sentence,
        )
    yield _chosen(
        "edges-of-not: cond is Not of a boolean",
        "c{_} = Not (m{_})",
        ["bool"],
        [([np.True_], False), ([np.False_], True)],
        [np.bool_([True, False])],
        "operators-not",
    )


def _strings() -> Iterator[Vector]:
    pairs = [
        (b"", b""), (b"", b"\0"), (b"\0", b"\0"), (b"a", b"A"), (b"a", b"ab"), (b"ab", b"a"), (b"a\0b", b"a\0c"),
        (b"a\0b", b"a\0b"), (b"caf\xc3\xa9", b"caf\xc3\xa9"), (b"caf\xc3\xa9", b"cafe\xcc\x81"), (b" a", b"a"),
        (b"a long text that ends in one", b"a long text that ends in two"), (b"x" * 300, b"x" * 300),
    ]  # fmt: skip
    yield _chosen(
        "edges-of-equal-string: cond is Equal of two strings",
        "c{_} = Equal (m{_}, n{_})",
        ["string", "string"],
        [([strings([], [a]), strings([], [b])], a == b) for a, b in pairs],
        [strings([len(pairs)], [pair[i] for pair in pairs]) for i in (0, 1)],
        "operators-equal-19-strings",
        opset=19,
    )


# The bits of the zeros of the types that no arithmetic here knows, and whether there are any.
NARROW = {
    "int4": [0], "uint4": [0], "float8e4m3fn": [0x00, 0x80], "float8e4m3fnuz": [0x00], "float8e5m2": [0x00, 0x80],
    "float8e5m2fnuz": [0x00],
}  # fmt: skip


def _casts_to_bool() -> Iterator[Vector]:
    for element in EVERY:
        sentence = "floating" if element in FLOATS else "fixed"
        yield _of_rows(
            f"edges-of-cast-{element}-to-bool: cond is a boundary value of {element}, cast to bool",
            "c{_} = Cast <to = 9> (m{_})",
            as_boolean(element),
            f"operators-cast-{sentence}-to-bool",
        )
    for element, zeros in NARROW.items():
        every = (
            range(1 << ELEMENTS[element].bits) if element.endswith("4") else [0, 0x80, 1, 0x81, 0x7E, 0x7F, 0xFF, 0x38]
        )
        yield _chosen(
            f"edges-of-cast-{element}-to-bool: cond is a value of {element}, cast to bool",
            "c{_} = Cast <to = 9> (m{_})",
            [element],
            [([codes(element, [], [code])], code not in zeros) for code in every],
            [codes(element, [len(every)], list(every))],
            says("operators-cast-fixed-to-bool" if "int" in element else "operators-cast-floating-to-bool"),
            opset=21,
        )


def _casts() -> Iterator[Vector]:
    for source, target in [
        ("float16", "float32"), ("bfloat16", "float32"), ("float32", "float16"), ("float32", "bfloat16"),
        ("float64", "float32"), ("float32", "float64"), ("float16", "int32"), ("float32", "int64"),
        ("float64", "int64"), ("int32", "float32"), ("int64", "float32"), ("int64", "float64"), ("uint64", "float32"),
        ("int64", "int32"), ("int64", "int8"), ("int32", "uint8"), ("uint64", "int64"), ("int8", "uint64"),
    ]:  # fmt: skip
        kinds = ["floating" if each in FLOATS else "fixed" for each in (source, target)]
        sentence = "operators-cast-fixed-to-fixed" if kinds == ["fixed", "fixed"] else "operators-cast-always-allowed"
        if kinds == ["floating", "floating"]:
            sentence = "operators-cast-floating-to-floating"
        yield _of_rows(
            f"edges-of-cast-{source}-to-{target}: cond says whether a {source} is another number, cast to {target}",
            f"r{{_}} = Cast <to = {ELEMENTS[target].onnx}> (m{{_}})  c{{_}} = Equal (r{{_}}, n{{_}})",
            converted(source, target),
            says(sentence, "operators-equal"),
        )


def _functions() -> Iterator[Vector]:
    for function, types in {
        "sign": ("float16", "float32", "float64", "int8", "int64", "uint64"),
        "abs": ("float32", "float64", "int32", "int64"),
        "neg": ("float32", "float64", "int32", "int64"),
        "ceil": ("float32", "float64"),
    }.items():
        assert function in FUNCTIONS
        for element in types:
            yield _of_rows(
                f"edges-of-{function}-{element}: cond says whether {function.capitalize()} of a {element} is another",
                f"r{{_}} = {function.capitalize()} (m{{_}})  c{{_}} = Equal (r{{_}}, n{{_}})",
                applied(function, element),
                says(f"operators-{function}", "operators-equal"),
            )
    for function in PAIRWISE:
        for element in ("float32", "float64", "int64", "uint64"):
            yield _of_rows(
                f"edges-of-{function}-{element}: cond says whether {function.capitalize()} of two {element} is a third",
                f"r{{_}} = {function.capitalize()} (m{{_}}, n{{_}})  c{{_}} = Equal (r{{_}}, k{{_}})",
                of_two(function, element),
                says(f"operators-{function}", "operators-equal"),
            )


def _arithmetic() -> Iterator[Vector]:
    """Of integers, a quotient is rounded toward zero; of floating-point numbers, only those are here that are exact."""
    for case, operation, operator, types in [
        ("sum", "sum", "Add", ("float16", "float32", "float64", "int8", "int32", "int64", "uint8", "uint64")),
        ("difference", "difference", "Sub", ("float32", "float64", "int8", "int32", "int64", "uint8", "uint64")),
        ("product", "product", "Mul", ("float16", "float32", "float64", "int8", "int32", "int64", "uint8", "uint64")),
        ("quotient", "quotient", "Div", ("float16", "float32", "float64")),
        ("quotient", "quotient-toward-zero", "Div", ("int8", "int32", "int64", "uint8", "uint64")),
    ]:
        sentences = [f"operators-{operator.lower()}", "operators-equal"]
        if operation == "quotient-toward-zero":
            sentences.insert(1, "operators-div-toward-zero")
        for element in types:
            yield _of_rows(
                f"edges-of-{case}-{element}: cond says whether {operator} of two {element} is a third",
                f"r{{_}} = {operator} (m{{_}}, n{{_}})  c{{_}} = Equal (r{{_}}, k{{_}})",
                computed(operation, element),
                says(*sentences),
            )
    for element in ("int32", "int64"):
        yield _of_rows(
            f"edges-of-power-{element}: cond says whether Pow of two {element} is a third",
            "r{_} = Pow (m{_}, n{_})  c{_} = Equal (r{_}, k{_})",
            raised(element),
            says("operators-pow", "operators-equal"),
        )
