"""Cond: one element, bool, from any source; and it is If's only input."""

from collections.abc import Iterator

import numpy as np
from ifcert.authoring import Run, Vector, floats, issue, model, replaced, says, vectors_of
from ifcert.authoring.elements import ELEMENTS
from ifcert.authoring.if_types import elements_added
from ifcert.authoring.models import Edit
from ifcert.authoring.values import Writable, codes, sequence, some, strings
from onnx import ModelProto, TypeProto, parser

ONLY_BOOL = says("if-cond-types-list", "if-cond-only-bool")

cond_single_element = vectors_of("onnx/if/cond-single-element", "if-cond-single-element")
cond_is_bool = vectors_of("onnx/if/cond-is-bool", ONLY_BOOL)

X = floats(1, -2)
SUM, NEGATED = floats(2, -4), floats(-1, 2)


def choice(cond_type: str, opset: int = 16) -> ModelProto:
    """Then x + x, else -x, under a cond declared this way."""
    return model(
        f"""
        choice ({cond_type} cond, float[2] x) => (float[2] y) {{
            y = If (cond) <
                then_branch = doubled () => (float[2] a) {{ a = Add (x, x) }},
                else_branch = negated () => (float[2] b) {{ b = Neg (x) }}>
        }}""",
        opset,
    )


def cond_declared(type_: str) -> Edit:
    """The graph input cond is declared with this type instead."""

    def edit(m: ModelProto) -> None:
        m.graph.input[0].type.CopyFrom(_type(type_))

    return edit


def _type(text: str) -> TypeProto:
    return parser.parse_graph(f"g ({text} v) => () {{}}").input[0].type


# Else's own If has a cond whose rank no declaration and no constant tells.
UNTAKEN_CAST = model("""
    untaken (bool cond, int64 n, int64[r] to, float[2] x) => (float[2] y) {
        y = If (cond) <
            then_branch = then_graph () => (float[2] a) { a = Add (x, x) },
            else_branch = else_graph () => (float[2] b) {
                chosen = Cast <to = 9> (n)
                flag = Reshape (chosen, to)
                b = If (flag) <
                    then_branch = deep_then () => (float[2] c) { c = Abs (x) },
                    else_branch = deep_else () => (float[2] d) { d = Neg (x) }>
            }>
    }""")


def _both_ways(shape: list[int]) -> list[Run]:
    return [
        Run({"cond": np.full(shape, True), "x": X}, {"y": SUM}),
        Run({"cond": np.full(shape, False), "x": X}, {"y": NEGATED}),
    ]


def _static_shapes() -> Iterator[Vector]:
    of_rank = {}
    for dims in ([], [1], [1, 1], [1, 1, 1]):
        why = ["if-cond-single-element"]
        if dims == [1]:
            why.append(issue("microsoft/onnxruntime", 6884, "a tool failed on a cond of shape [1]"))
        of_rank[len(dims)] = cond_single_element(
            f"rank-{len(dims)}: a cond of shape {dims} selects, and the output's shape stays [2]",
            choice(f"bool{dims}" if dims else "bool"),
            _both_ways(dims),
            why=why,
        )
        yield of_rank[len(dims)]
    for name, dims in {"no-element": [0], "two-elements": [2], "one-by-two": [1, 2], "one-by-none": [1, 0]}.items():
        yield of_rank[len(dims)].broken(
            f"{name}: a cond declared with shape {dims} is refused",
            cond_declared(f"bool{dims}"),
            runs=[{"cond": np.full(dims, True), "x": X}],
        )


def _dynamic_shapes() -> Iterator[Vector]:
    dynamic = cond_single_element(
        "dynamic-length-one: a cond of shape [n] selects when n is 1", choice("bool[n]"), _both_ways([1])
    )
    refused = {
        "dynamic-length-none": [],
        "dynamic-length-two": [True, False],
        "dynamic-length-two-agreeing": [True, True],
        "dynamic-length-three-false": [False, False, False],
    }
    for name, elements in refused.items():
        yield dynamic.refusing(
            f"{name}: the session that accepted one element refuses cond {elements}",
            {"cond": np.array(elements, bool), "x": X},
        )


def _types() -> Iterator[Vector]:
    boolean = cond_is_bool("bool: a bool cond is accepted", choice("bool"), _both_ways([]))
    one: dict[str, tuple[str, Writable]] = {
        "int8": ("int8", np.int8(1)),
        "int16": ("int16", np.int16(1)),
        "int32": ("int32", np.int32(1)),
        "int64": ("int64", np.int64(1)),
        "uint8": ("uint8", np.uint8(1)),
        "uint16": ("uint16", np.uint16(1)),
        "uint32": ("uint32", np.uint32(1)),
        "uint64": ("uint64", np.uint64(1)),
        "float16": ("float16", np.float16(1)),
        "bfloat16": ("bfloat16", codes("bfloat16", [], [0x3F80])),
        "float32": ("float", np.float32(1)),
        "float64": ("double", np.float64(1)),
        "complex64": ("complex64", np.complex64(1)),
        "complex128": ("complex128", np.complex128(1)),
        "string": ("string", strings([], [b"true"])),
        "sequence-of-bool": ("seq(bool)", sequence("tensor(bool)", [np.True_])),
        "optional-of-bool": ("optional(bool)", some(np.True_)),
    }
    for name, (text, cond) in one.items():
        title = f"a cond of type {name.replace('-', ' ')} is refused"
        yield boolean.broken(f"{name}: {title}", cond_declared(text), runs=[{"cond": cond, "x": X}])


def _late_types() -> Iterator[Vector]:
    """The types introduced after opset 16, each under the first opset that has it."""
    for opset in (19, 21, 23, 24, 25):
        boolean = cond_is_bool(
            f"bool-in-opset-{opset}: a bool cond is accepted in opset {opset}", choice("bool", opset), _both_ways([])
        )
        for element in elements_added(opset):
            yield boolean.broken(
                f"{element}: a cond of type {element} is refused",
                cond_declared(ELEMENTS[element].text),
                runs=[{"cond": codes(element, [], [1]), "x": X}],
            )


def _inputs() -> Iterator[Vector]:
    signature = "ir-signature"
    one = Vector(
        "onnx/if/one-input/cond-alone",
        "cond is If's only input",
        ["if-inputs", signature],
        choice("bool"),
        _both_ways([]),
    )
    yield one.broken("no-input: an If without inputs is refused", replaced("y = If (cond) <", "y = If () <"))
    yield one.broken(
        "cond-and-x: an If with x as a second input is refused", replaced("y = If (cond) <", "y = If (cond, x) <")
    )
    yield one.broken(
        "cond-twice: an If with cond as both of its inputs is refused",
        replaced("y = If (cond) <", "y = If (cond, cond) <"),
    )
    yield one.broken(
        "empty-name: an If whose input is the empty name is refused", replaced("y = If (cond) <", 'y = If ("") <')
    )


def _untaken() -> Iterator[Vector]:
    twin = cond_is_bool(
        "unknown-rank-in-untaken-branch: the cond of an If that no run reaches is a bool of unknown rank",
        UNTAKEN_CAST,
        Run({"cond": np.True_, "n": np.int64(1), "to": np.int64([1]), "x": X}, {"y": X + X}),
    )
    yield twin.broken(
        "unknown-rank-in-untaken-branch-int64: the cond of an If that no run reaches is an int64 of unknown rank",
        replaced("chosen = Cast <to = 9> (n)", "chosen = Cast <to = 7> (n)"),
    )
