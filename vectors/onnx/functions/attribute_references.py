"""Nodes in branches refer to an attribute of the enclosing function: each type, defaults, omission, loops."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from ifcert.authoring import Run, Vector, branches, floats, issue, model, says, strings, vectors_of
from ifcert.authoring.values import Writable
from onnx import ModelProto

OMITTED = says("ir-function-attribute-replaced", note="here it is omitted")
FIELD = issue("onnx/onnx", 4792, "references inside a branch were not replaced")

in_function = vectors_of("onnx/if/in-function", "ir-function-attribute-replaced")

X = floats([1, -2, 3], [4, 5, -6])


@dataclass(frozen=True)
class Kind:
    """A type of attribute, two values of it, the nodes that compute RESULT from it (and from v), and the results."""

    type: str
    first: str
    second: str
    nodes: str
    of_first: Writable
    of_second: Writable
    output: str = "float[?,?]"


KINDS = [
    Kind("ints", "[1, 0]", "[0, 1]", "RESULT = Transpose <perm: ints = @given> (v)", X.T, X),
    Kind("float", "0.5", "-2.0", "k = Constant <value_float: float = @given> ()  RESULT = Mul (v, k)", X / 2, -2 * X),
    Kind(
        "floats",
        "[1.0, 2.0, 4.0]",
        "[0.5, 0.0, 8.0]",
        "k = Constant <value_floats: floats = @given> ()  RESULT = Add (v, k)",
        X + floats(1, 2, 4),
        X + floats(0.5, 0, 8),
    ),
    Kind(
        "tensor",
        "float[1] {3}",
        "float[2,1] {10, 20}",
        "k = Constant <value: tensor = @given> ()  RESULT = Add (v, k)",
        X + np.float32(3),
        X + floats([10], [20]),
    ),
    Kind(
        "string",
        '"first"',
        '""',
        "RESULT = Constant <value_string: string = @given> ()",
        strings([], [b"first"]),
        strings([], [b""]),
        output="string",
    ),
    Kind(
        "strings",
        '["a", ""]',
        '["one"]',
        "RESULT = Constant <value_strings: strings = @given> ()",
        strings([2], [b"a", b""]),
        strings([1], [b"one"]),
        output="string[?]",
    ),
]

# The branch at the third level is in a Loop's body.
IN_LOOP = model("""<opset_import: ["" : 16, "local" : 1]>
    caller (bool cond, float[2] x) => (float[2] y, float[2] z) {
        y = local.added <step = 3.0> (cond, x)
        z = local.added <step = -1.0> (cond, x)
    }
    <domain: "local", opset_import: ["" : 16]>
    added <step> (c, v) => (r) {
        trips = Constant <value_int = 3> ()
        r = If (c) <
            then_branch = then_graph () => (a) {
                yes = Constant <value = bool {1}> ()
                a = Loop (trips, yes, v) <
                    body = body (int64 i, bool on, s) => (bool on_out, s_out) {
                        on_out = Identity (on)
                        s_out = If (c) <
                            then_branch = deep_then () => (d) {
                                k = Constant <value_float: float = @step> ()
                                d = Add (s, k)
                            },
                            else_branch = deep_else () => (e) { e = Neg (s) }>
                    }>
            },
            else_branch = else_graph () => (b) { k = Constant <value_float: float = @step> ()  b = Mul (v, k) }>
    }""")

# The number of scanned inputs decides which of the two is a state.
SCANNED = model("""<opset_import: ["" : 16, "local" : 1]>
    caller (bool cond, float[2] x, float[2,2] z) => (float[2] y) { y = local.summed <count = 1> (cond, x, z) }
    <domain: "local", opset_import: ["" : 16]>
    summed <count> (c, v, w) => (r) {
        r = Scan <
            num_scan_inputs: int = @count,
            body = step (s, e) => (s_out) {
                s_out = If (c) <
                    then_branch = then_graph () => (a) { a = Add (s, e) },
                    else_branch = else_graph () => (b) { b = Sub (s, e) }>
            }> (v, w)
    }""")

# Without the attribute ReduceSum keeps its dims.
LEFT_OUT = model("""<opset_import: ["" : 16, "local" : 1]>
    caller (bool cond, float[2,3] x) => (float[?,?] y, float[?] z) {
        y = local.summed (cond, x)
        z = local.summed <keep = 0> (cond, x)
    }
    <domain: "local", opset_import: ["" : 16]>
    summed <keep> (c, v) => (r) {
        axis = Constant <value_ints = [1]> ()
        r = If (c) <
            then_branch = then_graph () => (a) { a = ReduceSum <keepdims: int = @keep> (v, axis) },
            else_branch = else_graph () => (b) { n = Neg (v)  b = ReduceSum <keepdims: int = @keep> (n, axis) }>
    }""")

# The two functions have defaults of their own.
HANDED_ON = model("""<ir_version: 9, opset_import: ["" : 16, "local" : 1]>
    caller (bool cond, float[2] x) => (int64[2] i, double[2] d, int64[2] j) {
        i = local.outer <kind = 7> (cond, x)
        d = local.outer (cond, x)
        j = local.inner (cond, x)
    }
    <domain: "local", opset_import: ["" : 16]>
    inner <to: int = 7> (c, v) => (r) {
        r = If (c) <
            then_branch = then_inner () => (a) { a = Cast <to: int = @to> (v) },
            else_branch = else_inner () => (b) { n = Neg (v)  b = Cast <to: int = @to> (n) }>
    }
    <domain: "local", opset_import: ["" : 16, "local" : 1]>
    outer <kind: int = 11> (c, v) => (r) {
        r = If (c) <
            then_branch = then_outer () => (a) { a = local.inner <to: int = @kind> (c, v) },
            else_branch = else_outer () => (b) { s = Add (v, v)  b = local.inner <to: int = @kind> (c, s) }>
    }""")


def called_twice(kind: Kind) -> ModelProto:
    """Both branches compute their result from the attribute; two calls pass its two values."""
    return model(f"""<opset_import: ["" : 16, "local" : 1]>
        caller (bool cond, float[2,3] x) => ({kind.output} y, {kind.output} z) {{
            y = local.made <given = {kind.first}> (cond, x)
            z = local.made <given = {kind.second}> (cond, x)
        }}
        <domain: "local", opset_import: ["" : 16]>
        made <given> (c, v) => (r) {{
            r = If (c) <
                then_branch = then_graph () => (a) {{ {kind.nodes.replace("RESULT", "a")} }},
                else_branch = else_graph () => (b) {{ {kind.nodes.replace("RESULT", "b")} }}>
        }}""")


# With the default of `converted`, an int64, the branches would differ.
OVER_ANOTHER_DEFAULT = """
    forwarded (bool cond, float[2] x) => (float[2] y) {{ y = local.chosen <to = 1> (cond, x) }}
    <domain: "local", opset_import: ["" : 17, "inner" : 1]>
    chosen <to> (c, v) => (r) {{
        r = If (c) <
            then_branch = then_graph () => (p) {{ p = inner.{called} <to : int = @to> (v) }},
            else_branch = else_graph () => (q) {{ w = Neg (v)  q = Cast <to = 1> (w) }}>
    }}
    {between}
    <domain: "inner", opset_import: ["" : 17]>
    converted <to : int = 7> (v) => (r) {{ r = Cast <to : int = @to> (v) }}
    """
BETWEEN = """
    <domain: "inner", opset_import: ["" : 17, "inner" : 1]>
    passed <to : int = 7> (v) => (r) {
        w = inner.converted <to : int = @to> (v)
        half = Constant <value = float {0.5}> ()
        r = Add (w, half)
    }"""

# One call passes the attribute, the other leaves it out, and so does the call within then.
LEFT_OUT_BELOW = model("""<ir_version: 9, opset_import: ["" : 17, "local" : 1, "inner" : 1]>
    forwarded (bool cond, float[2] x) => (float[2] y, int64[2] z) {
        y = local.chosen <to = 1> (cond, x)
        z = local.chosen (cond, x)
    }
    <domain: "local", opset_import: ["" : 17, "inner" : 1]>
    chosen <to> (c, v) => (r) {
        r = If (c) <
            then_branch = then_graph () => (p) { p = inner.converted <to : int = @to> (v) },
            else_branch = else_graph () => (q) { w = Neg (v)  q = inner.converted <to : int = @to> (w) }>
    }
    <domain: "inner", opset_import: ["" : 17]>
    converted <to : int = 7> (v) => (r) { r = Cast <to : int = @to> (v) }
    """)

# The graph is written in `outer`, and refers to an attribute of `outer`.
GIVEN_IN_FUNCTION = """
    caller (bool cond, float[2] x) => (float[2] y, float[2] z) {
        y = local.outer <row = [10.0, 20.0]> (cond, x)
        z = local.outer <row = [30.0, 40.0]> (cond, x)
    }
    <domain: "local", opset_import: ["" : 19]>
    choose <when_true, NAME: floats = [3.0, 5.0]> (c, v) => (r) {
        r = If (c) <
            then_branch: graph = @when_true,
            else_branch = else_graph () => (b) { k = Constant <value_floats: floats = @NAME> ()  b = Mul (v, k) }>
    }
    <domain: "local", opset_import: ["" : 19, "local" : 1]>
    outer <row> (c, v) => (r) {
        r = local.choose <
            when_true = given () => (g) { k = Constant <value_floats: floats = @row> ()  g = Neg (k) }> (c, v)
    }"""

# Without perm, Transpose would turn the table in every call.
OF_A_CONSTANT = model("""<opset_import: ["" : 16, "local" : 1]>
    caller (bool cond, float[2,2] x) => (float[2,2] y, float[2,2] z) {
        y = local.added <order = [0, 1]> (cond, x)
        z = local.added <order = [1, 0]> (cond, x)
    }
    <domain: "local", opset_import: ["" : 16]>
    added <order> (c, v) => (r) {
        table = Constant <value = float[2,2] {1, 2, 3, 4}> ()
        turned = Transpose <perm: ints = @order> (table)
        r = If (c) <
            then_branch = then_graph () => (a) { a = Add (v, turned) },
            else_branch = else_graph () => (b) { t = Transpose <perm: ints = @order> (table)  b = Mul (v, t) }>
    }""")


def vectors() -> Iterator[Vector]:
    for kind in KINDS:
        results: dict[str, Writable] = {"y": kind.of_first, "z": kind.of_second}
        yield in_function(
            f"attribute-reference-of-{kind.type}: "
            f"nodes in the branches refer to an attribute of type {kind.type}, for which two calls pass different "
            "values",
            called_twice(kind),
            [Run({"cond": cond, "x": X}, results) for cond in (np.True_, np.False_)],
            why=["ir-function-attribute-replaced", FIELD],
        )
    x = floats(1, -2)
    yield in_function(
        "attribute-reference-in-loop-in-branch: "
        "in a function, a node in a branch in a Loop in a branch refers to the attribute",
        IN_LOOP,
        branches({"x": x}, then={"y": x + 9, "z": x - 3}, else_={"y": 3 * x, "z": -x}),
        why=["ir-function-attribute-replaced", FIELD],
        also=["onnx/if/in-loop", "onnx/if/loop-in-branch"],
    )
    yield in_function(
        "attribute-reference-left-out: "
        "nodes in the branches refer to an attribute without a default, which one call leaves out",
        LEFT_OUT,
        branches(
            {"x": X},
            then={"y": floats([2], [3]), "z": floats(2, 3)},
            else_={"y": floats([-2], [-3]), "z": floats(-2, -3)},
        ),
        why=[OMITTED],
    )
    yield in_function(
        "attribute-default-handed-on: "
        "calls in a function's branches forward its attribute, passed or at its default; the callee's attribute "
        "has another name",
        HANDED_ON,
        branches(
            {"x": x},
            then={"i": np.int64([1, -2]), "d": np.float64(x), "j": np.int64([1, -2])},
            else_={"i": np.int64([-2, 4]), "d": np.float64(-2 * x), "j": np.int64([-1, 2])},
        ),
        why=["ir-function-attribute-replaced", OMITTED],
    )
    x = floats(1.5, -2)
    for case, title, called, between, added in [
        ("attribute-handed-on-over-another-default", "a function", "converted", "", 0),
        (
            "attribute-handed-on-twice-over-another-default",
            "a function, which forwards it too,",
            "passed",
            BETWEEN,
            0.5,
        ),
    ]:
        yield in_function(
            f"{case}: "
            f"a call in a branch forwards the function's attribute to {title} whose own default is of another type",
            model(
                OVER_ANOTHER_DEFAULT.format(called=called, between=between), 17, ir=9, domains={"local": 1, "inner": 1}
            ),
            branches({"x": x}, then={"y": x + np.float32(added)}, else_={"y": -x}),
        )
    yield in_function(
        "attribute-left-out-by-the-outer-call: "
        "calls in both branches forward an attribute that one call of the function passes and the other leaves out; "
        "the callee has a default for it",
        LEFT_OUT_BELOW,
        branches({"x": x}, then={"y": x, "z": np.int64([1, -2])}, else_={"y": -x, "z": np.int64([-1, 2])}),
        why=["ir-function-attribute-replaced", OMITTED],
    )
    x, z = floats(1, -2), floats([1, 2], [3, 4])
    yield in_function(
        "attribute-reference-of-scan: "
        "the number of inputs that a Scan around an If scans is an attribute that the call passes",
        SCANNED,
        branches({"x": x, "z": z}, then={"y": floats(5, 4)}, else_={"y": floats(-3, -8)}),
        also=["onnx/if/in-scan"],
    )


def _written_elsewhere() -> Iterator[Vector]:
    """A reference in a graph that a call passes on, and references of nodes whose other operands are constants."""
    x = floats(1, -2)
    for case, name in {
        (
            "given-graph-refers-to-attribute: "
            "a function's call passes a graph for then, and the graph refers to an attribute of that function"
        ): "factors",
        (
            "given-graph-refers-to-attribute-of-that-name: "
            "the same, and the function that gets the graph has an attribute of the same name"
        ): "row",
    }.items():
        yield in_function(
            case,
            model(GIVEN_IN_FUNCTION.replace("NAME", name), 19, domains={"local": 1}),
            branches(
                {"x": x},
                then={"y": floats(-10, -20), "z": floats(-30, -40)},
                else_={"y": floats(3, -10), "z": floats(3, -10)},
            ),
        )
    ones, table = np.ones([2, 2], np.float32), floats([1, 2], [3, 4])
    yield in_function(
        "attribute-reference-beside-a-constant: "
        "before the If and in else, a constant is transposed in the order that the call passes",
        OF_A_CONSTANT,
        Run({"cond": np.True_, "x": ones}, {"y": table + ones, "z": table.T + ones}),
        Run({"cond": np.False_, "x": 2 * ones}, {"y": 2 * table, "z": 2 * table.T}),
    )
