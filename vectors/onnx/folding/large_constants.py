"""Ifs whose bodies read constants of 64 elements, where a runtime may keep larger constants in another way."""

from collections.abc import Iterator

import numpy as np
from ifcert.authoring import Run, Vector, branches, issue, model, says, sequence, vectors_of
from onnx import ModelProto

in_loop = vectors_of("onnx/if/in-loop")
outer_scope_capture = vectors_of("onnx/if/outer-scope-capture")

LENGTH = 64

INLINED = issue(
    "microsoft/onnxruntime", 29158, "a branch moved into the graph around it left its larger initializers behind"
)
IN_MEMORY = issue(
    "microsoft/onnxruntime", 25510, "larger constants in a nested graph were replaced by addresses that did not load"
)

constant_cond_same_result = vectors_of(
    "onnx/if/constant-cond-same-result",
    says("if-cond", note="of a constant one nothing else is said"),
    "ir-runtime-agnostic",
    INLINED,
)

ALWAYS = [says("if-cond", note="of a constant one nothing else is said"), "ir-runtime-agnostic", INLINED]
K = np.arange(LENGTH, dtype=np.float32)
L = np.arange(2, LENGTH + 2, dtype=np.float32) * 3
X = np.float32([(-1) ** i * (i % 7 + 1) for i in range(LENGTH)])


def values(array: np.ndarray) -> str:
    """The elements in the text of a model."""
    return "{" + ", ".join(str(int(value)) for value in array) + "}"


FLOATS = f"float[{LENGTH}]"
KS, LS = f"{FLOATS} k = {values(K)}", f"{FLOATS} l = {values(L)}"


def always(name: str, text: str, *, yes: bool = True, stored: str = "") -> ModelProto:
    """A main graph whose only input is x, with the initializer yes."""
    return model(f"{name} ({FLOATS} x) => ({FLOATS} y) <bool yes = {{{int(yes)}}}{stored}> {{ {text} }}")


CHOICE = f"""
    y = If (yes) <
        then_branch = then_graph () => ({FLOATS} a) <{KS}> {{ a = Add (x, k) }},
        else_branch = else_graph () => ({FLOATS} b) <{LS}> {{ b = Mul (x, l) }}>"""

CONSTANT_NODES = f"""
    y = If (yes) <
        then_branch = then_graph () => ({FLOATS} a) {{
            k = Constant <value = {FLOATS} {values(K)}> ()
            a = Add (x, k)
        }},
        else_branch = else_graph () => ({FLOATS} b) {{
            l = Constant <value = {FLOATS} {values(L)}> ()
            b = Mul (x, l)
        }}>"""

OF_ONE_NAME = f"""
    z = If (yes) <
        then_branch = then_graph () => ({FLOATS} a) <{KS}> {{ a = Add (x, k) }},
        else_branch = else_graph () => ({FLOATS} b) {{ b = Neg (x) }}>
    y = If (yes) <
        then_branch = other_then () => ({FLOATS} a) <{FLOATS} k = {values(L)}> {{ a = Mul (z, k) }},
        else_branch = other_else () => ({FLOATS} b) {{ b = Neg (z) }}>"""

RETURNED = f"""
    chosen = If (yes) <
        then_branch = then_graph () => ({FLOATS} k) <{KS}> {{ }},
        else_branch = else_graph () => ({FLOATS} l) <{LS}> {{ }}>
    y = Sub (chosen, x)"""

SUM = f"""
    y = If (yes) <
        then_branch = then_graph () => ({FLOATS} a) <{KS}, {LS}> {{ s = Add (k, l)  a = Mul (s, x) }},
        else_branch = else_graph () => ({FLOATS} b) {{ b = Neg (x) }}>"""

