"""If inside the bodies of Loop, Scan and SequenceMap: names and types; a body's values are outer values too."""

from collections.abc import Iterator
from dataclasses import dataclass

from ifcert.authoring import Run, Vector, attribute, branches, floats, model, replaced, says, sequence
from onnx import GraphProto, ModelProto, NodeProto

OUTER = says("ir-outer-scope", note="not in inner ones")

# The value that the branches read, and whose name they may clash with, is called v in each body.
CHOICE = """
                size = Abs (v)
                r = If (cond) <
                    then_branch = then_graph () => (a) <float[2] w = {1, 2}> { t = Add (v, size)  a = Add (t, w) },
                    else_branch = else_graph () => (b) { d = Neg (v)  b = Cast <to = 1> (d) }>"""

LOOP = model(f"""<opset_import: ["" : 17]>
    looped (bool cond, float[2] x) => (float[2] y) <int64 trips = {{2}}, bool yes = {{1}}> {{
        y = Loop (trips, yes, x) <
            body = step (int64 i, bool on, float[2] v) => (bool on_out, float[2] r) {{ {CHOICE}
                on_out = Identity (on)
            }}>
        spare = Neg (x)
    }}""")

SCAN = model(f"""<opset_import: ["" : 17]>
    scanned (bool cond, float[2] x, float[2] added) => (float[2] y) {{
        y = Scan <
            num_scan_inputs = 1,
            body = step (float[2] v, float e) => (float[2] r_out) {{ {CHOICE}
                r_out = Add (r, e)
            }}> (x, added)
        spare = Neg (x)
    }}""")

MAP = model(f"""<opset_import: ["" : 17]>
    mapped (bool cond, float[2] x, seq(float[2]) s) => (seq(float[2]) y) {{
        y = SequenceMap (s) <
            body = each (float[2] v) => (float[2] r) {{ {CHOICE}
            }}>
        spare = Neg (x)
    }}""")

X = floats(1, -2)
# Once: x + |x| + [1, 2] = [3, 2], and -x. Twice: [3 + 3 + 1, 2 + 2 + 2] = [7, 6], and x.
ONCE, TWICE = floats(3, 2), floats(7, 6)
# Added to each result: [3 + 10, 2 + 10], then [2 * 13 + 1 + 20, 2 * 12 + 2 + 20]; or [10 - 1, 10 + 2], then
# [20 - 9, 20 - 12].
ADDED = floats(10, 20)
LIST = sequence("tensor(float32)", [X, ONCE])


@dataclass(frozen=True)
class Body:
    """A kind of body, a model with one, and its runs."""

    name: str
    model: ModelProto
    runs: list[Run]


BODIES = [
    Body("loop", LOOP, branches({"x": X}, then={"y": TWICE}, else_={"y": X})),
    Body("scan", SCAN, branches({"x": X, "added": ADDED}, then={"y": floats(47, 46)}, else_={"y": floats(11, 8)})),
    Body(
        "sequence-map",
        MAP,
        branches(
            {"x": X, "s": LIST},
            then={"y": sequence("tensor(float32)", [ONCE, TWICE])},
            else_={"y": sequence("tensor(float32)", [-X, -ONCE])},
        ),
    ),
]


def body_of(m: ModelProto) -> GraphProto:
    """The body of the first node, whatever its operator."""
    return attribute(m.graph.node[0], "body").g


def if_before_its_capture(m: ModelProto) -> None:
    body = body_of(m)
    first, second = NodeProto(), NodeProto()
    first.CopyFrom(body.node[0])
    second.CopyFrom(body.node[1])
    body.node[0].CopyFrom(second)
    body.node[1].CopyFrom(first)


def vectors() -> Iterator[Vector]:
    for body in BODIES:
        where = f"in the body of a {''.join(part.capitalize() for part in body.name.split('-'))}"

        def sound(rule: str, why: list, body: Body = body, where: str = where) -> Vector:
            title = f"an If {where}, without a fault"
            return Vector(
                f"onnx/if/{rule}/in-{body.name}-body",
                title,
                why,
                body.model,
                body.runs,
                also=[f"onnx/if/in-{body.name}"],
            )

        twin = sound(
            "no-shadowing",
            [says("ir-distinct-from-outer", note="a body's inputs are visible in the branches inside it")],
        )
        yield twin.broken(
            f"{twin.id}-initializer-named-as-input: {where}, then has an initializer with the name of the body's input",
            replaced("then_graph () => (a) <float[2] w = {1, 2}>", "then_graph () => (a) <float[2] v = {1, 2}>"),
            replaced("a = Add (t, w)", "a = Add (t, v)"),
        )
        yield twin.broken(
            f"{twin.id}-node-output-named-as-value: "
            f"{where}, else has a node output with the name of a value of the body",
            replaced("d = Neg (v)", "size = Neg (v)"),
            replaced("b = Cast <to = 1> (d)", "b = Cast <to = 1> (size)"),
        )
        twin = sound("no-leak", [OUTER])
        yield twin.broken(
            f"{twin.id}-main-reads-branch: {where}, then computes a value that the main graph reads",
            replaced("spare = Neg (x)", "spare = Neg (t)"),
        )
        yield twin.broken(
            f"{twin.id}-body-reads-branch: {where}, then computes a value that the body reads",
            replaced("size = Abs (v)", "size = Abs (t)"),
        )
        yield twin.broken(
            f"{twin.id}-main-reads-body: the main graph reads a value computed {where}",
            replaced("spare = Neg (x)", "spare = Neg (size)"),
        )
        twin = sound("definition-before-use", ["ir-graph-sorted", OUTER])
        yield twin.broken(
            f"{twin.id}-captured-made-after: {where}, a captured value is computed after the If",
            if_before_its_capture,
        )
        twin = sound("same-data-type", ["if-same-data-type"])
        yield twin.broken(
            f"{twin.id}-float-and-int64: {where}, then returns float, else int64",
            replaced("b = Cast <to = 1> (d)", "b = Cast <to = 7> (d)"),
        )
