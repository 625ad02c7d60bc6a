"""Clauses of operators before opset 7: where the second operand is broadcast to the first, Cast to a name, and those
whose shapes are attributes."""

from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np
from ifcert.authoring import Run, Vector, Why, edited, floats, model, says, vectors_of
from ifcert.authoring.onnx_clauses import Call, X, clauses_of
from onnx import ModelProto, TensorProto, helper

cond_source = vectors_of("onnx/if/cond-source")

# [2, 3, 2], and the second operands by name; of every length there are different numbers.
FIRST = np.array([3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8]).reshape(2, 3, 2)
SECOND = {
    "whole": np.array([2, 7, 1, 8, 2, 8, 1, 8, 2, 8, 4, 5]).reshape(2, 3, 2),
    "scalar": np.array(4),
    "ones": np.array([[5]]),
    "pair": np.array([2, 6]),
    "three": np.array([1, 5, 4]),
    "rows": np.array([[4, 1, 5], [2, 7, 3]]),
    "columns": np.array([[1, 4], [5, 2], [6, 8]]),
}

# A second operand, the attributes, and the axes of the first that it gets to have the same rank.
PLACES: list[tuple[str, str, tuple[int, ...]]] = [
    ("whole", "", ()),
    ("whole", "broadcast = 0", ()),
    ("whole", "broadcast = 1", ()),
    ("scalar", "broadcast = 1", (0, 1, 2)),
    ("ones", "broadcast = 1", (0,)),
    ("pair", "broadcast = 1", (0, 1)),
    ("pair", "broadcast = 1, axis = 2", (0, 1)),
    ("pair", "broadcast = 1, axis = 0", (1, 2)),
    ("three", "broadcast = 1, axis = 1", (0, 2)),
    ("columns", "broadcast = 1", (0,)),
    ("columns", "broadcast = 1, axis = 1", (0,)),
    ("rows", "broadcast = 1, axis = 0", (2,)),
]

Function = Callable[[np.ndarray, np.ndarray], np.ndarray]


