"""Dims that are not known before the run are those of the run's values."""

from collections.abc import Iterator

import numpy as np
from ifcert.authoring import Run, Vector, floats, issue, vectors_of
from ifcert.authoring.ir import IrModel
from ifcert.authoring.ir_bodies import (
    applied,
    applied_to_constant,
    applied_to_two,
    body,
    constant,
    gives,
    if_layer,
    if_model,
    passed,
    takes,
)
from ifcert.authoring.ir_text import edges, net, operation, parameter, result

dynamic_shape = vectors_of("openvino/if/dynamic-shape", "if-8-outputs")


def _growing(type_: str = "f32[?]") -> IrModel:
    """x twice, or -x."""
    return if_model(
        {"cond": "boolean[]", "x": type_},
        {"y": type_},
        applied("Concat", type_, to=2),
        applied("Negative", type_, to=2),
    )


def _grown(cond: bool, x: np.ndarray) -> Run:
    return Run({"cond": np.bool_(cond), "x": x}, {"y": np.concatenate([x, x]) if cond else -x})


def _counted(*shape: int, first: int = 1) -> np.ndarray:
    return np.arange(first, first + int(np.prod(shape)), dtype=np.float32).reshape(shape)


def vectors() -> Iterator[Vector]:
    for length in (1, 2, 7, 0):
        for cond in (True, False):
            yield dynamic_shape(
                f"length-{length}-{'then' if cond else 'else'}: x is [?], fed as [{length}]",
                _growing(),
                _grown(cond, _counted(length)),
            )
    for shape in ([2, 3], [1, 1], [3, 0], [0, 2]):
        name = "-by-".join(map(str, shape))
        yield dynamic_shape(
            f"matrix-{name}: x is [?,?], fed as {shape}",
            _growing("f32[?,?]"),
            [_grown(False, _counted(*shape)), _grown(True, _counted(*shape))],
        )
    yield dynamic_shape(
        "one-dim-known: x is [?,3]",
        _growing("f32[?,3]"),
        [_grown(True, _counted(1, 3)), _grown(False, _counted(4, 3)), _grown(True, _counted(2, 3))],
    )
    for case, dims, lengths in [
        ("bounded", "1..5", (1, 5, 3, 2)),
        ("bounded-above", "..5", (0, 5, 3)),
        ("bounded-below", "2..", (2, 9, 3)),
        ("bounded-to-one", "3..3", (3,)),
        ("bounded-beyond-32-bits", "1..4294967296", (1, 5)),
    ]:
        yield dynamic_shape(
            f"{case}: x is [{dims}], fed with lengths from {min(lengths)} to {max(lengths)}",
            if_model(
                {"cond": "boolean[]", "x": f"f32[{dims}]"},
                {"y": "f32[?]"},
                applied("Concat", "f32[?]", to=2),
                applied("Negative", "f32[?]", to=2),
            ),
            [_grown(bool(length % 2), _counted(length)) for length in lengths],
        )
    yield _static_and_dynamic()
    yield _unsqueezed()
    yield _length_computed()
    yield _beside_a_reshape()
    yield _constants_beside_a_reshape()
    yield _sometimes_one()


def _static_and_dynamic() -> Vector:
    """One body's shape is known, the other's depends on the run."""
    held = floats(100, 200, 300)
    return dynamic_shape(
        "constant-and-dynamic: then_body returns a constant of [3], else_body x of [?]",
        if_model({"cond": "boolean[]", "x": "f32[?]"}, {"y": "f32[?]"}, constant(held, to=2), passed("f32[?]", to=2)),
        [
            Run({"cond": np.bool_(cond), "x": _counted(length)}, {"y": held if cond else _counted(length)})
            for cond, length in [(False, 5), (True, 5), (False, 1), (True, 1), (False, 3)]
        ],
        why=["if-8-outputs", "if-draft-shape-undefined"],
    )


def _unsqueezed() -> Vector:
    """Ranks differ: one body adds a dim to x."""
    more = applied_to_constant("Unsqueeze", "f32[?]", np.int64([0]), out="f32[1,?]", to=2)
    return dynamic_shape(
        "ranks-of-bodies: then_body returns x as [1,?], else_body as [?]",
        if_model({"cond": "boolean[]", "x": "f32[?]"}, {"y": "f32[...]"}, more, passed("f32[?]", to=2)),
        [
            Run(
                {"cond": np.bool_(cond), "x": _counted(length)},
                {"y": _counted(length)[None] if cond else _counted(length)},
            )
            for cond, length in [(True, 2), (False, 3), (True, 1)]
        ],
        why=[
            "if-8-outputs",
            "if-draft-shape-undefined",
            issue("openvinotoolkit/openvino", 33027, "after bodies of different rank everything had a dynamic rank"),
        ],
    )


