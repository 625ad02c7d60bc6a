"""Two Ifs under conds known beforehand, one in the other: what the moved nodes and their bodies still read."""

from collections.abc import Iterator

import numpy as np
from ifcert.authoring import Run, Vector, branches, floats, model, says, vectors_of
from onnx import ModelProto

WHY = [says("if-cond", note="of a constant one nothing else is said"), "ir-runtime-agnostic"]

constant_cond_same_result = vectors_of("onnx/if/constant-cond-same-result", "ir-outer-scope", *WHY)

X = floats(1, -2)

FED_IF = """q = If (c) <
                            then_branch = sum () => (s) { s = Add (x, k) },
                            else_branch = difference () => (d) { d = Sub (x, k) }>"""


def nest(name: str, middle: str, inner: str, *, outputs: str = "float[2] y", after: str = "") -> ModelProto:
    """An If that always takes its then, whose then has another (INNER) that always takes its then too."""
    inner_if = f"""If (yes) <
                        then_branch = inner () => (q) {{ {inner} }},
                        else_branch = not_inner () => (n) {{ n = Abs (x) }}>"""
    return model(f"""
        {name} (bool c, float[2] x) => ({outputs}) <bool yes = {{1}}> {{
            y = If (yes) <
                then_branch = middle () => (p) {{ {middle.replace("INNER", inner_if)} }},
                else_branch = not_middle () => (m) {{ m = Identity (x) }}>
            {after}
        }}""")


def vectors() -> Iterator[Vector]:
    yield constant_cond_same_result(
        "inner-result-read-by-two-nodes: two nodes of the outer then read the result of the inner If",
        nest("twice", "v = INNER  a = Abs (v)  b = Neg (v)  p = Add (a, b)", "q = Neg (x)"),
        Run({"c": np.True_, "x": X}, {"y": floats(2, 0)}),
        why=WHY,
        also=["onnx/if/nesting", "onnx/if/operand-positions"],
        about=["unread-inputs"],
    )


def _captures() -> Iterator[Vector]:
    runs = branches({"x": X}, then={"y": floats(3, -6)}, else_={"y": floats(-1, 2)}, cond="c")
    yield constant_cond_same_result(
        "middle-value-read-by-if: in the inner then, an If whose cond is fed reads a value computed in the outer then",
        nest("fed", "k = Add (x, x)  p = INNER", FED_IF),
        runs,
        also=["onnx/if/nesting", "onnx/if/outer-scope-capture"],
    )
    yield constant_cond_same_result(
        "middle-value-read-by-loop: in the inner then, the body of a Loop reads a value computed in the outer then",
        nest(
            "looped",
            "two = Constant <value = int64 {2}> ()  k = Add (x, x)  p = INNER",
            """q = Loop (two, c, x) <body = step (int64 i, bool on, float[2] v) => (bool on_out, float[2] v_out)
                            { on_out = Identity (on)  v_out = Add (v, k) }>""",
        ),
        branches({"x": X}, then={"y": floats(5, -10)}, else_={"y": X}, cond="c"),
        also=["onnx/if/nesting", "onnx/if/loop-in-branch", "onnx/if/outer-scope-capture"],
    )
    yield constant_cond_same_result(
        "middle-value-named-as-later-value: "
        "the same, and after the If the main graph computes another value of that name",
        nest("later", "k = Add (x, x)  p = INNER", FED_IF, outputs="float[2] y, float[2] k", after="k = Neg (x)"),
        branches({"x": X}, then={"y": floats(3, -6), "k": -X}, else_={"y": floats(-1, 2), "k": -X}, cond="c"),
        also=["onnx/if/sibling-names-independent", "onnx/if/outer-scope-capture"],
        doubt="no sentence says whether a branch sees the values before it in the list or those that it depends on",
    )


def _unread() -> Iterator[Vector]:
    runs = branches({"x": X}, then={"y": -X}, else_={"y": -X}, cond="c")
    yield constant_cond_same_result(
        "unread-if-reads-middle-value: "
        "in the inner then, nobody reads the result of an If, which reads a value computed in the outer then",
        nest("unread", "k = Add (x, x)  p = INNER", "q = Neg (x)  " + FED_IF.replace("q = If", "u = If")),
        runs,
        also=["onnx/if/nesting", "onnx/if/outer-scope-capture"],
    )
    yield constant_cond_same_result(
        "unread-if-of-two-outputs: in the inner then, nobody reads the two results of an If",
        nest(
            "pair",
            "p = INNER",
            """q = Neg (x)  u, v = If (c) <
                            then_branch = one () => (r, s) { r = Neg (x)  s = Abs (x) },
                            else_branch = two () => (t, w) { t = Abs (x)  w = Neg (x) }>""",
        ),
        runs,
        why=WHY,
        also=["onnx/if/nesting", "onnx/if/operand-positions"],
    )
