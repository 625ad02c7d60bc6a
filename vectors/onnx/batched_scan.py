"""If in the body of a Scan of version 8, which scans each batch of its operands separately."""

from collections.abc import Iterator

import numpy as np
from ifcert.authoring import Run, Vector, model
from ifcert.authoring.sources import OUTER, operator_schema

RULE = "onnx/if/in-scan/"
BATCHES = operator_schema(
    "Scan (8): 'The operation supports batching, and the batch-axis is required to be 0.'; 'The sequence axis or scan "
    "axis is required to be 1.'"
)
LENGTHS = operator_schema(
    "Scan (8): 'The operation has an optional sequence_lens input (of shape [BATCH_SIZE]) to allow variable length "
    "sequences of length <= the maximum-sequence-length.'"
)
DIRECTIONS = operator_schema(
    "Scan (8): 'The optional attribute directions can be used to scan a sequence in the reverse direction.'"
)

# An element whose sum is positive is added to the state, any other is subtracted.
STEP = """
            body = step (float[2] s, float[2] e) => (float[2] s_out, float[2] shown) {
                total = ReduceSum <keepdims = 0> (e)
                positive = Greater (total, zero)
                s_out = If (positive) <
                    then_branch = then_graph () => (float[2] a) { a = Add (s, e) },
                    else_branch = else_graph () => (float[2] b) { b = Sub (s, e) }>
                shown = Neg (s_out)
            }"""

SCAN = """
    scanned (float[2,2] start, float[2,3,2] x) => (float[2,2] final, float[2,3,2] all) <float zero = {0}> {
        final, all = Scan <DIRECTIONSnum_scan_inputs = 1,STEP> ( , start, x)
    }"""

LIMITED = """
    limited (int64[2] lengths, float[2,2] start, float[2,3,2] x) => (float[2,2] final) <float zero = {0}> {
        final, all = Scan <num_scan_inputs = 1,STEP> (lengths, start, x)
    }"""

FROM_AROUND = """
    around (bool cond, float[2,2] start, float[2,3,2] x) => (float[2,2] final) <float[2] k = {100, 200}> {
        final = Scan <
            num_scan_inputs = 1,
            body = step (float[2] s, float[2] e) => (float[2] s_out) {
                s_out = If (cond) <
                    then_branch = then_graph () => (float[2] a) { t = Add (s, e)  a = Add (t, k) },
                    else_branch = else_graph () => (float[2] b) { b = Sub (s, e) }>
            }> ( , start, x)
    }"""

START = np.float32([[10, 20], [30, 40]])
ROWS = np.float32([[[1, -2], [3, 1], [0, 5]], [[2, 2], [-4, 1], [1, -1]]])
# The sums are -1, 4, 5 in the first batch and 4, -3, 0 in the second.
SIGNS = np.float32([[[-1], [1], [1]], [[1], [-1], [-1]]])
STEPS = SIGNS * ROWS


def states(steps: np.ndarray) -> np.ndarray:
    """The state after each step, batch by batch."""
    return START[:, None] + np.cumsum(steps, axis=1, dtype=np.float32)


def vectors() -> Iterator[Vector]:
    """All elements, the first few of each batch, backwards, and values captured from outside the Scan."""
    forward = states(STEPS)
    fed = {"start": START, "x": ROWS}
    yield Vector(
        RULE + "opset-eight",
        "two batches of three elements; each element decides",
        [BATCHES],
        model(8, SCAN.replace("DIRECTIONS", "").replace("STEP", STEP)),
        [Run(fed, {"final": forward[:, -1], "all": -forward})],
    )
    backward = states(STEPS[:, ::-1])
    yield Vector(
        RULE + "opset-eight-backward",
        "two batches of three elements, scanned backwards",
        [BATCHES, DIRECTIONS],
        model(8, SCAN.replace("DIRECTIONS", "directions = [1], ").replace("STEP", STEP)),
        [Run(fed, {"final": backward[:, -1], "all": -backward})],
    )
    yield Vector(
        RULE + "opset-eight-lengths",
        "fewer elements are scanned of one batch than of the other",
        [BATCHES, LENGTHS],
        model(8, LIMITED.replace("STEP", STEP)),
        [
            Run({"lengths": np.int64([3, 1])} | fed, {"final": np.stack([forward[0, 2], forward[1, 0]])}),
            Run({"lengths": np.int64([1, 2])} | fed, {"final": np.stack([forward[0, 0], forward[1, 1]])}),
        ],
    )
    yield Vector(
        RULE + "opset-eight-length-zero",
        "no element of one batch is scanned, so its state stays as it was",
        [BATCHES, LENGTHS],
        model(8, LIMITED.replace("STEP", STEP)),
        [Run({"lengths": np.int64([0, 2])} | fed, {"final": np.stack([START[0], forward[1, 1]])})],
        doubt="a length of 0 in a batch concerns Scan alone: its pseudo-code allows it, no sentence mentions it",
    )
    yield Vector(
        RULE + "opset-eight-from-around",
        "the cond and a value that then reads come from the main graph, the same for each batch",
        [BATCHES, OUTER],
        model(8, FROM_AROUND),
        [
            Run({"cond": np.True_} | fed, {"final": START + ROWS.sum(axis=1) + np.float32([300, 600])}),
            Run({"cond": np.False_} | fed, {"final": START - ROWS.sum(axis=1)}),
        ],
    )
