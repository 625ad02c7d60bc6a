"""Declared shapes that the nodes contradict, as their constants or the bodies that they enter show before a run."""

from collections.abc import Iterator

import numpy as np
from ifcert.authoring import Vector, branches, floats, model, replaced, vectors_of
from ifcert.authoring.models import declared_as

declared_type_agrees = vectors_of(
    "onnx/model/declared-type-agrees",
    "ir-value-info-type",
    "operators-loop-scan-output-concatenated",
    "ir-subgraph-types",
)

SIX = floats(1, -2, 3, 4, 5, -6)
X = floats(1, -2)

# Then's shape is in an initializer, else's in a Constant.
RESHAPES = model("""
    reshapes (bool cond, float[6] x) => (float[?] z) <float[?, ?] y> {
        y = If (cond) <
            then_branch = then_graph () => (float[2, 3] a) <int64[2] rows = {2, 3}> { a = Reshape (x, rows) },
            else_branch = else_graph () => (float[3, 2] b) {
                columns = Constant <value = int64[2] {3, 2}> ()
                b = Reshape (x, columns)
            }>
        flat = Constant <value = int64[1] {-1}> ()
        z = Reshape (y, flat)
    }""")

# The branches capture the shapes.
RESHAPES_AS_OUTSIDE = model("""
    reshapes (bool cond, float[6] x) => (float[?] z) <int64[2] rows = {2, 3}, float[?, ?] y> {
        columns = Constant <value = int64[2] {3, 2}> ()
        y = If (cond) <
            then_branch = then_graph () => (float[2, 3] a) { a = Reshape (x, rows) },
            else_branch = else_graph () => (float[3, 2] b) { b = Reshape (x, columns) }>
        flat = Constant <value = int64[1] {-1}> ()
        z = Reshape (y, flat)
    }""")

# The Loop stacks numbers, not lists.
STACKS_NUMBERS = model("""
    stacks (bool cond, int64 trips, bool yes, float x) => (float[?] z) <float[?] all> {
        all = Loop (trips, yes) <
            body = step (int64 i, bool on) => (bool on_out, shown) {
                on_out = Identity (on)
                shown = If (cond) <
                    then_branch = then_graph () => (a) { a = Add (x, x) },
                    else_branch = else_graph () => (b) { b = Neg (x) }>
            }>
        flat = Constant <value = int64[1] {-1}> ()
        z = Reshape (all, flat)
    }""")

# A sequence and a tensor are carried, and what is stacked has the shape of x.
STACKS = model("""
    stacks (bool cond, int64 trips, float[2] x) => (int64 items, float[2] sum, float[?] z) <float[?, 2] all> {
        yes = Constant <value = bool {1}> ()
        list = SequenceConstruct (x)
        longer, sum, all = Loop (trips, yes, list, x) <
            body = step (int64 i, bool on, seq(float[2]) v, w) => (bool on_out, seq(float[2]) v_out, w_out, shown) {
                on_out = Identity (on)
                v_out = SequenceInsert (v, x)
                w_out = Add (w, w)
                shown = If (cond) <
                    then_branch = then_graph () => (a) { a = Add (x, x) },
                    else_branch = else_graph () => (b) { b = Neg (x) }>
            }>
        items = SequenceLength (longer)
        flat = Constant <value = int64[1] {-1}> ()
        z = Reshape (all, flat)
    }""")

# Only a sequence is carried, and what is stacked has the shape of x.
STACKS_BEHIND_SEQUENCE = model("""
    stacks (bool cond, int64 trips, float[2] x) => (int64 items, float[?] z) <float[?, 2] all> {
        yes = Constant <value = bool {1}> ()
        list = SequenceConstruct (x)
        longer, all = Loop (trips, yes, list) <
            body = step (int64 i, bool on, seq(float[2]) v) => (bool on_out, seq(float[2]) v_out, shown) {
                on_out = Identity (on)
                v_out = SequenceInsert (v, x)
                shown = If (cond) <
                    then_branch = then_graph () => (a) { a = Add (x, x) },
                    else_branch = else_graph () => (b) { b = Neg (x) }>
            }>
        items = SequenceLength (longer)
        flat = Constant <value = int64[1] {-1}> ()
        z = Reshape (all, flat)
    }""")

# The first axis counted from the back is the first one too.
STACKS_IN_FRONT = model("""
    stacks (bool cond, float[3] x) => (float[?] z) <float[?, 2] all> {
        two = Constant <value = float[2] {10, 20}> ()
        all = Scan <
            num_scan_inputs = 1, scan_output_axes = [-2],
            body = step (e) => (shown) {
                shown = If (cond) <
                    then_branch = then_graph () => (a) { a = Add (two, e) },
                    else_branch = else_graph () => (b) { b = Mul (two, e) }>
            }> (x)
        flat = Constant <value = int64[1] {-1}> ()
        z = Reshape (all, flat)
    }""")