OF_TWO_LEVELS = f"""
    y = If (yes) <
        then_branch = then_graph () => ({FLOATS} a) <{KS}> {{
            s = Add (x, k)
            a = If (yes) <
                then_branch = deep_then () => ({FLOATS} c) <{LS}> {{ p = Mul (s, l)  c = Add (p, k) }},
                else_branch = deep_else () => ({FLOATS} d) {{ d = Neg (s) }}>
        }},
        else_branch = else_graph () => ({FLOATS} b) {{ b = Neg (x) }}>"""

CAPTURED = f"""
    y = If (yes) <
        then_branch = then_graph () => ({FLOATS} a) {{ a = Add (x, k) }},
        else_branch = else_graph () => ({FLOATS} b) {{ b = Mul (x, k) }}>"""

IN_FUNCTION = model(f"""<opset_import: ["" : 16, "local" : 1]>
    caller ({FLOATS} x) => ({FLOATS} y, {FLOATS} z) <bool yes = {{1}}, bool no = {{0}}> {{
        y = local.choose (yes, x)
        z = local.choose (no, x)
    }}
    <domain: "local", opset_import: ["" : 16]>
    choose (c, v) => (r) {{
        r = If (c) <
            then_branch = then_graph () => (a) <{KS}> {{ a = Add (v, k) }},
            else_branch = else_graph () => (b) <{LS}> {{ b = Mul (v, l) }}>
    }}""")

FED_IN_FUNCTION = model(f"""<opset_import: ["" : 16, "local" : 1]>
    caller (bool p, bool q, {FLOATS} x) => ({FLOATS} y) {{
        s = local.choose (p, x)
        y = local.choose (q, s)
    }}
    <domain: "local", opset_import: ["" : 16]>
    choose (c, v) => (r) {{
        r = If (c) <
            then_branch = then_graph () => (a) <{KS}> {{ a = Add (v, k) }},
            else_branch = else_graph () => (b) <{LS}> {{ b = Sub (v, l) }}>
    }}""")

# The body has an initializer of its own too.
IN_LOOP = model(f"""
    looped (int64 trips, bool cond, {FLOATS} x) => ({FLOATS} y) <bool yes = {{1}}> {{
        y = Loop (trips, yes, x) <
            body = step (int64 i, bool on, {FLOATS} v) => (bool on_out, {FLOATS} v_out)
            <{FLOATS} m = {values(K + L)}> {{
                on_out = Identity (on)
                w = Add (v, m)
                v_out = If (cond) <
                    then_branch = then_graph () => ({FLOATS} a) <{KS}> {{ a = Sub (w, k) }},
                    else_branch = else_graph () => ({FLOATS} b) <{LS}> {{ b = Sub (l, w) }}>
            }}>
    }}""")

# Only x and the carried value are not known beforehand.
KNOWN_IN_LOOP = model(f"""
    looped (int64 trips, bool cond, {FLOATS} x) => ({FLOATS} y) <bool yes = {{1}}, {KS}> {{
        y = Loop (trips, yes, x) <
            body = step (int64 i, bool on, {FLOATS} v) => (bool on_out, {FLOATS} v_out) {{
                on_out = Identity (on)
                n = Neg (k)
                v_out = If (cond) <
                    then_branch = then_graph () => ({FLOATS} a) <{LS}> {{ s = Add (n, l)  a = Add (v, s) }},
                    else_branch = else_graph () => ({FLOATS} b) {{ t = Add (n, n)  b = Sub (t, v) }}>
            }}>
    }}""")

IN_SEQUENCE_MAP = model(f"""<opset_import: ["" : 17]>
    mapped (bool cond, seq({FLOATS}) s) => (seq({FLOATS}) y) {{
        y = SequenceMap (s) <body = each ({FLOATS} item) => ({FLOATS} r) {{
            r = If (cond) <
                then_branch = then_graph () => ({FLOATS} a) <{KS}> {{ a = Add (item, k) }},
                else_branch = else_graph () => ({FLOATS} b) <{LS}> {{ b = Sub (item, l) }}>
        }}>
    }}""")

