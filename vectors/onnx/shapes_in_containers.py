"""Branches return sequences, or optionals, of tensors of different shapes; the consumer fits the branch that runs."""

from collections.abc import Iterator

import numpy as np
from ifcert.authoring import Run, Vector, model
from ifcert.authoring.sources import if_page

RULE = "onnx/if/shape-union/"
DIFFERENT = if_page(
    "Outputs: 'The then_branch and else_branch may produce tensors with the same element type and different shapes.'"
)

# MADE makes the container of a tensor, TAKEN takes the tensor out. The sum fits [3] alone.
TEXT = """
    contained (bool cond, float[2] x, float[3] z) => (float[3] y) <int64 first = {0}> {
        s = If (cond) <
            then_branch = then_graph () => (a) { m = Neg (OF_THEN)  a = MADE (m) },
            else_branch = else_graph () => (b) { n = Neg (OF_ELSE)  b = MADE (n) }>
        item = TAKEN
        y = Add (item, z)
    }"""
CONTAINERS = {
    "sequences": ("SequenceConstruct", "SequenceAt (s, first)"),
    "optionals": ("Optional", "OptionalGetElement (s)"),
}


def vectors() -> Iterator[Vector]:
    """Sequences and optionals; the branch that fits is else, then it is then."""
    x, z = np.float32([1, -2]), np.float32([3, 4, 5])
    for container, (made, taken) in CONTAINERS.items():
        text = TEXT.replace("MADE", made).replace("TAKEN", taken)
        for case, title, of_then, of_else, cond in [
            (
                "fit-else",
                "then returns one of [2], else one of [3]; else runs, and the sum fits it alone",
                "x",
                "z",
                False,
            ),
            (
                "fit-then",
                "then returns one of [3], else one of [2]; then runs, and the sum fits it alone",
                "z",
                "x",
                True,
            ),
        ]:
            yield Vector(
                f"{RULE}{container}-{case}",
                f"{container}: {title}",
                [DIFFERENT],
                model(16, text.replace("OF_THEN", of_then).replace("OF_ELSE", of_else)),
                [
                    Run({"cond": np.bool_(cond), "x": x, "z": z}, {"y": np.zeros(3, np.float32)}),
                    Run({"cond": np.bool_(cond), "x": 2 * x, "z": -z}, {"y": np.zeros(3, np.float32)}),
                ],
            )
