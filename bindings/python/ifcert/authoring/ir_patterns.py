"""One small model of If in IR, which many faults are edited into: y is x + [10, 20] where cond is true, else -x."""

from collections.abc import Sequence

import numpy as np

from ifcert.authoring.ir import IrEdit, IrModel, replaced
from ifcert.authoring.ir_bodies import body, gives, if_model, takes
from ifcert.authoring.ir_text import const, edges, operation, parameter, result
from ifcert.authoring.sources import Why
from ifcert.authoring.vector import Run, Vector, case_and_title

X = np.float32([1, -2])
K = np.float32([10, 20])

ADDS_OR_NEGATES: IrModel = if_model(
    {"cond": "boolean[]", "x": "f32[2]"},
    {"y": "f32[2]"},
    body(
        [takes(1, 0), gives(2, 3)],
        parameter(0, "a", "f32[2]"),
        const(1, K),
        operation(2, "Add", ["f32[2]", "f32[2]"], "f32[2]"),
        result(3, "f32[2]"),
        edges("0:0>2:0 1:0>2:1 2:2>3:0"),
    ),
    body(
        [takes(1, 0), gives(2, 2)],
        parameter(0, "b", "f32[2]"),
        operation(1, "Negative", ["f32[2]"], "f32[2]"),
        result(2, "f32[2]"),
        edges("0:0>1:0 1:1>2:0"),
    ),
)
RUNS: Sequence[Run] = (
    Run({"cond": np.True_, "x": X}, {"y": np.float32([11, 18])}),
    Run({"cond": np.False_, "x": X}, {"y": np.float32([-1, 2])}),
)

# The doubt about an output entry whose id is that of an input.
IN_RANGE = (
    "the range of an id is that of the If's inputs and outputs, whatever the entry; the example's XML names the only "
    "output by the id of an input"
)
# Where the ids of an If's ports are not their numbers.
COUNTED = (
    "an id is a port ID of the If; yet the texts' only XML maps the output of port 4 by 0, so that ids can be read as "
    "numbers of inputs and of outputs, which those of this model are not"
)


def adds_or_negates(case: str, why: Sequence[Why], *edits: IrEdit, doubt: str = "") -> Vector:
    """The model with edits that leave it valid: it must compute, or, with a doubt, may. `case` is "id: title"."""
    id, title = case_and_title(case)
    return Vector(id, title, why, ADDS_OR_NEGATES.edited(*edits), RUNS, doubt=doubt)


def everywhere(*pairs: tuple[str, str]) -> IrEdit:
    """The edit that replaces each of these texts wherever it occurs; each must occur."""

    def edit(text: str) -> str:
        for old, new in pairs:
            if old not in text:
                raise ValueError(f"{old!r} does not occur in the text")
            text = text.replace(old, new)
        return text

    return edit


def of_layer(layer: str, old: str, new: str) -> IrEdit:
    """The edit that replaces text that occurs once in a layer without bodies, whose name occurs once."""

    def edit(text: str) -> str:
        start = text.index(f'name="{layer}"')
        first = text.rindex("<layer ", 0, start)
        last = text.index("</layer>", start) + len("</layer>")
        return text[:first] + replaced(old, new)(text[first:last]) + text[last:]

    return edit
