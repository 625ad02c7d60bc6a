"""Branches that select by a mask, whose shape numpy's rules align with those of the two tensors."""

from collections.abc import Iterator

import numpy as np
from ifcert.authoring import Vector, branches, model, says
from ifcert.authoring.selections import BY_NUMPY


def _of_masks() -> Iterator[Vector]:
    for case, selection in BY_NUMPY.items():
        shapes = [selection.mask, selection.first, selection.second]
        mask, first, second, out = (
            f"[{', '.join(map(str, shape))}]" if shape else "" for shape in (*shapes, np.broadcast_shapes(*shapes))
        )
        text = f"""
            g (bool cond, bool{mask} m, int32{first} p, int32{second} q) => (int32{out} y) {{
                y = If (cond) <
                    then_branch = then_graph () => (a) {{ a = Where (m, p, q) }},
                    else_branch = else_graph () => (b) {{ n = Not (m)  b = Where (n, p, q) }}>
            }}"""
        p, q = selection.tensors()
        yield Vector(
            f"onnx/if/then-when-true/selects-{case}",
            f"{selection.title}, by Where in each branch",
            ["if-then-branch-runs", "if-else-branch-runs", says("operators-where", "operators-where-broadcasting")],
            model(text),
            [
                run
                for m in selection.masks()
                for run in branches(
                    {"m": m, "p": p, "q": q}, then={"y": np.where(m, p, q)}, else_={"y": np.where(~m, p, q)}
                )
            ],
            also=["onnx/if/else-when-false"],
        )
