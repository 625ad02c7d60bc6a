"""Inputs of bodies with a name that is visible around them, and with names that are free."""

from collections.abc import Callable, Iterator

import numpy as np
from ifcert.authoring import Run, Vector, branches, floats, model, replaced, says, sequence, vectors_of
from ifcert.authoring.models import Edit, attribute, then_of
from onnx import GraphProto, ModelProto

INPUTS = says("ir-distinct-from-outer", "ir-no-shadowing")

no_shadowing = vectors_of("onnx/if/no-shadowing", INPUTS)

X, Z = floats(1, -2), floats(100, 200)

# In each body, v is carried or scanned and w is captured; both branches read v.
CHOICE = """r = If (cond) <
                    then_branch = then_graph () => (a) { a = Add (v, w) },
                    else_branch = else_graph () => (b) { b = Sub (v, w) }>"""

LOOP = f"""
    looped (bool cond, float[2] x, float[2] z) => (float[2] y) <int64 trips = {{2}}, bool yes = {{1}}> {{
        w = Neg (z)
        y = Loop (trips, yes, x) <
            body = step (int64 i, bool on, float[2] v) => (bool on_out, float[2] r) {{
                on_out = Identity (on)
                {CHOICE}
            }}>
        later = Abs (x)
    }}"""

SCAN = f"""
    scanned (bool cond, float[2] x, float[2] z) => (float[2] y) {{
        w = Neg (z)
        y = Scan <
            num_scan_inputs = 1,
            body = step (float[2] v, float e) => (float[2] r_out) {{
                {CHOICE}
                r_out = Add (r, e)
            }}> (x, z)
        later = Abs (x)
    }}"""

MAP = f"""
    mapped (bool cond, float[2] x, float[2] z) => (seq(float[2]) y) {{
        w = Neg (z)
        s = SequenceConstruct (x, z)
        y = SequenceMap (s) <
            body = each (float[2] v) => (float[2] r) {{
                {CHOICE}
            }}>
        later = Abs (x)
    }}"""

# The Loop is in then, another one in its body.
NESTED = """
    nested (bool cond, bool inner, float[2] x, float[2] z) => (float[2] y) <int64 trips = {2}, bool yes = {1}> {
        y = If (cond) <
            then_branch = then_graph () => (float[2] a) {
                w = Neg (z)
                n = Size (x)
                a = Loop (trips, yes, x) <
                    body = step (int64 i, bool on, float[2] v) => (bool on_out, float[2] v_out) {
                        on_out = Identity (on)
                        v_out = Loop (trips, yes, v) <
                            body = deep (int64 j, bool go, float[2] u) => (bool go_out, float[2] u_out) {
                                go_out = Identity (go)
                                u_out = If (inner) <
                                    then_branch = deep_then () => (c) { c = Add (u, w) },
                                    else_branch = deep_else () => (d) { d = Sub (u, w) }>
                            }>
                    }>
            },
            else_branch = else_graph () => (float[2] b) { b = Neg (x) }>
    }"""

FUNCTION = """
    caller (bool cond, float[2] x, float[2] z) => (float[2] y) { y = local.repeated (cond, x, z) }
    <domain: "local", opset_import: ["" : 17]>
    repeated (cond, x, z) => (y) {
        w = Neg (z)
        trips = Constant <value_int = 2> ()
        y = Loop (trips, cond, x) <
            body = step (int64 i, bool on, v) => (bool on_out, r) {
                on_out = Identity (on)
                r = If (on) <
                    then_branch = then_graph () => (a) { a = Add (v, w) },
                    else_branch = else_graph () => (b) { b = Sub (v, w) }>
            }>
    }"""


def body_of(m: ModelProto) -> GraphProto:
    """The first body in the model, or in the function where there is one."""
    nodes = m.functions[0].node if m.functions else m.graph.node
    return next(given.g for node in nodes for given in node.attribute if given.name == "body")


def outer_body(m: ModelProto) -> GraphProto:
    """The body of the Loop in then."""
    return attribute(then_of(m).node[2], "body").g


def deep_body(m: ModelProto) -> GraphProto:
    """The body in it."""
    return attribute(outer_body(m).node[1], "body").g


def named(find: Callable[[ModelProto], GraphProto], old: str, new: str) -> Edit:
    """An input of the body is renamed, there and in the branches that read it."""

    def edit(m: ModelProto) -> None:
        body = find(m)
        for given in body.input:
            given.name = new if given.name == old else given.name
        rename(body, old, new)

    return edit


