"""The vectors of TensorFlow Lite's cross: a model for each row, the runs, and what they must return."""

from collections.abc import Iterator

from ifcert.authoring.crosses.bodies_models import main_body
from ifcert.authoring.crosses.bodies_runs import steps
from ifcert.authoring.crosses.dimensions import Row
from ifcert.authoring.crosses.rows import case_of_row, read_rows, title_of_row
from ifcert.authoring.crosses.tflite_dimensions import TFLITE
from ifcert.authoring.crosses.tflite_text import tflite_model
from ifcert.authoring.sources import VECTORS
from ifcert.authoring.vector import Vector

ALSO = ["tflite/if/then-when-true", "tflite/if/else-when-false"]


def vectors_of_cross() -> Iterator[Vector]:
    """A vector of each row."""
    for row in read_rows(VECTORS / "tflite", TFLITE):
        yield vector_of(row)


def vector_of(row: Row) -> Vector:
    """The vector of a row."""
    main = main_body(row, closed=False)
    model = tflite_model(main, row)
    return Vector(
        f"tflite/{_rule(row)}/{case_of_row(TFLITE, row)}",
        title_of_row(TFLITE, row),
        ["rfc-then", "rfc-else", *(["while-loop"] if row["place"] in ("loop", "loopcond") else [])],
        model,
        steps(main, model.inputs(), model.outputs(), row),
        also=ALSO,
        about=sorted(model.forms()),
        coordinates=dict(row),
    )


def _rule(row: Row) -> str:
    """The rule for which the vector counts."""
    if row["place"] in ("loop", "loopcond"):
        return "nested/if-in-while"
    if row["place"] == "main" and row["capture"] in ("1", "none"):
        return "subgraph/shared" if row["identity"] == "shared" else "if/inputs-positional"
    return "nested/if-in-if"
