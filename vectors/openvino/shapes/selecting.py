"""Bodies that select by a mask, whose shape numpy's rules align with those of the two tensors.

The mask is broadcast one way: it adds no dims to those of the two.
"""

from collections.abc import Iterator

import numpy as np
from ifcert.authoring import Vector, branches
from ifcert.authoring.ir_bodies import Body, body, gives, if_model, takes
from ifcert.authoring.ir_text import edges, operation, parameter, result
from ifcert.authoring.selections import BY_NUMPY, Selection


def _selects(types: tuple[str, str, str], out: str, *, opposite: bool) -> Body:
    """The body that selects, from ports 2 and 3 to port 4, by the mask of port 1, or by its opposite."""
    mask, first, second = types
    return body(
        [takes(1, 0), takes(2, 1), takes(3, 2), gives(4, 5)],
        parameter(0, "mask", mask),
        parameter(1, "first", first),
        parameter(2, "second", second),
        *([operation(3, "LogicalNot", [mask], mask)] if opposite else []),
        operation(4, "Select", types, out),
        result(5, out),
        edges(f"{'0:0>3:0 3:1>4:0' if opposite else '0:0>4:0'} 1:0>4:1 2:0>4:2 4:3>5:0"),
    )


def _type(element: str, shape: tuple[int, ...]) -> str:
    return f"{element}[{','.join(map(str, shape))}]"


def _vector(case: str, selection: Selection, out: tuple[int, ...]) -> Vector:
    p, q = selection.tensors()
    mask, first, second = (
        _type(element, tuple(shape))
        for element, shape in (("boolean", selection.mask), ("i32", p.shape), ("i32", q.shape))
    )
    selected = _type("i32", out)
    return Vector(
        f"openvino/if/then-when-true/selects-{case}",
        f"{selection.title}, by Select in each body",
        ["if-8-cond-values", "operations-select"],
        if_model(
            {"cond": "boolean[]", "m": mask, "p": first, "q": second},
            {"y": selected},
            _selects((mask, first, second), selected, opposite=False),
            _selects((mask, first, second), selected, opposite=True),
        ),
        [
            run
            for m in selection.masks()
            for run in branches(
                {"m": m, "p": p, "q": q}, then={"y": np.where(m, p, q)}, else_={"y": np.where(~m, p, q)}
            )
        ],
        also=["openvino/if/else-when-false"],
    )


def _of_masks() -> Iterator[Vector]:
    for case, selection in BY_NUMPY.items():
        out = np.broadcast_shapes(selection.first, selection.second)
        if np.broadcast_shapes(selection.mask, out) == out:
            yield _vector(case, selection, out)