def rename(graph: GraphProto, old: str, new: str) -> None:
    """Renames a value wherever the graph and its nested graphs read it."""
    for node in graph.node:
        node.input[:] = [new if name == old else name for name in node.input]
        for given in node.attribute:
            if given.HasField("g"):
                rename(given.g, old, new)


def vectors() -> Iterator[Vector]:
    w = -Z
    twice = branches({"x": X, "z": Z}, then={"y": X + 2 * w}, else_={"y": X - 2 * w})
    each = branches(
        {"x": X, "z": Z},
        then={"y": sequence("tensor(float32)", [X + w, Z + w])},
        else_={"y": sequence("tensor(float32)", [X - w, Z - w])},
    )
    scanned = branches({"x": X, "z": Z}, then={"y": X + 2 * w + 300}, else_={"y": X - 2 * w + 300})
    for kind, text, runs in (("Loop", LOOP, twice), ("Scan", SCAN, scanned), ("SequenceMap", MAP, each)):
        case = {"SequenceMap": "sequence-map"}.get(kind, kind.lower())
        twin = no_shadowing(
            f"inputs-of-{case}-body: the inputs of a {kind}'s body have names of their own",
            model(text, 17),
            runs,
            also=[f"onnx/if/in-{case}"],
        )
        yield twin.broken(
            f"{twin.id}-named-as-graph-input: "
            f"the input that a {kind}'s body reads has the name of an input of the main graph",
            named(body_of, "v", "x"),
        )
        if kind == "Scan":
            yield twin.broken(
                f"{twin.id}-unread-named-as-node-output: "
                "an input that a Scan's body does not read has the name of the value that its branches capture",
                replaced("step (float[2] v, float e)", "step (float[2] v, float w)"),
                replaced("r_out = Add (r, e)", "r_out = Identity (r)"),
            )
        if kind == "Loop":
            yield twin.broken(
                f"{twin.id}-trip-number-named-as-initializer: "
                "the iteration number, which a Loop's body does not read, has the name of the initializer of the "
                "trip count",
                replaced("i, bool on, float[2]", "trips, bool on, float[2]"),
            )
        yield twin.varied(
            f"{twin.id}-named-as-later-value: "
            f"the input of a {kind}'s body has the name of a later node's output, which is not visible there",
            named(body_of, "v", "later"),
        )
        yield twin.varied(
            f"{twin.id}-named-as-own-output: "
            f"the input of a {kind}'s body has the name of the {kind}'s own output, which is not visible there",
            named(body_of, "v", "y"),
        )


def _nested() -> Iterator[Vector]:
    w = -Z
    nested = no_shadowing(
        "inputs-of-nested-bodies: a Loop in then and one in its body, whose inputs have names of their own",
        model(NESTED, 17),
        Run({"cond": np.True_, "inner": np.True_, "x": X, "z": Z}, {"y": X + 4 * w}),
        Run({"cond": np.True_, "inner": np.False_, "x": X, "z": Z}, {"y": X - 4 * w}),
        Run({"cond": np.False_, "inner": np.False_, "x": X, "z": Z}, {"y": -X}),
        also=["onnx/if/loop-in-branch"],
    )
    for case, fault in {
        "named-as-branch-value: the iteration number of a Loop in then has the name of a value of then": named(
            outer_body, "i", "n"
        ),
        "named-as-outer-bodys-input: the inner Loop's carried value has the name of the outer one's": named(
            deep_body, "u", "v"
        ),
        (
            "named-as-initializer: the inner Loop's iteration number has the name of an initializer of the main graph"
        ): named(deep_body, "j", "yes"),
    }.items():
        yield nested.broken(f"{nested.id}-{case}", fault)
    function = no_shadowing(
        "inputs-of-body-in-function: a function has a Loop whose body's inputs have names of their own",
        model(FUNCTION, 17, domains={"local": 1}),
        branches({"x": X, "z": Z}, then={"y": X + 2 * w}, else_={"y": X}),
        also=["onnx/if/in-function"],
    )
    yield function.broken(
        f"{function.id}-named-as-function-input: "
        "in a function, the input of a Loop's body has the name of the function's input",
        named(body_of, "v", "x"),
    )