def _length_computed() -> Vector:
    """The shape is a value of the run: x is reshaped as another input specifies."""
    reshaped = applied_to_two("Reshape", {"a": "f32[?,?]", "to": "i64[2]"}, to=3, data='special_zero="false"')
    runs = []
    for cond, shape, to in [
        (True, (2, 3), (3, 2)),
        (False, (2, 3), (1, 1)),
        (True, (1, 4), (2, 2)),
        (True, (4, 3), (1, 12)),
    ]:
        x = _counted(*shape)
        runs.append(Run({"cond": np.bool_(cond), "x": x, "to": np.int64(to)}, {"y": x.reshape(to) if cond else x + x}))
    return dynamic_shape(
        "shape-is-a-value: then_body reshapes x as the input `to` specifies",
        if_model(
            {"cond": "boolean[]", "x": "f32[?,?]", "to": "i64[2]"},
            {"y": "f32[?,?]"},
            reshaped,
            applied("Add", "f32[?,?]", to=3),
        ),
        runs,
    )


def _beside_a_reshape() -> Vector:
    """The first run passes x on; beside the If, another input is reshaped to its own shape."""
    fifty = constant(np.int64([50]), to=2)
    flags, mask = "boolean[?]", np.bool_([True, False, True, True, False, False])
    return dynamic_shape(
        "passed-in-first-run: "
        "then_body returns [50], else_body x of [?], which is [60]; beside the If, six booleans are reshaped",
        net(
            parameter(0, "cond", "boolean[]"),
            parameter(1, "x", "i64[?]"),
            parameter(2, "flags", flags),
            if_layer(3, ["boolean[]", "i64[?]"], {"y": "i64[?]"}, fifty, passed("i64[?]", to=2)),
            operation(4, "ShapeOf", [flags], "i64[1]", data='output_type="i64"', opset=3),
            operation(5, "Reshape", [flags, "i64[1]"], flags, data='special_zero="false"', name="same"),
            result(6, "i64[?]"),
            result(7, flags),
            edges("0:0>3:0 1:0>3:1 3:2>6:0 2:0>4:0 2:0>5:0 4:1>5:1 5:2>7:0"),
        ),
        Run({"cond": np.False_, "x": np.int64([60]), "flags": mask}, {"y": np.int64([60]), "same": mask}),
    )


def _constants_beside_a_reshape() -> Vector:
    """As above, with an If of constants, whose length depends on cond alone."""
    fifty, two = constant(np.int64([50]), to=1), constant(np.int64([60, 61]), to=1)
    flags, mask = "boolean[?]", np.bool_([True, False, False, True] * 5)
    return dynamic_shape(
        "constant-in-first-run: "
        "then_body returns [50], else_body [60, 61]; beside the If, twenty booleans are reshaped",
        net(
            parameter(0, "cond", "boolean[]"),
            parameter(1, "flags", flags),
            if_layer(2, ["boolean[]"], {"y": "i64[?]"}, fifty, two),
            operation(3, "ShapeOf", [flags], "i64[1]", data='output_type="i64"', opset=3),
            operation(4, "Reshape", [flags, "i64[1]"], flags, data='special_zero="false"', name="same"),
            result(5, "i64[?]"),
            result(6, flags),
            edges("0:0>2:0 2:1>5:0 1:0>3:0 1:0>4:0 3:1>4:1 4:2>6:0"),
        ),
        Run({"cond": np.False_, "flags": mask}, {"y": np.int64([60, 61]), "same": mask}),
    )


def _sometimes_one() -> Vector:
    """(a + b) * a - b, where a dim is 1 in some runs, and repeated in these alone."""
    matrix = "f32[?,?]"
    formula = body(
        [takes(1, 0), takes(2, 1), gives(3, 5)],
        parameter(0, "a", matrix),
        parameter(1, "b", matrix),
        operation(2, "Add", [matrix, matrix], matrix),
        operation(3, "Multiply", [matrix, matrix], matrix),
        operation(4, "Subtract", [matrix, matrix], matrix),
        result(5, matrix),
        edges("0:0>2:0 1:0>2:1 2:2>3:0 0:0>3:1 3:2>4:0 1:0>4:1 4:2>5:0"),
    )
    runs = []
    for cond, of_a, of_b in [
        (True, (2, 3), (2, 3)),
        (True, (2, 1), (1, 3)),
        (False, (1, 1), (1, 1)),
        (True, (1, 3), (2, 1)),
        (True, (2, 3), (1, 1)),
        (True, (1, 1), (2, 3)),
    ]:
        a, b = _counted(*of_a), _counted(*of_b, first=10)
        runs.append(Run({"cond": np.bool_(cond), "a": a, "b": b}, {"y": (a + b) * a - b if cond else -a}))
    return dynamic_shape(
        "repeated-in-some-runs: "
        "then_body computes (a + b) * a - b, where dims of a and b are 1 in some runs, and else_body -a",
        if_model(
            {"cond": "boolean[]", "a": matrix, "b": matrix}, {"y": matrix}, formula, applied("Negative", matrix, to=3)
        ),
        runs,
    )
