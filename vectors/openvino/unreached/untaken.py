"""The body that cond does not select has no effect, even where the values of the run would make it fail."""

from collections.abc import Iterator

import numpy as np
from ifcert.authoring import Run, Vector, ints, says, vectors_of
from ifcert.authoring.ir_bodies import Body, applied, applied_to_constant, applied_to_two, body, gives, if_model, takes
from ifcert.authoring.ir_text import const, edges, operation, parameter, result, type_of

GATHERED = says("operations-gather-indices", "operations-gather-shape")

only_taken_body_runs = vectors_of("openvino/if/only-taken-body-runs", "if-8-two-bodies")

X = ints(6, -4)


def _by_a_run() -> Iterator[Vector]:
    """Values that make the untaken body fail, between runs that take it with values that do not."""
    for case, (title, faulty, type_, good, of_good, bad) in {
        "division-by-zero": ("divides integers by zero", _quotient(), "i32[2]", ints(2, 1), ints(3, -4), ints(0, 0)),
        "impossible-reshape": (
            "reshapes two elements to three",
            _reshaped(),
            "i64[1]",
            np.int64([2]),
            X,
            np.int64([3]),
        ),
        "squeezed-dim-of-two": (
            "squeezes a dim of two",
            _squeezed(),
            "i32[?,2]",
            ints([5, 7]),
            ints(5, 7),
            ints([1, 2], [3, 4]),
        ),
    }.items():
        sound = applied("Negative", "i32[2]", to=3)
        for part, bodies in [("then", (faulty, sound)), ("else", (sound, faulty))]:
            cond = np.bool_(part == "then")
            harmless = Run({"cond": ~cond, "x": X, "v": bad}, {"y": -X})
            yield only_taken_body_runs(
                f"{case}-in-{part}: {part}_body {title}, where it is not taken",
                if_model({"cond": "boolean[]", "x": "i32[2]", "v": type_}, {"y": "i32[?]"}, *bodies),
                [harmless, Run({"cond": cond, "x": X, "v": good}, {"y": of_good}), harmless],
            )


def _by_constants() -> Iterator[Vector]:
    """A node of the untaken body could never run, which a reader can see before any run."""
    for case, title, operator, held, out, data in [
        ("division-by-zero", "divides by 0", "Divide", ints(1, 0), "i32[2]", ""),
        (
            "impossible-reshape",
            "reshapes two elements to three",
            "Reshape",
            np.int64([3]),
            "i32[3]",
            'special_zero="false"',
        ),
        ("squeezed-dim-of-two", "squeezes a dim of two", "Squeeze", np.int64([0]), "i32[]", ""),
    ]:
        never = applied_to_constant(operator, "i32[2]", held, out=out, to=2, data=data)
        yield only_taken_body_runs(
            f"constant-{case}: then_body, which is not taken, {title}, by a constant",
            if_model(
                {"cond": "boolean[]", "x": "i32[2]"}, {"y": "i32[...]"}, never, applied("Negative", "i32[2]", to=2)
            ),
            Run({"cond": np.False_, "x": X}, {"y": -X}),
            doubt="no text says whether a body may be one that could never run",
        )
    gathered = body(
        [takes(1, 0), gives(2, 4)],
        parameter(0, "a", "i32[2]"),
        const(1, np.int64([99])),
        const(2, np.int64(0)),
        operation(3, "Gather", ["i32[2]", "i64[1]", "i64[]"], "i32[1]", opset=8),
        result(4, "i32[1]"),
        edges("0:0>3:0 1:0>3:1 2:0>3:2 3:3>4:0"),
    )
    yield only_taken_body_runs(
        "constant-gather-out-of-range: then_body, which is not taken, gathers element 99 of two, by a constant",
        if_model({"cond": "boolean[]", "x": "i32[2]"}, {"y": "i32[?]"}, gathered, applied("Negative", "i32[2]", to=2)),
        Run({"cond": np.False_, "x": X}, {"y": -X}),
        doubt="no text says whether a body may be one that could never run",
    )


def _at_no_index() -> Iterator[Vector]:
    """Nothing is wrong with it: there is no index that could be out of range. Then the same at one index.

    The indices are fed: a Const without elements has no size that its page allows.
    """
    for case, what, index in [
        ("no-index", "no index", np.zeros(0, np.int64)),
        ("one-index", "one index", np.int64([1])),
    ]:
        out, of_index = f"i32[{index.size}]", type_of(index)
        gathered = body(
            [takes(1, 0), takes(2, 1), gives(3, 4)],
            parameter(0, "a", "i32[2]"),
            parameter(1, "b", of_index),
            const(2, np.int64(0)),
            operation(3, "Gather", ["i32[2]", of_index, "i64[]"], out, opset=8),
            result(4, out),
            edges("0:0>3:0 1:0>3:1 2:0>3:2 3:3>4:0"),
        )
        model = if_model(
            {"cond": "boolean[]", "x": "i32[2]", "at": of_index},
            {"y": "i32[?]"},
            gathered,
            applied("Negative", "i32[2]", to=3),
        )
        yield only_taken_body_runs(
            f"gathered-at-{case}: then_body, which is never taken, gathers elements of a list at {what}",
            model,
            Run({"cond": np.False_, "x": X, "at": index}, {"y": -X}),
            why=["if-8-two-bodies", GATHERED, "if-8-outputs"],
        )
        yield Vector(
            f"openvino/if/then-when-true/gathered-at-{case}",
            f"then_body gathers elements of a list at {what}",
            ["if-8-two-bodies", GATHERED, "if-8-outputs"],
            model,
            [
                Run({"cond": np.bool_(cond), "x": X, "at": index}, {"y": X[index] if cond else -X})
                for cond in (True, False, True)
            ],
        )


def _quotient() -> Body:
    return applied_to_two("Divide", {"a": "i32[2]", "b": "i32[2]"}, to=3)


def _reshaped() -> Body:
    return applied_to_two("Reshape", {"a": "i32[2]", "b": "i64[1]"}, out="i32[?]", to=3, data='special_zero="false"')


def _squeezed() -> Body:
    return applied_to_constant("Squeeze", "i32[?,2]", np.int64([0]), out="i32[2]", name="b", to=3, of=2)
