"""A computed value that the main graph returns and the branches of an If read."""

from collections.abc import Iterator

import numpy as np
from ifcert.authoring import Run, Vector, floats, model
from onnx import ModelProto

X = floats(1, -2)
S = floats(2, -4)


def summed(outputs: str, then: str, other: str) -> ModelProto:
    """s is 2x; both s and the result y of the If are outputs of the graph."""
    return model(f"""
        summed (bool cond, float[2] x) => ({outputs}) {{
            s = Add (x, x)
            y = If (cond) <
                then_branch = then_graph () => (float[2] a) {{ {then} }},
                else_branch = else_graph () => (float[2] b) {{ {other} }}>
        }}""")


def vectors() -> Iterator[Vector]:
    first, last = "float[2] s, float[2] y", "float[2] y, float[2] s"
    for case, outputs, then, other, then_value, else_value in [
        ("returned-before-the-result", first, "a = Add (s, x)", "b = Sub (s, x)", [3, -6], [1, -2]),
        ("returned-after-the-result", last, "a = Add (s, x)", "b = Sub (s, x)", [3, -6], [1, -2]),
        ("returned-and-read-by-else", first, "a = Neg (x)", "b = Sub (s, x)", [-1, 2], [1, -2]),
    ]:
        names = [each.split()[1] for each in outputs.split(", ")]
        runs = []
        for cond, y in ((True, then_value), (False, else_value)):
            values = {"s": S, "y": np.float32(y)}
            runs.append(Run({"cond": np.bool_(cond), "x": X}, {name: values[name] for name in names}))
        yield Vector(
            "onnx/if/outer-scope-capture/" + case,
            f"the graph returns {' and '.join(names)}, where y is the If's result and s a value that "
            f"{'else alone' if case.endswith('else') else 'both branches'} read{'s' if case.endswith('else') else ''}",
            ["ir-outer-scope"],
            summed(outputs, then, other),
            runs,
        )
