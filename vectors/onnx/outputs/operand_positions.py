"""If's result may be used wherever a value may be used."""

from collections.abc import Iterator

import numpy as np
from ifcert.authoring import Run, Vector, branches, floats, issue, model, sequence, vectors_of

operand_positions = vectors_of("onnx/if/operand-positions", "if-outputs-live-out", "ir-inputs-refer")

CONSTANTS = """
            then_branch = then_graph () => (a) {{ a = Constant <value = {}> () }},
            else_branch = else_graph () => (b) {{ b = Constant <value = {}> () }}"""

COND_OF_IF = model(f"""
    chain (bool cond, float[2] x) => (float[2] y) {{
        flag = If (cond) <{CONSTANTS.format("bool {0}", "bool {1}")}>
        y = If (flag) <
            then_branch = doubled () => (float[2] c) {{ c = Add (x, x) }},
            else_branch = negated () => (float[2] d) {{ d = Neg (x) }}>
    }}""")

COMPUTED_AXES_LEFT_OUT = model("""
    sliced (bool cond, float[5] x) => (float[3] y)
    <int64[1] zero = {0}, int64[1] five = {5}, int64[1] two = {2}, int64[1] four = {4}, int64[1] far = {-9},
    int64[1] back = {-2}> {
        y = If (cond) <
            then_branch = then_graph () => (float[3] a) { n = Neg (x)  a = Slice (n, zero, five, , two) },
            else_branch = else_graph () => (float[3] b) { d = Add (x, x)  b = Slice (d, four, far, , back) }>
    }""")

# Then's Slice leaves out its axes; all its other operands are constants.
AXES_LEFT_OUT = model("""
    sliced (bool cond, float[2] x) => (float[2] y)
        <float[2] k = {1, 2}, int64[1] first = {1}, int64[1] end = {-3}, int64[1] steps = {-1}> {
        y = If (cond) <
            then_branch = then_graph () => (float[2] a) { t = Slice (k, first, end, "", steps)  a = Add (x, t) },
            else_branch = else_graph () => (float[2] b) { b = Neg (x) }>
    }""")

LOOP = """
        total = Loop ({trips}, {goes}, start) <
            body = step (int64 i, bool on, int64 sum) => (bool on_out, int64 sum_out) {{
                on_out = Identity (on)
                one = Constant <value = int64 {{1}}> ()
                sum_out = Add (sum, one)
            }}>"""

TRIP_COUNT = model(f"""
    counted (bool cond) => (int64 total) <int64 start = {{0}}, bool yes = {{1}}> {{
        trips = If (cond) <{CONSTANTS.format("int64 {5}", "int64 {0}")}>
        {LOOP.format(trips="trips", goes="yes")}
    }}""")

LOOP_COND = model(f"""
    guarded (bool cond) => (int64 total) <int64 start = {{0}}, int64 three = {{3}}> {{
        goes = If (cond) <{CONSTANTS.format("bool {1}", "bool {0}")}>
        {LOOP.format(trips="three", goes="goes")}
    }}""")

SHAPE_OF_RESHAPE = model(f"""
    shaped (bool cond, float[6] x) => (float[?,?] y) {{
        to = If (cond) <{CONSTANTS.format("int64[2] {2, 3}", "int64[2] {3, 2}")}>
        y = Reshape (x, to)
    }}""")

INDEX_OF_GATHER = model(f"""
    picked (bool cond, float[3] x) => (float y) {{
        at = If (cond) <{CONSTANTS.format("int64 {0}", "int64 {2}")}>
        y = Gather (x, at)
    }}""")

TWO_CONSUMERS = model(f"""
    shared (bool cond, float[2] x) => (float[2] y, float[2] p, float[2] q) {{
        y = If (cond) <{CONSTANTS.format("float[2] {1, 2}", "float[2] {3, 4}")}>
        p = Add (y, x)
        q = Mul (y, y)
    }}""")

NO_CONSUMER = model("""
    idle (bool cond, float[2] x) => (float[2] z) {
        y, w = If (cond) <
            then_branch = then_graph () => (a, b) { a = Add (x, x)  b = Neg (x) },
            else_branch = else_graph () => (c, d) { c = Neg (x)  d = Add (x, x) }>
        z = Identity (w)
    }""")

CAPTURED = model(f"""
    captured (bool cond, bool other, float[2] x) => (float[2] z) {{
        y = If (cond) <{CONSTANTS.format("float[2] {1, 2}", "float[2] {3, 4}")}>
        z = If (other) <
            then_branch = added () => (float[2] c) {{ c = Add (y, x) }},
            else_branch = given () => (float[2] d) {{ d = Identity (y) }}>
    }}""")

CARRIED = model(f"""
    carried (bool cond) => (int64 total) <bool yes = {{1}}, int64 three = {{3}}> {{
        start = If (cond) <{CONSTANTS.format("int64 {10}", "int64 {-10}")}>
        {LOOP.format(trips="three", goes="yes")}
    }}""")

OF_CALL = model(f"""<opset_import: ["" : 16, "local" : 1]>
    caller (bool cond, float[2] x) => (float[2] z) {{
        y = If (cond) <{CONSTANTS.format("float[2] {1, 2}", "float[2] {3, 4}")}>
        z = local.added (y, x)
    }}
    <domain: "local", opset_import: ["" : 16]>
    added (p, q) => (r) {{ r = Add (p, q) }}""")

