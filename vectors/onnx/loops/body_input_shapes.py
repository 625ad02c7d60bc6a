"""Bodies of loops around an If that declare another shape for an input than what they are passed has."""

from collections.abc import Iterator

import numpy as np
from ifcert.authoring import Vector, attribute, branches, floats, model, sequence, vectors_of
from ifcert.authoring.models import Edit
from onnx import ModelProto

declared_type_agrees = vectors_of("onnx/model/declared-type-agrees", "ir-value-info-type", "ir-subgraph-types")

X = floats(1, -2)

LOOP = model("""<opset_import: ["" : 17]>
    looped (bool cond, int64 trips, bool yes, float[2] x) => (float[2] y, float[2] z) {
        y, z = Loop (trips, yes, x, x) <
            body = step (int64 i, bool on, float[2] v, float[2] w) => (bool on_out, v_out, w_out) {
                on_out = Identity (on)
                w_out = Abs (w)
                v_out = If (cond) <
                    then_branch = then_graph () => (a) { a = Neg (v) },
                    else_branch = else_graph () => (b) { b = Abs (v) }>
            }>
    }""")

SCAN = model("""<opset_import: ["" : 17]>
    scanned (bool cond, float[2] x, float[3,2] rows) => (float[2] y, float[3,2] all) {
        y, all = Scan <
            num_scan_inputs = 1,
            body = step (float[2] s, float[2] e) => (s_out, shown) {
                shown = Neg (e)
                s_out = If (cond) <
                    then_branch = then_graph () => (a) { a = Neg (s) },
                    else_branch = else_graph () => (b) { b = Abs (s) }>
            }> (x, rows)
    }""")

MAP = model("""<opset_import: ["" : 17]>
    mapped (bool cond, seq(float[2]) s, float[2] x) => (float[2] y) <int64 first = {0}> {
        t = SequenceMap (s, x) <
            body = each (float[2] item, float[2] whole) => (float[?] r) {
                r = If (cond) <
                    then_branch = then_graph () => (a) { a = Neg (item) },
                    else_branch = else_graph () => (b) { b = Abs (whole) }>
            }>
        y = SequenceAt (t, first)
    }""")


def longer(index: int) -> Edit:
    """The body of the loop declares its input of this number [3]."""

    def edit(m: ModelProto) -> None:
        body = attribute(m.graph.node[0], "body").g
        body.input[index].type.tensor_type.shape.dim[0].dim_value = 3

    return edit


def vectors() -> Iterator[Vector]:
    carried = {"trips": np.int64(3), "yes": np.True_, "x": X}
    looped = declared_type_agrees(
        "carried-by-a-loop: the body of a Loop declares the two values that it carries [2], as they are",
        LOOP,
        branches(carried, then={"y": -X, "z": np.abs(X)}, else_={"y": np.abs(X), "z": np.abs(X)}),
        also=["onnx/if/in-loop"],
    )
    for index, case, what in ((2, "first", "the first value"), (3, "second", "the second value")):
        yield looped.broken(
            f"{looped.id}-{case}-declared-longer: the body of a Loop declares {what} that it carries [3]; it is [2]",
            longer(index),
        )
    rows = floats([1, -2], [3, 4], [5, 6])
    scanned = declared_type_agrees(
        "passed-by-a-scan: the body of a Scan declares its state and its element [2], as they are",
        SCAN,
        branches({"x": X, "rows": rows}, then={"y": -X, "all": -rows}, else_={"y": np.abs(X), "all": -rows}),
        also=["onnx/if/in-scan"],
    )
    for index, case, what in ((0, "state", "its state"), (1, "element", "its element")):
        yield scanned.broken(
            f"{scanned.id}-{case}-declared-longer: the body of a Scan declares {what} [3]; it is [2]", longer(index)
        )
    mapped = declared_type_agrees(
        "passed-by-a-sequence-map: the body of a SequenceMap declares an item and a tensor [2], as they are",
        MAP,
        branches({"s": sequence("tensor(float32)", [X, X]), "x": 2 * X}, then={"y": -X}, else_={"y": np.abs(2 * X)}),
        also=["onnx/if/in-sequence-map"],
    )
    for index, case, what in ((0, "item", "an item"), (1, "tensor", "a tensor that it gets whole")):
        yield mapped.broken(
            f"{mapped.id}-{case}-declared-longer: the body of a SequenceMap declares {what} [3]; it is [2]",
            longer(index),
        )