OUTER = model(f"""
    outer (bool cond, {FLOATS} x) => ({FLOATS} y) <{KS}> {{
        y = If (cond) <
            then_branch = then_graph () => ({FLOATS} a) {{ a = Add (x, k) }},
            else_branch = else_graph () => ({FLOATS} b) {{ b = Sub (x, k) }}>
    }}""")

OUTER_DEEP = model(f"""
    outer (bool p, bool q, {FLOATS} x) => ({FLOATS} y) <{KS}, {LS}> {{
        y = If (p) <
            then_branch = then_graph () => ({FLOATS} a) {{
                a = If (q) <
                    then_branch = deep_then () => ({FLOATS} c) {{ s = Add (k, l)  c = Add (x, s) }},
                    else_branch = deep_else () => ({FLOATS} d) {{ d = Sub (x, l) }}>
            }},
            else_branch = else_graph () => ({FLOATS} b) {{ b = Mul (x, k) }}>
    }}""")

FED = model(f"""
    fed (bool cond, {FLOATS} x) => ({FLOATS} y) {{
        y = If (cond) <
            then_branch = then_graph () => ({FLOATS} a) <{KS}, {LS}> {{ s = Add (k, l)  a = Mul (s, x) }},
            else_branch = else_graph () => ({FLOATS} b) <{KS}> {{ n = Neg (k)  b = Add (n, x) }}>
    }}""")


def vectors() -> Iterator[Vector]:
    no_state = branches({"x": X}, then={"y": X + K}, else_={"y": X - K})
    yield outer_scope_capture(
        "large-initializer-of-both: "
        "both branches read an initializer of 64 elements of the main graph, which no node there reads",
        OUTER,
        no_state,
        why=["ir-outer-scope", IN_MEMORY],
    )
    yield outer_scope_capture(
        "large-initializers-two-levels-down: "
        "the branches of an If in then read two initializers of 64 elements of the main graph; one adds them",
        OUTER_DEEP,
        Run({"p": np.True_, "q": np.True_, "x": X}, {"y": X + K + L}),
        Run({"p": np.True_, "q": np.False_, "x": X}, {"y": X - L}),
        Run({"p": np.False_, "q": np.True_, "x": X}, {"y": X * K}),
        why=["ir-outer-scope", "ir-runtime-agnostic", IN_MEMORY],
        also=["onnx/if/nesting"],
    )


def _always() -> Iterator[Vector]:
    for yes, y in ((True, X + K), (False, X * L)):
        word = str(yes).lower()
        yield constant_cond_same_result(
            f"large-initializers-{word}: cond is an initializer, {word}; each branch has an initializer of 64 elements",
            always("always", CHOICE, yes=yes),
            Run({"x": X}, {"y": y}),
        )
        yield constant_cond_same_result(
            f"large-constants-{word}: cond is an initializer, {word}; each branch has a Constant of 64 elements",
            always("always", CONSTANT_NODES, yes=yes),
            Run({"x": X}, {"y": y}),
        )
    cases = [
        (
            "large-initializers-of-one-name",
            "two Ifs that always take then, in which initializers of 64 elements have the same name",
            OF_ONE_NAME,
            (X + K) * L,
            "onnx/if/sibling-names-independent",
        ),
        (
            "large-sum-of-initializers",
            "the branch that is always taken adds two initializers of 64 elements",
            SUM,
            (K + L) * X,
            "",
        ),
        (
            "large-initializers-of-two-levels",
            "in the branch that is always taken, an If that always takes then; each has an initializer of 64 elements",
            OF_TWO_LEVELS,
            (X + K) * L + K,
            "onnx/if/nesting",
        ),
    ]
    for case, title, text, y, also in cases:
        yield constant_cond_same_result(
            f"{case}: {title}", always("always", text), Run({"x": X}, {"y": y}), also=[also] if also else []
        )
    yield constant_cond_same_result(
        "large-initializer-returned: "
        "the branch that is always taken has no node and returns its initializer of 64 elements",
        always("always", RETURNED),
        Run({"x": X}, {"y": K - X}),
        why=["if-then-branch-outputs", "ir-definition-and-use", *ALWAYS],
        also=["onnx/if/output-is-initializer"],
    )
    yield constant_cond_same_result(
        "large-captured-initializer: "
        "the branch that is always taken reads an initializer of 64 elements of the main graph",
        always("always", CAPTURED, stored=", " + KS),
        Run({"x": X}, {"y": X + K}),
        why=["ir-outer-scope", *ALWAYS],
        also=["onnx/if/outer-scope-capture"],
    )
    yield constant_cond_same_result(
        "large-initializers-in-function: "
        "a constant true and a constant false for a function whose branches have initializers of 64 elements",
        IN_FUNCTION,
        Run({"x": X}, {"y": X + K, "z": X * L}),
        also=["onnx/if/in-function"],
    )


