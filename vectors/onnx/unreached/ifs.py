"""Ifs in a function that is never called: only one branch of each has a type without a call.

What else is invalid where no run reaches it, is in the cross of faults (crosses/faults.py).
"""

from collections.abc import Iterator

import numpy as np
from ifcert.authoring import Vector, attribute, branches, floats, model, says
from onnx import ModelProto, TensorProto

X = floats(1, -2)

# The type of one branch of unused depends on the call, which there is none of; that of the other does not.
ONE_TYPE_OPEN = """
    caller (bool cond, float[2] x) => (float[2] y) {{ y = local.used (cond, x) }}
    <domain: "local", opset_import: ["" : 13]>
    used (c, v) => (r) {{
        r = If (c) <
            then_branch = then_used () => (a) {{ a = Neg (v) }},
            else_branch = else_used () => (b) {{ b = Abs (v) }}>
    }}
    <domain: "local", opset_import: ["" : 13]>
    unused (c, v) => (r) {{
        r = If (c) <
            then_branch = then_unused () => (d) {{ {then} }},
            else_branch = else_unused () => (e) {{ {other} }}>
    }}"""


def constant_is_bfloat16(m: ModelProto) -> None:
    parts = (attribute(m.functions[1].node[0], name).g for name in ("then_branch", "else_branch"))
    (constant,) = (node for part in parts for node in part.node if node.op_type == "Constant")
    constant.attribute[0].t.CopyFrom(TensorProto(data_type=TensorProto.BFLOAT16, int32_data=[0x3F80]))


def vectors() -> Iterator[Vector]:
    why = [says("if-13-types", note="of which none is bfloat16"), "ir-outer-scope"]
    for part, open_one, with_type in [
        ("else", "d = Identity (v)", "e = Constant <value = float {1}> ()"),
        ("then", "e = Identity (v)", "d = Constant <value = float {1}> ()"),
    ]:
        parts = (open_one, with_type) if part == "else" else (with_type, open_one)
        sound = Vector(
            f"onnx/if/types-of-opset/never-called-{part}-has-a-type",
            f"a function that is never called has an If: {part} returns a float, the other branch what it is passed",
            why,
            model(ONE_TYPE_OPEN.format(then=parts[0], other=parts[1]), 13, ir=8, domains={"local": 1}),
            branches({"x": X}, then={"y": -X}, else_={"y": np.abs(X)}),
            also=["onnx/if/in-function"],
        )
        yield sound.broken(
            f"{sound.id}-bfloat16: "
            f"a function that is never called has an If: {part} returns a bfloat16, which If-13 does not list, the "
            "other branch what it is passed",
            constant_is_bfloat16,
        )