def _truncated(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """The quotient rounded toward zero, of numbers that no float64 rounds."""
    return np.trunc(a / b).astype(a.dtype)


GROUPS: list[tuple[str, dict[str, Function], type]] = [
    ("less", {"Less": np.less}, np.float32),
    ("greater", {"Greater": np.greater}, np.float32),
    ("equal", {"Equal": np.equal}, np.int64),
    ("logic", {"And": np.logical_and, "Or": np.logical_or, "Xor": np.logical_xor}, np.bool_),
    ("arithmetic", {"Add": np.add, "Sub": np.subtract, "Mul": np.multiply, "Div": _truncated}, np.int64),
]


def _broadcast() -> Iterator[Vector]:
    for case, functions, dtype in GROUPS:
        logic = dtype is np.bool_
        first = FIRST % 2 == 1 if logic else FIRST.astype(dtype) * (-3 if case == "arithmetic" else 1)
        second = {each: held % 2 == 1 if logic else held.astype(dtype) for each, held in SECOND.items()}
        yield clauses_of(
            f"clauses-of-{case}-6: conds say what {', '.join(functions)} of opset 6 make of operands, broadcast or not",
            {"a": first, **second},
            [
                Call(
                    f"{{r}} = {name} {f'<{attributes}>' if attributes else ''} (a{{_}}, {each}{{_}})",
                    function(first, np.broadcast_to(np.expand_dims(second[each], axes), first.shape)),
                )
                for name, function in functions.items()
                for each, attributes, axes in PLACES
            ],
            says(
                "operators-add-6-element-of-size-one",
                "operators-add-6-subset",
                "operators-add-6-axis",
                "operators-add-6-examples",
            ),
            opset=6,
        )


def _powers() -> Iterator[Vector]:
    """How exact a power is no text says: each is compared with what is far below or above it."""
    base, exponents = FIRST.astype(np.float32), {each: held.astype(np.float32) for each, held in SECOND.items()}
    calls = []
    for turn, (each, attributes, axes) in enumerate(PLACES):
        power = base.astype(np.float64) ** np.broadcast_to(np.expand_dims(exponents[each], axes), base.shape)
        below = np.arange(power.size).reshape(power.shape) % 2 == turn % 2
        bounds = ", ".join(str(float(bound)) for bound in np.where(below, power * 0.75, power * 1.5).ravel())
        shape = f"<{attributes}>" if attributes else ""
        calls.append(
            Call(
                f"{{t}}p = Pow {shape} (a{{_}}, {each}{{_}}) "
                f"{{t}}b = Constant <value = float[2, 3, 2] {{{{{bounds}}}}}> () {{r}} = Less ({{t}}b, {{t}}p)",
                below,
            )
        )
    yield clauses_of(
        "clauses-of-pow-6: conds say whether Pow of opset 6 is above a bound; its exponents are broadcast or not",
        {"a": base, **exponents},
        calls,
        says("operators-pow", "operators-add-6-subset", "operators-add-6-axis", "operators-add-6-examples"),
        opset=6,
    )


def _casts() -> Iterator[Vector]:
    """Cast-1 has the type in words."""
    numbers = floats(0, 1, -2, 100, 0.5, -0.0)
    words = {"INT32": np.int32, "INT64": np.int64, "UINT8": np.uint8, "INT8": np.int8, "DOUBLE": np.float64}
    whole = numbers[[0, 1, 3]]
    calls = [Call('{r} = Cast <to = "BOOL"> (a{_})', numbers != 0)]
    for word, dtype in words.items():
        calls.append(
            Call(
                f'{{t}}n = Cast <to = "{word}"> (whole{{_}}) {{t}}m = Cast <to = "INT64"> ({{t}}n) '
                "{r} = Equal ({t}m, want_whole{_})",
                whole.astype(dtype) == np.int64([0, 1, 99]),
            )
        )
    made = clauses_of(
        "clauses-of-cast-5: conds are made by Cast of opset 5, which has the type in words",
        {"a": numbers, "whole": whole, "want_whole": np.int64([0, 1, 99])},
        calls,
        says("operators-cast-1-to", "operators-cast-floating-to-bool"),
        opset=5,
    )
    assert isinstance(made.model, ModelProto)
    yield replace(made, model=edited(made.model, _declare_casts))


def _declare_casts(m: ModelProto) -> None:
    """The types of what each Cast returns, which onnx.checker does not infer in opset 5."""
    for node in m.graph.node:
        if node.op_type == "Cast":
            element = TensorProto.DataType.Value(node.attribute[0].s.decode())
            m.graph.value_info.append(helper.make_tensor_value_info(node.output[0], element, None))


A = floats([[3, 1], [4, 1], [5, 9]], [[2, 6], [5, 3], [5, 8]])
ROWS = A[:, :, 1]


def _of_attributes() -> Iterator[Vector]:
    """Operators of opset 1 and 3, of floating-point numbers alone; a Sub of other dims is refused."""
    for opset, pads in ((1, "paddings"), (3, "pads")):
        calls = {
            "Concat (rows, rows)": np.concatenate([ROWS, ROWS], 1),
            "Concat <axis = 0> (rows, rows)": np.concatenate([ROWS, ROWS]),
            "Concat (a, a)": np.concatenate([A, A], 1),
            "Reshape <shape = [-1]> (a)": A.ravel(),
            "Reshape <shape = [0, -1]> (a)": A.reshape(2, 6),
            "Reshape <shape = [-1, 0]> (a)": A.reshape(4, 3),
            f"Pad <{pads} = [0, 1, 0, 2]> (rows)": np.pad(ROWS, [(0, 0), (1, 2)]),
            f"Pad <{pads} = [1, 0, 0, 1], value = 9.0> (rows)": np.pad(ROWS, [(1, 0), (0, 1)], constant_values=9),
            f'Pad <{pads} = [0, 1, 1, 2], mode = "edge"> (rows)': np.pad(ROWS, [(0, 1), (1, 2)], "edge"),
            f'Pad <{pads} = [1, 2, 0, 1], mode = "reflect"> (rows)': np.pad(ROWS, [(1, 0), (2, 1)], "reflect"),
        }
        yield _each_compared(
            f"clauses-of-opset-{opset}: conds say what Concat, Reshape and Pad of opset {opset} make of tensors",
            calls,
            opset,
            says("operators-concat-1-axis", "operators-reshape-1-zero", f"operators-pad-{1 if opset == 1 else 2}-pads"),
        )


def _each_compared(case: str, calls: dict[str, np.ndarray], opset: int, why: Why) -> Vector:
    """One If for each call, whose cond says whether the result is what is fed; in each run one of these is wrong."""
    nodes, choices = [], []
    for i, call in enumerate(calls):
        nodes.append(
            f"r{i} = {call} d{i} = Sub (r{i}, want{i}) a{i} = Abs (d{i}) s{i} = ReduceSum <keepdims = 0> (a{i}) "
            f'differs{i} = Cast <to = "BOOL"> (s{i}) c{i} = Not (differs{i})'
        )
        choices.append(
            f"y{i} = If (c{i}) <then_branch = then{i} () => (float[2] p{i}) {{ p{i} = Add (x, x) }}, "
            f"else_branch = else{i} () => (float[2] q{i}) {{ q{i} = Neg (x) }}>"
        )
    wants = ", ".join(f"float[{', '.join(map(str, held.shape))}] want{i}" for i, held in enumerate(calls.values()))
    outputs = ", ".join(f"float[2] y{i}" for i in range(len(calls)))
    text = (
        f"g (float[2, 3, 2] a, float[2, 3] rows, {wants}, float[2] x) => ({outputs}) {{ {' '.join(nodes + choices)} }}"
    )
    runs = []
    for wrong in range(-1, len(calls)):
        fed = {
            f"want{i}": held + (np.arange(held.size).reshape(held.shape) == i) for i, held in enumerate(calls.values())
        }
        fed |= {f"want{i}": held for i, held in enumerate(calls.values()) if i != wrong}
        expect = {f"y{i}": -X if i == wrong else X + X for i in range(len(calls))}
        runs.append(
            Run(
                {"a": A, "rows": ROWS} | {name: held.astype(np.float32) for name, held in fed.items()} | {"x": X},
                expect,
            )
        )
    return cond_source(case, model(text, opset), runs, why=["if-cond", why])