def _around() -> Iterator[Vector]:
    yield Vector(
        "onnx/if/then-when-true/large-sum-in-branch",
        "then adds two initializers of 64 elements of its own, else negates one",
        [says("if-then-branch-runs", "if-else-branch-runs"), "ir-runtime-agnostic", IN_MEMORY],
        FED,
        branches({"x": X}, then={"y": (K + L) * X}, else_={"y": X - K}),
        also=["onnx/if/else-when-false"],
    )
    yield in_loop(
        "large-initializers: a Loop's body and both branches of the If in it have initializers of 64 elements",
        IN_LOOP,
        Run({"trips": np.int64(3), "cond": np.True_, "x": X}, {"y": X + 3 * L}),
        Run({"trips": np.int64(1), "cond": np.False_, "x": X}, {"y": -X - K}),
        Run({"trips": np.int64(2), "cond": np.False_, "x": X}, {"y": X}),
        Run({"trips": np.int64(0), "cond": np.True_, "x": X}, {"y": X}),
        why=["operators-loop-inputs-defined", IN_MEMORY],
    )
    yield in_loop(
        "large-sums-known-beforehand: "
        "a Loop's body and the branches of the If in it negate and add initializers of 64 elements, before they use "
        "the carried value",
        KNOWN_IN_LOOP,
        Run({"trips": np.int64(2), "cond": np.True_, "x": X}, {"y": X + 2 * (L - K)}),
        Run({"trips": np.int64(1), "cond": np.False_, "x": X}, {"y": -2 * K - X}),
        Run({"trips": np.int64(2), "cond": np.False_, "x": X}, {"y": X}),
        Run({"trips": np.int64(0), "cond": np.False_, "x": X}, {"y": X}),
        why=["operators-loop-inputs-defined", "ir-runtime-agnostic", IN_MEMORY],
        also=["onnx/if/outer-scope-capture"],
    )
    yield Vector(
        "onnx/if/in-function/large-initializers-in-branches",
        "a function whose branches have initializers of 64 elements is called twice",
        ["ir-function-body", IN_MEMORY],
        FED_IN_FUNCTION,
        [
            Run({"p": np.True_, "q": np.True_, "x": X}, {"y": X + 2 * K}),
            Run({"p": np.True_, "q": np.False_, "x": X}, {"y": X + K - L}),
            Run({"p": np.False_, "q": np.False_, "x": X}, {"y": X - 2 * L}),
        ],
    )
    items = [X, -X]
    yield Vector(
        "onnx/if/in-sequence-map/large-initializers-in-branches",
        "the branches of an If in a SequenceMap's body have initializers of 64 elements",
        ["operators-sequencemap-each-element", IN_MEMORY],
        IN_SEQUENCE_MAP,
        branches(
            {"s": sequence("tensor(float32)", items)},
            then={"y": sequence("tensor(float32)", [item + K for item in items])},
            else_={"y": sequence("tensor(float32)", [item - L for item in items])},
        ),
    )
