"""Outputs of which one body leaves something unknown: the other body and the port must still be of one type."""

from collections.abc import Iterator

import numpy as np
from ifcert.authoring import Run, Vector, floats, vectors_of
from ifcert.authoring.ir import IrModel, as_in
from ifcert.authoring.ir_bodies import Body, body, gives, if_model, takes
from ifcert.authoring.ir_text import edges, operation, parameter, result

output_type = vectors_of("openvino/if/output-type", "if-8-types-equal")

X = floats(1.5, -2)

NO_TYPE = "the page on Parameter-1 lists no element type that is unknown"

# By case: what x and the Parameter of one body leave unknown, their type, and the doubt about that.
UNKNOWN = {
    "element-type": ("the element type", "dynamic[2]", NO_TYPE),
    "rank": ("the rank", "f32[...]", ""),
    "length": ("the length", "f32[?]", ""),
}


def _negates(type_: str) -> Body:
    return body(
        [takes(1, 0), gives(2, 2)],
        parameter(0, "a", type_),
        operation(1, "Negative", [type_], type_),
        result(2, type_),
        edges("0:0>1:0 1:1>2:0"),
    )


def _converts(to: str) -> Body:
    return body(
        [takes(1, 0), gives(2, 2)],
        parameter(0, "b", "f32[2]"),
        operation(1, "Convert", ["f32[2]"], f"{to}[2]", data=f'destination_type="{to}"'),
        result(2, f"{to}[2]"),
        edges("0:0>1:0 1:1>2:0"),
    )


def _model(type_: str, known: Body, port: str, *, unknown_is_then: bool) -> IrModel:
    """The input x and the Parameter of one body, which negates, have this type."""
    bodies = (_negates(type_), known) if unknown_is_then else (known, _negates(type_))
    return if_model({"cond": "boolean[]", "x": type_}, {"y": f"{port}[...]"}, *bodies)


def _unknown() -> Iterator[Vector]:
    """Where the other body has the wrong type, no run enters it: only its declaration shows the fault."""
    for part, other, is_then in [("then", "else", True), ("else", "then", False)]:
        known = output_type(
            f"all-known-in-{part}: {part}_body negates, {other}_body converts f32 to f32, and the port declares f32",
            _model("f32[2]", _converts("f32"), "f32", unknown_is_then=is_then),
            [Run({"cond": np.bool_(cond), "x": X}, {"y": -X if cond == is_then else X}) for cond in (True, False)],
        )
        yield known
        for case, (what, type_, doubt) in UNKNOWN.items():
            yield known.varied(
                f"{case}-unknown-in-{part}: {part}_body leaves {what} unknown, {other}_body and the port have f32",
                as_in(_model(type_, _converts("f32"), "f32", unknown_is_then=is_then)),
                doubt=doubt,
            )
            for element in ("i32", "f64"):
                yield known.broken(
                    f"{case}-unknown-in-{part}-{other}-{element}: "
                    f"{part}_body leaves {what} unknown, {other}_body returns {element}, and the port declares f32",
                    as_in(_model(type_, _converts(element), "f32", unknown_is_then=is_then)),
                    runs=[{"cond": np.bool_(is_then), "x": X}],
                )
                yield known.broken(
                    f"{case}-unknown-in-{part}-port-{element}: "
                    f"{part}_body leaves {what} unknown, {other}_body returns f32, and the port declares {element}",
                    as_in(_model(type_, _converts("f32"), element, unknown_is_then=is_then)),
                )
