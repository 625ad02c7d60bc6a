"""A value that branches capture and that the enclosing graph returns too."""

from collections.abc import Iterator

import numpy as np
from ifcert.authoring import Run, Vector, branches, floats, model, says, vectors_of
from onnx import ModelProto

USE = says("ir-definition-and-use", note="both at once")

outer_scope_capture = vectors_of("onnx/if/outer-scope-capture", "ir-outer-scope", USE)

X = floats(1, -2)

# m = -v is captured; then returns 2m, else |m|.
CHOICE = """
                m = Neg (v)
                z = If (r) <
                    then_branch = then_graph () => (a) { a = Add (m, m) },
                    else_branch = else_graph () => (b) { b = Abs (m) }>"""

MAIN = model(f"main (bool r, float[2] v) => (float[2] z, float[2] m) {{ {CHOICE} }}")


# A graph with the input v can return m, or v itself, which the branches then read: then returns 2v, else |v|.
def looped(shown: str = "m", choice: str = CHOICE) -> ModelProto:
    """A Loop's body that returns what the branches capture."""
    return model(f"""
        looped (bool r, float[2] x) => (float[2] last, float[?,2] all) <int64 trips = {{2}}, bool yes = {{1}}> {{
            last, all = Loop (trips, yes, x) <
                body = step (int64 i, bool on, float[2] v) => (bool on_out, float[2] z, float[2] {shown}) {{
                    on_out = Identity (on) {choice}
                }}>
        }}""")


def scanned(shown: str = "m", choice: str = CHOICE) -> ModelProto:
    """A Scan's body that returns what the branches capture."""
    return model(f"""
        scanned (bool r, float[2] start, float[2] x) => (float[2] last, float[?,2] all) {{
            last, all = Scan <
                num_scan_inputs = 1,
                body = step (float[2] v, float e) => (float[2] z_out, float[2] {shown}) {{
                    {choice}
                    z_out = Add (z, e)
                }}> (start, x)
        }}""")


def called(shown: str = "m", choice: str = CHOICE) -> ModelProto:
    """A function that returns what the branches capture."""
    return model(f"""<opset_import: ["" : 16, "local" : 1]>
        caller (bool r, float[2] x) => (float[2] y, float[2] n) {{ y, n = local.chosen (r, x) }}
        <domain: "local", opset_import: ["" : 16]>
        chosen (r, v) => (z, {shown}) {{ {choice} }}""")


INPUT_ITSELF = ("v", CHOICE.replace("m = Neg (v)", "").replace("m", "v"))
DOUBT = (
    "an output is a use of any visible name; yet the names of a graph's inputs and outputs are required to be unique"
)

# The branches' own values are captured by the If within then, and returned by then.
BRANCH = model(f"""
    branched (bool p, bool r, float[2] v) => (float[2] y, float[2] n) {{
        y, n = If (p) <
            then_branch = outer_then () => (z, m) {{ {CHOICE} }},
            else_branch = outer_else () => (c, d) {{ c = Identity (v)  d = Add (v, v) }}>
    }}""")


def _made() -> Iterator[Vector]:
    taken = {True: -2 * X, False: np.abs(X)}
    yield outer_scope_capture(
        "returned-by-main-graph-too: what the branches capture is an output of the main graph too",
        MAIN,
        [Run({"r": np.bool_(r), "v": X}, {"z": z, "m": -X}) for r, z in taken.items()],
    )
    # Twice: v → -2v → 4v, with m = -v and 2v; v → |v| → |v|, with m = -v and -|v|.
    trips = {
        True: {"last": 4 * X, "all": np.stack([-X, 2 * X])},
        False: {"last": np.abs(X), "all": np.stack([-X, -np.abs(X)])},
    }
    yield outer_scope_capture(
        "returned-by-loop-body-too: what the branches capture is an output of the Loop's body too",
        looped(),
        [Run({"r": np.bool_(r), "x": X}, outputs) for r, outputs in trips.items()],
        why=["ir-outer-scope", USE, "operators-loop-scan-output-concatenated"],
        also=["onnx/if/in-loop"],
    )
    yield outer_scope_capture(
        "returned-by-scan-body-too: what the branches capture is an output of the Scan's body too",
        scanned(),
        [Run({"r": np.bool_(r), "start": X, "x": floats(0, 0)}, outputs) for r, outputs in trips.items()],
        why=["ir-outer-scope", USE, "operators-loop-scan-output-concatenated"],
        also=["onnx/if/in-scan"],
    )
    yield outer_scope_capture(
        "returned-by-function-too: what the branches capture is an output of the function too",
        called(),
        [Run({"r": np.bool_(r), "x": X}, {"y": z, "n": -X}) for r, z in taken.items()],
        also=["onnx/if/in-function"],
    )
    yield outer_scope_capture(
        "returned-by-branch-too: what the branches of an If within then capture is an output of then too",
        BRANCH,
        *(Run({"p": np.True_, "r": np.bool_(r), "v": X}, {"y": z, "n": -X}) for r, z in taken.items()),
        Run({"p": np.False_, "r": np.True_, "v": X}, {"y": X, "n": 2 * X}),
        also=["onnx/if/nesting"],
    )


def _inputs() -> Iterator[Vector]:
    """The main graph's input and initializer are in outputs/outputs.py, main-graph-passes-on."""
    # Twice: v → 2v → 4v, or v → |v| → |v|; each trip returns the value that it began with.
    trips = {
        True: {"last": 4 * X, "all": np.stack([X, 2 * X])},
        False: {"last": np.abs(X), "all": np.stack([X, np.abs(X)])},
    }
    yield outer_scope_capture(
        "loop-state-returned: the branches read a Loop's carried value, which its body also returns unchanged",
        looped(*INPUT_ITSELF),
        [Run({"r": np.bool_(r), "x": X}, outputs) for r, outputs in trips.items()],
        why=["ir-outer-scope", USE, "operators-loop-scan-output-concatenated"],
        also=["onnx/if/in-loop"],
        doubt=DOUBT,
    )
    yield outer_scope_capture(
        "scan-state-returned: the branches read a Scan's state, which its body also returns unchanged",
        scanned(*INPUT_ITSELF),
        [Run({"r": np.bool_(r), "start": X, "x": floats(0, 0)}, outputs) for r, outputs in trips.items()],
        why=["ir-outer-scope", USE, "operators-loop-scan-output-concatenated"],
        also=["onnx/if/in-scan"],
        doubt=DOUBT,
    )
    yield outer_scope_capture(
        "function-input-returned: the branches read a function's input, which the function also returns",
        called(*INPUT_ITSELF),
        branches({"x": X}, then={"y": 2 * X, "n": X}, else_={"y": np.abs(X), "n": X}, cond="r"),
        also=["onnx/if/in-function"],
        doubt=DOUBT,
    )
