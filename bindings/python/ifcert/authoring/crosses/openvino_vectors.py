"""The vectors of OpenVINO IR's cross: a model for each row, the runs, and what they must return."""

from collections.abc import Iterator

from ifcert.authoring.crosses.bodies_models import main_body
from ifcert.authoring.crosses.bodies_runs import steps
from ifcert.authoring.crosses.dimensions import Row
from ifcert.authoring.crosses.openvino_dimensions import OPENVINO
from ifcert.authoring.crosses.openvino_text import ir_model
from ifcert.authoring.crosses.rows import case_of_row, read_rows, title_of_row
from ifcert.authoring.ir_patterns import COUNTED
from ifcert.authoring.sources import VECTORS
from ifcert.authoring.vector import Vector

ALSO = ["openvino/if/then-when-true", "openvino/if/else-when-false"]


def vectors_of_cross() -> Iterator[Vector]:
    """A vector of each row."""
    for row in read_rows(VECTORS / "openvino", OPENVINO):
        yield vector_of(row)


def vector_of(row: Row) -> Vector:
    """The vector of a row."""
    main = main_body(row, closed=True)
    model = ir_model(main, row)
    return Vector(
        f"openvino/if/{_rule(row)}/{case_of_row(OPENVINO, row)}",
        title_of_row(OPENVINO, row),
        ["if-8-cond-values", "if-8-port-map"],
        model,
        steps(main, model.inputs(), model.outputs(), row),
        also=ALSO,
        about=sorted(model.forms()),
        coordinates=dict(row),
        doubt=COUNTED if row["ports"] == "gaps" else "",
    )


def _rule(row: Row) -> str:
    """The rule for which the vector counts."""
    return "port-maps-independent" if row["place"] == "main" and row["capture"] in ("1", "none") else "nesting"
