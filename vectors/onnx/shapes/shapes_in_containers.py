"""Branches return sequences, or optionals, of tensors of different shapes; the consumer fits the branch that runs."""

from collections.abc import Iterator

import numpy as np
from ifcert.authoring import Run, Vector, floats, model, sequence, some
from ifcert.authoring.values import Value

# KIND is seq or optional, TAKEN takes the tensor out, which in a sequence is the first. The sum fits [3] alone.
TEXT = """
    contained (bool cond, KIND(float[2]) s, KIND(float[3]) t, float[3] z) => (float[3] y) STORED {
        r = If (cond) <
            then_branch = then_graph () => (a) { a = Identity (OF_THEN) },
            else_branch = else_graph () => (b) { b = Identity (OF_ELSE) }>
        item = TAKEN
        y = Add (item, z)
    }"""


def _sequence(item: np.ndarray) -> Value:
    return sequence("tensor(float32)", [item])


def vectors() -> Iterator[Vector]:
    two, three, z = floats(1, -2), floats(3, 4, 5), floats(10, 20, 30)
    for kind, plural, stored, taken, of in [
        ("seq", "sequences", "<int64 first = {0}>", "SequenceAt (r, first)", _sequence),
        ("optional", "optionals", "", "OptionalGetElement (r)", some),
    ]:
        text = TEXT.replace("KIND", kind).replace("STORED", stored).replace("TAKEN", taken)
        for case, (title, of_then, of_else, cond) in {
            "fit-else": (
                "then returns one of [2], else one of [3]; else runs, and the sum fits it alone",
                "s",
                "t",
                False,
            ),
            "fit-then": (
                "then returns one of [3], else one of [2]; then runs, and the sum fits it alone",
                "t",
                "s",
                True,
            ),
        }.items():
            yield Vector(
                f"onnx/if/shape-union/{plural}-{case}",
                f"{plural}: {title}",
                ["if-different-shapes", "if-same-data-type", "if-types-16"],
                model(text.replace("OF_THEN", of_then).replace("OF_ELSE", of_else)),
                [
                    Run({"cond": np.bool_(cond), "s": of(two), "t": of(three), "z": z}, {"y": three + z}),
                    Run({"cond": np.bool_(cond), "s": of(two), "t": of(-three), "z": z}, {"y": z - three}),
                ],
            )
