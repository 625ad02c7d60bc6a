"""Faults where no run comes, as the model shows: behind a constant cond, in the body of a loop that makes no trip.

A reader that drops the other branch, or the loop, before it checks the model misses them.
"""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from ifcert.authoring import Run, Vector, branches, floats, model, says
from ifcert.authoring.models import Edit, attribute, else_of, if_node, then_of
from onnx import GraphProto, ModelProto, TensorProto

THEN, ELSE = ("if-then-branch-runs", "if-else-branch-runs")
LENGTH = says("operators-scan-length", "operators-scan-for-length")

X = floats(1, -2)

# Each branch has a constant of its own.
CHOICE = """
    choice (float[2] x) => (float[2] z) <bool c = {COND}, float[2] y> {
        y = If (c) <
            then_branch = then_graph () => (float[2] a) <float[2] k = {10, 20}> { a = Add (x, k) },
            else_branch = else_graph () => (float[2] b) <float[2] w = {3, 5}> { b = Sub (x, w) }>
        z = Neg (y)
    }"""

LOOP = """
    looped (bool cond, INPUT, float[2] x) => (float[2] y) <CONSTANT> {
        y = Loop (trips, going, x) <
            body = step (int64 i, bool on, float[2] v) => (bool on_out, float[2] v_out) {
                on_out = Identity (on)
                v_out = If (cond) <
                    then_branch = then_graph () => (a) <float[2] k = {10, 20}> { a = Add (v, k) },
                    else_branch = else_graph () => (b) <float[2] w = {3, 5}> { b = Sub (v, w) }>
            }>
    }"""

SCAN = """
    scanned (bool cond, float[0,2] rows, float[2] x) => (float[2] y) {
        y = Scan <
            num_scan_inputs = 1,
            body = step (float[2] s, float[2] e) => (float[2] s_out) {
                v = Mul (s, e)
                s_out = If (cond) <
                    then_branch = then_graph () => (a) <float[2] k = {10, 20}> { a = Add (v, k) },
                    else_branch = else_graph () => (b) <float[2] w = {3, 5}> { b = Sub (v, w) }>
            }> (x, rows)
    }"""


def constant_is_int64(graph: GraphProto) -> None:
    """The branch's initializer becomes int64."""
    (stored,) = graph.initializer
    numbers = [int(number) for number in stored.float_data]
    stored.CopyFrom(TensorProto(name=stored.name, dims=[2], data_type=TensorProto.INT64, int64_data=numbers))


def returns_int64(graph: GraphProto) -> None:
    """The branch's operator has its constant, now int64, twice; a declared type says so."""
    constant_is_int64(graph)
    graph.node[0].input[0] = graph.node[0].input[1]
    if graph.output[0].type.HasField("tensor_type"):
        graph.output[0].type.tensor_type.elem_type = TensorProto.INT64


def adds_two_types(branch: str) -> Edit:
    """The branch's operator has a float and an int64."""
    return lambda m: constant_is_int64(attribute(if_node(m), branch).g)


def gives_int64(branch: str) -> Edit:
    """The branch returns int64."""
    return lambda m: returns_int64(attribute(if_node(m), branch).g)


def gives_three(branch: str) -> Edit:
    """The branch's operator has a constant of three numbers twice, and its output is declared [3]."""

    def edit(m: ModelProto) -> None:
        graph = attribute(if_node(m), branch).g
        (stored,) = graph.initializer
        stored.dims[0] = 3
        stored.float_data.append(7)
        graph.node[0].input[0] = graph.node[0].input[1]
        graph.output[0].type.tensor_type.shape.dim[0].dim_value = 3

    return edit


def of_body(m: ModelProto) -> GraphProto:
    """The body of the loop."""
    return attribute(m.graph.node[0], "body").g


def vectors() -> Iterator[Vector]:
    for word, untaken, taken, why in (("false", "then", [2, 7], ELSE), ("true", "else", [-11, -18], THEN)):
        branch = f"{untaken}_branch"
        twin = Vector(
            f"onnx/if/only-taken-branch-runs/cond-always-{word}",
            f"cond is an initializer, {word}",
            [why],
            model(CHOICE.replace("COND", "1" if word == "true" else "0")),
            [Run({"x": X}, {"z": np.float32(taken)})],
            also=["onnx/if/constant-cond-same-result"],
        )
        for case, (title, rule, sentence, fault) in {
            "adds-two-types": (
                f"the operator of {untaken} has an int64 and a float",
                "onnx/model/operands-fit",
                "ir-signature",
                adds_two_types(branch),
            ),
            "types-differ": (
                f"{untaken} returns int64, the other branch float",
                "onnx/if/same-data-type",
                "if-same-data-type",
                gives_int64(branch),
            ),
            "declared-of-the-other": (
                f"{untaken} is declared to return [3], the other branch [2], as the result",
                "onnx/if/declared-shape-compatible",
                "if-declared-shape-counterexample",
                gives_three(branch),
            ),
        }.items():
            broken = twin.broken(f"{twin.id}-{case}: cond is an initializer, {word}; {title}", fault, why=[sentence])
            yield replace(broken, also=[rule])
    for id, (what, text, given, why) in {
        "onnx/if/in-loop/never-a-trip": (
            "the trip count of a Loop is an initializer, 0",
            LOOP.replace("INPUT", "bool going").replace("CONSTANT", "int64 trips = {0}"),
            {"going": np.True_},
            "operators-loop-for-trip-count-and-cond",
        ),
        "onnx/if/in-loop/cond-always-false": (
            "the cond of a Loop is an initializer, false",
            LOOP.replace("INPUT", "int64 trips").replace("CONSTANT", "bool going = {0}"),
            {"trips": np.int64(2)},
            "operators-loop-for-trip-count-and-cond",
        ),
        "onnx/if/in-scan/never-an-element": (
            "the operand that a Scan scans is declared with the length 0",
            SCAN,
            {"rows": np.zeros((0, 2), np.float32)},
            LENGTH,
        ),
    }.items():
        loop = Vector(
            id,
            f"{what}; its body has an If",
            [why],
            model(text),
            branches({**given, "x": X}, then={"y": X}, else_={"y": X}),
        )
        for branch, of in (("then", then_of), ("else", else_of)):
            broken = loop.broken(
                f"{loop.id}-{branch}-gives-int64: "
                f"{what}; of the If in its body, {branch} returns int64, the other branch float",
                lambda m, of=of: returns_int64(of(of_body(m))),
                why=["if-same-data-type"],
            )
            yield replace(broken, also=["onnx/if/same-data-type"])