IN_SEQUENCE = model(f"""
    listed (bool cond, float[2] x) => (seq(float[2]) s, float[2] z) {{
        y = If (cond) <{CONSTANTS.format("float[2] {1, 2}", "float[2] {3, 4}")}>
        s = SequenceConstruct (y, x, y)
        zero = Constant <value = int64 {{0}}> ()
        z = SequenceAt (s, zero)
    }}""")

# A result that is a sequence or an optional feeds the operators for those.
OF_KINDS = model("""<opset_import: ["" : 18]>
    kinds (bool cond, float[2] x) => (int64 n, bool has) {
        s, o = If (cond) <
            then_branch = then_graph () => (a, b) { a = SequenceConstruct (x, x)  b = Optional (x) },
            else_branch = else_graph () => (c, d) { c = SequenceEmpty ()  d = Optional <type = float[2]> () }>
        n = SequenceLength (s)
        has = OptionalHasElement (o)
    }""")


def vectors() -> Iterator[Vector]:
    why = ["if-outputs-live-out", "ir-inputs-refer"]
    x = floats(1, -2)
    yield operand_positions(
        "cond-of-another-if: the result is another If's cond",
        COND_OF_IF,
        branches({"x": x}, then={"y": -x}, else_={"y": x + x}),
    )
    yield operand_positions(
        "axes-of-constant-slice-left-out: "
        "then reverses a constant with a Slice that leaves out its axes and gives its steps",
        AXES_LEFT_OUT,
        branches({"x": x}, then={"y": floats(3, -1)}, else_={"y": -x}),
        why=["ir-left-out", "operators-slice-negative-step"],
        about=["absent-operands"],
    )
    five = floats(1, 2, 30, 40, 500)
    yield operand_positions(
        "axes-of-slice-of-computed-value-left-out: "
        "both branches slice a value that they compute and read once, and leave out the axes before the steps",
        COMPUTED_AXES_LEFT_OUT,
        branches({"x": five}, then={"y": -five[::2]}, else_={"y": 2 * five[::-2]}),
        why=["ir-left-out", "operators-slice-axes-omitted"],
        about=["absent-operands"],
    )
    totals = [
        ("trip-count-of-loop", "the result is a Loop's trip count", TRIP_COUNT, 5),
        ("cond-of-loop", "the result is a Loop's first cond", LOOP_COND, 3),
    ]
    for name, title, looped, total in totals:
        runs = branches({}, then={"total": np.int64(total)}, else_={"total": np.int64(0)})
        yield operand_positions(f"{name}: {title}", looped, runs)
    six = np.float32(range(6))
    yield operand_positions(
        "shape-of-reshape: the result is the shape operand of Reshape",
        SHAPE_OF_RESHAPE,
        branches({"x": six}, then={"y": six.reshape(2, 3)}, else_={"y": six.reshape(3, 2)}),
        why=[*why, issue("onnx/onnx", 4980, "the rank of If's result was lost for the node that reads it")],
    )
    yield operand_positions(
        "index-of-gather: the result is the index operand of Gather",
        INDEX_OF_GATHER,
        branches({"x": floats(7, 8, 9)}, then={"y": np.float32(7)}, else_={"y": np.float32(9)}),
    )
    yield operand_positions(
        "two-consumers-and-graph-output: two nodes read the result, and the graph returns it",
        TWO_CONSUMERS,
        branches(
            {"x": x},
            then={"y": floats(1, 2), "p": floats(2, 0), "q": floats(1, 4)},
            else_={"y": floats(3, 4), "p": floats(4, 2), "q": floats(9, 16)},
        ),
    )
    yield operand_positions(
        "first-output-unused: the first of two outputs is unused",
        NO_CONSUMER,
        branches({"x": x}, then={"z": -x}, else_={"z": x + x}),
    )
    yield operand_positions(
        "captured-by-another-if: both branches of another If read the result",
        CAPTURED,
        Run({"cond": np.True_, "other": np.True_, "x": x}, {"z": floats(2, 0)}),
        Run({"cond": np.False_, "other": np.True_, "x": x}, {"z": floats(4, 2)}),
        Run({"cond": np.True_, "other": np.False_, "x": x}, {"z": floats(1, 2)}),
        Run({"cond": np.False_, "other": np.False_, "x": x}, {"z": floats(3, 4)}),
    )
    yield operand_positions(
        "carried-value-of-loop: the result is a Loop's initial carried value",
        CARRIED,
        branches({}, then={"total": np.int64(13)}, else_={"total": np.int64(-7)}),
    )
    yield operand_positions(
        "operand-of-call: the result is an operand of a call of a local function",
        OF_CALL,
        branches({"x": x}, then={"z": floats(2, 0)}, else_={"z": floats(4, 2)}),
    )
    first, second = floats(1, 2), floats(3, 4)
    yield operand_positions(
        "item-of-sequence: the result is an item of a sequence twice, and is read back from it",
        IN_SEQUENCE,
        branches(
            {"x": x},
            then={"s": sequence("tensor(float32)", [first, x, first]), "z": first},
            else_={"s": sequence("tensor(float32)", [second, x, second]), "z": second},
        ),
    )
    yield operand_positions(
        "sequence-and-optional: the results are operands of SequenceLength and OptionalHasElement",
        OF_KINDS,
        branches({"x": x}, then={"n": np.int64(2), "has": np.True_}, else_={"n": np.int64(0), "has": np.False_}),
        why=[*why, issue("microsoft/onnxruntime", 11717, "OptionalHasElement beside an If crashed at load")],
    )