def vectors() -> Iterator[Vector]:
    reshaped = declared_type_agrees(
        "reshaped-by-constants: by constants, then reshapes six numbers to [2, 3], else to [3, 2], as they declare",
        RESHAPES,
        branches({"x": SIX}, then={"z": SIX}, else_={"z": SIX}),
        why=["ir-value-info-type", "operators-reshape-shape"],
    )
    yield reshaped.broken(
        "reshaped-by-initializer: then reshapes to [2, 3] by an initializer, and declares its output [3, 2]",
        replaced("(float[2, 3] a)", "(float[3, 2] a)"),
    )
    yield reshaped.broken(
        "reshaped-by-constant-node: else reshapes to [3, 2] by a Constant, and declares its output [2, 3]",
        replaced("else_graph () => (float[3, 2] b) {", "else_graph () => (float[2, 3] b) {"),
    )
    outside = declared_type_agrees(
        "reshaped-by-captured-constants: "
        "by constants of the main graph, then reshapes six numbers to [2, 3], else to [3, 2], as they declare",
        RESHAPES_AS_OUTSIDE,
        reshaped.runs,
        why=["ir-value-info-type", "operators-reshape-shape"],
        also=["onnx/if/outer-scope-capture"],
    )
    yield outside.broken(
        "reshaped-by-captured-initializer: "
        "then reshapes to [2, 3] by an initializer of the main graph, and declares its output [3, 2]",
        replaced("then_graph () => (float[2, 3] a)", "then_graph () => (float[3, 2] a)"),
    )
    yield outside.broken(
        "reshaped-by-captured-constant-node: "
        "else reshapes to [3, 2] by a Constant of the main graph, and declares its output [2, 3]",
        replaced("else_graph () => (float[3, 2] b)", "else_graph () => (float[2, 3] b)"),
    )
    twice = {"trips": np.int64(2), "yes": np.True_}
    numbers = declared_type_agrees(
        "stacked-numbers: a Loop stacks an If's results, which are scalars, to a list, as value_info declares",
        STACKS_NUMBERS,
        branches({**twice, "x": np.float32(3)}, then={"z": floats(6, 6)}, else_={"z": floats(-3, -3)}),
        also=["onnx/if/in-loop"],
    )
    yield numbers.broken(
        "stacked-numbers-declared-as-rows: "
        "a Loop stacks an If's results, which are scalars, and value_info declares what it stacks [?, 2]",
        declared_as("float[?, 2]", "all"),
    )
    stacked = declared_type_agrees(
        "stacked-results-of-if: a Loop stacks an If's results of shape [2] to [?, 2], as value_info declares",
        STACKS,
        branches(
            {"trips": np.int64(2), "x": X},
            then={"items": np.int64(3), "sum": 4 * X, "z": np.tile(X + X, 2)},
            else_={"items": np.int64(3), "sum": 4 * X, "z": np.tile(-X, 2)},
        ),
        also=["onnx/if/in-loop"],
    )
    yield stacked.broken(
        "stacked-results-of-if-declared-longer: "
        "a Loop stacks an If's results of shape [2], and value_info declares what it stacks [?, 3]",
        declared_as("float[?, 3]", "all"),
    )
    behind = declared_type_agrees(
        "stacked-behind-a-sequence: "
        "a Loop carries a sequence and stacks an If's results of shape [2] to [?, 2], as value_info declares",
        STACKS_BEHIND_SEQUENCE,
        branches(
            {"trips": np.int64(2), "x": X},
            then={"items": np.int64(3), "z": np.tile(X + X, 2)},
            else_={"items": np.int64(3), "z": np.tile(-X, 2)},
        ),
        also=["onnx/if/in-loop"],
    )
    yield behind.broken(
        "stacked-behind-a-sequence-declared-longer: "
        "a Loop carries a sequence and stacks an If's results of shape [2], which value_info declares [?, 3]",
        declared_as("float[?, 3]", "all"),
    )
    front = declared_type_agrees(
        "stacked-along-axis-from-the-back: "
        "a Scan stacks an If's results of shape [2] along axis -2, to [?, 2], as value_info declares",
        STACKS_IN_FRONT,
        branches(
            {"x": floats(1, 2, 3)},
            then={"z": floats(11, 21, 12, 22, 13, 23)},
            else_={"z": floats(10, 20, 20, 40, 30, 60)},
        ),
        why=["ir-value-info-type", "operators-scan-output-axes-range", "ir-subgraph-types"],
        also=["onnx/if/in-scan"],
    )
    yield front.broken(
        "stacked-along-axis-from-the-back-declared-longer: "
        "a Scan stacks an If's results of shape [2] along axis -2, and value_info declares what it stacks [?, 3]",
        declared_as("float[?, 3]", "all"),
    )
