"""The vectors of a cross of faults: one for each row, of which those without a fault are the twins of the others."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from onnx import ModelProto

from ifcert.authoring.crosses.dimensions import Cross, Row
from ifcert.authoring.crosses.rows import case_of_row, read_rows, title_of_row
from ifcert.authoring.faulty.table import Table
from ifcert.authoring.sources import VECTORS, Why, cited
from ifcert.authoring.vector import Step, TextModel, Vector


@dataclass(frozen=True)
class Sound:
    """The sound model of a place: its rule ("if/in-loop"), the sentences that decide its values, and its runs."""

    rule: str
    why: Sequence[Why]
    model: ModelProto | TextModel
    runs: Sequence[Step]


def vectors_of(cross: Cross, table: Table, sound: Callable[[Row], Sound]) -> Iterator[Vector]:
    """A vector of each row of the cross's file; `sound` is the plain model of a row, in its place."""
    twins: dict[str, Vector] = {}
    rows = read_rows(VECTORS / cross.system, cross)
    for row in sorted(rows, key=lambda each: each["fault"] in table.faults):
        if row["fault"] not in table.faults:
            twin = _twin(cross, table, sound(row), row)
            twins[twin.id] = twin
            yield twin
        else:
            yield broken(cross, table, twins, sound(row), row)


def twin_of(table: Table, row: Row) -> dict[str, str]:
    """The row without its fault."""
    return {**row, "fault": table.form_of(row["fault"])}


def with_twins(table: Table, rows: Sequence[Row]) -> list[dict[str, str]]:
    """The rows, and those without a fault that are their twins."""
    missing = [twin for row in rows if (twin := twin_of(table, row)) not in rows]
    return [*map(dict, rows), *(twin for i, twin in enumerate(missing) if twin not in missing[:i])]


def _twin(cross: Cross, table: Table, made: Sound, row: Row) -> Vector:
    form = table.forms[row["fault"]]
    id, title = f"{cross.system}/{made.rule}/{case_of_row(cross, row)}", title_of_row(cross, row)
    plain = Vector(id, title, made.why, made.model, made.runs, about=form.about, coordinates=dict(row))
    return plain.varied(f"{id}: {title}", form.edit) if form.edit else plain


def broken(cross: Cross, table: Table, twins: dict[str, Vector], made: Sound, row: Row) -> Vector:
    """The vector of a row with a fault. It counts for the rule of the fault, and for that of a place nobody enters."""
    fault = table.faults[row["fault"]]
    plain = twin_of(table, row)
    twin = twins[f"{cross.system}/{made.rule}/{case_of_row(cross, plain)}"]
    why = list(dict.fromkeys(cited(each) for each in [*fault.why, *twin.why]))
    case = f"{cross.system}/{fault.rule}/{case_of_row(cross, row)}"
    vector = twin.broken(f"{case}: {title_of_row(cross, row)}", fault.edit, why=why)
    also = [twin.rule] if row["place"] != "executed" and twin.rule != vector.rule else []
    return replace(vector, coordinates=dict(row), also=also)
